"""http.answer: requests that get nothing, now and then or for good; see rules/http.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.drive.lane import ALONE_HEADERS
from animal_conformance.judge.experiments import Again, Read
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Exchange, FailureKind
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    animal,
    answered,
    asked_by,
    created,
    exchange,
    failed_of,
    got,
    listing,
    lost,
    named,
    opinions_of,
    outcome_of,
    refused,
    seen_of,
    unanswered,
    under,
    verdict_of,
)


def attempts(number: int, kind: FailureKind = FailureKind.RESET) -> list[Exchange]:
    """That many requests of one kind without an answer."""
    return [unanswered(listing(limit=7), kind, at=1.0 + each) for each in range(number)]


BETWEEN = [listing(at=1.5), listing(at=2.5)]


def on_its_own(of: Exchange) -> Exchange:
    """The same request of a driver, on a connection of its own."""
    return replace(of, request=replace(of.request, headers=ALONE_HEADERS), driver="a driver")


def cut_now_and_then(times: int, kind: FailureKind) -> list[Exchange]:
    """Requests whose response is cut off, each of which is answered when it is sent again."""
    return [
        each
        for at in range(1, times + 1)
        for each in (unanswered(listing(limit=at), kind, at=float(at)), listing(limit=at, at=at + 0.5))
    ]


@pytest.mark.parametrize(
    ("times", "kind", "outcome"),
    [(3, FailureKind.MALFORMED, FAILED), (2, FailureKind.MALFORMED, PASSED), (6, FailureKind.RESET, PASSED)],
)
def test_responses_that_are_cut_off_three_times_apart_are_a_finding(
    times: int, kind: FailureKind, outcome: ClauseOutcome
) -> None:
    """Whatever comes of further attempts; a connection that is closed before any response is the network's."""
    trace = cut_now_and_then(times, kind)
    verdict = verdict_of("http.answer", trace)
    assert outcome == verdict.outcome
    if outcome == FAILED:
        assert (trace[0].reference,) == verdict.found_in
        finding = verdict.findings[0].finding
        assert ((trace[2], trace[4]), (("outage", trace[1]), ("outage", trace[3]))) == (
            finding.related,
            finding.excluded,
        )


OWN = [f"Ac{letters * 5}" for letters in ("ab", "cd", "ef")]


def dropped_creations(*listed: int) -> list[Exchange]:
    """Three creations that are answered only when they are sent again, and a list that shows some of them twice."""
    trace = []
    for at, name in enumerate(OWN, 1):
        made = created(named(name), 100 + at, at=at + 0.5)
        trace += [unanswered(made, at=float(at)), made]
    shown = [animal(100 + at, name=name) for at, name in enumerate(OWN, 1)]
    shown += [animal(at, name=OWN[at - 1]) for at in listed]
    return [*trace, listing(shown, at=10.0)]


@pytest.mark.parametrize(("listed", "outcome"), [((1, 2, 3), FAILED), ((1, 3), PASSED), ((), PASSED)])
def test_creations_that_are_stored_and_not_answered_three_times_apart_are_a_finding(
    listed: tuple[int, ...], outcome: ClauseOutcome
) -> None:
    """Their animals are there a second time; what was sent on a connection that was closing has added none."""
    trace = dropped_creations(*listed)
    verdict = verdict_of("http.answer", trace)
    assert outcome == verdict.outcome
    if outcome == FAILED:
        assert (trace[0].reference,) == verdict.found_in
        assert (trace[2], trace[4]) == verdict.findings[0].finding.related


@pytest.mark.parametrize("kind", [FailureKind.RESET, FailureKind.MALFORMED])
def test_a_request_that_is_never_answered_while_others_are_is_a_finding(kind: FailureKind) -> None:
    """Reading 18: three times apart, with others served in between."""
    tried = attempts(3, kind)
    verdict = verdict_of("http.answer", [*tried, *BETWEEN])
    assert (FAILED, 3, 2) == (verdict.outcome, verdict.finding_count, verdict.evidence)
    found = verdict.findings[0].finding
    assert (tuple(tried[:1]), (("outage", BETWEEN[0]), ("outage", BETWEEN[1]))) == (
        found.related,
        found.excluded,
    )
    assert ("cannot be read" in found.message) == (kind is FailureKind.MALFORMED)
    beside = [listing(at=each.sent_s) for each in tried]
    own = verdict_of("http.answer", [*map(on_its_own, tried), *beside, *BETWEEN])
    assert 3 == own.finding_count


@pytest.mark.parametrize(
    "never",
    [
        pytest.param(refused({"categoryId": 1}), id="an invalid body"),
        pytest.param(got("rex"), id="an invalid petId"),
        pytest.param(listing(limit=0), id="an invalid limit"),
        pytest.param(under(listing(limit=7), WRONG), id="a wrong key"),
    ],
)
def test_an_invalid_request_that_gets_no_answer_in_time_is_one_that_is_never_answered(
    never: Exchange,
) -> None:
    """Valid ones are covered by the clauses of their operations."""
    tried = [unanswered(never, FailureKind.TIMEOUT, at=float(at)) for at in (1, 2, 3)]
    between = [*BETWEEN, created(named("Whiskerton"), 5, at=2.6), got(5, at=2.7)]
    assert {"http.answer"} == failed_of([*tried, *between])
    early = [*BETWEEN, created(named("Whiskerton"), 5, at=1.6), got(5, at=1.7)]
    assert {"http.answer"} == failed_of([*tried, *early])
    # An experiment has the valid key.
    verdict = verdict_of("http.answer", [*tried[:2], *between])
    assert (never.request.credential is not WRONG, 4) == (bool(verdict.suspected), verdict.evidence)
    late = replace(never, sent_s=9.0, answered_s=40.0)
    assert "http.answer" not in failed_of([*tried, *between, late])


