"""Faults that ask for the key too late ('Authentication': the key comes before everything else)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import INT64_MAX, Call
from animal_conformance.reference.service import Authenticate, Service
from animal_conformance.reference.tools import refuse


def _fault(name: str, sentence: str, **steps: Any) -> Fault:
    return Fault(name=name, clauses=("auth.first",), depth=2, sentence=sentence, **steps)


def _validated_first(*operations: str) -> Callable[[Service], None]:
    """Refuse what is invalid before the key is asked for."""

    def install(service: Service) -> None:
        inner = service.authenticate

        def authenticate(call: Call) -> bool:
            if call.operation in operations:
                if call.operation == "listPets":
                    service.read_limit(call.parameters("limit"))
                    service.read_filter(call.parameters("status"))
                elif call.operation == "createPet":
                    service.read_payload(service.decode(call.body))
                else:
                    service.read_pet_id(call.pet_id)
            return inner(call)

        service.authenticate = authenticate

    return install


def _parsed_first(wrong: Callable[[Call], object]) -> Wrap[Authenticate]:
    """Refuse what cannot be read before the key is asked for."""
    return lambda inner: (
        lambda call: refuse(400, "This cannot be understood.") if wrong(call) else inner(call)
    )


def _beyond(call: Call) -> bool:
    return re.fullmatch("[0-9]{1,30}", call.pet_id) is not None and int(call.pet_id) > INT64_MAX


def _found_first(service: Service) -> None:
    inner = service.authenticate

    def authenticate(call: Call) -> bool:
        if call.operation == "getPet" and service.find(service.read_pet_id(call.pet_id)) is None:
            refuse(404, "No animal has this identifier.")
        return inner(call)

    service.authenticate = authenticate


FAULTS = [
    _fault(
        "auth.after.body",
        "The body of a creation is checked before the key.",
        install=_validated_first("createPet"),
    ),
    _fault(
        "auth.after.parameters",
        "The parameters of a listing are checked before the key.",
        install=_validated_first("listPets"),
    ),
    _fault(
        "auth.after.id",
        "A petId is read before the key.",
        install=_validated_first("getPet"),
    ),
    _fault(
        "auth.after.limit-type",
        "A limit that is a word is refused before the key is asked for.",
        authenticate=_parsed_first(lambda call: any(each.isalpha() for each in call.parameters("limit"))),
    ),
    _fault(
        "auth.after.limit-maximum",
        "A limit above 100 is refused before the key is asked for.",
        authenticate=_parsed_first(
            lambda call: any(
                re.fullmatch("1[0-9]{2}", each) and each > "100" for each in call.parameters("limit")
            )
        ),
    ),
    _fault(
        "auth.after.beyond",
        "A petId beyond int64 is refused before the key is asked for.",
        authenticate=_parsed_first(_beyond),
    ),
    _fault(
        "auth.after.no-body",
        "A creation without a body is refused before the key is asked for.",
        authenticate=_parsed_first(lambda call: call.operation == "createPet" and not call.body),
    ),
    _fault(
        "auth.after.array",
        "A body that is an array is refused before the key is asked for.",
        authenticate=_parsed_first(lambda call: call.operation == "createPet" and call.body.startswith(b"[")),
    ),
    _fault(
        "auth.after.name-type",
        "A number for a name is refused before the key is asked for.",
        authenticate=_parsed_first(lambda call: re.search(rb'"name": ?[0-9]', call.body)),
    ),
    _fault(
        "auth.after.finding",
        "An animal is looked for before the key is.",
        install=_found_first,
    ),
]
