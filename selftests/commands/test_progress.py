"""progress.py: that a run is alive is shown, on a terminal and in a log."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from animal_conformance.commands.plan import announce
from animal_conformance.commands.progress import Progress
from animal_conformance.session.options import RunOptions


def shown(*, terminal: bool, silence_s: float) -> str:
    """What a run of four drivers shows."""
    text = io.StringIO()
    with Progress(Console(file=text, force_terminal=terminal, width=100), silence_s) as progress:
        progress.say("Asking http://[::1]/v1")
        for done in range(1, 5):
            progress.advance(done, 4)
    return text.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_what_is_about_to_be_judged_is_wrapped_between_words_on_a_terminal(
    *, terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere it is one line, in which a log can be searched."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setenv("COLUMNS", "40")
    announce(RunOptions(base_url="https://a.example/v1"), to_stderr=True)
    lines = capsys.readouterr().err.splitlines()
    assert terminal == (len(lines) > 1)
    if terminal:
        assert max(map(len, lines)) <= 40
    words = " ".join(lines)
    assert words.startswith("About to judge https://a.example/v1: at most 1,300 requests")
    assert words.endswith("and their ids are in conformance.json.")


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
