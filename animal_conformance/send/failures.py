"""Why there is no response: the failure behind what the libraries raise."""

from __future__ import annotations

from typing import Final

import requests
from urllib3.exceptions import (
    DecodeError,
    IncompleteRead,
    LocationValueError,
    ProtocolError,
    ReadTimeoutError,
)

from animal_conformance.record.exchange import Failure, FailureKind
from animal_conformance.send.message import Malformed

REFUSALS: Final = ("NewConnectionError", "NameResolutionError", "ProxyError", "ConnectTimeoutError")
GARBAGE: Final = (
    "BadStatusLine", "IncompleteRead", "InvalidChunk", "InvalidHeader", "DecodeError", "UnknownProtocol", "Expecting",
)  # fmt: skip
NO_PROXY: Final = "its address cannot be used"
# What is raised if the address of a proxy is not an address, or is one of another protocol.
OF_NO_PROXY: Final = (
    requests.exceptions.InvalidProxyURL,
    requests.exceptions.InvalidSchema,
    LocationValueError,
)
# What the messages of the libraries do not say.
TOO_MANY_CODINGS: Final = "Too many content encodings"
IN_WORDS: Final = {
    TOO_MANY_CODINGS: "a Content-Encoding with more codings, one over the other, than the 5 that are undone",
    "DecodeError": "a body that is not encoded as its Content-Encoding says",
    "IncompleteRead": "a connection that ends before the announced length of the body",
    "BadStatusLine": "a status line that HTTP does not allow",
}


def failure_of(error: Exception, timeout_s: float, *, expired: bool, proxied: bool = False) -> Failure:
    """The failure behind an exception of the libraries.

    :param expired: whether the time of the exchange is over.
    :param proxied: whether it went through a proxy, whose address may be the one that cannot be read.
    """
    innermost = _innermost(error)
    root = f"{type(innermost).__name__}: {innermost}"[:300]
    detail = next((words for sign, words in IN_WORDS.items() if sign in f"{error!r}"), root)
    if expired or isinstance(error, (requests.Timeout, ReadTimeoutError)):
        return too_late(timeout_s)
    if proxied and isinstance(innermost, OF_NO_PROXY):
        # Their messages may quote a password.
        return Failure(FailureKind.REFUSED, f"the proxy: {NO_PROXY}")
    if isinstance(error, requests.exceptions.ProxyError):
        return Failure(FailureKind.REFUSED, f"the proxy: {detail}")
    if isinstance(error, requests.exceptions.SSLError):
        return Failure(FailureKind.TLS, detail)
    if isinstance(innermost, Malformed):
        return Failure(FailureKind.MALFORMED, str(innermost)[:300])
    text = f"{error!r}"
    limited = "more than" in text and ("headers" in text or "interim" in text)
    if limited or "LineTooLong" in text or TOO_MANY_CODINGS in text:
        return Failure(FailureKind.TOO_LARGE, detail)
    if any(sign in text for sign in REFUSALS):
        # Whatever resets a connection is listening, even if it resets it so soon that connecting fails.
        reset = isinstance(innermost, (ConnectionResetError, ConnectionAbortedError))
        return Failure(FailureKind.RESET if reset else FailureKind.REFUSED, detail)
    if isinstance(error, (DecodeError, IncompleteRead)) or any(sign in text for sign in GARBAGE):
        return Failure(FailureKind.MALFORMED, detail)
    if isinstance(error, (requests.ConnectionError, ProtocolError, OSError)):
        return Failure(FailureKind.RESET, detail)
    return Failure(FailureKind.MALFORMED, detail)


def too_late(timeout_s: float) -> Failure:
    """The failure of an exchange that took longer than it may."""
    return Failure(FailureKind.TIMEOUT, f"no complete response within {timeout_s:g} s")


def _innermost(error: BaseException) -> BaseException:
    """The innermost error, whose message says what happened."""
    seen: BaseException = error
    while True:
        inner = (
            seen.__cause__
            or seen.__context__
            or next(
                (each for each in seen.args if isinstance(each, BaseException)), getattr(seen, "reason", None)
            )
        )
        if not isinstance(inner, BaseException) or inner is seen:
            return seen
        seen = inner
