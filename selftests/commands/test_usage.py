"""What was used wrongly, or cannot be reached, is one sentence that says what to do, and an exit code.

Each kind of mistake once; what is refused in the value of an option is tried in session/test_options.py.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from click.testing import CliRunner

from animal_conformance.cli import main
from selftests.loopback.command import COMMAND, Ended, Runs, command
from selftests.loopback.deployment import Counted
from selftests.loopback.server import KEY

AT = "http://127.0.0.1:9/v1"
HERE: dict[str, str | None] = {"ANIMAL_STORE_BASE_URL": AT}


@dataclass(frozen=True)
class Mistake:
    """A command line, parts of what must be said, the exit code, and what is in the environment beside the key."""

    arguments: tuple[str, ...]
    said: tuple[str, ...]
    code: int = 2
    env: Mapping[str, str | None] = field(default_factory=lambda: HERE)


def run(*arguments: str, said: tuple[str, ...], code: int = 2, **env: str | None) -> Mistake:
    """A mistake in `run`."""
    return Mistake(("run", *arguments), said, code, {**HERE, **env})


MISTAKES = {
    "no_key": run(said=("No API key given. Set ANIMAL_STORE_API_KEY", "--api-key-file"), ANIMAL_STORE_API_KEY=None),
    "odd_key": run(said=("not allowed in an Authorization header",), ANIMAL_STORE_API_KEY="schlüssel"),
    "no_key_file": run("--api-key-file", "missing.txt", said=("'--api-key-file': File 'missing.txt' does not exist",)),
    "key_option": run("--api-key", KEY, said=("No such option",)),
    "no_scheme": run("staging.example/v1", said=("has no scheme", "https://staging.example/v1")),
    "empty_address": run("", said=("The address is empty: leave it out to judge the reference deployment", "https://staging.example/v1")),
    "blank_address": run(" ", said=("The address is empty: leave it out",)),
    "empty_variable": run(said=("ANIMAL_STORE_BASE_URL is set, and empty: unset it to judge the reference deployment",), ANIMAL_STORE_BASE_URL=""),
    "empty_plan": run("", "--plan", said=("The address is empty: leave it out",)),
    "no_text": run("http://h/\udcff", said=("'http://h/\\udcff' has characters that no address may have",)),
    "no_text_soak": Mistake(("soak", "http://h/\udcff"), ("has characters that no address may have",)),
    "odd_host": run("http://exa mple/v1", said=("'http://exa mple/v1' is not a valid address: its host cannot be read",)),
    "template": run("http://{base_url}/v1", said=("its host cannot be read",)),
    "empty_label": run("http://staging..example/v1", said=("its host cannot be read",)),
    "no_directory": run("--report-dir", "", said=("'--report-dir': No directory is named: is a variable not set?",)),
    "other_unit": run("--rate", "300/min", said=("'300/min' is not a number, with or without its unit, such as 5/s",)),
    "fraction": run("--connections", "1.5", said=("'1.5' is not a valid whole number",)),
    "line_break": run("http://127.0.0.1:9/v\n1", said=("'http://127.0.0.1:9/v\\n1' has characters",)),
    "connections": run("--connections", "150", said=("'--connections': 150 is not in the range 1<=x<=64",)),
    "timeout": run("--timeout", "0.00001", said=("'--timeout': 1e-05 is not in the range 0.05<=x",)),
    "ca_bundle": run("--ca-bundle", "file", said=("file holds no certificate authority that can be read", "--ca-bundle")),
    "client_cert": run("--client-cert", "file", said=("file cannot be used as a client certificate", "a second --client-cert")),
    "empty_soak": Mistake(("soak", ""), ("The address is empty: leave it out to judge the reference deployment",)),
    "empty_soak_variable": Mistake(("soak",), ("ANIMAL_STORE_BASE_URL is set, and empty",), env={"ANIMAL_STORE_BASE_URL": ""}),
    "key_in_odd_url": run(f"{KEY}@127.0.0.1:9/v1", said=("has no scheme",)),
    "key_in_url": run(f"http://user:{quote(KEY, safe='')}@127.0.0.1:9/v1", said=("must not contain a user or password", "ANIMAL_STORE_API_KEY")),
    "unwritable": run("--report-dir", "file/reports", said=("Cannot write reports to file/reports", "--report-dir")),
    "operation": run(f"{AT}/pets", said=("Did you mean http://127.0.0.1:9/v1?",)),
    "deployment": run("stagin", said=("'stagin' is neither an address nor a deployment of", "Did you mean staging?")),
    "write_expect": run("--write-expect", "file", said=("file exists already: name it with --expect as well",)),
    "option": run("--profil", "smoke", said=("No such option", "--profile")),
    "clause": run("--clause", "list.limt", said=("No clause begins with 'list.limt'. Did you mean list.limit?", "`animal-conformance clauses` lists them")),
    "fault": run("--fault", "limit.one-mor", said=("There is no fault named 'limit.one-mor': did you mean limit.one-more",), ANIMAL_STORE_BASE_URL=None),
    "null": run("--null", "200", said=("There is no null server named '200'",), ANIMAL_STORE_BASE_URL=None),
    "fault_elsewhere": run(AT, "--fault", "limit.one-more", said=("apply to the reference deployment",)),
    "header_break": run("--header", "X-A: b\r\nX-B: c", said=("'--header': A header consists of a name",)),
    "header_sign": run("--header", "X-Tenant: €", said=("'--header': A header has a name of letters", "Latin-1")),
    "header_name": run("--header", "X(Tenant): 7", said=("'--header': A header has a name of letters",)),
    "slash_in_user": run("http://user:sK-92/foo@host/v1", said=("'http://...@host/v1' is not a valid address", "%2F")),
    "seed": run("--seed", "lucky", said=("'--seed': 'lucky' is not a valid whole number",)),
    "baseline": run("--baseline", "missing.json", said=("'--baseline': Path 'missing.json' does not exist",)),
    "expect": run("--expect", "missing.yaml", said=("'--expect': File 'missing.yaml' does not exist",)),
    "expect_nothing": run("--expect", "nested.json", said=("nested.json",)),
    "profile": run("--profile", "quick", said=("'--profile': 'quick' is not one of 'smoke', 'standard', 'deep'",)),
    "two_addresses": run(AT, AT, said=("unexpected extra argument",)),
    "command": Mistake(("judge",), ("No such command 'judge'",)),
    "report": Mistake(("report", "missing.ndjson"), ("Path 'missing.ndjson' does not exist",)),
    "no_trace": Mistake(("report", "empty.txt"), ("empty.txt is not a trace of this suite",)),
    "har": Mistake(("report", "missing.har"), ("Path 'missing.har' does not exist",)),
    "no_har": Mistake(("report", "empty.har"), ("empty.har is not a HAR file",)),
    "compare": Mistake(("compare", "file"), ("at least two reports",)),
    "compare_missing": Mistake(("compare", "missing.json", "empty.txt"), ("Path 'missing.json' does not exist",)),
    "replay": Mistake(("replay", "missing.json", "get.found"), ("Path 'missing.json' does not exist",)),
    "verify": Mistake(("verify", "missing.json"), ("Path 'missing.json' does not exist",)),
    "clauses": Mistake(("clauses", "lists"), ("No clause begins with 'lists'",)),
    "serve_fault": Mistake(("serve", "--fault", "nothing"), ("There is no fault named 'nothing'",)),
    "serve_variant": Mistake(("serve", "--variant", "order.shuffle"), ("There is no variant named 'order.shuffle'", "order.shuffled")),
    "serve_null": Mistake(("serve", "--null", "200-objekt"), ("There is no null server named '200-objekt'", "200-object")),
    "serve_database": Mistake(("serve", "--port", "0", "--database", "missing/animals.db"), ("--database",)),
    "serve_host": Mistake(("serve", "--host", "nowhere.invalid"), ("Unknown host nowhere.invalid",)),
    "serve_key_file": Mistake(("serve", "--api-key-file", "missing.txt"), ("missing.txt",)),
    "serve_key": Mistake(("serve",), ("visible ASCII",), env={"ANIMAL_STORE_API_KEY": "two words"}),
    "serve_host_label": Mistake(("serve", "--host", "a..b"), ("Unknown host a..b",)),
    "serve_host_length": Mistake(("serve", "--host", "a" * 70), ("Unknown host aaa",)),
    "serve_query": Mistake(("serve", "--base-path", "/v1?x"), ("The base path '/v1?x' is not the path of an address",)),
    "serve_break": Mistake(("serve", "--base-path", "/v1\nx"), ("The base path '/v1\\nx' is not the path",)),
    "serve_percent": Mistake(("serve", "--base-path", "/%"), ("The base path '/%' is not the path",)),
    "serve_letters": Mistake(("serve", "--base-path", "/a b/ü"), ("The base path '/a b/ü' is not the path of an address",)),
    "serve_nested": Mistake(("serve", "--animals", "nested.json"), ("Cannot read the animals of nested.json: it is not JSON",)),
    "serve_port": Mistake(("serve", "--port", "{taken}"), ("--port",)),
    "nobody_listens": run("http://127.0.0.1:{closed}/v1", said=("Nothing is listening at http://127.0.0.1", "Start the deployment", "; 5 requests, 0 animals"), code=3),
    "no_tls": run("https://127.0.0.1:{taken}/v1", said=("does not speak TLS", "Use the same address with http"), code=3),
    "no_such_name": run("http://store.invalid/v1", said=("The host name store.invalid does not resolve", "Check the address"), code=3),
    "wrong_key": run("{url}", said=("The deployment rejects the key", "Set ANIMAL_STORE_API_KEY"), code=3, ANIMAL_STORE_API_KEY="another"),
    "key_with_scheme": run("{url}", said=("rejects the key", "The key begins with 'Bearer ': give it without."), code=3, ANIMAL_STORE_API_KEY=f"Bearer {KEY}"),
    "key_in_quotes": run("{url}", said=("rejects the key", "The key is in quotes: give it without them."), code=3, ANIMAL_STORE_API_KEY=f"'{KEY}'"),
    "wrong_path": run("{url}/animals", said=("There is no animal store at", "ends with /v1"), code=3),
}  # fmt: skip
# In a process of their own, so that what a fork has imported already cannot hide what a start lacks.
APART = {"no_key", "command"}


@pytest.fixture(scope="module")
def closed() -> Iterator[int]:
    """A port at which nothing listens, as long as this socket holds it."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory, correct: Counted, closed: int) -> Runs:
    """Every mistake, made when a test first needs it."""
    home = tmp_path_factory.mktemp("usage")

    def make(name: str, mistake: Mistake) -> Ended:
        (home / name).mkdir()
        (home / "animal-conformance.toml").write_text(
            f'[deployments.staging]\nurl = "{AT}"\n', encoding="utf-8"
        )
        for file in ("empty.txt", "empty.har", "file"):
            (home / name / file).write_text("", encoding="utf-8")
        (home / name / "nested.json").write_text("[" * 100_000, encoding="utf-8")
        places = {"{closed}": str(closed), "{url}": correct.url, "{taken}": f"{urlsplit(correct.url).port}"}
        arguments = list(mistake.arguments)
        for mark, text in places.items():
            arguments = [each.replace(mark, text) for each in arguments]
        program = COMMAND if name in APART else ()
        return command(*arguments, cwd=home / name, env=mistake.env, program=program)

    return Runs(**{name: partial(make, name, each) for name, each in MISTAKES.items()})


