"""Variants that lawfully treat clients differently by what they accept, send or claim, or are strict about fields."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms.answers import answered, as_text, error, instead, with_headers
from animal_conformance.reference.mechanisms.clients import by_worker, dated, says, tagged, turned_away
from animal_conformance.reference.mechanisms.common import always, refusing
from animal_conformance.reference.mechanisms.crowds import answering
from animal_conformance.reference.model import Reply

_FIELDS = {"name": "name", "categoryid": "categoryId", "status": "status"}

VARIANTS = [
    # What the document leaves open about the form of a request
    *varies(
        ("open.406-language", "A client that accepts languages, and not English, gets 406.",
         turned_away(406, lambda call: says(call, "accept-language")
             and not any(each in call.headers["accept-language"] for each in ("en", "*")))),
        ("open.411-chunked", "A body without a length gets 411.",
         turned_away(411, lambda call: says(call, "transfer-encoding"))),
        ("open.400-chunked", "A body in chunks is taken for a missing one (unbit/uwsgi#1394).",
         turned_away(400, lambda call: call.operation == "createPet" and says(call, "transfer-encoding"))),
        ("open.417-expect", "A client that expects a 100 gets 417.",
         turned_away(417, lambda call: says(call, "expect"))),
        ("open.400-host", "A request for an unknown host gets 400, as by Django.",
         instead(lambda call: says(call, "x-forwarded-host"),
             lambda: as_text(Reply(400), "Bad Request", "text/plain"))),
        ("open.query-refused",
         "Parameters that the interface does not have get 400, with the key or without.",
         instead(lambda call: {name for name, _ in call.query} - {"limit", "status"},
             lambda: error(400, "Unknown parameter."))),
        ("open.shared", "Every site may read the responses.",
         answered(lambda reply, call: with_headers(reply, Access_Control_Allow_Origin=call.headers["origin"])
             if says(call, "origin") else None)),
        ("open.cookies", "Each response begins a session that nothing depends on.",
         answered(lambda reply, _: with_headers(reply, Set_Cookie="session=6f1d; HttpOnly; SameSite=Lax",
             Vary="Origin, Accept-Encoding, Cookie", Cache_Control="no-store"))),
        ("open.dated",
         "Lists are dated by the last creation, in whole seconds, and a client with a list of that date gets 304.", dated),
        ("open.403-origin", "A page of another site gets 403, as by Spring's CORS filter.",
         instead(lambda call: says(call, "origin"),
             lambda: as_text(Reply(403), "Invalid CORS request", "text/plain"))),
        ("open.tagged", "Responses have validators, and a client with the same response gets 304.", Steps(respond=tagged)),
        ("path.redirected", "A path with two slashes is redirected.",
         instead(lambda call: call.path == "//pets",
             lambda: as_text(Reply(308, None, {"Location": "/v1/pets"}), "", ""))),
        ("worker.order", "Each process lists in an order of its own.",
         by_worker(2, always, Steps(list_pets=lambda before, call: replace(reply := before(call),
             value=reply.value[::-1])))),
        ("crowd.429", "More than eight requests at once get 429.",
         answering(lambda others, _: (error(429, "Too many at once.", "too_many_requests", Retry_After="1")
             if others > 8 else None), held_s=0.02)),
        ("names.two-letters", "Names of one letter are refused.",
         refusing("insert", 400, lambda payload, _: len(payload.name) < 2)),
        ("names.no-formulas", "Names that a spreadsheet takes for a formula are refused.",
         refusing("insert", 400, lambda payload, _: payload.name[:1] in {"=", "+", "-", "@"})),
        ("names.no-attacks", "Names that look like an attack are refused.",
         refusing("insert", 400, lambda payload, _: any(each in payload.name for each in (
             "UNION SELECT", "<script", "../..", "${", "DROP TABLE")))),
        ("categories.archived", "No animals are added to category 42 any more.",
         refusing("insert", 400, lambda payload, _: payload.category_id == 42)),
        ("fields.caseless", "Fields that differ only in case are refused.",
         refusing("read_payload", 400, lambda value: isinstance(value, dict)
             and len({key.lower() for key in value}) < len(value))),
        ("fields.any-case", "A field in another case replaces the one that is there (golang/go#14750).",
         Steps(decode=lambda before, body: {
             _FIELDS.get(key.lower(), key): each for key, each in value.items()
         } if isinstance(value := before(body), dict) else value)),
        ("names.no-words", "Names that are words of programs are refused.",
         refusing("insert", 400, lambda payload, _: payload.name in {"null", "true", "undefined", "NaN",
             "[]"}))),
]  # fmt: skip
