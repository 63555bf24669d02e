"""The reference deployment shares no code with what judges deployments."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import animal_conformance.reference

_PACKAGE = Path(animal_conformance.reference.__file__).parent
_ROOT = _PACKAGE.parent
_MODULES = sorted(_PACKAGE.rglob("*.py"))


def _imported(module: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides where it goes"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("module", _MODULES, ids=lambda module: str(module.relative_to(_PACKAGE)))
def test_a_module_of_the_reference_imports_nothing_else_of_the_package(module: Path) -> None:
    """Shared code would be a shared misreading."""
    ours = {name for name in _imported(module) if name.split(".")[0] == "animal_conformance"}
    assert {name for name in ours if not name.startswith("animal_conformance.reference")} == set()


def test_the_package_itself_imports_nothing_that_judges() -> None:
    """Importing the reference imports animal_conformance first: that must be next to nothing."""
    assert {
        name for name in _imported(_ROOT / "__init__.py") if name.startswith("animal_conformance")
    } == set()
