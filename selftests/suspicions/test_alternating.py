"""Values that alternate, or that editors give back: values/alternating.py."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import Any

import pytest

from animal_conformance.judge.experiments import Read, Step, Wait
from animal_conformance.judge.suspicions.values.alternating import alternates
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import animal, asked_by, failed_of, got, listing, verdict_of
from selftests.suspicions.told import history_of, status_of, told, told_status

TURNS = "abababababab"
TURNED = ("available", "sold", "available")


def bursts(*names: str, apart_s: float = 3.0, from_s: float = 1.0) -> list[Exchange]:
    """An animal that a list shows as ``a``, and then bursts of getPet that show it with these names, such as ``aab``."""
    times = [from_s + at * apart_s for at in range(len(names))]
    burst = (
        f"g{time_s + at / 16}{name}"
        for time_s, each in zip(times, names, strict=True)
        for at, name in enumerate(each)
    )
    return told(" ".join(["l0a", *burst]))


def alternating(trace: Iterable[Exchange], field: str = "name") -> bool:
    """Whether the animal is found to alternate, and so fails the clause."""
    trace = list(trace)
    failed = "animal.id.stable" in failed_of(trace)
    assert failed == (alternates(history_of(trace, field)) is not None)
    return failed


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ("l0a g1b l3a g5b", True),
        ("l0a g1b l2.9a g5b", False),
        ("l0a g1b l3a g4.9b", False),
        ("l0a g1b l3a g9b", False),
        ("l0a g1b l3a g6.9b", True),
        ("l0a g1b l9a g11b", False),
        ("l0a g1b l9a g11b l13a", True),
        ("l0a g1b l9a l10a g11b l13a", True),
        ("l0a g1b l3a", False),
    ],
)
def test_each_request_keeps_its_value_if_each_comes_again_after_settling(
    turns: str, *, expected: bool
) -> None:
    """What changes to and fro sooner is a replica that lags behind; an editor gives a value back later."""
    assert expected == alternating(told(turns))


def test_equal_requests_alternate_if_both_values_come_in_turns_in_each_burst() -> None:
    """Five of them, each once the one before has settled, but not long after it."""
    assert alternating(bursts(*[TURNS] * 5))
    assert not alternating(bursts(*[TURNS] * 4))
    assert alternating(bursts(*["aba"] * 5))
    assert alternating(bursts(*["bab"] * 5))
    assert alternating(bursts(*["aabba"] * 5))
    assert not alternating(bursts(*["ab"] * 5))
    assert not alternating(bursts(*["abc"] * 5))
    assert not alternating(bursts(*[TURNS] * 5, apart_s=1.5))
    assert alternating(bursts(*[TURNS] * 7, apart_s=1.5))
    assert not alternating(bursts(*["aba"] * 9, apart_s=6.2))
    assert alternating(bursts(*["aba"] * 5, apart_s=6.0))


def test_an_animal_that_somebody_edits_three_times_does_not_alternate() -> None:
    """However close to each other: each value stays."""
    assert not alternating(told("l0a g1b g3a g5b g7a g9b g11a g13b"))
    assert not alternating(bursts("b" * 12, "a" * 12, "b" * 12, "a" * 12, "b" * 12))


def test_ten_equal_responses_in_a_row_show_that_nobody_edited_it_meanwhile() -> None:
    """A replica that lags behind an editor explains the bursts before and after."""
    assert not alternating(bursts(*["aba"] * 4, "a" * 10, *["aba"] * 4))
    assert alternating(bursts(*["aba"] * 4, "a" * 9, "aba"))
    assert alternating(bursts(*["aba"] * 4, "a" * 10, *["aba"] * 5))


def test_a_value_is_steady_if_it_is_told_ten_times_after_the_one_before() -> None:
    """The first of them counts."""
    assert not alternating(bursts(*["aba"] * 4, "b" + "a" * 10, "aba"))
    assert alternating(bursts(*["aba"] * 4, "b" + "a" * 9, "aba"))


def test_a_pause_within_a_burst_hides_an_edit() -> None:
    """The turns have to follow each other at once."""
    slowly = [
        f"g{1 + 4 * at + after}{name}"
        for at in range(9)
        for after, name in ((0, "a"), (1.1, "b"), (2.2, "a"))
    ]
    assert not alternating(told(" ".join(["l0a", *slowly])))


def test_bursts_with_other_values_begin_anew() -> None:
    """Somebody has edited the animal in between, whatever it alternates with."""
    assert not alternating(bursts(*["aba"] * 4, *["aca"] * 4))
    assert alternating(bursts(*["aba"] * 4, *["aca"] * 5))


def moving(*statuses: str, apart_s: float = 3.0) -> list[Exchange]:
    """An available animal (``a``), and then bursts of getPet that show it as available or sold (``s``)."""
    shown = [
        f"g{1 + number * apart_s + at / 16}{each}"
        for number, burst in enumerate(statuses)
        for at, each in enumerate(burst)
    ]
    return told_status(" ".join(["l0a", *shown]))


def test_a_status_that_comes_back_in_each_burst_alternates() -> None:
    """Whoever moves animals does not move one to and fro in each of them."""
    assert "animal.id.stable" in failed_of(moving(*["asas"] * 5))
    assert "animal.id.stable" not in failed_of(moving(*["asas"] * 4))
    assert "animal.id.stable" not in failed_of(moving("asas", "a" * 12, "asas", "s" * 12, "asas", "asas"))
    assert "animal.id.stable" not in failed_of(moving(*["as"] * 9))
    assert "animal.id.stable" not in failed_of(moving(*["asas"] * 5), profile=SOAK)


def test_a_status_that_a_filter_shows_in_lists_alone_does_not_alternate() -> None:
    """A filtered list says what the filter does."""
    filtered = [
        each
        for number in range(5)
        for each in told_status(
            f"l{1 + 3 * number}a l{1.1 + 3 * number}s l{1.2 + 3 * number}a", listed={"state": "available"}
        )
    ]
    assert "animal.id.stable" not in failed_of(filtered)


@pytest.mark.parametrize(
    ("statuses", "asked"),
    [(["asa", "asa"], True), (["asa"], False), (["as", "as"], False), (["asa", "s"], False)],
)
def test_a_status_that_came_back_in_two_bursts_is_asked_in_bursts(
    statuses: list[str], *, asked: bool
) -> None:
    """And nothing else before that."""
    experiments = asked_by(verdict_of("animal.id.stable", moving(*statuses)))
    found = [len(each.steps) == 5 * 13 and each.steps[0] == Wait(2.0) for each in experiments]
    assert asked is (found == [True])
    assert asked is any(found)


def test_of_several_groups_the_run_s_own_animals_are_asked_in_bursts() -> None:
    """The others are asked for where none of these seems to alternate."""
    own = status_of(
        7, 1.0, *(("got", at + after / 10, each) for at in (0, 4) for after, each in enumerate(TURNED))
    )
    [experiment] = {
        each
        for each in asked_by(verdict_of("animal.id.stable", [*moving("asa", "asa"), *own]))
        if len(each.steps) == 5 * 13
    }
    assert Read("/pets/7", anew=True) in experiment.steps


def bursts_asked(turns: str) -> list[tuple[Step, ...]]:
    """What each experiment for an animal sends first."""
    asked = asked_by(verdict_of("animal.id.stable", told(turns)))
    return [each.steps[:4] for each in asked if each.steps[0] == Wait(2.0) and len(each.steps) > len("abcd")]


def read(times: int, *, until_s: float) -> str:
    """So many getPet responses with the last value, the last of them at a time."""
    return " ".join(f"g{until_s - at / 16}b" for at in reversed(range(times)))


def test_an_animal_that_somebody_may_have_edited_three_times_is_asked_in_bursts() -> None:
    """It is read in bursts as it was when it changed, unless that was done; whatever getPet answers then decides."""
    one, listed = Read("/pets/1", anew=True), Read("/pets", anew=True)
    assert [(Wait(2.0), one, listed, one)] == bursts_asked("l0a g1b g9a l17b")
    assert [(Wait(2.0), one, one, one)] == bursts_asked("l0a g1b g9a g17b g24.9b")
    assert [(Wait(2.0), one, one, one)] == bursts_asked("g0a l1b g9a g17b")
    assert [(Wait(2.0), one, one, one)] == bursts_asked("l0a g1b g9a g17b g25b")
    assert [(Wait(2.0), one, one, one)] == bursts_asked(f"l0a g1b g9a g17b {read(20, until_s=24.9)}")
    assert [(Wait(2.0), one, one, one)] == bursts_asked(f"l0a g1b g9a g17b {read(18, until_s=25.0)}")
    for unasked in ("l0a g1b g9a", f"l0a g1b g9a g17b {read(19, until_s=25.0)}", "l0a g1b l3a g5b"):
        assert [] == bursts_asked(unasked)


def test_an_experiment_sends_the_bursts_that_decide() -> None:
    """Five bursts of twelve, after a pause each."""
    asked = max(
        asked_by(verdict_of("animal.id.stable", told("l0a g1b g3a g5b"))), key=lambda each: len(each.steps)
    )
    assert [Wait(2.0), *[Read("/pets/1", anew=True)] * 12] * 5 == list(asked.steps)


def test_one_animal_is_asked_in_bursts_for_all() -> None:
    """What becomes of it decides for those that were edited, or alternate, as it does."""
    both = [*told("l0a g1b g9a g17b"), *told("l0a g1b g9a g17b", animal_id=2, listed={"limit": 99})]
    asked = asked_by(verdict_of("animal.id.stable", both))
    assert [Read("/pets/1", anew=True)] == [each.steps[1] for each in asked if len(each.steps) > len(TURNS)]


def shown_in_bursts(shown: list[dict[str, Any]]) -> list[Exchange]:
    """A list with the first of these, and five bursts of getPet that show three of them each, again from the first on."""
    times = [3.0 * (1 + burst) + at / 16 for burst in range(5) for at in range(3)]
    readings = (got(1, each, at=at, took=0.0) for at, each in zip(times, cycle(shown), strict=False))
    return [listing(shown[:1], at=0.0), *readings]


def test_a_category_that_comes_back_with_another_name_does_not_alternate() -> None:
    """Editors may give it back; what alternates comes back as a whole."""

    def categories(*names: str) -> list[Exchange]:
        return shown_in_bursts([animal(1, name=name, categoryId=1 + at % 2) for at, name in enumerate(names)])

    assert alternating(categories("a", "b", "a"), "categoryId")
    assert alternating(categories("a", "a", "a"), "categoryId")
    assert not alternating(categories("a", "b", "c"), "categoryId")


def test_a_name_that_comes_back_with_another_category_does_not_alternate() -> None:
    """It is edited each time."""
    assert alternating(shown_in_bursts([animal(1, name="ab"[at % 2]) for at in range(15)]))
    assert not alternating(shown_in_bursts([animal(1, name="ab"[at % 2], categoryId=at) for at in range(15)]))


def test_a_category_that_was_edited_once_does_not_alternate_because_the_name_does() -> None:
    """The name alone comes and goes."""
    shown = shown_in_bursts([animal(1, name="ab"[at % 2], categoryId=2) for at in range(15)])
    trace = [listing([animal(1, name="a", categoryId=1)], at=-1.0), *shown]
    assert alternates(history_of(trace, "name")) is not None
    assert alternates(history_of(trace, "categoryId")) is None
