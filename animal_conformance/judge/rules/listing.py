"""List animals: limits, the status filter, and what a list contains."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import islice
from typing import Any

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.completeness import Page
from animal_conformance.judge.ledger import Creation
from animal_conformance.judge.rules.case import EVIDENCE, Case, Finding, Opinion, as_json, shorten
from animal_conformance.judge.rules.exact import relabelled
from animal_conformance.record.jsontext import type_name

# Lists may lag: an animal must be missing from this many complete responses to one query,
# each requested after the settling time.
ABSENCES = 2


def _is_listing(case: Case) -> bool:
    return case.operation is Operation.LIST and case.answered and case.with_key


def _length(case: Case) -> int | None:
    """The length of a list returned with 200; ``None`` if there is none."""
    if _is_listing(case) and case.status == 200 and isinstance(case.value, list):
        return len(case.value)
    return None


def _accepted(case: Case, what: str) -> Opinion:
    if case.status == 200:
        return (
            EVIDENCE if isinstance(case.value, list) else None
        )  # anything else is covered by list.array and http.json.body
    if what and not case.ledger.lists_plainly:
        return None  # not even a plain list request succeeds: covered by list.answer
    return Finding(
        f"A valid list request{what} does not return 200.", "200 with an array of animals", case.describe()
    )


def _parameters(case: Case) -> tuple[bool, bool] | None:
    """Which of limit and status a valid list request with the key has; ``None`` for any other request."""
    if not _is_listing(case) or not case.reading.valid:
        return None
    return case.reading.limit is not None, case.reading.status is not None


def answer(case: Case) -> Opinion:
    """list.answer: a list request without parameters returns 200."""
    return _accepted(case, "") if _parameters(case) == (False, False) else None


def limit_accepted(case: Case) -> Opinion:
    """list.limit.accepted: every limit from 1 to 100 is accepted."""
    return (
        _accepted(case, f" with limit={case.reading.limit}") if _parameters(case) == (True, False) else None
    )


def status_accepted(case: Case) -> Opinion:
    """list.status.accepted: each of the three statuses is accepted as a filter."""
    return (
        _accepted(case, f" with status={case.reading.status}") if _parameters(case) == (False, True) else None
    )


def combined(case: Case) -> Opinion:
    """list.combined: limit and status are accepted together."""
    if _parameters(case) != (True, True):
        return None
    limit_alone = ("limit", str(case.reading.limit)) in case.ledger.accepted_alone
    status_alone = ("status", str(case.reading.status)) in case.ledger.accepted_alone
    if case.status != 200 and not (limit_alone and status_alone):
        return None  # one of them is rejected on its own: list.limit.accepted, list.status.accepted
    return _accepted(case, f" with limit={case.reading.limit} and status={case.reading.status}")


def array(case: Case) -> Opinion:
    """list.array: the body of a list response is a JSON array."""
    response = case.exchange.response
    if response is None or response.status != 200 or not _is_listing(case) or not case.reading.valid:
        return None
    if not response.json.valid:
        return None  # covered by http.json.body
    if isinstance(case.value, list):
        return EVIDENCE
    return Finding(
        f"The body of a list response is {type_name(case.value)}.", "a JSON array of animals", case.describe()
    )


def once(case: Case) -> Opinion:
    """list.once: an id occurs at most once in a list."""
    if _length(case) is None or not case.reading.valid:
        return None
    ids = Counter(animal_id for animal_id, _ in case.identified)
    for animal_id, count in ids.items():
        if count > 1:
            return Finding(
                f"The id {animal_id} occurs {count} times in one list.",
                "each id at most once",
                f"ids {shorten(list(ids))}",
            )
    return EVIDENCE if len(ids) > 1 else None


def limit_default(case: Case) -> Opinion:
    """list.limit.default: when limit is omitted, at most 20 animals are returned."""
    length = _length(case)
    if length is None or not case.reading.valid or case.reading.limit is not None:
        return None
    return _at_most(case, length, case.contract.limit_default, "limit was omitted")


def limit_respected(case: Case) -> Opinion:
    """list.limit.respected: no more animals are returned than the limit."""
    length, limit = _length(case), case.reading.limit
    if length is None or not case.reading.valid or limit is None:
        return None
    return _at_most(case, length, limit, f"limit was {limit}")


def limit_maximum(case: Case) -> Opinion:
    """list.limit.maximum: an invalid limit never returns more than 100 animals."""
    reading = case.reading
    asked = reading.problems | reading.open_points
    if not asked or not _is_listing(case) or case.of_another_kind:
        return None
    length = _length(case)
    maximum = case.contract.limit_maximum
    if length is not None and length > maximum:
        return _at_most(case, length, maximum, "the request was not valid")
    if "limit.above" not in asked or not (length is not None or case.status >= 400):
        return None
    there = case.ledger.known_count(reading.status, case.exchange.sent_s)
    return EVIDENCE if there > maximum else None


def _animals(count: int) -> str:
    return f"{count} animal{'' if count == 1 else 's'}"


def _at_most(case: Case, length: int, most: int, why: str) -> Opinion:
    if length > most:
        return Finding(
            f"A list is longer than allowed: {why}.", f"at most {_animals(most)}", _animals(length)
        )
    there = case.ledger.known_count(case.reading.status, case.exchange.sent_s)
    return EVIDENCE if there > most else None


def status_filter(case: Case) -> Opinion:
    """list.status.filter: a filtered list contains only animals with the requested status."""
    wanted = case.reading.status
    if wanted is None or _length(case) is None or not case.reading.valid:
        return None
    for place, animal in case.animal_objects:
        if "status" in animal and animal["status"] not in case.contract.statuses:
            continue  # covered by animal.status
        if "status" not in animal and _status_is_left_out(case, animal, wanted):
            continue
        if animal.get("status") != wanted:
            return Finding(
                f"A list filtered by {wanted} contains an animal with another status, at {place}.",
                f"only animals with the status {wanted}",
                shorten(as_json(animal)),
            )
    told = relabelled(case)
    if told is not None:
        return told
    ledger, sent_s = case.ledger, case.exchange.sent_s
    others = ledger.known_count(None, sent_s) - ledger.known_count(wanted, sent_s)
    return EVIDENCE if case.animal_objects and others > 0 else None


def _status_is_left_out(case: Case, animal: dict[str, Any], wanted: str) -> bool:
    """Whether an animal may belong in a filtered list although its status is omitted.

    What an omitted status stands for is open, but it is one status, and that of an animal created with a
    status is known.
    """
    known = case.ledger.animals[animal["id"]] if case.contract.is_int64(animal.get("id")) else None
    if known is None:
        return True
    if known.creation is not None and "status" in known.creation.payload:
        return False
    return known.listed_without_status <= {wanted}


def complete(case: Case) -> Opinion:
    """list.complete: an animal that was created is listed."""
    return _holds_created(case, filtered=False)


def status_complete(case: Case) -> Opinion:
    """list.status.complete: a filtered list omits no animal with the requested status."""
    return _holds_created(case, filtered=True)


def _holds_created(case: Case, *, filtered: bool) -> Opinion:
    page = case.ledger.completeness.by_exchange.get(id(case.exchange))
    if page is None or (filtered and page.status is None):
        return None
    created = _expected_in(case, page)
    missing = [each for each in created if _is_hidden(case, each, page, filtered=filtered)]
    if missing:
        what = f"filtered for {page.status} " if page.status else ""
        return Finding(
            f"A list {what}that had room for more leaves out animals that were added: "
            f"{shorten(', '.join(str(each.animal_id) for each in missing), 100)}.",
            f"all {len(created)} animals that the run added to it, which getPet returns",
            f"{page.length} animals at limit {page.limit}, {len(missing)} of those added not among them",
            related=tuple(each.exchange for each in missing[:2]),
            subjects=frozenset(f"animal {each.animal_id}" for each in missing),
        )
    return EVIDENCE if any(each.animal_id in page.id_set for each in created) else None


def _expected_in(case: Case, page: Page) -> list[Creation]:
    settled_s = page.exchange.sent_s - case.ledger.terms.settle_s
    made, animals = case.ledger.made[page.status], case.ledger.animals
    settled = made[: bisect_right(made, settled_s, key=lambda each: each.exchange.answered_s)]
    shown = filter(None, (animals[each].creation for each in page.id_set))
    later = (
        each
        for each in shown
        if (page.status is None or each.status == page.status) and each.exchange.answered_s > settled_s
    )
    return [
        each for each in (*settled, *later) if animals[each.animal_id].creation is each and each.reading.valid
    ]


def _is_hidden(case: Case, creation: Creation, page: Page, *, filtered: bool) -> bool:
    """Whether an animal is missing, was missing before, still exists, and falls under this clause."""
    animal = case.ledger.animals[creation.animal_id]
    if animal.animal_id in page.id_set:
        return False
    settled_s = creation.exchange.answered_s + case.ledger.terms.settle_s
    absences = (
        each
        for each in case.ledger.completeness.alike[page.query]
        if each.exchange.sent_s >= settled_s and animal.animal_id not in each.id_set
    )
    if len(tuple(islice(absences, ABSENCES))) < ABSENCES:
        return False
    later = [each for each in animal.sightings if each.last.sent_s > page.exchange.answered_s]
    if not later and not case.ledger.get_removed:
        return False  # no evidence that it still exists: one that is gone altogether is covered by get.found
    if page.status is not None and any(each.animal.get("status") != page.status for each in later):
        return False
    return filtered == _hidden_by_filter(case, creation, page)


def _hidden_by_filter(case: Case, creation: Creation, page: Page) -> bool | None:
    """Whether an animal is missing from filtered lists only; ``None`` if that is unclear."""
    if page.status is None:
        return False
    whole = [
        each
        for each in case.ledger.completeness.whole[page.limit]
        if each.exchange.sent_s >= creation.exchange.answered_s
    ]
    nearest = min(whole, key=lambda each: abs(each.exchange.sent_s - page.exchange.sent_s), default=None)
    if nearest is None:
        return False
    if creation.animal_id in nearest.id_set:
        return True
    if case.ledger.completeness.is_complete(nearest):
        return False
    # A full page says nothing about animals that are not on it.
    return None if any(creation.animal_id in each.id_set for each in whole) else False


def _refused(case: Case, problem: str) -> Opinion:
    if not _is_listing(case) or case.reading.only_problem() != problem:
        return None
    if case.status >= 400:
        return EVIDENCE if case.ledger.successes[Operation.LIST] else None
    return Finding("An invalid list parameter is not rejected.", "a 4xx with an Error", case.describe())


def below_refused(case: Case) -> Opinion:
    """list.limit.below-refused: a limit below 1 is rejected with a 4xx."""
    return _refused(case, "limit.below")


def above_refused(case: Case) -> Opinion:
    """list.limit.above-refused: a limit above 100 is rejected with a 4xx."""
    return _refused(case, "limit.above")


def non_integer_refused(case: Case) -> Opinion:
    """list.limit.non-integer-refused: a limit that is not an integer is rejected with a 4xx."""
    return _refused(case, "limit.non-integer")


def unknown_status_refused(case: Case) -> Opinion:
    """list.status.unknown-refused: a status filter other than the three values is rejected with a 4xx."""
    return _refused(case, "status.unknown")


RULES = {
    "list.answer": answer,
    "list.array": array,
    "list.once": once,
    "list.complete": complete,
    "list.limit.accepted": limit_accepted,
    "list.limit.default": limit_default,
    "list.limit.respected": limit_respected,
    "list.limit.maximum": limit_maximum,
    "list.status.accepted": status_accepted,
    "list.status.filter": status_filter,
    "list.status.complete": status_complete,
    "list.combined": combined,
    "list.limit.below-refused": below_refused,
    "list.limit.above-refused": above_refused,
    "list.limit.non-integer-refused": non_integer_refused,
    "list.status.unknown-refused": unknown_status_refused,
}
