"""A server on raw sockets: honest by default, and as rude as a test wants it to be."""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeAlias
from urllib.parse import parse_qs, urlsplit

KEY = "sK-92/fooBar+Baz=Quux7"
BASE_PATH = "/v1"
STATUSES = ("available", "pending", "sold")
LONGEST_S = 60.0
DEPRECATION = (("Deprecation", "@1735689600"), ("Sunset", "Thu, 05 Dec 2030 00:00:00 GMT"))
REASONS = {200: "OK", 201: "Created", 302: "Found", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}


class HangUp(Exception):  # noqa: N818 - not an error of the test
    """Closes the connection without a further byte."""


@dataclass(frozen=True)
class Caught:
    """A request as the server saw it: ``at_s`` on ``time.monotonic``'s clock, header names in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    at_s: float
    number: int

    @property
    def path(self) -> str:
        """The path without the base path."""
        return urlsplit(self.target).path.removeprefix(BASE_PATH)

    @property
    def operation(self) -> str:
        """``list``, ``create``, ``get`` or ``other``."""
        if self.path == "/pets":
            return {"GET": "list", "POST": "create"}.get(self.method, "other")
        return "get" if self.method == "GET" and re.fullmatch(r"/pets/[^/]+", self.path) else "other"


class Wire:
    """The connection, for behaviours that write to it themselves."""

    def __init__(self, sock: socket.socket, stop: threading.Event) -> None:
        self.sock = sock
        self._stop = stop

    def send(self, content: bytes) -> None:
        """Send bytes as they are."""
        self.sock.sendall(content)

    def forever(self, content: bytes, pause_s: float = 0.0) -> None:
        """Send bytes again and again until the other side closes the connection."""
        end_s = time.monotonic() + LONGEST_S
        while not self._stop.wait(pause_s) if pause_s else not self._stop.is_set():
            if time.monotonic() > end_s:
                return
            self.sock.sendall(content)

    def drip(self, content: bytes, pause_s: float = 1.0) -> None:
        """Send bytes one by one, with a pause before each."""
        for byte in content:
            if self._stop.wait(pause_s):
                return
            self.sock.sendall(bytes([byte]))

    def wait(self, seconds: float) -> None:
        """Send nothing for a while."""
        self._stop.wait(seconds)


Answer: TypeAlias = bytes | None
Behaviour: TypeAlias = Callable[["Visit"], Answer]


def response(
    status: int, body: bytes | object = b"", *headers: tuple[str, str], reason: str | None = None
) -> bytes:
    """A response with the length of its body; a body that is not bytes is sent as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status') if reason is None else reason}"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + content


def error(status: int, message: str = "no") -> bytes:
    """An Error of the interface."""
    headers = {401: [("WWW-Authenticate", "Bearer")], 405: [("Allow", "GET, POST")]}.get(status, [])
    return response(status, {"code": f"e{status}", "message": message, "status": status}, *headers)


