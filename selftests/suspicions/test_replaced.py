"""The rules of suspicions/retrievals/replaced.py: whether an animal is gone because another one has its name."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import (
    Create,
    Naming,
    Read,
    ReadCreated,
    ReadEarlier,
    Wait,
    WaitUntil,
)
from animal_conformance.judge.knowledge.plain import in_han
from animal_conformance.record.exchange import Exchange, Terms
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    animal,
    asked_by,
    created,
    got,
    listing,
    lost,
    named,
    opinions_of,
    outcome_of,
    verdict_of,
)
from selftests.suspicions.told import A, B, C

BESIDE = "It is gone since another one was created"
NAMES = [f"Ac{each * 10}" for each in "defghijk"]


def pair(
    number: int, at: float, name: str, after: str, last: str, *, other: str = "", before: str = "g"
) -> list[Exchange]:
    """Two creations, and the first of both read before, at once after and after settling: ``g`` if got, ``l`` if lost."""
    sent, then = named(name), named(other or name)

    def read(how: str, so_late_s: float) -> Exchange:
        shown = {**sent, "id": number}
        return (
            got(number, shown, at=at + so_late_s, took=0.0)
            if how == "g"
            else lost(number, at=at + so_late_s, took=0.0)
        )

    return [
        created(sent, number, at=at, took=0.0),
        *(read(each, 0.1) for each in before),
        created(then, number + 1, at=at + 0.2, took=0.0),
        *(read(each, 0.3) for each in after),
        *(read(each, 3.3) for each in last),
    ]


GONE = [*pair(1, 1.0, A, "", "l", before=""), got(2, {**named(A), "id": 2}, at=5.0)]
REPLACED = [*pair(10, 10.0, NAMES[0], "l", "l"), *pair(20, 20.0, NAMES[1], "l", "l")]
STAYED = [
    *pair(30, 15.0, NAMES[2], "g", "g", other=NAMES[3]),
    *pair(40, 25.0, NAMES[4], "g", "g", other=NAMES[5]),
]


def test_animals_that_go_when_their_namesakes_are_created_and_at_no_other_time_are_replaced() -> None:
    """Nobody who withdraws animals asks for the name of the next one."""
    trace = [*GONE, *REPLACED, *STAYED]
    assert FAILED == outcome_of("get.found", trace)
    found = verdict_of("get.found", trace).findings[0].finding
    assert found.message.endswith(f"{BESIDE} with its name.")
    assert {("withdrawn", each) for each in trace if each.sent_s % 5 == pytest.approx(0.3)} == set(
        found.excluded
    )
    assert FAILED != outcome_of("get.found", trace, profile="soak")


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([*GONE, *REPLACED[:5], *STAYED], id="one pair of namesakes"),
        pytest.param([*GONE, *REPLACED, *STAYED[:5]], id="one pair of others"),
        pytest.param([*GONE, *REPLACED, *STAYED[:-1]], id="one that was not read after settling"),
        pytest.param(
            [*GONE, *REPLACED, *STAYED, *pair(50, 40.0, NAMES[6], "l", "l", other=NAMES[7])],
            id="another goes as well",
        ),
        pytest.param(
            [*GONE, *REPLACED, *STAYED, *pair(50, 40.0, NAMES[6], "g", "l")], id="one stays a while"
        ),
        pytest.param([*GONE, *REPLACED, *pair(50, 40.0, NAMES[6], "l", "g"), *STAYED], id="a replica lags"),
        pytest.param(
            [*GONE, *REPLACED[:5], *pair(20, 20.0, NAMES[1], "l", "l", before="l"), *STAYED],
            id="one was gone before",
        ),
        pytest.param(
            [*GONE, *REPLACED, *STAYED[:5], *pair(40, 25.0, NAMES[4], "g", "l", other=NAMES[5])],
            id="another goes later",
        ),
        pytest.param(
            [*GONE, *REPLACED, *STAYED[:5], created(named(NAMES[6]), 60, at=25.05), *STAYED[5:]],
            id="one more was created meanwhile",
        ),
        pytest.param(
            [*GONE, *REPLACED, *STAYED[:5], created(named(NAMES[6]), 60, at=25.25), *STAYED[5:]],
            id="one more was created before it was read",
        ),
    ],
)
def test_what_may_have_been_withdrawn_is_not_replaced(trace: list[Exchange]) -> None:
    """Others that go as well, or namesakes that stay, show that the name is not the reason."""
    trace.sort(key=lambda each: each.sent_s)
    assert FAILED != outcome_of("get.found", trace)


def test_an_animal_that_is_gone_since_a_namesake_was_created_asks_for_pairs() -> None:
    """In turns, with the same name and with another; all are read again when they have settled."""
    (asked,) = asked_by(verdict_of("get.found", GONE))
    namings = [step.naming for step in asked.steps if isinstance(step, Create)][1::2]
    assert [Naming.SAME, Naming.LIKE] * 2 == namings
    again = [step.before for step in asked.steps if isinstance(step, ReadEarlier)]
    assert [1] * 4 + [1, 3, 5, 7] == again
    assert CANT_TELL == outcome_of("get.found", GONE)


def test_names_are_put_to_the_test_with_what_follows_their_beginning() -> None:
    """A key may consist of as many characters as long names begin with: shorter ones show nothing."""
    rest = " golden retriever"
    gone = [*pair(1, 1.0, A + rest, "", "l", before=""), got(2, {**named(A + rest), "id": 2}, at=5.0)]
    short = [*pair(50, 40.0, B, "g", "g"), *pair(60, 50.0, C, "g", "g", other=NAMES[6])]
    (asked,) = asked_by(verdict_of("get.found", [*gone, *short]))
    assert {created(named(A + rest)).request.body} == {
        step.payload.encode() for step in asked.steps if isinstance(step, Create)
    }
    replaced = [
        *pair(10, 10.0, NAMES[0] + rest, "l", "l"),
        *pair(20, 20.0, NAMES[1] + rest, "l", "l"),
        *pair(30, 15.0, NAMES[2] + rest, "g", "g", other=NAMES[3] + rest),
        *pair(40, 25.0, NAMES[4] + rest, "g", "g", other=NAMES[5] + rest),
    ]
    assert FAILED == outcome_of("get.found", _sorted([*gone, *replaced, *short]))
    alike = pair(70, 60.0, NAMES[7] + rest, "g", "g")
    assert PASSED == outcome_of("get.found", _sorted([*gone, *short, *alike]))


def _sorted(trace: list[Exchange]) -> list[Exchange]:
    return sorted(trace, key=lambda each: each.sent_s)


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([*GONE[:1], *GONE[2:]], id="no namesake"),
        pytest.param([*GONE, got(1, {**named(A), "id": 1}, at=3.0)], id="it was there beside it"),
        pytest.param(
            [*pair(1, 1.0, "Rex", "", "l", before=""), got(2, {**named("Rex"), "id": 2}, at=5.0)],
            id="a name that others may have",
        ),
    ],
)
def test_without_a_reason_no_pairs_are_asked_for(trace: list[Exchange]) -> None:
    """The others like it are asked for as ever."""
    steps = {type(step) for each in asked_by(verdict_of("get.found", trace)) for step in each.steps}
    assert ReadEarlier not in steps


def test_where_animals_were_put_to_the_test_the_missing_one_was_withdrawn() -> None:
    """If new ones like it stay, with names of their own."""
    like = [*pair(50, 40.0, B, "g", "g"), *pair(60, 50.0, C, "g", "g", other=NAMES[6])]
    assert PASSED == outcome_of("get.found", [*GONE, *like])


def test_where_others_are_gone_too_and_no_more_may_be_created_an_animal_is_gone_as_they_are() -> None:
    """Eight more creations would put it to the test."""
    others = [
        each
        for number, name in ((101, B), (102, C), (103, NAMES[0]))
        for each in (
            created(named(name), number, at=0.1 + number / 1000, took=0.0),
            got(number, {**named(name), "id": number}, at=0.5, took=0.0),
            *(lost(number, at=at, took=0.0) for at in (5.0, 9.0, 9.1, 9.2)),
        )
    ]
    trace = sorted([*GONE, *others], key=lambda each: each.sent_s)
    made = 5

    def creating(trace: list[Exchange], creates: int | None) -> bool:
        asked = asked_by(verdict_of("get.found", trace, creates=creates))
        return any(isinstance(step, ReadEarlier) for each in asked for step in each.steps)

    assert creating(trace, made + 8)
    assert not creating(trace, made + 7)
    # As many as it likes, where nothing limits it.
    assert creating(trace, None)
    # With one of the others still there, nothing says that animals go.
    assert creating(trace[:-1], made + 7)
    # Nor do animals of others, which they may remove.
    ids = (101, 102, 103)
    foreign = [
        listing([animal(each) for each in ids], at=0.2),
        *(each for each in others if each.request.method == "GET"),
    ]
    assert creating(sorted([*GONE, *foreign], key=lambda each: each.sent_s), 2)


def test_an_animal_without_a_namesake_is_not_gone_for_that_of_others() -> None:
    """It is asked for in turns, and what became of others with namesakes is no proof for it."""
    other = [
        created(named(NAMES[6]), 90, at=0.2),
        got(90, {**named(NAMES[6]), "id": 90}, at=0.3),
        lost(90, at=8.0),
    ]
    replaced, with_other = (opinions_of("get.found", [*REPLACED, *STAYED, *each]) for each in ([], other))
    assert (2, 2) == (replaced[1], with_other[1])


def test_an_animal_that_was_missed_before_its_namesake_was_created_was_not_replaced() -> None:
    """A list shows it in between."""
    sent = {**named(A), "id": 1}
    trace = [
        created(named(A)),
        got(1, sent, at=1.1),
        lost(1, at=9.0),
        listing([sent], at=13.0),
        created(named(A), 2, at=14.0),
    ]
    steps = {type(step) for each in asked_by(verdict_of("get.found", trace)) for step in each.steps}
    assert steps == {WaitUntil, Read, Wait}


HAN = [in_han(f"Ac{each * 10}") for each in "defghijklm"]
HAN_GONE = [
    *pair(1, 1.0, HAN[0], "", "l", other=HAN[1], before=""),
    got(2, {**named(HAN[1]), "id": 2}, at=1.3),
]
HAN_REPLACED = [
    *pair(10, 10.0, HAN[2], "l", "l", other=HAN[3]),
    *pair(20, 20.0, HAN[4], "l", "l", other=HAN[5]),
]
# Each of them is replaced in its turn.
HAN_STAYED = [
    *pair(30, 15.0, HAN[6], "g", "g", other=NAMES[0]),
    lost(30, at=21.0),
    *pair(40, 25.0, HAN[7], "g", "g", other=NAMES[1]),
]


def test_animals_that_go_when_another_one_with_a_name_in_another_script_is_created_are_replaced() -> None:
    """Whoever takes away names in another script does not look at the name of the next one."""
    trace = sorted([*HAN_GONE, *HAN_REPLACED, *HAN_STAYED], key=lambda each: each.sent_s)
    assert FAILED == outcome_of("get.found", trace)
    messages = {each.finding.message for each in verdict_of("get.found", trace).findings}
    assert any(
        each.endswith(f"{BESIDE} whose name has no letter or digit of ASCII either.") for each in messages
    )


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([*HAN_GONE, *HAN_REPLACED[:5], *HAN_STAYED], id="one pair alike"),
        pytest.param([*HAN_GONE, *HAN_REPLACED, *HAN_STAYED[:6]], id="one pair unlike"),
        pytest.param(
            [*HAN_GONE, *HAN_REPLACED, *HAN_STAYED, *pair(50, 40.0, HAN[8], "l", "l", other=NAMES[2])],
            id="one goes when a usual name is created",
        ),
        pytest.param(
            [*HAN_GONE, *HAN_REPLACED, *HAN_STAYED, *pair(50, 40.0, HAN[8], "g", "g", other=HAN[9])],
            id="one stays beside one like it",
        ),
        pytest.param(
            [*HAN_GONE, *HAN_REPLACED, *HAN_STAYED, created(named(HAN[8]), 60, at=28.0)],
            id="one that was not read after settling, before one like it was created",
        ),
    ],
)
def test_names_in_another_script_that_may_have_been_withdrawn_are_not_replaced(trace: list[Exchange]) -> None:
    """Others that go as well, or those like them that stay, show that the name is not the reason."""
    trace.sort(key=lambda each: each.sent_s)
    assert FAILED != outcome_of("get.found", trace)


def test_an_animal_that_is_gone_since_one_in_another_script_was_created_asks_for_pairs() -> None:
    """In turns, with such a name and with a usual one; the latter are read when settled, before the next is created."""
    (asked,) = asked_by(verdict_of("get.found", HAN_GONE))
    steps = [step for step in asked.steps if not isinstance(step, ReadCreated)]
    first = Create((HAN_GONE[0].request.body or b"").decode())
    pairs = [first] * 2, [first, Create(first.payload, Naming.USUAL)]
    read = ReadEarlier()
    turn = [*pairs[0], read, *pairs[1], read, Wait(Terms().settle_s), read]
    assert [*turn, *turn, *map(ReadEarlier, (1, 3, 5, 7))] == steps
    assert CANT_TELL == outcome_of("get.found", HAN_GONE)
