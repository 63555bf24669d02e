"""The rules of rules/accepting.py: a status that is rejected for itself, or for something else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from animal_conformance.judge.experiments import Create, Naming
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    created,
    failed_of,
    named,
    opinions_of,
    outcome_of,
    payload,
    posted,
    refused,
    seen_of,
    unanswered,
    verdict_of,
)

CLAUSE = "create.status.accepted"
ACCEPTED = created(named("Babetteo", status="pending"), at=0.5)

# Before anything is accepted, a name may be that of an earlier run.
FIRST = created(named("Rex", categoryId=5), 99, at=0.4)


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


def test_a_finding_shows_what_excludes_the_other_causes() -> None:
    """The name was not taken, and nothing else of it was unwelcome."""
    verdict = verdict_of(CLAUSE, [ACCEPTED, *TWO])
    assert (3, 2) == (verdict.evidence, verdict.finding_count)
    found = verdict.findings[0].finding
    assert [(each, one) for each in ("taken", "unwelcome") for one in (TWO[1], TWO[3])] == list(
        found.excluded
    )
    assert (TWO[1],) == found.related


def test_a_status_that_was_only_rejected_is_put_to_the_test() -> None:
    """Two names unlike any other, each with this status and then with one that was accepted."""
    (suspected,) = verdict_of(CLAUSE, [ACCEPTED, TWO[0]]).suspected
    (experiment,) = suspected.suspicion.experiments
    wanted, like = ({"name": "", "categoryId": 1, "status": each} for each in ("sold", "pending"))
    both = (Create(json.dumps(wanted), Naming.UNLIKE), Create(json.dumps(like), Naming.SAME))
    assert (*both, *both) == experiment.steps
    assert ("unwelcome",) == suspected.suspicion.explanations
    assert CANT_TELL == outcome_of(CLAUSE, [ACCEPTED, *TWO[:2]])


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
    assert set() == failed_of(trace)
    assert 1 <= seen_of("open.explanations", trace)[f"{CLAUSE}: unwelcome"]
    assert not verdict_of(CLAUSE, trace).suspected
    assert verdict_of(CLAUSE, trace[: -len(two)]).suspected


@pytest.mark.parametrize(("before", "after", "findings"), [(1, 1, 2), (1, 0, 0), (0, 1, 0), (0, 0, 2)])
def test_a_quota_of_a_status_is_reached_once(before: int, after: int, findings: int) -> None:
    """What is accepted before and after was not rejected for a quota."""
    others = [created(named("Ceciliasa", status="sold"), 7, at=1.0)] * before
    others += [created(named("Ceciliasb", status="sold"), 8, at=5.0)] * after
    assert findings == opinions_of(CLAUSE, [ACCEPTED, *TWO, *others])[1]


TAKEN = [*changed_alone("Abelarda", 2.0), created(named("Abelardb", status="sold"), 5, at=1.0)]


@pytest.mark.parametrize(
    "lawful",
    [
        pytest.param([refused(named("<b>Abelard</b>", status="sold"), at=2.0)], id="a name of another kind"),
        pytest.param([refused(named("Rex", status="sold"), at=2.0)], id="a common name"),
        pytest.param(
            [refused(named("Abelarda", status="sold", categoryId=9), at=2.0)], id="another category"
        ),
        pytest.param([*TAKEN, *changed_alone("Abelardb", 3.0)], id="a name that was taken"),
        pytest.param(
            [unanswered(posted(named("Abelardb", status="sold")), at=1.0), *TWO],
            id="a name that may be taken",
        ),
        pytest.param(
            [posted(named("Abelardb", status="sold"), 500, at=1.0), *TWO], id="a name lost in an error"
        ),
        pytest.param([*TWO[:2], TWO[2], created(named("Abelardb"), 9, at=2.5)], id="accepted before"),
        pytest.param([*TWO[:2], *changed_alone("Abelarda", 3.0)], id="the same name twice"),
    ],
)
def test_a_rejection_that_has_another_cause_is_no_finding(lawful: list[Exchange]) -> None:
    """Reading 3: closed categories, and names that are taken."""
    assert 0 == opinions_of(CLAUSE, [ACCEPTED, *lawful])[1]
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


def test_what_was_rejected_before_anything_was_created_is_suspected_as_well() -> None:
    """An earlier run may have taken the name, so that it is no trial; no rule fails of it."""
    early = refused(payload(name="Babettelu", status="sold"), at=0.0)
    (suspected,) = verdict_of(CLAUSE, [early, created(payload(name="Babettely"), at=1.0)]).suspected
    assert early is suspected.exchange
