"""examples.py: examples from Hypothesis."""

from __future__ import annotations

import subprocess
import sys

NAMELESS = """
import pwd

def unknown(number):
    raise KeyError(number)

pwd.getpwuid = unknown
from animal_conformance.drive.examples import drawn
from hypothesis.strategies import integers
print(len(drawn(integers(), 3, "seed")))
"""


def test_a_user_who_has_a_number_and_no_name_gets_examples() -> None:
    """As in a container that runs with the ids of whoever started it."""
    done = subprocess.run(
        [sys.executable, "-c", NAMELESS], capture_output=True, text=True, check=False, env={}
    )
    assert ("3", "") == (done.stdout.strip(), done.stderr)
