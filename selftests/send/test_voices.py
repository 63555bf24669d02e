"""What a voice sends is on the wire as its table says, nothing more and nothing less."""

from __future__ import annotations

import json
import socket
import threading

import h11
import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import Store
from animal_conformance.drive.voices import BY_NAME, DISGUISES, VOICES, Voice
from animal_conformance.judge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.send.client import Client
from animal_conformance.send.transport import TransportSettings

FRAMING = {"host", "content-length", "authorization"}


def received(voice: Voice, payload: object) -> tuple[list[tuple[str, str]], bytes]:
    """The headers and the body of a creation in a voice, as a server reads them."""
    head: list[tuple[str, str]] = []
    body = bytearray()

    def serve(listener: socket.socket) -> None:
        connection = h11.Connection(h11.SERVER)
        with listener.accept()[0] as sock:
            while not isinstance(event := connection.next_event(), h11.EndOfMessage):
                if event is h11.NEED_DATA:
                    connection.receive_data(sock.recv(65536))
                elif isinstance(event, h11.Request):
                    head.extend((name.decode(), value.decode()) for name, value in event.headers.raw_items())
                elif isinstance(event, h11.Data):
                    body.extend(event.data)
            sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        exchanges: list[Exchange] = []
        client = Client(
            f"http://127.0.0.1:{listener.getsockname()[1]}/v1",
            "a-key",
            exchanges.append,
            settings=TransportSettings(timeout_s=5),
        )
        sender = client.sender()
        lane = Lane(Store(client, sender, Ledger(Terms()), PROFILES["standard"], 1), sender, 1)
        lane.voice = voice
        lane.create_pet(payload)
        thread.join(5)
        client.close()
    assert voice.name == exchanges[0].request.voice
    assert 400 == (exchanges[0].response.status if exchanges[0].response else 0)
    return head, bytes(body)


@pytest.mark.parametrize("voice", VOICES, ids=lambda each: each.name)
def test_a_creation_has_the_headers_and_the_body_of_its_voice(voice: Voice) -> None:
    """None of the suite's own, such as its User-Agent; in chunks where the voice says so."""
    payload = {"name": "Zoë </b>", "categoryId": 2**53 + 1, "status": "sold"}
    head, body = received(voice, payload)
    assert sorted(voice.headers_for(b"")) == sorted(each for each in head if each[0].lower() not in FRAMING)
    assert payload == json.loads(body)


def test_each_voice_has_a_name_and_a_source_of_its_own() -> None:
    """Findings name them, and experiments find them by it."""
    assert len({*VOICES, *DISGUISES}) == len(BY_NAME) == len(VOICES) + len(DISGUISES)
    assert all(each.source for each in VOICES)
