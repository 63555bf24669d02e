"""Each contender as its users run it: a command in a process, pointed at a deployment that is already running."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from animal_conformance.drive.profiles import DEFAULT_SEED
from animal_conformance.interface.resources import spec_file
from animal_conformance.reference.embedded import EmbeddedDeployment

LONGEST_S = 300
# The key is given as a header, which generated credentials would replace now and then.
CONFIGURATION = "[generation]\nwith-security-parameters = false\n"
SUCCESS = 201


@dataclass(frozen=True)
class Outcome:
    """What a contender found in a deployment.

    ``alarm`` is whether its exit code says that something is wrong, ``kinds`` what is wrong (clauses, or checks by
    operation), ``trouble`` why there is no verdict. ``seconds`` is how long the whole process took.
    """

    seconds: float
    alarm: bool = False
    kinds: frozenset[str] = frozenset()
    requests: int = 0
    creations: int = 0
    trouble: str = ""


@dataclass
class Reached:
    """A running deployment, and the address at which it is reached."""

    base_url: str
    api_key: str


Deployed: TypeAlias = EmbeddedDeployment | Reached


def run_suite(
    deployment: Deployed,
    directory: Path,
    *,
    today: str | None = None,
    seed: int = DEFAULT_SEED,
    profile: str = "standard",
) -> Outcome:
    """`animal-conformance run URL`; the report is left in the directory."""
    command = [
        sys.executable,
        "-m",
        "animal_conformance",
        "run",
        deployment.base_url,
        "--strict",
        f"--profile={profile}",
    ]
    command += [f"--seed={seed}", f"--report-dir={directory}", *([f"--today={today}"] if today else [])]
    code, seconds, output = _timed(command, directory, ANIMAL_STORE_API_KEY=deployment.api_key)
    report = _read_json(directory / "conformance.json")
    if report is None or report["suite_faults"] or code not in {0, 1, 3}:
        return Outcome(seconds, trouble=f"exit {code}: {output[-300:]}")
    failed = frozenset(each["id"] for each in report["clauses"] if each["outcome"] == "failed")
    trouble = report["reason"] if code not in {0, 1} else ""
    run = report["run"]
    return Outcome(seconds, code == 1, failed, run["requests"], run["creations"], trouble)


def run_schemathesis(deployment: Deployed, directory: Path, *, seed: int = 1) -> Outcome:
    """`schemathesis run` with its defaults on the same contract, the key given as a header."""
    configuration = directory / "schemathesis.toml"
    configuration.write_text(CONFIGURATION, encoding="utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", f"--config-file={configuration}", "run"]
    command += [str(spec_file("openapi.yaml"))]
    command += [f"--url={deployment.base_url}", f"--header=Authorization: Bearer {deployment.api_key}"]
    command += [f"--seed={seed}", "--report=ndjson", f"--report-dir={directory}", "--no-color"]
    code, seconds, output = _timed(command, directory)
    reports = sorted(directory.glob("ndjson-*.ndjson"))
    if not reports or code not in {0, 1}:
        return Outcome(seconds, trouble=f"exit {code}: {output[-300:]}")
    recorders = list(_recorders(reports[0]))
    exchanges = [each for recorder in recorders for each in recorder.get("interactions", {}).values()]
    created = [
        each
        for each in exchanges
        if each["request"]["method"] == "POST" and (each.get("response") or {}).get("status_code") == SUCCESS
    ]
    failed = frozenset(
        f"{check['name']} {recorder['label']}"
        for recorder in recorders
        for checks in recorder.get("checks", {}).values()
        for check in checks
        if check["status"] == "failure"
    )
    return Outcome(seconds, code == 1, failed, len(exchanges), len(created))


def _recorders(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder")
            if recorder:
                yield recorder


def _timed(command: list[str], directory: Path, **variables: str) -> tuple[int, float, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ANIMAL_STORE_")}
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    started_s = time.monotonic()
    try:
        done = subprocess.run(
            command,
            env={**environment, **variables},
            cwd=directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LONGEST_S,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return -1, time.monotonic() - started_s, f"not ended within {LONGEST_S} s"
    return done.returncode, time.monotonic() - started_s, done.stdout


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return report
