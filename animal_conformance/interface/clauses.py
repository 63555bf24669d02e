"""The contents of spec/clauses.yaml: the clauses, the open questions, and what cannot be tested."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

import yaml

from animal_conformance.interface.resources import spec_file


class Level(StrEnum):
    """The severity of a clause."""

    MUST = "MUST"
    SHOULD = "SHOULD"


@dataclass(frozen=True)
class Circumstance:
    """Something lawful that leaves a clause untold to every client.

    ``explains`` are the explanations of spec/explanations.yaml that nobody could exclude in this circumstance: a suspicion
    that another explanation keeps open is not excused.
    """

    id: str
    sentence: str
    explains: tuple[str, ...] = ()


@dataclass(frozen=True)
class Clause:
    """One requirement; the fields are those of spec/clauses.yaml.

    ``unobservable`` are the circumstances in which no client could tell whether it is kept.
    """

    id: str
    level: Level
    title: str
    source: str
    evidence: str
    openapi: str | None = None
    unobservable: tuple[Circumstance, ...] = ()


@dataclass(frozen=True)
class OpenQuestion:
    """Something that the interface document leaves open."""

    id: str
    question: str
    source: str


@dataclass(frozen=True)
class Exclusion:
    """A statement of the interface document that no request can test."""

    statement: str
    source: str
    reason: str


@dataclass(frozen=True)
class ClauseList:
    """All of spec/clauses.yaml, in its order."""

    clauses: tuple[Clause, ...]
    circumstances: tuple[Circumstance, ...]
    open_questions: tuple[OpenQuestion, ...]
    exclusions: tuple[Exclusion, ...]

    def selected(self, prefixes: Iterable[str]) -> frozenset[str]:
        """The ids selected by one of the prefixes; all ids if there is no prefix.

        A prefix selects an id that equals it or continues with a dot (``list.limit``: ``list.limit.default``).

        :raises ValueError: with a sentence, if a prefix selects nothing.
        """
        ids = frozenset(each.id for each in self.clauses)
        prefixes = tuple(prefixes)
        if not prefixes:
            return ids
        chosen: set[str] = set()
        for prefix in prefixes:
            matching = {each for each in ids if matches(each, prefix)}
            if not matching:
                close = difflib.get_close_matches(prefix, sorted(_prefixes(ids)), n=1)
                meant = f" Did you mean {close[0]}?" if close else ""
                raise ValueError(
                    f"No clause begins with {prefix!r}.{meant} `animal-conformance clauses` lists them."
                )
            chosen |= matching
        return frozenset(chosen)


def _prefixes(ids: Iterable[str]) -> set[str]:
    """Everything that selects one of the ids: each id itself, and its beginning up to each dot."""
    parts = [each.split(".") for each in ids]
    return {".".join(each[:length]) for each in parts for length in range(1, len(each) + 1)}


def matches(clause_id: str, prefix: str) -> bool:
    """Whether a prefix selects a clause id."""
    prefix = prefix.removesuffix(".")
    return clause_id == prefix or clause_id.startswith(f"{prefix}.")


@cache
def load_clauses() -> ClauseList:
    """Read spec/clauses.yaml."""
    document = yaml.load(spec_file("clauses.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    circumstances = {
        each["id"]: Circumstance(each["id"], each["sentence"], tuple(each.get("explains", ())))
        for each in document["unobservable"]
    }

    def read(row: dict[str, Any]) -> Clause:
        unobservable = tuple(circumstances[each] for each in row.get("unobservable", ()))
        return Clause(**{**row, "level": Level(row["level"]), "unobservable": unobservable})

    return ClauseList(
        clauses=tuple(map(read, document["clauses"])),
        circumstances=tuple(circumstances.values()),
        open_questions=tuple(OpenQuestion(**each) for each in document["open"]),
        exclusions=tuple(Exclusion(**each) for each in document["excluded"]),
    )
