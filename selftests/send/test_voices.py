"""What a voice sends is on the wire as its table says, nothing more and nothing less."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable

import h11
import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import Store
from animal_conformance.drive.voices import BY_NAME, DISGUISES, ESCAPING, VOICES, Voice, compact
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Credential, Exchange, Request, Terms
from animal_conformance.report.curl import curl
from animal_conformance.send.client import Client
from animal_conformance.send.transport import PHONE, TransportSettings

PAYLOAD = {"name": "Zoë </b>", "categoryId": 2**53 + 1, "status": "sold"}
FRAMING = {"host", "content-length", "authorization"}


def caught(send: Callable[[str], None]) -> tuple[list[tuple[str, str]], bytes]:
    """The headers and the body of the request that is sent to an address, as a server reads them."""
    head: list[tuple[str, str]] = []
    body = bytearray()

    def serve(listener: socket.socket) -> None:
        connection = h11.Connection(h11.SERVER)
        with listener.accept()[0] as sock:
            while not isinstance(event := connection.next_event(), h11.EndOfMessage):
                if event is h11.NEED_DATA:
                    if connection.they_are_waiting_for_100_continue:
                        sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                        connection.send(h11.InformationalResponse(status_code=100, headers=[]))
                    connection.receive_data(sock.recv(65536))
                elif isinstance(event, h11.Request):
                    head.extend((name.decode(), value.decode()) for name, value in event.headers.raw_items())
                elif isinstance(event, h11.Data):
                    body.extend(event.data)
            sock.sendall(b"HTTP/1.1 400 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        send(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        thread.join(5)
    return head, bytes(body)


def created_by(voice: Voice, base_url: str) -> Exchange:
    """A creation in a voice."""
    exchanges: list[Exchange] = []
    client = Client(base_url, "a-key", exchanges.append, settings=TransportSettings(timeout_s=5))
    sender = client.sender()
    lane = Lane(Store(client, sender, Ledger(Terms()), PROFILES["standard"], 1), sender, 1)
    lane.voice = voice
    lane.create_pet(PAYLOAD)
    client.close()
    return exchanges[0]


def test_the_body_of_a_phone_comes_in_two_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of them after what a server that reads once has read: the pause here ends when that is so."""
    segments: list[bytes] = []
    begun = threading.Event()
    monkeypatch.setattr("animal_conformance.send.transport.time.sleep", lambda _: begun.wait(5))

    def serve(listener: socket.socket) -> None:
        with listener.accept()[0] as sock:
            while not b"".join(segments).endswith(b"}"):
                segments.append(sock.recv(65536))
                if b"\r\n\r\n{" in b"".join(segments):
                    begun.set()
            sock.sendall(b"HTTP/1.1 400 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        created_by(BY_NAME[PHONE], f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        thread.join(5)
    assert not segments[-1].startswith((b"POST", b"{"))
    assert f"Content-Length: {len(compact(PAYLOAD))}".encode() in b"".join(segments)


@pytest.mark.parametrize("voice", VOICES, ids=lambda each: each.name)
def test_a_creation_has_the_headers_and_the_body_of_its_voice(voice: Voice) -> None:
    """None of the suite's own, such as its User-Agent; in chunks where the voice says so."""
    exchanges: list[Exchange] = []
    head, body = caught(lambda base_url: exchanges.append(created_by(voice, base_url)))
    assert sorted(voice.headers_for(b"")) == sorted(each for each in head if each[0].lower() not in FRAMING)
    assert PAYLOAD == json.loads(body)
    lower = any(name.islower() for name, _ in voice.headers[:1])
    assert {"authorization" if lower else "Authorization"} == {
        each for each, _ in head if each.lower() == "authorization"
    }
    assert (voice.name, 400) == (
        exchanges[0].request.voice,
        exchanges[0].response and exchanges[0].response.status,
    )


@pytest.mark.skipif(
    shutil.which("curl") is None or shutil.which("bash") is None, reason="Needs curl and bash."
)
@pytest.mark.parametrize("voice", VOICES[::4], ids=lambda each: each.name)
def test_the_curl_line_speaks_like_it(voice: Voice) -> None:
    """With its headers, and none of curl's own."""
    body = voice.write(PAYLOAD)
    request = Request("POST", "/pets", voice.headers_for(body), body, Credential.ABSENT, voice=voice.name)

    def paste(base_url: str) -> None:
        line = curl(Exchange(request), base_url)
        subprocess.run(["bash", "-c", line], check=True, capture_output=True, timeout=10)  # noqa: S607 - the one on the path

    head, arrived = caught(paste)
    assert sorted(voice.headers_for(b"")) == sorted(each for each in head if each[0].lower() not in FRAMING)
    assert body == arrived


def test_each_voice_has_a_name_and_a_source_of_its_own() -> None:
    """Findings name them, and experiments find them by it."""
    assert len((*VOICES, *DISGUISES, ESCAPING)) == len(BY_NAME)
    assert all(each.source for each in BY_NAME.values())


def test_who_escapes_what_it_may_says_the_same() -> None:
    """Beyond 16 bits as a pair, the digits in either case; an experiment finds it by its name."""
    payload = {"name": "\U0001f98a / \u00e9", "categoryId": 1}
    body = ESCAPING.write(payload)
    assert payload == json.loads(body)
    assert rb"\ud83e\udd8a \/ \u00E9" in body
    assert ESCAPING is BY_NAME[ESCAPING.name]
