"""What is told of a status, which may move at any time: knowledge/tellings.py and values/changed.py."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import Read, Wait
from selftests.exchanges import animal, created, failed_of, got, listing, payload, posted, verdict_of
from selftests.suspicions.told import history_of, told_status

MOVED = told_status("l0.1a g0.2a g0.3s", animal_id=2)
APART = told_status("g0a l1s l4s g4.1a l4.2s g4.3a")
FOLLOWED = " ".join(f"g{6 + each / 2}a" for each in range(7))


@pytest.mark.parametrize(
    ("turns", "apart"),
    [
        ("g0a l1s l4s g4.1a l4.2s g4.3a", True),
        ("g0a l1s l4s g6a l6.1s g6.2a", False),
        ("g0a l1s l4s g4.1a l4.2a g4.3a l4.4s g4.5a", False),
        ("g0a l1s l4s g4.1a l4.2a l4.4s g4.5a l4.6s g4.7a", True),
    ],
)
def test_a_status_is_told_apart_by_what_follows_at_once(turns: str, *, apart: bool) -> None:
    """In between it may move, and a list that agrees with getPet shows that it does."""
    assert apart == (history_of(told_status(turns), "status").told_apart() is not None)


@pytest.mark.parametrize(
    ("turns", "failed"),
    [
        pytest.param(f"{FOLLOWED} l9.2s g9.3a l9.4s g9.5a", True, id="all the time"),
        pytest.param(f"{FOLLOWED} l9.2a g9.3a l9.4a g9.5a", False, id="a list that has caught up"),
        pytest.param(f"{FOLLOWED} l9.2s g9.3a l9.4s", False, id="once"),
        pytest.param(FOLLOWED.replace("g7.5a", "g7.5s") + " l9.2s g9.3a l9.4s g9.5a", False, id="to and fro"),
        pytest.param(
            FOLLOWED.replace("g7.5a g8.0a", "") + " l9.2s g9.3a l9.4s g9.5a",
            False,
            id="not followed for a while",
        ),
    ],
)
def test_where_statuses_go_on_moving_getpet_is_asked_for_as_long_as_lists_may_lag(
    turns: str, *, failed: bool
) -> None:
    """Otherwise the animal may have moved to and fro, and the list lag behind: it tells what was so in between."""
    assert "animal.id.stable" in failed_of(APART)
    assert set() == failed_of([*MOVED, *APART])
    doubts = verdict_of("animal.id.stable", [*MOVED, *APART]).suspected
    (steps,) = {
        each.steps for doubt in doubts for each in doubt.suspicion.experiments if Wait(0.25) in each.steps
    }
    assert (8, 12) == (
        steps.count(Wait(0.25)),
        steps.count(Read("/pets/1")) + steps.count(Read("/pets/1", anew=True)),
    )
    assert failed == ("animal.id.stable" in failed_of([*MOVED, *APART, *told_status(turns)]))


def test_a_status_that_moves_to_and_fro_is_agreed_on_where_it_is_told_alike_at_once() -> None:
    """It may never settle; a replica that lags behind tells something else."""

    def agreed(turns: str) -> bool:
        return history_of(told_status(turns), "status").agreed

    assert agreed("g0a l1s g1.1s l3a g3.1a l3.2a g8s l8.1s")
    assert not agreed("g0a l1s g1.1s l3a g3.1a l3.2a g3.3s")
    assert not agreed("g0a l1s g1.1s l3a g3.1a l5.2s")


def test_a_status_is_told_apart_by_one_list_whatever_others_tell_beside_it() -> None:
    """They are read at the same time; what one query tells always, while getPet never does, did not move."""
    trace = told_status("g0a g3.9a")
    for at in (1.0, 4.0, 4.4, 4.8):
        trace += [listing([animal(1, status="sold")], query="limit=20", at=at, took=0.0)]
        trace += told_status(f"l{at + 0.1}a g{at + 0.2}a")
    assert "animal.id.stable" in failed_of(trace)
    assert "animal.id.stable" not in failed_of([*MOVED, *trace])


@pytest.mark.parametrize(
    ("sent", "default", "suspected"),
    [
        pytest.param(..., "available", True, id="another than the default"),
        pytest.param(..., ..., True, id="none is the default"),
        pytest.param(..., "sold", False, id="the default"),
        pytest.param("available", "available", False, id="unknown default"),
    ],
)
def test_a_status_that_is_left_out_is_that_of_an_animal_without_one(
    sent: object, default: object, *, suspected: bool
) -> None:
    """It may be returned with the default by lists; of somebody else's animal, nobody knows otherwise."""
    own = created(payload(status=sent), 9, changes={"status": default}, at=0.0)
    apart = []
    for at in (1.0, 4.0, 4.4, 4.8):
        apart += [
            listing([animal(1, status="sold")], limit=100, at=at, took=0.0),
            got(1, animal(1, status=...), at=at + 0.1, took=0.0),
        ]
    assert suspected == ("animal.id.stable" in failed_of([own, *apart]))
    doubts = verdict_of("animal.id.stable", [own, *apart[:2]]).suspected
    assert suspected == any(
        Read("/pets/1") in one.steps for each in doubts for one in each.suspicion.experiments
    )
    if suspected:
        found = [each.finding for each in verdict_of("animal.id.stable", [own, *apart]).findings]
        assert "status: left out in getPet" in {each.observed for each in found}


@pytest.mark.parametrize(
    ("told", "failed"),
    [
        ("l0.1p g0.2a l4p g4.1a l4.2p g4.3a", True),
        ("l0.1p g0.2p l4p g4.1p", False),
        ("l0.1p g0.2a l4a g4.1a", False),
    ],
)
def test_a_status_that_nobody_has_stated_is_what_is_told_first(told: str, *, failed: bool) -> None:
    """The default of getPet and that of lists may not differ."""
    sent = payload(status=...)
    statuses = {"a": "available", "p": "pending"}
    trace = [posted(sent, 201, {**sent, "id": 1}, at=0.0)]
    for each in told.split():
        shown = {**sent, "id": 1, "status": statuses[each[-1]]}
        at = 1.0 + float(each[1:-1])
        trace.append(got(1, shown, at=at, took=0.0) if each[0] == "g" else listing([shown], at=at, took=0.0))
    assert ({"create.status.exact"} if failed else set()) == failed_of(trace)
