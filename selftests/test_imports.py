"""Imports run one way, and the reference deployment stands alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import animal_conformance

PACKAGE = Path(animal_conformance.__file__).parent
# From the top to the bottom; what stands on one level may import each other, one way.
LEVELS = (
    {"__main__"},
    {"cli"},
    {"commands"},
    {"plugin", "run"},
    {
        "reporting",
        "judge",
        "client",
        "strategies",
        "driving",
        "generated",
        "preflight",
        "reaching",
        "transport",
        "trace",
        "options",
        "option_texts",
        "patience",
    },
    {"rules"},
    {"ledger", "completeness", "contract", "clauses", "credentials"},
    {"exchange"},
    {"jsontext", "resources"},
)
PURE = (
    "rules",
    "judge",
    "ledger",
    "completeness",
    "contract",
    "clauses",
    "exchange",
    "jsontext",
    "trace",
    "credentials",
)
NEVER_PURE = {"pytest", "hypothesis", "requests", "urllib3", "schemathesis", "random", "socket", "time"}


def part_of(module: str) -> str:
    """The part of the package that a module belongs to: its first name below the package."""
    return module.split(".")[1] if "." in module else ""


def imports_of(path: Path) -> set[str]:
    """The modules that a file imports, at whatever place."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides where it goes"
            if node.module == "animal_conformance":
                found |= {f"animal_conformance.{alias.name}" for alias in node.names}
            else:
                found.add(node.module or "")
    return found


FILES = sorted(each for each in PACKAGE.rglob("*.py") if "suite" not in each.relative_to(PACKAGE).parts)
GRAPH = {
    path: {part_of(each) for each in imports_of(path) if each.startswith("animal_conformance.")}
    for path in FILES
}


def part_of_file(path: Path) -> str:
    """The part of the package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_imports_run_one_way() -> None:
    """cli, plugin, reporting and judge, rules, ledger, exchange: never upwards."""
    level_of = {name: level for level, names in enumerate(LEVELS) for name in names}
    upwards = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path, others in GRAPH.items()
        for other in sorted(others)
        if part_of_file(path) in level_of and level_of.get(other, 99) < level_of[part_of_file(path)]
    ]
    assert [] == upwards


def test_no_parts_import_each_other() -> None:
    """There is no circle, whatever the levels."""
    edges: dict[str, set[str]] = {}
    for path, others in GRAPH.items():
        edges.setdefault(part_of_file(path), set()).update(others - {part_of_file(path)})
    order: list[str] = []
    while remaining := set(edges) - set(order):
        free = sorted(each for each in remaining if not (edges[each] & remaining))
        assert free, f"a circle among {sorted(remaining)}"
        order += free


def test_the_reference_stands_alone() -> None:
    """Neither does it import what judges, nor do the rules import it: shared code is a shared misreading."""
    for path, others in GRAPH.items():
        if part_of_file(path) == "reference":
            assert others <= {"reference"}, path
        elif part_of_file(path) in PURE:
            assert "reference" not in others, path


@pytest.mark.parametrize("part", PURE)
def test_what_judges_is_pure(part: str) -> None:
    """No test runner, no generator, no network, no clock."""
    for path in FILES:
        if part_of_file(path) == part:
            assert not {each.split(".")[0] for each in imports_of(path)} & NEVER_PURE, path
