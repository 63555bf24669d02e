"""transport.py: connections are closed when they are said to be, whatever still refers to them."""

from __future__ import annotations

import gc
import socket
import time
from collections.abc import Iterator

import pytest

from animal_conformance.record.exchange import Exchange, FailureKind
from animal_conformance.send.client import Client
from animal_conformance.send.message import received_by_now
from animal_conformance.send.sender import CLOSE, JSON_HEADERS
from selftests.loopback.server import KEY, Answer, RawServer, Visit, error, response
from selftests.tables import cases

BRIEFLY_S = 0.2
LONG_S = 2.0


@pytest.fixture
def _uncollected() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_uncollected")
def test_an_idle_connection_is_closed_at_once_even_after_a_request_without_a_response() -> None:
    """Until then, a server of one connection at a time serves no other; and exceptions refer to what urllib3 would collect."""
    with RawServer(workers=1) as server:
        client = Client(server.url, KEY, lambda _: None)
        first, second = client.sender(), client.sender()
        try:
            assert first.serves(LONG_S)
            assert not second.serves(BRIEFLY_S)
            first.close_idle()
            assert second.serves(LONG_S)
            second.close_idle()
            assert first.serves(LONG_S)
        finally:
            client.close()


def test_a_response_is_read_to_its_end_where_connections_are_closed_on_both_sides() -> None:
    """Also if the server says that it closes the connection, and sends the body later than the head."""

    def behave(visit: Visit) -> Answer:
        head, body = visit.honest().split(b"\r\n\r\n", 1)
        visit.wire.send(head + b"\r\nConnection: close\r\n\r\n")
        visit.wire.wait(0.05)
        visit.wire.send(body)
        return None

    recorded: list[Exchange] = []
    with RawServer(behave) as server:
        client = Client(server.url, KEY, recorded.append)
        client.make_room()
        sender = client.sender()
        try:
            assert [200] * 3 == [sender.send("GET", "/pets", headers=JSON_HEADERS).status for _ in range(3)]
        finally:
            client.close()
    assert [None] * 3 == [each.failure for each in recorded]


def test_nothing_more_is_sent_on_a_connection_that_was_to_be_closed() -> None:
    """RFC 9112 section 9.6; a server may leave that to the client."""

    def behave(visit: Visit) -> Answer:
        visit.caught.headers.pop("connection", None)  # what the server closes connections by
        return visit.honest()

    with RawServer(behave) as server:
        client = Client(server.url, KEY, lambda _: None)
        sender = client.sender()
        try:
            opened = [server.connections]
            for headers in ((), (CLOSE,), (), ()):
                assert sender.send("GET", "/pets", headers=(*JSON_HEADERS, *headers)).status == 200
                opened.append(server.connections)
        finally:
            client.close()
    assert [0, 1, 1, 2, 2] == opened


def test_nothing_more_is_sent_on_a_connection_after_a_response_that_cannot_be_read() -> None:
    """Its server may be about to close it: the next request would get no response, which says nothing of its own."""
    undecodable = response(200, b"[]", ("Content-Encoding", "gzip"))

    def behave(visit: Visit) -> Answer:
        return undecodable if len(server.log) == 1 else visit.honest()

    with RawServer(behave) as server:
        client = Client(server.url, KEY, lambda _: None)
        try:
            assert client.sender().send("GET", "/pets").status == 200
        finally:
            client.close()
    assert [2, 2] == [len(server.log), server.connections]


@pytest.mark.parametrize("pause_s", [0.0, 0.05])
def test_a_response_that_nobody_asked_for_is_not_read_as_the_next_one(pause_s: float) -> None:
    """Where it is there before the next request is sent; what comes later looks like the response to that."""

    def behave(visit: Visit) -> Answer:
        if not pause_s:
            return visit.honest() + error(500)
        visit.wire.send(visit.honest())
        visit.wire.wait(pause_s)
        return error(500)

    with RawServer(behave) as server:
        client = Client(server.url, KEY, lambda _: None)
        sender = client.sender()
        try:
            for _ in range(3):
                got = sender.send("GET", "/pets").response
                assert got is not None
                assert 200 == got.status
                time.sleep(4 * pause_s)
        finally:
            client.close()


UNASKED_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"


@cases(
    ("pause_s", "unasked", "told"),
    {
        "at once behind another one": (0.0, UNASKED_OK, [FailureKind.MALFORMED]),
        "the same once more": (0.0, error(401), [FailureKind.MALFORMED]),
        "after a while": (0.05, UNASKED_OK, [FailureKind.MALFORMED]),
        # What servers say before they close a connection that is idle.
        "timed out": (
            0.05,
            b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            [],
        ),
        "a blank line": (0.0, b"\r\n", []),
    },
)
def test_who_uses_a_connection_again_meets_what_nobody_asked_for(
    pause_s: float, unasked: bytes, told: list[FailureKind]
) -> None:
    """A client may take a response that is there before its request for the answer to that (RFC 9112 section 9.2)."""

    def behave(visit: Visit) -> Answer:
        if len(server.log) > 1:
            return visit.honest()
        if not pause_s:
            return visit.honest() + unasked
        visit.wire.send(visit.honest())
        visit.wire.wait(pause_s)
        return unasked

    recorded: list[Exchange] = []
    with RawServer(behave) as server:
        client = Client(server.url, KEY, recorded.append)
        sender = client.sender()
        try:
            assert 200 == sender.send("GET", "/pets").status
            time.sleep(4 * pause_s)
            assert 200 == sender.send("GET", "/pets").status
        finally:
            client.close()
    failures = [each.failure for each in recorded if each.failure is not None]
    assert told == [each.kind for each in failures]
    assert all("nobody has asked for: HTTP/1.1 " in each.detail for each in failures)


def test_a_connection_that_was_closed_meanwhile_gives_nothing() -> None:
    """One whose deadline is over is closed, while its response is read."""
    near, far = socket.socketpair()
    far.sendall(b"x")
    assert b"x" == received_by_now(near, lambda: near.recv(1))
    assert b"" == received_by_now(near, lambda: near.recv(1))
    near.close()
    far.close()
    assert b"" == received_by_now(near, lambda: near.recv(1))