@dataclass
class Shop:
    """An animal store that keeps the interface, in memory."""

    key: str = KEY
    animals: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"id": at, "name": f"Animal {at}", "categoryId": 1 + at % 3, "status": STATUSES[at % 3]}
            for at in range(1, 131)
        ]
    )
    created: int = 0
    notes: set[str] = field(default_factory=set)
    """What a behaviour remembers."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, caught: Caught) -> bytes:
        """The lawful answer."""
        if caught.headers.get("authorization") != f"Bearer {self.key}":
            return error(401)
        with self.lock:
            if caught.operation == "list":
                return self._list(parse_qs(urlsplit(caught.target).query, keep_blank_values=True))
            if caught.operation == "create":
                return self._create(caught.body)
            if caught.operation == "get":
                return self._get(caught.path.rpartition("/")[2])
        return error(404 if caught.method in {"GET", "POST"} else 405)

    def _list(self, query: dict[str, list[str]]) -> bytes:
        limit, status = query.get("limit", ["20"])[0], query.get("status", [None])[0]
        if not re.fullmatch(r"[0-9]{1,9}", limit) or not 1 <= int(limit) <= 100:
            return error(400)
        if status is not None and status not in STATUSES:
            return error(400)
        shown = [each for each in self.animals if status in {None, each["status"]}]
        return response(200, shown[: int(limit)])

    def _create(self, body: bytes) -> bytes:
        try:
            payload = json.loads(body)
            name, category_id, status = (
                payload["name"],
                payload["categoryId"],
                payload.get("status", "available"),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return error(400)
        lawful = type(name) is str and type(category_id) is int and -(2**63) <= category_id < 2**63
        if not lawful or status not in STATUSES:
            return error(400)
        self.created += 1
        animal = {"id": 1000 + self.created, "name": name, "categoryId": category_id, "status": status}
        self.animals.insert(0, animal)
        return response(201, animal)

    def _get(self, text: str) -> bytes:
        if not re.fullmatch(r"-?[0-9]{1,19}", text):
            return error(400)
        found = next((each for each in self.animals if each["id"] == int(text)), None)
        return error(404) if found is None else response(200, found, *DEPRECATION)


@dataclass(frozen=True)
class Visit:
    """What a behaviour is given: a request, its connection, and the honest shop."""

    caught: Caught
    wire: Wire
    shop: Shop

    def honest(self) -> bytes:
        """The lawful answer."""
        return self.shop.answer(self.caught)


class RawServer:
    """Context manager: listens on a free port of 127.0.0.1 and answers as its behaviour says.

    ``log`` holds every request that came in, in order.

    :param workers: how many connections are served at a time, each until it is closed or idle for a minute; the
        others wait meanwhile. Default: all of them.
    :param room: how many connections may be open at a time: the first request on a further one gets 503, and with
        ``says_when`` a Retry-After, and the connection is closed.
    :param closes_after_s: how long it takes to close a connection that its client has closed, and to have room again.
    """

    def __init__(
        self,
        behaviour: Behaviour | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        workers: int | None = None,
        room: int | None = None,
        says_when: bool = True,
        closes_after_s: float = 0.0,
    ) -> None:
        self.shop = Shop()
        self.log: list[Caught] = []
        self.connections = 0
        self._behaviour = behaviour or Visit.honest
        self._tls = tls
        self._room = room
        self._closes_after_s = closes_after_s
        self._turn_away = _turn_away if says_when else _turn_away_silently
        self._free = None if workers is None else threading.Semaphore(workers)
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}{BASE_PATH}"
        self._open: set[socket.socket] = set()
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop: refuse new connections, and reset the open ones."""
        self._stop.set()
        # close() alone would leave the thread in accept(), and the port open.
        _shut(self._listener)
        self._thread.join(5)
        with self._lock:
            for sock in self._open:
                _shut(sock)

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.add(sock)
                self.connections += 1
                too_many = self._room is not None and len(self._open) > self._room
            behaviour = self._turn_away if too_many else self._behaviour
            threading.Thread(target=self._work, args=(sock, behaviour), daemon=True).start()

    def _work(self, sock: socket.socket, behaviour: Behaviour) -> None:
        """Serve a connection as soon as a worker is free."""
        if self._free is None:
            self._serve(sock, behaviour)
            return
        with self._free:
            self._serve(sock, behaviour)

    def _serve(self, plain: socket.socket, behaviour: Behaviour) -> None:
        sock = plain
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            plain.settimeout(LONGEST_S)
            if self._tls is not None:
                sock = self._tls.wrap_socket(plain, server_side=True)
                with self._lock:
                    self._open.add(sock)
            wire = Wire(sock, self._stop)
            with sock.makefile("rb") as reader:
                while not self._stop.is_set():
                    caught = self._read(reader)
                    if caught is None:
                        break
                    answer = behaviour(Visit(caught, wire, self.shop))
                    if answer is None:
                        break
                    sock.sendall(answer)
                    # RFC 9112 section 9.6: a server closes the connection after its response.
                    if caught.headers.get("connection", "").lower() == "close":
                        break
        except (OSError, HangUp, ValueError):
            pass  # the other side closed the connection, or the test wanted this
        finally:
            self._stop.wait(self._closes_after_s)
            with self._lock:
                self._open -= {sock, plain}
            _shut(sock)

    def _read(self, reader: Any) -> Caught | None:
        line = reader.readline(70000).decode("latin-1")
        if line.count(" ") != 2:
            return None
        headers = {}
        while (header := reader.readline(70000).decode("latin-1")) not in {"\r\n", ""}:
            name, _, value = header.partition(":")
            headers[name.strip().lower()] = value.strip()
        body = reader.read(int(headers.get("content-length", "0")))
        method, target, _ = line.split(" ")
        with self._lock:
            caught = Caught(method, target, headers, body, time.monotonic(), len(self.log))
            self.log.append(caught)
        return caught


def _turn_away(visit: Visit) -> Answer:
    visit.wire.send(response(503, b"", ("Retry-After", "1"), ("Connection", "close")))
    return None


def _turn_away_silently(visit: Visit) -> Answer:
    visit.wire.send(response(503, b"Service Unavailable", ("Connection", "close")))
    return None


def _shut(sock: socket.socket) -> None:
    with suppress(OSError):  # it is already shut
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


def reset(wire: Wire) -> None:
    """End a connection with a reset instead of closing it."""
    wire.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    wire.sock.close()
    raise HangUp


def silent(visit: Visit) -> Answer:
    """Do not answer at all."""
    visit.wire.wait(LONGEST_S)
    return None


def only(*operations: str, behaviour: Behaviour) -> Behaviour:
    """A behaviour for some operations with the valid key; the honest shop answers everything else."""

    def behave(visit: Visit) -> Answer:
        valid = visit.caught.headers.get("authorization") == f"Bearer {visit.shop.key}"
        return behaviour(visit) if valid and visit.caught.operation in operations else visit.honest()

    return behave


def after(count: int, behaviour: Behaviour) -> Behaviour:
    """A behaviour from the request with this number on; the honest shop answers earlier ones."""
    return lambda visit: visit.honest() if visit.caught.number < count else behaviour(visit)
