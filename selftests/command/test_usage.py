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
from selftests.command.running import FOREIGN, KEY, Counted, Ended, command, counted, together

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
    "no_key_file": run("--api-key-file", "missing.txt", said=("'--api-key-file': File 'missing.txt' does not exist",)),
    "empty_key_file": run("--api-key-file", "empty.txt", said=("the file empty.txt holds no key",)),
    "key_directory": run("--api-key-file", ".", said=("'--api-key-file': File '.' is a directory",)),
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
    "profile": run("--profile", "quick", said=("'--profile': 'quick' is not one of 'smoke', 'standard', 'deep'",)),
    "clause": run("--clause", "list.limt", said=("No clause begins with 'list.limt'", "`animal-conformance clauses` lists them")),
    "category": run("--category-id", "9223372036854775808", said=("'--category-id'", "is not in the range -9223372036854775808<=x<=9223372036854775807")),
    "category_word": run("--category-id", "dogs", said=("'--category-id'", "'dogs' is not a valid")),
    "fault": run("--fault", "limit.one-mor", said=("There is no fault named 'limit.one-mor': did you mean limit.one-more",), env={}),
    "null": run("--null", "200", said=("There is no null server named '200'",), env={}),
    "fault_elsewhere": run(AT, "--fault", "limit.one-more", said=("belong to the embedded deployment",)),
    "header": run("--header", "X-Tenant", said=("'--header': A header has a name, a colon and a value, such as 'X-Tenant: 7'",)),
    "header_name": run("--header", "Authorization: Bearer x", said=("'--header': The suite sets Authorization itself",)),
    "header_break": run("--header", "X-A: b\r\nX-B: c", said=("'--header': A header has a name",)),
    "date": run("--today", "5.12.2030", said=("'--today': '5.12.2030' does not match the format '%Y-%m-%d'",)),
    "seed": run("--seed", "lucky", said=("'--seed': 'lucky' is not a valid whole number",)),
    "connections": run("--connections", "0", said=("'--connections': 0 is not in the range x>=1",)),
    "rate": run("--rate", "fast", said=("'--rate': 'fast' is not a valid number",)),
    "rate_nothing": run("--rate", "0", said=("'--rate': 0.0 is not in the range",)),
    "timeout": run("--timeout", "nan", said=("'--timeout': 'nan' is not a valid number",)),
    "max_time": run("--max-time", "-1", said=("'--max-time': -1.0 is not in the range",)),
    "settle": run("--settle", "inf", said=("'--settle': inf is not in the range 0<=x<=1000000",)),
    "creates": run("--max-creates", "-1", said=("'--max-creates': -1 is not in the range x>=0",)),
    "ca": run("--ca-bundle", "missing.pem", said=("'--ca-bundle': Path 'missing.pem' does not exist",)),
    "client_cert": run("--client-cert", "missing.pem", said=("'--client-cert': File 'missing.pem' does not exist",)),
    "baseline": run("--baseline", "missing.json", said=("'--baseline': File 'missing.json' does not exist",)),
    "expect": run("--expect", "missing.yaml", said=("'--expect': File 'missing.yaml' does not exist",)),
    "two_addresses": run(AT, AT, said=("unexpected extra argument",)),
    "command": Mistake(("judge",), ("No such command 'judge'",)),
    "report": Mistake(("report", "missing.ndjson"), ("File 'missing.ndjson' does not exist",)),
    "no_trace": Mistake(("report", "empty.txt"), ("empty.txt is not a trace of this suite",)),
    "har": Mistake(("report", "missing.har"), ("File 'missing.har' does not exist",)),
    "no_har": Mistake(("report", "empty.har"), ("empty.har is not a HAR file",)),
    "compare": Mistake(("compare", "file"), ("name two reports or more",)),
    "compare_missing": Mistake(("compare", "missing.json", "empty.txt"), ("Path 'missing.json' does not exist",)),
    "replay": Mistake(("replay", "missing.json", "get.found"), ("Path 'missing.json' does not exist",)),
    "verify": Mistake(("verify", "missing.json"), ("Path 'missing.json' does not exist",)),
    "clauses": Mistake(("clauses", "lists"), ("No clause begins with 'lists'",)),
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
    assert "Directory 'closed' is not writable" in done.said
