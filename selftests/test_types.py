"""Types are strict, tests included. Checked beside the other tests, since mypy alone keeps one core busy for long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_module_passes_strict_types() -> None:
    """As `./dev types` says."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stdout + done.stderr
