"""The same run as plain pytest: every option, and the verdict for an exit status."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from selftests.loopback.child import as_pytest
from selftests.loopback.command import ROOT, Ended, Runs, command
from selftests.loopback.deployment import Counted, counted
from selftests.tables import cases

QUIET = ("-q", "-p", "no:cacheprovider")
SMALL = ("--profile", "smoke")
NOWHERE = ("--deployment", "http://127.0.0.1:9/v1")


def pytest_of(home: Path, *arguments: str | Path, **settings: Any) -> Ended:
    """`pytest` in a checkout."""
    return command(*arguments, cwd=home, main=as_pytest, **settings)


def drive(*options: str, reports: Path, **settings: Any) -> Ended:
    """`pytest tests` in the checkout."""
    return pytest_of(ROOT, *QUIET, "tests", *options, "--report-dir", reports, reports=reports, **settings)


def copied(home: Path) -> Path:
    """A checkout beside the package, as it is where the package is installed from it."""
    for folder in ("tests", "spec"):
        shutil.copytree(ROOT / folder, home / folder)
    shutil.copy(ROOT / "conftest.py", home)
    shutil.copy(ROOT / "pyproject.toml", home)
    return home


def again(home: Path) -> tuple[Ended, Ended]:
    """A checkout in which a clause fails, and what `--lf` does next."""
    options = ("-q", *SMALL, "--fault", "limit.one-more")
    return pytest_of(copied(home), *options, "--cache-clear"), pytest_of(home, *options, "--lf")


def unreached(home: Path) -> Ended:
    """A deployment that the settings file names, with its key, and that is not there."""
    (copied(home) / "key").write_text("k", encoding="utf-8")
    (home / "animal-conformance.toml").write_text(
        f'[deployments.nowhere]\nurl = "{NOWHERE[1]}"\napi-key-file = "key"\n', encoding="utf-8"
    )
    words = ("spec/clauses.yaml::list.limit.default", "-rs", "--deployment", "nowhere")
    return pytest_of(home, *QUIET, *words, env={"ANIMAL_STORE_API_KEY": None})


def outdated(home: Path) -> Ended:
    """A checkout whose clauses are not those of the package."""
    with (copied(home) / "spec" / "clauses.yaml").open("a", encoding="utf-8") as file:
        file.write("\n")
    return pytest_of(home, *QUIET, "spec")


@pytest.fixture(scope="module")
def servers() -> dict[str, Counted]:
    """What the servers saw."""
    return {}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, servers: dict[str, Counted]) -> Runs:
    """The drivers against the embedded deployment and against others."""
    home = tmp_path_factory.mktemp("pytest")
    known = home / "known.yaml"
    known.write_text("- {id: list.limit.respected, reason: ticket 7, until: 2999-12-31}\n", encoding="utf-8")
    over = home / "over.yaml"
    over.write_text("- {id: methods.allow, reason: ticket 8, until: 2020-01-01}\n", encoding="utf-8")

    def against(name: str, *options: str, fault: str = "") -> Callable[[], Ended]:
        def call() -> Ended:
            with counted(*[fault] if fault else []) as server:
                servers[name] = server
                return drive("--deployment", server.url, *options, reports=home / name)

        return call

    return Runs(
        # In a new process, which has everything to import yet.
        bare=lambda: drive(*SMALL, reports=home / "bare", program=(sys.executable, "-m", "pytest")),
        url=against("url", *SMALL, "--name", "Mine", "--seed", "3", "--read-only"),
        strict=against("strict", *SMALL, "--clause", "methods", "--strict-should", fault="methods.no-allow"),
        copied=lambda: pytest_of(copied(home / "copied"), *QUIET, "tests", "-n", "2", *SMALL),
        narrow=lambda: pytest_of(
            copied(home / "narrow"),
            *(*QUIET, "tests", "spec", "-k", "list.limit.default", "-n", "2", "--junitxml", "own.xml"),
        ),
        known=lambda: pytest_of(
            copied(home / "known"),
            *(*QUIET, "spec", "-rxs", *SMALL, "--fault", "limit.one-more", "--expect", known),
        ),
        over=lambda: pytest_of(
            copied(home / "over"),
            *(*QUIET, "spec", "-k", "methods.allow", *SMALL),
            *("--fault", "methods.no-allow", "--expect", over),
        ),
        unreached=lambda: unreached(home / "unreached"),
        outdated=lambda: outdated(home / "outdated"),
        certify=lambda: drive(*SMALL, "--certify", "--settle", "0.1", reports=home / "certify"),
        unknown=lambda: drive("--fault", "limit.one-mor", reports=home / "unknown"),
        part=lambda: pytest_of(copied(home / "part"), *QUIET, "spec", "-k", "methods.allow", "--certify"),
        empty=lambda: drive("--deployment", "", reports=home / "empty"),
        no_key=lambda: drive(*NOWHERE, reports=home / "no_key", env={"ANIMAL_STORE_API_KEY": None}),
    )


@pytest.mark.parametrize(
    ("name", "words"), [("bare", "CONFORMS"), ("url", "NO VIOLATION IN WHAT WAS JUDGED")]
)
def test_a_correct_deployment_makes_pytest_pass(name: str, words: str, runs: Runs) -> None:
    """And the page of text stands at the end."""
    ended = runs[name]
    assert 0 == ended.code, ended.said
    assert words in ended.output
    assert "conforms" == ended.report["outcome"]
    assert set() == ended.ids("failed")


def test_bare_pytest_judges_the_embedded_deployment_in_full(runs: Runs) -> None:
    """With evidence for every MUST clause."""
    assert "reference deployment" == runs["bare"].report["target"]["name"]
    assert {"passed"} == set(runs["bare"].outcomes("MUST").values())


def test_the_options_of_the_command_are_options_of_pytest(runs: Runs, servers: dict[str, Counted]) -> None:
    """Under the same names."""
    assert "Mine" == runs["url"].report["target"]["name"]
    assert 3 == runs["url"].report["run"]["seed"]
    assert len(servers["url"].requests) == runs["url"].report["run"]["requests"] <= 150
    assert {"GET"} == {method for method, _ in servers["url"].requests}


def test_the_verdict_is_the_exit_status(runs: Runs) -> None:
    """Though no test of pytest's fails; and a run that passed is certified as by the command."""
    assert 1 == runs["strict"].code, runs["strict"].said
    assert {"methods.allow"} == runs["strict"].ids("failed")
    assert "curl -sS" in runs["strict"].output
    assert 0 == runs["certify"].code, runs["certify"].said
    assert "certificate.json" in runs["certify"].files


