"""Faults of authentication, and of the address ('Authentication', 'Versioning')."""

from __future__ import annotations

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms import credentials as keys
from animal_conformance.reference.mechanisms.answers import answers, error, with_headers, without_header
from animal_conformance.reference.mechanisms.common import always, refuse, refusing, sometimes
from animal_conformance.reference.mechanisms.connections import riding
from animal_conformance.reference.mechanisms.credentials import keyless
from animal_conformance.reference.model import Reply

_LIST, _GET = "auth.missing.list", "auth.missing.get"
_MISSING = (_LIST, "auth.missing.create", _GET)
_OTHER_SCHEME, _NO_SCHEME = "auth.scheme.other", "auth.scheme.missing"

FAULTS = [
    # No key
    *breaks(_LIST, 1, own).rows(
        ("auth.open.list", "listPets requires no key.",
         keys.accepted(lambda call: call.operation == "listPets")),
        ("auth.missing.nothing",
         "listPets without a key returns an empty list: an anonymous client owns nothing.",
         keys.unauthorised(
             lambda call: keyless(call) and call.operation == "listPets", lambda: Reply(200, [])))),
    *breaks("auth.missing.create", 1, keys.accepted).rows(
        ("auth.open.create", "createPet requires no key.", lambda call: call.operation == "createPet")),
    *breaks(_GET, 1, keys.accepted).rows(
        ("auth.open.get", "getPet requires no key.", lambda call: call.operation == "getPet")),
    *breaks(_LIST, 2, keys.accepted).rows(
        ("auth.open.filtered",
         "A list request with a status requires no key: a public page is built from it.",
         lambda call: call.operation == "listPets" and call.parameters("status"))),
    *breaks(_MISSING, 1, own).rows(
        ("auth.open", "No operation requires a key.", keys.accepted(always)),
        ("auth.missing.403", "A missing key returns 403, as in older FastAPI.",
         keys.unauthorised(keyless, lambda: error(403, "Not authenticated")))),
    *breaks(_LIST, 3, own).rows(
        ("auth.missing.cached",
         "listPets without a key succeeds if the same request was just made with a key.",
         keys.cached)),
    *breaks(_LIST, 4, own).rows(
        ("auth.missing.beside", "listPets without a key succeeds while a request with a key is in flight.",
         riding)),
    *breaks(_MISSING, 3, own).rows(
        ("auth.missing.connection", "On a connection that has sent the key, later requests need no key.",
         keys.by_connection)),
    # Another key
    *breaks("auth.key.empty", 2, own).rows(
        ("auth.empty", "An empty token is accepted.", keys.accepted(keys.tokenless)),
        ("auth.empty.403", "An empty token returns 403.",
         keys.unauthorised(keys.tokenless, lambda: error(403, "Not authenticated")))),
    *breaks("auth.key.wrong", 1, own).rows(
        ("auth.any", "Any token is accepted.", keys.compared(always)),
        ("auth.wrong.403", "A wrong key returns 403.", Steps(respond=keys.strangers_forbidden))),
    *breaks("auth.key.wrong", 3, keys.accepted).rows(
        ("auth.any.unfiltered", "A list request without parameters accepts any token.",
         lambda call: call.authorization and call.operation == "listPets" and not call.query)),
    *breaks("auth.key.wrong", 2, keys.compared).rows(
        ("auth.first-half", "Of keys of the right length, only the first half is compared.",
         lambda given, key: len(given) == len(key) and given.startswith(key[: len(key) // 2])),
        ("auth.quoted", "A token that ends a text in SQL is accepted.", lambda given, _: given.startswith("' OR ")),
        ("auth.pattern", "A token is compared as a pattern, as by SQL's LIKE.", lambda given, _: given == "%")),
    *breaks("auth.key.wrong", 2, keys.compared, besides=("auth.key.case",)).rows(
        ("auth.middle", "Of keys of the right length, only the first and the last character are compared.",
         lambda given, key: len(given) == len(key) and given[0] == key[0] and given[-1] == key[-1])),
    *breaks("auth.key.longer", 2, keys.compared).rows(
        ("auth.longer", "A token that starts with the key is accepted.", str.startswith),
        ("auth.longer.quoted", "Quotation marks around a token are removed.",
         lambda given, key: given.strip('"') == key),
        ("auth.longer.tail", "What follows a full stop behind the key is not compared, as if it was a signature.",
         lambda given, key: given.rpartition(".")[0] == key)),
    *breaks("auth.key.shorter", 2, keys.compared).rows(
        ("auth.shorter.part", "Any part of at least half of the key is accepted.",
         lambda given, key: given in key and 2 * len(given) >= len(key))),
    *breaks("auth.key.shorter", 4, keys.compared).rows(
        ("auth.shorter.last", "The key is accepted without its last character.",
         lambda given, key: given == key[:-1])),
    *breaks("auth.key.case", 2, own).rows(
        ("auth.case", "Keys are compared case-insensitively.", keys.compared(keys.recased)),
        ("auth.case.get", "getPet compares keys case-insensitively, as its database does.",
         Steps(authenticate=lambda before, call: before(call) or (
             call.operation == "getPet"
             and keys.recased(call.authorization or "", f"Bearer {before.service.key}"))))),
    # Another scheme
    *breaks(_OTHER_SCHEME, 2, keys.credentials).rows(
        ("auth.scheme.any", "The key is accepted under any scheme.",
         lambda words: words[1] if len(words) == 2 else None),
        ("auth.scheme.basic-encoded",
         "The key is accepted as the user name of the scheme Basic, for the sake of another client.",
         keys.basic_user)),
    *breaks(_NO_SCHEME, 2, keys.credentials).rows(
        ("auth.scheme.none", "The key is accepted without a scheme.",
         lambda words: words[0] if len(words) == 1 else None)),
    *breaks((_OTHER_SCHEME, _NO_SCHEME), 2, keys.credentials).rows(
        ("auth.scheme.last-word", "Only the last word of the Authorization header is checked.",
         lambda words: words[-1] if words else None)),
    # What becomes of 401
    *breaks("auth.untraced", 3, keys.kept_although_unauthorised).rows(
        ("auth.stored", "An animal whose create request returns 401 is stored anyway.", lambda _: True),
        ("auth.stored.missing-key",
         "An animal whose create request has no key is stored anyway, despite the 401.",
         keyless)),
    *breaks("auth.key.valid", 4, sometimes).rows(
        ("auth.rejects.sometimes", "Every twenty-fifth request with a key returns 401.",
         25, Steps(authenticate=lambda *_: False), lambda call: not keyless(call))),
    *breaks("auth.key.valid", 3, own).rows(
        ("auth.rejects.after-wrong", "After a wrong key, the next request returns 401.", keys.locking)),
    *breaks("list.status.accepted", 2, refusing).rows(
        ("auth.rejects.filter", "The key may list animals, but a filter returns 403.",
         "list_pets", 403, lambda call: call.parameters("status"))),
    *breaks("auth.challenge", 1, answers).rows(
        ("auth.no-challenge", "A 401 has no WWW-Authenticate header.",
         401, lambda reply: without_header(reply, "WWW-Authenticate")),
        ("auth.basic-challenge", "A 401 asks for the scheme Basic, the default of many web servers.",
         401, lambda reply: with_headers(reply, WWW_Authenticate='Basic realm="animals"'))),
    *breaks("methods.allow", 2, answers).rows(
        ("methods.no-allow", "A 405 has no Allow header.",
         405, lambda reply: without_header(reply, "Allow"))),
    # What comes before the key
    *breaks("auth.first", 2, keys.checked_first).rows(
        ("auth.after.body", "The body of a create request is checked before the key.",
         "createPet", lambda service, call: service.read_payload(service.decode(call.body))),
        ("auth.after.parameters", "The parameters of a list request are checked before the key.",
         "listPets", lambda service, call: (
             service.read_limit(call.parameters("limit")), service.read_filter(call.parameters("status")))),
        ("auth.after.id", "A petId is parsed before the key is checked.",
         "getPet", lambda service, call: service.read_pet_id(call.pet_id)),
        ("auth.after.finding",
         "An animal is looked up before the key is checked.", "getPet", lambda service, call: (
             service.find(service.read_pet_id(call.pet_id))
             or refuse(404, "No animal has this identifier.")))),
    *breaks("auth.first", 2, refusing).rows(
        ("auth.after.limit-type", "A limit that is a word is rejected before the key is checked.",
         "authenticate", 400, lambda call: any(each.isalpha() for each in call.parameters("limit"))),
        ("auth.after.no-body", "A create request without a body is rejected before the key is checked.",
         "authenticate", 400, lambda call: call.operation == "createPet" and not call.body)),
    # The address
    *breaks("version.path", 1, own).rows(
        ("version.none", "The base address ends without a version.", Steps(settings={"base_path": "/api"}))),
]  # fmt: skip
