"""The suite from Python: a report as objects, and every mistake an exception with a sentence."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from animal_conformance.api import AlteredError, Report, RunOptions, UsageError, judge, judge_trace
from animal_conformance.interface.clauses import Level
from animal_conformance.judge.verdicts import ClauseOutcome


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reports of the run are."""
    return tmp_path_factory.mktemp("api")


@pytest.fixture(scope="module")
def report(home: Path) -> Report:
    """A run on the reference deployment with a fault, in this process, which it leaves as it was."""
    before = os.environ.get("PYTEST_ADDOPTS")
    report = judge(options=RunOptions(profile="smoke", faults=("limit.one-more",), report_dir=home))
    assert before == os.environ.get("PYTEST_ADDOPTS")
    return report


def test_a_report_has_its_clauses_as_objects(report: Report) -> None:
    """With the findings of those that failed."""
    assert ("does-not-conform", "whole", 1) == (report.outcome, report.scope, report.exit_code)
    assert "DOES NOT CONFORM" == report.headline
    [failed] = report.failed
    assert ("list.limit.respected", Level.MUST, ClauseOutcome.FAILED) == (
        failed.id,
        failed.level,
        failed.outcome,
    )
    assert failed.findings[0].curl.startswith("curl -sS")
    assert report.clauses["list.answer"].evidence > 0
    assert len(report.leftovers) == report.json["run"]["creations"]
    assert "open.list.order" in {each.id for each in report.observations}


def test_its_reports_are_those_of_the_command(report: Report, home: Path) -> None:
    """Word by word."""
    assert report.json == json.loads((home / "conformance.json").read_text(encoding="utf-8"))


def test_a_trace_is_judged_in_the_same_way(report: Report, home: Path, tmp_path: Path) -> None:
    """Against known failures as well, and only for the clauses that are asked for."""
    again = judge_trace(home / "trace.ndjson", baseline=home, report_dir=tmp_path / "again")
    assert ("conforms", 0, "CONFORMS, WITH 1 KNOWN FAILURE") == (
        again.outcome,
        again.exit_code,
        again.headline,
    )
    assert () == again.failed
    assert again.clauses["list.limit.respected"].known.startswith(
        "Known failure, it failed in the baseline of"
    )
    assert report.clauses["list.answer"] == again.clauses["list.answer"]
    assert (tmp_path / "again" / "junit.xml").is_file()
    part = judge_trace(home / "trace.ndjson", clauses=["list.answer"])
    assert "partial" == part.scope


def test_an_altered_trace_gives_no_report(report: Report, home: Path, tmp_path: Path) -> None:
    """But says so."""
    text = (home / "trace.ndjson").read_text(encoding="utf-8")
    (tmp_path / "trace.ndjson").write_text(text.replace("limit=1", "limit=2", 1), encoding="utf-8")
    assert report.json["run"]["requests"]
    with pytest.raises(AlteredError, match="was altered after the run"):
        judge_trace(tmp_path / "trace.ndjson")


def test_a_mistake_is_a_usage_error_with_a_sentence(tmp_path: Path) -> None:
    """Before anything is sent."""
    for sentence, base_url, key, options in (
        (
            "is the address of an operation",
            "http://127.0.0.1:9/v1/pets",
            "k",
            RunOptions(report_dir=tmp_path),
        ),
        ("api_key contains no key", "http://127.0.0.1:9/v1", "", RunOptions(report_dir=tmp_path)),
        ("There is no fault named", "", "", RunOptions(report_dir=tmp_path, faults=("no.such",))),
        ("is not a report", "", "", RunOptions(report_dir=tmp_path, baseline=Path(__file__))),
        ("'--profile': 'fast' is not one of", "", "", RunOptions(profile="fast")),
        ("'--clause': No clause begins with 'nope'", "", "", RunOptions(clauses=("nope",))),
        ("'--rate': -1", "", "", RunOptions(rate=-1)),
        ("'--header': The suite sets Host itself", "", "", RunOptions(headers=(("Host", "a.example"),))),
    ):
        with pytest.raises(UsageError, match=sentence):
            judge(base_url, key, options)
    with pytest.raises(UsageError, match="is not a trace of this suite"):
        judge_trace(Path(__file__))
    with pytest.raises(UsageError, match="No clause begins with 'nope'"):
        judge_trace(Path(__file__), clauses=["nope"])


def test_what_goes_wrong_in_judging_is_no_mistake_of_the_user(
    report: Report, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a fault in the suite, and stays what it is."""
    assert report.json

    def broken(*_: object, **__: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr("animal_conformance.report.again.report_of_trace", broken)
    with pytest.raises(ValueError, match="ours"):
        judge_trace(home / "trace.ndjson")


def test_a_run_that_could_not_judge_leaves_the_expectations_as_they_are(tmp_path: Path) -> None:
    """With their reasons and dates."""
    known, text = tmp_path / "known.yaml", "- {id: list.answer, reason: ticket 7, until: 2999-12-31}\n"
    known.write_text(text, encoding="utf-8")
    options = RunOptions(profile="smoke", expect=known, write_expect=known, report_dir=tmp_path)
    assert 3 == judge("http://127.0.0.1:9/v1", "k", options).exit_code
    assert text == known.read_text(encoding="utf-8")
