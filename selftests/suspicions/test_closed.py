"""Connections that are closed without a response now and then: see judge/suspicions/closed.py."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.drive.lane import ALONE_HEADERS
from animal_conformance.judge.experiments import ReadAlone
from animal_conformance.judge.suspicions.closed import MORE_PROBES, PROBES, QUIET_S
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    animals,
    asked_by,
    created,
    listing,
    named,
    outcome_of,
    unanswered,
    unlisted,
    verdict_of,
)


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
# What is sent one at a time, of which every fourth got nothing.
FOURTH = [alone(10.0 + at, closed=at % 4 == 3) for at in range(PROBES)]


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
    assert ClauseOutcome.FAILED == outcome(*BURSTS, *FOURTH)
    assert ClauseOutcome.PASSED == outcome(
        *BURSTS, *(alone(10.0 + at, closed=at < 5) for at in range(MORE_PROBES))
    )


def test_what_was_sent_while_others_were_in_flight_or_shortly_before_was_not_alone() -> None:
    """Those connections may still have been counted; after the time of quiet they are not."""
    more = [alone(60.0 + at) for at in range(PROBES)]

    def beside(apart_s: float) -> list[Exchange]:
        """A list whose response comes so long before each request that gets nothing."""
        kept = [listing(animals(1), at=each.sent_s - apart_s) for each in FOURTH if each.failure]
        answered = [replace(each, answered_s=each.sent_s) for each in kept]
        return [*BURSTS, *FOURTH, *answered]

    def followed(after_s: float) -> list[Exchange]:
        """A list that is sent so long after each request that gets nothing."""
        return [*BURSTS, *FOURTH, *(listing(at=each.sent_s + after_s) for each in FOURTH if each.failure)]

    assert ClauseOutcome.FAILED == outcome(*beside(QUIET_S + 1e-6))
    assert ClauseOutcome.PASSED == outcome(*beside(QUIET_S - 1e-6), *more)
    assert ClauseOutcome.FAILED == outcome(*followed(0.02))
    assert ClauseOutcome.PASSED == outcome(*followed(0.005), *more)


def test_what_is_sent_for_another_reason_does_not_show_that_it_is_a_restart() -> None:
    """Only so many probes do, each alone; the last of each burst is one as well."""
    first, *rest = [alone(10.0 + at) for at in range(PROBES - len(BURSTS) // 3)]
    assert ClauseOutcome.PASSED == outcome(*BURSTS, first, *rest)
    other = replace(first.request, target="/pets?limit=2")
    assert ClauseOutcome.CANT_TELL == outcome(*BURSTS, *rest, replace(first, request=other))
    assert ClauseOutcome.CANT_TELL == outcome(*BURSTS, *rest, replace(first, answered_s=rest[0].sent_s))


def test_the_first_that_was_closed_says_so_for_all() -> None:
    """One finding, not one for each."""
    verdict = verdict_of("http.answer", [*BURSTS, *FOURTH])
    (finding,) = verdict.findings
    assert (1, BURSTS[0].sequence) == (verdict.finding_count, finding.exchange.sequence)


def test_a_timeout_in_words_to_a_request_without_a_key_is_of_no_account() -> None:
    """Who has no key may have to hurry."""
    keyless = [replace(each, request=replace(each.request, credential=Credential.ABSENT)) for each in BURSTS]
    said = unlisted(408, limit=1).response
    refused = [replace(each, failure=None, response=said) if each.failure else each for each in keyless]
    assert ClauseOutcome.PASSED == outcome(*refused)


def test_connections_that_are_closed_for_being_idle_or_once_are_not_asked_about() -> None:
    """They were used before, or their client does not say how it uses them; or a restart met them. Twice it is no restart."""
    kept = [replace(each, request=replace(each.request, headers=())) for each in BURSTS]
    for lawful in (kept, [replace(each, driver="") for each in BURSTS], BURSTS[:3]):
        assert ClauseOutcome.PASSED == outcome(*lawful)
    assert ClauseOutcome.CANT_TELL == outcome(*BURSTS[:6])


def test_creations_whose_new_connections_are_closed_are_not_told_by_lists() -> None:
    """Three times apart; as often as that, no restart has met them alone."""
    lost = [created(named(f"Rex{at}"), at + 1, at=at + 1.0, sent_headers=ALONE_HEADERS) for at in range(3)]
    closed = [replace(unanswered(each), driver="a driver") for each in lost]
    others = [replace(each, sent_s=each.sent_s + 0.8, answered_s=each.sent_s + 0.9) for each in lost]
    beside = listing(animals(1), limit=1, at=0.9)
    probes = [alone(10.0 + at) for at in range(PROBES)]
    assert ClauseOutcome.CANT_TELL == outcome(beside, *closed, *others, *probes)
    assert ClauseOutcome.PASSED == outcome(beside, *closed[:2], *others, *probes)
    assert ClauseOutcome.PASSED == outcome(beside, *closed, *others, *probes, *burst(7.0))
    crowd = [replace(alone(each.sent_s), answered_s=each.answered_s + 0.1) for each in closed]
    assert ClauseOutcome.PASSED == outcome(beside, *closed, *others, *probes, *crowd)


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

    assert ClauseOutcome.FAILED == outcome(*map(in_words, [*BURSTS, *FOURTH]))
    assert ClauseOutcome.CANT_TELL == outcome(*map(in_words, BURSTS))
