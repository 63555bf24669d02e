"""What is done with reports: compared, replayed, verified, and shown by GitHub."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest

from selftests.loopback.command import Ended, Runs, command, smoke
from selftests.loopback.deployment import Counted, counted
from selftests.loopback.server import RawServer


@pytest.fixture(scope="module")
def bad() -> Iterator[Counted]:
    """One whose limits are one too high, that does not announce a removal, and that loses what is created at once."""
    with counted("limit.one-more", "get.lost.created", "get.no-sunset") as server:
        yield server


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, correct: Counted, bad: Counted) -> Runs:
    """A run on each, and one as a job of GitHub's."""
    home = tmp_path_factory.mktemp("others")
    page = home / "page.md"
    page.write_text("# Before\n", encoding="utf-8")
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(page)}
    return Runs(
        good=lambda: smoke(
            "--name", "Good", "--certify", "--settle", "0.1", cwd=home / "good", env=correct.env
        ),
        bad=lambda: smoke("--name", "Bad", cwd=home / "bad", env={**bad.env, **github}),
        before=lambda: smoke("--name", "Same", cwd=home / "before"),
    )


def report_of(ended: Ended) -> Path:
    """Its conformance.json."""
    return ended.directory / "conformance.json"


def test_reports_of_two_deployments_are_set_side_by_side(runs: Runs, tmp_path: Path) -> None:
    """As text, as Markdown, and as a page with dates and links to the reports; what differs is no regression."""
    files = [report_of(runs["good"]), runs["bad"].directory]
    text = command("compare", *files, "--html", "page.html", cwd=tmp_path)
    assert 0 == text.code, text.said
    assert "list.limit.respected" in text.said
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    links = [unquote(each) for each in re.findall(r'<a href="([^"#]+)">', page)]
    assert [each.with_name("report.html") for each in map(report_of, (runs["good"], runs["bad"]))] == [
        (tmp_path / each).resolve() for each in links
    ]
    assert 2 == page.count(f"<time>{runs['good'].report['run']['started'][:10]}</time>")
    markdown = command("compare", *files, "--markdown", cwd=tmp_path)
    assert "| list.limit.respected |" in markdown.output


def test_two_reports_of_one_deployment_say_what_got_worse_and_better(runs: Runs, tmp_path: Path) -> None:
    """Exit code 1 where a MUST clause got worse."""
    content = json.loads(report_of(runs["bad"]).read_bytes())
    content["target"] = runs["good"].report["target"]
    after = tmp_path / "after.json"
    after.write_text(json.dumps(content), encoding="utf-8")
    worse = command("compare", report_of(runs["good"]), after, cwd=tmp_path)
    assert 1 == worse.code, worse.said
    assert "list.limit.respected" in worse.said
    better = command("compare", after, report_of(runs["good"]), cwd=tmp_path)
    assert 0 == better.code, better.said


@pytest.mark.parametrize(
    ("clause", "exchanges", "creations"), [("list.limit.respected", 1, 0), ("get.found", 3, 1)]
)
def test_a_finding_is_replayed(
    clause: str, exchanges: int, creations: int, runs: Runs, correct: Counted, tmp_path: Path
) -> None:
    """It still shows where it was found, and does not on a correct deployment; what it creates is told."""
    report = report_of(runs["bad"])
    finding = runs["bad"].clause(clause)["findings"][0]
    assert exchanges == len(finding["exchanges"])
    still = command("replay", report, clause, cwd=tmp_path)
    assert 1 == still.code, still.said
    assert "Still occurs: " in still.said
    assert exchanges == sum(line.startswith(("GET ", "POST ")) for line in still.output.splitlines())
    assert creations == still.output.count("This created animal ")
    gone = command("replay", report, clause, "--deployment", correct.url, cwd=tmp_path)
    assert 0 == gone.code, gone.said
    assert "No longer occurs" in gone.said


def test_a_finding_that_stands_on_its_run_is_replayed_with_its_trace(
    runs: Runs, correct: Counted, tmp_path: Path
) -> None:
    """What is not in a response still is not; and without the trace, or elsewhere, nobody says that it is gone."""
    report = report_of(runs["bad"])
    still = command("replay", report, "get.sunset-header", cwd=tmp_path)
    assert 1 == still.code, still.said
    assert "Still occurs: getPet does not announce its removal date." in still.said
    alone = tmp_path / "conformance.json"
    alone.write_bytes(report.read_bytes())
    for untold in (
        command("replay", alone, "get.sunset-header", cwd=tmp_path),
        command("replay", report, "get.sunset-header", "--deployment", correct.url, cwd=tmp_path),
    ):
        assert 3 == untold.code, untold.said
        assert "run --clause get.sunset-header" in untold.said
        assert "No longer occurs" not in untold.said


