"""`python -m selftests.mutants [MODULE]…`: change the judge, and print the changes that no test notices.

Exit 1 if a change survives that is not listed as equivalent, or if an entry of the list is wrong.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from selftests.mutants.changes import ROOT, Change, changes, path_of
from selftests.mutants.equivalent import load_equivalents
from selftests.mutants.kept import Kept
from selftests.mutants.running import ANYWHERE, Touched, noticed_by, touched, warm
from selftests.mutants.table import complaints, survivors, table

JUDGE = "animal_conformance.judge"
# A run that is killed loses at most so many outcomes.
SAVED_AFTER = 50
# The files with the tests of a module, if these are not in the file of its name.
CHAPTERS = {
    "rules.completing": (
        "test_completing.py",
        "test_lacking_lists.py",
        "test_cut_lists.py",
        "test_thinned_lists.py",
        "test_full_lists.py",
        "test_stored_lists.py",
    ),
    "rules.creation": ("test_creation.py", "test_refusals.py"),
    "rules.listing": ("test_listing.py", "test_status_filter.py"),
    "suspicions.turned_away": ("test_turned_away.py", "test_throttled.py"),
    "suspicions.creations.filled": ("test_voiced.py", "test_spelled.py"),
    "suspicions.values.changed": (
        "test_changed.py",
        "test_moved.py",
        "test_exact.py",
        "test_alternating.py",
    ),
    "suspicions.values.histories": ("test_changed.py", "test_exact.py"),
    "suspicions.values.fresh": ("test_fresh.py", "test_changed.py", "test_exact.py"),
    "suspicions.values.alike": ("test_fresh.py", "test_changed.py", "test_aged.py"),
    "suspicions.values.later": ("test_fresh.py", "test_changed.py", "test_aged.py"),
    "suspicions.values.alternating": ("test_alternating.py",),
    "suspicions.retrievals.late": ("test_late.py",),
    "suspicions.retrievals.missing": (
        "test_never_found.py",
        "test_never.py",
        "test_withdrawn.py",
        "test_late.py",
    ),
    "suspicions.lists.early": ("test_completing.py", "test_stored_lists.py"),
    "knowledge.fields": ("test_exact.py", "test_tellings.py", "test_changed.py"),
    "knowledge.tellings": (
        "test_tellings.py",
        "test_alternating.py",
        "test_changed.py",
        "test_moved.py",
        "test_exact.py",
    ),
    "observers.kinds": ("test_open_points.py",),
    "observers.lists": ("test_open_points.py",),
    "observers.creations": ("test_open_points.py",),
    "observers.exchanges": ("test_open_points.py",),
    "hearing": ("test_verdicts.py", "test_failing_rules.py"),
}


@click.command()
@click.argument("parts", nargs=-1, metavar="[MODULE]…")
@click.option(
    "--at-once", default=os.cpu_count(), show_default=True, help="How many changes are tried at a time."
)
@click.option(
    "--shares",
    default=1,
    show_default=True,
    help="Divide the changes into so many shares, and try only the share of the day.",
)
@click.option(
    "--kept",
    type=click.Path(path_type=Path),
    default=ROOT / ".tox" / "kept-mutants.json",
    help="File with the changes and outcomes that need not be determined again.",
)
def main(parts: tuple[str, ...], at_once: int, shares: int, kept: Path) -> None:
    """Change the judge a little at a time, and run the fast tests.

    MODULE is a module or a package, such as animal_conformance.judge.rules; without one it is the whole judge.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    modules = [
        each for each in all_modules() if f"{each}.".startswith(tuple(f"{part}." for part in parts) or "")
    ]
    if not modules:
        raise click.UsageError(f"No module of the judge is {' or '.join(parts)}.")
    memory = Kept.load(kept)
    at_import = warm()
    # Each change is tried in a process of its own, forked from this one.
    with get_context("fork").Pool(at_once, maxtasksperchild=1) as pool:
        every = all_changes(pool, modules, memory)
        today = datetime.now(UTC).toordinal()
        tried = [each for each in every if shares == 1 or each.number % shares == today % shares]
        try:
            results = dict(try_all(pool, tried, memory, at_import))
        finally:
            memory.save()
    equivalents = [each for each in load_equivalents() if each.module in modules]
    wrong = complaints(results, equivalents, every)
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(survivors(results, equivalents))
    console.print(table(results, equivalents))
    console.print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


def all_modules() -> list[str]:
    """The modules of the judge."""
    paths = sorted(path_of(JUDGE).with_suffix("").rglob("[!_]*.py"))
    return [".".join(each.relative_to(ROOT).with_suffix("").parts) for each in paths]


def all_changes(pool: Pool, modules: list[str], memory: Kept) -> list[Change]:
    """Every change of these modules."""
    unknown = [each for each in modules if memory.changes_of(each) is None]
    for module, found in zip(unknown, pool.imap(changes, unknown), strict=True):
        memory.learn_changes(module, found)
    return [each for module in modules for each in memory.changes_of(module) or ()]


def try_all(
    pool: Pool, tried: list[Change], memory: Kept, at_import: frozenset[tuple[str, str]]
) -> Iterator[tuple[Change, str]]:
    """Try these changes; yield each with the test that notices it, or with an empty text.

    :param at_import: the functions that are called while modules are imported: to try a change to one of these,
        everything has to be imported again.
    """
    known = {each: memory.outcome(each) for each in tried}
    yield from ((each, test) for each, test in known.items() if test is not None)
    open_ones = [each for each, test in known.items() if test is None]
    calls = pool.apply(touched) if open_ones else {}
    tasks = [
        (each, batches_of(each, calls, memory.noticed_before(each)), file_place(each) in at_import)
        for each in open_ones
    ]
    outcomes = pool.imap_unordered(_try, tasks)
    console = Console(stderr=True)
    for number, (change, test) in enumerate(
        track(outcomes, "changing the judge", total=len(tasks), console=console)
    ):
        memory.learn(change, test)
        if number % SAVED_AFTER == 0:
            memory.save()
        yield change, test


def batches_of(change: Change, calls: Touched, before: str) -> list[list[str]]:
    """The tests that can notice a change, in batches: the one that did before, those of its module, and all other callers."""
    module, function = change.place
    tests = calls.get(file_place(change) if function else ANYWHERE, ())
    chapter = CHAPTERS.get(module.removeprefix(f"{JUDGE}."), (f"test_{module.rpartition('.')[2]}.py",))
    own = [each for each in tests if each.split("::")[0].endswith(chapter)]
    batches = ([each for each in tests if each == before], own, sorted(set(tests) - set(own)))
    return [each for each in batches if each]


def file_place(change: Change) -> tuple[str, str]:
    """The file of a change, and its outermost function or method."""
    module, function = change.place
    return str(path_of(module)), function


def _try(task: tuple[Change, list[list[str]], bool]) -> tuple[Change, str]:
    change, batches, anew = task
    return change, noticed_by(change, batches, anew=anew)


if __name__ == "__main__":
    main()
