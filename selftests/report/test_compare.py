"""Reports side by side."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from animal_conformance.report.compare import Comparison, changes, compare, read_report
from animal_conformance.report.compare_render import html, markdown, print_text
from animal_conformance.report.files import ReportError, write_reports
from selftests.report.samples import BROKEN, HOSTILE, bad_exchanges, good_exchanges, report_of

OTHER = "https://other.example.org/v1"


def text_of(comparison: Comparison) -> str:
    """What is printed."""
    file = io.StringIO()
    print_text(comparison, Console(file=file, width=100))
    return file.getvalue()


@pytest.fixture(scope="module")
def other() -> dict[str, Any]:
    """The run with findings, of another deployment."""
    return report_of(bad_exchanges(), base_url=OTHER, name="Other store")


def test_deployments_stand_side_by_side(good: dict[str, Any], other: dict[str, Any]) -> None:
    """A row per clause; nothing is a change between two deployments."""
    comparison = compare([good, other])
    assert ("Example store, staging", "Other store") == comparison.names
    outcomes = {row.id: row.outcomes for row in comparison.rows}
    assert [each["id"] for each in good["clauses"]] == list(outcomes)
    assert ("passed", "failed") == outcomes["error.code"]
    assert comparison.changes is None
    assert (0, ()) == (comparison.exit_code, comparison.warnings)


def test_a_deployment_at_another_port_is_the_same_by_its_name(good: dict[str, Any]) -> None:
    """A server that CI starts has a free port each time; without a name, it is said why nothing counts as worse."""
    bad = report_of(bad_exchanges(), base_url=OTHER, name=good["target"]["name"])
    assert 1 == compare([good, bad]).exit_code
    nameless = compare(
        [report_of(good_exchanges(), name=""), report_of(bad_exchanges(), base_url=OTHER, name="")]
    )
    assert (0, None) == (nameless.exit_code, nameless.changes)
    assert any("give both the same --name" in each for each in nameless.warnings)


def test_open_questions_say_where_clients_cannot_rely_on_an_answer(
    good: dict[str, Any], other: dict[str, Any]
) -> None:
    """Only where two deployments have no answer in common."""
    differing = {each.id for each in compare([good, other]).questions if each.differs}
    assert set() == differing
    changed = json.loads(json.dumps(other))
    next(each for each in changed["observations"] if each["id"] == "open.ids")["observed"] = [
        {"answer": "at random", "count": 1, "exchange": "main-1"}
    ]
    comparison = compare([good, changed])
    assert {"open.ids"} == {each.id for each in comparison.questions if each.differs}
    for rendering in (text_of(comparison), markdown(comparison), html(comparison).decode()):
        assert "at random" in rendering
        assert "consecutive" in rendering


def test_two_runs_of_one_deployment_are_a_before_and_an_after(
    good: dict[str, Any], bad: dict[str, Any]
) -> None:
    """A MUST clause that broke is the first thing to see, and makes the exit code 1."""
    comparison = compare([good, bad])
    assert ("before", "after") == comparison.names
    assert 1 == comparison.exit_code
    broken = [each.id for each in comparison.changes or () if each.broken]
    assert BROKEN == broken
    assert "error.code (MUST): passed before, failed now." in text_of(comparison)


def test_what_got_better_is_no_regression(good: dict[str, Any], bad: dict[str, Any]) -> None:
    """And exits with 0."""
    comparison = compare([bad, good])
    assert 0 == comparison.exit_code
    assert "BETTER" in text_of(comparison)


def test_a_must_that_can_no_longer_be_told_is_worse_but_not_broken(good: dict[str, Any]) -> None:
    """Nobody knows that it broke."""
    less = report_of(good_exchanges()[:8])
    worse = [each for each in changes(good, less) if each.worse]
    assert "create.answer" in {each.id for each in worse}
    assert not any(each.broken for each in worse)


def test_what_was_not_selected_is_no_change(good: dict[str, Any], bad: dict[str, Any]) -> None:
    """A run of a part is compared by that part."""
    part = {**bad, "clauses": [{**each, "outcome": "untested"} for each in bad["clauses"]]}
    assert () == changes(good, part)


def test_reports_of_different_suites_are_compared_with_a_warning(
    good: dict[str, Any], bad: dict[str, Any]
) -> None:
    """And clauses that one of them lacks are shown as such."""
    old = {**bad, "suite": {**bad["suite"], "clauses_sha256": "0" * 64}, "clauses": bad["clauses"][1:]}
    comparison = compare([old, good])
    assert any("different clause lists" in each for each in comparison.warnings)
    assert (None, "passed") == {row.id: row.outcomes for row in comparison.rows}["http.answer"]
    assert "not in this report" in markdown(comparison)


def test_runs_in_the_wrong_order_are_told(good: dict[str, Any]) -> None:
    """Worse and better would be swapped."""
    later = report_of(good_exchanges(), started=1_800_000_000.0)
    assert any("not in chronological order" in each for each in compare([later, good]).warnings)
    assert () == compare([good, later]).warnings


def test_nothing_of_a_hostile_report_is_markup(hostile: dict[str, Any]) -> None:
    """In none of the renderings."""
    evil = {**hostile, "target": {"base_url": OTHER, "name": HOSTILE}}
    comparison = compare([hostile, evil, hostile])
    assert "\x1b" not in text_of(comparison)
    page = html(comparison).decode()
    assert not re.search(r"<(script|img|svg)|[\x00\x1b\u202e]", page)
    assert not re.search(r"<(script|img|svg)|[\x00\x1b\u202e]", markdown(comparison))


def test_what_is_compared_is_read_from_files(good: dict[str, Any], tmp_path: Path) -> None:
    """As runs wrote them."""
    write_reports(good, good_exchanges(), tmp_path)
    assert good == read_report(tmp_path / "conformance.json")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda each: each["clauses"][3].update(outcome="wonderful"),
            'clauses/3/outcome: "wonderful" is not',
        ),
        (lambda each: each.update(clauses=None), "clauses: null is not of type"),
        (lambda each: each["observations"][0].update(observed=None), "observations/0/observed: null is not"),
        (lambda each: each["run"].pop("started"), 'run: "started" is a required property'),
    ],
)
def test_what_a_report_lacks_is_named_with_its_place(
    change: Callable[[Any], object], says: str, good: dict[str, Any], tmp_path: Path
) -> None:
    """Whoever edited it finds it."""
    broken = json.loads(json.dumps(good))
    change(broken)
    (tmp_path / "x.json").write_text(json.dumps(broken), encoding="utf-8")
    with pytest.raises(ReportError, match=re.escape(says)):
        read_report(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"format":\n  }', "it is not valid JSON (line 2, column 3: Expecting value)."),
        (b'{"name": "\xff"}', "it is not valid JSON (byte 11 is not UTF-8)."),
        (b"[" * 100_000, "it is not valid JSON (it is nested too deeply)."),
        (b'{"kind":"start","format":"animal-conformance-trace/2"}\n{}\n', "but a trace, which"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(content: bytes, says: str, tmp_path: Path) -> None:
    """And a trace in place of a report is told so."""
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(ReportError, match=re.escape(says)):
        read_report(tmp_path / "x.json")


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": "animal-conformance/0"}', '{"format": "animal-conformance/1"}', "\x00"]
)
def test_a_file_that_is_no_report_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    """With its name."""
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=r"x\.json is not a "):
        read_report(path)
    with pytest.raises(ReportError, match="Cannot read"):
        read_report(tmp_path / "missing.json")
