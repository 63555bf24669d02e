"""message.py: what RFC 9112 does not call a response is none, though Python's parsers read it; what it allows is read."""

from __future__ import annotations

import gzip
import zlib

import brotli  # type: ignore[import-untyped] # it comes without types
import pytest

from animal_conformance.record.exchange import Failure, FailureKind, Request, Response
from animal_conformance.send.body import Bodies
from animal_conformance.send.deadlines import Deadlines
from animal_conformance.send.transport import Transport, TransportSettings
from selftests.loopback.server import Answer, HangUp, RawServer, Visit

HEAD = b"Content-Type: application/json\r\nConnection: close\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
OPEN_S = 5
LAST = b"0\r\n\r\n"


def answered(content: bytes, *headers: tuple[str, str]) -> Response | Failure:
    """What becomes of a request that is answered with these bytes and the end of the connection."""

    def behave(visit: Visit) -> Answer:
        visit.wire.send(content)
        if b"Connection: close" not in content:
            visit.wire.wait(OPEN_S)
        raise HangUp

    deadlines = Deadlines()
    with RawServer(behave) as server:
        try:
            return Transport(TransportSettings(), deadlines, Bodies()).exchange(
                server.url, Request("GET", "/pets", headers), None
            )
        finally:
            deadlines.close()


def malformed(content: bytes) -> str:
    """Why these bytes are no response."""
    failure = answered(content)
    assert isinstance(failure, Failure)
    assert FailureKind.MALFORMED is failure.kind
    return failure.detail


def body_of(content: bytes) -> bytes:
    """The body of the response that these bytes are."""
    got = answered(content)
    assert isinstance(got, Response), got
    return got.body


def with_headers(*lines: bytes) -> bytes:
    """A response with further lines in its head."""
    return b"HTTP/1.1 200 OK\r\n" + HEAD + b"".join(each + b"\r\n" for each in lines) + b"\r\n[]"


@pytest.mark.parametrize(
    "status", [b"+200", b"2_00", b"0200", b"-200", b"200.0", b"\xb2\xb3\xb9", b"99", b"1000"]
)
def test_a_status_code_is_three_digits(status: bytes) -> None:
    """RFC 9112 section 4; Python reads numbers as it writes its own."""
    malformed(b"HTTP/1.1 %s OK\r\n" % status + HEAD + b"Content-Length: 2\r\n\r\n[]")


@pytest.mark.parametrize("version", [b"HTTP/1.10", b"HTTP/1.1x", b"HTTP/1.", b"HTTP/1.x"])
def test_a_version_is_two_digits(version: bytes) -> None:
    """RFC 9112 section 2.3."""
    assert version.decode() in malformed(version + b" 200 OK\r\n" + HEAD + b"Content-Length: 2\r\n\r\n[]")


def test_a_status_line_does_not_go_on_behind_a_carriage_return_alone() -> None:
    """RFC 9112 section 2.2: what ends its lines so has no headers, and its body would be the reason phrase."""
    lines = (b"HTTP/1.1 200 OK\r\n" + HEAD + b"Content-Length: 2\r\n\r\n[]").replace(b"\r\n", b"\r")
    for content in (lines, lines + b"\n", lines + b" " * 70_000):
        assert "a status line with a carriage return" in malformed(content)
    assert b"[]" == body_of(b"HTTP/1.1 200 OK\r\r\n" + HEAD + b"Content-Length: 2\r\n\r\n[]")


@pytest.mark.parametrize(
    "line", [b"HTTP/1.1 200", b"HTTP/1.1 200 ", b"HTTP/1.1\t200  OK", b"HTTP/1.0 200 OK"]
)
def test_a_status_line_may_lack_its_reason_and_have_other_white_space(line: bytes) -> None:
    """RFC 9112 section 4: a recipient may read it so."""
    assert b"[]" == body_of(line + b"\r\n" + HEAD + b"Content-Length: 2\r\n\r\n[]")


@pytest.mark.parametrize("size", [b"0x2", b"+2", b"0_2", b" 2", b"-2", b"two", b"", b"2 2", b"\t2", b"2,"])
def test_the_size_of_a_chunk_is_hexadecimal_digits_alone(size: bytes) -> None:
    """RFC 9112 section 7.1."""
    assert "chunk" in malformed(CHUNKED + size + b"\r\n[]\r\n" + LAST)


