"""Variants that lawfully treat clients differently: by what they accept, by how they send a body, by where they come from."""

from __future__ import annotations

from dataclasses import replace

from starlette.middleware.gzip import GZipMiddleware

from animal_conformance.reference.changes import Steps, own, varies
from animal_conformance.reference.mechanisms.answers import answered, as_text, error, instead, with_headers
from animal_conformance.reference.mechanisms.clients import (
    arranged_by_worker,
    crowded,
    dated,
    says,
    tagged,
    turned_away,
    with_brotli,
)
from animal_conformance.reference.mechanisms.common import always
from animal_conformance.reference.mechanisms.credentials import keyless
from animal_conformance.reference.model import Call, Reply

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


VARIANTS = [
    # What the document leaves open about how a request is put
    *varies(turned_away).rows(
        ("open.406-language", "A client that accepts languages, and not English, gets 406.",
         406, lambda call: says(call, "accept-language") and not any(
             each in call.headers["accept-language"] for each in ("en", "*"))),
        ("open.411-chunked", "A body without a length gets 411.",
         411, lambda call: says(call, "transfer-encoding")),
        ("open.400-chunked", "A body in chunks is read as none (unbit/uwsgi#1394).",
         400, lambda call: call.operation == "createPet" and says(call, "transfer-encoding")),
        ("open.501-chunked", "A body in chunks gets 501, as HTTP/1.0 servers know none.",
         501, lambda call: call.operation == "createPet" and says(call, "transfer-encoding")),
        ("open.417-expect", "A client that expects a 100 gets 417.", 417, lambda call: says(call, "expect"))),
    *varies(instead).rows(
        ("open.403-origin", "A page of another site gets 403, as by Spring's CORS filter.",
         lambda call: says(call, "origin"), lambda: _page(403, "Invalid CORS request")),
        ("open.400-host", "A host that nobody serves gets 400, as by Django.",
         lambda call: says(call, "x-forwarded-host"), lambda: _page(400, "Bad Request")),
        ("open.rewritten", "X-Original-URL is followed to a page that is public.",
         lambda call: says(call, "x-original-url"), lambda: _page(200, "ok")),
        ("open.method-override", "A request that claims to be OPTIONS is answered as such.",
         lambda call: says(call, "x-http-method-override"), lambda: as_text(Reply(204, None, _CORS), "", "")),
        ("open.preflight", "A preflight that comes as a GET is answered as one.",
         lambda call: keyless(call) and says(call, "access-control-request-method"),
         lambda: as_text(Reply(200, None, _CORS), "", ""))),
    *varies(own).rows(
        ("open.tagged", "Responses have validators, and answer to them.", tagged),
        ("open.dated", "Lists are dated by the last creation, in whole seconds, and answer to that date.", dated),
        ("open.query-refused", "Parameters that the interface does not have get 400, with the key or without.",
         instead(lambda call: any(name not in {"limit", "status"} for name, _ in call.query),
                 lambda: error(400, "Unknown parameter."))),
        ("open.gzip", "Bodies are compressed for clients that take gzip.",
         Steps(middleware=lambda app: GZipMiddleware(app, minimum_size=200))),
        ("open.brotli", "Bodies are compressed for clients that take Brotli.", with_brotli)),
    *varies(answered).rows(
        ("open.language", "Messages are in the client's language.", _in_their_language),
        ("open.cookies", "Each response begins a session that nothing depends on.", _of_frameworks),
        ("open.shared", "Every site may read the responses.", _shared)),
    # Other spellings of paths
    *varies(_redirected).rows(
        ("path.redirected", "A path with two slashes is redirected.", "//pets", "/v1/pets"),
        ("path.slash-redirected", "A path with a slash at its end is redirected.", "/pets/", "/v1/pets")),
    # Connections, and others beside
    *varies(own).rows(
        ("worker.order", "Each process lists in an order of its own.", arranged_by_worker)),
    *varies(crowded).rows(
        ("crowd.429", "More than eight requests at once get 429.",
         always, lambda others, _: error(429, "Too many at once.", "too_many_requests", Retry_After="1")
         if others > 8 else None)),
]  # fmt: skip
