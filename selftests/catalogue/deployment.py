"""A deployment in this process: requests go into its ASGI application, and come back as exchanges."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from itertools import count, repeat
from typing import Any, Final
from urllib.parse import unquote

import brotli  # type: ignore[import-untyped] # it has no type information
from starlette.types import Message, Scope

from animal_conformance.interface.waiting import GATEWAY_ERRORS
from animal_conformance.record.exchange import Credential, Exchange, Headers, Request, Response, headers_of
from animal_conformance.reference import catalogue
from animal_conformance.reference.changes import Steps
from animal_conformance.reference.server import Options, assemble, stack
from animal_conformance.send.keys import authorizations
from animal_conformance.send.patience import asked_to_wait_s

# The steps of the item that a task sends; without one, each request is an item of its own.
_STEPS: Final[ContextVar[Iterator[tuple[int, int]] | None]] = ContextVar("steps", default=None)
KEY: Final = "aB3dEf7hJ9kLmN2pQr5sTu8vWx1yZ046"
ACCEPT: Final[Headers] = (("Accept", "application/json"),)
# Sent with requests that have a connection of their own.
CLOSING: Final = ("Connection", "close")
APART: Final[Headers] = (*ACCEPT, CLOSING)
LABELLED: Final[Headers] = (*ACCEPT, ("Content-Type", "application/json"))
ON_ITS_WAY_S: Final = 0.001
PATIENCE: Final = 3
LONGEST_S: Final = 60.0

DECOMPRESS: Final[Mapping[str, Callable[[bytes], bytes]]] = {"gzip": gzip.decompress, "br": brotli.decompress}
CONTROL: Final = Request("GET", "/pets?limit=1", ACCEPT)
BETWEEN_ATTEMPTS_S: Final = 0.5


class Deployment:
    """A correct deployment with these changes, or a null server, with a store of its own.

    ``exchanges`` are all exchanges with it, in the order in which they were answered; ``connection`` is the port from
    which requests come.
    """

    def __init__(self, changes: Sequence[Steps] = (), null: str | None = None) -> None:
        options = Options()
        if not any("api_key" in change.settings for change in changes):
            options = Options(api_key=KEY)
        self.service = assemble(options, changes)
        self.service.open(list(catalogue.animals(self.service.settings.catalogue)))
        self.app = stack(self.service, changes, null)
        self.base_url = f"http://127.0.0.1:8000{self.service.settings.base_path}"
        self.authorizations = authorizations(self.service.key)
        self.exchanges: list[Exchange] = []
        self.connection = 50_000
        self._items = 0

    @contextmanager
    def item(self) -> Iterator[None]:
        """A context in which the requests of this task are steps of one item."""
        self._items += 1
        token = _STEPS.set(zip(repeat(self._items), count(1), strict=False))
        yield
        _STEPS.reset(token)

    async def send(
        self,
        method: str,
        target: str,
        body: bytes | None = None,
        *,
        credential: Credential = Credential.VALID,
        form: int = 0,
        headers: Headers | None = None,
        voice: str = "",
    ) -> Exchange:
        """Send a request, and repeat it a few times if the answer asks to wait, or during an outage."""
        if headers is None:
            headers = ACCEPT if body is None else LABELLED
        request = _request(method, target, headers, body, credential, form, voice)
        exchange = await self._exchange(request)
        for _ in range(PATIENCE):
            response = exchange.response
            if response is None:
                break
            if response.header("retry-after") is not None:
                await asyncio.sleep(min(asked_to_wait_s(response), LONGEST_S))
            elif response.status not in GATEWAY_ERRORS or not await self._is_out():
                break
            exchange = await self._exchange(request)
        return exchange

    async def _is_out(self) -> bool:
        """Whether a plain list request is not served either; if so, wait a little."""
        control = await self._exchange(CONTROL)
        if control.response is None or control.response.status not in GATEWAY_ERRORS:
            return False
        await asyncio.sleep(BETWEEN_ATTEMPTS_S)
        return True

    def close(self) -> None:
        """Close the store."""
        self.service.store.close()

    async def _exchange(self, request: Request) -> Exchange:
        steps, clock = _STEPS.get(), asyncio.get_running_loop().time
        if steps is None:
            self._items += 1
        sequence, step = (self._items, 1) if steps is None else next(steps)
        sent_s = clock()
        await asyncio.sleep(ON_ITS_WAY_S)
        response = await self._answer(request)
        exchange = Exchange(
            request, response, sequence=sequence, step=step, sent_s=sent_s, answered_s=clock()
        )
        self.exchanges.append(exchange)
        return exchange

    async def _answer(self, request: Request) -> Response:
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": request.body or b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(self._scope(request), receive, send)
        body = b"".join(part.get("body", b"") for part in sent[1:])
        return _response(
            sent[0]["status"],
            tuple(map(tuple, sent[0]["headers"])),
            b"" if request.method == "HEAD" else body,
        )

    def _scope(self, request: Request) -> Scope:
        authorization = self.authorizations[request.credential][request.form]
        client = ("127.0.0.1", self.connection)
        parts = _parts(request, self.service.settings.base_path, authorization)
        return {**parts, "client": client, "state": {}}


# Most deployments get the same requests and give the same answers, so these are parsed once for all of them.


@lru_cache(maxsize=4096)
def _request(
    method: str,
    target: str,
    headers: Headers,
    body: bytes | None,
    credential: Credential,
    form: int,
    voice: str,
) -> Request:
    return Request(method, target, headers, body, credential, form, voice)


@lru_cache(maxsize=4096)
def _response(status: int, headers: tuple[tuple[bytes, bytes], ...], body: bytes) -> Response:
    head = headers_of((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)
    response = Response(status, head, body)
    decompress = DECOMPRESS.get(response.header("content-encoding") or "")
    if decompress is not None and response.body:
        with suppress(brotli.error):  # a body with a wrong label is left to the tests with a real connection
            return Response(status, head, decompress(body))
    return response


@lru_cache(maxsize=4096)
def _parts(request: Request, base_path: str, authorization: str | None) -> Mapping[str, Any]:
    """The scope of a request, except its client and its state."""
    headers = [(name.lower().encode(), value.encode()) for name, value in request.headers]
    if authorization is not None:
        headers.append((b"authorization", authorization.encode("latin-1")))
    path, _, query = request.target.partition("?")
    raw_path = base_path + path
    return {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "path": unquote(raw_path),
        "raw_path": raw_path.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8000"), *headers],
        "server": ("127.0.0.1", 8000),
        "scheme": "http",
    }
