"""Variants in transport and operation: HTTP, the address and the key, load, and other clients.

About transport, the interface document says only that bodies are application/json, and about keys only that
they are bearer tokens; it leaves open rate limits ('Limits') and transitions of the status.
"""

from __future__ import annotations

import math
import re
import time
from email.utils import formatdate

from starlette.middleware.gzip import GZipMiddleware

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms import lists
from animal_conformance.reference.mechanisms.answers import answered, error, with_headers
from animal_conformance.reference.mechanisms.changed import changed_after, moved_on
from animal_conformance.reference.mechanisms.common import setting, sometimes
from animal_conformance.reference.mechanisms.connections import chunked, delayed, rewritten
from animal_conformance.reference.mechanisms.crowds import busy, crowd, lagging
from animal_conformance.reference.mechanisms.refused import limited, visiting

_CLOSING = answered(lambda reply, _: with_headers(reply, Connection="close")).respond

_IN_1_0 = rewritten(lambda data: data.replace(b"HTTP/1.1 ", b"HTTP/1.0 ", 1)).transport

VARIANTS = [
    *varies(
        ("http.chunked", "Bodies are sent in chunks.", Steps(middleware=chunked)),
        ("http.gzip", "Bodies are compressed.",
         Steps(middleware=lambda app: GZipMiddleware(app, minimum_size=1, compresslevel=1))),
        ("http.1.0", "Responses use HTTP/1.0, and the connection is closed after each.",
         Steps(respond=_CLOSING, transport=_IN_1_0)),
        ("http.closing", "The connection is closed after each response.", Steps(respond=_CLOSING)),
        ("http.reason", "Status lines have no reason phrase.",
         rewritten(lambda data: re.sub(rb"\A(HTTP/\S+ [0-9]+ )[^\r]*", rb"\1", data))),
        ("latency.jitter", "Responses take up to 60 ms.", Steps(middleware=delayed)),
        ("latency.steady", "Responses take 20 ms.", crowd(Steps(), held_s=0.02)),
        ("path.deep", "The base address has a long path.", setting("base_path", "/api/shop/animals/eu-1/v1")),
        ("path.odd", "The base address contains percent-encoded characters.",
         setting("base_path", "/caf%C3%A9%20%26%20co/v1")),
        ("key.punctuation", "The key consists mostly of the punctuation that tokens may contain.",
         setting("api_key", "-._~+/" * 6 + "aZ9==")),
        ("key.shell", "The key consists mostly of characters that are special in a shell.",
         setting("api_key", "!#$%&'*`|^\"\\(){}[]<>?;:@,aZ9")),
        ("key.digits", "The key consists of digits only.",
         setting("api_key", "31415926535897932384626433832795")),
        ("key.single", "The key has one character.", setting("api_key", "k")),
        ("key.long", "The key has 2,000 characters.", setting("api_key", "aB3dEf7h" * 250)),
        ("rate.seconds", "Above 40 requests per second, requests return 429 with Retry-After in seconds.",
         limited(lambda when: str(max(1, math.ceil(when - time.time()))))),
        ("rate.date", "Above 40 requests per second, requests return 429 with Retry-After as a date.",
         limited(lambda when: formatdate(when, usegmt=True))),
        ("unavailable", "Every 150th request returns 503 with Retry-After in seconds.",
         sometimes(150, Steps(respond=lambda *_: error(503, "Back in a second.", Retry_After="1")))),
        ("lag.list", "Lists lag 300 ms behind creations.", lists.behind(0.3, "lists")),
        ("lag.list.long", "Lists show an animal only after 1.5 s.", lists.behind(1.5, "lists")),
        ("lag.get", "getPet lags 300 ms behind creations.", lists.behind(0.3, "gets")),
        ("lag.replica", "Lists and getPet lag 300 ms behind creations.", lists.behind(0.3, "lists gets")),
        ("others.creating", "Another client creates 20 animals per second.", Steps(background=visiting)),
        ("others.moving", "The status of an animal changes two seconds after its creation.",
         changed_after(2.0, lambda _, animal, __: animal.status != "sold", moved_on))),
    *varies(
        ("load.429", "Above 24 at once, requests return 429 with Retry-After.", busy(429)),
        ("load.503", "Above 24 at once, requests return 503 with Retry-After.", busy(503)),
        ("load.lag", "Readings lag behind creations by up to 4 s: the more requests are under way, the longer.",
         lagging(0.1)),
        ("load.queue", "Responses take 10 ms more for each request that is under way.",
         crowd(Steps(), held_s=0.0, each_s=0.01)),
        under_load=True),
]  # fmt: skip
