"""Faults of authentication, and of the address ('Authentication', 'Versioning')."""

from __future__ import annotations

from functools import partial
from urllib.parse import unquote

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import credentials as keys
from animal_conformance.reference.mechanisms.answers import answers, error, with_headers, without_header
from animal_conformance.reference.mechanisms.common import always, refuse, refusing, sometimes
from animal_conformance.reference.mechanisms.refused import told_to_wait
from animal_conformance.reference.model import Reply

FAULTS = [
    # No key
    *breaks("auth.missing.list",
        ("auth.open.list", 1, "listPets requires no key.",
         keys.accepted(lambda call: call.operation == "listPets")),
        ("auth.missing.cached", 3,
         "listPets without a key succeeds if the same request was just made with a key.", keys.cached),
        ("auth.missing.nothing", 1,
         "listPets without a key returns an empty list: an anonymous client owns nothing.",
         keys.unauthorised(lambda call: keys.keyless(call) and call.operation == "listPets",
             lambda: Reply(200, [])))),
    *breaks("auth.missing.create",
        ("auth.open.create", 1, "createPet requires no key.",
         keys.accepted(lambda call: call.operation == "createPet")),
        ("auth.open.unstated", 3, "createPet requires no key for an animal without a status.",
         keys.accepted(lambda call: call.operation == "createPet" and b'"status"' not in call.body))),
    *breaks("auth.missing.get",
        ("auth.open.get", 1, "getPet requires no key.",
         keys.accepted(lambda call: call.operation == "getPet"))),
    *breaks(("auth.missing.list", "auth.missing.create", "auth.missing.get"),
        ("auth.open", 1, "No operation requires a key.", keys.accepted(always)),
        ("auth.missing.403", 1, "A missing key returns 403, as in older FastAPI.",
         keys.unauthorised(keys.keyless, lambda: error(403, "Not authenticated"))),
        ("auth.missing.connection", 3, "On a connection that has sent the key, later requests need no key.",
         keys.by_connection)),
    # Another key
    *breaks("auth.key.empty",
        ("auth.empty", 2, "An empty token is accepted.",
         keys.accepted(lambda call: (call.authorization or "").strip().lower() == "bearer"))),
    *breaks("auth.key.wrong",
        ("auth.any", 1, "Any token is accepted.", keys.compared(always)),
        ("auth.decoded", 4, "Percent-encoding in tokens is decoded before they are compared.",
         keys.compared(lambda given, key: unquote(given) == key)),
        ("auth.anagram", 4, "Keys are compared by their characters, whatever the order of these.",
         keys.compared(lambda given, key: sorted(given) == sorted(key))),
        ("auth.remembered", 3,
         "Any token is accepted for a filtered list that the key has been accepted for.", keys.remembered),
        ("auth.sample", 4, "The key of the example settings was never removed.",
         keys.compared(lambda given, key: given in (key, "changeme"))),
        ("auth.property", 4, "Keys are looked up in a JavaScript object, which also has the property constructor.",
         keys.compared(lambda given, key: given in (key, "constructor")))),
    *breaks("auth.key.longer",
        ("auth.longer", 2, "A token that starts with the key is accepted.", keys.compared(str.startswith))),
    *breaks("auth.key.shorter",
        ("auth.shorter.last", 4, "The key is accepted without its last character.",
         keys.compared(lambda given, key: given == key[:-1]))),
    *breaks("auth.key.case",
        ("auth.case", 2, "Keys are compared case-insensitively.",
         keys.compared(lambda given, key: given.lower() == key.lower())),
        ("auth.case.get", 2, "getPet compares keys case-insensitively, as its database does.",
         Steps(authenticate=keys.recased_to_get))),
    # Another scheme
    *breaks("auth.scheme.other",
        ("auth.scheme.any", 2, "The key is accepted under any scheme.",
         keys.credentials(lambda words: words[1] if len(words) == 2 else None)),
        ("auth.scheme.408", 2, "The scheme Basic gets 408, whenever it is sent.",
         keys.unauthorised(keys.basic, lambda: error(408, "Not in time."))),
        ("auth.scheme.503", 2, "The scheme Basic gets 503 with Retry-After, whenever it is sent.",
         keys.unauthorised(keys.basic, told_to_wait))),
    *breaks("auth.scheme.missing",
        ("auth.scheme.none", 2, "The key is accepted without a scheme.",
         keys.credentials(lambda words: words[0] if len(words) == 1 else None)),
        ("auth.scheme.seven", 4, "The first seven characters are taken for the scheme and a space (getodk/central-backend#849).",
         keys.credentials(lambda words: words[0][7:] if words[0].startswith("Bearer") else None))),
    # The 401
    *breaks("auth.untraced",
        ("auth.stored", 3, "An animal whose create request returns 401 is stored anyway.",
         Steps(respond=keys.kept_although_unauthorised)),
        ("auth.stored.draft", 3, "An animal whose create request returns 401 is stored as a draft, and named so.",
         Steps(respond=partial(keys.kept_although_unauthorised, name="{} (draft)".format)))),
    *breaks("auth.key.valid",
        ("auth.rejects.after-wrong", 3, "After a wrong key, the next request returns 401.", keys.locking),
        ("auth.rejects.sometimes", 4, "Every twenty-fifth request with a key returns 401.",
         sometimes(25, Steps(authenticate=lambda *_: False), lambda call: not keys.keyless(call)))),
    *breaks("list.status.accepted",
        ("auth.rejects.filter", 2, "The key may list animals, but a filter returns 403.",
         refusing("list_pets", 403, lambda call: call.parameters("status")))),
    *breaks("auth.challenge",
        ("auth.no-challenge", 1, "A 401 has no WWW-Authenticate header.",
         answers(401, lambda reply: without_header(reply, "WWW-Authenticate"))),
        ("auth.basic-challenge", 1, "A 401 asks for the scheme Basic, the default of many web servers.",
         answers(401, lambda reply: with_headers(reply, WWW_Authenticate='Basic realm="animals"')))),
    *breaks("methods.allow",
        ("methods.no-allow", 2, "A 405 has no Allow header.",
         answers(405, lambda reply: without_header(reply, "Allow")))),
    # What comes before the key
    *breaks("auth.first",
        ("auth.after.body", 2, "The body of a create request is checked before the key.",
         Steps(authenticate=partial(keys.check_first, of="createPet",
             check=lambda service, call: service.read_payload(service.decode(call.body))))),
        ("auth.after.parameters", 2, "The parameters of a list request are checked before the key.",
         Steps(authenticate=partial(keys.check_first, of="listPets",
             check=lambda service, call: service.list_pets(call)))),
        ("auth.after.finding", 2, "An animal is looked up before the key is checked.",
         Steps(authenticate=partial(keys.check_first, of="getPet", check=lambda service, call: (
             service.find(service.read_pet_id(call.pet_id))
             or refuse(404, "No animal has this identifier."))))),
        ("auth.after.limit-type", 2, "A limit that is a word is rejected before the key is checked.",
         refusing("authenticate", 400, lambda call: (
             any(map(str.isalpha, call.parameters("limit"))))))),
    # The address
    *breaks("version.path",
        ("version.none", 1, "The base address ends without a version.",
         Steps(settings={"base_path": "/api"}))),
]  # fmt: skip
