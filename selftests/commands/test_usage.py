"""What was used wrongly, or cannot be reached, is one sentence that says what to do, and an exit code."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner

from animal_conformance.cli import main
from selftests.commands.running import FOREIGN, KEY, Counted, Ended, command, counted, together

UNREACHED = {"ANIMAL_STORE_BASE_URL": "http://127.0.0.1:9/v1", "ANIMAL_STORE_API_KEY": KEY}


@dataclass(frozen=True)
class Mistake:
    """A command line, what is in the environment, its exit code, and parts of what must be said."""

    arguments: tuple[str, ...]
    said: tuple[str, ...]
    code: int = 2
    env: dict[str, str] = field(default_factory=lambda: UNREACHED)


def run(*arguments: str, said: tuple[str, ...], code: int = 2, env: dict[str, str] | None = None) -> Mistake:
    """A mistake in `run`."""
    return Mistake(("run", *arguments), said, code, UNREACHED if env is None else env)


# These go through a process of their own, as they start others, look names up or connect; and one of each kind.
PROCESSES = {
    "no_key", "option", "command", "clause", "key_in_url", "unwritable", "header", "report", "har", "verify", "fault", "null",
    "serve_host", "nobody_listens", "no_such_name", "wrong_key", "wrong_path",
}  # fmt: skip


AT = "http://127.0.0.1:9/v1"
NOBODY = {"ANIMAL_STORE_BASE_URL": AT}

MISTAKES = {
    "no_key": run(said=("There is no API key. Set ANIMAL_STORE_API_KEY", "--api-key-file"), env=NOBODY),
    "empty_key": run(said=("There is no API key",), env={**NOBODY, "ANIMAL_STORE_API_KEY": ""}),
    "odd_key": run(said=("cannot stand in an Authorization header",), env={**NOBODY, "ANIMAL_STORE_API_KEY": "schlüssel"}),
    "no_key_file": run("--api-key-file", "missing.txt", said=("key file missing.txt cannot be read: No such file",)),
    "empty_key_file": run("--api-key-file", "empty.txt", said=("the file empty.txt holds no key",)),
    "key_directory": run("--api-key-file", ".", said=("The key file . cannot be read",)),
    "no_scheme": run("staging.example/v1", said=("has no scheme", "https://staging.example/v1")),
    "other_scheme": run("ftp://staging.example/v1", said=("is not an http or https address",)),
    "no_host": run("https:///v1", said=("is not an http or https address",)),
    "odd_port": run("http://127.0.0.1:99999/v1", said=("is not an address", "Port out of range")),
    "key_in_odd_url": run(f"{KEY}@127.0.0.1:9/v1", said=("has no scheme",)),
    "odd_brackets": run("http://[::1/v1", said=("is not an address",)),
    "key_in_url": run(f"http://user:{KEY}@127.0.0.1:9/v1", said=("must not carry a user or password", "ANIMAL_STORE_API_KEY")),
    "key_in_query": run(f"{AT}?key={KEY}", said=("must not have a query or fragment",)),
    "unwritable": run("--report-dir", "file/reports", said=("Reports cannot be written to file/reports", "--report-dir")),
    "option": run("--profil", "smoke", said=("No such option", "--profile")),
    "profile": run("--profile", "quick", said=("There is no profile 'quick'; there are smoke, standard, deep",)),
    "clause": run("--clause", "list.limt", said=("No clause begins with 'list.limt'", "`animal-conformance clauses` lists them")),
    "category": run("--category-id", "9223372036854775808", said=("is no int64",)),
    "category_word": run("--category-id", "dogs", said=("--category-id must be a whole number, not 'dogs'",)),
    "fault": run("--fault", "limit.one-mor", said=("There is no fault named 'limit.one-mor': did you mean limit.one-more",), env={}),
    "null": run("--null", "200", said=("There is no null server named '200'",), env={}),
    "fault_elsewhere": run(AT, "--fault", "limit.one-more", said=("belong to the embedded deployment",)),
    "header": run("--header", "X-Tenant", said=("--header must be a header such as 'X-Tenant: 7'",)),
    "header_name": run("--header", "Authorization: Bearer x", said=("--header must be another header than Authorization",)),
    "header_break": run("--header", "X-A: b\r\nX-B: c", said=("--header must be a header such as",)),
    "date": run("--today", "5.12.2030", said=("--today must be a date such as 2030-12-05, not '5.12.2030'",)),
    "seed": run("--seed", "lucky", said=("--seed must be a whole number, or random, not 'lucky'",)),
    "workers": run("--workers", "0", said=("--workers must be a number above 0",)),
    "rate": run("--rate", "fast", said=("--rate must be a number, not 'fast'",)),
    "rate_nothing": run("--rate", "0", said=("--rate must be a number above 0, not 0",)),
    "timeout": run("--timeout", "nan", said=("--timeout must be a number, not 'nan'",)),
    "max_time": run("--max-time", "-1", said=("--max-time must be a number above 0, not -1",)),
    "settle": run("--settle", "-1", said=("--settle and --max-creates must not be negative",)),
    "creates": run("--max-creates", "-1", said=("--settle and --max-creates must not be negative",)),
    "ca": run("--ca-bundle", "missing.pem", said=("The CA bundle missing.pem does not exist",)),
    "client_cert": run("--client-cert", "missing.pem", said=("The client certificate missing.pem does not exist",)),
    "baseline": run("--baseline", "missing.json", said=("The report missing.json cannot be read",)),
    "expect": run("--expect", "missing.yaml", said=("The expectations missing.yaml cannot be read",)),
    "two_addresses": run(AT, AT, said=("unexpected extra argument",)),
    "command": Mistake(("judge",), ("No such command 'judge'",)),
    "report": Mistake(("report", "missing.ndjson"), ("The trace missing.ndjson cannot be read",)),
    "no_trace": Mistake(("report", "empty.txt"), ("empty.txt is not a trace of this suite",)),
    "har": Mistake(("report", "missing.har"), ("missing.har cannot be read",)),
    "no_har": Mistake(("report", "empty.har"), ("empty.har is not a HAR file",)),
    "compare": Mistake(("compare", "missing.json"), ("name two reports or more",)),
    "compare_missing": Mistake(("compare", "missing.json", "empty.txt"), ("missing.json cannot be read",)),
    "replay": Mistake(("replay", "missing.json", "get.found"), ("missing.json cannot be read",)),
    "verify": Mistake(("verify", "missing.json"), ("missing.json cannot be read",), 1),
    "clauses": Mistake(("clauses", "lists"), ("lists",)),
    "serve_fault": Mistake(("serve", "--fault", "nothing"), ("There is no fault named 'nothing'",)),
    "serve_host": Mistake(("serve", "--host", "nowhere.invalid"), ("The host nowhere.invalid is not known",)),
    "nobody_listens": run("http://127.0.0.1:{closed}/v1", said=("Nothing is listening at http://127.0.0.1", "Start the deployment"), code=3),
    "no_such_name": run("http://store.invalid/v1", said=("The name store.invalid does not resolve", "Check the address"), code=3),
    "wrong_key": run("{url}", said=("The deployment refuses the key", "Set ANIMAL_STORE_API_KEY"), code=3, env={"ANIMAL_STORE_API_KEY": "another"}),
    "wrong_path": run("{url}/animals", said=("There is no animal store at", "ends with /v1"), code=3),
}  # fmt: skip


@pytest.fixture(scope="module")
def deployment() -> Iterator[Counted]:
    """A deployment whose key nobody has."""
    with counted() as server:
        yield server


@pytest.fixture(scope="module")
def closed() -> Iterator[int]:
    """A port at which nothing listens, as long as this socket holds it."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory, deployment: Counted, closed: int) -> dict[str, Ended]:
    """Every mistake, made."""
    home = tmp_path_factory.mktemp("usage")

    def make(name: str, mistake: Mistake) -> Ended:
        (home / name).mkdir()
        for file in ("empty.txt", "empty.har", "file"):
            (home / name / file).write_text("", encoding="utf-8")
        arguments = [
            each.replace("{closed}", str(closed)).replace("{url}", deployment.base_url)
            for each in mistake.arguments
        ]
        if name in PROCESSES:
            return command(*arguments, cwd=home / name, env=mistake.env)
        return here(*arguments, cwd=home / name, env=mistake.env)

    alone = {name: make(name, each) for name, each in MISTAKES.items() if name not in PROCESSES}
    return alone | together(**{name: lambda name=name: make(name, MISTAKES[name]) for name in PROCESSES})


