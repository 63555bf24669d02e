"""A deployment of the matrix, visited in this process and judged."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.hearing import Hearing
from animal_conformance.judge.outcome import decide
from animal_conformance.judge.verdicts import ClauseOutcome, decide_on
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.reference import faults, variants
from animal_conformance.reference.server import Options, load
from selftests.catalogue.clock import simulated
from selftests.catalogue.deployment import Deployment
from selftests.catalogue.script import Script
from selftests.catalogue.trials import put_to_the_test
from selftests.catalogue.voices import Voices
from selftests.matrix.cases import MatrixCase, plain
from selftests.matrix.result import Result
from selftests.turns import is_turn_now

# Faults and variants that a single polite client never notices: they have a script of their own.
OF_VOICES: Final = frozenset(each.name for each in (*faults.voices.FAULTS, *variants.voices.VARIANTS))
# Cases take turns over so many days; SELFTESTS_DAY=every tries all of them, and ./dev matrix judges them with real runs.
DAYS: Final = 64
TODAY: Final = "2026-11-22"


@dataclass(frozen=True)
class Visit:
    """What a visit has shown of a deployment: its address, the ways to write its key, and every exchange.

    ``hearing`` is what the rules say about the exchanges.
    """

    base_url: str
    authorizations: object
    exchanges: Sequence[Exchange]
    hearing: Hearing = field(compare=False)


def is_due(case: MatrixCase) -> bool:
    """Whether it is the turn of a case."""
    return is_turn_now(case.name, DAYS)


def visit(case: MatrixCase) -> Visit:
    """Send the script to the deployment of a case."""
    return _visited(case, of_voices=case.name in OF_VOICES)


def _visited(case: MatrixCase, *, of_voices: bool) -> Visit:
    changes = load(Options(faults=case.faults, variants=case.variants))
    with closing(Deployment(changes, case.null or None)) as deployment:
        terms = Terms(base_url=deployment.base_url, today=case.today or TODAY)
        hearing = simulated(_visit(deployment, terms, of_voices=of_voices))
    return Visit(deployment.base_url, deployment.authorizations, deployment.exchanges, hearing)


async def _visit(deployment: Deployment, terms: Terms, *, of_voices: bool) -> Hearing:
    script = Voices(deployment) if of_voices else Script(deployment)
    await script.run()
    return await put_to_the_test(script, terms)


@cache
def correct(*, of_voices: bool = False) -> Visit:
    """What a visit shows of the correct deployment."""
    (case,) = plain()
    return _visited(case, of_voices=of_voices)


def judged(case: MatrixCase, seen: Visit) -> Result:
    """How all rules judge a visit, as a result of the matrix."""
    judgement = decide_on(seen.hearing, load_clauses())
    outcome, reason = decide(judgement)

    def ids(wanted: ClauseOutcome) -> list[str]:
        return [each.clause.id for each in judgement.verdicts if each.outcome is wanted]

    return Result(
        name=case.name,
        seed=0,
        profile=case.profile,
        outcome=outcome,
        reason=reason,
        failed=ids(ClauseOutcome.FAILED),
        untold=ids(ClauseOutcome.CANT_TELL),
        passed=ids(ClauseOutcome.PASSED),
        suite_faults=list(judgement.faults),
        requests=len(seen.exchanges),
    )
