"""Expected failures: which clauses may fail for a while, why, and until when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import yaml

from animal_conformance.interface.clauses import Level, load_clauses
from animal_conformance.judge.outcome import (
    CONFORMS,
    COULD_NOT_JUDGE,
    DOES_NOT_CONFORM,
    EXIT_CODES,
    EXIT_SUITE_FAULT,
    EXIT_USAGE,
    WHOLE,
    exit_code,
)
from animal_conformance.judge.verdicts import ClauseOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FIELDS = frozenset({"id", "reason", "until"})


class ExpectationError(Exception):
    """An invalid file of expectations; the message is a sentence."""


@dataclass(frozen=True)
class Expectation:
    """A clause that is expected to fail. ``until`` is the last day on which it may."""

    id: str
    reason: str
    until: date


@dataclass(frozen=True)
class Gate:
    """The result of applying the expectations to a report.

    ``expected`` failed and may; the others are sentences: ``expired`` and ``outlived`` (an expected failure
    that passed) close the gate, as does ``unexpected``; ``unseen`` (expected failures that nothing was seen
    of) does not. ``broken`` are the clauses whose failure counts, ``exit_code`` is that of the run.
    """

    expected: tuple[Expectation, ...]
    unexpected: tuple[str, ...]
    expired: tuple[str, ...]
    outlived: tuple[str, ...]
    unseen: tuple[str, ...]
    broken: frozenset[str] = frozenset()
    exit_code: int = 0

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the gate fails, one sentence each."""
        return (*self.unexpected, *self.expired, *self.outlived)


def read_expectations(path: Path) -> tuple[Expectation, ...]:
    """Read a YAML list of mappings, each with an id, a reason and a date.

    :raises ExpectationError: if the file cannot be read, or an entry is invalid.
    """
    try:
        document = yaml.safe_load(path.read_bytes())
    except OSError as error:
        raise ExpectationError(f"Cannot read the expectations {path}: {error.strerror or error}.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ExpectationError(
            f"The expectations {path} are not valid YAML: {' '.join(str(error).split())}."
        ) from error
    if not isinstance(document, list):
        raise ExpectationError(f"{path} is not a list of expectations, each with id, reason and until.")
    known = {clause.id for clause in load_clauses().clauses}
    expectations = [
        _expectation(each, f"Expectation {number} of {path}", known)
        for number, each in enumerate(document, start=1)
    ]
    ids = [each.id for each in expectations]
    doubled = sorted({each for each in ids if ids.count(each) > 1})
    if doubled:
        raise ExpectationError(f"{path} lists {', '.join(doubled)} more than once.")
    return tuple(expectations)


def _expectation(item: object, where: str, known: set[str]) -> Expectation:
    if not isinstance(item, dict):
        raise ExpectationError(f"{where} is not a mapping with id, reason and until.")
    clause_id, reason, until = (item.get(each) for each in ("id", "reason", "until"))
    surplus = sorted(str(each) for each in item.keys() - FIELDS)
    if surplus:
        raise ExpectationError(f"{where} has unknown fields: {', '.join(surplus)}.")
    if not isinstance(clause_id, str) or clause_id not in known:
        raise ExpectationError(
            f"{where} has no valid clause id: {clause_id!r}. `animal-conformance clauses` lists them."
        )
    if not isinstance(reason, str) or not reason.strip():
        raise ExpectationError(f"{where} ({clause_id}) has no reason.")
    # In Python a datetime is a date as well, but it does not name a last day.
    if type(until) is not date:
        raise ExpectationError(
            f"{where} ({clause_id}) has no date: until must be the last day, such as 2027-03-31."
        )
    return Expectation(clause_id, reason.strip(), until)


def apply(report: dict[str, Any], expectations: Sequence[Expectation], today: date) -> Gate:
    """Apply expectations to a report.

    An expected failure does not fail the gate; one that passes does, since the expectation would hide the
    next failure; so does one whose date is over and that still fails. Only findings can be expected: a run
    that could not be judged, or a fault of the suite, keeps its exit code; and a deployment of which nothing
    fails that counts is not to blame for expectations that are out of date, which are wrong usage.
    """
    clauses = {each["id"]: each for each in report["clauses"]}
    failed = {name for name, each in clauses.items() if each["outcome"] == ClauseOutcome.FAILED}
    counting = {name for name in failed if report["run"]["strict"] or clauses[name]["level"] == Level.MUST}
    by_id = {each.id: each for each in expectations}
    living = {each.id for each in expectations if today <= each.until}
    outcomes = {
        each.id: clauses[each.id]["outcome"] if each.id in clauses else ClauseOutcome.UNTESTED
        for each in expectations
    }
    gate = Gate(
        expected=tuple(each for each in expectations if each.id in failed & living),
        unexpected=tuple(f"{each} failed." for each in clauses if each in counting - by_id.keys()),
        expired=tuple(
            f"{each.id} failed, but was expected to fail only until {each.until}: {each.reason}"
            for each in expectations
            if each.id in failed - living
        ),
        outlived=tuple(
            f"{each.id} was expected to fail, but passed: remove it from the expectations ({each.reason})"
            for each in expectations
            if outcomes[each.id] == ClauseOutcome.PASSED
        ),
        unseen=tuple(
            f"{each.id} is expected to fail, but neither passed nor failed ({outcomes[each.id]})."
            for each in expectations
            if outcomes[each.id] not in {ClauseOutcome.PASSED, ClauseOutcome.FAILED}
        ),
        broken=frozenset(counting - (by_id.keys() & living)),
    )
    return replace(gate, exit_code=_exit_code(report, gate))


def _exit_code(report: dict[str, Any], gate: Gate) -> int:
    """The exit code as if the expected failures had not occurred; a finding may hide that a run could not be judged."""
    code = exit_code(report)
    if code in {EXIT_SUITE_FAULT, EXIT_CODES[COULD_NOT_JUDGE]}:
        return code
    if gate.broken:
        return EXIT_CODES[DOES_NOT_CONFORM]
    if code == EXIT_CODES[DOES_NOT_CONFORM]:
        code = _without_findings(report)
    return EXIT_USAGE if gate.problems and code == EXIT_CODES[CONFORMS] else code


def _without_findings(report: dict[str, Any]) -> int:
    """What a run would end with if none of its findings were there."""
    must = [each for each in report["clauses"] if each["level"] == Level.MUST]
    open_ended = [
        each for each in must if each["outcome"] == ClauseOutcome.CANT_TELL and each["excuse"] is None
    ]
    untold = any(not each["choice"] for each in open_ended)
    short = report["run"]["certify"] and (
        report["scope"] != WHOLE
        or open_ended
        or any(each["outcome"] == ClauseOutcome.FAILED for each in must)
    )
    passed = any(each["outcome"] == ClauseOutcome.PASSED for each in report["clauses"])
    unjudged = report["run"]["stopped"] or untold or short or not passed
    return EXIT_CODES[COULD_NOT_JUDGE if unjudged else CONFORMS]
