"""Lawful ways in which real servers differ, on the wire and in what they read, over the repaired program.

ODDITY names one of ODDITIES. None of them breaks the interface.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
import zlib
from http.server import HTTPServer, ThreadingHTTPServer
from typing import Any, ClassVar

from selftests.frameworks.stdlib_repaired import API_KEY, Handler, Refused, ids, pets


class EarlyHints(Handler):
    """Sends 103 before each answer (RFC 9110 section 15.2: a client parses interim responses that it did not ask for)."""

    def reply(self, status: int, value: object, headers: dict[str, str]) -> None:
        """An interim answer, and the answer."""
        self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
        super().reply(status, value, headers)


class Continuing(Handler):
    """Sends 100 before each answer to a creation, unasked."""

    def reply(self, status: int, value: object, headers: dict[str, str]) -> None:
        """An interim answer, and the answer."""
        if self.command == "POST":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        super().reply(status, value, headers)


class _Raw(Handler):
    """Writes answers by hand."""

    def reply(self, status: int, value: object, headers: dict[str, str]) -> None:
        """One write: head and body."""
        content = b"" if self.command == "HEAD" else self.text(value)
        self.wfile.write(self.head(status, headers, content) + self.framed(content))

    def text(self, value: object) -> bytes:
        """The JSON of a value."""
        return json.dumps(value).encode()

    def head(self, status: int, headers: dict[str, str], content: bytes) -> bytes:
        """Status line and headers."""
        lines = [f"{name}: {text}" for name, text in {**self.framing(content), **headers}.items()]
        return "\r\n".join([f"HTTP/1.1 {status} ", *lines, "", ""]).encode()

    def framing(self, content: bytes, /) -> dict[str, str]:
        """The headers that say what the body is."""
        return {"content-type": "application/json", "content-length": str(len(content))}

    def framed(self, content: bytes) -> bytes:
        """The body as it is sent."""
        return content


class UntilClosed(_Raw):
    """Ends each body by closing the connection, without saying how long it is."""

    def framing(self, _: bytes, /) -> dict[str, str]:
        """No length."""
        self.close_connection = True
        return {"Content-Type": "application/json", "Connection": "close"}


class Chunked(_Raw):
    """Sends chunks with extensions, and trailers behind them."""

    def framing(self, _: bytes, /) -> dict[str, str]:
        """Chunks, except for HEAD."""
        return {"Content-Type": "application/json", "Transfer-Encoding": "chunked", "Trailer": "Digest"}

    def framed(self, content: bytes) -> bytes:
        """Chunks of seven bytes."""
        if self.command == "HEAD":
            return b""
        pieces = [content[at : at + 7] for at in range(0, len(content), 7)]
        return (
            b"".join(b"%x;ext=1\r\n%s\r\n" % (len(each), each) for each in pieces)
            + b"0\r\nDigest: none\r\n\r\n"
        )


class TwoChallenges(_Raw):
    """Gives each challenge a header of its own, Bearer last (RFC 9110 section 5.3)."""

    def head(self, status: int, headers: dict[str, str], content: bytes) -> bytes:
        """The challenges apart."""
        head = super().head(status, headers, content)
        return head.replace(
            b"WWW-Authenticate: Bearer", b'WWW-Authenticate: Negotiate\r\nWWW-Authenticate: Bearer realm="x"'
        )


class OddJson(_Raw):
    """Writes JSON with white space around it, escaped property names, and small integers with exponents."""

    def text(self, value: object) -> bytes:
        """The same values, written differently."""
        text = json.dumps(value, separators=(" , ", " : "))
        text = text.replace('"name" :', '"\\u006Eame" :')
        return (
            b"\r\n\t "
            + re.sub(r'"categoryId" : (-?\d)\b(?!\d)', r'"categoryId" : \g<1>E0', text).encode()
            + b" \r\n"
        )


class RepeatedKeys(_Raw):
    """Writes a property twice with the same value, as some serialisers of inheritance do."""

    def text(self, value: object) -> bytes:
        """Each id twice."""
        return re.sub(rb'("id": -?\d+)', rb"\1, \1", json.dumps(value).encode())


class LikeGo(Handler):
    """Reads one JSON value and no further, and property names in any case; paths are cleaned by redirects."""

    def answer(self, body: bytes) -> tuple[int, object, dict[str, str]]:
        """Rewrite the body to what Go's decoder makes of it."""
        path = self.path.partition("?")[0]
        if "//" in path or "/." in path or path.endswith("/pets/"):
            return 301, {"see": "elsewhere"}, {"Location": "/v1/pets"}
        try:
            value, _ = json.JSONDecoder().raw_decode(body.decode(errors="replace").lstrip())
        except (ValueError, RecursionError):
            return super().answer(body)
        if isinstance(value, dict):
            known = {"name": "name", "categoryid": "categoryId", "status": "status"}
            value = {known.get(name.lower(), name): each for name, each in value.items()}
        return super().answer(json.dumps(value).encode())


