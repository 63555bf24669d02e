"""The files of a run are whole, and say what their schema says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from animal_conformance.report.files import ReportError, write_reports, write_whole
from selftests.report.samples import hostile_exchanges, schema_problems


@pytest.mark.parametrize("sample", ["good", "bad", "known", "hostile", "unjudged"])
def test_conformance_json_keeps_to_its_schema(
    sample: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Whatever the deployment answered."""
    report = request.getfixturevalue(sample)
    write_reports(report, hostile_exchanges(), tmp_path)
    assert [] == schema_problems(json.loads((tmp_path / "conformance.json").read_text(encoding="utf-8")))


def test_the_schema_notices_what_does_not_belong(good: dict[str, Any]) -> None:
    """It is strict everywhere but in the options."""
    assert [] == schema_problems({**good, "run": {**good["run"], "options": {"anything": [1]}}})
    assert [] != schema_problems({**good, "surplus": 1})
    assert [] != schema_problems({**good, "clauses": [{**good["clauses"][0], "surplus": 1}]})
    assert [] != schema_problems({**good, "clauses": [{**good["clauses"][0], "evidence": 0}]}), (
        "passed without evidence"
    )
    assert [] != schema_problems({**good, "outcome": "fine"})


def test_every_report_is_written_and_nothing_else(good: dict[str, Any], tmp_path: Path) -> None:
    """The directory is made where it is missing."""
    written = write_reports(good, hostile_exchanges(), tmp_path / "a" / "b")
    assert {each.name for each in written} == {each.name for each in (tmp_path / "a" / "b").iterdir()}
    assert all(each.stat().st_size > 0 for each in written)


def test_a_directory_that_is_a_file_is_named_in_a_sentence(good: dict[str, Any], tmp_path: Path) -> None:
    """With what to do about it."""
    (tmp_path / "reports").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match=r"Cannot write .* to .*reports: .*--report-dir"):
        write_reports(good, [], tmp_path / "reports")


def test_what_stands_where_an_earlier_file_is_removed_is_named_in_a_sentence(
    good: dict[str, Any], tmp_path: Path
) -> None:
    """The badge of an earlier run, where this one is partial; the other reports are there."""
    (tmp_path / "badge.svg").mkdir()
    with pytest.raises(
        ReportError, match=r"Cannot remove badge\.svg from .*: .+\. Remove it, or choose another"
    ):
        write_reports({**good, "scope": "partial"}, hostile_exchanges(), tmp_path)
    assert all((tmp_path / name).is_file() for name in ("conformance.json", "report.html", "junit.xml"))


def test_a_file_that_cannot_be_finished_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing beside it."""
    path = tmp_path / "conformance.json"
    path.write_text("old", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(ReportError, match="No space left on device"):
        write_whole(path, b"new")
    assert ["conformance.json"] == [each.name for each in tmp_path.iterdir()]
    assert "old" == path.read_text(encoding="utf-8")
