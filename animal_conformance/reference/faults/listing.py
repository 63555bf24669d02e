"""Faults of listPets ('List animals')."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any, TypeAlias

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Refusal, Reply
from animal_conformance.reference.service import DEFAULT, ReadFilter, ReadLimit, Respond, Select, Service
from animal_conformance.reference.tools import (
    EVERYTHING,
    as_value,
    every,
    hidden,
    refuse,
    succeeded,
    with_headers,
)

Install: TypeAlias = Callable[[Service], None]


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 1, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _integer(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 1000 else None


def _limit(alter: Callable[[str, Callable[[], int]], int]) -> Wrap[ReadLimit]:
    """Read a limit that is given once; the second argument reads it correctly."""
    return lambda inner: (
        lambda values: alter(values[0], lambda: inner(values)) if len(values) == 1 else inner(values)
    )


def _limit_where(when: Callable[[int], object], value: int | Callable[[int], int]) -> Wrap[ReadLimit]:
    """Read other limits for integers."""

    def alter(text: str, read: Callable[[], int]) -> int:
        limit = _integer(text)
        if limit is None or not when(limit):
            return read()
        return value(limit) if callable(value) else value

    return _limit(alter)


def _limit_refused(when: Callable[[int], object]) -> Wrap[ReadLimit]:
    return lambda inner: (
        lambda values: refuse(400, "This limit is not supported.") if when(limit := inner(values)) else limit
    )


def _selected(alter: Callable[[int, str | None], int]) -> Wrap[Select]:
    """Select as if another limit had been given."""
    return lambda inner: lambda limit, status: inner(alter(limit, status), status)


def _bare(answer: Callable[[Respond, Call], Reply]) -> Wrap[Respond]:
    """Answer listings without any parameter in another way."""
    return lambda inner: lambda call: inner(call) if call.query else answer(inner, call)


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


def _frozen(inner: Select) -> Select:
    answers: dict[str | None, list[Animal]] = {}

    def select(limit: int, status: str | None) -> list[Animal]:
        if status not in answers:
            answers[status] = inner(EVERYTHING, status)
        return answers[status][:limit]

    return select


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


def _remembered(inner: ReadLimit) -> ReadLimit:
    """A listing without a limit is given the limit of the last one that had one."""
    last = 20

    def read(values: list[str]) -> int:
        nonlocal last
        if values:
            last = inner(values)
        return last

    return read


def _kept_pages(service: Service) -> None:
    """Until an animal is created, a page is kept by its filter alone, without its limit."""
    pages: dict[str | None, list[Animal]] = {}
    select_, insert_ = service.select, service.insert

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = select_(limit, status)
        # 20 may be the default limit, and what exceeds that breaks another clause.
        if limit == DEFAULT or len(animals) >= len(pages.get(status, ())):
            pages[status] = animals
            return animals
        return pages[status]

    def insert(payload: Payload, call: Call) -> Animal:
        pages.clear()
        return insert_(payload, call)

    service.select, service.insert = select, insert


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


def _sometimes_more(inner: Select) -> Select:
    more = every(11)
    return lambda limit, status: inner(limit + more(), status)


def _marked(service: Service, when: Callable[[int, Payload, Call], object]) -> set[int]:
    """The ids of created animals for which that holds, growing; the first argument counts creations."""
    ids: set[int] = set()
    numbers, inner = itertools.count(), service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        animal = inner(payload, call)
        if when(next(numbers), payload, call):
            ids.add(animal.id)
        return animal

    service.insert = insert
    return ids


def _lost(when: Callable[[int, Payload, Call], object], *, filtered: bool = False) -> Install:
    """Created animals for which that holds do not stand in lists; or, with filtered, in filtered ones."""

    def install(service: Service) -> None:
        ids = _marked(service, when)
        service.select = hidden(lambda animal, status: animal.id in ids and (status or not filtered))(
            service.select
        )

    return install


def _leaked(when: Callable[[int, Payload, Call], object]) -> Install:
    """Created animals for which that holds stand in every filtered list."""

    def install(service: Service) -> None:
        ids, inner = _marked(service, when), service.select

        def select(limit: int, status: str | None) -> list[Animal]:
            animals = inner(EVERYTHING, None)
            return [a for a in animals if status in (None, a.status) or a.id in ids][:limit]

        service.select = select

    return install


def _unstated(_number: int, _payload: Payload, call: Call) -> bool:
    """Whether a creation leaves its status out."""
    return b'"status"' not in call.body


def _newest_hidden(inner: Select) -> Select:
    def select(limit: int, status: str | None) -> list[Animal]:
        newest = inner(1, None)
        return [animal for animal in inner(limit + 1, status) if animal not in newest][:limit]

    return select


def _lost_categories(service: Service) -> None:
    """An inner join with the categories of the catalogue."""
    categories: set[int] = set()

    def unlisted(animal: Animal, _: str | None) -> bool:
        if not categories:
            categories.update(a.category_id for a in service.store.everything() if a.id <= 120)
        return animal.category_id not in categories

    service.select = hidden(unlisted)(service.select)


def _namesakes(inner: Select) -> Select:
    """Animals are grouped by their names."""

    def select(limit: int, status: str | None) -> list[Animal]:
        return list({animal.name: animal for animal in inner(EVERYTHING, status)}.values())[:limit]

    return select


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


_MAXIMUM = "list.limit.maximum"
_BELOW, _ABOVE = "list.limit.below-refused", "list.limit.above-refused"
_LETTERS, _RESPECTED = "list.limit.non-integer-refused", "list.limit.respected"
_DEFAULT, _FILTER = "list.limit.default", "list.status.filter"
_COMPLETE, _FILTER_COMPLETE = "list.complete", "list.status.complete"
_ACCEPTED, _UNKNOWN = "list.status.accepted", "list.status.unknown-refused"


def _lists(name: str, clause: str, sentence: str, alter: Callable[[Any], Any]) -> Fault:
    return _fault(
        name, clause, sentence, list_pets=succeeded(lambda reply: as_value(reply, alter(reply.value)))
    )


_ANSWERS = [
    _fault(
        "list.bare.refused",
        "list.answer",
        "A listing without any parameter is refused.",
        list_pets=_bare(lambda *_: refuse(400, "Give at least one parameter.")),
    ),
    _fault(
        "list.bare.partial",
        "list.answer",
        "A listing without any parameter is answered with 206, as there are further pages.",
        list_pets=_bare(lambda inner, call: Reply(206, inner(call).value)),
    ),
    _fault(
        "list.bare.redirected",
        "list.answer",
        "A listing without any parameter is redirected to one with a limit.",
        list_pets=_bare(lambda *_: with_headers(Reply(307, None), Location="pets?limit=20")),
    ),
    _fault(
        "list.limit.required",
        ("list.answer", _ACCEPTED),
        "A listing without limit is refused, filtered or not.",
        read_limit=lambda inner: (
            lambda values: inner(values) if values else refuse(400, "limit is required.")
        ),
    ),
    _lists(
        "list.wrapped.items", "list.array", "A list is an object with items.", lambda value: {"items": value}
    ),
    _lists(
        "list.wrapped.page",
        "list.array",
        "A list is an object with data and the number of animals.",
        lambda value: {"data": value, "total": len(value)},
    ),
    _lists(
        "list.by-id",
        "list.array",
        "A list is an object whose properties are the ids, as of a PHP array with keys.",
        lambda value: {str(animal["id"]): animal for animal in value},
    ),
    _lists("list.string", "list.array", "A list is a string that holds JSON.", json.dumps),
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

_LIMITS = [
    _fault(
        "limit.hundred-refused",
        "list.limit.accepted",
        "A limit of 100 is refused.",
        depth=4,
        read_limit=_limit_refused(lambda limit: limit == 100),
    ),
    _fault(
        "limit.one-refused",
        "list.limit.accepted",
        "A limit of 1 is refused.",
        depth=4,
        read_limit=_limit_refused(lambda limit: limit == 1),
    ),
    _fault(
        "limit.above-fifty-refused",
        "list.limit.accepted",
        "A limit above 50 is refused.",
        depth=2,
        read_limit=_limit_refused(lambda limit: limit > 50),
    ),
    _fault(
        "limit.uneven-refused",
        "list.limit.accepted",
        "Only limits that fill rows of five, and those below five, are accepted.",
        depth=2,
        read_limit=_limit_refused(lambda limit: limit > 5 and limit % 5),
    ),
    _fault(
        "limit.default-21",
        _DEFAULT,
        "Without a limit, 21 animals are returned: the one that tells of a next page is not taken away.",
        read_limit=lambda inner: lambda values: inner(values) if values else 21,
    ),
    _fault(
        "limit.default-25",
        _DEFAULT,
        "Without a limit, 25 animals are returned.",
        read_limit=lambda inner: lambda values: inner(values) if values else 25,
    ),
    _fault(
        "limit.default-100",
        _DEFAULT,
        "Without a limit, 100 animals are returned.",
        read_limit=lambda inner: lambda values: inner(values) if values else 100,
    ),
    _fault(
        "limit.default-unbounded",
        _DEFAULT,
        "Without a limit, every animal is returned.",
        read_limit=lambda inner: lambda values: inner(values) if values else EVERYTHING,
    ),
    _fault(
        "limit.default-forgotten-with-filter",
        _DEFAULT,
        "With a filter and without a limit, up to 100 animals are returned.",
        list_pets=lambda inner: (
            lambda call: inner(
                call
                if call.parameters("limit") or not call.parameters("status")
                else _with_limit(call, "100")
            )
        ),
    ),
    _fault(
        "limit.default-remembered",
        _DEFAULT,
        "Without a limit, that of the last listing is taken.",
        depth=3,
        read_limit=_remembered,
    ),
    _fault(
        "limit.ignored",
        _RESPECTED,
        "The limit is ignored: 20 animals are returned.",
        select=_selected(lambda _limit, _status: 20),
    ),
    _fault(
        "limit.one-more",
        _RESPECTED,
        "One animal more than limit is returned.",
        read_limit=_limit(lambda _, read: read() + 1),
    ),
    _fault(
        "limit.one-more.at-100",
        _RESPECTED,
        "A limit of 100 yields 101 animals.",
        depth=4,
        read_limit=_limit(lambda _, read: limit + 1 if (limit := read()) == 100 else limit),
    ),
    _fault(
        "limit.one-more.at-1",
        _RESPECTED,
        "A limit of 1 yields two animals.",
        depth=4,
        read_limit=_limit(lambda _, read: limit + 1 if (limit := read()) == 1 else limit),
    ),
    _fault(
        "limit.one-more.sometimes",
        _RESPECTED,
        "Every eleventh list has one animal too many.",
        depth=4,
        select=_sometimes_more,
    ),
    _fault(
        "limit.forgotten-with-filter",
        _RESPECTED,
        "With a filter the limit is forgotten: up to 20 animals are returned.",
        depth=2,
        select=_selected(lambda limit, status: limit if status is None else max(limit, 20)),
    ),
    _fault(
        "limit.rounded-up",
        _RESPECTED,
        "The limit is rounded up to whole tens.",
        depth=2,
        read_limit=_limit(lambda _, read: -(-read() // 10) * 10),
    ),
    _fault(
        "limit.above-fifty-unbounded",
        _RESPECTED,
        "A limit above 50 yields every animal.",
        depth=2,
        read_limit=_limit(lambda _, read: EVERYTHING if (limit := read()) > 50 else limit),
    ),
    _fault(
        "limit.page-kept",
        _RESPECTED,
        "A page is kept by its filter alone: a smaller limit gets the larger page that was read before it.",
        depth=3,
        install=_kept_pages,
    ),
    _fault(
        "limit.above-unbounded",
        (_MAXIMUM, _ABOVE),
        "Limits above 100 are followed.",
        read_limit=_limit_where(lambda limit: limit > 100, lambda limit: min(limit, EVERYTHING)),
    ),
    _fault(
        "limit.101-followed",
        (_MAXIMUM, _ABOVE),
        "A limit of 101 is followed.",
        depth=4,
        read_limit=_limit_where(lambda limit: limit == 101, 101),
    ),
    _fault(
        "limit.overflow-unbounded",
        (_MAXIMUM, _ABOVE),
        "A limit beyond 32 bits turns negative, and yields every animal.",
        depth=2,
        read_limit=_limit_where(lambda limit: limit >= 2**31, EVERYTHING),
    ),
    _fault(
        "limit.zero-unbounded",
        (_MAXIMUM, _BELOW),
        "A limit of 0 yields every animal.",
        depth=2,
        read_limit=_limit_where(lambda limit: limit == 0, EVERYTHING),
    ),
    _fault(
        "limit.negative-unbounded",
        (_MAXIMUM, _BELOW),
        "A negative limit yields every animal, as in SQLite.",
        depth=2,
        read_limit=_limit_where(lambda limit: limit < 0, EVERYTHING),
    ),
    _fault(
        "limit.letters-unbounded",
        (_MAXIMUM, _LETTERS),
        "A limit that is no number yields every animal.",
        depth=2,
        read_limit=_limit(lambda text, read: EVERYTHING if text.isalpha() else read()),
    ),
    _fault(
        "limit.empty-unbounded",
        _MAXIMUM,
        "An empty limit yields every animal.",
        depth=2,
        read_limit=_limit(lambda text, read: read() if text else EVERYTHING),
    ),
    _fault(
        "limit.above-clamped",
        _ABOVE,
        "A limit above 100 counts as 100.",
        read_limit=_limit_where(lambda limit: limit > 100, 100),
    ),
    _fault(
        "limit.zero-default",
        _BELOW,
        "A limit of 0 counts as none.",
        depth=2,
        read_limit=_limit_where(lambda limit: limit == 0, 20),
    ),
    _fault(
        "limit.negative-absolute",
        _BELOW,
        "A negative limit counts without its sign.",
        depth=2,
        read_limit=_limit_where(lambda limit: limit < 0, lambda limit: min(-limit, 100)),
    ),
    _fault(
        "limit.letters-ignored",
        _LETTERS,
        "A limit that is no number counts as none.",
        read_limit=_limit(lambda text, read: 20 if text.isalpha() else read()),
    ),
    _fault(
        "limit.fraction-cut",
        _LETTERS,
        "A limit such as 1.5 loses its fraction.",
        depth=2,
        read_limit=_limit(
            lambda text, read: (
                min(max(int(float(text)), 1), 100)
                if text.count(".") == 1 and text.replace(".", "").isdecimal()
                else read()
            )
        ),
    ),
]

_FILTERS = [
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
        install=_leaked(_unstated),
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

_LOSSES = [
    _fault(
        "list.lost.fourth",
        _COMPLETE,
        "Every fourth animal that is created is never listed.",
        depth=3,
        install=_lost(lambda number, *_: number % 4 == 3),
    ),
    _fault(
        "list.lost.newest",
        _COMPLETE,
        "The newest animal is not listed: lists begin with the second.",
        select=_newest_hidden,
    ),
    _fault(
        "list.lost.all",
        _COMPLETE,
        "Lists are kept from the first time on: what is created later is never listed.",
        select=_frozen,
    ),
    _fault(
        "list.lost.category",
        _COMPLETE,
        "Animals of a category that the catalogue does not have are never listed.",
        depth=2,
        install=_lost_categories,
    ),
    _fault(
        "list.lost.unstated",
        _COMPLETE,
        "Animals that were created without a status are never listed.",
        depth=2,
        install=_lost(_unstated),
    ),
    _fault(
        "list.lost.namesake",
        _COMPLETE,
        "Of animals with the same name one is listed.",
        depth=3,
        select=_namesakes,
    ),
    _fault(
        "list.lost.long-name",
        _COMPLETE,
        "Animals whose names have more than 50 characters are never listed.",
        depth=2,
        install=_lost(lambda _, payload, __: len(payload.name) > 50),
    ),
    _fault(
        "list.lost.sold",
        _COMPLETE,
        "Animals that are created as sold are never listed.",
        depth=2,
        install=_lost(lambda _, payload, __: payload.status == "sold"),
    ),
    _fault(
        "filter.lost.created",
        _FILTER_COMPLETE,
        "Animals that were created since the start do not stand in filtered lists.",
        install=_lost(lambda *_: True, filtered=True),
    ),
    _fault(
        "filter.lost.pending",
        _FILTER_COMPLETE,
        "Animals that were created as pending do not stand in the list of the pending.",
        depth=2,
        install=_lost(lambda _, payload, __: payload.status == "pending", filtered=True),
    ),
    _fault(
        "filter.lost.fifth",
        _FILTER_COMPLETE,
        "Every fifth animal that is created does not stand in filtered lists.",
        depth=3,
        install=_lost(lambda number, *_: number % 5 == 4, filtered=True),
    ),
    _fault(
        "filter.lost.unstated",
        _FILTER_COMPLETE,
        "Animals that were created without a status do not stand in the list of their status.",
        depth=2,
        install=_lost(_unstated, filtered=True),
    ),
]


def _with_limit(call: Call, limit: str) -> Call:
    call.query = [*call.query, ("limit", limit)]
    return call


def _without_filter(call: Call) -> Call:
    call.query = [(name, value) for name, value in call.query if name != "status" or value not in STATUSES]
    return call


FAULTS = [*_ANSWERS, *_LIMITS, *_FILTERS, *_LOSSES]
