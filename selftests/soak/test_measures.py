"""What is measured over time is counted in a bounded number of bins, and adds up over processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from animal_conformance.commands.soak import Milliseconds
from animal_conformance.record.exchange import FailureKind, Response
from animal_conformance.soak.guarantees import Observed, Session
from animal_conformance.soak.measures import MOST_BINS, Measures, class_of, percentile
from selftests.exchanges import created, got, listing, lost, unanswered


def test_percentiles_are_exact_to_some_percent() -> None:
    """Of the numbers from 1 to 1,000 milliseconds."""
    times = Counter(class_of(ms) for ms in range(1, 1001))
    assert [500, 950, 990] == pytest.approx([percentile(times, each) for each in (50, 95, 99)], rel=0.03)


def test_thresholds_count_what_they_say_they_count() -> None:
    """Responses of the class of the threshold keep it; a limit on requests is an answer, no failure."""
    measures = Measures()
    for _ in range(3):
        measures.learn(replace(listing(), sent_s=0.0, answered_s=0.196))
        measures.learn(replace(listing(), response=Response(429)))
    measures.learn(replace(listing(), response=Response(503, (("Retry-After", "1"),))))
    measures.learn(unanswered(listing(), FailureKind.TIMEOUT))
    assert [True] == [each["kept"] for each in measures.thresholds(200.0, None)]
    assert [False] == [each["kept"] for each in measures.thresholds(180.0, None)]
    for share, kept in ((0.24, False), (0.25, True)):
        assert [kept] == [each["kept"] for each in measures.thresholds(None, share)]


@pytest.mark.parametrize(("text", "ms"), [("200ms", 200.0), ("200", 200.0), ("1.5s", 1500.0)])
def test_a_response_time_without_a_unit_is_in_milliseconds(text: str, ms: float) -> None:
    """As those of other load tools are; with seconds it would never be exceeded."""
    assert ms == pytest.approx(Milliseconds().convert(text, None, None))


def test_bins_grow_with_the_run_and_stay_few() -> None:
    """Nothing that was counted is lost."""
    measures = Measures()
    for at in range(0, 5000, 7):
        measures.learn(listing(at=at))
    report = measures.as_report()
    assert len(report["bins"]) <= MOST_BINS
    assert 64 == report["step_s"]
    assert len(range(0, 5000, 7)) == sum(each["served"] for each in report["bins"])


def test_what_two_processes_count_adds_up() -> None:
    """In the bins of the one that knows both."""
    total = Measures()
    for at in (1, 300):
        measures = Measures()
        measures.learn(listing(at=at))
        measures.learn(unanswered(listing(at=at), FailureKind.TIMEOUT))
        total.add(measures.take())
        assert [] == measures.take()
    assert {"timeout": 2} == total.as_report()["errors"]
    assert 2 == total.as_report()["operations"]["listPets"]["count"]


def test_a_user_that_does_not_find_what_it_created_has_not_read_its_writes() -> None:
    """And one that finds again what it has found reads monotonically."""
    observed = Observed("http://h/v1")
    session = Session(observed)
    for each in (created(animal_id=1, at=1), lost(1, at=2), got(1, at=3), got(1, at=4), lost(1, at=5)):
        session.learn(each)
    seen = {each["id"]: (each["held"], each["broken"]) for each in observed.as_report()}
    assert {"read-your-writes": (1, 1), "monotonic-reads": (1, 1), "monotonic-writes": (0, 0)} == seen


def test_a_user_that_finds_the_second_of_its_animals_and_not_the_first_sees_writes_out_of_order() -> None:
    """The counterexample shows both creations and both readings."""
    observed = Observed("http://h/v1")
    session = Session(observed)
    for each in (created(animal_id=1, at=1), created(animal_id=2, at=2), got(2, at=3), lost(1, at=4)):
        session.learn(each)
    writes = observed.as_report()[-1]
    assert (0, 1) == (writes["held"], writes["broken"])
    assert 4 == len(writes["counterexample"])
