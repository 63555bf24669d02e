"""Every change that is tried: a module of the judge with one thing changed in it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from selftests.mutants.equivalent import Edit
from selftests.mutants.operators import Node, is_display, operators

ROOT: Final = Path(__file__).resolve().parents[2]

# Wording is not behaviour: people read what these functions make and are given, as they read an f-string.
WORDING: Final = {"Finding", "shorten", "side_by_side", "as_json", "_visible"}
# But the verdict depends on this argument of a finding.
BEHAVIOUR: Final = {"related"}

# A line as short as `return None` says nothing without the line before it.
SHORT: Final = 20


@dataclass(frozen=True)
class Change(Edit):
    """A module with one change: by which operator, and at which of the places to which it applies."""

    operator: str
    occurrence: int

    @property
    def number(self) -> int:
        """A number that depends only on the change itself, by which changes are divided into shares."""
        return int.from_bytes(sha256("\n".join(self.key).encode()).digest()[:4])

    @property
    def place(self) -> tuple[str, str]:
        """The module, and the outermost function or method."""
        return self.module, self.function.split(".<locals>")[0]

    def source(self) -> str:
        """The module's source, changed."""
        original = path_of(self.module).read_text(encoding="utf-8")
        return str(mutate_code(original, operators()[self.operator], self.occurrence))


def path_of(module: str) -> Path:
    """Where a module of the checkout is."""
    return ROOT / f"{module.replace('.', '/')}.py"


def changes(module: str) -> list[Change]:
    """Every change of a module, each once."""
    source = path_of(module).read_text(encoding="utf-8")
    seen = {ast.dump(ast.parse(source))}
    found = []
    for name, operator in operators().items():
        nodes = [each for each in ast_nodes(get_ast(source)) for _ in operator.mutation_positions(each)]
        for occurrence, node in enumerate(nodes):
            if not _is_behaviour(node):
                continue
            mutated = mutate_code(source, operator, occurrence)
            tree = ast.dump(ast.parse(mutated))
            if tree not in seen:
                seen.add(tree)
                found.append(Change(module, _function(node), *_lines(source, mutated), name, occurrence))
    return found


def _is_behaviour(node: Node) -> bool:
    """Whether a node is executed, and for more than wording."""
    if node.type == "operator" and node.parent.type in {"parameters", "param"}:
        return False
    if node.type == "number" and is_display(node.parent):
        return False  # another operator drops it instead
    argument, below = "", None
    while node is not None:
        if node.type in {"decorator", "tfpdef", "fstring", "import_from", "import_name"}:
            return False
        if node.type == "annassign" and (below is node.children[1] or "TypeAlias" in node.get_code()):
            return False
        if node.type == "funcdef" and below is not None and below is node.annotation:
            return False
        if node.type == "if_stmt" and node.children[1].get_code().strip() == "TYPE_CHECKING":
            return False
        if node.type == "funcdef" and node.name.value in WORDING:
            return False
        if node.type == "argument" and node.children[1].get_code() == "=":
            argument = node.children[0].value
        called = node.children[0].get_code().strip() if node.type == "atom_expr" else ""
        if called in WORDING and argument not in BEHAVIOUR:
            return False
        below, node = node, node.parent
    return True


def _function(node: Node) -> str:
    """The qualified name of the function around a node; empty for a node that is in a class but in no function."""
    names: list[str] = []
    while node.parent is not None:
        node = node.parent
        if node.type == "funcdef":
            names[:0] = [node.name.value, *["<locals>"] * bool(names)]
        elif node.type == "classdef" and names:
            names[:0] = [node.name.value]
    return ".".join(names)


def _lines(source: str, mutated: str) -> tuple[str, str]:
    """The lines that differ, as they were and as they are."""
    texts = source.splitlines(), mutated.splitlines()
    first = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
    backwards = zip(*(reversed(each[first:]) for each in texts), strict=False)
    last = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], backwards))
    if len(_joined(texts[0][first : len(texts[0]) - last])) < SHORT:
        first -= 1
    before, after = (_joined(each[first : len(each) - last]) for each in texts)
    return before, after


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