class LockingOut(Handler):
    """Answers wrong keys with 429 while there were five others within the last second."""

    wrong: ClassVar[list[float]] = []
    lock = threading.Lock()

    def answer(self, body: bytes) -> tuple[int, object, dict[str, str]]:
        """Count refusals."""
        try:
            return super().answer(body)
        except Refused as refused:
            if refused.answer[0] != 401:
                raise
            with self.lock:
                now_s = time.monotonic()
                self.wrong[:] = [each for each in self.wrong if each > now_s - 1]
                if len(self.wrong) >= 5:
                    raise Refused(429, "Too many wrong keys.", **{"Retry-After": "1"}) from None
                self.wrong.append(now_s)
            raise


class ClosingIdle(Handler):
    """Closes a connection after every tenth answer, without announcing it."""

    count = 0

    def reply(self, status: int, value: object, headers: dict[str, str]) -> None:
        """Answer, and perhaps close."""
        super().reply(status, value, headers)
        self.count += 1
        self.close_connection = self.close_connection or self.count % 10 == 0


class ShortNames(Handler):
    """Accepts only short names, of at most as many characters as the first name of a run happens to have."""

    longest = 10

    def answer(self, body: bytes) -> tuple[int, object, dict[str, str]]:
        """Refuse longer names, once everything else is right."""
        status, value, headers = super().answer(body)
        if status == 201 and isinstance(value, dict) and len(value["name"]) > self.longest:
            del pets[value["id"]]
            raise Refused(400, f"A name has at most {self.longest} characters.")
        return status, value, headers


class RememberingAbsence(Handler):
    """Remembers for a second that an id did not exist, and answers 404 meanwhile."""

    absent: ClassVar[dict[str, float]] = {}

    def answer(self, body: bytes) -> tuple[int, object, dict[str, str]]:
        """Answer with 404 from memory, except to requests without the key."""
        remembered = self.absent.get(self.path, 0) > time.monotonic() - 1
        try:
            answered = super().answer(body)
        except Refused as refused:
            if refused.answer[0] == 404 and not remembered:
                self.absent[self.path] = time.monotonic()
            raise
        if remembered:
            raise Refused(404, "No animal has this identifier.")
        return answered


class ReadOnlyKey(Handler):
    """Has issued a key that may read but not write: the interface document shows no scopes."""

    def answer(self, body: bytes) -> tuple[int, object, dict[str, str]]:
        """403 for creations with the key."""
        if self.command == "POST":
            super().answer(b"{}") if not self.authorised else None
            raise Refused(403, "This key may not write.")
        return super().answer(body)

    @property
    def authorised(self) -> bool:
        """Whether the key is there."""
        return self.headers.get("Authorization") == f"Bearer {API_KEY.decode()}"


class Deflated(_Raw):
    """Compresses bodies with deflate, without zlib's header, as some servers always have."""

    def framing(self, content: bytes, /) -> dict[str, str]:
        """The length of what is sent."""
        return {
            "Content-Type": "application/json",
            "Content-Encoding": "deflate",
            "Content-Length": str(len(self.framed(content))),
        }

    def framed(self, content: bytes) -> bytes:
        """Raw deflate."""
        packer = zlib.compressobj(wbits=-15)
        return packer.compress(content) + packer.flush()


class Skipping(Handler):
    """Assigns ids with gaps, as a sequence does that many clients share."""

    def answer(self, body: bytes) -> tuple[int, object, dict[str, str]]:
        """Skip ids."""
        for _ in range(time.monotonic_ns() % 50):
            next(ids)
        return super().answer(body)


class FreshAnswers(_Raw):
    """Gives each animal and each error a field with a value that never comes twice."""

    def text(self, value: object) -> bytes:
        """The value with a new mark each time."""
        marked: Any = value
        mark = {"requestId": time.monotonic_ns()}
        if isinstance(value, list):
            marked = [{**each, **mark} for each in value]
        elif isinstance(value, dict):
            marked = {**mark, **value}
        return json.dumps(marked).encode()


class Assorted(TwoChallenges, OddJson, Chunked, LikeGo):
    """Several oddities that one server can combine."""


class Closing(Continuing, UntilClosed, RepeatedKeys, RememberingAbsence):
    """Several others."""


class Compressed(ClosingIdle, Deflated, FreshAnswers, Skipping):
    """And the rest."""


ODDITIES: dict[str, type[Handler]] = {
    "assorted": Assorted,
    "closing": Closing,
    "compressed": Compressed,
    "early-hints": EarlyHints,
    "locking-out": LockingOut,
    "names-of-ten": ShortNames,
    "one-connection": Handler,
    "read-only-key": ReadOnlyKey,
}
# Servers that serve one connection until it is closed, while all others wait.
ONE_AT_A_TIME = {"one-connection"}

if __name__ == "__main__":
    oddity = os.environ["ODDITY"]
    server = HTTPServer if oddity in ONE_AT_A_TIME else ThreadingHTTPServer
    server(("127.0.0.1", int(os.environ["PORT"])), ODDITIES[oddity]).serve_forever()
