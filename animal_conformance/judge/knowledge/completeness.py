"""The lists of a trace by their queries, and what is known of where they end."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from sys import intern
from typing import Any, Final, TypeAlias

from animal_conformance.judge.knowledge.presence import as_of_s
from animal_conformance.record.exchange import Exchange, Response, Timed
from animal_conformance.record.jsontext import is_integer

Query: TypeAlias = frozenset[tuple[str, str]]
Shown: TypeAlias = Sequence[tuple[int, object]]

# The bytes that JSON adds at least to the values of an animal.
JSON_BYTES: Final = len('{"id":,"name":"","categoryId":,"status":""},')
# How many sets of ids are kept: each takes ten times as much memory as the page that has the ids.
SETS_KEPT: Final = 1024
PAGES_KEPT: Final = 256
# A query that has varied no longer does so if this many pages have followed.
STEADY: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Page(Timed):
    """A list returned with 200 as an array; ``ids`` in their order, without elements that have none.

    ``query`` is what was requested; an omitted limit counts as a different query from the default one. ``statuses`` are
    those of the animals as shown, ``None`` for an animal without one; ``size`` is the length of its body in bytes. For
    ``as_of_s`` see :func:`animal_conformance.judge.knowledge.presence.as_of_s`; besides, no list is older than an
    animal that it shows. The response may have been moved to disk by now.
    """

    exchange: Exchange
    query: Query
    limit: int
    status: str | None
    length: int
    size: int
    as_of_s: float
    ids: tuple[int, ...]
    statuses: tuple[object, ...]

    @classmethod
    def of(
        cls,
        exchange: Exchange,
        response: Response,
        limit: int,
        status: str | None,
        shown: Shown,
        made_s: float,
    ) -> Page:
        """The page that an exchange has returned.

        :param limit: the limit asked for, or the default one of the contract.
        :param made_s: when the newest creation by the run that is on the page was sent.
        :param shown: the id and the status of each element that has an id.
        """
        ids = tuple(animal_id for animal_id, _ in shown)
        # A long list has few different statuses: each of them is kept in memory once.
        statuses = tuple(intern(each) if isinstance(each, str) else each for _, each in shown)
        length = response.elements
        if length is None:
            length = len(response.json.value)
        query = _query(exchange.request.query)
        from_s = max(as_of_s(exchange), min(made_s, exchange.sent_s))
        return cls(exchange, query, limit, status, length, len(response.body), from_s, ids, statuses)

    @property
    def query_of_all(self) -> Query:
        """The same query without the filter."""
        return frozenset(each for each in self.query if each[0] != "status")

    @property
    def target_of_all(self) -> str:
        """The target of that query."""
        return f"/pets?limit={self.limit}" if self.query_of_all else "/pets"

    def target_at(self, limit: int) -> str:
        """The target of a list with the same filter and this limit."""
        return f"/pets?limit={limit}" + (f"&status={self.status}" if self.status else "")

    @property
    def id_set(self) -> frozenset[int]:
        """The ids, for membership."""
        return _set_of(self)

    @property
    def animals(self) -> dict[int, dict[str, Any]]:
        """The animals by their ids, as returned."""
        response = self.exchange.response
        return {} if response is None else _animals_of(response)

    @property
    def words(self) -> str:
        """The list in words, at the beginning of a sentence."""
        return f"A list filtered for {self.status}" if self.status else "A list"

    @property
    def at_limit(self) -> str:
        """Its limit in words, if one was requested."""
        return f"at limit {self.limit}" if self.query_of_all else "without a limit"

    def without(self, animal_id: int) -> str:
        """A list that lacks an animal, in words."""
        animals = "animal" if self.length == 1 else "animals"
        return f"{self.length} {animals} {self.at_limit}, animal {animal_id} not among them"

    @property
    def ends_early(self) -> bool:
        """Whether the page had room for more, and each of its elements has an id."""
        return len(self.ids) == self.length < self.limit

    def shows(self, animal_id: int, status: str | None) -> bool:
        """Whether it contains an animal, with a status if one is given."""
        if animal_id not in self.id_set:
            return False
        return status is None or self.statuses[self.ids.index(animal_id)] == status


@lru_cache(maxsize=SETS_KEPT)
def _query(parameters: tuple[tuple[str, str], ...]) -> Query:
    return frozenset(parameters)


@lru_cache(maxsize=SETS_KEPT)
def _set_of(page: Page) -> frozenset[int]:
    return frozenset(page.ids)


@lru_cache(maxsize=PAGES_KEPT)
def _animals_of(response: Response) -> dict[int, dict[str, Any]]:
    shown = (each for each in response.json.value if isinstance(each, dict) and is_integer(each.get("id")))
    return {int(each["id"]): each for each in shown}


class Completeness:
    """The lists of a trace, by their queries in the order of the requests.

    A cap belongs to one query, and may be in items or in bytes: if the query has returned a longer page, its shorter
    pages were not cut.

    :param settled_s: gives the time from which lists may no longer lag behind the creation of an animal.
    """

    def __init__(self, pages: Iterable[Page], settled_s: Callable[[int], float]) -> None:
        self._settled_s = settled_s
        self.pages = sorted(pages, key=lambda each: each.sent_s)
        self.learned = len(self.pages)
        self._alike: dict[Query, list[Page]] = defaultdict(list)
        # By query and length, the pages that are larger in bytes than all before them, with sizes and places.
        self._largest: dict[Query, dict[int, list[tuple[int, int, Page]]]] = defaultdict(dict)
        # By query and length, the first page with each choice of animals in each order.
        self._choices: dict[Query, dict[int, dict[tuple[int, ...], Page]]] = defaultdict(dict)
        self._beside: dict[Query, list[Page]] = defaultdict(list)
        # By status and stated limit, the last page of that filter that was not empty.
        self._showing: dict[str | None, dict[int, Page]] = defaultdict(dict)
        for at, page in enumerate(self.pages):
            query = page.query
            self._alike[query].append(page)
            largest = self._largest[query].setdefault(page.length, [])
            if not largest or page.size > largest[-1][0]:
                largest.append((page.size, at, page))
            self._choices[query].setdefault(page.length, {}).setdefault(page.ids, page)
            if page.status is None:
                self._beside[query].append(page)
            if page.length and page.query_of_all:
                self._showing[page.status][page.limit] = page
        self._first_shown_s: dict[Query, dict[int, float]] = {}
        self.by_exchange = {id(page.exchange): page for page in self.pages}

    def alike(self, page: Page) -> list[Page]:
        """The pages of the same query."""
        return self._alike[page.query]

    def beside(self, page: Page) -> list[Page]:
        """The pages of the same query without its filter; if its limit is omitted, which may mean less, so is theirs."""
        return self._beside[page.query_of_all]

    def has_shown(self, page: Page, animal_id: int) -> bool:
        """Whether the query of a page had returned an animal before the page was requested."""
        if page.query not in self._first_shown_s:
            first_s = self._first_shown_s[page.query] = {}
            for each in reversed(self._alike[page.query]):
                first_s.update(dict.fromkeys(each.ids, each.sent_s))
        return self._first_shown_s[page.query].get(animal_id, inf) < page.sent_s

    def smaller(self, page: Page) -> Page | None:
        """The last non-empty page of another query with the same filter and a limit that is not larger.

        An omitted limit counts as the length of the longest page that it has given.
        """
        limit = page.limit
        if not page.query_of_all:
            limit = max((each.length for each in self._beside[frozenset()]), default=1)
        found = (
            each
            for stated, each in self._showing[page.status].items()
            if stated <= limit and each.query != page.query
        )
        return max(found, key=lambda each: each.sent_s, default=None)

    def longer(self, page: Page, room: int = 0) -> Page | None:
        """A page of the same query that is longer, in items and by ``room`` in bytes; ``None`` if there is none.

        A cap in bytes may count what is stored, without what JSON adds to each item.
        """
        first: tuple[int, Page] | None = None
        for length, largest in self._largest[page.query].items():
            added = JSON_BYTES * max(0, length - page.length - 1)
            at = bisect_left(largest, page.size + room + added, key=lambda each: each[0])
            if length > page.length and at < len(largest) and (first is None or largest[at][1] < first[0]):
                first = largest[at][1:]
        return None if first is None else first[1]

    @cached_property
    def uncut(self) -> dict[int, Page]:
        """The pages that end early although their query returns longer ones, by the identity of their exchange."""
        return {id(page.exchange): page for page in self.pages if page.ends_early and self.longer(page)}

    def shows_all(self, page: Page) -> bool:
        """Whether a page had to show every animal that was added, so that one that is missing was left out.

        That is so if its query returns longer pages, or has grown and lost nothing, and its pages are not a choice.
        """
        if not page.ends_early or page.sent_s <= self._varied_until_s.get(page.query, -inf):
            return False
        return id(page.exchange) in self.uncut or self._has_grown(page)

    def _has_grown(self, page: Page) -> bool:
        """Whether the query returned a shorter page before, all animals of which are on this one."""
        return any(
            before.sent_s < page.sent_s and before.id_set <= page.id_set
            for length, choices in self._choices[page.query].items()
            if length < page.length
            for before in choices.values()
        )

    @cached_property
    def moved(self) -> set[int]:
        """The animals that lists have shown with more than one status."""
        first: dict[int, object] = {}
        told = (each for page in self.pages for each in zip(page.ids, page.statuses, strict=True))
        return {animal_id for animal_id, status in told if first.setdefault(animal_id, status) != status}

    @cached_property
    def _varied_until_s(self) -> dict[Query, float]:
        """For each query, when it last returned an animal that it had lost on a page with room for it.

        It is infinity if too few pages have followed to tell that the query no longer does so. A new animal may be lost
        as long as lists may lag; one whose status has moved may leave a filtered list and come back.
        """
        until_s = {}
        for query, pages in self._alike.items():
            shown: set[int] = set()
            lost: set[int] = set()
            longest = pages[0]
            for number, page in enumerate(pages, start=1):
                returned = lost & page.id_set
                if returned - self.moved if page.status is not None else returned:
                    steady = len(pages) - number >= STEADY
                    until_s[query] = page.sent_s if steady else inf
                lost -= returned
                shown |= page.id_set
                if page.ends_early and not self._is_cut(page, longest):
                    lost |= {each for each in shown - page.id_set if page.as_of_s >= self._settled_s(each)}
                longest = max(longest, page, key=lambda each: each.length)
        return until_s

    def _is_cut(self, page: Page, longest: Page) -> bool:
        """Whether a longer page begins with this one, and goes on with animals of others, not only the run's."""
        behind = longest.ids[page.length :]
        return longest.ids[: page.length] == page.ids and any(
            self._settled_s(each) == -inf for each in behind
        )
