"""Faults of authentication, and of the address ('Authentication', 'Versioning')."""

from __future__ import annotations

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import credentials as keys
from animal_conformance.reference.mechanisms.answers import answers, error, with_headers, without_header
from animal_conformance.reference.mechanisms.common import always, refuse, refusing, sometimes
from animal_conformance.reference.model import Reply

_LIST, _GET = "auth.missing.list", "auth.missing.get"

_MISSING = (_LIST, "auth.missing.create", _GET)

_OTHER_SCHEME, _NO_SCHEME = "auth.scheme.other", "auth.scheme.missing"

FAULTS = [
    # No key
    *breaks(_LIST, 1,
        ("auth.open.list", "listPets requires no key.",
         keys.accepted(lambda call: call.operation == "listPets")),
        ("auth.missing.nothing",
         "listPets without a key returns an empty list: an anonymous client owns nothing.",
         keys.unauthorised(
             lambda call: keys.keyless(call) and call.operation == "listPets", lambda: Reply(200, [])))),
    *breaks("auth.missing.create", 1,
        ("auth.open.create", "createPet requires no key.",
         keys.accepted(lambda call: call.operation == "createPet"))),
    *breaks(_GET, 1,
        ("auth.open.get", "getPet requires no key.", keys.accepted(lambda call: call.operation == "getPet"))),
    *breaks(_LIST, 2,
        ("auth.open.filtered",
         "A list request with a status requires no key: a public page is built from it.",
         keys.accepted(lambda call: call.operation == "listPets" and call.parameters("status")))),
    *breaks(_MISSING, 1,
        ("auth.open", "No operation requires a key.", keys.accepted(always)),
        ("auth.missing.403", "A missing key returns 403, as in older FastAPI.",
         keys.unauthorised(keys.keyless, lambda: error(403, "Not authenticated")))),
    *breaks(_MISSING, 3,
        ("auth.missing.connection", "On a connection that has sent the key, later requests need no key.",
         keys.by_connection)),
    # Another key
    *breaks("auth.key.empty", 2,
        ("auth.empty", "An empty token is accepted.", keys.accepted(keys.tokenless))),
    *breaks("auth.key.wrong", 1,
        ("auth.any", "Any token is accepted.", keys.compared(always)),
        ("auth.wrong.403", "A wrong key returns 403.", Steps(respond=keys.strangers_forbidden))),
    *breaks("auth.key.wrong", 3,
        ("auth.any.unfiltered", "A list request without parameters accepts any token.",
         keys.accepted(lambda call: call.authorization and call.operation == "listPets" and not call.query))),
    *breaks("auth.key.wrong", 2,
        ("auth.first-half", "Of keys of the right length, only the first half is compared.",
         keys.compared(lambda given, key: len(given) == len(key) and given.startswith(key[: len(key) // 2]))),
        ("auth.quoted", "A token that ends a text in SQL is accepted.",
         keys.compared(lambda given, _: given.startswith("' OR ")))),
    *breaks("auth.key.longer", 2,
        ("auth.longer", "A token that starts with the key is accepted.", keys.compared(str.startswith)),
        ("auth.longer.quoted", "Quotation marks around a token are removed.",
         keys.compared(lambda given, key: given.strip('"') == key))),
    *breaks("auth.key.shorter", 4,
        ("auth.shorter.last", "The key is accepted without its last character.",
         keys.compared(lambda given, key: given == key[:-1]))),
    *breaks("auth.key.case", 2,
        ("auth.case.get", "getPet compares keys case-insensitively, as its database does.",
         Steps(authenticate=keys.recased_to_get))),
    # Another scheme
    *breaks(_OTHER_SCHEME, 2,
        ("auth.scheme.any", "The key is accepted under any scheme.",
         keys.credentials(lambda words: words[1] if len(words) == 2 else None))),
    *breaks(_NO_SCHEME, 2,
        ("auth.scheme.none", "The key is accepted without a scheme.",
         keys.credentials(lambda words: words[0] if len(words) == 1 else None))),
    # What becomes of 401
    *breaks("auth.untraced", 3,
        ("auth.stored", "An animal whose create request returns 401 is stored anyway.",
         Steps(respond=keys.kept_although_unauthorised))),
    *breaks("auth.key.valid", 4,
        ("auth.rejects.sometimes", "Every twenty-fifth request with a key returns 401.",
         sometimes(25, Steps(authenticate=lambda *_: False), lambda call: not keys.keyless(call)))),
    *breaks("auth.key.valid", 3,
        ("auth.rejects.after-wrong", "After a wrong key, the next request returns 401.", keys.locking)),
    *breaks("list.status.accepted", 2,
        ("auth.rejects.filter", "The key may list animals, but a filter returns 403.",
         refusing("list_pets", 403, lambda call: call.parameters("status")))),
    *breaks("auth.challenge", 1,
        ("auth.no-challenge", "A 401 has no WWW-Authenticate header.",
         answers(401, lambda reply: without_header(reply, "WWW-Authenticate"))),
        ("auth.basic-challenge", "A 401 asks for the scheme Basic, the default of many web servers.",
         answers(401, lambda reply: with_headers(reply, WWW_Authenticate='Basic realm="animals"')))),
    *breaks("methods.allow", 2,
        ("methods.no-allow", "A 405 has no Allow header.",
         answers(405, lambda reply: without_header(reply, "Allow")))),
    # What comes before the key
    *breaks("auth.first", 2,
        ("auth.after.body", "The body of a create request is checked before the key.",
         keys.checked_first("createPet", lambda service, call: service.read_payload(service.decode(call.body)))),
        ("auth.after.finding", "An animal is looked up before the key is checked.",
         keys.checked_first("getPet", lambda service, call: (
             service.find(service.read_pet_id(call.pet_id))
             or refuse(404, "No animal has this identifier.")))),
        ("auth.after.limit-type", "A limit that is a word is rejected before the key is checked.",
         refusing("authenticate", 400, lambda call: any(each.isalpha() for each in call.parameters("limit"))))),
    # The address
    *breaks("version.path", 1,
        ("version.none", "The base address ends without a version.", Steps(settings={"base_path": "/api"}))),
]  # fmt: skip