def here(*arguments: str, cwd: Path, env: dict[str, str]) -> Ended:
    """The command in this process, for mistakes that it finds before it does anything."""
    cleared = dict.fromkeys((name for name in os.environ if name.startswith(FOREIGN)), None)
    with contextlib.chdir(cwd):
        done = CliRunner().invoke(
            main, list(arguments), env={**cleared, **env}, prog_name="animal-conformance"
        )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ended(done.exit_code, done.stdout, done.stderr, 0.0, cwd / "reports")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_in_a_sentence_with_its_exit_code(name: str, ended: dict[str, Ended]) -> None:
    """Without a traceback, and without the key."""
    mistake, done = MISTAKES[name], ended[name]
    assert mistake.code == done.code, done.said
    for part in mistake.said:
        assert part in done.said
    assert "Traceback" not in done.said
    assert KEY not in done.said
    assert len(done.complaints) < 1000
    assert {"empty.txt", "empty.har", "file", "reports"} >= {
        each.name for each in done.directory.parent.iterdir()
    }


@pytest.mark.parametrize("name", [name for name, each in MISTAKES.items() if each.code == 2])
def test_a_mistake_of_usage_is_told_on_standard_error(name: str, ended: dict[str, Ended]) -> None:
    """Where a pipeline does not swallow it."""
    assert "" == ended[name].output
    assert ended[name].complaints


@pytest.mark.parametrize("name", [name for name, each in MISTAKES.items() if each.code == 3])
def test_a_run_that_cannot_begin_is_one_page(name: str, ended: dict[str, Ended]) -> None:
    """Not forty clauses that could not be told."""
    assert "COULD NOT BE JUDGED" in ended[name].output
    assert "CAN'T TELL" not in ended[name].output
    assert "could-not-judge" == ended[name].report["outcome"]
    assert ended[name].report["remedy"] in ended[name].said


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="Root may write anywhere.")
def test_a_directory_without_permission_is_told(tmp_path: Path) -> None:
    """Before anything is sent."""
    (tmp_path / "closed").mkdir(mode=0o500)
    done = command("run", "--report-dir", "closed", cwd=tmp_path, env=UNREACHED)
    assert 2 == done.code
    assert "Reports cannot be written to closed: permission denied" in done.said