def test_an_operation_that_is_slow_as_a_whole_is_no_finding() -> None:
    """A run that waits longer may see its answers, whatever the request is."""
    tried = [unanswered(lost("abc", 400), FailureKind.TIMEOUT, at=float(at)) for at in (1, 2, 3)]
    assert CANT_TELL == outcome_of("http.answer", [*tried, *BETWEEN])
    assert set() == failed_of([*tried, *BETWEEN])


def test_one_that_waits_in_vain_for_a_while_is_tried_again_after_its_like_was_served() -> None:
    """What is locked for a while is no finding."""
    refused_late = lost("abc", 400)
    tried = [unanswered(refused_late, FailureKind.TIMEOUT, at=float(at)) for at in (1, 2, 3)]
    trace = [*tried, *BETWEEN, got(5, at=8.0)]
    assert set() == failed_of([created(named("Whiskerton"), 5, at=0.1), *trace])
    verdict = verdict_of("http.answer", [created(named("Whiskerton"), 5, at=0.1), *trace])
    (experiment,) = verdict.suspected[0].suspicion.experiments
    assert (Read("/pets/5"), Again(refused_late.request)) == experiment.steps
    again = unanswered(refused_late, FailureKind.TIMEOUT, at=9.0)
    assert {"http.answer"} == failed_of([created(named("Whiskerton"), 5, at=0.1), *trace, again])


def test_a_request_that_was_answered_before_may_be_broken_off_for_good_since() -> None:
    """Such as a list that has grown longer than a proxy's buffer."""
    before = listing(limit=7, at=0.1)
    assert FAILED == outcome_of("http.answer", [before, *attempts(3), *BETWEEN])


@pytest.mark.parametrize(
    "lawful",
    [
        pytest.param([*attempts(6), listing(at=3.5)], id="two times apart"),
        pytest.param([*attempts(6), listing(at=30.0)], id="an outage"),
        pytest.param([*attempts(3), listing(at=1.0), listing(at=3.0)], id="answered when it began or ended"),
        pytest.param([*attempts(3), listing(at=1.5, took=3.0)], id="answered afterwards"),
        pytest.param([*attempts(3), *BETWEEN, listing(limit=7, at=20.0)], id="answered in the end"),
        pytest.param([*attempts(9, FailureKind.TIMEOUT), *BETWEEN], id="slow"),
        pytest.param([*attempts(9, FailureKind.REFUSED), *BETWEEN], id="network"),
        pytest.param([*attempts(1), *attempts(3, FailureKind.REFUSED)[1:], *BETWEEN], id="network at last"),
    ],
)
def test_a_network_that_fails_is_no_finding(lawful: list[Exchange]) -> None:
    """A lost connection says nothing of the deployment."""
    answered = sum(each.response is not None for each in lawful)
    assert (answered, 0) == opinions_of("http.answer", lawful)


def test_a_request_that_is_not_answered_yet_is_sent_again() -> None:
    """Reading 18: with others in between, until it was three times apart; each attempt is suspected."""
    suspected = verdict_of("http.answer", [*attempts(2), listing(at=1.5)]).suspected
    (experiment,) = suspected[0].suspicion.experiments
    again = Again(attempts(1)[0].request)
    assert (2, (Read("/pets?limit=1"), again)) == (len(suspected), experiment.steps)
    own = on_its_own(attempts(1)[0])
    (asked,) = asked_by(verdict_of("http.answer", [own, listing(at=1.5)]))
    assert (Read("/pets?limit=1"), Again(own.request)) * 2 == asked.steps


def test_a_connection_that_is_broken_off_in_an_outage_is_explained_by_it() -> None:
    """It met every request then."""
    errors = [exchange("GET", f"/pets/{each}", 502, b"", at=2.0 + each / 10) for each in range(3)]
    trace = [listing(at=0.5), *errors, unanswered(got(7), at=2.15), listing(at=4.0)]
    assert () == verdict_of("http.answer", trace).suspected
    assert 1 == seen_of("open.explanations", trace)["http.answer: outage"]


@pytest.mark.parametrize(("status", "suspected"), [(499, 1), (500, 2)])
def test_a_request_that_was_broken_off_is_served_once_it_gets_no_5xx(status: int, suspected: int) -> None:
    """What came of it before was one of an outage; what comes of it since is not."""
    tried = attempts(3)[::2]
    trace = [*tried, answered(listing(limit=7), status, at=2.0)]
    assert suspected == len(verdict_of("http.answer", trace).suspected)


def test_what_the_network_refuses_of_a_request_that_is_never_answered_is_no_finding() -> None:
    """The others are."""
    trace = [*attempts(3), *attempts(4, FailureKind.REFUSED)[3:], *BETWEEN]
    assert (2, 3) == opinions_of("http.answer", trace)


def test_a_creation_that_is_not_answered_yet_is_sent_again_until_it_is() -> None:
    """What is answered adds an animal, and need not be asked for again."""
    lost = unanswered(created())
    (suspected,) = verdict_of("http.answer", [lost, listing(at=1.5)]).suspected
    (experiment,) = suspected.suspicion.experiments
    again = Again(lost.request, until_served=True)
    assert (Read("/pets?limit=1"), again) * 2 == experiment.steps
