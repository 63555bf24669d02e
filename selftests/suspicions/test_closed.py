"""Connections that are closed without a response now and then: see judge/suspicions/closed.py."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.drive.lane import ALONE_HEADERS
from animal_conformance.judge.experiments import ReadAlone
from animal_conformance.judge.suspicions.closed import MORE_PROBES, PROBES
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animals, asked_by, listing, outcome_of, unanswered, unlisted, verdict_of


def alone(at: float, *, closed: bool = False, driver: str = "a driver") -> Exchange:
    """A list on a connection of its own."""
    answered = listing(animals(1), limit=1, at=at)
    request = replace(answered.request, headers=ALONE_HEADERS)
    own = replace(answered, request=request, driver=driver)
    return replace(unanswered(own, at=at), driver=driver) if closed else own


def burst(at: float) -> list[Exchange]:
    """One of two that were sent at the same moment got nothing, and gets it when sent again."""
    return [alone(at, closed=True), alone(at + 0.001), alone(at + 0.5)]


BURSTS = [each for at in (1.0, 2.0, 3.0) for each in burst(at)]


def outcome(*exchanges: Exchange) -> ClauseOutcome:
    """The outcome of http.answer."""
    return outcome_of("http.answer", exchanges)


def test_connections_that_are_closed_beside_others_may_have_been_too_many() -> None:
    """It is put to the test with nothing beside."""
    verdict = verdict_of("http.answer", BURSTS)
    assert ClauseOutcome.CANT_TELL == verdict.outcome
    (experiment,) = asked_by(verdict)
    assert PROBES == sum(isinstance(each, ReadAlone) for each in experiment.steps)
    assert ClauseOutcome.PASSED == outcome(*BURSTS, *(alone(10.0 + at) for at in range(PROBES)))


def test_three_that_are_closed_with_nothing_beside_are_a_finding() -> None:
    """Apart from each other, with others served in between."""
    probes = [alone(10.0 + at, closed=at % 4 == 3) for at in range(PROBES)]
    assert ClauseOutcome.FAILED == outcome(*BURSTS, *probes)
    assert ClauseOutcome.PASSED == outcome(
        *BURSTS, *(alone(10.0 + at, closed=at < 5) for at in range(MORE_PROBES))
    )


def test_connections_that_are_closed_for_being_idle_or_once_are_not_asked_about() -> None:
    """They were used before, or their client does not say how it uses them; or a restart met them."""
    kept = [replace(each, request=replace(each.request, headers=())) for each in BURSTS]
    for lawful in (kept, [replace(each, driver="") for each in BURSTS], BURSTS[:3]):
        assert ClauseOutcome.PASSED == outcome(*lawful)


def test_what_is_closed_with_nothing_beside_but_seldom_is_put_to_the_test_for_longer() -> None:
    """It is a restart if it was closed once, and cannot be told if it was twice."""
    probes = [alone(10.0 + at, closed=at == 3) for at in range(PROBES)]
    verdict = verdict_of("http.answer", [*BURSTS, *probes])
    assert ClauseOutcome.CANT_TELL == verdict.outcome
    (experiment,) = asked_by(verdict)
    assert MORE_PROBES - PROBES == sum(isinstance(each, ReadAlone) for each in experiment.steps)

    def further(*closed: int) -> list[Exchange]:
        return [alone(10.0 + at, closed=at in closed) for at in range(PROBES, MORE_PROBES)]

    assert ClauseOutcome.PASSED == outcome(*BURSTS, *probes, *further())
    assert ClauseOutcome.CANT_TELL == outcome(*BURSTS, *probes, *further(40))
    assert ClauseOutcome.FAILED == outcome(*BURSTS, *probes, *further(40, 80))


def test_a_new_connection_that_is_said_to_have_carried_no_request_is_as_good_as_closed() -> None:
    """A 408 is lawful where a connection was idle (RFC 9110 section 15.5.9)."""

    def in_words(exchange: Exchange) -> Exchange:
        said = unlisted(408, limit=1).response
        return replace(exchange, failure=None, response=said) if exchange.failure else exchange

    probes = [alone(10.0 + at, closed=at % 4 == 3) for at in range(PROBES)]
    assert ClauseOutcome.FAILED == outcome(*map(in_words, [*BURSTS, *probes]))
    assert ClauseOutcome.CANT_TELL == outcome(*map(in_words, BURSTS))