@pytest.mark.parametrize(
    "size", [b"2", b"0002", b"2 ", b"2  \t", b"2;a=b", b'2 ; a="b;c"', b"2;a=" + b"x" * 9000]
)
def test_the_size_of_a_chunk_may_have_zeros_padding_and_extensions(size: bytes) -> None:
    """RFC 9112 section 7.1.1: a recipient ignores the extensions that it does not know."""
    assert b"[]" == body_of(CHUNKED + size + b"\r\n[]\r\n" + LAST)


@pytest.mark.parametrize("end", [b"xx", b" \n", b"\r\r", b"]\r\n"])
def test_a_chunk_ends_where_its_size_says(end: bytes) -> None:
    """RFC 9112 section 7.1: a line break follows it."""
    assert "longer than its size" in malformed(CHUNKED + b"2\r\n[]" + end + LAST)


@pytest.mark.parametrize("end", [b"0\r\n\r\n", b"000\r\n\r\n", b"0\r\n", b"0\r\nX-Took: 1\r\n\r\n"])
def test_a_chunked_body_ends_with_its_last_chunk(end: bytes) -> None:
    """With trailers and without."""
    assert b"[]" == body_of(CHUNKED + b"2\r\n[]\r\n" + end)


@pytest.mark.parametrize(
    "length",
    [b"9" * 5000, b"-2", b"+2", b"2.0", b"0x2", b"two", b"2, two"],
    ids=lambda length: length[:10].decode(),
)
def test_a_length_that_is_no_number_or_an_absurd_one_is_not_ignored(length: bytes) -> None:
    """Python reads until the end of the connection then, which other clients do not."""
    assert "Content-Length" in malformed(with_headers(b"Content-Length: " + length))


def test_a_length_beside_chunks_is_malformed() -> None:
    """It may be two responses to one client and one to another (RFC 9112 section 6.3)."""
    chunks = b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n"
    assert "both" in malformed(b"HTTP/1.1 200 OK\r\n" + HEAD + chunks)


@pytest.mark.parametrize("length", [b"2", b"0" * 30 + b"2", b"2, 2"])
def test_a_length_may_have_zeros_and_be_there_twice(length: bytes) -> None:
    """RFC 9112 section 6.3: a recipient may take equal ones for one."""
    assert b"[]" == body_of(with_headers(b"Content-Length: " + length))


@pytest.mark.parametrize(
    "line",
    [
        b"This is no header",
        b"X-\xe9\xff: 1",
        b"\x1b[31m: 1",
        b"X A: 1",
        b"Content-Length : 2",
        b"X-A: 1\rinjected",
        b"X-A: 1\rX-B: 2",
        b"X-A: 1\0",
        b"X(A): 1",
        b": 1",
    ],
)
def test_a_line_among_the_headers_that_is_none_drops_no_others(line: bytes) -> None:
    """RFC 9112 section 5: what follows it would be called absent."""
    assert "among the headers" in malformed(
        b"HTTP/1.1 200 OK\r\n" + line + b"\r\n" + HEAD + b"Content-Length: 2\r\n\r\n[]"
    )


@pytest.mark.parametrize(
    "line",
    [
        b"X-Folded: a\r\n b\r\n\tc",
        b"X-Empty:",
        b"X-!#$%&'*+.^_`|~: 1",
        b"X-Latin: \xe9\x85 \x1c\xff",
        b"Content-Type: message/http",
        b"Content-Type: multipart/mixed; boundary=a",
        b" folded into nothing",
        b"X-Old: 1\r",
    ],
)
def test_a_header_may_be_folded_empty_odd_or_in_another_alphabet(line: bytes) -> None:
    """RFC 9112 section 5.2 and RFC 9110 section 5.5: a recipient reads these."""
    assert b"[]" == body_of(
        b"HTTP/1.1 200 OK\r\n" + line + b"\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]"
    )


