"""The clauses as pytest items: `spec/clauses.yaml::list.limit.default` passes, fails with its finding, or is skipped.

The drivers run behind them, once, for the clauses that pytest selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from animal_conformance.interface.clauses import Clause, load_clauses, matches
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.outcome import is_binding
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.words import OUTCOME_WORDS, details, stale_expectations
from animal_conformance.session.run import Run

FILE: Final = "clauses.yaml"
JUDGED: Final = pytest.StashKey[Run]()


def holds_clauses(folder: Path) -> bool:
    """Whether a folder is `spec/`: the package's own, or that of a checkout."""
    return (folder / FILE).is_file() and (folder / "openapi.yaml").is_file()


class BrokenClause(Exception):  # noqa: N818 - what it reports is the deployment's
    """What is wrong with a clause; the message is shown as it is."""


class ClausesFile(pytest.File):
    """spec/clauses.yaml, with an item for each clause."""

    def collect(self) -> Iterator[ClauseItem]:
        """The clauses, in the order of the file.

        :raises CollectError: if it is not the file of the installed package, which is what judges.
        """
        text = self.path.read_text(encoding="utf-8")
        if text != spec_file(FILE).read_text(encoding="utf-8"):
            raise self.CollectError(
                f"{self.path} differs from that of the installed package: install this checkout, `pip install -e .`"
            )
        lines = {
            line.removeprefix("- id: "): number
            for number, line in enumerate(map(str.strip, text.splitlines()))
            if line.startswith("- id: ")
        }
        for clause in load_clauses().clauses:
            yield ClauseItem.from_parent(self, name=clause.id, clause=clause, line=lines.get(clause.id))


class ClauseItem(pytest.Item):
    """A clause, which is judged by a run that ended before."""

    def __init__(self, *, clause: Clause, line: int | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.clause = clause
        self.line = line
        self.add_marker(clause.level.lower())
        self.user_properties += [("level", clause.level.value), ("source", clause.source)]

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the clause stands, and its sentence."""
        return self.path, self.line, f"{self.name} ({self.clause.level}): {self.clause.title}"

    def runtest(self) -> None:
        """Report what the run has found."""
        result = self.config.stash[JUDGED].result
        found = result.clauses[self.name]
        self.user_properties.append(("evidence", found.evidence))
        stale = [each for each in stale_expectations(result.json) if each.startswith(f"{self.name} ")]
        if found.outcome is ClauseOutcome.FAILED:
            message = found.findings[0].message
            if found.known:
                pytest.xfail(f"{found.known}. {message}")
            if not stale and not is_binding(found.level, result.json):
                pytest.xfail(f"SHOULD, which fails only a strict run: {message}")
            entry = next(each for each in result.json["clauses"] if each["id"] == self.name)
            raise BrokenClause("\n\n".join((message, *stale, details(entry))))
        if stale:
            raise BrokenClause(stale[0])
        if found.outcome is not ClauseOutcome.PASSED:
            # Shown at the place of the clause, instead of at this line.
            raise pytest.skip.Exception(
                f"{OUTCOME_WORDS[found.outcome]}: {found.why}", _use_item_location=True
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The finding, instead of a traceback."""
        if isinstance(excinfo.value, BrokenClause):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


def chosen(items: Iterable[ClauseItem], prefixes: tuple[str, ...]) -> list[ClauseItem]:
    """Those items that `--clause` selects; all of them if it is not given."""
    return [each for each in items if not prefixes or any(matches(each.name, one) for one in prefixes)]


def prefixes_of(items: list[ClauseItem], prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """What the run has to judge for these items: their ids, or all that the prefixes select if nothing else was deselected."""
    ids = tuple(each.name for each in items)
    return prefixes if set(ids) == load_clauses().selected(prefixes) else ids
