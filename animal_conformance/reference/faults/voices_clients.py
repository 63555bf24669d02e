"""Faults that only some clients meet: by their headers, by how they send a body, by their connection."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms.answers import answered, as_text, error, with_headers
from animal_conformance.reference.mechanisms.clients import (
    accepts,
    as_at_first,
    by_worker,
    closes,
    crowded,
    in_session,
    is_creation,
    is_plain_list,
    merging,
    not_modified,
    paged,
    says,
    snapshots,
    tagged,
    turned_away,
)
from animal_conformance.reference.mechanisms.common import always, refuse, refusing
from animal_conformance.reference.mechanisms.credentials import keyless, unauthorised
from animal_conformance.reference.model import Call, Reply

_LIST, _CREATE, _CRASH = "list.answer", "create.answer", "http.server-error"
_DOTTED = {"available": "ava\u0130lable", "pending": "pend\u0130ng"}


def _lists_keyless(call: Call) -> bool:
    return keyless(call) and call.operation == "listPets"


def _in_turkish(reply: Reply, call: Call) -> Reply | None:
    if call.operation != "listPets" or not reply.succeeded or not says(call, "accept-language", "tr"):
        return None
    shown = [{**each, "status": _DOTTED.get(each["status"], each["status"])} for each in reply.value]
    return replace(reply, value=shown)


FAULTS = [
    # What is asked for
    *breaks(_LIST, 2, turned_away).rows(
        ("client.406-several", "A client that accepts several types gets 406 (ehrbase/ehrbase#509).",
         406, lambda call: is_plain_list(call) and accepts(call, ",")),
        ("client.406-any", "A client that accepts any type gets 406 (gogs/gogs#1029).",
         406, lambda call: is_plain_list(call) and call.headers.get("accept") == "*/*"),
        ("client.406-silent", "A client without an Accept header gets 406 (json-api/json-api#518).",
         406, lambda call: is_plain_list(call) and "accept" not in call.headers),
        ("client.403-nameless", "A client without a User-Agent is taken for a robot.",
         403, lambda call: is_plain_list(call) and "user-agent" not in call.headers),
        ("client.404-script", "A client with X-Requested-With is routed to another application.",
         404, lambda call: is_plain_list(call) and says(call, "x-requested-with"))),
    *breaks(_LIST, 3, not_modified).rows(
        ("client.304-since", "A client with a list of long ago is told that it is still right.",
         lambda call: not keyless(call) and call.operation == "listPets" and says(call, "if-modified-since"))),
    *breaks("get.found", 3, not_modified).rows(
        ("client.304-animal", "A client that asks whether an animal has changed since long ago is told that it has not.",
         lambda call: not keyless(call) and call.operation == "getPet" and says(call, "if-modified-since"))),
    *breaks(_CREATE, 2, turned_away).rows(
        ("client.forwarded-list", "Two addresses in X-Forwarded-For are taken for one (fiorix/freegeoip#40).",
         400, lambda call: call.operation == "createPet" and says(call, "x-forwarded-for", ","))),
    *breaks((_CREATE, "create.refusal.status"), 2, turned_away).rows(
        ("client.415-charset", "A Content-Type with a charset gets 415 (aws/chalice#306).",
         415, lambda call: call.operation == "createPet" and says(call, "content-type", "charset")),
        ("client.expect-405", "A client that expects a 100 gets 405, whatever it sends.",
         405, lambda call: call.operation == "createPet" and says(call, "expect"))),
    *breaks(_CREATE, 2, refusing).rows(
        ("client.fields-in-order", "The name has to be the first field (dotnet/runtime#72604).",
         "decode", 400, lambda body: not body.startswith(b'{"name"'))),
    *breaks(_CRASH, 2, turned_away).rows(
        ("client.crash.chunked", "A body in chunks has no length, and causes a 500 (dotnet/corefx#26233).",
         500, lambda call: call.operation == "createPet" and says(call, "transfer-encoding")),
        ("client.crash.accept", "The Accept header of Java 8 causes a 500 (sveltejs/kit#4962).",
         500, lambda call: accepts(call, "*;")),
        ("client.crash.cookie", "A cookie with escapes causes a 500 (pulp/pulpcore#6214).",
         500, lambda call: says(call, "cookie", "%7B")),
        ("client.crash.language", "An Accept-Language of * causes a 500.",
         500, lambda call: call.headers.get("accept-language") == "*"),
        ("client.crash.transfer", "A client that offers trailers causes a 500.",
         500, lambda call: says(call, "te"))),
    *breaks(_CRASH, 2, unauthorised).rows(
        ("client.crash.login",
         "A client without a key that does not ask for JSON is sent to a login that there is none of (laravel/framework#25636).",
         lambda call: keyless(call) and not accepts(call, "json"), lambda: error(500, "Route [login] not defined."))),
    *breaks("auth.missing.list", 2, unauthorised).rows(
        ("client.302-login", "A client without a key that does not ask for JSON is redirected (laravel/sanctum#228).",
         lambda call: _lists_keyless(call) and not accepts(call, "json"),
         lambda: as_text(Reply(302, None, {"Location": "/login"}), "", ""))),
    *breaks("error.body", 2, unauthorised).rows(
        ("client.html-401", "A client without a key that does not ask for JSON gets a page (laravel/passport#240).",
         lambda call: _lists_keyless(call) and not accepts(call, "json"),
         lambda: as_text(Reply(401, None, {"WWW-Authenticate": "Bearer"}), "<h1>401</h1>", "text/html"))),
    *breaks("http.json.body", 2, answered).rows(
        ("client.html-browser", "A browser gets a page that shows the list.",
         lambda reply, call: as_text(reply, "<html></html>", "text/html")
         if is_plain_list(call) and reply.succeeded and says(call, "user-agent", "Mozilla") else None)),
    *breaks("http.json.content-type", 2, answered).rows(
        ("client.text-javascript", "A client that accepts scripts gets JSON as one.",
         lambda reply, call: with_headers(reply, Content_Type="text/javascript")
         if is_plain_list(call) and reply.succeeded and accepts(call, "javascript") else None)),
    *breaks("http.answer", 2, answered).rows(
        ("client.brotli-label", "A client that takes Brotli gets a list that is labelled so, and is not.",
         lambda reply, call: with_headers(reply, Content_Encoding="br")
         if is_plain_list(call) and reply.succeeded and says(call, "accept-encoding", "br") else None)),
    *breaks("list.limit.default", 2, paged).rows(
        ("client.phone-pages", "A phone gets pages of fifty.", 50, lambda call: says(call, "user-agent", "CFNetwork"))),
    *breaks("animal.status", 2, answered).rows(
        ("client.turkish", "Words are converted by the rules of the client's language (qzind/tray#66).", _in_turkish)),
    # With the cookies that came with an answer
    *breaks("list.status.complete", 3, in_session).rows(
        ("session.behind", "A client that keeps cookies is led to a replica that never gets new animals.",
         Steps(list_pets=as_at_first))),
    *breaks(_CREATE, 2, in_session).rows(
        ("session.csrf", "A client that keeps cookies needs a token besides the key for whatever writes.",
         Steps(create_pet=lambda *_: refuse(403)))),
    *breaks("list.status.complete", 3, tagged).rows(
        ("client.tag-of-last", "The validator of a list is made of its last animal, and so is the same when others are added.",
         lambda value: value[-1:] if isinstance(value, list) else value)),
    # Behind which connection
    *breaks("auth.missing.list", 3, by_worker).rows(
        ("worker.open", "One of six processes asks for no key.",
         6, lambda call: call.operation == "listPets", Steps(authenticate=lambda *_: True))),
    *breaks(_CRASH, 3, by_worker).rows(
        ("worker.crash", "One of six processes has lost its database.",
         6, always, Steps(operate=lambda *_: refuse(500)))),
    *breaks("list.limit.default", 3, by_worker).rows(
        ("worker.old-settings", "One of six processes has pages of fifty by default.",
         6, is_plain_list, paged(50, always))),
    *breaks("list.complete", 3, snapshots).rows(
        ("connection.snapshot", "A database session per connection goes on reading what was there at its first list.")),
    # Beside which others
    *breaks(_CRASH, 4, crowded).rows(
        ("crowd.locked", "A list beside two creations finds the database locked (DataZooDE/flapi#116).",
         is_creation, lambda others, call: error(500, "database is locked")
         if others > 1 and call.operation == "listPets" else None),
        ("crowd.pool", "More than fifteen requests at once exhaust a pool (ckan/ckan#5863).",
         closes, lambda others, _: error(500, "QueuePool limit of size 5 overflow 10 reached")
         if others > 15 else None)),
    *breaks("animal.id.unique", 4, own).rows(
        ("crowd.merged", "Two creations with the same name at once get the same animal.", merging)),
]  # fmt: skip
