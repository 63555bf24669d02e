"""Voices: how real clients speak, as a table. The interface promises the same to each of them.

A voice is what its client sends when nobody tells it otherwise: its headers, how it frames a body, and how it writes
JSON. Left out are the versions of a client that differ in nothing else, and what the suite's own connection cannot do:
``compress`` and ``zstd`` among the encodings, and the offer to switch to HTTP/2.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from animal_conformance.drive.strategies import STATUSES
from animal_conformance.judge import experiments
from animal_conformance.record.exchange import Exchange, Headers
from animal_conformance.send.transport import PHONE

IF_NONE_MATCH: Final = "If-None-Match"
IF_MODIFIED_SINCE: Final = "If-Modified-Since"
JSON: Final[Headers] = (("Content-Type", "application/json"),)
# A parameter that changes nothing: RFC 8259 section 11.
WITH_CHARSET: Final[Headers] = (("Content-Type", "application/json; charset=utf-8"),)
CHUNKED: Final[Headers] = (("Transfer-Encoding", "chunked"),)
EXPECTING: Final[Headers] = (("Expect", "100-continue"),)


def compact(payload: Any) -> bytes:
    """JSON without white space, as JavaScript, Go, Java and .NET write it."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def spaced(payload: Any) -> bytes:
    """JSON with spaces and with every character outside ASCII escaped, as Python writes it."""
    return json.dumps(payload).encode()


def escaped(payload: Any) -> bytes:
    """JSON without white space and with slashes escaped as well, as PHP writes it."""
    return json.dumps(payload, separators=(",", ":")).replace("/", r"\/").encode()


def indented(payload: Any) -> bytes:
    """JSON over several lines, with the fields in alphabetical order, as people keep it in files, which end with a newline."""
    text = json.dumps(payload, indent=2, sort_keys=True, ensure_ascii=False)
    return f"{text}\n".encode("utf-8", "surrogatepass")


def piped(payload: Any) -> bytes:
    """JSON without white space between two newlines, as a here-document of a shell has it."""
    return b"\n" + compact(payload) + b"\n"


@dataclass(frozen=True)
class Voice:
    """A client: ``headers`` go with every request, ``of_bodies`` with those that have a body.

    ``source`` says where it is documented, ``write`` makes a body of a payload.
    """

    name: str
    source: str
    headers: Headers
    of_bodies: Headers = JSON
    write: Callable[[Any], bytes] = compact

    def headers_for(self, body: bytes | None) -> Headers:
        """The headers of a request with this body, or none."""
        return self.headers if body is None else (*self.headers, *self.of_bodies)


def _of(agent: str, accept: str = "*/*", *, encodings: str = "", **others: str) -> Headers:
    """Headers: those of the three that most clients send that are not empty, and others."""
    named = {"User-Agent": agent, "Accept": accept, "Accept-Encoding": encodings}
    further = ((name.replace("_", "-"), value) for name, value in others.items())
    return (*((name, value) for name, value in named.items() if value), *further)


CHROME: Final = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/131.0.0.0 Safari/537.36"
)
SAFARI: Final = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)
FIREFOX: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"
EVERY_ENCODING: Final = "gzip, deflate, br"

