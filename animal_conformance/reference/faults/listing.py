"""Faults of listPets, whatever its parameters ('List animals')."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import Animal, Call, Reply
from animal_conformance.reference.service import Respond, Select
from animal_conformance.reference.tools import (
    as_value,
    every,
    refuse,
    succeeded,
    with_headers,
)


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 1, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _bare(answer: Callable[[Respond, Call], Reply]) -> Wrap[Respond]:
    """Answer listings without any parameter in another way."""
    return lambda inner: lambda call: inner(call) if call.query else answer(inner, call)


def _doubled(pick: Callable[[Animal], object]) -> Wrap[Select]:
    """Animals for which that holds stand twice in a list."""
    return lambda inner: (
        lambda limit, status: [
            copy
            for animal in inner(limit, status)
            for copy in ([animal, animal] if pick(animal) else [animal])
        ][:limit]
    )


def _doubled_last(inner: Select) -> Select:
    """The last animal of a page stands there twice."""

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = inner(limit, status)
        if limit < 2 or not animals:
            return animals
        kept = animals[: limit - 1]
        return [*kept, kept[-1]]

    return select


def _doubled_sometimes(inner: Select) -> Select:
    doubles = every(9)

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = inner(limit, status)
        return (animals[:1] + animals)[:limit] if doubles() else animals

    return select


def _lists(name: str, clause: str, sentence: str, alter: Callable[[Any], Any]) -> Fault:
    return _fault(
        name, clause, sentence, list_pets=succeeded(lambda reply: as_value(reply, alter(reply.value)))
    )


FAULTS = [
    _fault(
        "list.bare.refused",
        "list.answer",
        "A listing without any parameter is refused.",
        list_pets=_bare(lambda *_: refuse(400, "Give at least one parameter.")),
    ),
    _fault(
        "list.bare.empty",
        "list.complete",
        "A listing without any parameter is empty.",
        list_pets=_bare(lambda *_: Reply(200, [])),
    ),
    _fault(
        "list.bare.redirected",
        "list.answer",
        "A listing without any parameter is redirected to one with a limit.",
        list_pets=_bare(lambda *_: with_headers(Reply(307, None), Location="pets?limit=20")),
    ),
    _fault(
        "list.limit.required",
        "list.answer",
        "A listing without limit is refused, filtered or not.",
        read_limit=lambda inner: (
            lambda values: inner(values) if values else refuse(400, "limit is required.")
        ),
    ),
    _lists(
        "list.wrapped.items", "list.array", "A list is an object with items.", lambda value: {"items": value}
    ),
    _fault(
        "list.single",
        "list.array",
        "A list of one animal is that animal, as where XML is turned into JSON.",
        depth=2,
        list_pets=succeeded(lambda reply: as_value(reply, reply.value[0]) if len(reply.value) == 1 else None),
    ),
    _fault(
        "list.doubled.last",
        "list.once",
        "The last animal of a page stands there twice.",
        select=_doubled_last,
    ),
    _fault(
        "list.doubled.join",
        "list.once",
        "Animals of large categories stand twice in a list, as after a join.",
        select=_doubled(lambda animal: animal.category_id >= 2**31),
    ),
    _fault(
        "list.doubled.sometimes",
        "list.once",
        "Every ninth list begins with the same animal twice.",
        depth=4,
        select=_doubled_sometimes,
    ),
]
