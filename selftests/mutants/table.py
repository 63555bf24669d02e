"""The output of a run for people: the score by module, the survivors, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table

from selftests.mutants.changes import Change
from selftests.mutants.equivalent import Equivalent

Results = Mapping[Change, str]


def table(results: Results, equivalents: Sequence[Equivalent]) -> Table:
    """How many of the changes of each module were noticed, not counting equivalent ones."""
    shown = Table("module", *(("tried", "equivalent", "noticed", "score")))
    listed = {each.key for each in equivalents}
    for name in [*dict.fromkeys(each.module for each in results), "in all"]:
        changes = [each for each in results if name in {each.module, "in all"}]
        equivalent = sum(not results[each] and each.key in listed for each in changes)
        noticed = sum(bool(results[each]) for each in changes)
        score = f"{noticed / ((len(changes) - equivalent) or 1):.1%}"
        shown.add_row(
            name.removeprefix("animal_conformance.judge."),
            str(len(changes)),
            str(equivalent),
            str(noticed),
            score,
        )
    return shown


def survivors(results: Results, equivalents: Sequence[Equivalent]) -> str:
    """Each change that no test noticed and that is not known to be equivalent."""
    listed = {each.key for each in equivalents}
    left = sorted(each.key for each in results if not results[each] and each.key not in listed)
    return "\n".join(
        f"{module} {function}\n  - {before}\n  + {after}" for module, function, before, after in left
    )


def complaints(results: Results, equivalents: Sequence[Equivalent], every: Sequence[Change]) -> list[str]:
    """What makes the run fail, in sentences."""
    return [*_complaints(results, equivalents, {each.key for each in every})]


def _complaints(
    results: Results, equivalents: Sequence[Equivalent], every: set[tuple[str, str, str, str]]
) -> Iterator[str]:
    survived = {each.key for each in results if not results[each]}
    unlisted = survived - {each.key for each in equivalents}
    if unlisted:
        yield f"{len(unlisted)} changes are noticed by no test and not listed as equivalent."
    noticed = {each.key for each in results} - survived
    for each in equivalents:
        if each.key in noticed or each.key not in every:
            state = "is noticed" if each.key in noticed else "is no change"
            yield f"Listed as equivalent, but {state}: {each.module} {each.function}: {each.before} => {each.after}"
