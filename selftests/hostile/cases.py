"""What hostile servers do, and how the suite judges each."""

from __future__ import annotations

import functools
import json
import zlib
from dataclasses import dataclass
from weakref import WeakSet

from selftests.loopback.server import (
    Answer,
    Behaviour,
    HangUp,
    Visit,
    Wire,
    error,
    only,
    reset,
    response,
    silent,
)

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
READING = ("list", "get")
MB = 1024 * 1024

NASTY = (
    "\x1b[2J\x1b]0;owned\x07\x9b31m\x1b[8mhidden"
    "<script>alert('owned')</script><img src=x onerror=alert(1)>--></pre>]]>&lt;"
    "\u202egnp.exe\u2066\u200b\u2028| a | b |\n# Heading\n[link](javascript:alert(1)) `code` ![x](http://192.0.2.1/x.png)\r::error::x"
)


@dataclass(frozen=True)
class HostileCase:
    """A server that does harm.

    ``sends`` and ``where`` describe it for the table of the documentation; ``failed`` are the MUST clauses of
    which at least one fails and beyond which none may, ``says`` is in the reason, ``code`` the exit code.
    """

    name: str
    sends: str
    where: str
    behaviour: Behaviour
    code: int
    failed: frozenset[str] = frozenset()
    says: str = ""
    untold: str = ""
    timeout_s: float = 1.0

    @property
    def row(self) -> str:
        """This case in the table of the documentation."""
        clauses = ", ".join(f"`{each}`" for each in sorted(self.failed))
        verdict = "does not conform (1)" if self.code == 1 else "could not judge (3)"
        remark = clauses or self.says or (f"cannot tell `{self.untold}`" if self.untold else "")
        return f"| {self.sends} | {self.where} | {verdict} | {remark} |"


def fixed(content: bytes, then: Behaviour = lambda _: None) -> Behaviour:
    """Answer everything with the same bytes, and close the connection, or do something else with it."""

    def behave(visit: Visit) -> Answer:
        visit.wire.send(content)
        return then(visit)

    return behave


def forever(head: bytes, content: bytes) -> Behaviour:
    """Answer without end."""
    return fixed(head, lambda visit: visit.wire.forever(content))


def dripping(head: bytes, content: bytes) -> Behaviour:
    """Answer with one byte every fifth of a second."""
    return fixed(head, lambda visit: visit.wire.drip(content, 0.2))


def silent_after(content: bytes) -> Behaviour:
    """Begin a response, and keep the connection open."""
    return fixed(content, silent)


def resetting(visit: Visit) -> Answer:
    """Reset the connection."""
    reset(visit.wire)
    return None


def closing(_: Visit) -> Answer:
    """Close the connection."""
    raise HangUp


def unfinished(visit: Visit) -> Answer:
    """Send bodies of more than 4 kB in chunks, without the last chunk."""
    whole = visit.honest()
    head, _, content = whole.partition(b"\r\n\r\n")
    if len(content) <= 4096:
        return whole
    chunked = b"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n"
    visit.wire.send(head.partition(b"\r\n")[0] + chunked % (len(content), content))
    raise HangUp


def locking() -> Behaviour:
    """Reject every request on a connection that has shown a wrong key before."""
    locked: WeakSet[Wire] = WeakSet()

    def behave(visit: Visit) -> Answer:
        if visit.caught.headers.get("authorization") != f"Bearer {visit.shop.key}":
            locked.add(visit.wire)
        return error(401) if visit.wire in locked else visit.honest()

    return behave


