"""`report`: a trace or a HAR judged again, offline, gives the verdicts of the run, or says why it gives none."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from animal_conformance.record.trace import read_trace
from selftests.loopback.command import Ended, Runs, command, judge_again, smoke
from selftests.loopback.deployment import counted
from selftests.loopback.shared import SharedRuns, shared_directory
from selftests.record.traces import header_of, write_trace


@dataclass(frozen=True)
class Case:
    """A deployment and the options of a run on it."""

    options: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    null: str | None = None

    def run(self, directory: Path) -> Ended:
        """A small run."""
        with counted(*self.faults, variants=self.variants, null=self.null) as server:
            return smoke(*self.options, cwd=directory, env=server.env)


RUNS = {
    "plain": Case(("--name", "Plain")),
    "limit": Case(faults=("limit.one-more",)),
    "strict": Case(("--strict",), faults=("methods.no-allow",)),
    "certify": Case(("--certify", "--max-creates", "2")),
    "untried": Case(("--max-creates", "3"), faults=("list.lost.first",), variants=("order.category",)),
    "lagging": Case(("--settle", "1"), variants=("lag.replica",)),
    "unreached": Case(null="401-error"),
    "wrong_address": Case(null="404-error"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all of it is."""
    return shared_directory("again", tmp_path_factory)


@pytest.fixture(scope="module")
def runs(home: Path) -> Runs:
    """Runs on correct and on broken deployments."""
    return SharedRuns(home, **{name: partial(case.run, home / name) for name, case in RUNS.items()})


