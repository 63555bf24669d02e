"""The rules of suspicions/lists/assigning.py: filters that change what they select by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from animal_conformance.judge.experiments import Experiment, Read, ReadAlone, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ANSWER,
    animal,
    animals,
    asked_by,
    failed_of,
    got,
    listing,
    lost,
    opinions_of,
    verdict_of,
)
from selftests.tables import cases

FILTER: Final = "list.status.filter"
OTHERS: Final = animals(3, 50, status="sold")
# Each status is asked for after each other one, neither to and fro nor round and round.
STATES: Final = (
    *("available", "pending", "available", "sold", "pending"),
    *("sold", "available", "sold", "pending"),
)
STORED: Final = (*ANSWER, ("Age", "9"))


def page(at: float, state: str, *, limit: int = 100, number: int = 5, **options: Any) -> Exchange:
    """A filtered list with so many animals, all of them with the status that it asks for."""
    return listing(animals(number, status=state), limit=limit, state=state, at=at, **options)


def told(at: float, state: str, animal_id: int = 3, **options: Any) -> Exchange:
    """The answer of getPet for an animal, with its status."""
    return got(animal_id, animal(animal_id, status=state), at=at, **options)


def raised(states: Sequence[str] = STATES[:2] * 2, **options: Any) -> list[Exchange]:
    """Lists of different statuses with the same animals."""
    return [page(0.1 * turn, state, **options) for turn, state in enumerate(states)]


def pairs(states: Sequence[str], at: float = 10.0, **options: Any) -> list[Exchange]:
    """Lists of these statuses, each followed by getPet, which tells the same one."""
    return [
        each
        for turn, state in enumerate(states)
        for each in (page(at + turn, state, **options), told(at + turn + 0.5, state))
    ]


def full(at: float, state: str) -> Exchange:
    """A list with room for no other animals."""
    return listing(animals(100, 1001, status=state), limit=100, state=state, at=at)


def asked(trace: list[Exchange]) -> list[Experiment]:
    """The experiments on the status filter that the trace asks for."""
    return [each for each in asked_by(verdict_of(FILTER, trace)) if isinstance(each.steps[1], ReadAlone)]


def test_an_animal_that_has_the_status_which_was_asked_for_last_is_a_finding() -> None:
    """As soon as it followed six lists in a row, of all three statuses; the last of them says so, and alone."""
    trace = [*raised(), *pairs(STATES)]
    assert failed_of(trace) == {FILTER}
    verdict = verdict_of(FILTER, trace)
    assert verdict.found_in == (trace[14].reference,)
    finding = verdict.findings[0].finding
    assert finding.observed == "an animal with the status pending before, and sold after"
    assert finding.related == (trace[12], trace[13])
    assert finding.excluded == tuple(("moved", each) for each in trace[5:17:2])
    assert opinions_of(FILTER, trace) == (0, 1)


def test_lists_of_different_statuses_with_the_same_animals_are_put_to_the_test() -> None:
    """Lists of each status, each followed by getPet for one in the middle of those that a largest list showed last."""
    lists = raised()
    # The last two show animals that no list has shown before, and the last one has another order.
    for at, ids in ((2, (50, 51, 52, 1, 2, 3, 4, 5)), (3, (50, 51, 52, 3, 4, 5, 1, 2))):
        shown = [animal(each, status=STATES[at % 2]) for each in ids]
        lists[at] = listing(shown, limit=100, state=STATES[at % 2], at=lists[at].sent_s)
    (experiment,) = asked([*lists, page(2.0, "sold", limit=50)])
    reads = [each for state in STATES for each in (Read(f"/pets?limit=100&status={state}"), Read("/pets/5"))]
    first = ReadAlone("/pets?limit=100&status=available")
    assert experiment.steps == (WaitUntil(lists[3].answered_s), first, *reads)


@cases(
    "trace",
    {
        "no more than two lists": raised(STATES[:2]),
        "no more than three": raised(STATES[:3]),
        "of one status": raised(("sold",) * 4),
        "of one status, and of all": [
            *raised(("sold",) * 4),
            *(listing(animals(5, status="sold"), limit=100, at=0.05 + at / 10) for at in range(4)),
        ],
        "under way at the same time": raised(took=0.15),
        "of other animals for each status": [
            listing(
                animals(5, 1 + 10 * (turn % 2), status=STATES[turn]), limit=100, state=STATES[turn], at=turn
            )
            for turn in (0, 1, 4, 6)
        ],
        "with a limit that has no room for all": raised(limit=50),
        "getPet tells another status than was asked for": [
            *raised(),
            page(5.0, "sold"),
            told(5.1, "pending"),
        ],
        "getPet tells none": [*raised(), page(5.0, "sold"), got(3, [3], at=5.1)],
        "a list that has room for the animal lacks it": [
            *(*raised(), listing(OTHERS, limit=100, state="sold", at=5.0), told(5.1, "pending")),
            page(6.0, "sold"),
        ],
    },
)
def test_animals_that_need_no_filter_to_have_moved_are_not_put_to_the_test(trace: list[Exchange]) -> None:
    """Others may have moved them, or have done so as one getPet shows."""
    assert not asked(trace)


@cases(
    "others",
    {
        "nobody asks for the animal that a list lacks": [listing(OTHERS, limit=100, state="sold", at=5.0)],
        "a list of another status is under way": [
            *(page(5.0, "sold"), page(5.05, "pending"), told(5.055, "available"))
        ],
        "it is open what a list under way asks for": [
            *(page(5.0, "sold"), listing([], query="status=lost", at=5.05), told(5.055, "available"))
        ],
        "it is open what a later list asked for": [
            *(page(5.0, "sold"), listing([], query="status=lost", at=5.05), told(5.1, "pending"))
        ],
        "getPet was asked before any list": [told(-1.0, "sold")],
        "what getPet told is old": [page(5.0, "sold"), told(5.1, "pending", headers=STORED)],
        "the list is old": [page(5.0, "sold", headers=STORED), told(5.1, "pending")],
        "the list has no room for it": [page(5.0, "sold", limit=50), told(5.1, "pending")],
        "another animal was not there yet": [
            *(page(5.0, "sold"), lost(6, at=5.1)),
            *(page(6.0 + turn, state, number=6) for turn, state in enumerate(STATES[:4])),
        ],
        "it followed lists of two statuses": pairs(STATES[:2] * 4),
        "it followed lists with no room for it": pairs(STATES, limit=50),
        "it followed five lists, and five": [
            *(*pairs(STATES[:5]), full(20.0, "sold"), told(20.5, "sold"), *pairs(STATES[:5], 30.0))
        ],
    },
)
def test_what_decides_nothing_leaves_it_to_the_test(others: list[Exchange]) -> None:
    """Neither for it nor against it."""
    trace = [*raised(), *others, page(90.0, "sold")]
    assert asked(trace)
    assert FILTER not in failed_of(trace)


def test_lists_that_others_are_beside_are_none_in_the_row() -> None:
    """Nor are those by which the first suspicion arose."""
    for query in ("limit=100&status=pending", "status=lost"):
        disturbed = [
            each
            for turn, state in enumerate(STATES)
            for each in (
                *(page(10.0 + turn, state), listing([], query=query, at=10.05 + turn)),
                told(10.055 + turn, state),
            )
        ]
        assert FILTER not in failed_of([*raised(), *disturbed])
    assert FILTER not in failed_of(pairs(STATES[:8]))
    assert {FILTER} == failed_of(pairs(STATES))


@cases(
    "trace",
    {
        "full lists show it": pairs(STATES, number=100),
        "getPet was asked before": [told(-1.0, "sold"), *pairs(STATES)],
        "it is asked for again, and has moved": [
            *pairs(STATES),
            *(told(10.7 + at, "lost") for at in range(9)),
        ],
        "a list without a filter is under way": [
            *(*pairs(STATES), *(listing(OTHERS, limit=3, at=10.05 + at) for at in range(9)))
        ],
        "getPet is sent a status": [
            *pairs(STATES),
            *(lost("9?status=sold", at=10.05 + at) for at in range(9)),
        ],
        "it followed five lists before": [*pairs(STATES[:5]), *pairs(STATES[:5], 30.0)],
    },
)
def test_a_row_is_one_whatever_is_asked_for_besides(trace: list[Exchange]) -> None:
    """Only what lists with the filter say may have changed an animal."""
    assert FILTER in failed_of([*raised(), *trace])


def test_two_animals_that_full_lists_go_on_lacking_decide_for_all() -> None:
    """What is shown now and then has moved; one alone may have been pushed out."""
    trace = raised()
    for animal_id in (1, 2):
        at = 100.0 * animal_id
        trace += [
            each
            for turn, state in enumerate(STATES[:6])
            for each in (full(at + turn, state), told(at + turn + 0.5, "sold", animal_id))
        ]
        trace.append(page(at + 50, "sold"))
        assert len(asked(trace)) == (1 if animal_id == 1 else 0)


def test_a_list_with_room_for_an_animal_that_lacks_it_ends_its_row() -> None:
    """Three lists before it and three after it are no reason for an experiment; one that is full does not end it."""
    before, after = raised()[:3], [page(each, "pending") for each in (1.0, 1.2)]
    after.insert(1, page(1.1, "available"))
    lacking = listing(OTHERS, limit=100, state="sold", at=0.5)
    assert not asked([*before, lacking, *after])
    assert asked([*before, full(0.5, "sold"), *after])