@functools.cache
def bomb(layers: int) -> bytes:
    """64 MB of spaces, compressed once or more."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(b" " * MB) for _ in range(64)) + packer.flush()
    for _ in range(layers - 1):
        again = zlib.compressobj(9, zlib.DEFLATED, 31)
        packed = again.compress(packed) + again.flush()
    return packed


def bombing(layers: int) -> Behaviour:
    """Answer with a little that unpacks to a lot."""

    def behave(visit: Visit) -> Answer:
        encoding = ", ".join(["gzip"] * layers).encode()
        visit.wire.send(
            OK + b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (encoding, len(bomb(layers)))
        )
        visit.wire.send(bomb(layers))
        return None

    return behave


def body(content: bytes) -> Behaviour:
    """Answer everything with 200 and a body."""
    return lambda _: response(200, content)


def varied(size: int) -> Behaviour:
    """Answer with bodies that are large, valid JSON, and each different."""

    def behave(visit: Visit) -> Answer:
        return response(200, f'[{visit.caught.number},"{chr(0x1F43E) * (size // 4)}"]'.encode())

    return behave


def each_animal(change: bytes, to: bytes) -> Behaviour:
    """Answer as the shop does, with something replaced in the body."""

    def behave(visit: Visit) -> Answer:
        head, _, honest = visit.honest().partition(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        return response(status, honest.replace(change, to))

    return behave


def with_length(adjust: str) -> Behaviour:
    """Answer as the shop does, with a wrong Content-Length."""

    def behave(visit: Visit) -> Answer:
        head, _, honest = visit.honest().partition(b"\r\n\r\n")
        lines = [each for each in head.split(b"\r\n") if not each.lower().startswith(b"content-length")]
        given = adjust.format(shorter=len(honest) // 2, longer=len(honest) + 10, right=len(honest))
        visit.wire.send(b"\r\n".join([*lines, *given.encode().split(b"\n")]) + b"\r\n\r\n" + honest)
        return None

    return behave


def several(behaviour: Behaviour) -> Behaviour:
    """A behaviour for lists of more than one animal; the honest shop answers everything else."""

    def behave(visit: Visit) -> Answer:
        several = visit.caught.operation == "list" and visit.honest().count(b'"categoryId"') > 1
        return behaviour(visit) if several else visit.honest()

    return behave


def doubled(visit: Visit) -> Answer:
    """Answer as the shop does, and then send the same answer again."""
    return visit.honest() * 2


def nasty(visit: Visit) -> Answer:
    """Put escapes and markup into every field of every body and every header."""
    head, _, honest = visit.honest().partition(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1])
    flat = NASTY.replace("\r", " ").replace("\n", " ")
    headers = (("Server", flat), ("X-Powered-By", flat), ("Location", flat), ("WWW-Authenticate", flat))
    if status >= 400:
        return response(status, {"code": NASTY, "message": NASTY, "status": NASTY}, *headers, reason=flat)
    value = json.loads(honest)
    animals = value if isinstance(value, list) else [value]
    for animal in animals:
        animal |= {"name": NASTY + animal["name"], "status": NASTY, NASTY: NASTY}
    return response(status, value, *headers, reason=flat)


def whole_catalogue(visit: Visit) -> Answer:
    """List a large catalogue without regard to the limit."""
    with visit.shop.lock:
        if len(visit.shop.animals) < 5000:
            visit.shop.animals += [
                {"id": at, "name": f"Animal {at}", "categoryId": 1, "status": "sold"}
                for at in range(2000, 7000)
            ]
        return response(200, visit.shop.animals)


def redirecting(to: str) -> Behaviour:
    """Redirect everything."""
    return lambda _: response(302, b"", ("Location", to))


BODY_CLAUSES = frozenset({"http.json.body", "list.array", "animal.object", "error.body"})
# A parser may limit the depth, so a body that it does not read may still be JSON.
UNREAD = BODY_CLAUSES - {"http.json.body"}
FIELDS = frozenset({"animal.id", "animal.name", "animal.category-id"})
# Every request is answered with 200, including those that the interface refuses.
ALWAYS_200 = frozenset({"get.unknown", "get.malformed"})

CASES = (
    HostileCase("endless-body", "an endless body", "listPets", only("list", behaviour=forever(CHUNKED, b"10000\r\n" + b" " * 65536 + b"\r\n")), 3, says="more than 1048576 bytes", timeout_s=4.0),
    HostileCase("endless-body-get", "an endless body", "getPet", only("get", behaviour=forever(OK + b"\r\n", b" " * 65536)), 3, untold="get.found"),
    HostileCase("gigabyte", "a body of a gigabyte, with Content-Length", "everything", forever(OK + b"Content-Length: 1073741824\r\n\r\n", b"[" * 65536), 3, says="more than 1048576 bytes", timeout_s=4.0),
    HostileCase("bomb", "64 MB in 64 kB of gzip", "getPet", only("get", behaviour=bombing(1)), 3, untold="get.found"),
    HostileCase("bomb-in-bomb", "64 MB in 300 bytes, gzip in gzip", "everything", bombing(2), 3, says="more than 1048576 bytes", timeout_s=4.0),
    HostileCase("large-bodies", "bodies of 500 kB, each different", "getPet", only("get", behaviour=varied(500_000)), 1, frozenset({"animal.object", "get.requested", "get.unknown", "get.malformed", "get.found"})),
    HostileCase("medium-bodies", "bodies of 100 kB, each different", "getPet", only("get", behaviour=varied(100_000)), 1, frozenset({"animal.object", "get.requested", "get.unknown", "get.malformed", "get.found"})),
    HostileCase("many-values", "100 kB of empty arrays", "listPets", only("list", behaviour=body(b"[" + b"[]," * 33_000 + b"[]]")), 1, frozenset({"animal.object", "list.answer", "list.limit.maximum", "list.limit.respected", "list.limit.default"})),
    HostileCase("catalogue", "5,000 animals, regardless of the limit", "listPets", only("list", behaviour=whole_catalogue), 1, frozenset({"list.limit.maximum", "list.limit.respected", "list.limit.default", "list.status.filter", "list.combined"})),
    HostileCase("more-values", "800 kB of empty arrays", "everything", body(b"[" + b"[]," * 260_000 + b"[]]"), 3, says="more than 100000 JSON values"),
    HostileCase("slow-body", "one byte every 0.2 s in the body", "everything", dripping(OK + b"Content-Length: 1000\r\n\r\n", b" " * 1000), 3, says="no complete response", timeout_s=0.4),
    HostileCase("slow-body-get", "one byte every 0.2 s in the body", "getPet", only("get", behaviour=dripping(OK + b"Content-Length: 1000\r\n\r\n", b" " * 1000)), 3, untold="get.found", timeout_s=0.4),
    HostileCase("slow-head", "one byte every 0.2 s in the headers", "everything", dripping(OK, b"X-Slow: " + b"s" * 1000), 3, says="no complete response", timeout_s=0.4),
    HostileCase("slow-status", "one byte every 0.2 s in the status line", "everything", dripping(b"", OK), 3, says="no complete response", timeout_s=0.4),
    HostileCase("slow-chunk", "one byte every 0.2 s in the chunk size", "everything", dripping(CHUNKED, b"0" * 1000), 3, says="no complete response", timeout_s=0.4),
    HostileCase("silence", "nothing", "everything", silent, 3, says="no complete response", timeout_s=0.4),
    HostileCase("endless-headers", "endless headers", "everything", forever(OK, b"X-More: more\r\n"), 3, says="more than 1000 headers"),
    HostileCase("endless-header", "one endless header", "everything", forever(OK + b"X-Long: ", b"x" * 65536), 3, says="headers of more than 65536 bytes"),
    HostileCase("no-header", "a line among the headers without a colon", "everything", fixed(b"HTTP/1.1 200 OK\r\nThis is no header\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"), 3, says="a line among the headers that is no header"),
    HostileCase("endless-trailers-get", "endless trailers", "getPet", only("get", behaviour=forever(CHUNKED + b"2\r\n[]\r\n0\r\n", b"X-More: more\r\n" * 100)), 3, untold="get.found"),
    HostileCase("transfer-coding", "Transfer-Encoding: gzip, chunked, without an end", "everything", silent_after(OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n"), 3, says="Transfer-Encoding"),
    HostileCase("large-headers", "6 MB of headers", "everything", fixed(OK + b"".join(b"X-%d: %s\r\n" % (at, b"x" * 65000) for at in range(90)) + b"\r\n[]"), 3, says="headers of more than 65536 bytes"),
    HostileCase("endless-continue", "endless 100 Continue responses", "everything", forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), 3, says="interim responses"),
    HostileCase("endless-processing", "endless 102 Processing responses", "getPet", only("get", behaviour=forever(b"", b"HTTP/1.1 102 Processing\r\n\r\n" * 100)), 3, untold="get.found"),
    HostileCase("endless-trailers", "endless trailers", "everything", forever(CHUNKED + b"2\r\n[]\r\n0\r\n", b"X-More: more\r\n" * 100), 3, says="more than 100 headers"),
    HostileCase("endless-chunk-size", "an endless chunk size", "everything", forever(CHUNKED, b"1" * 65536), 3, says="more than 65536 bytes"),
    HostileCase("bad-chunk-size", "a negative chunk size", "everything", fixed(CHUNKED + b"-5\r\n[]\r\n0\r\n\r\n"), 3, says="a chunk whose size is no number"),
    HostileCase("odd-chunk-size", "a chunk size as in a program: 0x2", "everything", fixed(CHUNKED + b"0x2\r\n[]\r\n0\r\n\r\n"), 3, says="a chunk whose size is no number"),
    HostileCase("long-chunk", "a chunk longer than its size", "everything", fixed(CHUNKED + b"2\r\n[]xx0\r\n\r\n"), 3, says="longer than its size"),
    HostileCase("not-utf-8", "invalid UTF-8", "listPets, getPet", only(*READING, behaviour=each_animal(b"Animal", b"\xff\xfe\xc0\x80")), 1, BODY_CLAUSES),
    HostileCase("not-json", "invalid JSON", "listPets, getPet", only(*READING, behaviour=each_animal(b"}", b"},}")), 1, BODY_CLAUSES),
    HostileCase("deep", "JSON 100,000 deep", "listPets, getPet", only(*READING, behaviour=body(b"[" * 100_000 + b"]" * 100_000)), 1, UNREAD | ALWAYS_200),
    HostileCase("deep-objects", "objects 20,000 deep", "listPets, getPet", only(*READING, behaviour=body(b'{"a":' * 20_000 + b"1" + b"}" * 20_000)), 1, UNREAD | ALWAYS_200 | FIELDS),
    HostileCase("million-digits", "an id of a million digits", "getPet", only("get", behaviour=each_animal(b'"id": ', b'"id": 1' + b"0" * 999_999)), 1, frozenset({"animal.id", "get.requested"})),
    HostileCase("million-digit-exponent", "an id of 1e999999999", "listPets", only("list", behaviour=each_animal(b'"categoryId"', b'"id": 1e999999999, "categoryId"')), 1, frozenset({"animal.id"})),
    HostileCase("nan", "NaN as an id", "listPets, getPet", only(*READING, behaviour=each_animal(b'"categoryId": ', b'"categoryId": NaN, "was": ')), 1, BODY_CLAUSES),
    HostileCase("duplicate-keys", "a duplicate property, the second one invalid", "listPets, getPet", only(*READING, behaviour=each_animal(b'"categoryId"', b'"id": "twice", "categoryId"')), 1, frozenset({"animal.id", "get.requested"})),
    HostileCase("length-short", "Content-Length too short", "getPet", only("get", behaviour=with_length("Content-Length: {shorter}")), 1, BODY_CLAUSES),
    HostileCase("length-long", "Content-Length too long", "everything", with_length("Content-Length: {longer}"), 3, says="ends before the announced length"),
    HostileCase("length-long-lists", "Content-Length too long", "lists of several animals", several(with_length("Content-Length: {longer}")), 1, frozenset({"http.answer"})),
    HostileCase("lengths", "two Content-Lengths, the first one correct", "everything", with_length("Content-Length: {right}\nContent-Length: {longer}"), 3, says="Content-Length"),
    HostileCase("length-negative", "a negative Content-Length", "getPet", only("get", behaviour=with_length("Content-Length: -{right}")), 1, frozenset({"http.answer"})),
    HostileCase("length-absurd", "a Content-Length of 5,000 digits", "everything", fixed(OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n[]"), 3, says="Content-Length"),
    HostileCase("garbage", "bytes that are not HTTP", "everything", fixed(b"SSH-2.0-OpenSSH_9.6\r\n\x00\x01\x02"), 3, says="does not speak HTTP"),
    HostileCase("garbage-get", "bytes that are not HTTP", "getPet", only("get", behaviour=fixed(bytes(range(256)) * 10)), 1, frozenset({"http.answer"})),
    HostileCase("status-0", "the status code 99", "everything", fixed(b"HTTP/1.1 99 Odd\r\n\r\n[]"), 3, says="a status line that HTTP does not allow"),
    HostileCase("status-1000", "the status code 1000", "everything", fixed(b"HTTP/1.1 1000 Odd\r\n\r\n[]"), 3, says="a status line that HTTP does not allow"),
    HostileCase("status-plus", "a status code with a sign", "everything", fixed(b"HTTP/1.1 +200 OK\r\nContent-Length: 2\r\n\r\n[]"), 3, says="a status line with the status code"),
    HostileCase("status-return", "lines that end with a carriage return alone", "everything", fixed(b"HTTP/1.1 200 OK\rContent-Length: 2\r\r[]"), 3, says="a status line with a carriage return alone"),
    HostileCase("encoding-lie", "Content-Encoding: gzip, but an uncompressed body", "getPet", only("get", behaviour=fixed(OK + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]")), 1, frozenset({"http.answer"})),
    HostileCase("encoding-lie-all", "Content-Encoding: gzip, but an uncompressed body", "everything", fixed(OK + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]"), 3, says="cannot be read: a body that is not encoded as its Content-Encoding says"),
    HostileCase("encoding-unknown", "Content-Encoding: utf-8", "everything", fixed(OK + b"Content-Encoding: utf-8\r\nContent-Length: 2\r\n\r\n[]"), 3, says="cannot be read: 200 with Content-Encoding: utf-8, which was not asked for"),
    HostileCase("encoding-unknown-get", "Content-Encoding: compress, but an uncompressed body", "getPet", only("get", behaviour=fixed(OK + b"Content-Encoding: compress\r\nContent-Length: 2\r\n\r\n[]")), 1, frozenset({"http.answer"})),
    HostileCase("unfinished", "bodies of more than 4 kB without their last chunk", "everything", unfinished, 1, frozenset({"http.answer"})),
    HostileCase("unasked", "a second response behind the first", "getPet", only("get", behaviour=doubled), 1, frozenset({"http.answer"})),
    HostileCase("key-locked", "401 to the key on connections that have shown a wrong one", "everything", locking(), 1, frozenset({"auth.key.valid"})),
    HostileCase("many-encodings", "a thousand content codings", "everything", fixed(OK + b"Content-Encoding: " + b"gzip, " * 1000 + b"gzip\r\n\r\n[]"), 3, says="cannot be read: a Content-Encoding with more codings, one over the other, than the 5 that are undone"),
    HostileCase("closing", "a closed connection", "everything", closing, 3, says="closes the connection"),
    HostileCase("resetting", "a connection reset", "everything", resetting, 3, says="accepts the connection and resets it"),
    HostileCase("resetting-get", "a connection reset", "getPet", only("get", behaviour=resetting), 1, frozenset({"http.answer"})),
    HostileCase("nasty", "terminal escapes, markup and script in every field and header", "everything", nasty, 1, frozenset({"animal.status", "error.status", "error.status.matches", "create.name.exact", "create.status.exact", "create.status.accepted", "get.requested", "list.status.filter", "list.combined", "list.complete", "animal.id.stable"})),
    HostileCase("redirect-circle", "a redirect to itself", "getPet", only("get", behaviour=redirecting("/v1/pets/1")), 1, frozenset({"get.found", "get.unknown", "get.malformed"})),
)  # fmt: skip
