"""One request, guarded: no redirects followed, no cookies kept, time and size bounded for any response."""

from __future__ import annotations

import http.client
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import requests
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from requests.utils import select_proxy
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import (
    HTTPError,
    InsecureRequestWarning,
)
from urllib3.util import SKIP_HEADER

from animal_conformance.record.exchange import Failure, FailureKind, Request, Response, headers_of
from animal_conformance.send.body import Bodies, Unread
from animal_conformance.send.budget import SHORTEST_TIMEOUT_S, TIMEOUT_S
from animal_conformance.send.deadlines import Deadlines
from animal_conformance.send.failures import failure_of, too_late
from animal_conformance.send.message import (
    FinalResponse,
    Malformed,
    content_codings,
    received_by_now,
    transfer_codings,
    unasked_response,
    unreadable,
)

OWN_HEADERS: Final = {"User-Agent": "animal-conformance", "Accept-Encoding": "gzip, deflate"}
HTTP_1_0: Final = 10  # http.client's number for it
# The status line of a response is within this many bytes.
PEEKED_BYTES: Final = 1024


@dataclass(frozen=True)
class TransportSettings:
    """How to reach a deployment.

    ``timeout_s`` bounds each exchange as a whole. ``verify`` is a CA bundle's path, or whether certificates
    are verified; ``certificate`` a client certificate (a path, or certificate and key); ``headers`` go with
    every request.
    """

    timeout_s: float = TIMEOUT_S
    verify: str | bool = True
    certificate: str | tuple[str, str] | None = None
    proxies: dict[str, str] = field(default_factory=dict)
    headers: tuple[tuple[str, str], ...] = ()


def _acknowledge_at_once(sock: socket.socket | None) -> None:
    """Spare a server that writes head and body separately the 40 ms that its second write waits for an ACK."""
    quick = getattr(socket, "TCP_QUICKACK", None)  # Linux has it
    if sock is not None and quick is not None:
        with suppress(OSError):  # it was closed in the meantime
            sock.setsockopt(socket.IPPROTO_TCP, quick, 1)


def _await_end(sock: socket.socket, at_most_s: float) -> None:
    """Wait until the server has closed a connection on its side as well: until then, it counts as an open one."""
    deadline_s = time.monotonic() + at_most_s
    with suppress(OSError):  # it was closed in the meantime, or the time is over
        sock.shutdown(socket.SHUT_WR)
        while (left_s := deadline_s - time.monotonic()) > 0:
            sock.settimeout(left_s)
            if not sock.recv(PEEKED_BYTES):
                return


