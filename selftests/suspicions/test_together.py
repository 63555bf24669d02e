"""The rules of suspicions/values/together.py: what changes in animals of different ages at one time, somebody has edited."""

from __future__ import annotations

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import CANT_TELL, FAILED, outcome_of
from selftests.suspicions.told import A, B, C, own, status_of

OLDER, D = "Acdbcdefghij!", "Acdbcdefghik"
EACH = [
    *own(1, A, (0.1, A), (3.0, "y")),
    *own(2, B, (0.1, B), (3.0, "x"), at=4.5),
    *own(3, C, (0.1, C), (3.0, "z"), at=20.0),
]
# Where any animal changed later, it takes four.
WRONG = [
    each
    for number, name in enumerate((A, B, C, D))
    for each in own(10 + number, name, (0.1, f"x{number}"), at=5.0 * number)
]


@pytest.mark.parametrize(
    ("young", "older", "outcome"),
    [
        pytest.param(EACH, [(49.9, OLDER), (53.0, "q")], CANT_TELL, id="at one time"),
        pytest.param(EACH, [(51.0, OLDER), (51.5, "q")], CANT_TELL, id="at a time between the readings"),
        pytest.param(EACH, [(9.0, OLDER), (9.5, "p"), (49.9, "p"), (53.0, "q")], CANT_TELL, id="once more"),
        pytest.param(EACH, [(9.0, OLDER), (9.5, "p"), (53.0, OLDER)], CANT_TELL, id="and back"),
        pytest.param(EACH, [(45.0, OLDER), (49.0, "q")], FAILED, id="before the young one was made"),
        pytest.param(EACH, [(53.1, OLDER), (54.0, "q")], FAILED, id="when the young one had changed"),
        pytest.param(EACH, [(0.1, OLDER), (53.0, "q")], FAILED, id="at the same age, maybe"),
        pytest.param(
            EACH, [(2.9, OLDER), (53.0, "q")], FAILED, id="at the greatest age of the young one, maybe"
        ),
        pytest.param(EACH, [(49.9, OLDER), (53.0, OLDER)], FAILED, id="not at all"),
        pytest.param(WRONG, [(34.9, OLDER), (35.2, "q")], CANT_TELL, id="first readings, at one time"),
        pytest.param(
            WRONG,
            [(34.9, OLDER), (35.0, OLDER), (35.04, "q")],
            CANT_TELL,
            id="first readings, between the two",
        ),
        pytest.param(
            WRONG, [(34.9, OLDER), (34.95, "q"), (35.2, "q")], FAILED, id="first readings, at another time"
        ),
        pytest.param(
            WRONG, [(0.05, OLDER), (35.2, "q")], FAILED, id="first readings, at the same age, maybe"
        ),
    ],
)
def test_what_changes_with_an_older_animal_does_not_change_by_itself(
    young: list[Exchange], older: list[tuple[float, str]], outcome: str
) -> None:
    """Whoever edits many changes them at one time, at whatever age; a fault changes each at an age.

    Two edits of all animals may each have come between a creation and its first reading.
    """
    assert FAILED == outcome_of("create.name.exact", young)
    assert outcome == outcome_of("create.name.exact", [*own(4, OLDER, *older, at=-30.0), *young])


def test_one_time_explains_all_that_may_have_changed_then() -> None:
    """The youngest may have been read too seldom to tell it from others; two that were read often show when it was."""
    times = [(0.1, OLDER), (9.0, OLDER), (9.5, "p")]
    two = [*own(4, OLDER, *times, at=12.5), *own(5, OLDER, (0.1, OLDER), (1.5, "p"), at=20.2)]
    assert CANT_TELL == outcome_of("create.name.exact", [*EACH, *two])


def test_statuses_that_move_with_an_older_one_may_be_wrong_by_themselves() -> None:
    """They move one by one all the time, and so some at one time with others: it takes four, and none that is right."""
    wrong = [
        each for number in (1, 2, 3, 4) for each in status_of(number, 5.0 * number, ("got", 0.05, "sold"))
    ]
    older = status_of(9, -30.0, ("got", 0.1, "available"), ("got", 39.9, "available"), ("got", 40.2, "sold"))
    right = status_of(5, 24.0, ("got", 0.1, "available"))
    assert FAILED == outcome_of("create.status.exact", [*older, *wrong])
    assert CANT_TELL == outcome_of("create.status.exact", [*older, *wrong[: -len(wrong) // 4]])
    assert CANT_TELL == outcome_of("create.status.exact", [*older, *wrong, *right])


def test_a_status_that_was_wrong_twice_may_have_moved_where_others_like_it_are_read_right_and_move_at_once() -> (
    None
):
    """Whoever moves all of them all the time meets some between their creation and the first reading."""
    wrong = [each for number in (1, 2) for each in status_of(number, 5.0 * number, ("got", 0.1, "sold"))]
    right = status_of(3, 20.0, ("got", 0.1, "available"), ("got", 5.0, "available"))
    moved = ("got", 5.4, "sold")
    assert FAILED == outcome_of("create.status.exact", [*wrong, *right])
    assert CANT_TELL == outcome_of("create.status.exact", [*wrong, *right, *status_of(3, 20.0, moved)[1:]])
