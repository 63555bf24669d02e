"""The lists of a trace, and which of them are known to contain every animal that they could."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

from animal_conformance.record.jsontext import is_integer

if TYPE_CHECKING:
    from animal_conformance.interface.contract import Contract
    from animal_conformance.record.exchange import Exchange


@dataclass(frozen=True)
class Page:
    """A list returned with 200 as an array; ``ids`` in their order, without elements that have none."""

    exchange: Exchange
    limit: int
    status: str | None
    length: int
    ids: tuple[int, ...]

    @cached_property
    def query(self) -> frozenset[tuple[str, str]]:
        """What was requested; an omitted limit counts as a different query from the default one."""
        return frozenset(self.exchange.request.query)

    @cached_property
    def id_set(self) -> frozenset[int]:
        """The ids, for membership."""
        return frozenset(self.ids)

    @cached_property
    def animals(self) -> dict[int, dict[str, Any]]:
        """The animals by their ids, as returned."""
        value = self.exchange.response.json.value if self.exchange.response is not None else None
        shown = (each for each in value or () if isinstance(each, dict) and is_integer(each.get("id")))
        return {int(each["id"]): each for each in shown if each["id"] in self.id_set}


class Completeness:
    """Which lists are known to be complete: shorter than the deployment's pages could have been.

    A page of n animals at the maximum limit, or an empty one at the default limit or a larger one (below it, a
    page that is a few short may legitimately be empty), is complete if

    - the deployment is known to return longer pages, with a filter if this one has one (pages may have a maximum
      length of their own each), or n is 0;
    - for a filtered page, the filter is known to be applied before the limit, or to have had nothing to cut (a
      service that cuts first and filters afterwards legitimately returns short pages): the same filter with a limit near n
      returned a full page (if n is not 0), or a complete page without a filter was returned later;
    - no query without a filter, nor this one, ever lost an animal that it had returned before (pages of varying
      length are allowed, and so are statuses that change).
    """

    def __init__(self, pages: list[Page], learned: int, contract: Contract) -> None:
        self.learned = learned
        self._contract = contract
        self._pages = pages
        self._longest: dict[bool, int] = defaultdict(int)
        self._fullest: dict[str | None, int] = defaultdict(int)
        # The pages without a filter, by their limit.
        self.whole: dict[int, list[Page]] = defaultdict(list)
        for page in pages:
            filtered = page.status is not None
            self._longest[filtered] = max(self._longest[filtered], page.length)
            if page.length == page.limit:
                self._fullest[page.status] = max(self._fullest[page.status], page.limit)
            if not filtered:
                self.whole[page.limit].append(page)
        self._unsteady = self._filters_with_holes()

    def _filters_with_holes(self) -> set[str | None]:
        """The filters of the queries that lost an animal they had returned before."""
        shown: dict[frozenset[tuple[str, str]], set[int]] = defaultdict(set)
        unsteady = set()
        for page in sorted(self._pages, key=lambda each: each.exchange.sent_s):
            ids, query = page.id_set, page.query
            if page.length < page.limit and not shown[query] <= ids:
                unsteady.add(page.status)
            shown[query] |= ids
        return unsteady

    def is_complete(self, page: Page) -> bool:
        """Whether a page of the ledger contains every animal that it could."""
        fewest = self._contract.limit_maximum if page.length else self._contract.limit_default
        if page.limit < fewest or page.length >= page.limit:
            return False
        if len(page.ids) != page.length or self._unsteady & {None, page.status}:
            return False
        if page.length and page.length >= self._longest[page.status is not None]:
            return False
        filtered_first = page.length and self._fullest[page.status] >= 0.8 * page.length
        if page.status is None or filtered_first:
            return True
        return page.exchange.answered_s <= self._last_whole_s

    @cached_property
    def _last_whole_s(self) -> float:
        """When the last complete page without a filter was requested."""
        whole = (
            page for page in self._pages if page.status is None and page.length and self.is_complete(page)
        )
        return max((page.exchange.sent_s for page in whole), default=-inf)

    @cached_property
    def complete(self) -> list[Page]:
        """The complete pages, in the order in which they were learned."""
        return [page for page in self._pages if self.is_complete(page)]

    @cached_property
    def alike(self) -> dict[frozenset[tuple[str, str]], list[Page]]:
        """The complete pages by their query."""
        by_query = defaultdict(list)
        for page in self.complete:
            by_query[page.query].append(page)
        return by_query

    @cached_property
    def by_exchange(self) -> dict[int, Page]:
        """The complete pages by the identity of their exchange."""
        return {id(page.exchange): page for page in self.complete}
