"""What affects the exit code besides the verdict: expected failures, and a baseline."""

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
    """What a report is compared with: an earlier report and the expected failures; ``None`` if not given."""

    baseline: dict[str, Any] | None = None
    expected: tuple[Expectation, ...] | None = None


@dataclass(frozen=True)
class Passage:
    """The result of the gates: the exit code, and the lines to print about it."""

    exit_code: int
    lines: tuple[str, ...] = ()


def read_gates(options: RunOptions) -> Gates:
    """Read the files named by ``--baseline`` and ``--expect``, before anything is sent.

    :raises ReportError: if the baseline is not a report.
    :raises ExpectationError: if the expectations are invalid.
    """
    return Gates(
        baseline=read_report(Path(options.baseline)) if options.baseline else None,
        expected=read_expectations(Path(options.expect)) if options.expect else None,
    )


def pass_gates(gates: Gates, report: dict[str, Any], options: RunOptions) -> Passage:
    """Apply the gates to a report: they may pass or fail, and never hide that nothing could be judged."""
    code, lines = exit_code(report), list[str]()
    if gates.expected is not None:
        known = apply(report, gates.expected, options.today)
        lines += [f"expectations: {safe_text(line)}" for line in (*known.problems, *known.unseen)]
        if known.expected and not known.problems:
            lines.append(
                f"expectations: {plural(len(known.expected), 'expected failure')}, no unexpected ones."
            )
        code = known.exit_code
    if gates.baseline is not None:
        worse = regressions(gates.baseline, report)
        lines += [
            f"worse than the baseline: {each.id} was {each.before}, is now {each.after}" for each in worse
        ]
        if code == EXIT_CODES[CONFORMS] and any(each.broken for each in worse):
            code = EXIT_CODES[DOES_NOT_CONFORM]
    return Passage(code, tuple(lines))
