"""What CI jobs read: the summary, annotations, the badge, and CTRF."""

from __future__ import annotations

import json
import re
import uuid
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from animal_conformance.report.badge import badge_svg
from animal_conformance.report.ctrf import ctrf_report
from animal_conformance.report.files import ReportError
from animal_conformance.report.github import commands, for_job, running_there, tell_job
from animal_conformance.report.markdown import code, code_block, plain
from animal_conformance.report.safe_text import well_formed
from animal_conformance.report.summary import summary
from selftests.report.samples import HOSTILE, bad_exchanges, load_of, report_of


def rendered(markdown: str) -> str:
    """The HTML of a Markdown text, tables and HTML allowed as on GitHub."""
    html: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    return html


def test_the_summary_begins_with_the_verdict(bad: dict[str, Any], unjudged: dict[str, Any]) -> None:
    """And has the counts and what failed."""
    assert summary(bad).startswith("## ❌ Does not conform: Example store, staging\n\n6 MUST clauses failed")
    counts = bad["counts"]["MUST"]
    row = (counts[each] for each in ("passed", "failed", "cant-tell", "inapplicable", "untested"))
    assert f"| MUST | {' | '.join(map(str, row))} |" in summary(bad)
    assert (
        "| list.limit.respected | MUST | No more animals are returned than the limit. | at most 3 animals | 9 animals |"
        in summary(bad)
    )
    assert "Nothing listens at the address. Start the deployment." in summary(unjudged)


def test_the_summary_says_what_a_run_left_out_and_what_it_left(bad: dict[str, Any]) -> None:
    """Of other people's traffic the animals are not the run's."""
    assert "This run created 3 animals and removed none" in summary(bad)
    recorded = summary(report_of(bad_exchanges(), profile="recorded", notes=("Of 8 entries, 6 are judged.",)))
    assert "\n\nOf 8 entries, 6 are judged.\n\n|" in recorded
    assert "removed none" not in recorded


def test_nothing_of_a_hostile_server_is_markup_in_the_summary(hostile: dict[str, Any]) -> None:
    """Neither HTML nor links nor mentions; tables and folded parts keep their shape."""
    html = rendered(summary(well_formed(hostile)))
    assert set(re.findall(r"<(\w+)", html)) <= {
        "h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "details", "summary",
    }  # fmt: skip
    assert (
        html.count("<details>")
        == html.count("</details>")
        == summary(well_formed(hostile)).count("<details>")
    )
    for row in re.findall(r"<tr>.*?</tr>", html, re.DOTALL):
        assert row.count("<t") - 1 in {2, 3, 5, 6}


@pytest.mark.parametrize(
    "text", [HOSTILE, "`" * 7, "```\n# x", "www.x.example http://x @me #1 :tada: $x$ **b** ~~s~~ <a>"]
)
def test_text_stays_text_in_markdown(text: str) -> None:
    """In a line and in a block."""
    assert re.fullmatch(r"<p>[^<]*</p>\n", rendered(plain(text)))
    assert re.fullmatch(r"<p>(<code>)?[^<]*(</code>)?</p>\n", rendered(code(text)))
    assert re.fullmatch(r'<pre><code class="language-sh">[^<]*</code></pre>\n', rendered(code_block(text)))
    assert not re.search(r"www\.|://|@|(?<!&)#1|:tada", plain(text))


def test_annotations_are_errors_for_must_and_warnings_for_should(bad: dict[str, Any]) -> None:
    """Each on one line."""
    lines = commands(bad)
    assert 6 == sum(each.startswith("::error ") for each in lines)
    assert 3 == sum(each.startswith("::warning ") for each in lines)
    assert (
        "::error title=list.limit.respected (MUST)::A list is longer than allowed: limit was 3.%0A"
        "Required: No more animals are returned than the limit.%0AExpected: at most 3 animals%0AObserved: 9 animals"
        in lines
    )


def test_a_known_failure_is_a_notice_and_an_expectation_out_of_date_an_error(known: dict[str, Any]) -> None:
    """With the reason and the date; the other SHOULD findings stay warnings."""
    lines = commands(known)
    assert 7 == sum(each.startswith("::notice ") for each in lines)
    assert 2 == sum(each.startswith("::warning ") for each in lines)
    [error] = [each for each in lines if each.startswith("::error ")]
    assert "::error title=Expectation out of date::list.answer was expected to fail, but passed" in error
    assert any(
        "(MUST)::Known failure, until 2027-03-31: ticket 7%0AA list is longer" in each for each in lines
    )


def test_the_summary_sets_known_failures_apart(known: dict[str, Any]) -> None:
    """Below the sentence that says what is out of date."""
    text = summary(known)
    assert text.startswith("## ⚠️ Conforms, with 7 known failures, but expectations are out of date: Example")
    assert text.index("- list.answer was expected to fail, but passed") < text.index("### Failed")
    assert "| Known failure, until 2027-03-31: ticket 7 |" in text[text.index("### Known failures") :]


def test_a_strict_run_has_errors_only() -> None:
    """Since its SHOULD findings fail it."""
    assert {"::error"} == {each.split()[0] for each in commands(report_of(bad_exchanges(), strict=True))}


