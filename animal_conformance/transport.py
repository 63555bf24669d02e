"""One request over requests, guarded: no redirect followed, no cookie kept, time and size bounded whatever comes back."""

from __future__ import annotations

import http.client
import threading
import time
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Final

import requests
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import DecodeError, HTTPError, IncompleteRead, ProtocolError, ReadTimeoutError

from animal_conformance.exchange import Failure, FailureKind, Request, Response

if TYPE_CHECKING:
    import socket

LARGEST_BODY_BYTES: Final = 8 * 1024 * 1024
CHUNK_BYTES: Final = 64 * 1024
CONNECTIONS: Final = 16


@dataclass(frozen=True)
class TransportSettings:
    """How to reach a deployment.

    ``timeout_s`` bounds each exchange as a whole. ``verify`` is a CA bundle's path, or whether certificates
    are verified; ``certificate`` a client certificate (a path, or certificate and key); ``headers`` go with
    every request.
    """

    timeout_s: float = 30.0
    verify: str | bool = True
    certificate: str | tuple[str, str] | None = None
    proxies: dict[str, str] = field(default_factory=dict)
    headers: tuple[tuple[str, str], ...] = ()


class _Watch:
    """Ends exchanges that take too long: a server that sends a byte a second never times out by itself."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._watched: dict[int, tuple[float, socket.socket]] = {}
        self._expired: set[int] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, sock: socket.socket | None) -> None:
        """Watch the calling thread's exchange on a socket."""
        if sock is None:
            return
        with self._lock:
            me = threading.get_ident()
            started = self._watched.get(me, (time.monotonic() + self._timeout_s, sock))[0]
            self._watched[me] = (started, sock)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="exchange-watch", daemon=True)
                self._thread.start()

    def end(self) -> bool:
        """Stop watching the calling thread's exchange, and say whether it took too long."""
        with self._lock:
            me = threading.get_ident()
            self._watched.pop(me, None)
            expired = me in self._expired
            self._expired.discard(me)
            return expired

    def close(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        import socket as socket_module

        while not self._stop.wait(min(0.1, self._timeout_s / 4)):
            with self._lock:
                now_s = time.monotonic()
                for thread, (deadline_s, sock) in list(self._watched.items()):
                    if now_s > deadline_s:
                        self._expired.add(thread)
                        del self._watched[thread]
                        try:
                            sock.shutdown(socket_module.SHUT_RDWR)
                        except OSError:
                            pass  # it was closed in the meantime


class _Adapter(HTTPAdapter):
    """An adapter whose connections tell the watch of their sockets."""

    def __init__(self, watch: _Watch) -> None:
        class Plain(HTTPConnection):
            def request(self, *arguments: Any, **options: Any) -> None:
                if self.sock is None:
                    self.connect()
                watch.begin(self.sock)
                super().request(*arguments, **options)

        class Secure(HTTPSConnection):
            def request(self, *arguments: Any, **options: Any) -> None:
                if self.sock is None:
                    self.connect()
                watch.begin(self.sock)
                super().request(*arguments, **options)

        class PlainPool(HTTPConnectionPool):
            ConnectionCls = Plain

        class SecurePool(HTTPSConnectionPool):
            ConnectionCls = Secure

        self._pools = {"http": PlainPool, "https": SecurePool}
        super().__init__(pool_connections=2, pool_maxsize=CONNECTIONS, max_retries=0)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = self._pools  # type: ignore[attr-defined]  # urllib3's own extension point

    def proxy_manager_for(self, *arguments: Any, **options: Any) -> Any:
        manager = super().proxy_manager_for(*arguments, **options)
        manager.pool_classes_by_scheme = self._pools
        return manager


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """No target: a redirect is an answer like any other, and its body is not read unbounded."""
        return None


class Transport:
    """Sends requests on pooled connections; never raises for what a server does."""

    def __init__(self, settings: TransportSettings) -> None:
        self._settings = settings
        self._watch = _Watch(settings.timeout_s)
        self._session = _Session()
        self._session.trust_env = False
        self._session.proxies = dict(settings.proxies)
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = _Adapter(self._watch)
        self._session.mount("http://", adapter)
        self._session.mount("https://", adapter)

    def close(self) -> None:
        """Close the connections and end the watch."""
        self._session.close()
        self._watch.close()

    def exchange(self, base_url: str, request: Request, authorization: str | None) -> Response | Failure:
        """Send one request once.

        :returns: the response, its body decoded and whole; or why there is none.
        """
        prepared = self._prepare(base_url, request, authorization)
        try:
            received = self._session.send(
                prepared,
                stream=True,
                allow_redirects=False,
                timeout=self._settings.timeout_s,
                verify=self._settings.verify,
                cert=self._settings.certificate,
            )
            try:
                return self._read(received)
            finally:
                received.close()
        except (requests.RequestException, HTTPError, http.client.HTTPException, OSError, ValueError) as error:
            return self._failure(error, expired=self._watch.end())
        finally:
            self._watch.end()

    def _prepare(self, base_url: str, request: Request, authorization: str | None) -> requests.PreparedRequest:
        prepared = requests.PreparedRequest()
        prepared.method = request.method
        prepared.url = base_url + request.target
        prepared.body = request.body
        prepared.hooks = {}
        prepared._cookies = self._session.cookies  # noqa: SLF001  # type: ignore[attr-defined]
        headers: CaseInsensitiveDict[str] = CaseInsensitiveDict({"User-Agent": "animal-conformance", "Accept-Encoding": "gzip, deflate"})
        for name, value in (*self._settings.headers, *request.headers):
            headers[name] = value
        if authorization is not None:
            headers["Authorization"] = authorization
        if request.body is not None or request.method == "POST":
            headers["Content-Length"] = str(len(request.body or b""))
        prepared.headers = headers
        return prepared

    def _read(self, received: requests.Response) -> Response | Failure:
        raw = received.raw
        parts: list[bytes] = []
        size = 0
        while True:
            part = raw.read1(CHUNK_BYTES, decode_content=True)
            if not part:
                if raw.closed or raw._fp is None or raw._fp.isclosed():  # noqa: SLF001 - what urllib3 itself asks
                    break
                continue
            size += len(part)
            parts.append(part)
            if size > LARGEST_BODY_BYTES:
                self._watch.end()
                return Failure(FailureKind.TOO_LARGE, f"{received.status_code} with a body of more than {LARGEST_BODY_BYTES} bytes")
        if self._watch.end():
            return Failure(FailureKind.TIMEOUT, f"not answered whole within {self._settings.timeout_s:g} s")
        raw.release_conn()
        return Response(
            status=received.status_code,
            headers=tuple((str(name), str(value)) for name, value in raw.headers.items()),
            body=b"".join(parts),
            reason=str(raw.reason or ""),
            version="1.0" if raw.version == 10 else "1.1",  # noqa: PLR2004 - http.client's number for HTTP/1.0
        )

    def _failure(self, error: Exception, *, expired: bool) -> Failure:
        detail = _root(error)
        if expired or isinstance(error, (requests.Timeout, ReadTimeoutError)):
            return Failure(FailureKind.TIMEOUT, f"not answered whole within {self._settings.timeout_s:g} s")
        if isinstance(error, requests.exceptions.SSLError):
            return Failure(FailureKind.TLS, detail)
        text = f"{error!r}"
        if "more than" in text and "headers" in text or "LineTooLong" in text:
            return Failure(FailureKind.TOO_LARGE, detail)
        if any(sign in text for sign in ("NewConnectionError", "NameResolutionError", "ProxyError")):
            return Failure(FailureKind.REFUSED, detail)
        if isinstance(error, (DecodeError, IncompleteRead)) or any(
            sign in text for sign in ("BadStatusLine", "IncompleteRead", "InvalidChunk", "InvalidHeader", "DecodeError", "UnknownProtocol", "Expecting")
        ):
            return Failure(FailureKind.MALFORMED, detail)
        if isinstance(error, (requests.ConnectionError, ProtocolError, OSError)):
            return Failure(FailureKind.RESET, detail)
        return Failure(FailureKind.MALFORMED, detail)


def _root(error: BaseException) -> str:
    """The words of the innermost error, which say what happened."""
    seen: BaseException = error
    while True:
        inner = seen.__cause__ or seen.__context__ or next(
            (each for each in seen.args if isinstance(each, BaseException)), getattr(seen, "reason", None)
        )
        if not isinstance(inner, BaseException) or inner is seen:
            break
        seen = inner
    return f"{type(seen).__name__}: {seen}"[:300]
