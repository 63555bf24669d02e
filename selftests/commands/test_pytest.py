"""The same run as plain pytest: every option, and the verdict for an exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from selftests.commands.running import KEY, ROOT, Counted, Ended, command, counted, together

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")


def drive(*options: str | Path, reports: Path, env: dict[str, str] | None = None) -> Ended:
    """`pytest tests` in the checkout."""
    return command(
        "tests", "--report-dir", reports, *options, cwd=ROOT, env=env, program=PYTEST, reports=reports
    )


@pytest.fixture(scope="module")
def servers() -> dict[str, Counted]:
    """What the servers saw."""
    return {}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, servers: dict[str, Counted]) -> dict[str, Ended]:
    """The drivers against the embedded deployment and against others."""
    home = tmp_path_factory.mktemp("pytest")

    def against(name: str, *options: str, faults: tuple[str, ...] = ()) -> Callable[[], Ended]:
        def call() -> Ended:
            with counted(*faults) as server:
                servers[name] = server
                return drive(
                    "--deployment", server.base_url, *options, reports=home / name, env={"ANIMAL_STORE_API_KEY": KEY}
                )  # fmt: skip

        return call

    return together(
        bare=lambda: drive(reports=home / "bare"),
        workers=lambda: drive("-n", "2", "--clause", "get", "--clause", "create", reports=home / "workers"),
        one=lambda: drive("--profile", "smoke", "-n", "2", reports=home / "one"),
        url=against("url", "--profile", "smoke", "--name", "Mine", "--seed", "3"),
        broken=against("broken", "--profile", "smoke", faults=("auth.open.get",)),
        lenient=against("lenient", "--clause", "methods", faults=("methods.no-allow",)),
        strict=against("strict", "--clause", "methods", "--strict-should", faults=("methods.no-allow",)),
        read_only=against("read_only", "--read-only", "--profile", "smoke"),
        no_key=lambda: drive("--deployment", "http://127.0.0.1:9/v1", reports=home / "no_key"),
        no_scheme=lambda: drive("--deployment", "staging.example", reports=home / "no_scheme"),
        bad_seed=lambda: drive("--seed", "lucky", reports=home / "bad_seed"),
        refused=lambda: drive(
            "--deployment", "http://127.0.0.1:9/v1", reports=home / "refused", env={"ANIMAL_STORE_API_KEY": KEY}
        ),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["bare", "workers", "one", "url", "read_only"])
def test_a_correct_deployment_makes_pytest_pass(name: str, runs: dict[str, Ended]) -> None:
    """And the page of text stands at the end."""
    ended = runs[name]
    assert 0 == ended.code, ended.said
    assert "CONFORMS" in ended.output
    assert "conforms" == ended.report["outcome"]
    assert set() == ended.ids("failed")


def test_bare_pytest_judges_the_embedded_deployment_in_full(runs: dict[str, Ended]) -> None:
    """With evidence for every MUST clause."""
    assert "embedded reference deployment" == runs["bare"].report["target"]["name"]
    assert {"passed"} == set(runs["bare"].outcomes("MUST").values())


def test_the_limits_hold_over_the_workers_of_pytest(runs: dict[str, Ended]) -> None:
    """Which are those of the command."""
    assert 2 == runs["workers"].report["run"]["workers"]
    assert runs["workers"].report["run"]["requests"] <= 1200
    assert runs["workers"].report["run"]["creations"] <= 150
    assert 1 == runs["one"].report["run"]["workers"]
    assert runs["one"].report["run"]["requests"] <= 150
    assert runs["one"].report["run"]["creations"] <= 20
    assert {"main", "gw0", "gw1"} >= {each.worker for each in runs["workers"].trace.exchanges}


def test_the_options_of_the_command_are_options_of_pytest(
    runs: dict[str, Ended], servers: dict[str, Counted]
) -> None:
    """Under the same names."""
    assert "Mine" == runs["url"].report["target"]["name"]
    assert 3 == runs["url"].report["run"]["seed"]
    assert len(servers["url"].requests) == runs["url"].report["run"]["requests"] <= 150
    assert {"GET"} == {method for method, _ in servers["read_only"].requests}


def test_the_verdict_is_the_exit_status(runs: dict[str, Ended]) -> None:
    """Though no test of pytest's fails."""
    assert 1 == runs["broken"].code, runs["broken"].said
    assert "auth.missing.get" in runs["broken"].ids("failed")
    assert "curl -sS" in runs["broken"].output
    assert 1 == runs["strict"].code, runs["strict"].said
    assert "methods.allow" in runs["lenient"].ids("failed") & runs["strict"].ids("failed")


def test_a_deployment_that_is_not_there_is_no_verdict(runs: dict[str, Ended]) -> None:
    """Exit status 3, as of the command."""
    assert 3 == runs["refused"].code, runs["refused"].said
    assert "Nothing is listening" in runs["refused"].said


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("no_key", "There is no API key. Set ANIMAL_STORE_API_KEY"),
        ("no_scheme", "The address 'staging.example' has no scheme."),
        ("bad_seed", "--seed must be a whole number, or random, not 'lucky'."),
    ],
)
def test_wrong_usage_of_pytest_is_a_sentence(name: str, sentence: str, runs: dict[str, Ended]) -> None:
    """Neither a traceback nor a verdict."""
    assert 4 == runs[name].code, runs[name].said  # pytest's own for wrong usage
    assert sentence in runs[name].said
    assert "Traceback" not in runs[name].said
