"""Responses that are too large to be read now and then: see judge/suspicions/oversized.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Again
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Credential, Exchange, FailureKind
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    answered,
    asked_by,
    created,
    got,
    listing,
    lost,
    named,
    outcome_of,
    posted,
    spoken,
    unanswered,
    unauthorised,
    under,
    verdict_of,
)
from selftests.tables import cases

CLAUSE = "http.answer"


def large(of: Exchange, at: float | None = None) -> Exchange:
    """The same request, whose response is too large to be read."""
    return unanswered(of, FailureKind.TOO_LARGE, at=at)


def keyless(limit: int, at: float) -> Exchange:
    """A list request without a key, which is rejected."""
    return unauthorised(listing(limit=limit), at=at)


def thrice(at: float = 10.0) -> list[Exchange]:
    """Three different list requests without a key, whose responses are too large."""
    return [large(keyless(limit, at * limit)) for limit in (1, 2, 3)]


def served(*times: float) -> list[Exchange]:
    """Lists that are served at these times, and getPet for one animal."""
    return [each for at in times for each in (listing(limit=1, at=at), got(9, at=at + 0.1))]


def around(pet_id: int, at: float) -> list[Exchange]:
    """An animal that is got, then too large, and got again."""
    return [got(pet_id, at=at - 2), large(got(pet_id, at=at)), got(pet_id, at=at + 2)]


def with_te(of: Exchange) -> Exchange:
    """The same exchange, asked for with a transfer coding that a response may have or not."""
    return replace(of, request=replace(of.request, headers=(("TE", "gzip"),)))


def outcome(*exchanges: Exchange) -> ClauseOutcome:
    """The outcome of http.answer."""
    return outcome_of(CLAUSE, exchanges)


def asked(*exchanges: Exchange) -> list[str]:
    """The targets of the requests that are to be sent again."""
    steps = (step for each in asked_by(verdict_of(CLAUSE, exchanges)) for step in each.steps)
    return [step.request.target for step in steps if isinstance(step, Again)]


def test_errors_that_are_too_large_at_times_are_a_finding() -> None:
    """Without a valid key nothing is asked for that may be large; once more, the same requests are rejected."""
    met = thrice()
    once_more = [keyless(limit, 40.0 + limit) for limit in (1, 2, 3)]
    trace = [*met, *served(15.0, 25.0)]
    verdict = verdict_of(CLAUSE, trace)
    (experiment,) = asked_by(verdict)
    assert (CANT_TELL, tuple(Again(each.request) for each in met)) == (verdict.outcome, experiment.steps)
    verdict = verdict_of(CLAUSE, [*trace, keyless(1, 40.5), *once_more])
    (first,) = verdict.findings
    assert (met[0].reference,) == verdict.found_in
    assert (*met[1:], *once_more) == first.finding.related
    assert tuple(("oversized", each) for each in once_more) == first.finding.excluded
    assert CANT_TELL == outcome(*trace, *once_more[:2])
    # With nothing like them served in between, it may have been so for a while.
    assert FAILED != outcome(*met, got(9, at=15.0), got(9, at=25.0), *once_more)


def test_errors_that_are_always_too_large_are_no_finding() -> None:
    """Nor is one alone, nor are those with other parameters, nor what is let in; others like them are read."""
    read = keyless(50, 60.0)
    for key in (ABSENT, WRONG):
        met = [large(unauthorised(listing(limit=1), key, at=at)) for at in (10.0, 20.0, 30.0, 40.0, 50.0)]
        assert PASSED == outcome(*met, *served(15.0, 25.0, 35.0, 45.0), read)
    assert PASSED == outcome(large(keyless(1, 10.0)), *served(15.0), read)
    unknown = [large(unauthorised(listing(query="page=1"), at=at)) for at in (10.0, 20.0, 30.0)]
    assert PASSED == outcome(*unknown, *served(15.0, 25.0), read)
    coded = [with_te(each) for at in (1, 2, 3) for each in around(at, 10.0 * at)]
    assert PASSED == outcome(*coded)
    met = [large(keyless(limit, at)) for limit in (1, 2, 3) for at in (10.0 * limit, 50.0 + limit)]
    assert PASSED == outcome(*met, large(keyless(4, 40.0)), *served(15.0, 25.0, 35.0, 52.5), read)


@cases(
    "kind",
    {
        "lists without the key": keyless,
        "creations": lambda number, at: created(named("Ac" * number), number, at=at),
        "getPet without the key": lambda number, at: unauthorised(got(number), at=at),
    },
)
def test_a_kind_of_request_whose_responses_are_all_too_large_cannot_be_told(
    kind: Callable[[int, float], Exchange],
) -> None:
    """No request may stay without an answer, and nobody knows what this one is; the first of them says so."""
    met = [large(kind(1, at)) for at in (10.0, 20.0)]
    trace = [*met, *served(5.0, 15.0)]
    verdict = verdict_of(CLAUSE, trace)
    assert CANT_TELL == verdict.outcome
    assert "each of them is too large" in verdict.why
    assert (Again(met[0].request),) in [each.steps for each in asked_by(verdict)]
    assert PASSED == outcome(*trace, kind(2, 30.0))


@cases(
    ("later", "failed"),
    {
        "refused": ((401,), True),
        "refused in another way": ((499,), True),
        "put off": ((429,), False),
        "not answered in time": ((408,), False),
        "let in": ((200,), False),
        "refused, and let in": ((401, 200), False),
        "let in, and refused": ((200, 401), False),
        "out of order": ((500,), False),
        "refused, and out of order": ((401, 500), True),
    },
)
def test_what_is_rejected_at_other_times_asks_for_nothing_large(
    later: tuple[int, ...], *, failed: bool
) -> None:
    """What is let in may show animals, and what is put off or out of order says nothing."""
    again = [
        answered(keyless(limit, 1.0), status, at=40.0 + 10 * at + limit)
        for at, status in enumerate(later)
        for limit in (1, 2, 3)
    ]
    assert failed == (FAILED == outcome(*thrice(), *again, *served(15.0, 25.0)))


def test_what_is_let_in_at_times_keeps_nothing_from_being_asked_for_once_more() -> None:
    """Other than three requests that are always too large."""
    let_in = [answered(keyless(limit, 1.0), 200, at=40.0 + limit) for limit in (1, 2, 3)]
    other = large(keyless(4, 50.0))
    assert other.request.target in asked(*thrice(), *served(15.0, 25.0), *let_in, other)


@cases(
    "requests",
    {
        "creations": [posted(named(name)) for name in ("Whiskerton", "Fluffington", "Abelardino")],
        "lists with what is open": [listing(query=f"page={number}") for number in (1, 2, 3)],
    },
)
def test_what_may_do_more_than_read_is_no_response_to_compare(requests: list[Exchange]) -> None:
    """Nor is what the document does not have: even without a key nobody knows what is answered."""
    met = [large(unauthorised(each, at=10.0 * at)) for at, each in enumerate(requests, 1)]
    later = [unauthorised(each, at=40.0 + at) for at, each in enumerate(requests)]
    made = [created(named("Babettella"), at, at=at) for at in (15, 25)]
    assert FAILED != outcome(*met, *later, *served(15.0, 25.0), *made)


def test_animals_that_are_too_large_for_a_moment_three_times_are_a_finding() -> None:
    """Each is the same before and afterwards, and other animals are got in between."""
    trace = [each for at in (1, 2, 3) for each in around(at, 10.0 * at)]
    (first,) = verdict_of(CLAUSE, trace).findings
    assert "those to the same requests are not at other times" in first.finding.message
    assert FAILED == outcome(*(spoken(each) for each in trace[:3]), *trace[3:])
    mixed = [large(keyless(1, 10.0)), keyless(1, 40.0), *served(15.0), *trace[3:]]
    assert FAILED == outcome(*mixed)
    # A transfer coding that one was asked for with is no matter of the others, which are as many without it.
    coded = [[with_te(each) for each in around(at, 10.0 * at)] for at in (2, 3)]
    assert FAILED == outcome(with_te(large(got(9, at=5.0))), *trace)
    assert FAILED != outcome(*trace[:3], *coded[0], *coded[1])


def test_an_animal_is_compared_with_what_is_next_to_it() -> None:
    """It may have been added earlier, and be removed later on."""
    trace = [each for at in (1, 2, 3) for each in around(at, 10.0 * at)]
    others = [each for at in (1, 2, 3) for each in (lost(at, at=2.0 + at), lost(at, at=50.0 + at))]
    (first,) = verdict_of(CLAUSE, [*trace, *others]).findings
    assert (trace[4], trace[7], *trace[2::3]) == first.finding.related


@pytest.mark.parametrize("left_out", [0, 2])
def test_animals_that_may_have_been_cut_or_have_grown_are_no_finding(left_out: int) -> None:
    """Others may have removed what made them large, or have added it."""
    trace = [
        each
        for pet_id in (1, 2, 3)
        for at, each in enumerate(around(pet_id, 10.0 * pet_id))
        if at != left_out
    ]
    assert CANT_TELL == outcome(*trace)
    gone = [lost(1, at=12.0) if each.sent_s == 12.0 else each for each in around(1, 10.0)]
    assert FAILED != outcome(*gone, *around(2, 20.0), *around(3, 30.0))


def test_lists_may_show_what_is_large_at_times() -> None:
    """Which animals a list shows may vary."""
    lists = [
        each
        for at in (10.0, 20.0, 30.0)
        for each in (listing(limit=5, at=at - 2), large(listing(limit=5, at=at)))
    ]
    assert PASSED == outcome(*lists, listing(limit=5, at=40.0), *served(15.0, 25.0))


def test_where_some_are_met_one_animal_is_got_again_and_again() -> None:
    """Thirty times; ninety if one response was shown to be too large for a moment only."""
    others = [spoken(got(5, at=0.2)), under(got(6, at=0.5), Credential.UNKNOWN)]
    grown = [*others, got(7, at=1.0), *served(15.0)]
    for pet_id in (1, 2):
        grown += [large(got(pet_id, at=10.0 * pet_id)), *(got(pet_id, at=50.0 + at) for at in range(5))]
    assert ["/pets/7"] * 30 == asked(*grown)
    probes = [got(7, at=100.0 + at) for at in range(29)]
    assert PASSED == outcome(*grown, *probes)
    once = [*grown, *probes[:9], large(probes[9]), *probes[10:]]
    assert ["/pets/7"] * 60 == asked(*once)
    more = [got(7, at=200.0 + at) for at in range(60)]
    assert PASSED == outcome(*once, *more)
    met = [*more[:9], large(more[9]), *more[10:19], large(more[19]), *more[20:]]
    assert FAILED == outcome(*once, *met)


def test_an_animal_that_is_too_large_at_times_is_a_finding_before_others_are_met() -> None:
    """Both responses, whatever else is put to the test because of the first one."""
    met = [large(got(1, at=at)) for at in (10.0, 20.0)]
    verdict = verdict_of(CLAUSE, [got(7, at=1.0), met[0], got(1, at=15.0), met[1]])
    assert tuple(each.reference for each in met) == verdict.found_in


def test_an_animal_is_got_again_where_nothing_was_read_at_other_times() -> None:
    """Five times each: it may be too large always."""
    met = [large(got(pet_id, at=10.0 * pet_id)) for pet_id in (1, 2, 3)]
    assert [each.request.target for each in met for _ in range(5)] == asked(*met, *served(15.0, 25.0))


def test_nothing_is_got_again_where_no_animal_was_got() -> None:
    """There may be none, or getPet may be removed."""
    met = [large(lost(pet_id, at=10.0 * pet_id)) for pet_id in (1, 2)]
    later = [lost(pet_id, at=50.0 + at) for pet_id in (1, 2) for at in range(5)]
    assert PASSED == outcome(listing(at=15.0), *met, *later)
    assert CANT_TELL == outcome(listing(at=15.0), got(7, at=1.0), *met, *later)
