"""A part of the matrix, for selftests: judged by the command, in processes forked from one without threads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from selftests.matrix.result import Result

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = 600


def judged_part(directory: Path, *options: str) -> dict[str, Result]:
    """The results of `python -m selftests.matrix` by name; one run of each deployment, two at a time.

    :raises AssertionError: where one of them is not as it has to be; with what the matrix says of it.
    """
    table = directory / "matrix.md"
    done = subprocess.run(
        [sys.executable, "-m", "selftests.matrix", "--at-once=2", f"--output={table}", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_S,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = [Result(**each) for each in json.loads(table.with_suffix(".json").read_text(encoding="utf-8"))]
    return {each.name: each for each in results}
