"""A report as objects, for programs in Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.outcome import CONFORMS, COULD_NOT_JUDGE, EXIT_CODES, exit_code, final_outcome
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.words import known_failures, reason_of, shown_reason, verdict_words


@dataclass(frozen=True)
class Finding:
    """What is wrong, what would have been right, what arrived, and a line for a shell that shows it."""

    message: str
    expected: str
    observed: str
    curl: str


@dataclass(frozen=True)
class Clause:
    """A clause and what became of it.

    ``why`` says why it neither passed nor failed, and what would determine it; ``known`` says why a failure does not
    count; ``excused`` is whether no client could have told.
    """

    id: str
    level: Level
    title: str
    source: str
    outcome: ClauseOutcome
    evidence: int
    why: str
    excused: bool
    known: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Observation:
    """What the deployment does where the interface leaves it open: each answer, and how often it was seen."""

    id: str
    question: str
    answers: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Report:
    """A report; ``json`` is the whole of it, as in conformance.json.

    ``certificate`` is the path of the certificate, if one was written; ``unwritten`` says which file could not be written.
    """

    json: dict[str, Any] = field(repr=False)
    certificate: str = ""
    unwritten: str = ""

    @property
    def outcome(self) -> str:
        """`conforms`, `does-not-conform` or `could-not-judge`, not counting known failures."""
        return final_outcome(self.json)

    @property
    def scope(self) -> str:
        """`whole`, or `partial` where the user's choice left clauses out."""
        return str(self.json["scope"])

    @property
    def headline(self) -> str:
        """The verdict in words, as it leads every report."""
        return verdict_words(self.json)

    @property
    def reason(self) -> str:
        """Why the outcome is what it is, in a sentence, and what to do about it."""
        return " ".join(filter(None, (shown_reason(self.json), self.json["remedy"])))

    @property
    def exit_code(self) -> int:
        """The exit code of the command, as in the README; never 0 if a file could not be written."""
        code = exit_code(self.json)
        return EXIT_CODES[COULD_NOT_JUDGE] if self.unwritten and code == EXIT_CODES[CONFORMS] else code

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Every clause by its id."""
        known = known_failures(self.json)
        return {
            each["id"]: Clause(
                id=each["id"],
                level=Level(each["level"]),
                title=each["title"],
                source=each["source"],
                outcome=ClauseOutcome(each["outcome"]),
                evidence=each["evidence"],
                why=reason_of(each),
                excused=each["excuse"] is not None,
                known=known.get(each["id"], ""),
                findings=tuple(
                    Finding(one["message"], one["expected"], one["observed"], one["curl"])
                    for one in each["findings"]
                ),
            )
            for each in self.json["clauses"]
        }

    @property
    def failed(self) -> tuple[Clause, ...]:
        """The clauses that failed and are not known failures, MUST before SHOULD."""
        found = [
            each for each in self.clauses.values() if each.outcome is ClauseOutcome.FAILED and not each.known
        ]
        return tuple(sorted(found, key=lambda each: each.level is not Level.MUST))

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The open questions on which something was observed."""
        return tuple(
            Observation(
                each["id"], each["question"], tuple((one["answer"], one["count"]) for one in each["observed"])
            )
            for each in self.json["observations"]
            if each["observed"]
        )

    @property
    def leftovers(self) -> tuple[int, ...]:
        """The ids of the animals that the run created."""
        return tuple(self.json["leftovers"])

    @property
    def suite_faults(self) -> tuple[str, ...]:
        """Faults in the suite itself, which say nothing about the deployment."""
        return tuple(self.json["suite_faults"])
