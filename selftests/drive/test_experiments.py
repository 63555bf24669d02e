"""Which experiments are performed where not all of them can be."""

from __future__ import annotations

import json

import pytest

from animal_conformance.drive.experiments import (
    TIMES_AT_MOST,
    Performed,
    affordable,
    asked_for,
    perform,
    unaffordable,
)
from animal_conformance.judge.experiments import (
    Again,
    Create,
    Experiment,
    Naming,
    Read,
    ReadCreated,
    ReadEarlier,
    Wait,
    WaitUntilAged,
    in_turns,
    once,
    two_like,
)
from animal_conformance.judge.hearing import Hearing, Tally
from animal_conformance.judge.knowledge.plain import in_han, is_in_han
from animal_conformance.send.budget import Budget
from animal_conformance.send.endings import NoRequestsLeft
from selftests.drive.stores import store_at
from selftests.exchanges import ledger_of
from selftests.loopback.server import Answer, Visit, only, response

LIKE, OTHER = (two_like("withdrawn", f'{{"name": "{each}", "categoryId": 1}}', 3.0) for each in "ab")
READ = once("lagging", "/pets/1", 3.0)
TURNS = in_turns("edited", ("/pets/1", "/pets"), 3.0)


@pytest.mark.parametrize(
    ("creates", "requests", "chosen"),
    [
        (4, 60, [LIKE, OTHER, READ, TURNS]),
        (3, 40, [LIKE, READ, TURNS]),
        (1, 40, [READ, TURNS]),
        (4, 26, [LIKE, READ, TURNS]),
        (4, 21, [LIKE, READ]),
        (0, 5, [READ]),
        (0, 0, []),
    ],
)
def test_experiments_begin_only_if_all_their_steps_can_be_taken(
    creates: int, requests: int, chosen: list[Experiment]
) -> None:
    """Two halves of an experiment decide nothing."""
    budget = Budget(requests=requests, creates=creates)
    assert chosen == affordable([LIKE, OTHER, READ, TURNS], budget)


def test_a_creation_that_is_sent_again_only_if_it_is_rejected_creates_no_further_animal() -> None:
    """It needs a request, and no place among the creations."""
    body = '{"name": "", "categoryId": 1}'
    again = Experiment("unwelcome", (Create(body, Naming.UNLIKE), Create(body, Naming.RETRY)))
    assert [again] == affordable([LIKE, again], Budget(requests=2, creates=1))
    assert [] == affordable([LIKE, again], Budget(requests=1, creates=1))


def test_an_experiment_that_cannot_end_is_said_to_exceed_a_limit() -> None:
    """Which one, and how much of it is left."""
    creates = unaffordable(LIKE, Budget(requests=60, creates=1))
    assert "An experiment would create more animals than the 1 that the run may still create, of 1." == str(
        creates
    )
    assert not isinstance(creates, NoRequestsLeft)
    requests = unaffordable(READ, Budget(requests=5, creates=0, sent=5))
    assert "An experiment would send more requests than the 0 that the run may still send, of 5." == str(
        requests
    )
    assert isinstance(requests, NoRequestsLeft)


def test_a_new_name_is_in_the_script_of_the_earlier_one() -> None:
    """Unless a usual one is asked for."""
    body = json.dumps({"name": in_han("Acabcdefghij"), "categoryId": 1})
    steps = Create(body), Create(body, Naming.USUAL), Create(body)
    with store_at(1) as (store, recorded, _):
        perform(store, [Experiment("withdrawn", steps)])
        store.gather()
    names = [each.request.json.value["name"] for each in recorded if each.request.method == "POST"][-3:]
    assert [True, False, True] == [is_in_han(each) for each in names]
    assert 3 == len(set(names))


def test_a_creation_that_is_sent_again_until_it_is_served_creates_one_animal() -> None:
    """However often the experiment may have to send it."""
    answers = iter([response(500), response(500), response(201, {"id": 7})])

    def behave(visit: Visit) -> Answer:
        return next(answers) if b"Actest one" in visit.caught.body else visit.honest()

    with store_at(1, only("create", behaviour=behave)) as (store, recorded, _):
        first = store.create_pet({"name": "Actest one", "categoryId": 1})
        again = Again(first.request, until_served=True)
        experiment = Experiment("outage", (Read("/pets?limit=1"), again) * 3)
        assert [experiment] == affordable([LIKE, experiment], Budget(requests=6, creates=1))
        perform(store, [experiment])
        store.gather()
    assert [500, 500, 201] == [each.status for each in recorded if each.request == first.request]


def test_every_clause_gets_an_experiment_before_any_gets_a_second_one() -> None:
    """In each turn the shortest first; and none that has failed, or whose experiments were performed, gets another."""
    hearing = Hearing(
        ledger_of(),
        {
            "get.found": Tally(asked=dict.fromkeys((LIKE, OTHER))),
            "list.complete": Tally(asked=dict.fromkeys((READ, TURNS))),
        },
    )
    assert [READ, LIKE, TURNS, OTHER] == asked_for(hearing, (), 2)
    assert [READ, OTHER] == asked_for(hearing, {LIKE}, 1)
    assert [READ, TURNS] == asked_for(hearing, (), 2, {"list.complete"})


def test_what_asks_for_the_same_as_time_goes_on_is_asked_for_a_few_times_only() -> None:
    """It would go on for as long as there are requests."""
    performed = Performed()
    for at in range(TIMES_AT_MOST):
        later = in_turns("sampled", ("/pets", "/pets/1"), float(at))
        assert later not in performed
        performed.update([later])
        assert later in performed
    assert in_turns("sampled", ("/pets", "/pets/1"), 99.0) in performed
    assert in_turns("sampled", ("/pets", "/pets/2"), 99.0) not in performed
    row = [Experiment("edited", (Create("{}"), WaitUntilAged(each), ReadEarlier(0))) for each in (4.8, 4.9)]
    performed.update([row[0]] * TIMES_AT_MOST)
    assert row[1] in performed


def test_nothing_delays_an_experiment_that_reads_animals_at_an_age() -> None:
    """It is performed by itself, after the others; and does not wait for an animal that was rejected."""
    made, wrong = (Create(f'{{"name": "{each}", "categoryId": 1}}') for each in ("Rex", "Rejected"))
    aged = (WaitUntilAged(0.3, 1), ReadEarlier(1), WaitUntilAged(0.2), ReadCreated())
    row = Experiment("edited", (made, Wait(0.1), made, *aged))
    rejected = Experiment("edited", (wrong, WaitUntilAged(60.0)))

    def behave(visit: Visit) -> Answer:
        return response(400) if b"Rejected" in visit.caught.body else visit.honest()

    with store_at(2, only("create", behaviour=behave)) as (store, recorded, _):
        perform(store, [row, Experiment("edited", (Read("/pets"), Wait(0.6), Read("/pets"))), rejected])
        store.gather()
    lists = [each.sent_s for each in recorded if each.request.target == "/pets" and each.request.body is None]
    made_s = [
        each.answered_s for each in recorded if each.status == 201 and b"Rex" in (each.request.body or b"")
    ]
    got_s = [each.sent_s for each in recorded if each.request.target.startswith("/pets/")]
    assert max(lists) < min(made_s)
    first, second = (got - since for got, since in zip(got_s, made_s, strict=True))
    assert 0.3 <= first < 0.5
    assert 0.2 <= second < 0.4