def test_a_replay_reaches_a_deployment_as_its_run_did(runs: Runs, tmp_path: Path) -> None:
    """With its headers, and within its time-out; the values are in no report, so that they are given again."""
    again = partial(command, "replay", report_of(runs["bad"]), "list.limit.respected", cwd=tmp_path)
    with RawServer() as server:
        done = again("--deployment", server.url, "--header", "X-Tenant: 7")
        assert 0 == done.code, done.said
        assert {"7"} == {each.headers.get("x-tenant") for each in server.log}
    with RawServer(lambda visit: visit.wire.wait(60)) as server:
        late = again("--deployment", server.url, "--timeout", "0.2")
    assert 3 == late.code, late.said


def test_a_finding_in_a_har_file_is_replayed_with_the_key(
    runs: Runs, bad: Counted, correct: Counted, tmp_path: Path
) -> None:
    """The file has none, only that there was one."""
    har = runs["bad"].directory / "trace.har"
    command("report", har, "--report-dir", tmp_path, cwd=tmp_path)
    again = partial(command, "replay", tmp_path / "conformance.json", "list.limit.respected", cwd=tmp_path)
    still, gone = again("--deployment", bad.url), again("--deployment", correct.url)
    assert (1, 0) == (still.code, gone.code), still.said + gone.said


def test_an_id_that_is_written_in_another_way_is_replayed_as_it_was(runs: Runs, tmp_path: Path) -> None:
    """Zeros in front are part of what was found."""
    report = json.loads(report_of(runs["bad"]).read_text(encoding="utf-8"))
    (entry,) = (each for each in report["clauses"] if each["id"] == "list.limit.respected")
    entry["findings"][0]["exchanges"][0]["request"]["target"] = "/pets/007"
    changed = tmp_path / "conformance.json"
    changed.write_text(json.dumps(report), encoding="utf-8")
    with RawServer() as server:
        command("replay", changed, "list.limit.respected", "--deployment", server.url, cwd=tmp_path)
        assert ["/v1/pets/007"] == [each.target for each in server.log]


def test_a_finding_that_is_not_there_is_not_replayed(runs: Runs, tmp_path: Path) -> None:
    """Nor one of a clause that passed, nor one whose deployment is gone."""
    report = report_of(runs["bad"])
    unknown = command("replay", report, "list.nothing", cwd=tmp_path)
    assert (2, True) == (unknown.code, "The report has no clause 'list.nothing'" in unknown.said)
    passed = command("replay", report, "auth.missing.list", cwd=tmp_path)
    assert (2, True) == (passed.code, "auth.missing.list has no findings in this report" in passed.said)
    empty = command("replay", report, "list.limit.respected", "--deployment", "", cwd=tmp_path)
    assert (2, True) == (empty.code, "The address is empty: leave it out" in empty.said)
    away = command(
        "replay", report, "list.limit.respected", "--deployment", "http://127.0.0.1:9/v1", cwd=tmp_path
    )  # fmt: skip
    assert 3 == away.code, away.said
    assert "does not respond" in away.said


def test_a_certificate_holds_wherever_its_files_are_taken(runs: Runs, tmp_path: Path) -> None:
    """By them alone; and it does not, in a sentence, once one of them was changed."""
    for name in ("certificate.json", "conformance.json", "trace.ndjson", "report.html"):
        shutil.copy(runs["good"].directory / name, tmp_path)
    done = command("verify", tmp_path, cwd=tmp_path)
    assert 0 == done.code, done.said
    assert "The certificate is valid" in done.said
    trace = tmp_path / "trace.ndjson"
    trace.write_bytes(trace.read_bytes().replace(b'"status":401', b'"status":400', 1))
    spoilt = command("verify", tmp_path, cwd=tmp_path)
    assert 3 == spoilt.code, spoilt.said
    assert "invalid: The trace.ndjson" in spoilt.said
    assert "Traceback" not in spoilt.said


def test_github_gets_annotations_and_a_summary(runs: Runs) -> None:
    """Behind what stands on the page of the job already."""
    lines = [line for line in runs["bad"].output.splitlines() if line.startswith("::")]
    assert any(line.startswith("::error title=list.limit.respected (MUST)::") for line in lines)
    page = (runs["bad"].directory.parents[1] / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# Before\n")
    assert "## ❌ Does not conform: Bad" in page
    assert [] == [line for line in runs["before"].output.splitlines() if line.startswith("::")]
