"""The suite's verdict on programs that were not written for it, held against what they break."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from selftests.frameworks.expectations import EXPECTATIONS, Expectation
from selftests.frameworks.programs import API_KEY, ROOT, has_express, listening

ODDITIES = (
    "assorted",
    "closing",
    "compressed",
    "locking-out",
    "names-of-ten",
    "read-only-key",
    "early-hints",
)


def _judged(base_url: str, directory: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the report of a run."""
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "animal_conformance",
            "run",
            base_url,
            "--report-dir",
            str(directory),
            *options,
        ],
        env={**os.environ, "ANIMAL_STORE_API_KEY": API_KEY, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in run.stdout + run.stderr
    report = json.loads((directory / "conformance.json").read_text(encoding="utf-8"))
    assert [] == report["suite_faults"]
    return run.returncode, report


def _failed(report: dict[str, Any]) -> set[str]:
    return {each["id"] for each in report["clauses"] if each["outcome"] == "failed"}


@pytest.mark.parametrize("expectation", EXPECTATIONS, ids=lambda each: each.program)
def test_a_framework_fails_exactly_the_clauses_that_it_breaks(
    expectation: Expectation, tmp_path: Path
) -> None:
    """Each clause that it breaks is failed, and no other; where it breaks none, it conforms."""
    if expectation.program.endswith(".js") and not has_express():
        pytest.skip("Node.js with Express is not here.")
    with listening(expectation.program) as base_url:
        code, report = _judged(base_url, tmp_path)
    assert set(expectation.breaks) == _failed(report) - set(expectation.hidden)
    assert bool(expectation.breaks) == code


@pytest.mark.parametrize("oddity", ODDITIES)
def test_a_lawful_oddity_of_servers_fails_nothing(oddity: str, tmp_path: Path) -> None:
    """Nothing is held against it, be there a verdict on the whole or not."""
    with listening("oddities.py", ODDITY=oddity) as base_url:
        # Each wrong key that is one too many has to be waited for.
        code, report = _judged(
            base_url, tmp_path, "--profile", "smoke" if oddity == "locking-out" else "standard"
        )
    assert set() == _failed(report)
    assert code in {0, 3}
