"""Faults that only some clients meet, by what they claim, behind which connection, or beside which others."""

from __future__ import annotations

from functools import partial

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import clients, crowds
from animal_conformance.reference.mechanisms.answers import answered, as_text, error
from animal_conformance.reference.mechanisms.common import refusing
from animal_conformance.reference.mechanisms.creations import named
from animal_conformance.reference.mechanisms.credentials import accepted, keyless, unauthorised

FAULTS = [
    # What is asked for
    *breaks("list.answer",
        ("client.406-any", 2, "A client that accepts any type gets 406 (gogs/gogs#1029).",
         clients.turned_away(406, lambda call: call.operation == "listPets" and not call.query
             and call.headers.get("accept") == "*/*"))),
    *breaks(("create.answer", "create.refusal.status"),
        ("client.415-charset", 2, "A Content-Type with a charset gets 415 (aws/chalice#306).",
         clients.turned_away(415, lambda call: call.operation == "createPet"
             and clients.says(call, "content-type", "charset")))),
    *breaks("create.answer",
        ("client.fields-in-order", 2, "The name has to be the first field (dotnet/runtime#72604).",
         refusing("decode", 400, lambda body: not body.startswith(b'{"name"')))),
    *breaks("http.server-error",
        ("client.crash.chunked", 2, "A body in chunks has no length, and causes a 500 (dotnet/corefx#26233).",
         clients.turned_away(500, lambda call: call.operation == "createPet"
             and clients.says(call, "transfer-encoding"))),
        ("client.crash.accept", 2, "The Accept header of Java 8 causes a 500 (sveltejs/kit#4962).",
         clients.turned_away(500, lambda call: clients.says(call, "accept", "*;"))),
        ("client.crash.login", 2,
         "A client without a key that does not ask for JSON is sent to a login that there is none of (laravel/framework#25636).",
         unauthorised(lambda call: keyless(call) and not clients.says(call, "accept", "json"),
             lambda: error(500, "Route [login] not defined."))),
        ("crowd.locked", 4, "A list beside two creations finds the database locked (DataZooDE/flapi#116).",
         crowds.answering(lambda others, call: (
             error(500, "database is locked") if others > 1 and call.operation == "listPets" else None
         ), crowds.creates, 0.02))),
    *breaks("http.json.body",
        ("client.html-browser", 2, "A browser gets a page that shows the list.",
         answered(lambda reply, call: as_text(reply, "<html></html>", "text/html")
             if call.operation == "listPets" and not call.query and reply.succeeded
             and clients.says(call, "user-agent", "Mozilla") else None))),
    # With the cookies that came with an answer
    *breaks("list.status.complete",
        ("client.tag-of-last", 3,
         "The validator of a list is made of its last animal, and so is the same when others are added.",
         Steps(respond=partial(
             clients.tagged, of=lambda value: value[-1:] if isinstance(value, list) else value)))),
    # Behind which connection
    *breaks("auth.missing.list",
        ("worker.open", 3, "One of six processes asks for no key.",
         clients.by_worker(6, lambda call: call.operation == "listPets",
             Steps(authenticate=lambda *_: True))),
        ("key.semicolon", 2, "A path with a parameter needs no key (Apache Shiro, CVE-2020-1957).",
         Steps(respond=partial(clients.spelled, front="/pets;")))),
    *breaks(("auth.missing.list", "auth.missing.get"),
        ("key.local", 2, "A client that claims to be local needs no key.",
         accepted(lambda call: clients.says(call, "x-forwarded-for", "127.0.0.1"))),
        ("key.original-url", 2, "The key is asked for by X-Original-URL (Symfony, CVE-2018-14773).",
         accepted(lambda call: clients.says(call, "x-original-url"))),
        ("key.session", 3, "The cookie of an earlier answer is a key.",
         Steps(respond=clients.with_session, authenticate=lambda before, call: clients.says(call, "cookie",
             clients.SESSION) or before(call))),
        ("key.double-slash", 2, "Paths with two slashes need no key (dotCMS/core#25097).",
         Steps(respond=partial(clients.spelled, front="//pets")))),
    *breaks("create.name.exact",
        ("name.front-at", 2, "An @ in front of a name is taken for a mention, and lost.",
         named(lambda name: name.removeprefix("@"))),
        ("name.front-letter", 2, "Names from N on are kept in another table, which is lower-case.",
         named(lambda name: name.lower() if name[:1] in "NOPQRST" else name)),
        ("name.not-a-number", 2, "A name of NaN is taken for none, as by pandas.",
         named(lambda name: "" if name == "NaN" else name))),
    # Beside many others; a run that sends a few at a time finds none of these
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
         "Memory runs full: from the 1,000th request on there are 500s, and then no server.",
         crowds.filling(1000)),
        under_load=True),
    *breaks(("auth.missing.list", "auth.key.wrong"),
        ("load.cache.keyless", 4,
         "Above 16 at once, lists are cached for whoever asks, with a key or without.",
         crowds.cached(16, 1.0)),
        under_load=True),
]  # fmt: skip
