"""Imports run one way, what judges is pure, and the reference deployment stands alone."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

import animal_conformance

PACKAGE = Path(animal_conformance.__file__).parent
# Each folder with those that it may import; what they may import, it may as well.
BELOW = {
    "record": (),
    "interface": ("record",),
    "judge": ("interface",),
    "send": ("interface",),
    "report": ("judge",),
    "drive": ("judge", "send"),
    "session": ("drive", "report", "reference"),
    "soak": ("session",),
    "api": ("session",),
    "commands": ("api", "soak"),
    "cli": ("commands",),
    "__main__": ("cli",),
    "reference": (),
}
# The same for the rooms of the judge; what is in none of them may import all.
JUDGE_BELOW = {
    "experiments": (),
    "knowledge": ("experiments",),
    "case": ("knowledge",),
    "suspicions": ("case",),
    "rules": ("suspicions",),
    "observers": ("rules",),
}
PURE = ("record", "interface", "judge", "report")
# What needs a network, a clock, chance, a test runner or a generator.
IMPURE = {
    "hypothesis",
    "multiprocessing",
    "pytest",
    "random",
    "requests",
    "schemathesis",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "tempfile",
    "time",
    "urllib3",
}
FILES = sorted(each for each in PACKAGE.rglob("*.py") if "suite" not in each.relative_to(PACKAGE).parts)


def imports_of(path: Path) -> set[str]:
    """The modules that a file imports, at whatever place."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides where it goes"
            found.add(node.module or "")
    return found


def folder_of(path: Path, within: Path = PACKAGE) -> str:
    """The folder of the package in which a file is, or its own name where it is in none."""
    return path.relative_to(within).parts[0].removesuffix(".py")


def folders_imported_by(path: Path, within: Path = PACKAGE) -> set[str]:
    """The folders of the package from which a file imports, its own apart."""
    prefix = ".".join((PACKAGE.name, *within.relative_to(PACKAGE).parts, ""))
    names = {each.removeprefix(prefix).split(".")[0] for each in imports_of(path) if each.startswith(prefix)}
    return names - {folder_of(path, within)}


def all_below(folder: str, below: Mapping[str, Collection[str]] = BELOW) -> set[str]:
    """Whatever a folder may import."""
    return set(below[folder]).union(*(all_below(each, below) for each in below[folder]))


@pytest.mark.parametrize("folder", BELOW)
def test_a_folder_imports_only_what_is_below_it(folder: str) -> None:
    """Commands, session, drive and report, send and judge, interface, record: never upwards, and no circle."""
    upwards = {
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path in FILES
        if folder_of(path) == folder
        for other in folders_imported_by(path) - all_below(folder)
    }
    assert set() == upwards


@pytest.mark.parametrize("room", JUDGE_BELOW)
def test_rules_ask_suspicions_and_suspicions_ask_what_is_known(room: str) -> None:
    """Never the other way."""
    judge = PACKAGE / "judge"
    upwards = {
        f"{path.relative_to(judge)} imports {other}"
        for path in FILES
        if judge in path.parents and folder_of(path, judge) == room
        for other in folders_imported_by(path, judge) - all_below(room, JUDGE_BELOW)
    }
    assert set() == upwards


def test_every_folder_is_on_the_map() -> None:
    """A new folder has to find its place."""
    assert {folder_of(path) for path in FILES} - {"__init__"} == BELOW.keys()


def test_the_package_itself_imports_nothing() -> None:
    """Whoever imports a part of it, such as the reference deployment, imports its face first."""
    assert set() == imports_of(PACKAGE / "__init__.py") - {"__future__"}


@pytest.mark.parametrize("folder", PURE)
def test_a_pure_folder_imports_no_network_clock_or_chance(folder: str) -> None:
    """What it says depends on what it is handed alone."""
    impure = {
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in FILES
        if folder_of(path) == folder
        for name in {each.split(".")[0] for each in imports_of(path)} & IMPURE
    }
    assert set() == impure