def test_a_hostile_server_gives_no_command(hostile: dict[str, Any]) -> None:
    """A line feed of its own would begin one."""
    report = {**hostile, "suite_faults": [HOSTILE], "outcome": "could-not-judge", "reason": HOSTILE}
    for line in commands(report):
        assert re.fullmatch(r"::(error|warning) title=[^:,\n\r]*::[^\n\r\x1b]*", line)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("  ::error::x\n::stop-commands::y", "  : :error::x\n: :stop-commands::y"),
        ("a ##[group]", "a # #[group]"),
        ("ActiveRecord::NotFound # [x]", "ActiveRecord::NotFound # [x]"),
    ],
)
def test_what_a_job_prints_of_a_server_has_no_command(said: str, shown: str) -> None:
    """The runner looks at the beginnings of lines, wherever they are broken; elsewhere nothing is changed."""
    for environ, expected in (({"GITHUB_ACTIONS": "true"}, shown), ({}, said)):
        file = StringIO()
        for_job(file, environ).write(said)
        assert expected == file.getvalue()


def test_there_are_no_more_annotations_than_github_shows(hostile: dict[str, Any]) -> None:
    """Ten of a kind."""
    assert 10 == sum(each.startswith("::error ") for each in commands(hostile))


def test_the_summary_is_appended_where_github_wants_it(good: dict[str, Any], tmp_path: Path) -> None:
    """And nowhere else."""
    path = tmp_path / "summary"
    path.write_text("before\n", encoding="utf-8")
    tell_job(good, {}, tmp_path)
    tell_job(good, {"GITHUB_STEP_SUMMARY": str(path)}, tmp_path)
    assert path.read_text(encoding="utf-8").startswith("before\n## ✅ Conforms")
    with pytest.raises(ReportError, match="GITHUB_STEP_SUMMARY"):
        tell_job(
            good, {"GITHUB_STEP_SUMMARY": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "outputs")}, tmp_path
        )
    assert "outcome=conforms\n" in (tmp_path / "outputs").read_text(encoding="utf-8")


def test_a_step_has_the_verdict_for_outputs(known: dict[str, Any], tmp_path: Path) -> None:
    """A line each, for later steps and for the outputs of the action."""
    tell_job(known, {"GITHUB_OUTPUT": str(tmp_path / "outputs")}, Path("reports"))
    assert [
        "outcome=conforms",
        "scope=whole",
        "headline=conforms, with 7 known failures, but expectations are out of date",
        "report=reports/conformance.json",
    ] == (tmp_path / "outputs").read_text(encoding="utf-8").splitlines()


def test_github_is_known_by_its_variable() -> None:
    """And by nothing else."""
    assert running_there({"GITHUB_ACTIONS": "true"})
    assert not running_there({"CI": "true"})


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ("good", "conforms, MUST, 2026-09-21"),
        ("bad", "does not conform, MUST and SHOULD, 2026-09-21"),
        ("unjudged", "could not be judged, 2026-09-21"),
    ],
)
def test_the_badge_says_the_verdict_in_words_with_its_level_and_date(
    sample: str, words: str, request: pytest.FixtureRequest
) -> None:
    """To the eye and to a screen reader."""
    svg = ET.fromstring(badge_svg(request.getfixturevalue(sample)))  # noqa: S314 - made here
    assert "img" == svg.get("role")
    assert f"animal store interface: {words}" == svg.get("aria-label") == svg[0].text
    assert words in {each.text for each in svg}


def test_ctrf_has_a_test_per_clause_and_right_counts(bad: dict[str, Any]) -> None:
    """With the fields that its schema asks for."""
    report = json.loads(json.dumps(ctrf_report(bad)))
    assert ("CTRF", "1.0.0") == (report["reportFormat"], report["specVersion"])
    tests, counts = report["results"]["tests"], report["results"]["summary"]
    assert [each["id"] for each in bad["clauses"]] == [each["name"] for each in tests]
    assert (
        len(tests)
        == counts["tests"]
        == sum(counts[each] for each in ("passed", "failed", "skipped", "pending", "other"))
    )
    passed = sum(each["outcome"] == "passed" for each in bad["clauses"])
    assert (6, passed) == (counts["failed"], counts["passed"])
    assert 6100 == counts["stop"] - counts["start"] == counts["duration"]
    assert all(each.keys() >= {"name", "status", "duration"} and uuid.UUID(each["id"]) for each in tests)


def test_ctrf_has_no_failure_that_is_known(known: dict[str, Any]) -> None:
    """But one for expectations that are out of date."""
    tests = ctrf_report(known)["results"]["tests"]
    assert ["run.judged"] == [each["name"] for each in tests if each["status"] == "failed"]
    assert 7 == sum("Known failure, until 2027-03-31: ticket 7" in each.get("message", "") for each in tests)


def test_a_threshold_that_was_exceeded_is_told_to_whatever_reads_a_soak(good: dict[str, Any]) -> None:
    """It fails the command, and no clause."""
    exceeded = {"kept": False, "sentence": "95% of the responses took too long"}
    soak = {**good, "load": {**load_of(3), "thresholds": [exceeded]}}
    (failed,) = (each for each in ctrf_report(soak)["results"]["tests"] if each["status"] == "failed")
    assert ("run.judged", True) == (failed["name"], "95% of the responses took too long" in failed["message"])
    first, *others = commands(soak)
    assert (
        "::error title=Threshold exceeded::Threshold exceeded: 95%25 of the responses took too long." == first
    )
    assert commands(good) == others


def test_ctrf_of_a_run_that_could_not_be_judged_fails(unjudged: dict[str, Any]) -> None:
    """As no clause of it could."""
    assert 1 == ctrf_report(unjudged)["results"]["summary"]["failed"]