class _Plain(HTTPConnection):
    """A connection that reports its socket to the deadlines, and sends targets as they are."""

    response_class = FinalResponse

    def __init__(self, *arguments: Any, adapter: _Adapter, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._adapter = adapter
        self._last: FinalResponse | None = None
        self._is_reading = False

    @property
    def is_connected(self) -> bool:
        """Whether the next request can be sent on this connection.

        :raises Malformed: if a response is there already, which a client may take for the answer to that request.
        """
        if super().is_connected and not (self._last and self._last.behind):
            return True
        unasked = unasked_response(self._behind())
        if unasked is not None:
            self.close()
            raise Malformed(f"a response that nobody has asked for: {unasked}")
        return False

    def _behind(self) -> bytes:
        """What has arrived after the last response."""
        sock, last = self.sock, self._last
        if sock is None or last is None:
            return b""
        return last.behind or received_by_now(sock, lambda: sock.recv(PEEKED_BYTES))

    def getresponse(self) -> Any:
        """The response to the request that was sent."""
        self._is_reading = True
        try:
            response = super().getresponse()
        finally:
            self._is_reading = False
        last = response._original_response  # noqa: SLF001 - what urllib3 itself asks
        self._last = last if isinstance(last, FinalResponse) else None
        return response

    def close(self) -> None:
        """Close the connection, and let the server close it as well, if it has to.

        Where a response says that it is the last one, its body is still to be read.
        """
        if self.sock is not None and self._adapter.linger_s and not self._is_reading:
            _await_end(self.sock, self._adapter.linger_s)
        super().close()

    def _new_conn(self) -> socket.socket:
        self._last = None
        sock = super()._new_conn()
        self._adapter.deadlines.on(sock)
        return sock

    def request(self, method: str, url: str, *arguments: Any, **options: Any) -> None:
        if self.sock is None:
            self.connect()
        # The socket of TLS, if there is one; the tunnel through a proxy used the socket below it.
        self._adapter.deadlines.on(self.sock)
        super().request(method, self._adapter.target or url, *arguments, **options)
        _acknowledge_at_once(self.sock)


class _Secure(_Plain, HTTPSConnection):
    """The same over TLS."""


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure


class _Adapter(HTTPAdapter):
    """An adapter whose connections know the deadlines, and the target of the next request.

    ``linger_s`` is how long a server has to close a connection on its side as well.
    """

    def __init__(self, deadlines: Deadlines) -> None:
        self.deadlines = deadlines
        self.target = ""
        self.linger_s = 0.0
        # A pool passes arguments that it does not know to its connections.
        self._pools = {
            scheme: partial(pool, adapter=self)
            for scheme, pool in (("http", _PlainPool), ("https", _SecurePool))
        }
        super().__init__(pool_connections=1, pool_maxsize=1, max_retries=0)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = self._pools  # urllib3's own extension point

    def request_url(self, *arguments: Any, **options: Any) -> str:
        """The target of the next request, which is kept, since urllib3 would escape what is not a valid escape."""
        self.target = super().request_url(*arguments, **options)
        return self.target

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        """The pools of a proxy.

        :raises requests.exceptions.InvalidSchema: if it speaks another protocol than HTTP.
        """
        if proxy.lower().startswith("socks"):
            raise requests.exceptions.InvalidSchema(proxy)
        manager = super().proxy_manager_for(proxy, **options)
        manager.pool_classes_by_scheme = self._pools
        return manager

    def close(self) -> None:
        """Close the connections now: urllib3 waits until its pools are collected, and an exception may refer to them."""
        for manager in (self.poolmanager, *self.proxy_manager.values()):
            for key in manager.pools.keys():  # noqa: SIM118 - it does not iterate by itself
                manager.pools[key].close()
        super().close()


# The voice whose bodies come in two segments, as over mobile networks: a server that reads only once gets half of a body.
PHONE: Final = "a phone"
BETWEEN_PIECES_S: Final = 0.01


class Transport:
    """Sends requests, one after another, on one connection; never raises because of a server.

    :param deadlines: ends exchanges that take too long; shared by the transports of a run.
    :param bodies: reads the bodies of responses; shared as well.
    """

    def __init__(self, settings: TransportSettings, deadlines: Deadlines, bodies: Bodies) -> None:
        self._settings = settings
        self._bodies = bodies
        self._deadlines = deadlines
        if settings.verify is False:
            # The user asked for it, and the report says so.
            warnings.simplefilter("ignore", InsecureRequestWarning)
        # Without a session, which would follow redirects and keep cookies.
        self._adapter = _Adapter(self._deadlines)
        self._busy = threading.Lock()

    def linger(self, at_most_s: float) -> None:
        """From now on, let the server close each connection on its side as well, before the next one is opened."""
        self._adapter.linger_s = at_most_s

    def close_idle(self) -> None:
        """Close the connection if it is idle."""
        if self._busy.acquire(blocking=False):
            try:
                self._adapter.close()
            finally:
                self._busy.release()

    def exchange(
        self, base_url: str, request: Request, authorization: str | None, at_most_s: float = float("inf")
    ) -> Response | Failure:
        """Send one request once.

        :param at_most_s: the time limit, if shorter than the timeout.
        :returns: the complete response with its body decoded, or why there is none.
        """
        with self._busy:
            answer = self._exchange(base_url, request, authorization, at_most_s)
            if isinstance(answer, Failure):
                # The server may be about to close the connection, and the next request on it would be lost.
                self._adapter.close()
            return answer

    def _exchange(
        self, base_url: str, request: Request, authorization: str | None, at_most_s: float
    ) -> Response | Failure:
        prepared = self._prepare(base_url, request, authorization)
        timeout_s = max(SHORTEST_TIMEOUT_S, min(self._settings.timeout_s, at_most_s))
        deadline_s = time.monotonic() + timeout_s
        self._deadlines.begin(deadline_s)
        try:
            received = self._adapter.send(
                prepared,
                stream=True,
                timeout=timeout_s,
                verify=self._settings.verify,
                cert=self._settings.certificate,
                proxies=self._settings.proxies,
            )
            try:
                return self._read(received, timeout_s, deadline_s)
            finally:
                received.close()
                if _is_last(received):
                    self._adapter.close()
        except (
            requests.RequestException,
            HTTPError,
            http.client.HTTPException,
            OSError,
            ValueError,
        ) as error:
            proxied = select_proxy(base_url, self._settings.proxies) is not None
            return failure_of(error, timeout_s, expired=self._deadlines.end(), proxied=proxied)
        finally:
            self._deadlines.end()

    def _prepare(
        self, base_url: str, request: Request, authorization: str | None
    ) -> requests.PreparedRequest:
        prepared = requests.PreparedRequest()
        prepared.method = request.method
        prepared.url = base_url + request.target
        prepared.body = request.body
        headers: CaseInsensitiveDict[str] = CaseInsensitiveDict(
            dict.fromkeys(OWN_HEADERS, SKIP_HEADER) if request.voice else OWN_HEADERS
        )
        for name, value in (*self._settings.headers, *request.headers):
            headers[name] = value
        # Clients that write the names of headers in lower case write these in lower case as well.
        lower = bool(request.voice) and any(name.islower() for name, _ in request.headers[:1])
        if authorization is not None:
            headers["authorization" if lower else "Authorization"] = authorization
        # Without Content-Length and with Transfer-Encoding, the body is sent in chunks.
        if (request.body is not None or request.method == "POST") and "Transfer-Encoding" not in headers:
            headers["content-length" if lower else "Content-Length"] = str(len(request.body or b""))
            if request.body and request.voice == PHONE:
                prepared.body = _slowly(request.body)  # type: ignore[assignment] # as below
        elif request.body:
            prepared.body = _in_two(request.body)  # type: ignore[assignment] # requests takes pieces as well
        prepared.headers = headers
        return prepared

    def _read(self, received: requests.Response, timeout_s: float, deadline_s: float) -> Response | Failure:
        raw = received.raw
        headers = headers_of(raw.headers.items())
        if problem := unreadable(headers):
            return Failure(FailureKind.MALFORMED, f"{received.status_code} with {problem}")
        if codings := transfer_codings(headers):
            asked = received.request.headers.get("TE")
            kind = FailureKind.TOO_LARGE if asked else FailureKind.MALFORMED
            return Failure(kind, f"{received.status_code} with Transfer-Encoding: {codings}")
        body = self._bodies.read(raw, deadline_s)
        if self._deadlines.end() or time.monotonic() > deadline_s:
            return too_late(timeout_s)
        if isinstance(body, Unread):
            return Failure(body.kind, f"{received.status_code} with {body.what}")
        if body.content and (codings := content_codings(headers)):
            # A client that obeys the header cannot read the body, whatever it is; for an empty body the header does nothing.
            return Failure(
                FailureKind.MALFORMED,
                f"{received.status_code} with Content-Encoding: {codings}, which was not asked for",
            )
        if raw._fp is None or raw._fp.isclosed():  # noqa: SLF001 - what urllib3 itself asks
            raw.release_conn()
        return Response(
            status=received.status_code,
            headers=headers,
            body=body.content,
            elements=body.elements,
            reason=str(raw.reason or ""),
            version="1.0" if raw.version == HTTP_1_0 else "1.1",
        )


def _is_last(received: requests.Response) -> bool:
    """Whether nothing more may be sent on the connection of a response, whatever its server does.

    A server that refuses chunks may have read none of them, and would take them for the next request; and a client that has
    asked for its connection to be closed sends no more on it (RFC 9112 section 9.6).
    """
    sent = received.request.headers
    unread = not received.ok and "Transfer-Encoding" in sent
    return unread or "close" in str(sent.get("Connection", "")).lower()


def _slowly(body: bytes) -> Iterator[bytes]:
    """Two pieces of a body, the second after a moment."""
    first, *rest = _in_two(body)
    yield first
    for piece in rest:
        time.sleep(BETWEEN_PIECES_S)
        yield piece


def _in_two(body: bytes) -> list[bytes]:
    """Two pieces of a body, divided within its first character outside ASCII, or else in the middle."""
    at = next((at for at, byte in enumerate(body, 1) if byte >= 0x80), len(body) // 2)
    return [each for each in (body[:at], body[at:]) if each]
