"""Rows on disk, so that a catalogue that takes an hour or more can be run in several sittings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import animal_conformance
from animal_conformance.interface.resources import spec_file, tests_dir
from benchmarks.contenders import Outcome
from benchmarks.side_by_side import Row


class KeptError(Exception):
    """A file whose rows cannot stand beside those of now; the message is a sentence."""


class Kept:
    """The rows in a file: a line that says under which terms they were made, and one for each row.

    :raises KeptError: where the file's rows were made under other terms, or where it is not such a file.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self._path = path
        self.rows: list[Row] = []
        terms = {
            "seed": seed,
            "suite": _digest(),
            "schemathesis": version("schemathesis"),
        }
        if not path.exists():
            self._append(terms)
            return
        try:
            first, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            self.rows = [_row(line) for line in lines]
        except (ValueError, KeyError, TypeError) as error:
            raise KeptError(f"{path} does not hold rows of an earlier run; name another file.") from error
        if first != terms:
            raise KeptError(
                f"The rows in {path} were made with another seed, suite or Schemathesis; name another file."
            )

    def add(self, row: Row) -> None:
        """Keep one more row."""
        self.rows.append(row)
        self._append(asdict(row))

    def _append(self, value: Mapping[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(value, default=sorted) + "\n")


def _digest() -> str:
    """The SHA-256 of the suite's modules, drivers and contract, which decide what it makes of a deployment."""
    package = Path(animal_conformance.__file__).parent
    files = [*package.rglob("*.py"), *tests_dir().rglob("*.py"), *spec_file("openapi.yaml").parent.iterdir()]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _row(line: dict[str, Any]) -> Row:
    sets = {name: frozenset(line[name]) for name in ("must", "may")}
    outcomes = {name: _outcome(line[name]) for name in ("suite", "schemathesis")}
    return Row(**{**line, **sets, **outcomes})


def _outcome(line: dict[str, Any]) -> Outcome:
    return Outcome(**{**line, "kinds": frozenset(line["kinds"])})
