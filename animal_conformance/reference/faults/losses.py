"""Faults that keep animals out of lists ('List animals', Purpose)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import Animal, Call, Payload
from animal_conformance.reference.service import Select, Service
from animal_conformance.reference.tools import EVERYTHING, hidden, marked, unstated

Install: TypeAlias = Callable[[Service], None]


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 1, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _frozen(inner: Select) -> Select:
    answers: dict[str | None, list[Animal]] = {}

    def select(limit: int, status: str | None) -> list[Animal]:
        if status not in answers:
            answers[status] = inner(EVERYTHING, status)
        return answers[status][:limit]

    return select


def _lost(when: Callable[[int, Payload, Call], object], *, filtered: bool = False) -> Install:
    """Created animals for which that holds do not stand in lists; or, with filtered, in filtered ones."""

    def install(service: Service) -> None:
        ids = marked(service, when)
        service.select = hidden(lambda animal, status: animal.id in ids and (status or not filtered))(
            service.select
        )

    return install


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
            categories.update(
                a.category_id for a in service.store.everything() if a.id <= service.settings.catalogue
            )
        return animal.category_id not in categories

    service.select = hidden(unlisted)(service.select)


def _namesakes(inner: Select) -> Select:
    """Animals are grouped by their names."""

    def select(limit: int, status: str | None) -> list[Animal]:
        return list({animal.name: animal for animal in inner(EVERYTHING, status)}.values())[:limit]

    return select


_COMPLETE, _FILTER_COMPLETE = "list.complete", "list.status.complete"


FAULTS = [
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
        install=_lost(unstated),
    ),
    _fault(
        "list.lost.namesake",
        _COMPLETE,
        "Of animals with the same name one is listed.",
        depth=3,
        select=_namesakes,
    ),
    _fault(
        "list.lost.empty-name",
        _COMPLETE,
        "Animals whose name is empty are never listed: it counts as none.",
        depth=2,
        install=_lost(lambda _, payload, __: not payload.name),
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
        install=_lost(unstated, filtered=True),
    ),
]
