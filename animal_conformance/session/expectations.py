"""Expected failures: which clauses may fail for a while, why, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import yaml

from animal_conformance.interface.clauses import load_clauses

if TYPE_CHECKING:
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
