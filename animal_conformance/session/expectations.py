"""Expected failures: which clauses may fail for a while, why, and until when; read, and written from a run."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import yaml

from animal_conformance.interface.clauses import Level, load_clauses
from animal_conformance.interface.yaml_reading import read_yaml
from animal_conformance.judge.outcome import is_binding
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.inputs import SETTINGS_BYTES, read_at_most
from animal_conformance.report.safe_text import safe_text
from animal_conformance.report.words import OUTCOME_WORDS, RECORDED

FIELDS: Final = frozenset({"id", "reason", "until"})
# Any number of others may be merged into an entry.
MERGE: Final = "tag:yaml.org,2002:merge"
# How much is shown of a value that is not a date.
LONGEST_SHOWN: Final = 40
# How long a failure may be expected if nobody has given it a date.
USUAL: Final = timedelta(days=90)


class ExpectationError(Exception):
    """An invalid file of expectations; the message is a sentence."""


@dataclass(frozen=True)
class Expectation:
    """A clause that is expected to fail. ``until`` is the last day on which it may."""

    id: str
    reason: str
    until: date


class _Entries(yaml.SafeLoader):
    """YAML in which no mapping has a key twice, and a value that looks like a date but names no day is a text."""

    def construct_mapping(self, node: yaml.Node, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - PyYAML's signature
        """The mapping of a node."""
        seen: set[str] = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if str(key.value) in seen and key.tag != MERGE:
                what = f"{key.value} is there twice in one entry"
                raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)  # type: ignore[arg-type] # it refuses others itself

    def construct_yaml_timestamp(self, node: yaml.ScalarNode) -> Any:
        """The date of a node."""
        try:
            return super().construct_yaml_timestamp(node)
        except (ValueError, AttributeError):
            return node.value  # PyYAML takes it for granted that what is tagged as a date looks like one


_Entries.add_constructor("tag:yaml.org,2002:timestamp", _Entries.construct_yaml_timestamp)


def read_expectations(path: Path) -> tuple[Expectation, ...]:
    """Read a YAML list of mappings, each with an id, a reason and a date.

    :raises ExpectationError: if the file cannot be read, or an entry is invalid.
    """
    try:
        document = read_yaml(read_at_most(path, SETTINGS_BYTES), _Entries, str(path))
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
        given = "" if until is None else f", and is {safe_text(until, length=LONGEST_SHOWN)}"
        raise ExpectationError(
            f"{where} ({clause_id}) has no date: until must be the last day, such as 2027-03-31{given}."
        )
    return Expectation(clause_id, reason.strip(), until)


def expectations_text(report: dict[str, Any], known: Sequence[Expectation], today: date) -> str:
    """The failures of a run that count, as a file of expectations whose reasons are still to be filled in.

    The file also has the clauses that could not be determined beside them, which would close the gate as well.

    :param known: earlier expectations: all are kept but those whose clause passed.
    """
    earlier = {each.id: each for each in known}
    lines = [
        f"# What failed at {safe_text(report['target']['base_url'])} on {today}. A file with an empty reason is refused."
    ]
    for clause in report["clauses"]:
        kept, failed = earlier.get(clause["id"]), clause["outcome"] == ClauseOutcome.FAILED
        hidden = clause["level"] == Level.MUST and _is_hidden(clause, report)
        counts = hidden or (failed and is_binding(clause["level"], report))
        if clause["outcome"] == ClauseOutcome.PASSED or not (counts or kept):
            continue
        reason = (
            ""
            if kept is None
            else f" {yaml.safe_dump(kept.reason, default_style=chr(34), width=10**6).strip()}"
        )
        lines += [
            f"- id: {clause['id']}  # {safe_text(clause['findings'][0]['message'] if failed else OUTCOME_WORDS[clause['outcome']])}",
            f"  reason:{reason}",
            f"  until: {today + USUAL if kept is None else kept.until}",
        ]
    return "\n".join([*lines, "" if len(lines) > 1 else "[]\n"])


def _is_hidden(clause: dict[str, Any], report: dict[str, Any]) -> bool:
    """Whether a clause could not be determined, without an excuse, and without a choice of the run's user that explains it."""
    untold = clause["outcome"] == ClauseOutcome.CANT_TELL and not clause["excuse"] and not clause["choice"]
    return untold and report["run"]["profile"] != RECORDED
