"""List animals: limits, the status filter, and what a list may contain."""

from __future__ import annotations

from collections import Counter
from typing import Any

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion, as_json, plural, shorten
from animal_conformance.judge.rules.exact import relabelled
from animal_conformance.judge.suspicions.lists.assigning import assigned
from animal_conformance.record.jsontext import type_name


def _is_listing(case: Case) -> bool:
    return case.operation is Operation.LIST and case.answered and case.with_key


def _length(case: Case) -> int | None:
    """The length of a list returned with 200; ``None`` if no list was returned."""
    return case.list_length if _is_listing(case) and case.status == 200 else None


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
    ids = [animal_id for animal_id, _ in case.identified]
    if len(case.by_id) == len(ids):
        return EVIDENCE if len(ids) > 1 else None
    twice = next(each for each, times in Counter(ids).items() if times > 1)
    places = [place for place, each in enumerate(ids, start=1) if each == twice]
    return Finding(
        f"The id {twice} occurs {len(places)} times in one list.",
        "each id at most once",
        f"id {twice} in places {shorten(places)} of {len(ids)}",
    )


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
    there = case.ledger.known_count(reading.status, case.sent_s)
    return EVIDENCE if there > maximum else None


def _at_most(case: Case, length: int, most: int, why: str) -> Opinion:
    if length > most:
        response = case.exchange.response
        counted = "" if response is None or response.elements is None else "at least "
        return Finding(
            f"A list is longer than allowed: {why}.",
            f"at most {plural(most, 'animal')}",
            f"{counted}{plural(length, 'animal')}",
        )
    there = case.ledger.known_count(case.reading.status, case.sent_s)
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
    told = assigned(case) or relabelled(case)
    if told is not None:
        return told
    ledger, sent_s = case.ledger, case.sent_s
    others = ledger.known_count(None, sent_s) - ledger.known_count(wanted, sent_s)
    return EVIDENCE if case.animal_objects and others > 0 else None


def _status_is_left_out(case: Case, animal: dict[str, Any], wanted: str) -> bool:
    """Whether an animal may belong in a filtered list although its status is omitted.

    Which status an omitted one stands for is open, but it is always the same one; and an animal created with a status
    has that status.
    """
    known = case.ledger.animals[animal["id"]] if case.contract.is_int64(animal.get("id")) else None
    if known is None:
        return True
    if known.creation is not None and "status" in known.creation.payload:
        # If it has that one and does not show it, create.status.exact covers it.
        return bool(known.creation.payload["status"] == wanted)
    return known.listed_without_status <= {wanted}


def _refused(case: Case, problem: str) -> Opinion:
    """A limit below 1, above 100 or not an integer, and a status other than the three values are rejected with a 4xx."""
    if not _is_listing(case) or case.reading.only_problem() != problem:
        return None
    if case.status >= 400:
        return EVIDENCE if case.ledger.successes[Operation.LIST] else None
    query = shorten(case.exchange.request.target.partition("?")[2], 60)
    return Finding(
        f"An invalid list parameter is not rejected: {query}.", "a 4xx with an Error", case.describe()
    )


RULES = {
    "list.answer": answer,
    "list.array": array,
    "list.once": once,
    "list.limit.accepted": limit_accepted,
    "list.limit.default": limit_default,
    "list.limit.respected": limit_respected,
    "list.limit.maximum": limit_maximum,
    "list.status.accepted": status_accepted,
    "list.status.filter": status_filter,
    "list.combined": combined,
    "list.limit.below-refused": lambda case: _refused(case, "limit.below"),
    "list.limit.above-refused": lambda case: _refused(case, "limit.above"),
    "list.limit.non-integer-refused": lambda case: _refused(case, "limit.non-integer"),
    "list.status.unknown-refused": lambda case: _refused(case, "status.unknown"),
}
