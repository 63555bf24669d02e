"""Variants in lists: their order, their length, and what becomes of invalid parameters.

The interface document leaves the order and the pagination open, and the answer to a limit outside 1
to 100 ('List animals', rule 2).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from animal_conformance.reference.changes import Variant, Wrap
from animal_conformance.reference.model import STATUSES, Animal, Call, Refusal, Reply
from animal_conformance.reference.service import ReadLimit, Respond, Select
from animal_conformance.reference.tools import EVERYTHING, refuse

_BELOW, _ABOVE = "list.limit.below-refused", "list.limit.above-refused"
_LETTERS, _UNKNOWN = "list.limit.non-integer-refused", "list.status.unknown-refused"


def _ordered(key: Callable[[Animal], str | int]) -> Wrap[Select]:
    return lambda inner: lambda limit, status: sorted(inner(EVERYTHING, status), key=key)[:limit]


def _oldest_first(inner: Select) -> Select:
    return lambda limit, status: inner(EVERYTHING, status)[::-1][:limit]


def _shuffled(inner: Select) -> Select:
    dice = random.Random(0)  # noqa: S311 - an order, not a secret

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = inner(EVERYTHING, status)
        return dice.sample(animals, min(limit, len(animals)))

    return select


def _random_pages(inner: Select) -> Select:
    dice = random.Random(0)  # noqa: S311 - a length, not a secret
    return lambda limit, status: inner(dice.randint(1, limit), status)


def _scanning(inner: Select) -> Select:
    """The limit counts the animals that are looked at, as in DynamoDB; the filter comes after it."""
    return lambda limit, status: [animal for animal in inner(limit, None) if status in (None, animal.status)]


def _answering(status: int) -> Wrap[Respond]:
    def wrap(inner: Respond) -> Respond:
        def answer(call: Call) -> Reply:
            try:
                return inner(call)
            except Refusal as refusal:
                if refusal.status == 400:
                    raise Refusal(status, refusal.code, refusal.message) from None
                raise

        return answer

    return wrap


def _known_parameters(inner: Respond) -> Respond:
    def answer(call: Call) -> Reply:
        if any(name not in {"limit", "status"} for name, _ in call.query):
            refuse(400, "There is a query parameter that is not known.")
        return inner(call)

    return answer


def _clamped(inner: ReadLimit) -> ReadLimit:
    def read(values: list[str]) -> int:
        digits = values[0].removeprefix("-") if len(values) == 1 else ""
        if digits.isascii() and digits.isdigit():
            return 1 if values[0].startswith("-") else min(max(int(digits[:9]), 1), 100)
        return inner(values)

    return read


def _forgiving(inner: ReadLimit) -> ReadLimit:
    def read(values: list[str]) -> int:
        try:
            return inner(values)
        except Refusal:
            return inner([])

    return read


def _lenient(inner: ReadLimit) -> ReadLimit:
    """Read +5, 05, 5.0 and a limit with space around it; take an empty one for none, the last of several."""

    def read(values: list[str]) -> int:
        text = values[-1].strip().removeprefix("+").removesuffix(".0").lstrip("0") if values else ""
        zeros = bool(values) and not text and bool(values[-1].strip())
        return inner(["0"] if zeros else [text] if text else [])

    return read


VARIANTS = [
    Variant(name="order.oldest-first", sentence="Lists begin with the oldest animal.", select=_oldest_first),
    Variant(
        name="order.name",
        sentence="Lists are in the order of the names.",
        select=_ordered(lambda animal: animal.name),
    ),
    Variant(
        name="order.category",
        sentence="Lists are in the order of the categories.",
        select=_ordered(lambda animal: animal.category_id),
    ),
    Variant(
        name="order.shuffled",
        sentence="Each list is in another order, and of other animals.",
        select=_shuffled,
    ),
    Variant(
        name="pages.ten",
        sentence="A page never has more than 10 animals.",
        select=lambda inner: lambda limit, status: inner(min(limit, 10), status),
    ),
    Variant(
        name="pages.random", sentence="Pages are shorter than they could be, by chance.", select=_random_pages
    ),
    Variant(
        name="pages.one-less",
        sentence="A page has one animal less than limit, but for a limit of 1.",
        select=lambda inner: lambda limit, status: inner(max(limit - 1, 1), status),
    ),
    Variant(
        name="pages.scan-then-filter",
        sentence="A filter is applied to the page that would be there without it.",
        select=_scanning,
    ),
    Variant(name="store.large", sentence="There are 5,000 animals.", settings={"catalogue": 5000}),
    Variant(name="store.empty", sentence="There are no animals at first.", settings={"catalogue": 0}),
    Variant(name="store.one", sentence="There is one animal at first.", settings={"catalogue": 1}),
    Variant(
        name="store.page", sentence="There are 20 animals at first: one page.", settings={"catalogue": 20}
    ),
    Variant(
        name="parameters.strict",
        sentence="Query parameters that are not known are refused.",
        list_pets=_known_parameters,
    ),
    Variant(
        name="parameters.clamped",
        sentence="A limit outside 1 to 100 counts as the nearest one inside.",
        shoulds=(_BELOW, _ABOVE),
        read_limit=_clamped,
    ),
    Variant(
        name="parameters.ignored",
        sentence="Invalid list parameters are ignored.",
        shoulds=(_BELOW, _ABOVE, _LETTERS, _UNKNOWN),
        read_limit=_forgiving,
        read_filter=lambda inner: lambda values: inner(values if values and values[0] in STATUSES else []),
    ),
    Variant(
        name="parameters.422",
        sentence="Invalid list parameters are answered with 422.",
        list_pets=_answering(422),
    ),
    Variant(
        name="parameters.404",
        sentence="Invalid list parameters are answered with 404.",
        list_pets=_answering(404),
    ),
    Variant(
        name="parameters.lenient",
        sentence="A limit is read in unusual notations, and the last of several counts.",
        read_limit=_lenient,
    ),
    Variant(
        name="parameters.any-case",
        sentence="A status filter is read in any case.",
        shoulds=(_UNKNOWN,),
        read_filter=lambda inner: lambda values: inner([value.lower() for value in values]),
    ),
]
