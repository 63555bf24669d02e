"""outcome.py: from the verdicts of a run to its outcome and its exit code."""

from __future__ import annotations

import pytest

from animal_conformance.interface.clauses import Level, load_clauses
from animal_conformance.judge.outcome import (
    CONFORMS,
    COULD_NOT_JUDGE,
    DOES_NOT_CONFORM,
    decide,
    exit_code,
)
from animal_conformance.judge.verdicts import ClauseOutcome, Judgement, Verdict
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    INAPPLICABLE,
    PASSED,
    UNTESTED,
    ledger_of,
)

MUST, SHOULD = (
    [each.id for each in load_clauses().clauses if each.level is level]
    for level in (Level.MUST, Level.SHOULD)
)
# Clauses on which everything else rests, and the others.
RESTED_ON = ("list.answer", "list.array", "create.answer", "get.found", "auth.missing.list")
OTHERS = [each for each in MUST if each not in RESTED_ON]


def judgement(outcomes: dict[str, ClauseOutcome] | None = None, *, rest: ClauseOutcome = PASSED) -> Judgement:
    """A judgement with these outcomes, and one for all the rest."""
    known = outcomes or {}
    verdicts = (
        Verdict(each, known.get(each.id, rest), why=f"Why {each.id}.") for each in load_clauses().clauses
    )
    return Judgement(tuple(verdicts), (), ledger_of())


def test_a_run_of_which_every_clause_passed_conforms() -> None:
    """And says how many did."""
    number = len(MUST)
    assert (CONFORMS, f"{number} of {number} MUST clauses passed and none failed.") == decide(judgement())


@pytest.mark.parametrize("options", [{}, {"stopped": "It was stopped."}, {"strict": True, "certify": True}])
def test_a_failed_must_is_why_a_run_does_not_conform(options: dict[str, object]) -> None:
    """However the run ended, and whatever else it could not tell."""
    broken = judgement({OTHERS[0]: FAILED, OTHERS[1]: FAILED, SHOULD[0]: FAILED, RESTED_ON[0]: CANT_TELL})
    outcome, reason = decide(broken, **options)  # type: ignore[arg-type]
    assert (DOES_NOT_CONFORM, f"2 MUST clauses failed: {OTHERS[0]}, {OTHERS[1]}.") == (outcome, reason)


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


@pytest.mark.parametrize("clause_id", RESTED_ON)
def test_what_everything_rests_on_has_to_be_judged(clause_id: str) -> None:
    """Short of it no run is green; left out it may be."""
    outcome, reason = decide(judgement({clause_id: CANT_TELL, OTHERS[0]: CANT_TELL}))
    assert COULD_NOT_JUDGE == outcome
    assert reason.endswith(f"could not be determined: {clause_id}. Why {clause_id}.")
    assert CONFORMS == decide(judgement({clause_id: UNTESTED}))[0]


def test_what_else_could_not_be_told_is_named() -> None:
    """Six clauses by their ids, and the number of the others."""
    six, eight = (dict.fromkeys(OTHERS[:number], CANT_TELL) for number in (6, 8))
    assert decide(judgement(six))[1].endswith(f"; 6 could not be determined: {', '.join(OTHERS[:6])}.")
    assert decide(judgement(eight))[1].endswith(
        f"; 8 could not be determined: {', '.join(OTHERS[:6])} and 2 more."
    )


@pytest.mark.parametrize("short", [CANT_TELL, INAPPLICABLE, UNTESTED])
def test_a_certificate_needs_every_must_clause_passed(short: ClauseOutcome) -> None:
    """And no SHOULD."""
    outcome, reason = decide(judgement({OTHERS[0]: short}), certify=True)
    wanted = f"A certificate requires every MUST clause to pass; 1 does not: {OTHERS[0]}."
    assert (COULD_NOT_JUDGE, wanted) == (outcome, reason)
    two = judgement({OTHERS[0]: short, OTHERS[1]: short})
    assert "; 2 do not: " in decide(two, certify=True)[1]
    assert CONFORMS == decide(judgement({SHOULD[0]: short}), certify=True)[0]


@pytest.mark.parametrize(("outcome", "code"), [(CONFORMS, 0), (DOES_NOT_CONFORM, 1), (COULD_NOT_JUDGE, 3)])
def test_an_outcome_is_an_exit_code(outcome: str, code: int) -> None:
    """Unless the suite itself was at fault, which is never a verdict."""
    assert code == exit_code({"suite_faults": [], "outcome": outcome})
    assert 4 == exit_code({"suite_faults": ["A rule failed."], "outcome": outcome})
