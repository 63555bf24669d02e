"""Variants in carriage and conduct: HTTP, the address and the key, load, and others at work.

Of the transport the interface document says only that bodies are application/json, and of keys that
they are bearer tokens; it leaves open rate limits ('Limits') and transitions of the status.
"""

from __future__ import annotations

import math
import re
import time
from email.utils import formatdate

from starlette.middleware.gzip import GZipMiddleware

from animal_conformance.reference.changes import Steps, own, varies
from animal_conformance.reference.mechanisms import conduct
from animal_conformance.reference.mechanisms.answers import answered, error, with_headers
from animal_conformance.reference.mechanisms.common import always, setting, sometimes
from animal_conformance.reference.mechanisms.connections import chunked, delayed, rewritten
from animal_conformance.reference.mechanisms.listed import behind

_CLOSING = answered(lambda reply, _: with_headers(reply, Connection="close")).respond
_IN_1_0 = rewritten(lambda data: data.replace(b"HTTP/1.1 ", b"HTTP/1.0 ", 1)).transport


VARIANTS = [
    *varies(own).rows(
        ("http.chunked", "Bodies are sent in chunks.", Steps(middleware=chunked)),
        ("http.gzip", "Bodies are compressed.",
         Steps(middleware=lambda app: GZipMiddleware(app, minimum_size=1, compresslevel=1))),
        ("http.gzip-chunked", "Bodies are compressed and sent in chunks.",
         Steps(middleware=lambda app: chunked(GZipMiddleware(app, minimum_size=1, compresslevel=1)))),
        ("http.1.0", "Responses use HTTP/1.0, and the connection is closed after each.",
         Steps(respond=_CLOSING, transport=_IN_1_0)),
        ("http.closing", "The connection is closed after each response.", Steps(respond=_CLOSING)),
        ("http.reason", "Status lines have no reason phrase.",
         rewritten(lambda data: re.sub(rb"\A(HTTP/\S+ [0-9]+ )[^\r]*", rb"\1", data)))),
    *varies(delayed).rows(
        ("latency.steady", "Responses take 20 ms.", 0.02, 0.02),
        ("latency.jitter", "Responses take up to 60 ms.", 0, 0.06)),
    *varies(setting).rows(
        ("path.deep", "The base address has a long path.", "base_path", "/api/shop/animals/eu-1/v1"),
        ("path.odd",
         "The base address contains percent-encoded characters.", "base_path", "/caf%C3%A9%20%26%20co/v1"),
        ("key.punctuation", "The key consists mostly of the punctuation that tokens may contain.",
         "api_key", "-._~+/" * 6 + "aZ9=="),
        ("key.shell", "The key consists mostly of characters that are special in a shell.",
         "api_key", "!#$%&'*`|^\"\\(){}[]<>?;:@,aZ9"),
        ("key.digits", "The key consists of digits only.", "api_key", "31415926535897932384626433832795"),
        ("key.lower-case", "The key is hexadecimal.", "api_key", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
        ("key.short", "The key has six characters.", "api_key", "s3cR3t"),
        ("key.single", "The key has one character.", "api_key", "k"),
        ("key.long", "The key has 2,000 characters.", "api_key", "aB3dEf7h" * 250)),
    *varies(conduct.limited).rows(
        ("rate.seconds", "Above 40 requests per second, requests return 429 with Retry-After in seconds.",
         lambda when: str(max(1, math.ceil(when - time.time())))),
        ("rate.date", "Above 40 requests per second, requests return 429 with Retry-After as a date.",
         lambda when: formatdate(when, usegmt=True))),
    *varies(sometimes).rows(
        ("unavailable", "Every 150th request returns 503 with Retry-After in seconds.",
         150, Steps(respond=lambda *_: error(503, "Back in a second.", Retry_After="1")), always)),
    *varies(behind).rows(
        ("lag.list", "Lists lag 300 ms behind creations.", 0.3, "lists"),
        ("lag.get", "getPet lags 300 ms behind creations.", 0.3, "gets"),
        ("lag.replica", "Lists and getPet lag 300 ms behind creations.", 0.3, "lists gets")),
    *varies(own).rows(
        ("others.creating", "Another client creates 20 animals per second.",
         Steps(background=conduct.visiting)),
        ("others.moving", "The status of an animal changes two seconds after its creation.",
         Steps(insert=conduct.moving))),
]  # fmt: skip
