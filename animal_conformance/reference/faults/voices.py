"""Faults that only some clients meet, and in which something else is taken for a key; how names begin, and firewalls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from animal_conformance.reference.changes import Before, Steps, breaks
from animal_conformance.reference.mechanisms import clients, lists
from animal_conformance.reference.mechanisms.answers import answered, as_text, error, with_headers
from animal_conformance.reference.mechanisms.common import always, refuse, refusing
from animal_conformance.reference.mechanisms.creations import named
from animal_conformance.reference.mechanisms.credentials import accepted, keyless, unauthorised
from animal_conformance.reference.mechanisms.crowds import answering, creates
from animal_conformance.reference.model import Call, Reply

_LIST, _CREATE, _CRASH = "list.answer", "create.answer", "http.server-error"

_DOTTED = {"available": "ava\u0130lable", "pending": "pend\u0130ng"}


def _lists_keyless(call: Call) -> bool:
    return keyless(call) and call.operation == "listPets"


def _in_turkish(reply: Reply, call: Call) -> Reply | None:
    if call.operation != "listPets" or not reply.succeeded or not clients.says(call, "accept-language", "tr"):
        return None
    shown = [{**each, "status": _DOTTED.get(each["status"], each["status"])} for each in reply.value]
    return replace(reply, value=shown)


_LIST, _GET = "auth.missing.list", "auth.missing.get"

_BOTH = (_LIST, _GET)

_NAME, _CRASH = "create.name.exact", "http.server-error"


def _filter_first(before: Before[[Call], Any], call: Call) -> Any:
    """A limit is read only in front of a filter."""
    names = [name for name, _ in call.query]
    if names == ["status", "limit"]:
        call.query = [pair for pair in call.query if pair[0] != "limit"]
    return before(call)


FAULTS = [
    # What is asked for
    *breaks(_LIST, 2,
        ("client.406-any", "A client that accepts any type gets 406 (gogs/gogs#1029).",
         clients.turned_away(406, lambda call: clients.is_plain_list(call) and call.headers.get("accept") == "*/*")),
        ("client.406-silent", "A client without an Accept header gets 406 (json-api/json-api#518).",
         clients.turned_away(406, lambda call: clients.is_plain_list(call) and "accept" not in call.headers)),
        ("client.403-nameless", "A client without a User-Agent is taken for a robot.",
         clients.turned_away(403, lambda call: clients.is_plain_list(call) and "user-agent" not in call.headers)),
        ("key.parameter", "Anything in the parameter api_key is a key.",
         accepted(lambda call: call.parameters("api_key"))),
        ("key.origin", "A list for a certain shop needs no key.",
         accepted(lambda call: clients.says(call, "sec-fetch-mode", "cors") and clients.says(call, "origin"))),
        ("key.encoded", "The key is asked for by the path as it is written (istio/istio.io#9961).",
         accepted(lambda call: "%70" in call.path)),
        ("key.semicolon", "A path with a parameter needs no key (Apache Shiro, CVE-2020-1957).",
         clients.spelled(lambda path: path.startswith("/pets;"), lambda _: "/pets"))),
    *breaks((_CREATE, "create.refusal.status"), 2,
        ("client.415-charset", "A Content-Type with a charset gets 415 (aws/chalice#306).",
         clients.turned_away(415, lambda call: call.operation == "createPet" and clients.says(call, "content-type", "charset")))),
    *breaks(_CREATE, 2,
        ("client.fields-in-order", "The name has to be the first field (dotnet/runtime#72604).",
         refusing("decode", 400, lambda body: not body.startswith(b'{"name"'))),
        ("session.csrf", "A client that keeps cookies needs a token besides the key for whatever writes.",
         clients.in_session(Steps(create_pet=lambda *_: refuse(403))))),
    *breaks(_CRASH, 2,
        ("client.crash.chunked", "A body in chunks has no length, and causes a 500 (dotnet/corefx#26233).",
         clients.turned_away(500, lambda call: call.operation == "createPet" and clients.says(call, "transfer-encoding"))),
        ("client.crash.accept", "The Accept header of Java 8 causes a 500 (sveltejs/kit#4962).",
         clients.turned_away(500, lambda call: clients.says(call, "accept", "*;"))),
        ("client.crash.cookie", "A cookie with escapes causes a 500 (pulp/pulpcore#6214).",
         clients.turned_away(500, lambda call: clients.says(call, "cookie", "%7B"))),
        ("client.crash.login",
         "A client without a key that does not ask for JSON is sent to a login that there is none of (laravel/framework#25636).",
         unauthorised(
             lambda call: keyless(call) and not clients.says(call, "accept", "json"),
             lambda: error(500, "Route [login] not defined."))),
        ("crash.name.jndi", "A name with ${ is evaluated (Log4j, CVE-2021-44228).",
         refusing("insert", 500, lambda payload, _: "${jndi" in payload.name))),
    *breaks("auth.missing.list", 2,
        ("client.302-login",
         "A client without a key that does not ask for JSON is redirected (laravel/sanctum#228).",
         unauthorised(
             lambda call: _lists_keyless(call) and not clients.says(call, "accept", "json"),
             lambda: as_text(Reply(302, None, {"Location": "/login"}), "", "")))),
    *breaks("error.body", 2,
        ("client.html-401",
         "A client without a key that does not ask for JSON gets a page (laravel/passport#240).",
         unauthorised(
             lambda call: _lists_keyless(call) and not clients.says(call, "accept", "json"),
             lambda: as_text(Reply(401, None, {"WWW-Authenticate": "Bearer"}), "<h1>401</h1>", "text/html")))),
    *breaks("http.json.body", 2,
        ("client.html-browser", "A browser gets a page that shows the list.",
         answered(lambda reply, call: as_text(reply, "<html></html>", "text/html")
             if clients.is_plain_list(call) and reply.succeeded and clients.says(call, "user-agent", "Mozilla") else None))),
    *breaks("http.answer", 2,
        ("client.brotli-label", "A client that takes Brotli gets a list that is labelled so, and is not.",
         answered(lambda reply, call: with_headers(reply, Content_Encoding="br")
             if clients.is_plain_list(call) and reply.succeeded and clients.says(call, "accept-encoding", "br") else None))),
    *breaks("list.limit.default", 2,
        ("client.phone-pages", "A phone gets pages of fifty.",
         lists.defaulted(50, lambda call: clients.says(call, "user-agent", "CFNetwork")))),
    *breaks("animal.status", 2,
        ("client.turkish", "Words are converted by the rules of the client's language (qzind/tray#66).",
         answered(_in_turkish))),
    *breaks("list.status.complete", 3,
        ("client.tag-of-last",
         "The validator of a list is made of its last animal, and so is the same when others are added.",
         clients.tagged(lambda value: value[-1:] if isinstance(value, list) else value))),
    # Behind which connection
    *breaks("auth.missing.list", 3,
        ("worker.open", "One of six processes asks for no key.",
         clients.by_worker(6, lambda call: call.operation == "listPets", Steps(authenticate=lambda *_: True)))),
    *breaks(_CRASH, 3,
        ("worker.crash", "One of six processes has lost its database.",
         clients.by_worker(6, always, Steps(operate=lambda *_: refuse(500))))),
    # Beside which others
    *breaks(_CRASH, 4,
        ("crowd.locked", "A list beside two creations finds the database locked (DataZooDE/flapi#116).",
         answering(lambda others, call: (
             error(500, "database is locked") if others > 1 and call.operation == "listPets" else None
         ), creates, 0.02))),
    *breaks(_BOTH, 2,
        ("key.local", "A client that claims to be local needs no key.",
         accepted(lambda call: clients.says(call, "x-forwarded-for", "127.0.0.1"))),
        ("key.original-url", "The key is asked for by X-Original-URL (Symfony, CVE-2018-14773).",
         accepted(lambda call: clients.says(call, "x-original-url"))),
        ("key.override", "A request that claims to be OPTIONS needs no key.",
         accepted(lambda call: clients.says(call, "x-http-method-override", "OPTIONS"))),
        ("key.middleware", "A request that claims to be middleware passes it by (Next.js, CVE-2025-29927).",
         accepted(lambda call: clients.says(call, "x-middleware-subrequest"))),
        ("key.double-slash", "Paths with two slashes need no key (dotCMS/core#25097).",
         clients.spelled(lambda path: path.startswith("//pets"), lambda path: path[1:])),
        ("key.slash", "Paths with a slash at their end need no key (spring-projects/spring-framework#28552).",
         clients.spelled(lambda path: path.startswith("/pets/") and path.endswith("/"), lambda path: path.rstrip("/")))),
    *breaks(_BOTH, 3,
        ("key.session", "The cookie of an earlier answer is a key.",
         Steps(
             respond=clients.with_session,
             authenticate=lambda before, call: clients.says(call, "cookie", clients.SESSION) or before(call)))),
    *breaks(_NAME, 2,
        ("name.front-at", "An @ in front of a name is taken for a mention, and lost.",
         named(lambda name: name.removeprefix("@"))),
        ("name.front-letter", "Names from N on are kept in another table, which is lower-case.",
         named(lambda name: name.lower() if name[:1] in "NOPQRST" else name)),
        ("name.not-a-number", "A name of NaN is taken for none, as by pandas.",
         named(lambda name: "" if name == "NaN" else name))),
    *breaks("create.answer", 2,
        ("away.403-select",
         "A firewall returns 403 to UNION SELECT in a name (coreruleset/coreruleset#4342).",
         clients.turned_away(403, lambda call: b"UNION SELECT" in call.body))),
    *breaks("list.limit.respected", 2,
        ("list.filter-first", "A limit that follows a filter is ignored.",
         lists.asked_for(
             lambda query: query[:1] if [name for name, _ in query] == ["status", "limit"] else query))),
]  # fmt: skip