@pytest.fixture(scope="module")
def again(runs: Runs, home: Path, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """The trace of each, and the HAR of two, judged again."""

    def judged(name: str, file: str) -> Ended:
        return judge_again(runs[name].directory / file, home / f"{name} {file} again")

    traces = {name: partial(judged, name, "trace.ndjson") for name in runs}
    hars = {f"{name}.har": partial(judged, name, "trace.har") for name in ("plain", "limit")}
    return SharedRuns(shared_directory("told", tmp_path_factory), **traces, **hars)


@pytest.mark.parametrize("name", RUNS)
def test_a_trace_gives_the_verdicts_of_its_run_again(name: str, runs: Runs, again: Runs) -> None:
    """The same exit code, outcomes, evidence, findings and answers to open questions."""
    before, after = runs[name], again[name]
    assert before.code == after.code, after.said
    assert before.report == after.report


def test_experiments_that_a_limit_left_out_are_told(runs: Runs) -> None:
    """Beside the suspicion that stays open for it."""
    (note,) = runs["untried"].report["run"]["notes"]
    assert "that the run may still create, of 3. Experiments" in note
    assert "list.complete" in runs["untried"].report["reason"]
    assert note[:40] in runs["untried"].said


@pytest.mark.parametrize("name", ["plain", "limit"])
def test_the_har_that_a_run_wrote_gives_its_verdicts_again(name: str, runs: Runs, again: Runs) -> None:
    """For whoever has nothing but that."""
    before, after = runs[name], again[f"{name}.har"]
    assert before.code == after.code, after.said
    assert before.outcomes() == after.outcomes()


@pytest.fixture
def trace(runs: Runs, tmp_path: Path) -> Path:
    """A trace to spoil."""
    return Path(shutil.copy(runs["plain"].directory / "trace.ndjson", tmp_path))


def test_a_trace_that_was_changed_is_refused(trace: Path) -> None:
    """With the line from which on it does not follow, and without a report."""
    trace.write_bytes(trace.read_bytes().replace(b'"status":200', b'"status":201', 1))
    done = judge_again(trace, trace.parent / "again")
    assert 3 == done.code
    assert "does not match the digest of the line before: it was edited, removed or moved" in done.said
    assert not done.directory.exists()


def test_a_trace_is_found_in_the_directory_of_its_run(trace: Path) -> None:
    """As every other command takes it for one of its files."""
    assert (
        judge_again(trace.parent, trace.parent / "again").code
        == judge_again(trace, trace.parent / "again").code
    )
    done = judge_again(trace.parent.parent, trace.parent / "again")
    assert (2, True) == (done.code, "Cannot read the trace" in done.said), done.said


def test_a_trace_that_was_cut_off_gives_no_green_verdict(trace: Path) -> None:
    """It says so, and what it holds is judged, up to a line that is half written, as a run leaves it that is killed."""
    content = trace.read_bytes()
    trace.write_bytes(content[: len(content) // 2])
    done = judge_again(trace, trace.parent / "again")
    assert 3 == done.code, done.said
    assert "The trace is truncated: it ends before its run was complete." in done.said
    assert done.ids("passed")


def test_a_forged_trace_has_another_digest(runs: Runs, trace: Path) -> None:
    """Chained anew, it is whole, and its last digest is not that of the report."""
    read = read_trace(trace)
    digest = write_trace(trace, read.terms, header_of(read), read.exchanges[:-1])
    assert digest != runs["plain"].report["run"]["trace_digest"]


def entry(method: str, url: str, status: int, answer: Any, **more: Any) -> dict[str, Any]:
    """An exchange as browsers write it down."""
    body = more.get("body")
    request: dict[str, Any] = {
        "method": method, "url": url, "httpVersion": "h2", "cookies": [], "queryString": [], "headersSize": -1, "bodySize": -1,
        "headers": [{"name": "authorization", "value": "Bearer browsers-key-123"}],
    }  # fmt: skip
    if body is not None:
        request["postData"] = {"mimeType": "application/json", "text": json.dumps(body)}
    text = json.dumps(answer)
    return {
        "startedDateTime": f"2026-11-20T10:00:{more['second']:02d}.000Z", "time": 12.5, "cache": {}, "timings": {},
        "request": request,
        "response": {
            "status": status, "statusText": "", "httpVersion": "h2", "cookies": [], "redirectURL": "",
            "headers": [{"name": "content-type", "value": "application/json"}], "headersSize": -1, "bodySize": len(text),
            "content": {"size": len(text), "mimeType": "application/json", "text": text},
        },
    }  # fmt: skip


def test_a_har_of_a_browser_proves_what_its_traffic_shows(tmp_path: Path) -> None:
    """Two animals where one was asked for are a finding; what nobody sent cannot be told; the key is dropped."""
    site = "https://shop.example/api/v1"
    animals = [{"id": each, "name": f"Rex {each}", "categoryId": 1, "status": "sold"} for each in (1, 2)]
    rex = {"name": "Rex 3", "categoryId": 1, "status": "sold"}
    document = {
        "log": {
            "version": "1.2",
            "creator": {"name": "WebInspector", "version": "537.36"},
            "entries": [
                entry("GET", "https://shop.example/logo.svg", 200, {}, second=0),
                entry("GET", f"{site}/pets?status=sold", 200, animals, second=1),
                entry("GET", f"{site}/pets?limit=1", 200, animals, second=2),
                entry("POST", f"{site}/pets", 201, {"id": 3, **rex}, second=3, body=rex),
                entry("GET", f"{site}/pets/3", 200, {"id": 3, **rex}, second=4),
            ],
        }
    }
    path = tmp_path / "browser.har"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = judge_again(path, tmp_path)
    assert 1 == done.code, done.said
    assert {"list.limit.respected"} == done.ids("failed", "MUST")
    assert {"list.filter", "create.answer", "get.found"} & done.ids("passed")
    assert "cant-tell" == done.outcomes()["auth.missing.list"]
    assert site == done.report["target"]["base_url"]
    for each in done.directory.iterdir():
        assert b"browsers-key-123" not in each.read_bytes(), each.name
    assert "browsers-key-123" not in done.said


@pytest.mark.parametrize(
    ("recorded", "options", "failed"),
    [
        ("2026-11-20T10:00:0{}Z", (), {"get.found"}),
        ("2026-11-20T10:00:0{}Z", ("--today", "2030-12-05"), set()),
        ("2030-12-05T00:30:0{}+09:00", (), set()),
        ("2030-12-05T00:30:0{}+09:00", ("--today", "2030-12-04"), {"get.found"}),
    ],
)
def test_a_har_is_judged_as_of_the_day_on_which_it_was_recorded(
    recorded: str, options: tuple[str, ...], failed: set[str], tmp_path: Path
) -> None:
    """A removal of getPet is lawful from the announced day on, by the date of whoever recorded it."""
    site = "https://shop.example/v1"
    rex = {"id": 1, "name": "Rex", "categoryId": 1, "status": "sold"}
    gone = {"code": "gone", "message": "getPet was removed", "status": 410}
    answers = [
        entry("GET", f"{site}/pets", 200, [rex], second=1),
        entry("GET", f"{site}/pets/1", 410, gone, second=2),
    ]
    entries = [{**each, "startedDateTime": recorded.format(at)} for at, each in enumerate(answers)]
    path = tmp_path / "browser.har"
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}), encoding="utf-8")
    done = command("report", path, *options, "--report-dir", "reports", cwd=tmp_path)
    assert failed == done.failed_musts, done.said
