"""The rules of suspicions/creations/accepting.py: a status that is rejected for itself, or for something else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.drive.strategies import STATUSES
from animal_conformance.judge.experiments import Create, Naming
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    FAILED,
    JSON,
    created,
    failed_of,
    named,
    opinions_of,
    outcome_of,
    payload,
    posted,
    refused,
    seen_of,
    spoken,
    unanswered,
    verdict_of,
)
from selftests.tables import cases

CLAUSE = "create.status.accepted"
ACCEPTED = created(named("Babetteo", status="pending"), at=0.5)
REJECTED = refused(named("Abelarda", status="sold"), at=2.0)
CHUNKED = (*JSON, ("Transfer-Encoding", "chunked"))

# Before anything is accepted, a name may be that of an earlier run.
FIRST = created(named("Rex", categoryId=5), 99, at=0.4)


def accepted_in(trace: list[Exchange]) -> int:
    """How many creations were accepted, if each status was: they are no evidence of one that was not."""
    made = [each for each in trace if each.response is not None and each.response.status == 201]
    sent = [json.loads(each.request.body or b"").get("status") for each in made]
    return len(made) if {*sent} >= {*STATUSES} else 0


def changed_alone(name: str, at: float, status: Any = "sold", then: Any = "pending") -> list[Exchange]:
    """A name that is rejected with one status and then accepted with another."""
    return [
        refused(named(name, status=status), at=at),
        created(named(name, status=then), int(at * 10), at=at + 0.1),
    ]


TWO = [*changed_alone("Abelarda", 2.0), *changed_alone("Abelardb", 3.0)]


@pytest.mark.parametrize("status", ["available", "pending", "sold", ...])
def test_a_status_that_is_rejected_while_another_is_accepted_for_the_same_name_is_a_finding(
    status: Any,
) -> None:
    """Reading 3: only the status differs from an accepted payload, twice."""
    then = "sold" if status == "pending" else "pending"
    trace = [*changed_alone("Abelarda", 2.0, status, then), *changed_alone("Abelardb", 3.0, status, then)]
    assert {"create.status.optional" if status is ... else CLAUSE} == failed_of([FIRST, *trace])


UNSTATED = created(named("Babetteu", status=...), 7, at=0.6)


def late(*names: str, then: Any = "available") -> list[Exchange]:
    """Names that are rejected without a status, and again, and then accepted with one: none was needed before."""
    trace = [
        each
        for at, name in enumerate(names, start=2)
        for each in (
            refused(named(name, status=...), at=at - 0.1),
            *changed_alone(name, float(at), ..., then),
        )
    ]
    return [FIRST, UNSTATED, *trace]


ABEL = ("Abelarda", "Abelardb", "Abelardc")
CALLED = "create.status.optional"


def test_a_status_that_is_required_later_on_is_a_finding() -> None:
    """No quota is that of the default if names are accepted with it, three times, and nothing else is rejected meanwhile."""
    assert {CALLED} == failed_of(late(*ABEL))
    for lawful in (
        late(*ABEL, then="sold"),
        [*late(*ABEL), refused(named("Dorotheaa", status="sold"), at=2.5)],
    ):
        assert FAILED != outcome_of(CALLED, lawful)
    (experiment,) = verdict_of(CALLED, late(*ABEL[:2])).suspected[0].suspicion.experiments
    sent = [
        (each.naming, json.loads(each.payload).get("status"))
        for each in experiment.steps
        if isinstance(each, Create)
    ]
    both = [(Naming.UNLIKE, None), (Naming.SAME, "available")]
    assert [*both, *both, (Naming.UNLIKE, "available"), *both] == sent


def test_what_is_given_by_default_now_and_then_says_nothing_of_quotas() -> None:
    """There are as many as there are statuses."""
    other = created(named("Babettev", status=...), 8, changes={"status": "sold"}, at=0.7)
    assert FAILED != outcome_of(CALLED, [*late(*ABEL), other])


def test_a_finding_shows_what_excludes_the_other_causes() -> None:
    """The name was not taken, and nothing else of it was unwelcome."""
    again = [refused(named(name, status="sold"), at=9.0) for name in ("Abelarda", "Dorotheaa")]
    later = created(named("Abelarda", status="pending"), 90, at=9.5)
    verdict = verdict_of(CLAUSE, [ACCEPTED, *TWO, *again, later])
    assert (0, (TWO[0].reference, TWO[2].reference)) == (verdict.evidence, verdict.found_in)
    found = verdict.findings[0].finding
    assert [(each, one) for each in ("taken", "unwelcome") for one in (TWO[1], TWO[3])] == list(
        found.excluded
    )
    assert (TWO[1],) == found.related
    first = refused(named("Abelarda", status="sold"), at=1.0)
    found_in = verdict_of(CLAUSE, [ACCEPTED, first, *TWO]).found_in
    assert (first.reference, TWO[2].reference) == found_in


@pytest.mark.parametrize(("status", "then"), [("sold", "pending"), ("sold", ...), (..., "pending")], ids=str)
def test_a_status_that_was_only_rejected_is_put_to_the_test(status: Any, then: Any) -> None:
    """Two names unlike any other, each with this status, or none, and then with one that was accepted."""
    clause_id = "create.status.optional" if status is ... else CLAUSE
    before = created(named("Babetteo", status=then), at=0.5)
    (suspected,) = verdict_of(
        clause_id, [before, refused(named("Abelarda", status=status), at=2.0)]
    ).suspected
    (experiment,) = suspected.suspicion.experiments
    wanted, like = (named("", status=each) for each in (status, then))
    both = (Create(json.dumps(wanted), Naming.UNLIKE), Create(json.dumps(like), Naming.SAME))
    assert (*both, *both) == experiment.steps
    assert ("unwelcome",) == suspected.suspicion.explanations


@cases(
    "trace",
    {
        "none was accepted": [FIRST, refused(named("Babetteo", status="pending")), REJECTED],
        "a name of another kind": [ACCEPTED, refused(named("<b>Abelard</b>", status="sold"), at=2.0)],
        "in a voice": [ACCEPTED, spoken(REJECTED)],
        "declined for how it was put": [
            ACCEPTED,
            posted(named("Abelarda", status="sold"), 400, b"", at=2.0, sent_headers=CHUNKED),
        ],
    },
)
def test_a_rejection_that_has_an_obvious_cause_is_not_put_to_the_test(trace: list[Exchange]) -> None:
    """Nothing else was accepted in that category, or another clause covers it; it is no evidence either."""
    verdict = verdict_of(CLAUSE, trace)
    assert ((), accepted_in(trace)) == (verdict.suspected, verdict.evidence)


BOTH, NEITHER = (True, True), (False, False)


def tried(name: str, at: float, *accepted: bool) -> list[Exchange]:
    """A name that is tried with a status, and then with another one."""
    return [
        created(named(name, status=status), int(at * 10 + later), at=at + later / 10)
        if one
        else refused(named(name, status=status), at=at + later / 10)
        for later, (one, status) in enumerate(zip(accepted, ("sold", "pending"), strict=True))
    ]


@pytest.mark.parametrize("first", [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("second", [(True, False), (False, False), (False, True)])
def test_a_rejection_that_is_not_of_the_status_is_explained(
    first: tuple[bool, bool], second: tuple[bool, bool]
) -> None:
    """Reading 3: rules for names, and quotas, reject with 400 as well."""
    one, two = tried("Ceciliasa", 4.0, *first), tried("Ceciliasb", 5.0, *second)
    trace = [ACCEPTED, refused(named("Abelarda", status="sold"), at=2.0), *one, *two]
    # They stay rejected.
    later = (each for each in trace if each.response and each.response.status == 400)
    two += [replace(each, sent_s=20.0 + at, answered_s=20.1 + at) for at, each in enumerate(later)]
    trace += two[2:]
    assert set() == failed_of(trace)
    assert 1 <= seen_of("open.explanations", trace)[f"{CLAUSE}: unwelcome"]
    assert not verdict_of(CLAUSE, trace).suspected
    assert verdict_of(CLAUSE, trace[: -len(two)]).suspected


def test_what_was_rejected_before_anything_was_accepted_is_no_trial_but_may_be_explained() -> None:
    """An earlier run may have taken its name: another one that is accepted with the status explains it."""
    early = refused(named("Abelarda", status="sold"), at=0.1)
    assert verdict_of(CLAUSE, [early, ACCEPTED]).suspected
    assert not verdict_of(CLAUSE, [early, ACCEPTED, *tried("Ceciliasa", 4, *BOTH)]).suspected
    # Or such that are rejected both ways: for themselves.
    neither = [
        each for name, at in (("Ceciliasa", 5), ("Ceciliasb", 6)) for each in tried(name, at, *NEITHER)
    ]
    again = [replace(each, sent_s=9.0 + at, answered_s=9.1 + at) for at, each in enumerate(neither)]
    assert not verdict_of(CLAUSE, [early, ACCEPTED, *neither, *again]).suspected


@cases(
    ("trials", "explained"),
    {
        "with it, and then with another": ([("sold", 3.0), ("pending", 3.5)], True),
        "right after it": ([("sold", 3.0), ("pending", 3.01)], True),
        "twice with it": ([("sold", 3.0), ("sold", 3.5)], False),
        "with two others": ([("available", 3.0), ("pending", 3.5)], False),
        "with another first": ([("pending", 3.0), ("sold", 3.5)], False),
        "before it was first rejected": ([("sold", 1.0), ("pending", 1.5)], False),
    },
)
def test_two_names_that_are_accepted_both_ways_tell_that_it_is_not_the_status(
    trials: list[tuple[str, float]], *, explained: bool
) -> None:
    """Since it was first rejected."""
    before = refused(named("Dorotheaa", status="available"), at=0.8)
    both = [
        created(named(name, status=status), number, at=at)
        for number, name in enumerate(("Ceciliasa", "Ceciliasb"), 2)
        for status, at in trials
    ]
    # Both stay rejected, so they are none that are rejected now and then.
    again = [replace(each, sent_s=9.0, answered_s=9.1) for each in (before, REJECTED)]
    suspected = verdict_of(CLAUSE, [ACCEPTED, before, *both, REJECTED, *again]).suspected
    assert explained is (REJECTED not in [each.exchange for each in suspected])


@pytest.mark.parametrize(("before", "after", "findings"), [(1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 2)])
def test_a_status_that_is_accepted_at_other_times_may_have_a_quota(
    before: int, after: int, findings: int
) -> None:
    """It may be reached, and have places again when an animal is sold."""
    others = [created(named("Ceciliasa", status="sold"), 7, at=1.0)] * before
    others += [created(named("Ceciliasb", status="sold"), 8, at=5.0)] * after
    assert findings == opinions_of(CLAUSE, [ACCEPTED, *TWO, *others])[1]


TAKEN = [*changed_alone("Abelarda", 2.0), created(named("Abelardb", status="sold"), 5, at=1.0)]


@cases(
    "lawful",
    {
        "a name of another kind": [refused(named("<b>Abelard</b>", status="sold"), at=2.0)],
        "a common name": [refused(named("Rex", status="sold"), at=2.0)],
        "one name that may be taken": TWO[:2],
        "another category": [refused(named("Abelarda", status="sold", categoryId=9), at=2.0)],
        "a name that was taken": [*TAKEN, *changed_alone("Abelardb", 3.0)],
        "a name that may be taken": [unanswered(posted(named("Abelardb", status="sold")), at=1.0), *TWO],
        "a name lost in an error": [posted(named("Abelardb", status="sold"), 500, at=1.0), *TWO],
        "accepted before": [*TWO[:2], TWO[2], created(named("Abelardb"), 9, at=2.5)],
        "the same name twice": [*TWO[:2], *changed_alone("Abelarda", 3.0)],
        "another status": [*TWO[:2], *changed_alone("Abelardb", 3.0, "available")],
        "accepted in no time": [
            *TWO[:2],
            *(created(named("Dorotheaa", status="sold"), 7, at=at) for at in (1.0, 9.0)),
            created(named("Abelardb", status="sold"), 5, at=3.0, took=0.0),
            created(named("Abelardb", status="pending"), 6, at=4.0),
        ],
    },
)
def test_a_rejection_that_has_another_cause_is_no_finding(lawful: list[Exchange]) -> None:
    """Reading 3: closed categories, and names that are taken; nor is it evidence."""
    assert (accepted_in([ACCEPTED, *lawful]), 0) == opinions_of(CLAUSE, [ACCEPTED, *lawful])
    assert FAILED != outcome_of(CLAUSE, [ACCEPTED, *lawful])


def test_a_name_that_was_accepted_before_it_was_rejected_is_not_put_to_the_test() -> None:
    """It may be taken; neither does it tell anything of others."""
    taken = [
        each
        for name, at in (("Abelarda", 2.0), ("Abelardb", 3.0))
        for each in (
            created(named(name, status="pending"), int(at), at=at),
            refused(named(name, status="sold"), at=at + 0.1),
        )
    ]
    assert not verdict_of(CLAUSE, [ACCEPTED, *taken]).suspected
    assert verdict_of(
        CLAUSE, [ACCEPTED, *taken, refused(named("Ceciliasa", status="sold"), at=4.0)]
    ).suspected


def test_a_name_that_an_animal_has_in_another_case_may_be_taken() -> None:
    """It is put to no test, where others were accepted with the same status."""
    sold = created(named("Abelarda", status="sold"), 7, at=3.0)

    def twice(name: str) -> list[Exchange]:
        return [refused(named(name, status="sold"), at=at) for at in (4.0, 6.0)]

    assert not verdict_of(CLAUSE, [ACCEPTED, sold, *twice("aBELARDA")]).suspected
    assert verdict_of(CLAUSE, [ACCEPTED, sold, *twice("Ceciliasa")]).suspected


def test_what_was_rejected_before_anything_was_created_is_suspected_as_well() -> None:
    """An earlier run may have taken the name, so that it is no trial; no rule fails of it."""
    early = refused(payload(name="Babettelu", status="sold"), at=0.0)
    (suspected,) = verdict_of(CLAUSE, [early, created(payload(name="Babettely"), at=1.0)]).suspected
    assert early is suspected.exchange
