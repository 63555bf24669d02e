"""outcome.py: from the verdicts of a run to its outcome and its exit code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from animal_conformance.interface.clauses import Circumstance, Clause, Level, load_clauses
from animal_conformance.judge.outcome import (
    CONFORMS,
    COULD_NOT_JUDGE,
    DOES_NOT_CONFORM,
    decide,
    exit_code,
    left_out,
)
from animal_conformance.judge.verdicts import ClauseOutcome, Judgement, Verdict
from selftests.exchanges import CANT_TELL, FAILED, INAPPLICABLE, PASSED, UNTESTED, ledger_of

MUST, SHOULD = (
    [each.id for each in load_clauses().clauses if each.level is level]
    for level in (Level.MUST, Level.SHOULD)
)
# Clauses on which everything else rests, and the others.
RESTED_ON = ("list.answer", "list.array", "create.answer", "get.found", "auth.missing.list")
OTHERS = [each for each in MUST if each not in RESTED_ON]


EXCUSE = Circumstance("store.odd", "It is an odd store.")


def judgement(
    outcomes: dict[str, ClauseOutcome] | None = None,
    *,
    rest: ClauseOutcome = PASSED,
    excuse: Circumstance | None = None,
    remedies: Mapping[str, str] | None = None,
    choice: str = "",
    **terms: Any,
) -> Judgement:
    """A judgement with these outcomes, and one for all the rest; what could not be told has the excuse, or what else there is."""
    known = outcomes or {}

    def verdict(clause: Clause) -> Verdict:
        outcome = known.get(clause.id, rest)
        why = f"Why {clause.id}."
        if outcome is not CANT_TELL:
            return Verdict(clause, outcome, why=why)
        remedy = (remedies or {}).get(clause.id, "")
        return Verdict(clause, outcome, why=why, excuse=excuse, remedy=remedy, choice=choice)

    return Judgement(tuple(map(verdict, load_clauses().clauses)), (), ledger_of(**terms))


def test_a_run_of_which_every_clause_passed_conforms() -> None:
    """And says how many did."""
    number = len(MUST)
    assert (CONFORMS, f"{number} of {number} MUST clauses passed and none failed.") == decide(judgement())


@pytest.mark.parametrize(
    ("options", "said"),
    [({}, ""), ({"stopped": "It was stopped."}, " It was stopped."), ({"strict": True, "certify": True}, "")],
)
def test_a_failed_must_is_why_a_run_does_not_conform(options: dict[str, object], said: str) -> None:
    """However the run ended, which is told as well, and whatever else it could not tell."""
    broken = judgement({OTHERS[0]: FAILED, OTHERS[1]: FAILED, SHOULD[0]: FAILED, RESTED_ON[0]: CANT_TELL})
    outcome, reason = decide(broken, **options)  # type: ignore[arg-type]
    assert (DOES_NOT_CONFORM, f"2 MUST clauses failed: {OTHERS[0]}, {OTHERS[1]}.{said}") == (outcome, reason)


def test_a_run_that_could_not_begin_says_so_first() -> None:
    """What is to be done about it is told elsewhere."""
    assert (COULD_NOT_JUDGE, "No answer.") == decide(
        judgement({OTHERS[0]: FAILED}), stopped="No answer.", remedy="Start it."
    )


def test_a_run_that_was_stopped_before_it_found_a_violation_could_not_judge() -> None:
    """Also where it is strict, and a SHOULD failed before."""
    ended = decide(judgement({SHOULD[0]: FAILED}), stopped="It took too long.", strict=True)
    assert (COULD_NOT_JUDGE, "It took too long.") == ended


def test_a_failed_should_fails_a_strict_run_alone() -> None:
    """It only warns otherwise."""
    warned = judgement({SHOULD[0]: FAILED})
    assert CONFORMS == decide(warned)[0]
    wanted = f"1 SHOULD clause failed in a strict run: {SHOULD[0]}."
    assert (DOES_NOT_CONFORM, wanted) == decide(warned, strict=True)
    assert CONFORMS == decide(judgement(), strict=True)[0]


@pytest.mark.parametrize("rest", [CANT_TELL, INAPPLICABLE, UNTESTED])
def test_a_run_that_judged_no_clause_could_not_judge(rest: ClauseOutcome) -> None:
    """Success where nothing was tested is the worst of failures."""
    assert (COULD_NOT_JUDGE, "No clause could be judged.") == decide(judgement(rest=rest))
    assert COULD_NOT_JUDGE != decide(judgement({SHOULD[0]: PASSED}, rest=UNTESTED))[0]


@pytest.mark.parametrize("clause_id", [RESTED_ON[0], OTHERS[0], OTHERS[-1]])
def test_every_must_clause_has_to_be_told(clause_id: str) -> None:
    """Short of one no whole run is green; a SHOULD clause may stay open."""
    outcome, reason = decide(judgement({clause_id: CANT_TELL, SHOULD[0]: CANT_TELL}))
    assert COULD_NOT_JUDGE == outcome
    assert f"1 MUST clause could not be determined: {clause_id}. Why {clause_id}." == reason
    assert CONFORMS == decide(judgement({SHOULD[0]: CANT_TELL}))[0]


def test_what_could_not_be_told_is_named() -> None:
    """Six clauses by their ids, and the number of the others; of the first, why, and what would tell it."""
    six, eight = (dict.fromkeys(OTHERS[:number], CANT_TELL) for number in (6, 8))
    first = f"{OTHERS[0]}: Why {OTHERS[0]}."
    told = f"6 MUST clauses could not be determined: {', '.join(OTHERS[:6])}. {first}"
    assert told == decide(judgement(six))[1]
    assert f"{', '.join(OTHERS[:6])} and 2 more. {first}" in decide(judgement(eight))[1]
    remedied = judgement(six, remedies=dict.fromkeys(OTHERS[1:3], "Use another key."))
    assert f"{OTHERS[1]}: Why {OTHERS[1]}. Use another key." in decide(remedied)[1]


def test_an_excuse_leaves_a_whole_run_green_and_is_told() -> None:
    """Certified or not."""
    excused = judgement({OTHERS[0]: CANT_TELL, OTHERS[1]: INAPPLICABLE}, excuse=EXCUSE)
    number = len(MUST)
    told = (
        f"{number - 2} of {number} MUST clauses passed and none failed; 1 inapplicable: {OTHERS[1]}; "
        f"1 excused, as no client could tell: {OTHERS[0]}."
    )
    assert (CONFORMS, told) == decide(excused) == decide(excused, certify=True)
    assert "" == left_out(excused)


def test_what_the_user_chose_not_to_have_told_makes_a_run_partial() -> None:
    """Which says what a run would need, once for all clauses, and is never certified."""
    partial = judgement(dict.fromkeys(OTHERS[:3], CANT_TELL), choice="with more")
    rest = "a run with more would judge the rest"
    number = len(MUST)
    assert rest == left_out(partial)
    assert (CONFORMS, f"No violation in the {number - 3} of {number} MUST clauses judged; {rest}.") == decide(
        partial
    )
    outcome, reason = decide(partial, certify=True)
    assert COULD_NOT_JUDGE == outcome
    assert reason.endswith(f"; 3 do not: {', '.join(OTHERS[:3])}; {rest}.")
    assert "" == left_out(judgement(dict.fromkeys(OTHERS[:3], CANT_TELL)))


@pytest.mark.parametrize(
    ("terms", "rest"),
    [
        ({"selected": ("list",)}, "a run without --clause would judge the rest"),
        (
            {"selected": ("list",), "read_only": True},
            "a run without --clause and without --read-only would judge the rest",
        ),
        ({"profile": "soak"}, "a soak judges only what load can show, and a run would judge the rest"),
    ],
)
def test_a_partial_run_says_what_it_judged(terms: dict[str, Any], rest: str) -> None:
    """All clauses count where it is strict; it has to judge one that counts, and has no certificate."""
    assert (COULD_NOT_JUDGE, f"A certificate requires a whole run; {rest}.") == decide(
        judgement(**terms), certify=True
    )
    number = len(MUST) + len(SHOULD)
    told = f"No violation in the {number - 1} of {number} clauses judged; {rest}."
    assert (CONFORMS, told) == decide(judgement({SHOULD[0]: UNTESTED}, **terms), strict=True)
    assert (CONFORMS, f"No violation in any of the {len(MUST)} MUST clauses; {rest}.") == decide(
        judgement({SHOULD[0]: UNTESTED}, **terms)
    )
    none = judgement({SHOULD[0]: PASSED}, rest=UNTESTED, **terms)
    assert (COULD_NOT_JUDGE, f"None of {len(MUST)} MUST clauses was judged; {rest}.") == decide(none)
    assert CONFORMS == decide(none, strict=True)[0]


def test_traffic_of_others_need_not_tell_everything() -> None:
    """Nobody sent it for the purpose."""
    outcome, reason = decide(judgement({OTHERS[0]: CANT_TELL}), recorded=True)
    assert CONFORMS == outcome
    assert "this is recorded traffic" in reason


def test_a_certificate_needs_every_must_clause_told() -> None:
    """And no SHOULD."""
    outcome, reason = decide(judgement({OTHERS[0]: UNTESTED}), certify=True)
    wanted = (
        "A certificate requires every MUST clause to pass, be inapplicable or be excused; "
        f"1 does not: {OTHERS[0]}."
    )
    assert (COULD_NOT_JUDGE, wanted) == (outcome, reason)
    assert CONFORMS == decide(judgement({SHOULD[0]: CANT_TELL}), certify=True)[0]


@pytest.mark.parametrize(("outcome", "code"), [(CONFORMS, 0), (DOES_NOT_CONFORM, 1), (COULD_NOT_JUDGE, 3)])
def test_an_outcome_is_an_exit_code(outcome: str, code: int) -> None:
    """Unless the suite itself was at fault, which is never a verdict."""
    assert code == exit_code({"suite_faults": [], "outcome": outcome})
    assert 4 == exit_code({"suite_faults": ["A rule failed."], "outcome": outcome})
    gate = {"outcome": outcome, "stale": []}
    assert code == exit_code({"suite_faults": [], "outcome": DOES_NOT_CONFORM, "gate": gate})
    # An expectation that is out of date is wrong usage, where nothing else is wrong.
    stale = {**gate, "stale": ["list.once"]}
    assert (code or 2) == exit_code({"suite_faults": [], "outcome": DOES_NOT_CONFORM, "gate": stale})
