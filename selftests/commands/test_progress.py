"""progress.py: that a run is alive is shown, on a terminal and in a log."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from animal_conformance.commands.progress import Progress


def shown(*, terminal: bool, silence_s: float) -> str:
    """What a run of four drivers shows."""
    text = io.StringIO()
    with Progress(Console(file=text, force_terminal=terminal, width=100), silence_s) as progress:
        progress.say("Asking http://[::1]/v1")
        for done in range(1, 5):
            progress.advance(done, 4)
    return text.getvalue()


def test_a_short_run_says_nothing_in_a_log() -> None:
    """What it has to say comes at its end."""
    assert "" == shown(terminal=False, silence_s=30)


def test_a_long_run_says_in_a_log_how_far_it_is() -> None:
    """Once in a while, in whole lines."""
    lines = shown(terminal=False, silence_s=0).splitlines()
    assert "Asking http://[::1]/v1, 3 of 4 drivers done after 0 s" in lines


@pytest.mark.parametrize("silence_s", [0, 30])
def test_a_terminal_has_a_bar(silence_s: float) -> None:
    """And no lines."""
    text = shown(terminal=True, silence_s=silence_s)
    assert "4/4" in text
    assert "drivers done" not in text
