"""The circumstances of spec/clauses.yaml in which no client could tell, recognised in a trace.

The trace has to show each by itself: a lack of evidence is not a sign of any of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from animal_conformance.interface.clauses import Circumstance, Clause
from animal_conformance.interface.waiting import retry_after_s
from animal_conformance.judge.attempts import throttled_at_last
from animal_conformance.judge.knowledge.absence import is_gone, may_be_scanned
from animal_conformance.judge.knowledge.caps import may_never_change
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.creating import SUCCESSES, creations, rejected_in_a_row
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import LONGEST_S, as_of_s, declared_age_s
from animal_conformance.judge.knowledge.thinning import is_thinned
from animal_conformance.record.exchange import Credential, Exchange

# This many exchanges are not a coincidence.
ENOUGH: Final = 3
# This many rejections in a row mean a limit, if only for a time.
IN_A_ROW: Final = 10
# A list that drops a tenth of its animals or more shows a choice of them: withdrawals do not explain so many.
DROPPED_PART: Final = 10
# On average, it drops at least half of that.
AVERAGE_PART: Final = 20
# A tenth of a list this long is at least one animal.
LONG_ENOUGH: Final = 10
# Where this many dropped animals are shown again, they were not withdrawn.
BACK_AGAIN: Final = 10
# A standard run does not last longer than this.
LONGEST_WAIT_S: Final = 900.0


def excuse_of(
    clause: Clause, ledger: Ledger, still_open: AbstractSet[str] = frozenset()
) -> Circumstance | None:
    """The first circumstance that keeps every client from telling, and that the trace shows; ``None`` if there is none.

    :param still_open: the explanations of open suspicions; the circumstance has to make each impossible to exclude.
    """
    able = (each for each in clause.unobservable if still_open <= set(each.explains))
    return next((each for each in able if RECOGNISED[each.id](ledger)), None)


def _store_closed(ledger: Ledger) -> bool:
    answers = [each.status for each in creations(ledger, valid=True) if each.status]
    return not ledger.animals and bool(ledger.pages) and len(answers) >= ENOUGH and set(answers) == {400}


def _store_small(ledger: Ledger) -> bool:
    """Whether creations like accepted ones are rejected for a while or from some point on, or have to wait for too long.

    A rejection may be due to what is in a request; being asked to wait is not. Where all of them are rejected after the
    first invalid one was, with the code that invalid ones get, that invalid one may be the reason.
    """
    if _is_asked_to_wait_for_too_long(ledger):
        return True
    if _are_rejected_since_an_invalid_one(ledger):
        return False
    rows = rejected_in_a_row(ledger)
    return len(rows[-1]) >= ENOUGH or max(map(len, rows)) >= IN_A_ROW


def _are_rejected_since_an_invalid_one(ledger: Ledger) -> bool:
    """Whether creations like accepted ones were accepted until an invalid one was rejected, and only rejected since.

    False where they are rejected with a code that no invalid creation gets, such as that of a quota.
    """
    rejected = [each for row in rejected_in_a_row(ledger) for each in row]
    accepted = [each for each in creations(ledger, valid=True) if each.status in SUCCESSES]
    invalid = [
        each
        for each in creations(ledger, valid=False)
        if each.status == 400 and ledger.reading(each).problems
    ]
    if not invalid or _codes_of(rejected).isdisjoint(_codes_of(invalid)):
        return False
    since_s = min(each.answered_s for each in invalid)
    return all(each.sent_s >= since_s for each in rejected) and all(
        each.sent_s < since_s for each in accepted
    )


def _codes_of(rejected: Sequence[Exchange]) -> set[str]:
    """The codes of the Errors in some rejections; an empty code stands for a body without one."""
    return {str(each.value.get("code", "")) if isinstance(each.value, dict) else "" for each in rejected}


def _is_asked_to_wait_for_too_long(ledger: Ledger) -> bool:
    """Whether creations were accepted at first, and all the later ones were asked to wait for longer than runs last."""
    too_long = [
        each.status in {403, 429} and retry_after_s(each.response) > LONGEST_WAIT_S
        for each in throttled_at_last(ledger)
    ]
    return bool(ledger.creations) and len(too_long) >= ENOUGH and all(too_long)


def _no_others(ledger: Ledger) -> bool:
    return bool(ledger.creations and ledger.pages) and all(each.creations for each in ledger.animals.values())


def _lists_full(ledger: Ledger) -> bool:
    last = _last_at_the_largest_limit(ledger)
    return bool(last) and all(each.length == each.limit for each in last)


def _lists_capped(ledger: Ledger) -> bool:
    """Whether the last list of each filter is full or capped.

    A list is capped if there are more animals than it shows, and it is as long as any list, in animals or bytes, or takes
    in new animals in place of others, or its limit counts what it leaves out. Lists that may never change do not count:
    see :func:`may_never_change`.
    """
    last = _last_at_the_largest_limit(ledger)
    return bool(last) and all(each.length == each.limit or _is_capped(ledger, each) for each in last)


def _is_capped(ledger: Ledger, page: Page) -> bool:
    if may_never_change(ledger, page):
        return False
    alike = _of_kind(ledger, filtered=page.status is not None)
    longest = all(each.length <= page.length for each in alike) or _is_largest(ledger, page)
    cut = longest or _takes_turns(ledger, page) or _is_beginning(ledger, page)
    return _known(ledger, page) > page.length and (cut or is_thinned(ledger, page) is True)


def _is_beginning(ledger: Ledger, page: Page) -> bool:
    """Whether a longer page of the same query began with this one, and went on with other animals than the run's own.

    Not if some of these are gone, and none has been seen since: then they may all have gone.
    """
    if not page.length:
        return False
    goes_on = (
        each.ids[page.length :]
        for each in ledger.pages
        if each.query == page.query and each.ids[: page.length] == page.ids
    )
    others = {animal_id for rest in goes_on for animal_id in rest if not ledger.animals[animal_id].creations}
    gone = any(is_gone(ledger, page, each) for each in others)
    seen = (sighting for each in others for sighting in ledger.animals[each].sightings)
    return bool(others) and (not gone or any(each.last.sent_s >= page.sent_s for each in seen))


def _is_largest(ledger: Ledger, page: Page) -> bool:
    """Whether no list had more bytes than this one would have with one more animal, of up to twice the average size."""
    most_bytes = max(each.size for each in ledger.pages)
    return page.length > 1 and page.size + 2 * page.size // page.length > most_bytes


def _takes_turns(ledger: Ledger, page: Page) -> bool:
    """Whether a query was never longer than this page, and was as long before it showed animals created since then."""
    alike = [each for each in ledger.pages if each.query == page.query]
    first = next(each for each in alike if each.length == page.length)
    since_s = first.answered_s
    new = [
        each
        for each in page.ids
        if any(creation.sent_s >= since_s for creation in ledger.animals[each].creations)
    ]
    return len(new) >= ENOUGH and all(each.length <= page.length for each in alike)


def _lists_short(ledger: Ledger) -> bool:
    """Whether lists are never full, at any limit above 1, although there are more animals."""
    for filtered in (False, True):
        pages = [each for each in _of_kind(ledger, filtered=filtered) if each.limit > 1]
        short = sum(each.limit < _known(ledger, each) for each in pages)
        if short < ENOUGH or any(each.length >= each.limit for each in pages):
            return False
    return True


def _lists_sampled(ledger: Ledger) -> bool:
    """Whether lists with room for more keep dropping a tenth of their animals or more, and show them again later.

    Many short lists drop none, so that the average decides too.
    """
    by_query: dict[frozenset[tuple[str, str]], list[Page]] = defaultdict(list)
    for page in ledger.pages:
        by_query[page.query].append(page)
    drops, shown, gone = 0, 0, 0
    again: set[int] = set()
    for pages in by_query.values():
        lost: set[int] = set()
        for before, page in pairwise(pages):
            again |= lost & page.id_set
            # An empty page is not a choice of animals.
            if 0 < page.length < page.limit and before.length >= LONG_ENOUGH:
                left = before.id_set - page.id_set
                drops += DROPPED_PART * len(left) >= before.length
                shown, gone = shown + before.length, gone + len(left)
                lost |= left
    return drops >= ENOUGH and AVERAGE_PART * gone >= shown and len(again) >= BACK_AGAIN


def _lists_stored(ledger: Ledger) -> bool:
    """Whether each last list may, by its headers, be too old for a run to wait for, and older than the first creation."""
    last = _last_at_the_largest_limit(ledger)
    return bool(last and ledger.creations) and all(
        declared_age_s(each.exchange) > LONGEST_S and as_of_s(each.exchange) < ledger.creations[0].answered_s
        for each in last
    )


def _filtered_last(ledger: Ledger) -> bool:
    """Whether filtered lists with room for more hold what the full list with the same limit shows with that status.

    They hold nothing else, and all of it but for animals whose status has moved.
    """
    plain: dict[int, list[Page]] = defaultdict(list)
    for page in _of_kind(ledger, filtered=False):
        if page.length == page.limit:
            plain[page.limit].append(page)
    within = [
        page.id_set <= each.id_set and _of_status(ledger, each, page.status) <= page.id_set
        for page in _of_kind(ledger, filtered=True)
        if page.length < min(page.limit, _known(ledger, page))
        for each in plain[page.limit]
        if not _made_between(ledger, page, each)
    ]
    return sum(within) >= ENOUGH and all(within)


def _of_status(ledger: Ledger, page: Page, status: str | None) -> set[int]:
    """The animals that a page shows with a status, but for those that have moved."""
    return {each for each in page.ids if page.shows(each, status)} - ledger.completeness.moved


def _filtered_by_scan(ledger: Ledger) -> bool:
    """Whether the last list of each filter is full, or ends early and may end with a scan: see :func:`may_be_scanned`."""
    last = [each for each in _last_at_the_largest_limit(ledger) if each.status is not None]
    scanned = [may_be_scanned(ledger, each) for each in last]
    return any(scanned) and all(
        is_scanned or each.length == each.limit for is_scanned, each in zip(scanned, last, strict=True)
    )


def _made_between(ledger: Ledger, one: Page, other: Page) -> bool:
    """Whether an animal became known between two lists, so that they need not show the same."""
    first, last = sorted((one.exchange, other.exchange), key=lambda each: each.sent_s)
    return ledger.known_count(None, first.sent_s) != ledger.known_count(None, last.answered_s)


def _last_at_the_largest_limit(ledger: Ledger) -> list[Page]:
    """The last list at the largest limit without a filter and with each; empty if one of them was never requested."""
    last: dict[str | None, Page] = {}
    for page in ledger.pages:
        if page.limit == ledger.contract.limit_maximum:
            last[page.status] = page
    return list(last.values()) if last.keys() >= {None, *ledger.contract.statuses} else []


def _of_kind(ledger: Ledger, *, filtered: bool) -> Sequence[Page]:
    return [each for each in ledger.pages if (each.status is not None) == filtered]


def _known(ledger: Ledger, page: Page) -> int:
    return ledger.known_count(page.status, page.sent_s)


def _without_form(credential: Credential) -> Callable[[Ledger], bool]:
    """A test of whether the key lacks a form: all other kinds of invalid credentials were sent, and this one never."""

    def recognised(ledger: Ledger) -> bool:
        sent = {each.request.credential for each in ledger.exchanges}
        return {each for each in Credential if each.invalid} - sent == {credential}

    return recognised


RECOGNISED: Final[Mapping[str, Callable[[Ledger], bool]]] = {
    "store.closed": _store_closed,
    "store.small": _store_small,
    "others.none": _no_others,
    "list.full": _lists_full,
    "list.capped": _lists_capped,
    "list.short": _lists_short,
    "list.sampled": _lists_sampled,
    "list.stored": _lists_stored,
    "list.filtered-last": _filtered_last,
    "list.scanned": _filtered_by_scan,
    "key.caseless": _without_form(Credential.RECASED),
    "key.single": _without_form(Credential.SHORTER),
}