def test_a_working_directory_that_is_gone_is_said(tmp_path: Path) -> None:
    """Before settings are looked for in it."""
    home = tmp_path / "gone"
    done = command("run", cwd=home, before=home.rmdir)
    assert 2 == done.code, done.said
    assert "The working directory is gone: change to one that is there." in done.said


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_in_a_sentence_with_its_exit_code(name: str, ended: Runs) -> None:
    """Without a traceback, and without the key."""
    mistake, done = MISTAKES[name], ended[name]
    assert mistake.code == done.code, done.said
    for part in mistake.said:
        assert part in done.said
    assert "Traceback" not in done.said
    assert KEY not in done.said
    assert quote(KEY, safe="") not in done.said
    assert len(done.complaints) < 1000
    beside = {each.name for each in done.directory.parent.iterdir()}
    assert {"empty.txt", "empty.har", "file", "nested.json", "reports"} >= beside


@pytest.mark.parametrize("name", [name for name, each in MISTAKES.items() if each.code == 2])
def test_a_mistake_of_usage_is_told_on_standard_error(name: str, ended: Runs) -> None:
    """Where a pipeline does not swallow it."""
    assert "" == ended[name].output
    assert ended[name].complaints
    assert "About to judge" not in ended[name].complaints


@pytest.mark.parametrize("name", [name for name, each in MISTAKES.items() if each.code == 3])
def test_a_run_that_cannot_begin_is_one_page(name: str, ended: Runs) -> None:
    """Not forty clauses that could not be determined."""
    assert "COULD NOT BE JUDGED" in ended[name].output
    assert "CAN'T TELL" not in ended[name].output
    assert "could-not-judge" == ended[name].report["outcome"]
    assert ended[name].report["remedy"] in ended[name].said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_key", "No API key given. Set ANIMAL_STORE_API_KEY, or"),
        ("profile", "Invalid value for '--profile': 'quick' is not one of"),
        ("no_har", "empty.har is not a HAR file"),
    ],
)
def test_a_job_shows_a_mistake_on_its_page(name: str, said: str, tmp_path: Path) -> None:
    """As an annotation beside the sentence, on standard error as well."""
    (tmp_path / "empty.har").write_text("", encoding="utf-8")
    mistake = MISTAKES[name]
    ended = command(*mistake.arguments, cwd=tmp_path, env={**mistake.env, "GITHUB_ACTIONS": "true"})
    assert (2, "") == (ended.code, ended.output), ended.said
    annotations = [each for each in ended.complaints.splitlines() if each.startswith("::")]
    begin = f"::error title=animal-conformance::{said}"
    assert [begin] == [each[: len(begin)] for each in annotations]


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("--limt", []),
        ("--profil", ["--profile"]),
        ("--time-out", ["--timeout"]),
        ("--max-creations", ["--max-creates"]),
    ],
)
def test_only_near_misses_are_suggested(given: str, near: list[str]) -> None:
    """No option that has nothing but its dashes and a few letters in common."""
    done = CliRunner().invoke(main, ["run", given, "3"])
    assert 2 == done.exit_code
    assert [given, *near] == re.findall(r"'(--[a-z-]+)'", done.stderr.splitlines()[-1])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="Root may write anywhere.")
def test_a_directory_without_permission_is_told(tmp_path: Path) -> None:
    """Before anything is sent."""
    (tmp_path / "closed").mkdir(mode=0o500)
    done = command("run", "--report-dir", "closed", cwd=tmp_path, env=HERE)
    assert 2 == done.code
    assert "Directory 'closed' is not writable" in done.said
