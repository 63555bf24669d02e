"""Faults that only some clients meet: depending on what they claim, on their connection, or on other clients."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import clients, crowds
from animal_conformance.reference.mechanisms.answers import answered, as_text, error, with_headers
from animal_conformance.reference.mechanisms.common import always, refuse, refusing, where
from animal_conformance.reference.mechanisms.creations import named
from animal_conformance.reference.mechanisms.credentials import accepted, keyless, unauthorised
from animal_conformance.reference.mechanisms.lists import by_default
from animal_conformance.reference.model import Call, Reply


def _plain(call: Call) -> bool:
    """Whether a request lists without parameters."""
    return call.operation == "listPets" and not call.query


def _listed_to(name: str, part: str, alter: Callable[[Reply], Reply]) -> Steps:
    """Alter the list without parameters for clients that have this part in a header."""
    return answered(
        lambda reply, call: (
            alter(reply) if reply.succeeded and _plain(call) and clients.says(call, name, part) else None
        )
    )


def _unmodified(operation: str) -> Steps:
    """Answer 304 to anyone who asks for changes since a date."""
    return answered(
        lambda _, call: (
            Reply(304, None, {"Content-Type": ""}, b"")
            if call.operation == operation and not keyless(call) and clients.says(call, "if-modified-since")
            else None
        )
    )


def _asks_for_a_page(call: Call) -> bool:
    """Whether a request is a list request without a key that does not ask for JSON."""
    return keyless(call) and call.operation == "listPets" and not clients.says(call, "accept", "json")


FAULTS = [
    # What is asked for
    *breaks("list.answer",
        ("client.406-several", 2, "A client that accepts several types gets 406 (ehrbase/ehrbase#509).",
         clients.turned_away(406, lambda call: _plain(call) and clients.says(call, "accept", ","))),
        ("client.406-silent", 2, "A client without an Accept header gets 406 (json-api/json-api#518).",
         clients.turned_away(406, lambda call: _plain(call) and "accept" not in call.headers)),
        ("client.406-weighted", 2, "A client that accepts JSON, and other types with a weight, gets 406.",
         clients.turned_away(406, lambda call: _plain(call)
             and all(clients.says(call, "accept", part) for part in ("json", "q=")))),
        ("client.404-script", 2, "A client with X-Requested-With is routed to another application.",
         clients.turned_away(404, lambda call: _plain(call) and clients.says(call, "x-requested-with"))),
        ("client.400-typed", 2, "A request without a body is rejected if it names the type of one.",
         clients.turned_away(400, lambda call: _plain(call)
             and call.operation != "createPet" and "content-type" in call.headers)),
        ("client.406-any", 2, "A client that accepts any type gets 406 (gogs/gogs#1029).",
         clients.turned_away(406, lambda call: _plain(call) and call.headers.get("accept") == "*/*"))),
    *breaks("list.answer",
        ("client.304-since", 3, "A client with an old list is told that the list has not changed.",
         _unmodified("listPets"))),
    *breaks("get.found",
        ("client.304-animal", 3, "A client that asks whether an animal has changed since long ago is told that it has not.",
         _unmodified("getPet")),
        ("client.store-of-phones", 3, "Clients of phones are served from a store of their own.",
         clients.apart("user-agent", "okhttp"))),
    *breaks("list.limit.respected",
        ("list.filter-first", 2, "A limit that follows a filter is ignored.",
         Steps(list_pets=lambda before, call: before(replace(call, query=call.query[:1])
             if [name for name, _ in call.query] == ["status", "limit"] else call)))),
    *breaks(("create.answer", "create.refusal.status"),
        ("client.415-charset", 2, "A Content-Type with a charset gets 415 (aws/chalice#306).",
         clients.turned_away(415, lambda call: clients.says(call, "content-type", "charset"))),
        ("client.expect-405", 2, "A client that expects a 100 gets 405, whatever it sends.",
         clients.turned_away(405, lambda call: clients.says(call, "expect")))),
    *breaks("create.answer",
        ("client.forwarded-list", 2,
         "Two addresses in X-Forwarded-For are taken for one (fiorix/freegeoip#40).",
         clients.turned_away(400, lambda call: call.operation == "createPet"
             and clients.says(call, "x-forwarded-for", ","))),
        ("away.403-select", 2,
         "A firewall returns 403 to UNION SELECT in a name (coreruleset/coreruleset#4342).",
         clients.turned_away(403, lambda call: b"UNION SELECT" in call.body)),
        ("away.403-path", 2, "A firewall returns 403 to ../ in a name (coreruleset/coreruleset#2607).",
         clients.turned_away(403, lambda call: b"../.." in call.body)),
        ("client.escaped-pair", 3,
         "A body with an escaped surrogate pair is rejected, as by PyYAML, which takes JSON for YAML.",
         clients.turned_away(400, lambda call: call.operation == "createPet"
             and re.search(rb"(?i)\\ud[89ab]", call.body))),
        ("client.charset-accent", 2,
         "A letter with an accent is rejected where the Content-Type has a charset, and accepted where it has none.",
         clients.turned_away(400, lambda call: clients.says(call, "content-type", "charset")
             and not call.body.isascii())),
        ("client.unescaped", 2, "A body is read as ASCII: characters outside it are accepted in escapes only.",
         refusing("decode", 400, lambda body: not body.isascii())),
        ("client.unescaped-astral", 2, "A character of four bytes is accepted in escapes only.",
         refusing("decode", 400, lambda body: max(body, default=0) >= 0xF0)),
        ("client.newline", 2, "A body must not begin or end with a newline, as those of files and pipes do.",
         refusing("decode", 400, lambda body: body != body.strip())),
        ("client.fields-in-order", 2, "The name has to be the first field (dotnet/runtime#72604).",
         refusing("decode", 400, lambda body: not body.startswith(b'{"name"')))),
    *breaks("http.server-error",
        ("client.crash.chunked", 2, "A body in chunks has no length, and causes a 500 (dotnet/corefx#26233).",
         clients.turned_away(500, lambda call: clients.says(call, "transfer-encoding"))),
        ("client.crash.accept", 2, "The Accept header of Java 8 causes a 500 (sveltejs/kit#4962).",
         clients.turned_away(500, lambda call: clients.says(call, "accept", "*;"))),
        ("client.crash.cookie", 2, "A cookie with escapes causes a 500 (pulp/pulpcore#6214).",
         clients.turned_away(500, lambda call: clients.says(call, "cookie", "%7B"))),
        ("client.crash.language", 2, "An Accept-Language of * causes a 500.",
         clients.turned_away(500, lambda call: call.headers.get("accept-language") == "*")),
        ("client.crash.quoted", 2, "Messages in other languages quote the name, and cannot if it is long.",
         Steps(refuse=lambda before, refusal, call: (
             error(500, "Too long to quote.") if call.operation == "createPet" and len(call.body) > 250
             and refusal.status == 400 and call.headers.get("accept-language", "en")[:2] != "en"
             else before(refusal, call)))),
        ("client.crash.script", 2, "An Accept-Language that names a script causes a 500.",
         clients.turned_away(500, lambda call: clients.says(call, "accept-language", "-Hans-"))),
        ("client.crash.port", 2, "A port in X-Forwarded-For, as gateways send it, causes a 500.",
         clients.turned_away(500, lambda call: clients.says(call, "x-forwarded-for", ":"))),
        ("client.crash.request-id", 2, "An X-Request-ID that is not a UUID causes a 500.",
         clients.turned_away(500, lambda call: clients.says(call, "x-request-id", "web"))),
        ("client.crash.transfer", 2, "A client that offers trailers causes a 500.",
         clients.turned_away(500, lambda call: clients.says(call, "te"))),
        ("client.crash.login", 2,
         "A client without a key that does not ask for JSON is sent to a login page that does not exist: a 500 (laravel/framework#25636).",
         unauthorised(lambda call: keyless(call) and not clients.says(call, "accept", "json"),
             lambda: error(500, "Route [login] not defined."))),
        ("crash.get.row", 2, "Some animals of the catalogue cannot be read.",
         refusing("find", 500, lambda animal_id: animal_id in {11, 12, 13, 39, 40})),
        ("crash.name.letter", 2, "Names from M to Q are kept in a table that is missing.",
         refusing("insert", 500, lambda payload, _: payload.name[:1] in {*"MNOPQ"})),
        ("crash.name.jndi", 2, "A name with ${ is evaluated (Log4j, CVE-2021-44228).",
         refusing("insert", 500, lambda payload, _: "${jndi" in payload.name)),
        ("crash.category.listed", 2, "An animal of category 42 cannot be created any more.",
         refusing("insert", 500, lambda payload, _: payload.category_id == 42)),
        ("worker.crash", 3, "One of six processes has lost its database.",
         clients.by_worker(6, always, Steps(operate=lambda *_: refuse(500)))),
        ("crowd.locked", 4, "A list beside two creations finds the database locked (DataZooDE/flapi#116).",
         crowds.answering(lambda others, call: (
             error(500, "database is locked") if others > 1 and call.operation == "listPets" else None
         ), crowds.creates, 0.02)),
        ("crowd.pool", 4, "More than fifteen requests at once exhaust a pool (ckan/ckan#5863).",
         crowds.answering(lambda others, _: (
             error(500, "QueuePool limit of size 5 overflow 10 reached") if others > 15 else None
         ), crowds.closes, 0.05))),
    *breaks("auth.key.wrong",
        ("crowd.vouched", 4, "A wrong key is accepted while a request with the right one is under way.",
         crowds.vouched(0.01))),
    *breaks(("create.name.exact", "create.category-id.exact"),
        ("crowd.unfinished", 4, "An animal is stored without its values, which are filled in before the answer: lists show both states.",
         crowds.in_two_steps(0.05))),
    *breaks("http.json.body",
        ("client.html-browser", 2, "A browser gets a page that shows the list.",
         _listed_to("user-agent", "Mozilla", lambda reply: as_text(reply, "<html></html>", "text/html"))),
        ("client.xml", 2, "A client that names XML, and anything else only after it, gets XML (spring-projects/spring-boot#407).",
         _listed_to("accept", "application/xml", lambda reply: as_text(reply, "<pets></pets>", "application/xml")))),
    *breaks("http.json.content-type",
        ("client.text-javascript", 2, "A client that accepts scripts gets JSON as one.",
         _listed_to("accept", "javascript", lambda reply: with_headers(reply,
             Content_Type="text/javascript")))),
    *breaks("http.answer",
        ("client.brotli-label", 2,
         "A client that accepts Brotli gets a list that is labelled as Brotli, but is not compressed.",
         _listed_to("accept-encoding", "br", lambda reply: with_headers(reply, Content_Encoding="br")))),
    *breaks("error.body",
        ("client.html-400", 2, "A client whose creation is rejected gets a page if it would rather have one.",
         Steps(refuse=lambda before, refusal, call: (
             as_text(error(refusal.status, ""), "<h1>400</h1>", "text/html")
             if call.operation == "createPet" and refusal.status == 400
             and call.headers.get("accept", "").startswith("text/html") else before(refusal, call)))),
        ("client.html-401", 2,
         "A client without a key that does not ask for JSON gets a page (laravel/passport#240).",
         unauthorised(_asks_for_a_page,
             lambda: as_text(error(401, "", WWW_Authenticate="Bearer"), "<h1>401</h1>", "text/html")))),
    *breaks("list.limit.default",
        ("client.phone-pages", 2, "A phone gets pages of fifty.",
         by_default(50, lambda call: clients.says(call, "user-agent", "CFNetwork"))),
        ("worker.old-settings", 3, "One of six processes has pages of fifty by default.",
         clients.by_worker(6, _plain, by_default(50, always)))),
    *breaks("list.combined",
        ("client.turkish-filter", 2, "For Turkish clients, pending in capitals has a dotted I, which the enumeration does not have.",
         clients.turned_away(400, lambda call: "pending" in call.parameters("status")
             and clients.says(call, "accept-language", "tr")))),
    *breaks("animal.status",
        ("client.turkish", 2,
         "Words are converted by the rules of the client's language (qzind/tray#66).",
         answered(lambda reply, call: replace(reply, value=[
             {**each, "status": each["status"].replace("i", "\u0130")} for each in reply.value
         ]) if reply.succeeded and call.operation == "listPets"
             and clients.says(call, "accept-language", "tr") else None))),
    # With the cookies of an earlier answer
    *breaks("list.status.complete",
        ("client.tag-of-last", 3,
         "The validator of a list is made of its last animal, and so does not change when others are added.",
         Steps(respond=partial(
             clients.tagged, of=lambda value: value[-1:] if isinstance(value, list) else value))),
        ("client.tag-of-length", 3,
         "The validator of a list is made of its length, and so does not change when a full list does.",
         Steps(respond=partial(
             clients.tagged, of=lambda value: len(value) if isinstance(value, list) else value))),
        besides=("list.complete",)),
    # By connection
    *breaks("list.complete",
        ("connection.snapshot", 3,
         "Each connection has a database session, which keeps reading what there was at its first list.",
         clients.snapshots),
        besides=("list.status.complete",)),
    *breaks("list.complete",
        ("connection.filter", 3, "A filter is applied to the next list of its connection too, which asks for none.",
         clients.filters_carried_over())),
    *breaks("auth.missing.list",
        ("worker.open", 3, "One of six processes asks for no key.",
         clients.by_worker(6, lambda call: call.operation == "listPets",
             Steps(authenticate=lambda *_: True))),
        ("key.semicolon", 2, "A path with a parameter needs no key (Apache Shiro, CVE-2020-1957).",
         Steps(respond=partial(clients.spelled, path="/pets;.*()"))),
        ("key.upper-case", 2, "Paths in upper case need no key.",
         Steps(respond=partial(clients.spelled, path="/PETS()"))),
        ("key.dots", 2, "A path below one that is public needs no key (jpsnover/ai-triad-research#264).",
         Steps(respond=partial(clients.spelled, path=r"/static/\.\./pets()"))),
        ("key.parameter", 2, "Anything in the parameter api_key is a key.",
         accepted(lambda call: call.parameters("api_key"))),
        ("key.callback", 2, "With a callback, a list needs no key.",
         accepted(lambda call: call.parameters("callback"))),
        ("key.method-parameter", 2, "With _method=OPTIONS, a list needs no key.",
         accepted(lambda call: call.parameters("_method"))),
        ("key.script", 2, "A request of a script needs no key.",
         accepted(lambda call: clients.says(call, "x-requested-with"))),
        ("key.origin", 2, "A list for a certain shop needs no key.",
         accepted(lambda call: call.operation == "listPets" and "origin" in call.headers
             and clients.says(call, "sec-fetch-mode", "cors"))),
        ("key.encoded", 2, "Whether a key is needed is decided by the path as it is written (istio/istio.io#9961).",
         accepted(lambda call: "%70" in call.path)),
        ("key.validated", 3, "A client without a key that has a list is told that the list has not changed.",
         answered(lambda _, call: Reply(304, None, {"Content-Type": ""}, b"") if keyless(call)
             and call.operation == "listPets" and clients.says(call, "if-modified-since") else None)),
        ("client.302-login", 2,
         "A client without a key that does not ask for JSON is redirected (laravel/sanctum#228).",
         unauthorised(_asks_for_a_page, lambda: as_text(Reply(302, None, {"Location": "/login"}), "", "")))),
    *breaks(("auth.missing.list", "auth.missing.get"),
        ("key.original-url", 2, "Whether a key is needed is decided by X-Original-URL (Symfony, CVE-2018-14773).",
         accepted(lambda call: clients.says(call, "x-original-url"))),
        ("key.override", 2, "A request that claims to be OPTIONS needs no key.",
         accepted(lambda call: clients.says(call, "x-http-method-override", "OPTIONS"))),
        ("key.middleware", 2,
         "A request that claims to be middleware bypasses it (Next.js, CVE-2025-29927).",
         accepted(lambda call: clients.says(call, "x-middleware-subrequest"))),
        ("key.probe", 2, "A health probe needs no key.",
         accepted(lambda call: clients.says(call, "user-agent", "kube-probe"))),
        ("key.double-slash", 2, "Paths with two slashes need no key (dotCMS/core#25097).",
         Steps(respond=partial(clients.spelled, path="//pets(?:/(.*))?"))),
        ("key.slash", 2,
         "Paths with a slash at their end need no key (spring-projects/spring-framework#28552).",
         Steps(respond=partial(clients.spelled, path="/pets/(?:(.+)/)?")))),
    *breaks(("auth.missing.list", "auth.missing.create", "auth.missing.get"),
        ("key.debug", 2, "With debug=1, no key is needed.",
         accepted(lambda call: call.parameters("debug"))),
        ("key.local", 2, "A client that claims to be local needs no key.",
         accepted(lambda call: clients.says(call, "x-forwarded-for", "127.0.0.1"))),
        ("key.internal", 2, "A client that claims an address of the internal network needs no key.",
         accepted(lambda call: clients.says(call, "x-forwarded-for", "10.")
             and not clients.says(call, "x-forwarded-for", ","))),
        ("key.user", 2, "A client that claims a user is believed.",
         accepted(lambda call: clients.says(call, "x-remote-user"))),
        ("key.session", 3, "The cookie of an earlier answer is a key.",
         Steps(respond=clients.with_session, authenticate=lambda before, call: clients.says(call, "cookie",
             clients.SESSION) or before(call)))),
    *breaks("auth.missing.create",
        ("key.slash.create", 2, "A creation whose path ends with a slash needs no key.",
         Steps(respond=partial(clients.spelled, path="/pets/()", method="POST"))),
        ("key.double-slash.create", 2, "A creation whose path has two slashes needs no key.",
         Steps(respond=partial(clients.spelled, path="//pets()", method="POST"))),
        ("key.query.create", 2, "A creation with a query needs no key.",
         accepted(lambda call: call.operation == "createPet" and call.query)),
        ("key.origin.create", 2, "A creation for a certain shop needs no key.",
         accepted(lambda call: call.operation == "createPet" and clients.says(call, "origin", "shop"))),
        ("key.importer", 2, "A local importer creates animals without a key.",
         accepted(lambda call: call.operation == "createPet"
             and clients.says(call, "x-forwarded-for", "127.0.0.1"))),
        ("key.session.create", 3, "The cookie of an earlier answer is a key to create animals.",
         Steps(respond=clients.with_session, authenticate=lambda before, call: before(call)
             or (call.operation == "createPet" and clients.says(call, "cookie", clients.SESSION)))),
        ("key.label", 2, "A guard that reads only JSON lets other content types pass.",
         accepted(lambda call: call.operation == "createPet"
             and not clients.says(call, "content-type", "json")))),
    *breaks("create.name.exact",
        ("name.front-at", 2, "An @ in front of a name is taken for a mention, and lost.",
         named(lambda name: name.removeprefix("@"))),
        ("name.front-plus", 2, "A name that begins with + or - gets an apostrophe, as for a spreadsheet.",
         named(lambda name: f"'{name}" if name[:1] in {"+", "-"} else name)),
        ("name.front-hash", 2, "What follows a # is a comment, as in a configuration file.",
         named(lambda name: "" if name.startswith("#") else name)),
        ("name.front-bracket", 2,
         "A name that begins with a bracket gets a space, so that it is not read as JSON.",
         named(lambda name: f" {name}" if name[:1] in {"[", "{"} else name)),
        ("name.front-letter", 2, "Names from N to T are kept in another table, in lower case.",
         named(lambda name: name.lower() if name[:1] in "NOPQRST" else name)),
        ("name.front-colon", 2, "A name that begins with a colon is read as a Ruby symbol, and loses the colon (ohler55/oj).",
         named(lambda name: name.removeprefix(":"))),
        ("name.one-letter", 2, "A name of one letter is converted to a capital.",
         named(lambda name: name.upper() if len(name) == 1 else name)),
        ("name.script", 2, "What looks like a script is removed.",
         named(lambda name: name.replace("<script>", "").replace("</script>", ""))),
        ("name.undefined", 2, "The name undefined is taken for a missing one.",
         named(lambda name: "" if name == "undefined" else name)),
        ("name.brackets", 2, "The name [] is taken for an empty list.",
         named(lambda name: "" if name == "[]" else name)),
        ("name.not-a-number", 2, "The name NaN is taken for a missing one, as by pandas.",
         named(lambda name: "" if name == "NaN" else name))),
    # Beside one other request
    *breaks("create.status.exact",
        ("burst.status.mixed", 3, "Of animals that are created at once, one may be stored with another's status.",
         crowds.mixed())),
    *breaks("get.found",
        ("burst.lost", 3, "Above eight at once, create requests are answered but store nothing.", crowds.lost(7, held_s=0.0, each_s=0.03))),
    # Beside many other requests; a run that sends a few at a time finds none of these
    *breaks("get.requested",
        ("load.answers.crossed", 4, "Above 16 at once, getPet returns the answer of another connection.",
         crowds.crossed(16)),
        under_load=True),
    *breaks("list.status.filter",
        ("load.filter.leak", 4, "While eight animals are being created, filtered lists are not filtered.",
         crowds.crowd(where(lambda call: call.notes["crowd"] > 8, Steps(list_pets=lambda before, call: before(
             replace(call, query=[each for each in call.query if each[0] != "status"])))), crowds.creates)),
        under_load=True),
    *breaks("animal.id.unique",
        ("load.id.raced", 4, "Above 16 at once, create requests are given the same id.", crowds.raced(16)),
        under_load=True),
    *breaks("get.found",
        ("load.write.lost", 4, "Above 16 at once, an animal is acknowledged and not stored.",
         crowds.lost(16)),
        under_load=True),
    *breaks("http.server-error",
        ("load.pool.dry", 4, "Above 32 at once, requests find no connection in the pool: a 500.",
         crowds.answering(lambda others, _: error(500, "No connection is free.") if others >= 32 else None)),
        ("load.memory.leaked", 4,
         "Memory runs out: from the 1,000th request on there are 500s, and then no server.",
         crowds.filling(1000)),
        under_load=True),
    *breaks(("auth.missing.list", "auth.key.wrong"),
        ("load.cache.keyless", 4,
         "Above 16 at once, lists are cached for whoever asks, with a key or without.",
         crowds.cached(16, 1.0)),
        besides=("auth.key.empty", "auth.key.longer", "auth.key.shorter", "auth.key.case",
            "auth.scheme.other", "auth.scheme.missing", "auth.first"),
        under_load=True),
]  # fmt: skip
