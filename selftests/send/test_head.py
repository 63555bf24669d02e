"""head.py: white space around the values of headers is none of them, and of headers there may be many."""

from __future__ import annotations

import gzip
import http.client
import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from animal_conformance.record.exchange import Exchange, FailureKind
from animal_conformance.send.client import Client
from animal_conformance.send.head import LARGEST_HEAD_BYTES, MOST_HEADER_LINES, header_lines
from animal_conformance.send.patience import asked_to_wait_s
from selftests.loopback.server import KEY, RawServer
from selftests.tables import cases

STATUS = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
LIST = b'[{"id": 1}]'
PACKED = gzip.compress(LIST)


@contextmanager
def answering(sent: bytes) -> Iterator[tuple[list[Exchange], RawServer]]:
    """What a client records of two requests, each answered with these bytes on a connection that stays open."""
    recorded: list[Exchange] = []
    with RawServer(lambda _: sent) as server:
        client = Client(server.url, KEY, recorded.append)
        try:
            sender = client.sender()
            for _ in range(2):
                sender.send("GET", "/pets")
            yield recorded, server
        finally:
            client.close()


@pytest.mark.parametrize("space", [b" ", b"\t", b" \t  "])
@cases(
    ("lines", "body"),
    {
        "Content-Encoding, Content-Length": (b"Content-Encoding: gzip%s\r\nContent-Length: %s%d%s", PACKED),
        "folded": (b"Content-Encoding:\r\n\tgzip%s\r\nContent-Length: %s%d%s", PACKED),
        "chunks": (b"Transfer-Encoding: chunked%s\r\nX-Chunks: %s%d%s", b"b\r\n%s\r\n0\r\n\r\n" % LIST),
    },
)
def test_white_space_behind_a_value_is_none_of_it(space: bytes, lines: bytes, body: bytes) -> None:
    """RFC 9112 section 5.1; the connection serves the next request as well."""
    head = lines % (space, space, len(body), space)
    with answering(STATUS + head + b"\r\n\r\n" + body) as (recorded, server):
        assert [LIST, LIST] == [each.response and each.response.body for each in recorded]
        assert 1 == server.connections
    response = recorded[0].response
    assert response is not None
    assert all(value == value.strip() for _, value in response.headers)


def test_a_time_to_wait_with_white_space_behind_it_is_read() -> None:
    """A date as well."""
    dates = b"Date: Wed, 21 Oct 2026 07:28:00 GMT \t\r\nRetry-After: \tWed, 21 Oct 2026 07:28:30 GMT \r\n"
    with answering(STATUS + dates + b"Content-Length: 2 \r\n\r\n[]") as (recorded, _):
        response = recorded[0].response
    assert response is not None
    assert 30 == asked_to_wait_s(response)


def test_hundreds_of_headers_are_read() -> None:
    """http.client reads a hundred; each cookie has a line of its own."""
    cookies = b"".join(b"Set-Cookie: c%d=%d\r\n" % (at, at) for at in range(900))
    with answering(STATUS + cookies + b"Content-Length: 2\r\n\r\n[]") as (recorded, _):
        response = recorded[1].response
    assert response is not None
    assert 902 == len(response.headers)


def test_too_many_headers_are_too_large() -> None:
    """What cannot be judged is said to be too large, as any other response that is."""
    with answering(STATUS + b"X: x\r\n" * MOST_HEADER_LINES + b"Content-Length: 2\r\n\r\n[]") as (
        recorded,
        _,
    ):
        failure = recorded[0].failure
    assert failure is not None
    assert FailureKind.TOO_LARGE is failure.kind


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        (b"A: b\r\n\r\nbody", b"A: b\r\n"),
        (b"A: b \n\nbody", b"A: b\r\n"),
        (b"A: b \t\r\n \r\nC:  d\r\n\r\n", b"A: b\r\nC:  d\r\n"),
        (b"A: b\r\n c\r\n\t d \r\n\r\n", b"A: b c d\r\n"),
        (b" \r\nA: b\r\n\r\n", b"A: b\r\n"),
        (b"A: b", b"A: b\r\n"),
        (b"\r\n", b""),
        (b"", b""),
    ],
)
def test_header_lines_are_taken_in_up_to_the_empty_one(sent: bytes, taken: bytes) -> None:
    """A line of white space is no empty one, but what a value goes on with."""
    stream = io.BytesIO(sent)
    assert taken == header_lines(stream)
    assert stream.read() == (b"body" if sent.endswith(b"body") else b"")


@cases(
    ("most", "beyond"),
    {
        "bytes": (
            b"X: " + b"x" * (LARGEST_HEAD_BYTES - 5) + b"\r\n",
            b"X: " + b"x" * (LARGEST_HEAD_BYTES - 4) + b"\r\n",
        ),
        "lines": (b"X: x\r\n" * MOST_HEADER_LINES, b"X: x\r\n" * (MOST_HEADER_LINES + 1)),
    },
)
def test_header_lines_are_bounded(most: bytes, beyond: bytes) -> None:
    """Lines without an end would fill the memory."""
    assert most == header_lines(io.BytesIO(most + b"\r\n"))
    with pytest.raises(http.client.HTTPException, match="more than"):
        header_lines(io.BytesIO(beyond + b"\r\n"))
