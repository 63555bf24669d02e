"""The rule of suspicions/values/blips.py: values that come once and go at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.experiments import Experiment, Read
from animal_conformance.judge.suspicions.values.changed import survey_of
from animal_conformance.judge.suspicions.values.histories import Of
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import asked_by, failed_of, ledger_of, verdict_of
from selftests.suspicions.told import OLD, A, B, own

# The first animal and the second one, each created and read, and wrong in the second of three responses.
BRIEFLY = [(0.5, "x"), (1.0, "y"), (1.5, "x"), (9.0, "x")]


def shown(animal_id: int, *readings: tuple[float, str], at: float) -> list[Exchange]:
    """An animal of the run, and getPet responses that show its name (``x``) or another one so long after its creation."""
    name = (A, B)[animal_id - 1]
    return own(animal_id, name, *((after, name if each == "x" else each) for after, each in readings), at=at)


def in_a_row(names: str, *, from_s: float, every_s: float = 0.02) -> list[tuple[float, str]]:
    """Readings with these names, from a time on."""
    return [(from_s + every_s * at, each) for at, each in enumerate(names)]


def two(*readings: tuple[float, str], apart_s: float = 100.0) -> list[Exchange]:
    """Two animals that are read alike, one after the other."""
    return [*shown(1, *readings, at=1.0), *shown(2, *readings, at=1.0 + apart_s)]


def is_wrong(trace: list[Exchange]) -> bool:
    """Whether the names are found to be wrong now and then."""
    found = verdict_of("create.name.exact", trace).findings
    assert all("It is wrong now and then." in each.finding.message for each in found)
    return bool(found)


def asked_again(trace: list[Exchange], **terms: Any) -> list[Experiment]:
    """The experiments that send one request again and again."""
    asked = asked_by(verdict_of("create.name.exact", trace, **terms))
    return [each for each in asked if len({*each.steps}) == 1 < len(each.steps)]


@pytest.mark.parametrize(
    ("apart_s", "expected"),
    [
        pytest.param(0.0, [], id="at the same time"),
        pytest.param(0.9, [], id="maybe in one edit"),
        pytest.param(1.1, [1, 2], id="one after another"),
        pytest.param(8.0, [1, 2], id="long apart"),
    ],
)
def test_two_animals_that_were_wrong_for_a_moment_are_read_again_and_again(
    apart_s: float, expected: list[int]
) -> None:
    """An edit may be undone at once, but that is no rule; it may be one of two animals."""
    trace = two(*BRIEFLY, apart_s=apart_s)
    assert not is_wrong(trace)
    assert [(Read(f"/pets/{each}"),) * 25 for each in expected] == [each.steps for each in asked_again(trace)]
    assert [] == asked_again(shown(1, *BRIEFLY, at=1.0))


@pytest.mark.parametrize(
    ("times", "every_s", "left"),
    [(14, 0.02, 0), (13, 0.02, 2), (100, 0.06, 2)],
    ids=["often enough", "once less", "too slowly"],
)
def test_what_is_right_each_time_at_once_was_edited(times: int, every_s: float, left: int) -> None:
    """Twelve times after two others, for each of the two; what comes later may be edited in between."""
    trace = two(*BRIEFLY, *in_a_row("x" * times, from_s=20.0, every_s=every_s))
    assert left == len(asked_again(trace))
    assert not is_wrong(trace)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("xyx", True),
        ("xxyxx", True),
        ("xyxyx", True),
        ("xyyx", False),
        ("xyxxyyx", False),
        ("xyz", False),
        ("yxy", False),
    ],
)
def test_values_that_stand_alone_are_no_edits(names: str, *, expected: bool) -> None:
    """Whatever their number, none of them may be told twice in a row."""
    assert expected == is_wrong(two(*in_a_row(names, from_s=4.0), (9.0, "x")))


def test_one_that_stands_alone_may_be_an_edit() -> None:
    """Two are none, even of one animal."""
    row = in_a_row("xyx", from_s=4.0)
    assert not is_wrong(shown(1, *row, (9.0, "x"), at=1.0))
    assert is_wrong(shown(1, *row, *in_a_row("xyx", from_s=5.0), (9.0, "x"), at=1.0))
    assert not is_wrong(two(*row, (9.0, "x"), apart_s=0.0))


def test_editors_have_time_where_the_requests_do_not_follow_each_other_at_once() -> None:
    """A tenth of a second, or four times as long as a response takes."""
    assert is_wrong(two(*in_a_row("xyx", from_s=4.0, every_s=0.04), (9.0, "x")))
    assert not is_wrong(two(*in_a_row("xyx", from_s=4.0, every_s=0.06), (9.0, "x")))


def test_a_replica_may_lag_behind_an_edit_for_a_while() -> None:
    """What was usual before has to be told once more when replicas have settled."""
    row = in_a_row("xyx", from_s=4.0)
    assert not is_wrong(two(*row))
    assert not is_wrong(two(*row, (6.0, "x")))
    assert not is_wrong(two(*row, (9.0, "y")))
    assert is_wrong(two(*row, (6.1, "x")))


def test_two_animals_are_read_again_for_all() -> None:
    """And under load none is."""
    name = "Acabcdefgz"
    third = own(3, name, *((after, name if each == "x" else each) for after, each in BRIEFLY), at=201.0)
    assert 2 == len(asked_again([*two(*BRIEFLY), *third]))
    assert [] == asked_again(two(*BRIEFLY), profile=SOAK)


def test_an_animal_that_was_edited_beside_them_is_none_of_them() -> None:
    """It stays as somebody has left it."""
    name = "Acabcdefgz"
    edited = own(3, name, (0.5, name), (4.0, "Edited"), (9.0, "Edited"), at=201.0)
    trace = [*two(*in_a_row("xyx", from_s=4.0), (9.0, "x")), *edited]
    rulings = survey_of(ledger_of(*trace), "name", Of.RUN).rulings
    assert [True, True, False] == [bool(rulings[each].why) for each in (1, 2, 3)]


def test_a_stored_response_tells_what_was_before() -> None:
    """It says so itself, and does not stand among the others."""

    def stored(each: Exchange) -> Exchange:
        response = each.response
        if response is None or b'"y"' not in response.body:
            return each
        return replace(each, response=replace(response, headers=OLD))

    trace = two(*in_a_row("xyx", from_s=4.0), (9.0, "x"))
    assert is_wrong(trace)
    assert not is_wrong([stored(each) for each in trace])


@pytest.mark.parametrize(("animals", "fails"), [(5, False), (6, True)])
def test_under_load_more_of_them_are_a_finding(animals: int, *, fails: bool) -> None:
    """There are thousands of animals that somebody may edit, and undo it."""
    trace = []
    for number in range(animals):
        name = f"Acabcdefgh{chr(97 + number)}z"
        told_at = ((after, name if each == "x" else "Edited") for after, each in BRIEFLY)
        trace += own(number + 1, name, *told_at, at=20.0 * number)
    assert fails == ("create.name.exact" in failed_of(trace, profile=SOAK))
