"""Every command in the README and in docs/ that can run here does, as it stands, in a checkout with its command installed.

Each document has its turn once in a few days.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from selftests.loopback.deployment import Counted, counted
from selftests.turns import is_turn_now

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", *(f"docs/{each.name}" for each in sorted((ROOT / "docs").glob("*.md"))))
# In how many days each document has its turn.
DAYS = 4
# Why a command that could run here does not; what is not installed is passed over as well.
ELSEWHERE = {
    "./dev check": "it runs this very test",
    "export ": "the key is that of the deployment below",
    "podman ": "an image takes a builder and minutes",
    "animal-conformance soak": "it lasts, and takes workers on other machines; selftests/soak runs it",
}
# What ends only when it is told to: it is, after so many seconds.
LASTING = ("animal-conformance serve",)
LASTS_S = 2
# What a reader has by then, beside what the commands before made.
AT_HAND = {
    "own.json": '[{"name": "Rex", "categoryId": 1}]',
    "certified/README": "one directory for each certificate",
}
# As they stand, they judge at length; a settings file has them do it shortly.
SETTINGS = 'profile = "smoke"\nsettle = 0.1\nconnections = 1\n'


def commands_of(document: str) -> list[str]:
    """The lines behind a prompt, with those that continue them."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [
        command
        for block in blocks
        for command in re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, flags=re.MULTILINE)
    ]


def runs_here(command: str) -> bool:
    """Whether a command is one of the suite's own, or installed."""
    if command.startswith(tuple(ELSEWHERE)):
        return False
    word = command.split(maxsplit=1)[0]
    return word in {"./dev", "animal-conformance", "eval"} or shutil.which(word) is not None


RUN = {
    document: commands
    for document in DOCUMENTS
    if is_turn_now(document, DAYS)
    and (commands := [each for each in commands_of(document) if runs_here(each)])
}


@pytest.fixture(scope="module")
def server() -> Iterator[Counted]:
    """The deployment at every address that the documents name."""
    with counted() as deployment:
        yield deployment


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory, server: Counted) -> Path:
    """A checkout, in which the command is the one of this test, and the reports of two runs."""
    home = tmp_path_factory.mktemp("checkout")
    for folder in ("tests", "spec"):
        shutil.copytree(ROOT / folder, home / folder)
    for file in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / file, home)
    (home / "animal-conformance.toml").write_text(SETTINGS, encoding="utf-8")
    for path, module in (
        ("bin/animal-conformance", "animal_conformance"),
        ("dev", "animal_conformance"),
        ("bin/pytest", "pytest"),
    ):
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n', encoding="utf-8")
        (home / path).chmod(0o755)
    for name, text in AT_HAND.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    paste("animal-conformance run --report-dir last && cp -r last reports", home, server)
    return home


def paste(command: str, home: Path, server: Counted) -> str:
    """What a shell prints for a command, which has to succeed."""
    here = re.sub(r"https://(staging|store)\.example/v1", server.url, command)
    if command.startswith(LASTING):
        # Its exit code says that it was told to end, and not that it could not begin; the usual port may be taken.
        here = f"timeout {LASTS_S} {here} --port 0 || test $? = 124"
    done = subprocess.run(
        ["bash", "-euc", here],  # noqa: S607 - whichever there is
        cwd=home,
        env={
            "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "ANIMAL_STORE_API_KEY": str(server.env["ANIMAL_STORE_API_KEY"]),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert 0 == done.returncode, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("document", RUN)
def test_every_command_of_a_document_runs(document: str, checkout: Path, server: Counted) -> None:
    """One after another, in the same directory."""
    for command in RUN[document]:
        paste(command, checkout, server)


def test_the_example_from_python_runs(tmp_path: Path, server: Counted) -> None:
    """As the README has it, with the key of the deployment."""
    [program] = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    key, here = server.env["ANIMAL_STORE_API_KEY"], program.replace("https://staging.example/v1", server.url)
    (tmp_path / "example.py").write_text(f"api_key = {key!r}\n{here}", "utf-8")
    assert "CONFORMS\n" == paste(f"{sys.executable} example.py", tmp_path, server)
