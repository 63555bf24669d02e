"""What CI systems are given to paste runs as they would run it: the steps of the action, and the snippets of docs/ci.md."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from animal_conformance import __version__
from selftests.loopback.deployment import Counted, counted

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GUIDE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
ADDRESS = "https://staging.example/v1"


@pytest.fixture(scope="module")
def broken() -> Iterator[Counted]:
    """A deployment whose limits are one too high."""
    with counted("limit.one-more") as server:
        yield server


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A directory of a job, with the suite installed where the action and Jenkins put it."""
    for folder in ("animal-conformance", ".venv"):
        command = tmp_path / folder / "bin" / "animal-conformance"
        command.parent.mkdir(parents=True)
        command.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -m animal_conformance "$@"\n', encoding="utf-8"
        )
        command.chmod(0o755)
    (tmp_path / "known.yaml").write_text(
        "- {id: list.limit.respected, reason: ticket 7, until: 2999-12-31}\n", encoding="utf-8"
    )
    return tmp_path


def bash(script: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """What bash does with a script, as GitHub starts it."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],  # noqa: S607 - whichever there is
        cwd=home,
        env={
            "PATH": f"{home / '.venv' / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(home),
            **env,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def judge_step(
    home: Path, server: Counted, **inputs: str
) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """The step of the action that judges, with the action's defaults beside these inputs, and its outputs."""
    step = ACTION["runs"]["steps"][-1]
    values = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
    values |= {name.replace("_", "-"): value for name, value in inputs.items()} | {"base-url": server.url}
    variables = {
        name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: values[found[1]], text)
        for name, text in step["env"].items()
    }
    outputs, page = home / "outputs", home / "page.md"
    github = {"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(page)}
    key = {"ANIMAL_STORE_API_KEY": str(server.env["ANIMAL_STORE_API_KEY"])}
    done = bash(step["run"], home, **variables, **github, **key)
    lines = outputs.read_text(encoding="utf-8").splitlines() if outputs.exists() else []
    return done, dict(each.split("=", 1) for each in lines)


def snippet(language: str, mark: str) -> str:
    """The block of the guide in a language that contains a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL)
    [block] = [each for each in blocks if mark in each]
    return str(block)


def test_the_action_fails_the_job_and_says_why(home: Path, broken: Counted) -> None:
    """By annotations, the summary, and outputs; further options are passed on, in however many lines."""
    done, outputs = judge_step(
        home,
        broken,
        profile="smoke",
        report_dir="my reports",
        arguments="--name Staging  --max-creates 10\n--read-only\n",
    )
    assert 1 == done.returncode, done.stderr
    assert "::error title=list.limit.respected (MUST)::" in done.stdout
    assert "Does not conform: Staging" in (home / "page.md").read_text(encoding="utf-8")
    assert ("does-not-conform", "does not conform") == (outputs["outcome"], outputs["headline"])
    run = json.loads((home / outputs["report"]).read_bytes())["run"]
    assert (10, True) == (run["options"]["max_creates"], run["options"]["read_only"])


def test_the_action_lets_through_what_is_known(home: Path, broken: Counted) -> None:
    """With a notice; what no input says is as the settings file has it."""
    (home / "animal-conformance.toml").write_text(
        'profile = "smoke"\nreport-dir = "mine"\n', encoding="utf-8"
    )
    done, outputs = judge_step(home, broken, expect="known.yaml")
    assert str(home / "mine" / "conformance.json") == outputs["report"]
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "::notice title=list.limit.respected (MUST)::Known failure" in done.stdout
    assert "conforms, with 1 known failure" == outputs["headline"]


def test_no_input_is_put_into_a_script_and_every_output_is_one_of_the_step() -> None:
    """A pull request may name an input; what stands in a script would be run."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    told = {each["value"] for each in ACTION["outputs"].values()}
    assert {f"${{{{ steps.judge.outputs.{name} }}}}" for name in ACTION["outputs"]} == told
    assert f"your-organisation/animal-conformance@v{__version__} " in GUIDE
    used = yaml.safe_load(snippet("yaml", "your-organisation"))["jobs"]["conformance"]["steps"][1]["with"]
    assert used.keys() <= ACTION["inputs"].keys()


def assert_fails(run: str, home: Path, broken: Counted) -> None:
    """The command of a snippet runs, and says that the deployment does not conform."""
    key = str(broken.env["ANIMAL_STORE_API_KEY"])
    done = bash(run.replace(ADDRESS, broken.url), home, ANIMAL_STORE_API_KEY=key)
    assert 1 == done.returncode, done.stderr


def test_the_snippet_for_gitlab_runs(home: Path, broken: Counted) -> None:
    """But for the installation; its reports are where it looks for them."""
    job = yaml.safe_load(snippet("yaml", "image:"))["conformance"]
    install, run = job["script"]
    assert f"pip install animal-conformance=={__version__}" == install
    assert_fails(run, home, broken)
    assert (home / job["artifacts"]["reports"]["junit"]).is_file()


def test_the_snippet_for_jenkins_runs(home: Path, broken: Counted) -> None:
    """The same."""
    text = snippet("groovy", "pipeline")
    assert text.count("{") == text.count("}")
    install, run = re.findall(r"sh '([^']*)'", text)
    assert install.endswith(f".venv/bin/pip install animal-conformance=={__version__}")
    assert_fails(run, home, broken)
    [results] = re.findall(r"junit '([^']*)'", text)
    assert (home / results).is_file()


def test_the_image_holds_all_that_an_installation_needs() -> None:
    """And nothing runs as root."""
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert any(re.fullmatch(r"USER [1-9]\d*", line) for line in lines)
    kept = {
        line[1:]
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line[0] == "!"
    }
    assert {
        "animal_conformance",
        "spec",
        "tests",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "constraints.txt",
    } == kept
