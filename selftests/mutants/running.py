"""Runs the fast tests against one change, in a process of its own, forked from one that has imported everything.

The change is made in memory alone: no file of the checkout is touched.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

import pytest

from selftests.mutants.changes import ROOT, Change, path_of
from selftests.mutants.swapping import forget, import_all, place_of, swap

TESTS: Final = ("selftests/judge", "selftests/knowledge", "selftests/suspicions", "selftests/rules")
# Longer than all tests take: what takes longer is assumed never to end.
TIME_LIMIT_S: Final = 60
OPTIONS: Final = (
    *("-q", "-x", "--noconftest", "--assert=plain", f"--rootdir={ROOT}"),
    *(
        "-p",
        "no:cacheprovider",
        "-p",
        "no:faulthandler",
        "-p",
        "no:unraisableexception",
        "-p",
        "no:threadexception",
    ),
)

# A change outside all functions may matter to any test.
ANYWHERE: Final = ("", "")
Touched: TypeAlias = Mapping[tuple[str, str], Sequence[str]]


@dataclass
class Chosen:
    """Runs only these tests, in this order, and notes which of them failed."""

    wanted: Sequence[str] | None
    failed: list[str] = field(default_factory=list)
    ran: int = 0

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave all other tests out."""
        if self.wanted is not None:
            by_id = {each.nodeid: each for each in items}
            items[:] = [by_id[each] for each in self.wanted if each in by_id]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be imported as failed."""
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what failed."""
        self.ran += report.when == "call"
        if report.failed:
            self.failed.append(report.nodeid)


@dataclass
class Watch:
    """Which functions each test calls, by the module and the qualified name of the outermost one."""

    called: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    tests: list[str] = field(default_factory=list)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        """Watch one test."""
        self.tests.append(item.nodeid)
        codes: set[CodeType] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                codes.add(frame.f_code)

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)
        for place in set(map(place_of, codes)):
            self.called[place].append(item.nodeid)


def warm() -> frozenset[tuple[str, str]]:
    """Import once what every process would import, and return the functions that this calls."""
    return import_all(_there(TESTS))


def touched() -> Touched:
    """Which tests call each function; raises SystemExit if a test fails without any change."""
    watch, chosen = Watch(), Chosen(None)
    with _quiet():
        pytest.main([*OPTIONS, *_there(TESTS)], plugins=[watch, chosen])
    if chosen.failed or not chosen.ran:
        raise SystemExit(
            f"without any change, {chosen.failed or 'no test'} failed: mutants would say nothing"
        )
    return {**watch.called, ANYWHERE: watch.tests}


def noticed_by(change: Change, batches: Sequence[Sequence[str]], *, anew: bool) -> str:
    """The test that notices a change; ``""`` if none does.

    :param batches: the tests to run, by their ids; each batch only if the ones before notice nothing.
    :param anew: whether everything has to be imported again for this change.
    """
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(TIME_LIMIT_S)
    if anew or not swap(change):
        forget()
        sys.meta_path.insert(0, Changed(change.module, change.source()))
    for wanted in batches:
        chosen = Chosen(wanted)
        files = dict.fromkeys(each.split("::")[0] for each in wanted)
        with _quiet():
            pytest.main([*OPTIONS, *_there(files)], plugins=[chosen])
        if chosen.failed:
            return chosen.failed[0]
    return ""


@dataclass
class Changed(importlib.machinery.SourceFileLoader):
    """Finds one module, and loads this source as its content."""

    module: str
    source: str

    def __post_init__(self) -> None:
        super().__init__(self.module, str(path_of(self.module)))

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """The specification of the one module."""
        if name != self.module:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        """The compiled source."""
        code = compile(self.source, self.path, "exec")
        assert isinstance(code, CodeType), fullname
        return code


def _there(paths: Sequence[str] | Mapping[str, Any]) -> list[str]:
    return [each for each in paths if (ROOT / each).exists()]


def _give_up(*_: object) -> None:
    raise TimeoutError("the tests do not come to an end")


@contextlib.contextmanager
def _quiet() -> Generator[None]:
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        yield
