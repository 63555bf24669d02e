"""A fault in the suite is never a verdict on a deployment: it gives exit code 4, names itself, and the rest is judged."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from selftests.loopback.command import Ended, command, smoke
from selftests.loopback.server import KEY, RawServer

RULE = """
from animal_conformance.judge import hearing
def broken(case):
    raise ZeroDivisionError("in a rule")
hearing.hear.__defaults__ = ({**hearing.RULES, "get.found": broken},)
"""
OBSERVER = """
from animal_conformance.judge import hearing
def broken(case):
    raise ZeroDivisionError("in an observer")
hearing.OBSERVERS["open.list.order"] = broken
"""
DRIVER = """
from animal_conformance.drive.store import Store
def broken(self, *arguments):
    raise ZeroDivisionError("in a driver, which has " + self.client.authorizations["valid"][0])
Store.known_ids = broken
"""
REPORT = """
from animal_conformance.report import formats
def broken(*arguments):
    raise ZeroDivisionError("in a report")
formats.junit_xml = broken
"""
PAGE = """
from animal_conformance.commands import run
def broken(*arguments, **options):
    raise ZeroDivisionError("in the page of text")
run.render = broken
"""


def with_fault(fault: str, cwd: Path) -> Ended:
    """Run the command with something of its own broken."""
    with RawServer() as server:
        return smoke(server.url, cwd=cwd, before=partial(exec, fault, {}))


@pytest.mark.parametrize(
    ("fault", "says"),
    [(RULE, "rule get.found"), (OBSERVER, "observer open.list.order"), (DRIVER, "driver test_get.py")],
    ids=("rule", "observer", "driver"),
)
def test_an_exception_of_ours_is_named_as_ours_and_the_rest_is_judged(
    fault: str, says: str, tmp_path: Path
) -> None:
    """Exit code 4, no failed clause, and nearly everything else has passed."""
    ended = with_fault(fault, tmp_path)
    assert ended.code == 4, ended.said
    assert any(each.startswith(says) for each in ended.report["suite_faults"])
    assert "ZeroDivisionError" in str(ended.report["suite_faults"])
    assert says in ended.said
    assert set() == ended.ids("failed")
    assert len(ended.ids("passed")) > 50
    assert not any(KEY.encode() in content for content in ended.everything.values())


def test_a_report_that_cannot_be_made_is_a_fault_of_ours_and_the_others_are_written(tmp_path: Path) -> None:
    """The report that is read by machines says so too."""
    ended = with_fault(REPORT, tmp_path)
    assert ended.code == 4, ended.said
    assert "junit.xml" in str(ended.report["suite_faults"])
    assert {"conformance.json", "report.html", "summary.md", "trace.ndjson"} <= set(ended.files)
    assert "junit.xml" not in ended.files
    assert len(ended.ids("passed")) > 50


def test_a_page_that_cannot_be_shown_is_a_fault_of_ours(tmp_path: Path) -> None:
    """The reports are there; the code is not that of a verdict."""
    ended = with_fault(PAGE, tmp_path)
    assert ended.code == 4, ended.said
    assert "fault in the suite" in ended.said
    assert len(ended.ids("passed")) > 50


@pytest.fixture(scope="module")
def broken_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reports of a run with a finding, on a deployment that has ended."""
    return smoke("--fault", "limit.one-more", cwd=tmp_path_factory.mktemp("broken")).directory


COMMANDS = {
    "report": ("report:judge_trace", "trace.ndjson"),
    "compare": ("compare:compare_reports", "", ""),
    "replay": ("replay:read_report", "", "list.limit.respected"),
    "verify": ("verify:problems_of", ""),
    "clauses": ("clauses:load_clauses",),
    "contract": ("contract:read_contract",),
}


