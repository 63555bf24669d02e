"""The same run as plain pytest: every option, and the verdict for an exit status."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from selftests.loopback.command import ROOT, Ended, command, together
from selftests.loopback.deployment import Counted, counted

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
SMALL = ("--profile", "smoke")
NOWHERE = ("--deployment", "http://127.0.0.1:9/v1")


def drive(*options: str, reports: Path, env: dict[str, str | None] | None = None) -> Ended:
    """`pytest tests` in the checkout."""
    return command(
        "tests", "--report-dir", reports, *options, cwd=ROOT, env=env, program=PYTEST, reports=reports
    )


def copied(home: Path) -> Ended:
    """`pytest tests` in a checkout beside the package, as it is where the package is installed from it."""
    shutil.copytree(ROOT / "tests", home / "tests")
    shutil.copy(ROOT / "conftest.py", home)
    return command("tests", "-n", "2", *SMALL, cwd=home, program=PYTEST)


@pytest.fixture(scope="module")
def servers() -> dict[str, Counted]:
    """What the servers saw."""
    return {}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, servers: dict[str, Counted]) -> dict[str, Ended]:
    """The drivers against the embedded deployment and against others."""
    home = tmp_path_factory.mktemp("pytest")
    known = home / "known.yaml"
    known.write_text("- {id: list.limit.respected, reason: ticket 7, until: 2999-12-31}\n", encoding="utf-8")

    def against(name: str, *options: str, fault: str = "") -> Callable[[], Ended]:
        def call() -> Ended:
            with counted(*[fault] if fault else []) as server:
                servers[name] = server
                return drive("--deployment", server.url, *options, reports=home / name)

        return call

    return together(
        bare=lambda: drive(reports=home / "bare"),
        url=against("url", *SMALL, "--name", "Mine", "--seed", "3", "--read-only"),
        strict=against("strict", *SMALL, "--clause", "methods", "--strict-should", fault="methods.no-allow"),
        copied=lambda: copied(home / "copied"),
        certify=lambda: drive(*SMALL, "--certify", reports=home / "certify"),
        known=lambda: drive(
            *SMALL, "--fault", "limit.one-more", "--expect", str(known), reports=home / "known"
        ),
        unknown=lambda: drive("--fault", "limit.one-mor", reports=home / "unknown"),
        no_key=lambda: drive(*NOWHERE, reports=home / "no_key", env={"ANIMAL_STORE_API_KEY": None}),
        refused=lambda: drive(*NOWHERE, reports=home / "refused"),
    )


@pytest.mark.parametrize(
    ("name", "words"), [("bare", "CONFORMS"), ("url", "NO VIOLATION IN WHAT WAS JUDGED")]
)
def test_a_correct_deployment_makes_pytest_pass(name: str, words: str, runs: dict[str, Ended]) -> None:
    """And the page of text stands at the end."""
    ended = runs[name]
    assert 0 == ended.code, ended.said
    assert words in ended.output
    assert "conforms" == ended.report["outcome"]
    assert set() == ended.ids("failed")


def test_bare_pytest_judges_the_embedded_deployment_in_full(runs: dict[str, Ended]) -> None:
    """With evidence for every MUST clause."""
    assert "reference deployment" == runs["bare"].report["target"]["name"]
    assert {"passed"} == set(runs["bare"].outcomes("MUST").values())


def test_the_options_of_the_command_are_options_of_pytest(
    runs: dict[str, Ended], servers: dict[str, Counted]
) -> None:
    """Under the same names."""
    assert "Mine" == runs["url"].report["target"]["name"]
    assert 3 == runs["url"].report["run"]["seed"]
    assert len(servers["url"].requests) == runs["url"].report["run"]["requests"] <= 150
    assert {"GET"} == {method for method, _ in servers["url"].requests}


def test_the_verdict_is_the_exit_status(runs: dict[str, Ended]) -> None:
    """Though no test of pytest's fails."""
    assert 1 == runs["strict"].code, runs["strict"].said
    assert {"methods.allow"} == runs["strict"].ids("failed")
    assert "curl -sS" in runs["strict"].output


def test_a_deployment_that_is_not_there_is_no_verdict(runs: dict[str, Ended]) -> None:
    """Exit status 3, as of the command."""
    assert 3 == runs["refused"].code, runs["refused"].said
    assert "Nothing is listening" in runs["refused"].said


def test_wrong_usage_of_pytest_is_a_sentence(runs: dict[str, Ended]) -> None:
    """Neither a traceback nor a verdict."""
    assert 4 == runs["no_key"].code, runs["no_key"].said  # pytest's own for wrong usage
    assert "No API key given. Set ANIMAL_STORE_API_KEY" in runs["no_key"].said
    assert "Traceback" not in runs["no_key"].said


def test_drivers_are_known_wherever_the_package_is(runs: dict[str, Ended]) -> None:
    """In a checkout from which it was installed, they are not those inside the package; they stay in one process."""
    ended = runs["copied"]
    assert 0 == ended.code, ended.said
    assert "Drivers run in one process" in ended.said
    assert {"passed"} == set(ended.outcomes("MUST").values())


def test_an_unknown_fault_is_a_sentence_in_pytest_too(runs: dict[str, Ended]) -> None:
    """With what was meant."""
    ended = runs["unknown"]
    assert 4 == ended.code, ended.said
    assert "There is no fault named 'limit.one-mor': did you mean limit.one-more" in ended.said
    assert "Traceback" not in ended.said


def test_the_gates_are_those_of_the_command(runs: dict[str, Ended]) -> None:
    """What is known to fail does not fail the session, and a certificate is written."""
    assert 0 == runs["known"].code, runs["known"].said
    assert "CONFORMS, WITH" in runs["known"].said
    assert "does-not-conform" == runs["known"].report["outcome"]
    assert 0 == runs["certify"].code, runs["certify"].said
    assert "certificate.json" in runs["certify"].files
