"""rules/statuses.py: what is known of an animal's status from right before and right after a list."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.judge.rules.statuses import Framed, framed
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, case_of, created, got, listing, lost, payload, unanswered


def made(animal_id: int = 1, at: float = 0.0, **changes: Any) -> Exchange:
    """The creation of an animal that is available, if not told otherwise."""
    return created(payload(name=f"Babette{animal_id}", **changes), animal_id, at=at, took=0.0)


def page(*animal_ids: int, at: float = 0.1, took: float = 0.0, **changes: Any) -> Exchange:
    """A list that shows these animals sold, if not told otherwise."""
    shown = [animal(each, **{"status": "sold", **changes}) for each in animal_ids or (1,)]
    return listing(shown, at=at, took=took)


def read(at: float, status: object = "available", **options: Any) -> Exchange:
    """A getPet that shows the animal with this status."""
    return got(1, animal(1, status=status), at=at, **{"took": 0.0, **options})


def framed_in(shown: Exchange, *others: Exchange) -> list[Framed]:
    """The animals of a list whose status is known."""
    return list(framed(case_of(shown, *others), lambda _sent, _shown: True))


@pytest.mark.parametrize("status", ["available", "pending", "sold", ...])
def test_a_status_is_known_between_its_creation_and_getpet(status: object) -> None:
    """Whatever the list shows then, and be it nothing."""
    made_here, after = made(), read(0.2)
    [found] = framed_in(page(status=status), made_here, after)
    assert ("available", None if status is ... else status) == (found.sent, found.shown)
    assert (made_here, after) == (found.creation.exchange, found.after)


@pytest.mark.parametrize(
    ("at", "took", "after", "known"),
    [
        (0.1, 0.0, 0.2, 1),
        (0.1, 0.05, 0.1 + 0.05, 1),
        (0.11, 0.0, 0.2, 0),
        (0.1, 0.0, 0.21, 0),
        (0.1, 0.1, 0.15, 0),
        (0.05, 9.0, 9.1, 1),
    ],
)
def test_what_is_longer_ago_than_a_tenth_of_a_second_says_nothing(
    at: float, took: float, after: float, known: int
) -> None:
    """From the answer before to the list's request, and from its answer to the request after it."""
    assert known == len(framed_in(page(at=at, took=took), made(), read(after)))


@pytest.mark.parametrize(
    ("before", "known"),
    [
        pytest.param([read(0.05)], 1, id="shown as it was sent"),
        pytest.param([read(0.05, "pending")], 0, id="moved"),
        pytest.param([read(-5.0)], 0, id="long ago"),
        pytest.param([read(-5.0, "pending"), read(0.05)], 1, id="moved and came back"),
        pytest.param([read(-5.0), read(0.05, "pending")], 0, id="moved at last"),
        pytest.param([read(0.05, took=0.02), read(0.05, "pending", took=0.1)], 1, id="not answered yet"),
        pytest.param([read(0.05, ...)], 0, id="left out"),
        pytest.param([got(1, [], at=0.05, took=0.0)], 0, id="no animal"),
        pytest.param([lost(1, at=0.05, took=0.0)], 0, id="not found"),
        pytest.param([unanswered(read(0.05)), read(0.05)], 1, id="asked again"),
    ],
)
def test_the_last_answer_before_a_list_says_what_the_status_was(before: list[Exchange], known: int) -> None:
    """Where there is one after the creation, that one."""
    assert known == len(framed_in(page(), made(at=-9.0), *before, read(0.2)))


@pytest.mark.parametrize(
    ("after", "known"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param([read(0.2, "sold")], 0, id="moved"),
        pytest.param([read(0.2, ...)], 0, id="left out"),
        pytest.param([lost(1, at=0.2)], 0, id="gone"),
        pytest.param([got(1, ["available"], at=0.2)], 0, id="no animal"),
        pytest.param([read(0.11, "sold"), read(0.2)], 1, id="asked meanwhile"),
        pytest.param([read(0.2), read(0.21, "sold")], 1, id="moved afterwards"),
    ],
)
def test_the_first_answer_after_a_list_says_what_the_status_was(after: list[Exchange], known: int) -> None:
    """Of those that were asked for after the list was answered."""
    assert known == len(framed_in(page(took=0.05), made(), *after))


@pytest.mark.parametrize(
    "creation",
    [
        pytest.param(made(status=...), id="no status sent"),
        pytest.param(made(status="lost"), id="none of the three"),
        pytest.param(made(categoryId="x"), id="invalid otherwise"),
        pytest.param(got(1, at=0.0), id="somebody else's"),
    ],
)
def test_an_animal_that_was_not_validly_created_with_a_status_is_left_out(creation: Exchange) -> None:
    """And those behind it are not."""
    second = [made(2), got(2, animal(2, status="available"), at=0.2)]
    assert [2] == [each.animal["id"] for each in framed_in(page(1, 2), creation, read(0.2), *second)]


def test_a_status_that_is_none_is_left_out() -> None:
    """It is animal.status's; that of the next is known."""
    shown = listing([animal(1, status="SOLD"), animal(2)], at=0.1, took=0.0)
    others = [made(1), made(2), read(0.2), got(2, animal(2), at=0.2)]
    assert [2] == [each.animal["id"] for each in framed_in(shown, *others)]


def test_a_creation_whose_answer_shows_no_status_is_known_by_what_was_sent() -> None:
    """The 201 is judged by itself."""
    sent = payload(name="Babette1")
    creation = created(sent, 1, at=0.0, took=0.0, changes={"status": ...})
    assert 1 == len(framed_in(page(), creation, read(0.2)))
