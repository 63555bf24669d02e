"""What decides an exit code beyond the verdict: expected failures, and a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from animal_conformance.judge.outcome import CONFORMS, DOES_NOT_CONFORM, EXIT_CODES, exit_code
from animal_conformance.report.compare import read_report, regressions
from animal_conformance.report.safe_text import safe_text
from animal_conformance.report.words import plural
from animal_conformance.session.expectations import Expectation, apply, read_expectations

if TYPE_CHECKING:
    from animal_conformance.session.options import RunOptions


@dataclass(frozen=True)
class Gates:
    """What a report is held against: an earlier report, and the failures that are expected; ``None`` where neither."""

    baseline: dict[str, Any] | None = None
    expected: tuple[Expectation, ...] | None = None


@dataclass(frozen=True)
class Passage:
    """What the gates made of a report: the exit code, and what there is to say of it, a sentence a line."""

    exit_code: int
    lines: tuple[str, ...] = ()


def read_gates(options: RunOptions) -> Gates:
    """Read the files that ``--baseline`` and ``--expect`` name, before anything is sent.

    :raises ReportError: where the baseline is no report.
    :raises ExpectationError: where the expectations cannot be used.
    """
    return Gates(
        baseline=read_report(Path(options.baseline)) if options.baseline else None,
        expected=read_expectations(Path(options.expect)) if options.expect else None,
    )


def pass_gates(gates: Gates, report: dict[str, Any], options: RunOptions) -> Passage:
    """Hold a report against the gates: they may open or close, and never hide that nothing could be judged."""
    code, lines = exit_code(report), list[str]()
    if gates.expected is not None:
        known = apply(report, gates.expected, options.today)
        lines += [f"expectations: {safe_text(line)}" for line in (*known.problems, *known.unseen)]
        if known.expected and not known.problems:
            lines.append(f"expectations: {plural(len(known.expected), 'known failure')}, nothing unexpected.")
        code = known.exit_code
    if gates.baseline is not None:
        worse = regressions(gates.baseline, report)
        lines += [f"worse than the baseline: {each.id} was {each.before}, is {each.after}" for each in worse]
        if code == EXIT_CODES[CONFORMS] and any(each.broken for each in worse):
            code = EXIT_CODES[DOES_NOT_CONFORM]
    return Passage(code, tuple(lines))
