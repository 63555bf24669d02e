"""summary.md: a run for the summary of a CI job."""

from __future__ import annotations

from typing import Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.markdown import code_block, plain, table
from animal_conformance.report.words import OUTCOME_WORDS, VERDICT_MARKS, VERDICT_WORDS, plural, ran

MOST_FAILED: Final = 20
MOST_CURLS: Final = 10
LONGEST: Final = 300


def summary(report: dict[str, Any]) -> str:
    """The verdict, the counts, what failed and how to see it, what could not be told, what is left open."""
    target = report["target"]
    verdict = report["outcome"]
    parts = [
        f"## {VERDICT_MARKS[verdict]} {VERDICT_WORDS[verdict].capitalize()}: {plain(target['name'] or target['base_url'])}",
        " ".join(plain(each) for each in (report["reason"], report["remedy"]) if each),
        f"{plain(target['base_url'])}: {plain(ran(report['run']))}, animal-conformance {report['suite']['version']}.",
        table(
            ["", *(OUTCOME_WORDS[each] for each in ClauseOutcome)],
            [
                [level, *(str(counts[each]) for each in ClauseOutcome)]
                for level, counts in report["counts"].items()
            ],
        ),
    ]
    if report["suite_faults"]:
        parts.append("### Faults of the suite itself, not of the deployment")
        parts += [code_block(each) for each in report["suite_faults"][:MOST_CURLS]]
    parts += _failed([each for each in report["clauses"] if each["outcome"] == ClauseOutcome.FAILED])
    parts += _untold([each for each in report["clauses"] if each["outcome"] == ClauseOutcome.CANT_TELL])
    parts += _observed([each for each in report["observations"] if each["observed"]])
    if report["leftovers"]:
        parts.append(
            f"{plural(len(report['leftovers']), 'animal')} created by this run left in the deployment."
        )
    return "\n\n".join(parts) + "\n"


def _failed(clauses: list[dict[str, Any]]) -> list[str]:
    if not clauses:
        return []
    clauses = sorted(clauses, key=lambda clause: clause["level"] != Level.MUST)
    rows = [
        [
            each["id"],
            each["level"],
            plain(each["title"]),
            plain(finding["expected"], LONGEST),
            plain(finding["observed"], LONGEST),
        ]
        for each in clauses[:MOST_FAILED]
        for finding in each["findings"][:1]
    ]
    parts = ["### Failed", table(["clause", "level", "required", "acceptable", "observed"], rows)]
    if len(clauses) > MOST_FAILED:
        parts.append(f"and {len(clauses) - MOST_FAILED} more; see report.html")
    commands = [f"{each['id']}\n\n{code_block(each['findings'][0]['curl'])}" for each in clauses[:MOST_CURLS]]
    return [*parts, _folded("The requests that show it", "\n\n".join(commands))]


def _untold(clauses: list[dict[str, Any]]) -> list[str]:
    rows = [[each["id"], each["level"], plain(each["why"], LONGEST)] for each in clauses]
    return (
        [
            _folded(
                f"{plural(len(rows), 'clause')} that could not be told",
                table(["clause", "level", "why"], rows),
            )
        ]
        if rows
        else []
    )


def _observed(observations: list[dict[str, Any]]) -> list[str]:
    rows = [
        [
            plain(each["question"]),
            "; ".join(plain(answer["answer"], LONGEST) for answer in each["observed"][:5]),
        ]
        for each in observations
    ]
    return (
        [_folded("Where the document leaves it open", table(["question", "this deployment"], rows))]
        if rows
        else []
    )


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"