@pytest.mark.parametrize(("error", "code"), [("ZeroDivisionError", 4), ("KeyboardInterrupt", 3)])
@pytest.mark.parametrize("name", COMMANDS)
def test_1_is_a_verdict_and_never_a_fault_or_an_interruption(
    name: str, error: str, code: int, broken_run: Path, tmp_path: Path
) -> None:
    """Whatever happens in a command."""
    place, *words = COMMANDS[name]
    module, _, function = place.partition(":")
    fault = (
        f"import animal_conformance.commands.{module} as module, sys\n"
        f"def broken(*_, **__): raise {error}('Bearer secret')\n"
        f"vars(sys.modules['animal_conformance.commands.{module}'])['{function}'] = broken"
    )
    arguments = [each if each.startswith("list.") else broken_run / each for each in words]
    done = command(name, *arguments, cwd=tmp_path, before=partial(exec, fault, {}))
    assert code == done.code, done.said
    assert ("fault in the suite" if code == 4 else "Interrupted") in done.complaints
    assert "Traceback" not in done.said
    assert "secret" not in done.said


@pytest.mark.parametrize(("error", "code"), [("ImportError", 4), ("KeyboardInterrupt", 3)])
@pytest.mark.parametrize("module", ["cli", "commands.report"])
def test_what_happens_while_a_module_is_imported_is_no_verdict_either(
    module: str, error: str, code: int, broken_run: Path, tmp_path: Path
) -> None:
    """The guard stands before anything is imported."""
    fault = (
        "import sys\n"
        f"class Finder:\n    def find_spec(self, name, *_):\n        if name == 'animal_conformance.{module}': raise {error}\n"
        f"sys.modules.pop('animal_conformance.{module}', None)\n"
        "sys.meta_path.insert(0, Finder())"
    )
    done = command("report", broken_run / "trace.ndjson", cwd=tmp_path, before=partial(exec, fault, {}))
    assert code == done.code, done.said
    assert "Traceback" not in done.said


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ("OSError(24, 'Too many open files')", "raise the limit with ulimit -n"),
        ("OSError(28, 'No space')", "There is no space left"),
        ("MemoryError()", "not enough memory"),
    ],
)
def test_what_the_machine_does_not_give_is_no_fault_of_ours(error: str, says: str, tmp_path: Path) -> None:
    """Nothing is to be reported to anybody; nothing could be judged either."""
    fault = (
        "from animal_conformance.commands import clauses as module\nimport sys\n"
        f"def broken(*_, **__): raise {error}\n"
        "sys.modules['animal_conformance.commands.clauses'].load_clauses = broken"
    )
    done = command("clauses", cwd=tmp_path, before=partial(exec, fault, {}))
    assert 3 == done.code, done.said
    assert says in done.complaints


FULL = Path("/dev/full")


def on_a_full_disk() -> None:
    """Have standard output go where nothing has room."""
    os.dup2(os.open(FULL, os.O_WRONLY), 1)


@pytest.mark.skipif(not FULL.is_char_device(), reason="There is no device that is always full.")
@pytest.mark.parametrize(
    "words",
    [
        "clauses --json", "clauses", "contract", "compare {run} {run}", "compare {run} {run} --markdown",
        "report {run}/trace.ndjson", "run --profile smoke --settle 0", "run --plan", "compare {run} {run} --html /dev/full",
    ],
)  # fmt: skip
def test_output_that_is_lost_is_no_success(words: str, broken_run: Path, tmp_path: Path) -> None:
    """Whoever reads the file that it went to would see no end of it."""
    arguments = words.format(run=broken_run).split()
    before = None if "--html" in words else on_a_full_disk
    done = command(*arguments, cwd=tmp_path, before=before)
    assert done.code == (2 if "--html" in words else 3), done.said
    assert "o space left" in done.complaints
    assert FULL.is_char_device()


def test_a_reader_that_goes_away_is_no_verdict(broken_run: Path, tmp_path: Path) -> None:
    """As `| head` with pipefail; not 1, which listings gave; a verdict stays what it was."""
    for words, code in (
        ("run --profile smoke", 0),
        ("clauses", 0),
        (f"verify {broken_run}", 3),
        (f"report {broken_run}/trace.ndjson", 1),
    ):
        shell = f'set -o pipefail; "$0" -m animal_conformance {words} | true; exit ${{PIPESTATUS[0]}}'
        done = command(cwd=tmp_path, program=("bash", "-c", shell, sys.executable))
        assert code == done.code, (words, done.said)
