"""Faults of the status filter ('List animals', row status, rule 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Refusal, Reply
from animal_conformance.reference.service import ReadFilter, Respond, Select, Service
from animal_conformance.reference.tools import EVERYTHING, every, marked, refuse, unstated

Install: TypeAlias = Callable[[Service], None]


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 1, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _integer(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 1000 else None


def _filter_refused(*refused: str) -> Wrap[ReadFilter]:
    return lambda inner: (
        lambda values: (
            refuse(400, "This status is not supported.") if set(values) & set(refused) else inner(values)
        )
    )


def _leaking(when: Callable[[int], object], *, first: bool = False) -> Wrap[Select]:
    """One animal of another status stands in filtered lists, at their end or, with first, their head."""

    def wrap(inner: Select) -> Select:
        def select(limit: int, status: str | None) -> list[Animal]:
            animals = inner(limit, status)
            if status is None or not when(limit):
                return animals
            others = [animal for animal in inner(EVERYTHING, None) if animal.status != status][:1]
            if first:
                return (others + animals)[:limit]
            return animals[: limit - 1] + others

        return select

    return wrap


def _sometimes_leaking(inner: Select) -> Select:
    leaks = every(8)
    return _leaking(lambda _: leaks())(inner)


def _cached_by_limit(inner: Select) -> Select:
    """A filtered list that is full is kept, and answers the next one with the same limit."""
    kept: dict[int, list[Animal]] = {}

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = inner(limit, status)
        if status is None or len(animals) < limit:
            return animals
        if limit in kept:
            return kept.pop(limit)
        kept[limit] = animals
        return animals

    return select


def _leaked(when: Callable[[int, Payload, Call], object]) -> Install:
    """Created animals for which that holds stand in every filtered list."""

    def install(service: Service) -> None:
        ids, inner = marked(service, when), service.select

        def select(limit: int, status: str | None) -> list[Animal]:
            animals = inner(EVERYTHING, None)
            return [a for a in animals if status in (None, a.status) or a.id in ids][:limit]

        service.select = select

    return install


def _both_refused(when: Callable[[int], object], status: int) -> Wrap[Respond]:
    def wrap(inner: Respond) -> Respond:
        def answer(call: Call) -> Reply:
            limit = _integer((call.parameters("limit") or [""])[0])
            if limit is not None and 1 <= limit <= 100 and when(limit) and call.parameters("status"):
                refuse(status, "limit cannot be combined with status.")
            return inner(call)

        return answer

    return wrap


def _unknown_empty(inner: Respond) -> Respond:
    def answer(call: Call) -> Reply:
        try:
            return inner(call)
        except Refusal as refusal:
            if refusal.code == "invalid_status":
                return Reply(200, [])
            raise

    return answer


_FILTER = "list.status.filter"
_ACCEPTED, _UNKNOWN = "list.status.accepted", "list.status.unknown-refused"


FAULTS = [
    _fault(
        "filter.sold-refused",
        _ACCEPTED,
        "The status filter sold is refused.",
        read_filter=_filter_refused("sold"),
    ),
    _fault(
        "filter.pending-refused",
        _ACCEPTED,
        "The status filter pending is refused.",
        read_filter=_filter_refused("pending"),
    ),
    _fault(
        "filter.upper-case",
        _ACCEPTED,
        "The status filter is accepted in upper case only.",
        read_filter=lambda inner: (
            lambda values: (
                inner([value.lower() for value in values])
                if all(value.isupper() for value in values)
                else refuse(400, "status must be one of AVAILABLE, PENDING, SOLD.")
            )
        ),
    ),
    _fault(
        "filter.with-limit-refused",
        "list.combined",
        "limit and status together are refused.",
        list_pets=_both_refused(lambda _: True, 400),
    ),
    _fault(
        "filter.with-large-limit-refused",
        "list.combined",
        "status and a limit above 20 together are refused.",
        depth=2,
        list_pets=_both_refused(lambda limit: limit > 20, 422),
    ),
    _fault(
        "filter.ignored",
        _FILTER,
        "The status filter is ignored.",
        select=lambda inner: lambda limit, _: inner(limit, None),
    ),
    _fault(
        "filter.ignored-with-limit",
        _FILTER,
        "The status filter is ignored where there is a limit.",
        depth=2,
        list_pets=lambda inner: (
            lambda call: inner(_without_filter(call) if call.parameters("limit") else call)
        ),
    ),
    _fault(
        "list.filter.leak",
        _FILTER,
        "A filtered list ends with one animal of another status.",
        select=_leaking(lambda _: True),
    ),
    _fault(
        "filter.leak.large-page",
        _FILTER,
        "A filtered list with a limit of 100 begins with one animal of another status.",
        depth=4,
        select=_leaking(lambda limit: limit == 100, first=True),
    ),
    _fault(
        "filter.leak.sometimes",
        _FILTER,
        "Every eighth filtered list has one animal of another status.",
        depth=4,
        select=_sometimes_leaking,
    ),
    _fault(
        "filter.leak.created",
        _FILTER,
        "Animals that were created since the start stand in every filtered list.",
        depth=3,
        install=_leaked(lambda *_: True),
    ),
    _fault(
        "filter.leak.unstated",
        _FILTER,
        "Animals that were created without a status stand in every filtered list.",
        depth=3,
        install=_leaked(unstated),
    ),
    _fault(
        "filter.cached",
        _FILTER,
        "A filtered list is answered with the last one of the same length, whatever its status.",
        depth=3,
        select=_cached_by_limit,
    ),
    _fault(
        "filter.unknown-ignored",
        _UNKNOWN,
        "A status filter outside the three values is ignored.",
        read_filter=lambda inner: (
            lambda values: None if values and values[0] not in STATUSES else inner(values)
        ),
    ),
    _fault(
        "filter.unknown-empty",
        _UNKNOWN,
        "A status filter outside the three values yields an empty list.",
        list_pets=_unknown_empty,
    ),
]


def _without_filter(call: Call) -> Call:
    call.query = [(name, value) for name, value in call.query if name != "status" or value not in STATUSES]
    return call
