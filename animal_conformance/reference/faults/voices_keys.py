"""Faults in which a server takes something else for a key, or forgets to ask for one."""

from __future__ import annotations

from animal_conformance.reference.changes import breaks, own
from animal_conformance.reference.mechanisms.clients import not_modified, says, spelled, with_session
from animal_conformance.reference.mechanisms.credentials import accepted, keyless

_LIST, _GET = "auth.missing.list", "auth.missing.get"
_BOTH = (_LIST, _GET)

FAULTS = [
    *breaks(_BOTH, 2, accepted).rows(
        ("key.local", "A client that claims to be local needs no key.",
         lambda call: says(call, "x-forwarded-for", "127.0.0.1")),
        ("key.original-url", "The key is asked for by X-Original-URL (Symfony, CVE-2018-14773).",
         lambda call: says(call, "x-original-url")),
        ("key.override", "A request that claims to be OPTIONS needs no key.",
         lambda call: says(call, "x-http-method-override", "OPTIONS")),
        ("key.middleware", "A request that claims to be middleware passes it by (Next.js, CVE-2025-29927).",
         lambda call: says(call, "x-middleware-subrequest")),
        ("key.user", "A client that claims a user is believed.",
         lambda call: says(call, "x-remote-user")),
        ("key.probe", "A health probe needs no key.", lambda call: says(call, "user-agent", "kube-probe")),
        ("key.debug", "With debug=1, no key is needed.", lambda call: call.parameters("debug"))),
    *breaks(_LIST, 2, accepted).rows(
        ("key.parameter", "Anything in the parameter api_key is a key.", lambda call: call.parameters("api_key")),
        ("key.callback", "With a callback, a list needs no key.", lambda call: call.parameters("callback")),
        ("key.method-parameter", "With _method=OPTIONS, a list needs no key.",
         lambda call: call.parameters("_method")),
        ("key.script", "A request of a script needs no key.", lambda call: says(call, "x-requested-with")),
        ("key.origin", "A list for a certain shop needs no key.",
         lambda call: says(call, "sec-fetch-mode", "cors") and says(call, "origin")),
        ("key.encoded", "The key is asked for by the path as it is written (istio/istio.io#9961).",
         lambda call: "%70" in call.path)),
    *breaks(_BOTH, 3, own).rows(
        ("key.session", "The cookie of an earlier answer is a key.", with_session)),
    *breaks(_LIST, 3, not_modified).rows(
        ("key.validated", "A client without a key that has a list is told that it is still right.",
         lambda call: keyless(call) and call.operation == "listPets" and says(call, "if-modified-since"))),
    *breaks(_BOTH, 2, spelled).rows(
        ("key.double-slash", "Paths with two slashes need no key (dotCMS/core#25097).",
         lambda path: path.startswith("//pets"), lambda path: path[1:]),
        ("key.slash", "Paths with a slash at their end need no key (spring-projects/spring-framework#28552).",
         lambda path: path.startswith("/pets/") and path.endswith("/"), lambda path: path.rstrip("/"))),
    *breaks(_LIST, 2, spelled).rows(
        ("key.upper-case", "Paths in upper case need no key.", lambda path: path == "/PETS", str.lower),
        ("key.dots", "A path below one that is public needs no key (jpsnover/ai-triad-research#264).",
         lambda path: path == "/static/../pets", lambda _: "/pets"),
        ("key.semicolon", "A path with a parameter needs no key (Apache Shiro, CVE-2020-1957).",
         lambda path: path.startswith("/pets;"), lambda _: "/pets")),
]  # fmt: skip
