"""The part of the matrix whose turn it is, and what is made of results; the whole is `tox -e matrix`."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from animal_conformance.interface.explanations import load_explanations
from selftests.loopback.command import ROOT
from selftests.matrix.__main__ import keep_trace
from selftests.matrix.cases import MatrixCase, everything, faults, of_the_day, pairs, variants
from selftests.matrix.kept import REASONS
from selftests.matrix.result import Result
from selftests.matrix.table import complaint, markdown, verdicts
from selftests.matrix.twins import NAMES, TWINS, Twins, table


def test_the_deployments_of_the_day_are_judged_as_they_have_to_be(tmp_path: Path) -> None:
    """Faults and programs fail exactly the clauses that they break, lawful ones none, and null servers are never green."""
    table = tmp_path / "matrix.md"
    # By the command: processes are forked from one without threads.
    done = subprocess.run(
        [sys.executable, "-m", "selftests.matrix", "--day", "--at-once=2", "--no-smoke", f"--output={table}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(table.with_suffix(".json").read_text(encoding="utf-8"))
    assert {each.name for each in of_the_day()} == {each["name"] for each in results}


def test_the_catalogue_is_as_large_as_it_has_to_be() -> None:
    """At least 100 faults, 40 permitted variants and 30 combinations; names are unique."""
    assert len(faults()) >= 100
    assert len(variants()) >= 40
    assert len(pairs()) >= 30
    names = [case.name for case in everything()]
    assert len(names) == len(set(names))


def _result(*failed: str, outcome: str = "does-not-conform", seed: int = 1) -> Result:
    return Result("f", seed, "standard", outcome, failed=list(failed))


IDLE = "test_wrong_values_of_every_type"
FAULT = MatrixCase("f", "fault", depth=1, must=frozenset({"list.once"}))


def test_a_fault_that_fails_its_clause_and_no_other_is_as_it_has_to_be() -> None:
    """Nothing to complain of."""
    assert complaint(FAULT, _result("list.once")) == ""


def test_a_fault_that_is_missed_or_misfiled_is_not() -> None:
    """Both are complained of."""
    assert complaint(FAULT, _result("list.array")) == "not found: list.once; wrong clause: list.array"


def test_a_variant_with_a_finding_is_a_false_alarm() -> None:
    """A lawful deployment fails nothing."""
    variant = MatrixCase("f", "variant")
    assert complaint(variant, _result("list.once")).startswith("false alarm")
    assert complaint(variant, _result(outcome="conforms")) == ""


def test_a_null_server_may_not_be_green() -> None:
    """Whatever else is said of it."""
    assert complaint(MatrixCase("f", "null"), _result(outcome="conforms")) == "green"


def test_a_fault_of_depth_4_may_be_missed_once_in_ten() -> None:
    """Found in at least nine of ten."""
    case = MatrixCase("f", "fault", depth=4, must=frozenset({"list.once"}))
    seeds = [_result("list.once", seed=seed) for seed in range(9)]
    missed = _result(outcome="conforms", seed=9)
    assert verdicts([case], [*seeds, missed]) == {}
    assert verdicts([case], [*seeds[:8], missed, missed]) != {}


def test_the_table_has_a_row_for_each_deployment() -> None:
    """With how often a fault was found."""
    assert "| f | list.once | 1 | 1/1 |" in markdown([FAULT], [_result("list.once")], "How.")


def test_an_oddity_may_be_without_a_verdict_and_is_judged_in_its_own_profile() -> None:
    """Only a finding would be a false alarm."""
    case = MatrixCase("f", "oddity", profile="smoke")
    untold = Result("f", 1, "smoke", "could-not-judge")
    assert verdicts([case], [untold]) == {}
    assert verdicts([case], [_result("list.once")]) != {}
    assert verdicts([MatrixCase("f", "variant", profile="smoke")], [untold]) != {}


def test_a_driver_that_finds_nothing_alone_has_a_reason_in_the_table() -> None:
    """Which is of a driver that there is."""
    both = Result("f", 1, "standard", "does-not-conform", failed=["list.once"], drivers=["test_a", IDLE])
    table = markdown([FAULT], [replace(both, alone=["test_a"])], "How.")
    assert "| test_a | 1 |  |" in table
    assert f"| {IDLE} | 0 | {REASONS['test_wrong_values_of_every_type']} |" in table
    text = "".join(each.read_text(encoding="utf-8") for each in sorted((ROOT / "tests").glob("test_*.py")))
    assert [each for each in REASONS if f"def {each}(" not in text] == []


def test_each_explanation_has_twins_that_there_are() -> None:
    """At least 25 pairs of a permitted variant and a fault, none of them twice."""
    assert {each.explanation for each in TWINS} == set(load_explanations())
    assert len(set(TWINS)) == len(TWINS) >= 25
    assert {each.name for each in variants()} >= {each.variant for each in TWINS}
    assert {each.name for each in faults()} >= {each.fault for each in TWINS}


def test_the_table_of_twins_says_how_often_each_was_right_and_what_is_excluded() -> None:
    """Those that were not run are left out."""
    one = next(each for each in TWINS if each == Twins("capped", "pages.fifty", "list.lost.later"))
    cases = [each for each in everything() if each.name in NAMES]
    lawful = Result(one.variant, 1, "standard", "conforms")
    broken = replace(_result("list.complete"), name=one.fault, excluded=["capped"])
    missed = Result(one.fault, 2, "standard", "conforms")
    rows = [each for each in table(cases, [lawful, broken, missed]).splitlines() if "capped" in each]
    assert ["| capped | pages.fifty | 1/1 | list.lost.later | 1/2 | yes |"] == rows
    assert "capped" not in table(cases, [lawful])


def test_the_trace_of_a_run_that_was_wrong_is_kept(tmp_path: Path) -> None:
    """By deployment, profile and seed; a run that ended before it had a trace leaves nothing."""
    place, kept = tmp_path / "place", tmp_path / "matrix.wrong"
    place.mkdir()
    keep_trace(place, kept, _result())
    assert not kept.exists()
    (place / "trace.ndjson").write_text("{}\n", encoding="utf-8")
    keep_trace(place, kept, _result(seed=7))
    assert [each.name for each in kept.iterdir()] == ["f.standard.7.ndjson"]