VOICES: Final[tuple[Voice, ...]] = (
    Voice("axios",
        "axios 0.21, lib/defaults.js: headers.common.Accept, and a charset without a space before it; lib/adapters/http.js",
        _of("axios/0.21.4", "application/json, text/plain, */*"),
        (("Content-Type", "application/json;charset=utf-8"),)),
    Voice("Go's net/http", "net/http, transport.go: User-Agent and Accept-Encoding: gzip; no Accept",
        _of("Go-http-client/1.1", "", encodings="gzip")),
    Voice("a browser's fetch",
        "Fetch standard, HTTP-network-or-cache fetch; Fetch Metadata Request Headers; User-Agent Client Hints; RFC 9218",
        _of(CHROME, encodings=EVERY_ENCODING, Accept_Language="en-US,en;q=0.9", Origin="https://shop.example",
            Referer="https://shop.example/", Sec_Fetch_Dest="empty", Sec_Fetch_Mode="cors",
            Sec_Fetch_Site="cross-site",
            sec_ch_ua='"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
            sec_ch_ua_mobile="?0", sec_ch_ua_platform='"Windows"', priority="u=1, i", DNT="1")),
    Voice(".NET's PostAsJsonAsync",
        "https://github.com/dotnet/runtime/issues/49357: a JsonContent is sent in chunks",
        (), (*WITH_CHARSET, *CHUNKED)),
    Voice("curl", "curl, lib/http.c: Accept: */*; curl(1): --data-binary keeps newlines",
        _of("curl/8.11.0"), JSON, piped),
    Voice("PHP's curl",
        "https://github.com/facebook/hhvm/issues/1384: libcurl expects a 100 before a larger body",
        _of(""), (*JSON, *EXPECTING), escaped),
    Voice("jQuery", "https://api.jquery.com/jQuery.ajax: accepts.json, X-Requested-With",
        _of(FIREFOX, "application/json, text/javascript, */*; q=0.01", encodings=EVERY_ENCODING,
            X_Requested_With="XMLHttpRequest", Accept_Language="de-DE,de;q=0.8,en-US;q=0.5,en;q=0.3"),
        (("Content-Type", "application/json; charset=UTF-8"),)),
    Voice("OkHttp", "OkHttp, BridgeInterceptor.kt; RequestBody.kt adds the charset",
        _of("okhttp/4.12.0", "", encodings="gzip", Connection="Keep-Alive"), WITH_CHARSET),
    Voice("Java's URLConnection", "JDK 8, sun.net.www.protocol.http.HttpURLConnection.acceptString",
        _of("Java/1.8.0_432", "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
            Connection="keep-alive")),
    Voice("Spring's RestTemplate",
        "Spring Framework, AbstractJackson2HttpMessageConverter: application/json, application/*+json",
        _of("Apache-HttpClient/5.4 (Java/21)", "application/json, application/*+json", encodings="gzip")),
    Voice("Python's urllib", "urllib.request: Python-urllib, Accept-Encoding: identity, Connection: close",
        _of("Python-urllib/3.12", "", encodings="identity", Connection="close"), JSON, spaced),
    Voice("Python's requests", "requests, utils.py: default_headers; a Session whose headers name the type",
        # A session may send the type of its bodies with every request.
        (*_of("python-requests/2.32.3", encodings="gzip, deflate", Connection="keep-alive"), *JSON), (), spaced),
    Voice("Ruby's Net::HTTP", "Net::HTTPGenericRequest#initialize: Accept-Encoding with weights",
        _of("Ruby", encodings="gzip;q=1.0,deflate;q=0.6,identity;q=0.3")),
    Voice("Perl's LWP", "LWP::Protocol::http: TE, Connection",
        _of("libwww-perl/6.77", "", Connection="TE", TE="deflate,gzip;q=0.3")),
    Voice(PHONE, "URLSession, CFNetwork",
        _of("Store/7 CFNetwork/1568.200.51 Darwin/24.1.0", encodings=EVERY_ENCODING,
            Accept_Language="tr-TR,tr;q=0.9")),
    Voice("Dart", "dart:io, HttpClient; package http adds the charset",
        (("user-agent", "Dart/3.5 (dart:io)"), ("accept-encoding", "gzip")),
        (("content-type", "application/json; charset=utf-8"),)),
    Voice("Node's fetch", "undici, lib/web/fetch/index.js; WordPress' api-fetch accepts JSON first, and the rest with a weight",
        (("accept", "application/json, */*;q=0.1"), ("accept-language", "*"), ("sec-fetch-mode", "cors"), ("user-agent", "node"),
            ("accept-encoding", "gzip, deflate"))),
    Voice("Postman", "https://learning.postman.com/docs/sending-requests/requests: generated headers",
        _of("PostmanRuntime/7.43.0", encodings=EVERY_ENCODING, Cache_Control="no-cache"), JSON, indented),
    Voice("behind a proxy",
        "RFC 7239; nginx, proxy_set_header; Azure Application Gateway adds the port; W3C Trace Context; RFC 5646: a script; "
        "https://devcenter.heroku.com/articles/http-request-id: a request id need be no UUID",
        _of(SAFARI, "application/json", encodings="gzip", Accept_Language="zh-Hans-CN,zh-Hans;q=0.9",
            X_Forwarded_For="203.0.113.9:52114, 198.51.100.7", X_Forwarded_Proto="https", X_Real_IP="203.0.113.9", Via="1.1 proxy.example",
            Forwarded='for="[2001:db8::9]:4711";proto=https',
            X_Request_ID="checkout-web-7-00004711",
            traceparent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")),
    Voice("a browser with cookies",
        "RFC 6265 section 5.4; cookies of analytics and consent; Firefox 132, network.http.accept.default; it names no language",
        _of(FIREFOX, "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", encodings=EVERY_ENCODING,
            Cookie=f"_ga=GA1.2.1107391452.1730000000; consent={'%7B%22a%22%3A1%7D' * 40}; "
                "theme=dark; sessionid=")),
    Voice("a cache", "RFC 9111 section 4.3: a stored response is validated",
        _of("Varnish", "application/json", encodings="gzip", Accept_Language="ar-EG,ar;q=0.9,fa;q=0.7",
            If_Modified_Since="Sat, 01 Jan 2000 00:00:00 GMT", Cache_Control="max-age=0")),
)  # fmt: skip
"""The voices that a standard run speaks in, the most telling ones first."""

# One client in this many lists by a status.
FILTERED: Final = 6


def filter_of(voice: Voice) -> str | None:
    """The status by which a client lists; ``None`` for most of them.

    The phone's language has another capital for the i in pending.
    """
    if voice.name == PHONE:
        return "pending"
    turn, rest = divmod(VOICES.index(voice), FILTERED)
    return None if rest else STATUSES[turn % len(STATUSES)]


IN_CHUNKS: Final = next(each for each in VOICES if CHUNKED[0] in each.of_bodies)
"""A voice that does not say how long its bodies are."""

CLAIMS: Final[tuple[Voice, ...]] = (
    Voice("a client that claims to be local", "headers in which proxies tell a server who asked them",
        _of("", X_Forwarded_For="127.0.0.1", X_Real_IP="127.0.0.1", True_Client_IP="127.0.0.1",
            X_Forwarded_Host="localhost")),
    Voice("a client of the internal network", "address ranges for private networks, RFC 1918",
        _of("", X_Forwarded_For="10.0.0.7", X_Real_IP="10.0.0.7", X_Client_IP="10.0.0.7")),
    Voice("a client that claims a user", "headers with which proxies tell a server who was authenticated",
        _of("", X_Remote_User="admin", X_Forwarded_User="admin", X_Auth_Request_User="admin",
            Cookie="session=1; sessionid=1; token=1; logged_in=1")),
)  # fmt: skip
"""Voices that say who asks, in headers that servers have mistaken for a key; sent without a key."""

DISGUISES: Final[tuple[Voice, ...]] = (
    *CLAIMS,
    Voice("a client that asks for another path", "Symfony, CVE-2018-14773: X-Original-URL, X-Rewrite-URL",
        _of("", X_Original_URL="/health", X_Rewrite_URL="/health")),
    Voice("a client that claims another method", "Rack::MethodOverride, express method-override",
        _of("", X_HTTP_Method_Override="OPTIONS", X_Method_Override="OPTIONS")),
    Voice("a client that claims to be middleware",
        "https://github.com/advisories/GHSA-f82v-jwr5-mffw: Next.js, CVE-2025-29927",
        _of("", x_middleware_subrequest=":".join(["middleware"] * 5))),
    Voice("a health probe", "Kubernetes, prober: User-Agent kube-probe", _of("kube-probe/1.31")),
    Voice("a preflight", "Fetch standard, CORS-preflight fetch",
        _of("", Origin="https://shop.example", Access_Control_Request_Method="GET")),
)  # fmt: skip
"""The voices of ``CLAIMS``, and others that servers have let in without a key."""

ESCAPING: Final = Voice(
    experiments.ESCAPING,
    "RFC 8259 section 7: any character may be escaped, beyond 16 bits as a surrogate pair, the digits in either case",
    (("Accept", "application/json"),),
    write=lambda payload: escaped(payload).replace(b"00e9", b"00E9"),
)
"""A voice that differs from the suite itself in nothing else: the value of its bodies is the same."""

BY_NAME: Final = {each.name: each for each in (*VOICES, *DISGUISES, ESCAPING)}

UNKNOWN_QUERIES: Final = (
    "debug=1",
    "api_key=anything&access_token=anything",
    "limit=3&_method=OPTIONS",
    "limit=3&format=json&callback=show",
)
"""Parameters that the interface does not have, and that other servers take for a key, a method or a mode."""

# Some are the same address by RFC 3986; others are to lenient routers, which may ask for no key there.
SPELLINGS: Final = (
    "//pets", "/pets/", "/PETS", "/./pets", "/%70ets", "/static/../pets", "/pets;v=1", "/pets%2F",
)  # fmt: skip
"""The path of the list, written in other ways."""

CREATED_AT: Final = (*SPELLINGS[:2], f"/pets?{UNKNOWN_QUERIES[0]}")
"""Where animals are created, written in other ways: few, as each may leave one behind."""


def kept_of(exchange: Exchange) -> list[Headers]:
    """What clients keep of a response and send with the next request: nothing, its cookies, or its validators."""
    response = exchange.response
    if response is None:
        return []
    kept = {"Cookie": cookies_of(exchange), **validators_of(exchange)}
    accept = ("Accept", "application/json")
    return [(accept,), *((accept, (name, value)) for name, value in kept.items() if value)]


def cookies_of(exchange: Exchange) -> str:
    """The cookies that a response sets, as a client sends them back (RFC 6265 section 5.4); empty for none."""
    headers = exchange.response.headers if exchange.response is not None else ()
    return "; ".join(value.split(";")[0] for name, value in headers if name.lower() == "set-cookie")


def validators_of(exchange: Exchange) -> dict[str, str]:
    """The headers that ask whether a response has changed, with its validators (RFC 9110 section 13.1)."""
    response = exchange.response
    if response is None:
        return {}
    given = {IF_NONE_MATCH: response.header("etag"), IF_MODIFIED_SINCE: response.header("last-modified")}
    return {name: value for name, value in given.items() if value}