@cases(
    ("name", "code", "said"),
    {
        "no key": ("no_key", 4, "No API key given. Set ANIMAL_STORE_API_KEY"),
        # A variable of a job that is not set would have the reference deployment judged green.
        "no address": ("empty", 4, "The address is empty: leave it out to judge the reference deployment"),
        "a certificate of some clauses": ("part", 4, "A certificate requires a whole run"),
        "clauses of another version": ("outdated", 2, "package: install this checkout, `pip install -e .`"),
        "no such fault": ("unknown", 4, "no fault named 'limit.one-mor': did you mean limit.one-more"),
    },
)
def test_wrong_usage_of_pytest_is_a_sentence(name: str, code: int, said: str, runs: Runs) -> None:
    """Neither a traceback nor a verdict; mostly with pytest's own code for it."""
    assert code == runs[name].code, runs[name].said
    assert said in runs[name].said
    assert "Traceback" not in runs[name].said


def test_drivers_are_known_wherever_the_package_is(runs: Runs) -> None:
    """In a checkout from which it was installed, they are not those inside the package; they stay in one process."""
    ended = runs["copied"]
    assert 0 == ended.code, ended.said
    assert "Drivers run in one process" in ended.said
    assert {"passed"} == set(ended.outcomes("MUST").values())


def test_clauses_are_items_that_fail_with_their_finding(tmp_path: Path) -> None:
    """In bare `pytest`; and `--lf` tries the failed one alone."""
    first, last = again(tmp_path / "again")
    assert 1 == first.code, first.said
    assert "list.limit.respected (MUST): No more animals are returned than the limit." in first.said
    assert "expected: at most 1 animal observed: 2 animals curl -sS" in first.said
    assert "1 failed, 74 passed" in first.said
    assert "1 failed in" in last.said
    assert {"list.limit.respected"} == set(last.outcomes()) - last.ids("untested")


def test_a_selected_clause_needs_no_driver_selected(runs: Runs) -> None:
    """They run behind it, in one process, and no more than it needs."""
    ended = runs["narrow"]
    assert 0 == ended.code, ended.said
    assert "1 passed, " in ended.said
    assert "Drivers run in one process" in ended.said
    assert {"list.limit.default"} == ended.ids("passed")
    [case] = ET.parse(ended.directory.parent / "own.xml").iter("testcase")  # noqa: S314 - made here
    assert ("spec.clauses.yaml", "list.limit.default") == (case.get("classname"), case.get("name"))


def test_a_known_failure_is_an_expected_one_of_pytest(runs: Runs) -> None:
    """With its reason."""
    ended = runs["known"]
    assert 0 == ended.code, ended.said
    assert "74 passed, 1 xfailed" in ended.said
    assert "CONFORMS, WITH 1 KNOWN FAILURE" in ended.said
    assert "does-not-conform" == ended.report["outcome"]
    assert "list.limit.respected - Known failure, until 2999-12-31: ticket 7" in ended.said


def test_an_expectation_out_of_date_fails_its_clause(runs: Runs) -> None:
    """Also where the clause alone would fail only a strict run."""
    ended = runs["over"]
    assert 3 == ended.code, ended.said
    assert "1 failed, 74 deselected" in ended.said
    assert "methods.allow failed, but was expected to only until 2020-01-01: ticket 8" in ended.said


def test_a_clause_that_could_not_be_told_is_skipped_with_the_reason(runs: Runs) -> None:
    """At its place in the file; and the session is not green."""
    ended = runs["unreached"]
    assert 3 == ended.code, ended.said
    assert re.search(
        r"SKIPPED \[1\] spec/clauses.yaml:\d+: can't tell: No request got a response", ended.said
    )
    assert "Nothing is listening" in ended.said
