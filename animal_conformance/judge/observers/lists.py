"""Lists: which values of their parameters are accepted, their order and length, and how soon they show an animal."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, shorten
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.observers.kinds import Label, Observer, open_point, problem

LISTS_JUST_BEFORE: Final = 10
IN_NAMES_OF_PAGINATION_HEADERS: Final = ("link", "total", "page", "cursor", "range", "next", "count")


def _query_value(name: str) -> Label:
    return lambda case: f"{name}={shorten(dict(case.exchange.request.query).get(name, ''), 20)}: "


def list_order(case: Case) -> str | None:
    """open.list.order: the order in which animals are listed."""
    page = [each.get("id") for _, each in case.animal_objects] if case.operation is Operation.LIST else []
    ids = [each for each in page if isinstance(each, int)]
    if len(ids) < 5 or not case.reading.valid:
        return None
    if ids == sorted(ids):
        return "ascending by id"
    return "descending by id" if ids == sorted(ids, reverse=True) else "not ordered by id"


def pagination(case: Case) -> str | None:
    """open.list.pagination: which response headers suggest pagination."""
    response = case.exchange.response
    if response is None or response.status != 200 or case.operation is not Operation.LIST:
        return None
    names = {name.lower() for name, _ in response.headers} - {"accept-ranges"}
    hints = sorted(name for name in names if any(hint in name for hint in IN_NAMES_OF_PAGINATION_HEADERS))
    return shorten(", ".join(hints), 100) if hints else "none"


def page_length(case: Case) -> str | None:
    """open.list.page: whether pages at the maximum limit contain as many of the known animals as they could."""
    page = case.ledger.completeness.by_exchange.get(id(case.exchange))
    if case.status != 200 or page is None:
        return None
    if page.status is not None or case.reading.limit != case.contract.limit_maximum:
        return None
    # Only animals that were seen later as well count: others may have been withdrawn.
    gone = bisect_left(case.ledger.survey("last seen", lambda: _last_seen_s(case)), case.sent_s)
    there = case.ledger.known_count(None, case.sent_s) - gone
    return "full" if page.length >= min(page.limit, there) else "shorter than it could be"


def _last_seen_s(case: Case) -> list[float]:
    """When each animal was returned for the last time, in the order of these times."""
    animals = case.ledger.animals.values()
    return sorted(max((each.last.answered_s for each in one.sightings), default=0.0) for one in animals)


def monotone(case: Case) -> str | None:
    """open.list.monotone: whether a list with a smaller limit is longer than one with a larger limit before it."""
    limit = case.reading.limit
    if limit is None or not case.reading.valid or not isinstance(case.value, list):
        return None
    # Compared with the lists just before, if nothing was created since: in a growing store, lists get longer at any
    # limit.
    pages = case.ledger.pages
    before = bisect_right(pages, case.sent_s, key=lambda page: page.answered_s)
    alike = [
        page
        for page in pages[max(0, before - LISTS_JUST_BEFORE) : before]
        if page.limit > limit and page.status == case.reading.status
    ]
    shorter = [page for page in alike if page.length < len(case.value) <= limit]
    if not alike or any(_grew(case, page) for page in shorter):
        return None
    return "longer" if shorter else "not longer"


def _grew(case: Case, page: Page) -> bool:
    """Whether the run created an animal between a list and this one."""
    return any(
        each.sent_s < case.answered_s and each.answered_s > page.sent_s for each in case.ledger.creations
    )


def list_lag(case: Case) -> str | None:
    """open.list.lag: how long after its creation an animal was still missing from a list, but listed later."""
    page = case.ledger.completeness.uncut.get(id(case.exchange))
    if page is None:
        return None
    made, sent_s = case.ledger.made[page.status], page.sent_s
    lags = [
        sent_s - creation.answered_s
        for creation in made[: bisect_left(made, sent_s, key=lambda each: each.answered_s)]
        if creation.animal_id not in page.id_set
        and (page.status is None or creation.payload.get("status") == page.status)
        and any(
            each.last.sent_s > sent_s and page.status in (None, each.animal.get("status"))
            for each in case.ledger.animals[creation.animal_id].sightings
        )
    ]
    return f"up to {max(lags):.1f} s" if lags else "none observed"


OBSERVERS: Final[Mapping[str, Observer]] = {
    "open.limit.below": problem(Operation.LIST, "limit.below", _query_value("limit")),
    "open.limit.above": problem(Operation.LIST, "limit.above"),
    "open.limit.non-integer": problem(Operation.LIST, "limit.non-integer"),
    "open.limit.lenient-integer": open_point(Operation.LIST, "limit.lenient", _query_value("limit")),
    "open.limit.empty": open_point(Operation.LIST, "limit.empty"),
    "open.limit.repeated": open_point(Operation.LIST, "limit.repeated"),
    "open.status.unknown": problem(Operation.LIST, "status.unknown"),
    "open.status.case": open_point(Operation.LIST, "status.case", _query_value("status")),
    "open.status.empty": open_point(Operation.LIST, "status.empty"),
    "open.status.repeated": open_point(Operation.LIST, "status.repeated"),
    "open.query.unknown": open_point(Operation.LIST, "query.unknown"),
    "open.list.order": list_order,
    "open.list.page": page_length,
    "open.list.monotone": monotone,
    "open.list.pagination": pagination,
    "open.list.lag": list_lag,
}
