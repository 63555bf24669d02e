"""Variants that lawfully treat clients differently, by what they accept, send or claim, and are strict about fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from animal_conformance.reference.changes import Before, Steps, varies
from animal_conformance.reference.mechanisms.answers import answered, as_text, error, instead, with_headers
from animal_conformance.reference.mechanisms.clients import by_worker, says, tagged, turned_away, with_brotli
from animal_conformance.reference.mechanisms.common import always, refuse, refusing
from animal_conformance.reference.mechanisms.crowds import answering
from animal_conformance.reference.model import Call, Json, Payload, Reply

_SECOND = 25

_CORS = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "Authorization"}


def _in_their_language(reply: Reply, call: Call) -> Reply | None:
    if reply.succeeded or not isinstance(reply.value, dict) or not says(call, "accept-language", "de"):
        return None
    translated = replace(reply, value={**reply.value, "message": "Das geht so nicht."})
    return with_headers(translated, Content_Language="de", Vary="Accept-Language")


def _of_frameworks(reply: Reply, _: Call) -> Reply:
    return with_headers(
        reply,
        Set_Cookie="session=6f1d; HttpOnly; SameSite=Lax",
        Vary="Origin, Accept-Encoding, Cookie",
        Cache_Control="no-store",
    )


def _shared(reply: Reply, call: Call) -> Reply | None:
    return (
        with_headers(reply, Access_Control_Allow_Origin=call.headers["origin"])
        if "origin" in call.headers
        else None
    )


def _redirected(when: str, to: str) -> Steps:
    return instead(
        lambda call: call.path == when, lambda: as_text(Reply(308, None, {"Location": to}), "", "")
    )


def _page(status: int, text: str, **headers: str) -> Reply:
    return as_text(Reply(status, None, headers), text, "text/plain")


def _unwelcome(when: Any) -> Steps:
    return refusing("insert", 400, lambda payload, _: when(payload.name))


def _one_case(before: Before[[Json], Payload], value: Json) -> Payload:
    if isinstance(value, dict) and len({key.lower() for key in value}) < len(value):
        refuse(400, "A field is given twice.")
    return before(value)


def _caseless(before: Before[[bytes], Json], body: bytes) -> Json:
    """Fields match without regard to case, and the last one wins."""
    value = before(body)
    known = {"name": "name", "categoryid": "categoryId", "status": "status"}
    if not isinstance(value, dict):
        return value
    return {known.get(key.lower(), key): item for key, item in value.items()}


VARIANTS = [
    # What the document leaves open about how a request is put
    *varies(
        ("open.406-language", "A client that accepts languages, and not English, gets 406.",
         turned_away(406, lambda call: says(call, "accept-language") and not any(
             each in call.headers["accept-language"] for each in ("en", "*")))),
        ("open.411-chunked", "A body without a length gets 411.",
         turned_away(411, lambda call: says(call, "transfer-encoding"))),
        ("open.417-expect", "A client that expects a 100 gets 417.",
         turned_away(417, lambda call: says(call, "expect"))),
        ("open.403-origin", "A page of another site gets 403, as by Spring's CORS filter.",
         instead(lambda call: says(call, "origin"), lambda: _page(403, "Invalid CORS request"))),
        ("open.rewritten", "X-Original-URL is followed to a page that is public.",
         instead(lambda call: says(call, "x-original-url"), lambda: _page(200, "ok"))),
        ("open.tagged", "Responses have validators, and answer to them.", tagged(lambda value: value)),
        ("open.query-refused",
         "Parameters that the interface does not have get 400, with the key or without.",
         instead(lambda call: any(name not in {"limit", "status"} for name, _ in call.query),
             lambda: error(400, "Unknown parameter."))),
        ("open.brotli", "Bodies are compressed for clients that take Brotli.", Steps(respond=with_brotli)),
        ("open.language", "Messages are in the client's language.", answered(_in_their_language)),
        ("path.redirected", "A path with two slashes is redirected.", _redirected("//pets", "/v1/pets")),
        ("worker.order", "Each process lists in an order of its own.",
         by_worker(2, always, Steps(
             list_pets=lambda before, call: replace(reply := before(call), value=reply.value[::-1])))),
        ("crowd.429", "More than eight requests at once get 429.",
         answering(lambda others, _: (
             error(429, "Too many at once.", "too_many_requests", Retry_After="1") if others > 8 else None
         ), held_s=0.02)),
        ("names.no-words", "Names that are words of programs are refused.",
         _unwelcome(lambda name: name in {"null", "true", "undefined", "NaN", "[]"})),
        ("fields.caseless", "Fields that differ in case alone are refused.", Steps(read_payload=_one_case)),
        ("fields.any-case", "A field in another case replaces the one that is there (golang/go#14750).",
         Steps(decode=_caseless))),
]  # fmt: skip