@pytest.mark.parametrize(
    "codings",
    [b"gzip, chunked", b"chunked, chunked", b"xchunked", b"cow", b"chunked\r\nTransfer-Encoding: chunked"],
)
def test_a_transfer_coding_that_was_not_asked_for_is_not_waited_for(codings: bytes) -> None:
    """On a connection that stays open, its end would be that of the timeout."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + codings + b"\r\n\r\n"
    assert "Transfer-Encoding" in malformed(head + b"2\r\n[]\r\n" + LAST)


def test_a_transfer_coding_that_was_asked_for_is_not_the_servers_fault() -> None:
    """A voice sends the TE of its client, and what that undoes is not undone here."""
    coded = answered(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", ("TE", "gzip"))
    assert isinstance(coded, Failure)
    assert FailureKind.TOO_LARGE is coded.kind


@pytest.mark.parametrize("coding", [b"identity", b""])
def test_no_transfer_coding_may_be_named(coding: bytes) -> None:
    """As RFC 2616 named it."""
    assert b"[]" == body_of(with_headers(b"Content-Length: 2", b"Transfer-Encoding: " + coding))


@pytest.mark.parametrize("coding", [b"CHUNKED", b"chunked", b" chunked "])
def test_the_name_of_a_coding_has_no_case(coding: bytes) -> None:
    """RFC 9112 section 7."""
    assert b"[]" == body_of(CHUNKED.replace(b"chunked", coding) + b"2\r\n[]\r\n" + LAST)


@pytest.mark.parametrize("trailer", [b"X-More: more\r\n" * 200, (b"X-Long: " + b"x" * 20_000 + b"\r\n") * 4])
def test_trailers_have_the_limits_of_headers(trailer: bytes) -> None:
    """They may go on for ever."""
    failure = answered(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n" + trailer)
    assert isinstance(failure, Failure)
    assert FailureKind.TOO_LARGE is failure.kind


def test_a_few_trailers_are_read() -> None:
    """Up to as many as a server has headers."""
    assert b"[]" == body_of(CHUNKED + b"2\r\n[]\r\n0\r\n" + b"X-More: more\r\n" * 90 + b"\r\n")


@pytest.mark.parametrize("coding", [b"utf-8", b"x-cow", b"compress", b"identity, x-cow"])
def test_a_body_in_a_content_coding_that_no_client_knows_is_not_read_as_if_it_had_none(coding: bytes) -> None:
    """RFC 9110 section 8.4: the header says what has to be undone first."""
    assert "Content-Encoding" in malformed(with_headers(b"Content-Length: 2", b"Content-Encoding: " + coding))


@pytest.mark.parametrize("coding", [b"", b"identity", b"Identity", b"identity, identity"])
def test_no_content_coding_may_be_named(coding: bytes) -> None:
    """Though it should not (RFC 9110 section 8.4)."""
    assert b"[]" == body_of(with_headers(b"Content-Length: 2", b"Content-Encoding: " + coding))


def test_an_empty_body_may_be_called_anything() -> None:
    """There is nothing to undo."""
    head = b"HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Encoding: x-cow\r\nContent-Length: 0\r\n\r\n"
    assert b"" == body_of(head)


@pytest.mark.parametrize("coding", [b"gzip", b"x-gzip", b"GZIP", b"deflate", b"br"])
def test_what_clients_accept_is_undone(coding: bytes) -> None:
    """Also where this request did not name it: a server need not ask (RFC 9110 section 12.5.3)."""
    pack = {b"deflate": zlib.compress, b"br": brotli.compress}.get(coding, gzip.compress)
    head = b"HTTP/1.1 200 OK\r\n" + HEAD + b"Content-Encoding: " + coding + b"\r\n\r\n"
    assert b"[]" == body_of(head + pack(b"[]"))


def test_more_codings_than_are_undone_are_no_wrong_label() -> None:
    """The limit is that of this suite: the body may be coded as it says."""
    body = b"[]"
    for _ in range(6):
        body = gzip.compress(body)
    label = b"Content-Encoding: " + b", ".join([b"gzip"] * 6)
    failure = answered(b"HTTP/1.1 200 OK\r\n" + HEAD + label + b"\r\n\r\n" + body)
    assert isinstance(failure, Failure)
    assert FailureKind.TOO_LARGE is failure.kind
    assert (
        "a Content-Encoding with more codings, one over the other, than the 5 that are undone"
        == failure.detail
    )
