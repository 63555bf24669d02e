"""What Schemathesis generates from the contract: its coverage and its fuzzing, positive and negative."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest

from animal_conformance.drive.generated import OPERATIONS, Generated, coverage, fuzzing, with_unique_name
from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import INVALID_LIMITS, INVALID_STATUSES, STATUSES
from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import read_request
from animal_conformance.record.exchange import Request

from .auditing import audit

# Other drivers create more than enough animals, and what is created stays.
VALID_CREATIONS = 3


# What the drivers of lists send, alone and with the other parameter.
LISTED = {(("limit", str(each)), 1) for each in (*range(1, 101), *INVALID_LIMITS)}
LISTED |= {(("status", each), 1) for each in (*STATUSES, *INVALID_STATUSES)}


def _telling(cases: Iterable[Generated]) -> Iterator[Generated]:
    """The cases with a part that none before them has: a path, a value of a parameter, a header or a body.

    The cases with the fewest parameters come first: a value alone shows more animals than one beside a filter.
    """
    sent: set[object] = {"/pets", *LISTED}
    for case in sorted(cases, key=lambda each: each.target.count("&")):
        target = urlsplit(case.target)
        query = parse_qsl(target.query, keep_blank_values=True)
        parts = {target.path, *((pair, query.count(pair)) for pair in query), *case.headers, case.body}
        if not parts <= sent:
            sent |= parts
            yield case


def _chosen(cases: Iterable[Generated]) -> list[Generated]:
    """The cases, with only a few of those that are likely to create an animal."""
    chosen: list[Generated] = []
    valid = 0
    for case in cases:
        reading = read_request(Request(case.method, case.target, case.headers, case.body))
        creates = reading.operation is Operation.CREATE and not reading.problems
        if creates:
            valid += 1
        if not creates or valid <= VALID_CREATIONS:
            chosen.append(case)
    return chosen


def _send(lane: Lane, request: Generated) -> None:
    request = with_unique_name(request, lane.name())
    lane.send(request.method, request.target, headers=request.headers, body=request.body)


@pytest.mark.clauses("http", "error", "list", "create", "get")
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_coverage_of_the_contract(store: Store, operation_id: str) -> None:
    """Sends the cases of the coverage phase: each bound, each type, each missing part, once."""
    if not store.profile.coverage:
        pytest.skip("Left to the standard profile.")
    cases = coverage(operation_id)[: store.profile.coverage]
    store.side_by_side(_chosen(_telling(cases)), _send, creates=1)


@pytest.mark.rounds
@pytest.mark.clauses("http", "error", "list", "create", "get")
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_fuzzing_by_the_contract(store: Store, operation_id: str) -> None:
    """Sends generated requests, valid ones and invalid ones."""
    if not store.profile.fuzzing:
        pytest.skip("Left to the standard profile.")
    requests = fuzzing(operation_id, store.profile.fuzzing, store.seed_number, store.round_number)
    store.side_by_side(_chosen(requests), _send, creates=1)


@pytest.mark.clauses("create", "list.complete", "get.found")
def test_what_was_generated_is_there(store: Store) -> None:
    """Reads back everything that was created."""
    if store.profile.thorough:
        audit(store)
