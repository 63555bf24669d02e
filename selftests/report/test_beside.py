"""Commands say where their requests were sent in a burst: one at a time, they may not show a finding again."""

from __future__ import annotations

import pytest

from animal_conformance.record.exchange import Exchange
from animal_conformance.report.beside import InFlight

from .samples import Maker, animals, report_of


def _spans(*sent_and_answered: tuple[float, float]) -> list[Exchange]:
    make = Maker([])
    return [
        make.add("GET", "/pets", 200, animals(1), sent=sent_s, took=answered_s - sent_s)
        for sent_s, answered_s in sent_and_answered
    ]


def test_those_are_counted_that_were_in_flight_at_any_moment_of_a_request() -> None:
    """Those that begin or end meanwhile count too."""
    exchanges = _spans((0, 2), (1, 3), (1.5, 1.6), (2.5, 4), (5, 6))
    beside = InFlight(exchanges, 1).beside
    assert [beside(each) for each in exchanges] == [2, 3, 2, 1, 0]


def test_a_response_ends_a_request_before_the_next_one_at_that_moment() -> None:
    """A single connection has none beside it."""
    exchanges = _spans((0, 1), (1, 2), (2, 3))
    assert [InFlight(exchanges, 1).beside(each) for each in exchanges] == [0, 0, 0]


@pytest.mark.parametrize(("connections", "told"), [(1, "#"), (2, "#"), (3, "curl")])
def test_as_many_as_the_run_has_connections_are_no_burst(connections: int, told: str) -> None:
    """Three requests at once, one of which is answered with more animals than it asked for."""
    make = Maker([])
    for limit in (9, 3, 9):
        make.add("GET", f"/pets?limit={limit}", 200, animals(9), sent=limit / 10, took=3)
    clauses = report_of(make.exchanges, connections=connections)["clauses"]
    findings = [finding for clause in clauses for finding in clause["findings"]]
    assert findings
    assert {each["curl"].split()[0] for each in findings} == {told}
