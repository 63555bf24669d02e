"""verdicts.py and hearing.py: from the opinions of rules to the verdict on each clause."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from animal_conformance.interface.clauses import Level, load_clauses
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import Experiment, Wait
from animal_conformance.judge.gaps import needs_writing, remedy_of_suspicions
from animal_conformance.judge.hearing import Found, Suspected, Tally, hear
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.verdicts import BEHIND_FAILURES, decide_on, judge
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    INAPPLICABLE,
    PASSED,
    TERMS,
    UNTESTED,
    animal,
    animals,
    created,
    exchange,
    got,
    judged,
    listing,
    lost,
    payload,
    posted,
    refused,
    unanswered,
    unlisted,
    verdict_of,
)
from selftests.tables import cases

CLAUSE = "list.answer"


def found() -> Finding:
    """Any finding."""
    return Finding("It is broken.", "whole", "broken")


def suspected(at: int) -> Suspicion:
    """A suspicion that asks for an experiment of its own."""
    return Suspicion(found(), "it", (Experiment("capped", (Wait(float(at)),)),))


def decided(*opinions: Opinion) -> Any:
    """The verdict on one clause by a rule that has these opinions, one after another."""
    remaining = list(opinions)
    trace = [listing(at=float(at)) for at in range(len(opinions))]
    judgement = judge(trace, TERMS, rules={CLAUSE: lambda _: remaining.pop(0)})
    return next(each for each in judgement.verdicts if each.clause.id == CLAUSE)


@pytest.mark.parametrize(
    ("opinions", "outcome"),
    [
        ([None], CANT_TELL),
        ([EVIDENCE], PASSED),
        ([None, EVIDENCE, None], PASSED),
        ([EVIDENCE, found()], FAILED),
        ([suspected(1)], CANT_TELL),
        ([EVIDENCE, suspected(1)], CANT_TELL),
        ([suspected(1), found()], FAILED),
    ],
)
def test_opinions_make_an_outcome(opinions: list[Opinion], outcome: object) -> None:
    """A finding fails it, beside what is evidence, and whatever else was seen; a suspicion leaves it open."""
    verdict = decided(*opinions)
    assert (outcome, opinions.count(EVIDENCE)) == (verdict.outcome, verdict.evidence)
    assert opinions.count(found()) == verdict.finding_count


def test_of_many_suspicions_few_are_kept_and_every_experiment() -> None:
    """The smallest, which are the first here, and of findings one of a kind; what suspicions ask for is needed until it was tried, and once is enough."""
    tally = Tally()
    exchanges = [listing(at=float(at)) for at in range(20)]
    for at, each in reversed([*enumerate(exchanges)]):
        tally.suspect(Suspected(suspected(at // 2), each))
        tally.find(Found(found(), each))
    assert exchanges[:5] == [each.exchange for each in tally.suspected]
    assert exchanges[:1] == [each.exchange for each in tally.found]
    assert (20, 10) == (tally.found_count, len(tally.asked))


@pytest.mark.parametrize(("explanation", "excused"), [("capped", True), ("withdrawn", False)])
def test_a_circumstance_excuses_what_is_open_because_of_it(explanation: str, *, excused: bool) -> None:
    """Full lists hide animals; they do not withdraw them."""
    suspicion = Suspicion(found(), "it", (Experiment(explanation, (Wait(1.0),)),))
    states = (None, "available", "pending", "sold")
    trace = [listing(animals(100), limit=100, state=each) for each in states]
    judgement = judge([created(), *trace], TERMS, rules={"list.complete": lambda _: suspicion})
    verdict = next(each for each in judgement.verdicts if each.clause.id == "list.complete")
    assert (CANT_TELL, excused) == (verdict.outcome, verdict.excuse is not None)
    assert excused is (verdict.remedy == "")


def test_what_stays_suspected_names_a_longer_run_where_there_is_one() -> None:
    """There is none longer than a deep one."""
    deep = "A run while nobody else changes the deployment may decide it."
    assert deep == remedy_of_suspicions(replace(TERMS, profile="deep"))
    assert "--profile deep" in remedy_of_suspicions(replace(TERMS, profile="standard"))


def test_what_is_excused_is_told_with_its_excuse_alone() -> None:
    """What has none says what would tell it, and is a gap of the run."""
    closed = [listing(), *(refused(payload(name=f"Whiskerton{each}"), at=2.0) for each in "abc")]
    excused = verdict_of("animal.name", closed)
    assert excused.excuse is not None
    assert ("store.closed", "", False) == (excused.excuse.id, excused.remedy, excused.untold)
    gap = verdict_of("create.answer", closed)
    assert (None, True, True) == (gap.excuse, "--category-id" in gap.remedy, gap.untold)
    assert not verdict_of("list.answer", closed).untold


def test_a_getpet_that_was_removed_during_the_run_was_judged_before() -> None:
    """And is inapplicable where it never worked; what is of other operations is not."""
    removed = [listing(animals(1)), lost(1, 410, at=9.0)]
    late = {"today": "2031-01-01"}
    assert PASSED == verdict_of("get.found", [*removed, got(1, at=5.0)], **late).outcome
    assert INAPPLICABLE == verdict_of("get.found", removed, **late).outcome
    assert CANT_TELL == verdict_of("create.answer", removed, **late).outcome


def test_the_smallest_findings_are_shown_and_all_are_counted() -> None:
    """One of a kind: that with the shortest request."""
    trace = [listing(animals(limit + 1), limit=limit) for limit in (50, 9, 40, 30, 20, 10, 60)]
    verdict = verdict_of("list.limit.respected", trace)
    assert ("/pets?limit=9", 1, 7) == (
        verdict.findings[0].exchange.request.target,
        len(verdict.findings),
        verdict.finding_count,
    )


def test_the_smallest_finding_is_the_one_with_the_least_to_read() -> None:
    """By the exchanges that it rests on, then its request, its answer, and when it came."""
    small, longer, answer = listing(at=4.0), listing(limit=7, at=3.0), listing(animals(1), at=2.0)
    creation, again, late = posted({}, 200, [], at=1.0), listing(at=5.0), unanswered(listing(), at=9.0)
    related = {id(again): (small,)}

    def broken(case: Case) -> Opinion:
        return replace(found(), related=related.get(id(case.exchange), ()))

    for smaller, larger in pairwise((late, small, answer, creation, longer, again)):
        judgement = judge([larger, smaller], TERMS, rules={"http.answer": broken})
        verdict = next(each for each in judgement.verdicts if each.clause.id == "http.answer")
        assert 2 == verdict.finding_count
        assert smaller == verdict.findings[0].exchange


def test_no_answer_is_as_short_as_an_empty_one() -> None:
    """And shorter than one of a byte, whichever came first."""
    one, empty = (exchange("GET", "/pets", status, each) for status, each in ((200, b"0"), (201, b"")))
    none = unanswered(listing())
    judgement = judge([one, empty, none], TERMS, rules={"http.answer": lambda _: found()})
    verdict = next(each for each in judgement.verdicts if each.clause.id == "http.answer")
    assert [empty, none, one] == [each.exchange for each in verdict.findings]


def test_of_findings_alike_the_first_is_shown() -> None:
    """The number of an exchange says which came first."""
    trace = [listing(animals(21), at=float(-at)) for at in range(3)]
    [finding] = verdict_of("list.limit.default", trace).findings
    assert min(each.sequence for each in trace) == finding.exchange.sequence


def test_a_run_that_was_cut_off_leaves_clauses_untested() -> None:
    """What it has evidence of is judged."""
    judgement = judge([listing()], TERMS, whole=False)
    outcomes = {each.clause.id: each.outcome for each in judgement.verdicts}
    assert (PASSED, UNTESTED) == (outcomes["list.answer"], outcomes["create.answer"])


def test_answers_to_open_questions_are_counted_with_an_example() -> None:
    """The most frequent first, each with the first exchange that shows it."""
    trace = [created(animal_id=each, at=float(at)) for at, each in enumerate((1, 2, 9, 10, 11))]
    observation = next(each for each in judged(trace).observations if each.question.id == "open.ids")
    assert (
        ("consecutive", 3, trace[1].reference),
        ("ascending", 1, trace[2].reference),
    ) == observation.answers


def test_a_clause_that_was_not_selected_is_untested() -> None:
    """Nothing is said of it, not even where it is broken."""
    judgement = judged([unlisted(404)], selected=("http",))
    outcomes = {each.clause.id: each.outcome for each in judgement.verdicts}
    assert (UNTESTED, PASSED) == (outcomes["list.answer"], outcomes["http.answer"])


@cases(
    ("chosen", "profile", "why"),
    {
        "a run": (False, "standard", "The clause was not selected."),
        "a run of one clause": (True, "standard", "The clause was not selected."),
        "a soak": (False, SOAK, "A soak does not judge this clause: a run does."),
        "a soak of one clause": (True, SOAK, "The clause was not selected."),
    },
)
def test_a_clause_without_a_verdict_says_who_left_it_out(*, chosen: bool, profile: str, why: str) -> None:
    """A soak leaves out what load cannot show; a user may choose clauses in both."""
    terms = replace(TERMS, profile=profile, selected=("http",) if chosen else ())
    clause_list = load_clauses()
    hearing = hear(Ledger.of([listing()], terms), clause_list.selected(("http",)))
    verdicts = {each.clause.id: each for each in decide_on(hearing, clause_list).verdicts}
    assert (UNTESTED, why) == (verdicts["list.answer"].outcome, verdicts["list.answer"].why)
    assert PASSED == verdicts["http.answer"].outcome


@cases(
    ("profile", "why"),
    {
        "a run": ("standard", "The run ended before there was evidence."),
        "a soak": (SOAK, "The load has shown no evidence: a run would look for it."),
    },
)
def test_what_ended_early_says_so(profile: str, why: str) -> None:
    """A soak ends when its time is over."""
    judgement = judge([listing()], replace(TERMS, profile=profile), whole=False)
    verdict = next(each for each in judgement.verdicts if each.clause.id == "create.answer")
    assert (UNTESTED, why) == (verdict.outcome, verdict.why)


def test_a_judgement_is_on_the_clauses_that_it_is_given() -> None:
    """Those of the suite by default."""
    one = replace(load_clauses(), clauses=load_clauses().clauses[:1])
    assert [one.clauses[0]] == [each.clause for each in judge([listing()], TERMS, one).verdicts]
    assert len(load_clauses().clauses) == len(judge([listing()], TERMS).verdicts)


def test_the_smallest_suspicion_is_told() -> None:
    """It is the easiest to look at."""
    other = Suspicion(found(), "another", (Experiment("withdrawn", (Wait(9.0),)),))
    verdict = decided(suspected(1), other)
    assert "Lists of this query end early" in verdict.why
    assert "removed the animal" not in verdict.why


def test_what_stays_suspected_says_what_may_decide_it() -> None:
    """Whoever reads it has no other remedy at hand than another run."""
    assert "A run while nobody else changes the deployment" in decided(suspected(1)).remedy


def test_a_run_without_exchanges_is_never_green() -> None:
    """Success where nothing was tested is the worst of failures; all clauses have a verdict, in their order."""
    assert [each.id for each in load_clauses().clauses] == [each.clause.id for each in judged([]).verdicts]
    for trace in ([], [unanswered(listing()), unanswered(got(1))]):
        assert {CANT_TELL} == {each.outcome for each in judged(trace).verdicts}


def test_a_read_only_run_leaves_out_what_needs_writing() -> None:
    """Inapplicable, with the reason; what was seen all the same counts."""
    for verdict in judged([listing()], read_only=True).verdicts:
        if needs_writing(verdict.clause.id):
            assert INAPPLICABLE == verdict.outcome, verdict.clause.id
            assert "read-only" in verdict.why
        else:
            assert INAPPLICABLE != verdict.outcome, verdict.clause.id
    assert PASSED == verdict_of("create.answer", [created()], read_only=True).outcome


def test_clauses_are_heard_in_one_order_in_every_process() -> None:
    """Experiments are asked for in it, and the order of a set of words changes from process to process."""
    ids = [each.id for each in load_clauses().clauses]
    assert sorted(ids) == list(hear(Ledger.of([], TERMS), frozenset(ids)).tallies)


def test_the_order_of_a_trace_does_not_matter() -> None:
    """Workers write as they come."""
    trace = [created(payload(name=f"Babette{at}"), at, at=float(at)) for at in range(1, 9)]
    trace += [listing(animals(9), limit=5, at=4.5), lost(3, at=9.0), got(4, at=9.5)]
    shuffled = list(trace)
    random.Random(5).shuffle(shuffled)  # noqa: S311 - any order
    straight, mixed = judged(trace), judged(shuffled)
    assert straight.verdicts == mixed.verdicts
    assert straight.observations == mixed.observations


def test_failed_clauses_are_told_apart_by_level() -> None:
    """What fails a run, and what only warns."""
    judgement = judged([listing(), listing(limit=0), listing(animals(30))])
    assert ["list.limit.default"] == [each.clause.id for each in judgement.failed(Level.MUST)]
    assert ["list.limit.below-refused"] == [each.clause.id for each in judgement.failed(Level.SHOULD)]


def test_what_fails_in_the_same_exchanges_is_told_under_the_clause_that_explains_it() -> None:
    """And what fails elsewhere, too, stands for itself."""
    odd = listing([animal(1, status=None, name=7)], at=2.0)

    def under(other: Exchange) -> dict[str, str]:
        verdicts = judged([listing(animals(3)), other, odd]).verdicts
        return {each.clause.id: each.under for each in verdicts if each.findings}

    alone = {"http.server-error": "", "animal.name": "", "animal.status": "animal.name"}
    assert alone == under(refused(status=500))
    assert {"animal.name": "", "animal.status": ""} == under(listing([animal(1, status=None)], at=3.0))


def test_what_had_no_evidence_beside_a_failure_may_stand_behind_it() -> None:
    """Other gaps have remedies of their own, and a clause that only should have passed hides none."""
    lenient = listing(limit=0)
    assert judge([lenient], TERMS).failed(Level.SHOULD)
    for exchanges, remedy in (([refused(status=500)], BEHIND_FAILURES), ([refused()], ""), ([lenient], "")):
        judgement = judge(exchanges, TERMS)
        verdicts = {each.clause.id: each for each in judgement.verdicts}
        assert bool(remedy) == bool(judgement.failed(Level.MUST))
        assert remedy == verdicts["get.unknown"].remedy
