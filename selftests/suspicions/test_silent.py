"""Requests that get no answer in time now and then: see judge/suspicions/silent.py and unread.py."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from animal_conformance.drive.lane import ALONE_HEADERS
from animal_conformance.judge.experiments import Again, Experiment, Read, ReadAlone
from animal_conformance.judge.suspicions.closed import MORE_PROBES, PROBES
from animal_conformance.judge.suspicions.silent import LONG_S, MARGIN, OFTEN
from animal_conformance.judge.suspicions.unread import left_unread
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import SOAK, Exchange, FailureKind
from selftests.exchanges import (
    ANSWER,
    CANT_TELL,
    FAILED,
    PASSED,
    animals,
    asked_by,
    created,
    exchange,
    ledger_of,
    listing,
    named,
    outcome_of,
    refused,
    unanswered,
    unauthorised,
    verdict_of,
)
from selftests.tables import cases

CLAUSE = "http.answer"


def silent(of: Exchange, took: float = 30.0) -> Exchange:
    """The same request, which gets no answer for so long."""
    nothing = unanswered(of, FailureKind.TIMEOUT)
    return replace(nothing, answered_s=nothing.sent_s + took, driver="a driver")


def again(of: Exchange, took: float = 30.0) -> list[Exchange]:
    """A request that gets no answer, and one when it is sent again."""
    later_s = of.sent_s + took + 0.1
    return [silent(of, took), replace(of, sent_s=later_s, answered_s=later_s + 0.01)]


def run_of(times: int, took: float = 30.0) -> list[Exchange]:
    """A run in which lists got no answer so many times."""
    return [each for at in range(times) for each in again(listing(animals(1), limit=1, at=100.0 * at), took)]


def probes(number: int, *met: int, took: float = 2.0) -> list[Exchange]:
    """Lists that are sent one at a time; those at some places get no answer."""
    read = (listing(animals(1), limit=1, at=10_000.0 + 20 * at) for at in range(number))
    own = [
        replace(each, request=replace(each.request, headers=ALONE_HEADERS), driver="a driver")
        for each in read
    ]
    return [silent(each, took) if at in met else each for at, each in enumerate(own)]


def outcome(*exchanges: Exchange) -> ClauseOutcome:
    """The outcome of http.answer."""
    return outcome_of(CLAUSE, exchanges)


def probed_by(experiments: Iterable[Experiment]) -> int:
    """How many requests they send one at a time."""
    return sum(isinstance(step, ReadAlone) for each in experiments for step in each.steps)


def test_what_is_silent_now_and_then_is_put_to_the_test() -> None:
    """Once it may have been a restart; five times it is looked for longer, with two to spare."""
    assert PASSED == outcome(*run_of(1))
    for times, wanted in ((2, 32), (4, 32), (5, 92)):
        verdict = verdict_of(CLAUSE, run_of(times))
        assert (CANT_TELL, wanted) == (verdict.outcome, probed_by(asked_by(verdict)))
    elsewhere = again(exchange("GET", "/orders", at=-90.0))
    assert CANT_TELL == outcome(*elsewhere, *run_of(2))


@cases(
    "others",
    {
        "before": [listing(limit=7, at=0.5)],
        "at the same time": [listing(limit=7, at=1.0), listing(limit=7, at=101.0)],
        "never": [silent(listing(limit=7, at=201.0))],
    },
)
def test_what_is_not_answered_when_it_is_sent_again_is_not_silent_now_and_then(
    others: list[Exchange],
) -> None:
    """It may be as slow as its operation has become; sent once more, it tells."""
    lists = [silent(listing(limit=7, at=at)) for at in (1.0, 101.0)]
    trace = [*others, *lists, listing(at=50.0), listing(at=150.0)]
    assert PASSED == outcome(*trace)
    assert CANT_TELL == outcome(*trace, listing(limit=7, at=301.0))


def test_what_a_run_sends_to_find_its_width_may_get_no_answer() -> None:
    """A deployment may serve one connection at a time, and so little is waited for."""
    nobodys = [replace(each, driver="") for each in run_of(OFTEN, 0.5)]
    assert PASSED == outcome(*nobodys)


def test_silence_with_nothing_beside_it_is_a_finding() -> None:
    """Three times, apart from each other; that it is served otherwise shows that it is no restart."""
    trace = [*run_of(2), *probes(PROBES, 3, 9, 20)]
    verdict = verdict_of(CLAUSE, trace)
    assert (FAILED, (trace[0].reference,)) == (verdict.outcome, verdict.found_in)
    (first,) = verdict.findings
    assert "no response within 30 s, although nothing else is sent meanwhile" in first.finding.message
    assert FAILED != outcome(*run_of(2), *probes(PROBES, 3, 4, 5))
    alone = probes(PROBES, 3, 9, 20, took=LONG_S)
    (first,) = verdict_of(CLAUSE, alone).findings
    assert (alone[9], alone[20]) == first.finding.related


def test_silence_beside_others_alone_may_be_too_many_of_them() -> None:
    """A deployment may serve a few connections at a time."""
    assert PASSED == outcome(*run_of(2), *probes(PROBES))
    assert PASSED == outcome(*run_of(OFTEN), *probes(MORE_PROBES))
    assert CANT_TELL == outcome(*run_of(OFTEN), *probes(PROBES))
    assert CANT_TELL == outcome(*run_of(OFTEN), *probes(MORE_PROBES, 7))
    once = verdict_of(CLAUSE, [*run_of(2), *probes(PROBES, 7)])
    assert (CANT_TELL, MORE_PROBES - PROBES + MARGIN) == (once.outcome, probed_by(asked_by(once)))
    assert PASSED == outcome(*run_of(2), *probes(MORE_PROBES, 7))


def test_an_answer_that_may_only_be_slow_cannot_be_told() -> None:
    """The interface names no time; after a rejection, too."""
    for took, expected in ((10.0, FAILED), (9.5, CANT_TELL)):
        assert expected == outcome(*run_of(2, took), *probes(PROBES, 3, 9, 20))
        assert expected == outcome(*run_of(2, took), *probes(PROBES), *item(*TURN * 3, LIST))


def test_in_a_soak_silence_is_no_suspicion() -> None:
    """Load may be the reason."""
    assert PASSED == outcome_of(CLAUSE, run_of(OFTEN), profile=SOAK)


REJECTED = unauthorised(created(named("Rex")))


def item(*sent: Exchange) -> list[Exchange]:
    """What an experiment sends on one connection, one after another."""
    return [
        replace(each, sequence=900, step=step, sent_s=20_000.0 + 3 * step, answered_s=20_002.0 + 3 * step)
        for step, each in enumerate(sent, start=1)
    ]


LIST = listing(animals(1), limit=1)
SILENT = unanswered(LIST, FailureKind.TIMEOUT)
TURN = (LIST, REJECTED, SILENT, LIST)


def test_silence_after_a_rejection_is_a_finding_where_other_answers_are_followed_by_one() -> None:
    """Three times each, on one connection."""
    verdict = verdict_of(CLAUSE, [*run_of(2), *item(*TURN * 3, LIST)])
    (first,) = verdict.findings
    assert "after a create request on the same connection that was rejected" in first.finding.message
    assert 6 == len(first.finding.related)


@pytest.mark.parametrize("status", [400, 413, 499])
def test_three_rejections_and_three_other_answers_are_enough(status: int) -> None:
    """Of any 4xx."""
    rejected = refused(named(""), status)
    pairs = left_unread(ledger_of(*item(*(LIST, rejected, SILENT) * 3)))
    assert [status] * 3 == [each.status for each, _ in pairs]


def on_its_own(of: Exchange) -> Exchange:
    """The same request, which asks for its connection to be closed."""
    return replace(of, request=replace(of.request, headers=ALONE_HEADERS), driver="a driver")


CLOSED = unauthorised(created(named("Rex")), headers=(*ANSWER, ("Connection", "close")))
BROKEN = unanswered(LIST)


@cases(
    "sent",
    {
        "twice": (*TURN * 2, LIST, LIST),
        "two other answers": (*(LIST, REJECTED, SILENT) * 2, REJECTED, SILENT),
        "not each": (*TURN * 3, LIST, REJECTED, LIST),
        "after answers as well": (*TURN * 3, LIST, LIST, SILENT, LIST, LIST),
        "broken off after another rejection": (*TURN * 3, LIST, refused(named("")), BROKEN),
        "closed": (LIST, CLOSED, SILENT, LIST) * 3,
        "closed at the request's wish": (LIST, LIST, on_its_own(REJECTED), SILENT, LIST) * 3,
        "the next on a connection of its own": (LIST, REJECTED, on_its_own(SILENT), LIST) * 3,
        "after a list that has a body": (LIST, exchange("GET", "/pets", 400, body=b"[]"), SILENT, LIST) * 3,
        "after a creation without a body": (LIST, refused(b""), SILENT, LIST) * 3,
        "after what is accepted": (LIST, created(), SILENT, LIST) * 3,
        "after another status": (LIST, refused(status=399), SILENT, LIST) * 3,
        "after an error of the server": (LIST, refused(status=500), SILENT, LIST) * 3,
    },
)
def test_silence_that_does_not_follow_each_rejection_alone_is_no_finding_yet(
    sent: tuple[Exchange, ...],
) -> None:
    """It may be by chance, or of all that follows, or of a body that nothing says was left."""
    assert [] == left_unread(ledger_of(*item(*sent)))
    assert "same connection" not in str(verdict_of(CLAUSE, [*run_of(2), *item(*sent)]).findings)


def test_each_kind_of_rejection_is_tried() -> None:
    """Two lists around each, three times, of three kinds: as they were sent on a connection that stays open."""
    kinds = [REJECTED, refused(named(""), at=5.0), refused(named("A"), 422, at=6.0)]
    others = [on_its_own(refused(named("B"), 409, at=0.5)), refused(named("C"), 413, at=7.0)]
    asked = asked_by(verdict_of(CLAUSE, [*run_of(2), *kinds, *others]))
    tried = [each.steps for each in asked if isinstance(each.steps[0], Read)]
    read = Read("/pets?limit=1")
    assert [(read, Again(each.request), read) * 3 for each in kinds] == tried
