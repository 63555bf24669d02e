"""Variants that lawfully treat clients differently, by what they accept, send or claim, and are strict about fields."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms.answers import as_text, error, instead
from animal_conformance.reference.mechanisms.clients import by_worker, says, tagged, turned_away
from animal_conformance.reference.mechanisms.common import always, refusing
from animal_conformance.reference.mechanisms.crowds import answering
from animal_conformance.reference.model import Reply

VARIANTS = [
    # What the document leaves open about how a request is put
    *varies(
        ("open.406-language", "A client that accepts languages, and not English, gets 406.",
         turned_away(406, lambda call: says(call, "accept-language")
             and not any(each in call.headers["accept-language"] for each in ("en", "*")))),
        ("open.411-chunked", "A body without a length gets 411.",
         turned_away(411, lambda call: says(call, "transfer-encoding"))),
        ("open.403-origin", "A page of another site gets 403, as by Spring's CORS filter.",
         instead(lambda call: says(call, "origin"),
             lambda: as_text(Reply(403), "Invalid CORS request", "text/plain"))),
        ("open.tagged", "Responses have validators, and answer to them.", Steps(respond=tagged)),
        ("path.redirected", "A path with two slashes is redirected.",
         instead(lambda call: call.path == "//pets",
             lambda: as_text(Reply(308, None, {"Location": "/v1/pets"}), "", ""))),
        ("worker.order", "Each process lists in an order of its own.",
         by_worker(2, always, Steps(list_pets=lambda before, call: replace(reply := before(call),
             value=reply.value[::-1])))),
        ("crowd.429", "More than eight requests at once get 429.",
         answering(lambda others, _: (error(429, "Too many at once.", "too_many_requests", Retry_After="1")
             if others > 8 else None), held_s=0.02)),
        ("names.no-words", "Names that are words of programs are refused.",
         refusing("insert", 400, lambda payload, _: payload.name in {"null", "true", "undefined", "NaN",
             "[]"}))),
]  # fmt: skip
