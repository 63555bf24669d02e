"""The rules of suspicions/creations/intermittent.py: valid creations that are rejected now and then."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.experiments import Again, Create, Naming, Read, Wait
from animal_conformance.judge.suspicions.creations.intermittent import NOBODYS
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    FAILED,
    animal,
    created,
    failed_of,
    listing,
    named,
    outcome_of,
    reads_of,
    refused,
    seen_of,
    steps_asked,
    unanswered,
    verdict_of,
)
from selftests.tables import cases

CLAUSE, OPTIONAL = "create.status.accepted", "create.status.optional"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FIRST = created(named("Babetteo", status="sold"), 99, at=0.5)


def name_of(number: int) -> str:
    """A plain name, another one for each number."""
    return f"Fluffikin{LETTERS[number // 26]}{LETTERS[number % 26]}"


def rejections(count: int, at: float = 1.0, status: Any = "sold") -> list[Exchange]:
    """Creations under names of their own that were rejected, a tenth of a second apart."""
    return [refused(named(name_of(each), status=status), at=at + each / 10) for each in range(count)]


def again(of: Exchange, at: float, *, accepted: bool) -> Exchange:
    """The same creation once more."""
    sent = json.loads(of.request.body or b"")
    return created(sent, int(at * 100), at=at) if accepted else refused(sent, at=at)


def at_once(number: int, at: float, status: Any = "sold", *, after_s: float = 0.01) -> list[Exchange]:
    """A creation that is rejected, and accepted so much later."""
    rejected = refused(named(name_of(number), status=status), at=at)
    return [rejected, again(rejected, at + after_s, accepted=True)]


THREE = rejections(3)
TAKEN_BACK = [FIRST, *THREE, again(THREE[0], 2.0, accepted=True)]
SILENT = [TAKEN_BACK, at_once(5, 4.0), at_once(6, 5.0), at_once(7, 6.0)]
# Lists beside which nobody comes or goes.
BEFORE, BETWEEN, AFTER = (listing([], limit=100, at=at) for at in (0.4, 5.2, 8.0))


def trace_of(*parts: list[Exchange]) -> list[Exchange]:
    """The exchanges of all parts."""
    return [each for part in parts for each in part]


def test_rejections_after_silences_that_are_taken_back_at_once_are_no_quota() -> None:
    """What has a place again in a hundredth of a second would have had one in the second before."""
    trace = trace_of(*SILENT, [BEFORE, AFTER])
    assert {CLAUSE} == failed_of(trace)
    verdict = verdict_of(CLAUSE, trace)
    assert (trace[5].reference,) == verdict.found_in
    finding = verdict.findings[0].finding
    accepted = (trace[6], trace[8], trace[10])
    assert (accepted, tuple(("unwelcome", each) for each in accepted)) == (finding.related, finding.excluded)


def lists(before: list[int], after: list[int], limit: int = 100) -> list[Exchange]:
    """The list before and after the last of the silences, with these animals."""
    return [
        listing([animal(each) for each in ids], limit=limit, at=at)
        for ids, at in ((before, 5.5), (after, 6.5))
    ]


FULL = list(range(1000, 1100))


@cases(
    ("seen", "fails"),
    {
        "the same others": (lists([1, 2], [1, 2]), True),
        "an animal of the run in addition": (lists([1, 2], [1, 2, 601]), True),
        "one of them gone": (lists([1, 2], [1]), False),
        "another one": (lists([1, 2], [1, 2, 3]), False),
        "pushed out of a full list": (lists(FULL, [601, *FULL[:-1]]), True),
        "more gone than were pushed out": (lists(FULL, [601, *FULL[:-2]]), False),
        "another list": (lists([1, 2], [1], limit=50), False),
        "no list afterwards": (lists([1, 2], [1])[:1], False),
        "no list just before": (lists([1, 2], [1])[1:], False),
    },
)
def test_where_others_come_and_go_a_quota_is_possible(seen: list[Exchange], *, fails: bool) -> None:
    """They may give a place back at any moment, and take it; what no lists stand beside proves nothing."""
    assert fails == (FAILED == outcome_of(CLAUSE, [*trace_of(*SILENT), BEFORE, BETWEEN, *seen]))


def test_each_silence_is_between_lists() -> None:
    """Of all animals; only they show what others do."""
    (experiment,) = verdict_of(CLAUSE, TAKEN_BACK).suspected[0].suspicion.experiments
    steps = experiment.steps
    assert all(
        Read("/pets?limit=100") == steps[at - 1] for at, each in enumerate(steps) if isinstance(each, Wait)
    )
    assert Read("/pets?limit=100") == steps[-1]


def test_creations_without_a_status_fail_the_clause_on_them_only_if_no_others_are_rejected() -> None:
    """Otherwise it is not for the missing status."""
    bare = [
        [created(named("Babetteo", status=...), 99, at=0.5), *rejections(3, status=...)],
        *(at_once(number, at, ...) for number, at in ((4, 3.0), (5, 4.0), (6, 5.0))),
    ]
    first = again(bare[0][1], 2.0, accepted=True)
    assert {OPTIONAL} == failed_of([*trace_of(*bare), first, BEFORE, AFTER])
    assert {CLAUSE} == failed_of([*trace_of(*bare, at_once(7, 6.0)), first, BEFORE, AFTER])


@cases(
    "lawful",
    {
        "soon after another creation": [at_once(7, 5.05)],
        "only later": [at_once(7, 6.0, after_s=0.2)],
        "and stay rejected": [rejections(1, 6.0)],
        "not at all": [[created(named(name_of(7), status="sold"), 7, at=6.0)]],
        "under a name that was taken": [
            [created(named(name_of(7), status="sold"), 7, at=3.0)],
            at_once(7, 6.0),
        ],
        "under a name that may have been": [
            [unanswered(created(named(name_of(7), status="sold")), at=3.0)],
            at_once(7, 6.0),
        ],
    },
)
def test_two_are_not_enough(lawful: list[list[Exchange]]) -> None:
    """It goes on being put to the test."""
    trace = trace_of(*SILENT[:3], *lawful, [BEFORE, AFTER])
    assert not failed_of(trace)
    assert verdict_of(CLAUSE, trace).suspected


@cases(
    ("second_s", "enough"),
    {
        "a silence of 1 s": (5.0, False),
        "a silence of 100 s": (104.0, True),
        "other animals come": (104.5, False),
    },
)
def test_two_after_silences_that_are_long_enough_are(second_s: float, *, enough: bool) -> None:
    """A quota has a place again within so short a moment of so long a time once in ten thousand times."""
    lists = [listing([], limit=100, at=at) for at in (0.4, 50.0)]
    after = listing([] if second_s != 104.5 else [animal(3)], limit=100, at=110.0)
    trace = trace_of(TAKEN_BACK, at_once(5, 4.0), at_once(6, second_s), [*lists, after])
    assert enough == (CLAUSE in failed_of(trace))


def test_the_first_rejected_requests_are_sent_again_after_silences() -> None:
    """One that is rejected for its name stays rejected."""
    same = refused(json.loads(THREE[0].request.body or b""), at=1.02)
    (suspected,) = {each.suspicion for each in verdict_of(CLAUSE, [FIRST, *rejections(7), same]).suspected}
    (experiment,) = suspected.experiments
    requests = [step for step in experiment.steps if isinstance(step, Again)]
    assert [each.request for each in rejections(5)] == [each.request for each in requests]
    assert [False, True, False, True, False] == [each.anew for each in requests]
    silences = [step.seconds for step in experiment.steps if isinstance(step, Wait)]
    assert (5, True) == (len(set(silences)), min(silences) > 0.3)


@cases(
    ("trace", "again"),
    {
        "one rejection": ([FIRST, THREE[0]], True),
        "nothing else accepted": ([created(named("Babetteo", status="sold"), at=0.5), THREE[0]], True),
        # Silences of minutes: three of them would take longer than a run may wait.
        "very slow": ([replace(each, answered_s=each.sent_s + 2.0) for each in [FIRST, *THREE]], False),
        "slow": ([replace(each, answered_s=each.sent_s + 0.5) for each in [FIRST, *THREE]], True),
        # The reason is in the request: another rule goes on with it.
        "that stay": ([FIRST, *THREE, *(again(each, 2.0, accepted=False) for each in THREE)], False),
    },
)
def test_a_single_rejection_is_sent_again(trace: list[Exchange], *, again: bool) -> None:
    """Its like was accepted, so that a single one is as odd as several."""
    assert again is any(isinstance(step, Wait) for step in steps_asked(CLAUSE, trace))


def test_where_creations_are_slow_there_are_fewer_tries_after_silences() -> None:
    """All of them together wait four and a half minutes at most."""
    slow = [replace(each, answered_s=each.sent_s + 0.8) for each in TAKEN_BACK]
    waits_s = [step.seconds for step in steps_asked(CLAUSE, slow) if isinstance(step, Wait)]
    assert 3 <= len(waits_s) < 12
    assert sum(waits_s) <= 270


def test_new_ones_are_tried_after_silences_on_several_connections_and_after_what_fails() -> None:
    """Each status that was rejected, and the rejected ones at once again."""
    bare = refused(named("Abelardino", status=...), at=1.5)
    (experiment,) = verdict_of(CLAUSE, [*TAKEN_BACK, bare]).suspected[0].suspicion.experiments
    creates = [step for step in experiment.steps if isinstance(step, Create)]
    tries = [each for each in creates if each.naming is Naming.UNLIKE and "categoryId" in each.payload]
    assert {None, "sold"} == {json.loads(each.payload).get("status") for each in tries}
    assert 6 == len(tries) == sum(isinstance(step, Wait) for step in experiment.steps)
    assert 12 == sum(each.naming is Naming.RETRY for each in creates)
    assert 2 == sum("categoryId" not in each.payload for each in creates)
    assert 2 == reads_of(experiment).count(NOBODYS)
    assert {True, False} == {each.anew for each in tries}


@pytest.mark.parametrize(("tries", "rejected", "explained"), [(11, 0, False), (12, 0, True), (12, 1, False)])
def test_as_many_tries_that_are_accepted_explain_it(tries: int, rejected: int, *, explained: bool) -> None:
    """It was a quota that has places again: unless one of them was taken back at once."""
    trace = trace_of(TAKEN_BACK, [BEFORE, AFTER], *(at_once(5, 3.0) for _ in range(rejected)))
    trace += [
        created(named(name_of(number), status="sold"), number, at=4.0 + number)
        for number in range(10, 10 + tries - rejected)
    ]
    assert explained is not bool(verdict_of(CLAUSE, trace).suspected)
    if explained:
        assert {f"{CLAUSE}: unwelcome": 3} == seen_of("open.explanations", trace)


def first_silence_s(trace: list[Exchange]) -> float:
    """The first silence of the experiment that a trace asks for, in seconds."""
    return next(step.seconds for step in steps_asked(CLAUSE, trace) if isinstance(step, Wait))


def test_one_that_was_taken_back_at_once_is_tried_for_longer() -> None:
    """With other silences, so that it is another experiment; also where it was taken back before the first one."""
    taken_back = trace_of(*SILENT[:2], [BEFORE, AFTER])
    tries = [
        created(named(name_of(number), status="sold"), number, at=10.0 + number) for number in range(10, 22)
    ]
    first, then, last = map(first_silence_s, (TAKEN_BACK, taken_back, [*taken_back, *tries]))
    assert first < then < last


def test_each_category_is_for_itself() -> None:
    """One of them may be closed now and then."""
    elsewhere = [
        created(named("Abelardino", status="sold", categoryId=7), 7, at=7.0),
        refused(named("Abelarding", status="sold", categoryId=7), at=7.5),
    ]
    assert FAILED == outcome_of(CLAUSE, [*trace_of(*SILENT, [BEFORE, AFTER]), *elsewhere])
    assert FAILED != outcome_of(CLAUSE, [*trace_of(*SILENT[:3], [BEFORE, AFTER]), *elsewhere])


def test_of_several_categories_the_one_with_most_rejections_is_tried_for_all() -> None:
    """Tries in one of them are no silence for those in another."""
    elsewhere = [
        created(named("Abelardino", status="sold", categoryId=7), 7, at=0.6),
        rejected := refused(named("Abelarding", status="sold", categoryId=7), at=1.5),
        created(json.loads(rejected.request.body or b""), 8, at=2.5),
    ]
    trace = [*TAKEN_BACK, again(THREE[1], 2.1, accepted=True), *elsewhere, BEFORE, AFTER]
    creates = [step for step in steps_asked(CLAUSE, trace) if isinstance(step, Create)]
    assert {1} == {json.loads(each.payload)["categoryId"] for each in creates if "categoryId" in each.payload}
    tries = [
        created(named(name_of(number), status="sold"), number, at=4.0 + number) for number in range(10, 22)
    ]
    assert not verdict_of(CLAUSE, [*trace, *tries]).suspected
    assert verdict_of(CLAUSE, [*trace, *tries[:-1]]).suspected
