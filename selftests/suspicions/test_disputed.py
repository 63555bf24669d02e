"""What one list tells of an animal otherwise than getPet: History.disputed of knowledge/tellings.py, values/changed.py."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    PASSED,
    animal,
    animals,
    failed_of,
    got,
    listing,
    outcome_of,
    reads_of,
    verdict_of,
)


def _told_by(*queries: tuple[str, str, float]) -> list[Exchange]:
    """Somebody else's animal as these queries tell its name at these times; getPet is the empty query."""
    return [
        listing([animal(1, name=name)], query=query, at=at) if query else got(1, animal(1, name=name), at=at)
        for query, name, at in queries
    ]


WRONG_FIRST = (
    ("limit=20", "Tom", 0.0),
    ("limit=100", "Rex", 1.0),
    ("limit=20", "Tom", 2.0),
    ("", "Rex", 3.0),
)
WRONG_LAST = (("limit=100", "Rex", 0.0), ("", "Rex", 3.0), ("limit=20", "Tom", 4.0))


@pytest.mark.parametrize("queries", [WRONG_FIRST, WRONG_LAST])
def test_the_list_that_tells_it_otherwise_is_read_beside_getpet(
    queries: tuple[tuple[str, str, float], ...],
) -> None:
    """That the others agree with getPet, after settling as well, says nothing of this one."""
    trace = _told_by(*queries, ("limit=100", "Rex", 7.0), ("", "Rex", 8.0))
    (suspected, *_) = verdict_of("animal.id.stable", trace).suspected
    (turns,) = suspected.suspicion.experiments
    assert ["/pets?limit=20", "/pets/1"] == reads_of(turns)[:2]
    apart = _told_by(
        *((query, name, 10.0 + at) for at in (0, 1) for query, name in (("limit=20", "Tom"), ("", "Rex")))
    )
    assert {"animal.id.stable"} == failed_of([*trace, *apart])
    alike = _told_by(("limit=20", "Rex", 10.0), ("", "Rex", 11.0))
    assert PASSED == outcome_of("animal.id.stable", [*trace, *alike])


def test_a_list_that_has_lost_the_animal_is_no_longer_read_beside_getpet() -> None:
    """Another one may tell the same of it; where there is none, nothing can be compared."""
    trace = _told_by(
        ("limit=20", "Tom", 0.0), ("limit=10", "Tom", 1.0), ("limit=100", "Rex", 4.0), ("", "Rex", 5.0)
    )
    without = listing([animal(2)], query="limit=20", at=7.0)
    (suspected,) = verdict_of("animal.id.stable", [*trace, without]).suspected
    (turns,) = suspected.suspicion.experiments
    assert Read("/pets?limit=10") in turns.steps
    lost_too = listing([animal(2)], query="limit=10", at=8.0)
    assert PASSED == outcome_of(
        "animal.id.stable", [*trace, without, lost_too, got(1, animal(1, name="Rex"), at=9.0)]
    )


def test_a_sample_does_not_decide_for_a_list_that_always_tells_it_otherwise() -> None:
    """What was edited is told anew by the same list."""
    before, after = animals(7, name="Rex"), animals(7, name="Tom")
    edits = [listing(before, limit=100), listing([*after[:6], before[6]], limit=100, at=2.0)]
    tests = [got(each, after[each - 1], at=4.5) for each in range(1, 7)]
    apart = [got(7, before[6], at=4.6), listing(after[6:], limit=20, at=5.0)]
    trace = [*edits, *tests, listing([*after[:6], before[6]], limit=100, at=4.4), *apart]
    # It may have been edited by then.
    assert PASSED == outcome_of("animal.id.stable", trace)
    assert CANT_TELL == outcome_of("animal.id.stable", [*trace, got(7, before[6], at=5.1)])
