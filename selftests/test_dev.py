"""./dev needs nothing but Python, and says so where that Python will not do."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def dev(tmp_path: Path) -> dict[str, Any]:
    """Read the script, with nothing of its own installed yet."""
    namespace = runpy.run_path(str(ROOT / "dev"))
    functions = namespace["main"].__globals__
    functions["INSTALLED"] = tmp_path / "constraints.txt"
    return namespace


def test_an_old_python_is_refused(
    dev: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says which one to take instead."""
    monkeypatch.setattr(sys, "version_info", (3, 10, 13, "final", 0))
    assert 2 == dev["main"]()
    expected = "dev: this needs Python 3.11 or later: start it with one, as in `python3.12 dev check`\n"
    assert expected == capsys.readouterr().err


def test_a_python_that_cannot_make_environments_is_refused(
    dev: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Debian ships one; it says what to install."""
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert 2 == dev["main"]()
    expected = "dev: this Python has no ensurepip: on Debian and Ubuntu, `apt install python3-venv`\n"
    assert expected == capsys.readouterr().err


def test_nothing_but_the_standard_library_is_imported() -> None:
    """Whatever it needs besides, it has yet to install."""
    lines = (ROOT / "dev").read_text(encoding="utf-8").splitlines()
    names = [
        line.split()[1].partition(".")[0] for line in lines if line.lstrip().startswith(("import ", "from "))
    ]
    assert names
    assert [] == [name for name in names if name not in sys.stdlib_module_names]
