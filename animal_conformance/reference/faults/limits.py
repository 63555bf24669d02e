"""Faults of the limit of a list ('List animals', row limit; 'Limits')."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Reply
from animal_conformance.reference.service import DEFAULT, ReadLimit, Select, Service
from animal_conformance.reference.tools import EVERYTHING, every, refuse


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


def _sometimes_more(inner: Select) -> Select:
    more = every(11)
    # 20 may be the default limit, and what exceeds that breaks another clause.
    return lambda limit, status: inner(limit + (limit != DEFAULT and more()), status)


def _above_with_filter(service: Service) -> None:
    inner = service.list_pets

    def answer(call: Call) -> Reply:
        limits, statuses = call.parameters("limit"), call.parameters("status")
        limit = _integer(limits[0]) if len(limits) == len(statuses) == 1 else None
        if limit is None or limit <= 100 or statuses[0] not in STATUSES:
            return inner(call)
        animals = service.select(min(limit, EVERYTHING), statuses[0])
        return Reply(200, [service.represent(animal, "listPets") for animal in animals])

    service.list_pets = answer


_MAXIMUM = "list.limit.maximum"
_BELOW, _ABOVE = "list.limit.below-refused", "list.limit.above-refused"
_LETTERS, _RESPECTED = "list.limit.non-integer-refused", "list.limit.respected"
_DEFAULT = "list.limit.default"


FAULTS = [
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
        "limit.default-forgotten-when-pending",
        _DEFAULT,
        "With the filter pending and without a limit, up to 100 animals are returned; the store begins with a dozen.",
        depth=2,
        settings={"catalogue": 12},
        list_pets=lambda inner: (
            lambda call: inner(
                _with_limit(call, "100")
                if call.parameters("status") == ["pending"] and not call.parameters("limit")
                else call
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
        "Every eleventh list with a limit has one animal too many.",
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
        "limit.hundred-forgotten-with-filter",
        _RESPECTED,
        "With a filter a limit of 100 yields every animal of that status.",
        depth=4,
        select=_selected(lambda limit, status: EVERYTHING if status and limit == 100 else limit),
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
        "limit.above-followed-with-filter",
        (_MAXIMUM, _ABOVE),
        "With a filter, limits above 100 are followed.",
        depth=4,
        install=_above_with_filter,
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


def _with_limit(call: Call, limit: str) -> Call:
    call.query = [*call.query, ("limit", limit)]
    return call
