"""Running a deployment on a socket."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import json
import logging
import os
import re
import secrets
import signal
import socket
import sqlite3
import string
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.logging import AccessFormatter
from uvicorn.protocols.http.h11_impl import H11Protocol

from animal_conformance.reference import catalogue
from animal_conformance.reference.app import application
from animal_conformance.reference.changes import Change, Steps
from animal_conformance.reference.errors import DeploymentError
from animal_conformance.reference.model import Settings
from animal_conformance.reference.service import Service
from animal_conformance.reference.workbench import animals_of, workbench

_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - it is not bound here
_KEY_LENGTH = 32
# What may not be in a path: what would end it, what no address may contain, and a % that encodes nothing.
_NO_PATH = re.compile(r"[?#\s\\]|%(?![0-9A-Fa-f]{2})")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Address:
    """What a client needs to know: the base address and the API key."""

    base_url: str
    api_key: str


@dataclass(frozen=True, slots=True)
class Options:
    """What to run; settings that are ``None`` are those of the variants, or else the defaults."""

    host: str = "127.0.0.1"
    port: int = 0
    base_path: str | None = None
    api_key: str | None = None
    catalogue: int | None = None
    database: str | None = None
    faults: Sequence[str] = ()
    variants: Sequence[str] = ()
    null: str | None = None
    animals: str | None = None
    exit_with_stdin: bool = False
    log: bool = False


def run(options: Options, announce: Callable[[Address], None]) -> None:
    """Serve until SIGINT, SIGTERM or the end of standard input.

    :param announce: called once, as soon as requests are answered.
    :raises DeploymentError: if it cannot start.
    """
    changes = load(options)
    service = assemble(options, changes)
    settings, key = service.settings, service.key
    with _listen(options.host, options.port) as listener:
        _open(service, options.animals)
        host, port = listener.getsockname()[:2]
        # If it listens at every address of the machine, the listener's own address is not one that a client can use.
        host = _LOOPBACK.get(host, f"[{host}]" if ":" in host else host)
        address = Address(f"http://{host}:{port}{settings.base_path}", key)
        config = uvicorn.Config(
            workbench(stack(service, changes, options.null), service),
            http=_protocol(changes),
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=options.log,
            server_header=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=1,
        )
        if options.log:
            _log_requests()
        server = _Server(config, lambda: announce(address), service)
        if options.exit_with_stdin:
            threading.Thread(target=_end_with_stdin, daemon=True).start()
        server.run([listener])
    service.store.close()


def assemble(options: Options, changes: Sequence[Steps]) -> Service:
    """Return the service that the options ask for, with the changes applied; its store is not yet open."""
    settings = _settings(options, changes)
    service = Service(settings, settings.api_key or new_key())
    for change in changes:
        change.apply(service)
    return service


def stack(service: Service, changes: Sequence[Steps], null: str | None = None) -> ASGIApp:
    """Return the ASGI application: the service, or a null server, within the middleware of the changes."""
    app = application(service)
    if null is not None:
        from animal_conformance.reference.nulls import NULLS  # noqa: PLC0415 - only when needed: start-up is quick

        (app,) = _pick("null server", [null], NULLS)
    return reduce(
        lambda inner, change: change.middleware(inner) if change.middleware else inner, changes, app
    )


def load(options: Options) -> list[Steps]:
    """Make the steps of the variants and faults that the options name, in the order in which they apply."""
    changes: list[Change] = []
    # Faults come last, so that they break the deployment as the variants have altered it.
    if options.variants:
        from animal_conformance.reference.variants import VARIANTS  # noqa: PLC0415 - only when needed: start-up is quick

        changes += _pick("variant", options.variants, VARIANTS)
    if options.faults:
        from animal_conformance.reference.faults import FAULTS  # noqa: PLC0415 - only when needed: start-up is quick

        changes += _pick("fault", options.faults, FAULTS)
    return [change.make() for change in changes]


def _pick(kind: str, names: Iterable[str], known: Mapping[str, T]) -> list[T]:
    """Return the entries with these names.

    :raises DeploymentError: for an unknown name.
    """
    picked = []
    for name in names:
        if name not in known:
            raise DeploymentError(f"There is no {kind} named {name!r}: {_hint(name, list(known))}")
        picked.append(known[name])
    return picked


def _hint(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    close = close or [candidate for candidate in known if name and name in candidate][:3]
    return f"did you mean {' or '.join(close)}?" if close else "see serve --list."


def new_key() -> str:
    """A key with every kind of character that a token of RFC 6750 may have: letters of both cases, digits and signs."""
    alphabet = string.ascii_letters + string.digits
    while True:
        key = "".join(secrets.choice(alphabet) for _ in range(_KEY_LENGTH))
        if any(map(str.islower, key)) and any(map(str.isupper, key)) and any(map(str.isdigit, key)):
            return f"{key[:8]}.{key[8:24]}_{key[24:]}"


def _settings(options: Options, changes: Sequence[Steps]) -> Settings:
    settings = reduce(lambda old, change: replace(old, **change.settings), changes, Settings())
    names = ("base_path", "api_key", "catalogue", "database")
    explicit = {name: value for name in names if (value := getattr(options, name)) is not None}
    settings = replace(settings, **explicit)
    if settings.api_key is not None and not all("!" <= letter <= "~" for letter in settings.api_key):
        raise DeploymentError("The API key must consist of visible ASCII characters, without spaces.")
    if not settings.base_path.isprintable() or _NO_PATH.search(settings.base_path):
        raise DeploymentError(
            f"The base path {settings.base_path!r} is not the path of an address: name one such as /v1."
        )
    path = "/" + settings.base_path.strip("/") if settings.base_path.strip("/") else ""
    return replace(settings, base_path=path)


def _open(service: Service, file: str | None) -> None:
    animals = animals_of(file, service) if file else list(catalogue.animals(service.settings.catalogue))
    try:
        service.open(animals)
    except sqlite3.Error as error:
        raise DeploymentError(
            f"Cannot use the database {service.settings.database} ({error}): "
            "name a writable file, or omit --database."
        ) from None


def _log_requests() -> None:
    """Print a line for each request on standard error: when, what, and the status of the response."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        AccessFormatter("%(asctime)s %(request_line)s %(status_code)s", "%H:%M:%S", use_colors=False)
    )
    logger = logging.getLogger("uvicorn.access")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, _ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # asyncio switches Nagle's algorithm off only for a socket that names its protocol.
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    # An address whose labels are empty or too long is not even looked up.
    except (socket.gaierror, UnicodeError):
        raise DeploymentError(f"Unknown host {ascii(host)[1:-1]}: name an address of this machine.") from None
    except OSError as error:
        raise DeploymentError(
            f"Cannot listen on port {port} of {host} ({os.strerror(error.errno or 0)}): "
            "choose another --port, or 0 for any free port."
        ) from None
    return listener


def _protocol(changes: Sequence[Steps]) -> type[asyncio.Protocol]:
    wraps = [change.transport for change in changes if change.transport]

    class Protocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(reduce(lambda inner, wrap: wrap(inner), wraps, transport))

        def send_400_response(self, msg: str) -> None:
            # Errors, first paragraph: all error responses carry the Error body, including the answer to
            # bytes that are not HTTP.
            body = json.dumps({"code": "bad_request", "message": msg, "status": 400}).encode()
            head = (
                "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
            self.transport.close()

    return Protocol


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, announce: Callable[[], None], service: Service) -> None:
        super().__init__(config)
        self._announce = announce
        self._service = service
        self._background: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._background = [asyncio.create_task(work()) for work in self._service.background]
        self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._background:
            task.cancel()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn's own method raises the signal again after shutting down, which gives a traceback or a status of -15.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield


def _end_with_stdin() -> None:
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 1024):
            pass
    # Nobody is left who waits for an answer, and a database in a file is complete after every statement.
    os._exit(0)
