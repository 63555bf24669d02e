"""The rule of suspicions/retrievals/clients.py: animals that one client finds and others do not."""

from __future__ import annotations

from animal_conformance.judge.experiments import Again, Read, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    TERMS,
    animal,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    outcome_of,
    spoken,
    verdict_of,
)
from selftests.suspicions.lists import explained

PHONE, BROWSER = "a phone", "a browser"
MADE = created(named("Rex"), 5, at=0.0)


def found(at: float, voice: str = PHONE) -> Exchange:
    """A getPet response to a client that finds the animal."""
    return spoken(got(5, animal(5, name="Rex"), at=at), voice)


def missed(at: float, voice: str = "") -> Exchange:
    """A getPet response to a client that does not find it."""
    return spoken(lost(5, at=at), voice)


SEEN_BY_ONE = [spoken(MADE, PHONE), found(1.0), missed(5.0)]


def test_an_animal_that_only_another_client_found_is_asked_for_as_that_client() -> None:
    """Once replicas have settled, and in turns with the suite's own request."""
    doubts = verdict_of("get.found", [*SEEN_BY_ONE, missed(6.0)]).suspected
    (experiment,) = {each for doubt in doubts for each in doubt.suspicion.experiments}
    wait, first, between, last = experiment.steps
    assert WaitUntil(SEEN_BY_ONE[2].answered_s + TERMS.settle_s) == wait
    assert (Again(SEEN_BY_ONE[1].request), Read("/pets/5")) == (first, between)
    assert first == last


def test_an_animal_that_one_client_goes_on_finding_is_not_withdrawn() -> None:
    """The finding names the client."""
    trace = [*SEEN_BY_ONE, found(9.0), missed(10.0), found(11.0, BROWSER)]
    assert {"get.found"} == failed_of(trace)
    message = verdict_of("get.found", trace).findings[0].finding.message
    assert message.endswith("Another client finds it: a phone.")


def test_an_animal_that_this_client_misses_too_is_withdrawn() -> None:
    """As any other that was there."""
    trace = [*SEEN_BY_ONE, missed(9.0, PHONE), missed(10.0), missed(11.0, PHONE), listing([], at=12.0)]
    assert FAILED != outcome_of("get.found", trace)
    assert {"withdrawn"} == explained(trace, "get.found")


def test_an_animal_that_the_suite_found_as_well_is_asked_for_as_any_other() -> None:
    """What one client found before says nothing of a store of its own."""
    trace = [MADE, found(1.0), spoken(got(5, animal(5, name="Rex"), at=2.0), ""), missed(5.0)]
    assert CANT_TELL == outcome_of("get.found", trace)
    (doubt,) = verdict_of("get.found", trace).suspected
    steps = doubt.suspicion.experiments[0].steps
    assert not any(isinstance(each, Again) for each in steps)


def test_the_list_in_which_a_client_saw_it_is_not_asked_for_again() -> None:
    """Newer animals may have pushed it out."""
    listed = spoken(listing([animal(5, name="Rex")], at=2.0), PHONE)
    (doubt,) = verdict_of("get.found", [*SEEN_BY_ONE[:2], listed, SEEN_BY_ONE[2]]).suspected
    asked = [each for each in doubt.suspicion.experiments[0].steps if isinstance(each, Again)]
    assert {"/pets/5"} == {each.request.target for each in asked}


def test_an_animal_that_only_a_list_showed_to_a_client_is_asked_for_as_any_other() -> None:
    """And so is one that another client found last, in a list."""
    listed = spoken(listing([animal(5, name="Rex")], at=2.0), BROWSER)
    for trace in ([spoken(MADE, PHONE), listed, missed(5.0)], [*SEEN_BY_ONE[:2], listed, missed(5.0)]):
        doubts = verdict_of("get.found", trace).suspected
        steps = [each for doubt in doubts for each in doubt.suspicion.experiments[0].steps]
        assert steps
        assert not any(isinstance(each, Again) for each in steps)


def test_a_few_animals_tell_whether_clients_have_stores_of_their_own() -> None:
    """What the first two of them show decides for all others: many may be withdrawn."""

    def seen_by_one(animal_id: int) -> list[Exchange]:
        made, at = created(named(f"Rex{animal_id}"), animal_id, at=0.0), animal_id / 100
        return [
            spoken(made, PHONE),
            spoken(got(animal_id, animal(animal_id, name=f"Rex{animal_id}"), at=1.0 + at), PHONE),
            lost(animal_id, at=5.0 + at),
        ]

    def asked_again(trace: list[Exchange]) -> set[str]:
        doubts = verdict_of("get.found", trace).suspected
        steps = [each for doubt in doubts for run in doubt.suspicion.experiments for each in run.steps]
        return {each.request.target for each in steps if isinstance(each, Again)}

    trace = [each for animal_id in range(1, 6) for each in seen_by_one(animal_id)]
    assert {"/pets/1", "/pets/2"} == asked_again(trace)
    tried = [spoken(lost(each, at=9.0 + each), PHONE) for each in (1, 2)]
    assert {"/pets/2"} == asked_again([*trace, *tried[:1]])
    assert set() == asked_again([*trace, *tried])
