"""mutants/equivalent.yaml: the changes of the judge that change no verdict, each with its reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import animal_conformance
from selftests.mutants.equivalent import Equivalent, load_equivalents

ROOT = Path(animal_conformance.__file__).parents[1]


def functions_of(path: Path) -> set[str]:
    """The qualified names of a module's functions, and of what is in none."""
    found = {""}

    def visit(node: ast.AST, prefix: str) -> None:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.FunctionDef):
                found.add(f"{prefix}{each.name}")
                visit(each, f"{prefix}{each.name}.<locals>.")
            elif isinstance(each, ast.ClassDef):
                visit(each, f"{prefix}{each.name}.")

    visit(ast.parse(path.read_text(encoding="utf-8")), "")
    return found


@pytest.mark.parametrize(
    "listed", load_equivalents(), ids=lambda each: f"{each.module} {each.function}: {each.after}"
)
def test_a_listed_change_is_one_of_the_code_as_it_is(listed: Equivalent) -> None:
    """Its function is there, its lines are, and there is a reason; that it survives, the trial itself says."""
    path = ROOT / f"{listed.module.replace('.', '/')}.py"
    assert listed.function in functions_of(path)
    assert listed.before in " ".join(path.read_text(encoding="utf-8").split())
    assert listed.before != listed.after
    assert len(listed.why.split()) > 5


def test_a_change_is_listed_once() -> None:
    """Under one reason."""
    keys = [each.key for each in load_equivalents()]
    assert len(set(keys)) == len(keys)
