"""The kinds of changes: operators of Cosmic Ray, and those that rules need besides.

An operator says where it can change a node of the syntax tree, and changes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol, TypeAlias

import parso
from cosmic_ray.plugins import get_operator

Node: TypeAlias = Any
Position: TypeAlias = tuple[tuple[int, int], tuple[int, int]]

WORD: Final = re.compile(r"""["'][\w./-]+["']""")
MOMENT: Final = re.compile(r"([a-z]\w*_s)(?:\([\w.]+\))?\)*\Z")
CONSTANT: Final = re.compile(r"""["'\d-]|[A-Za-z]\w*\.[A-Z_]+\Z|[A-Z_]+\Z""")


class Operator(Protocol):
    """What Cosmic Ray requires of an operator."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """The position of each way to change a node."""
        ...

    def mutate(self, node: Node, index: int) -> Node:
        """The node, changed in one of these ways."""
        ...


def is_display(node: Node) -> bool:
    """Whether a node is the content of a set, a tuple or a list of several constants."""
    if node.type not in {"testlist_comp", "dictorsetmaker"} or node.children[1].get_code().strip() != ",":
        return False
    return all(CONSTANT.match(each.get_code().strip()) for each in node.children[::2])


class MomentKeeper:
    """Another operator, except on comparisons of two different kinds of moments, such as sending and answering.

    Moments are measured to the microsecond: `<` and `<=` differ only if both are equal, which happens only by chance.
    """

    def __init__(self, name: str) -> None:
        self._operator: Operator = get_operator(f"core/{name}")()

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """The positions of the other operator."""
        return iter(()) if self._is_of_moments(node) else self._operator.mutation_positions(node)

    def mutate(self, node: Node, index: int) -> Node:
        """Change the node as the other operator does."""
        return self._operator.mutate(node, index)

    def _is_of_moments(self, node: Node) -> bool:
        if node.type != "comparison" or len(node.children) != 3:
            return False
        found = [MOMENT.search(each.get_code()) for each in node.children[::2]]
        # Unless a response says that it is older, it shows the state at the time when its request was sent.
        kinds = {each[1].replace("as_of_s", "sent_s") for each in found if each}
        return all(found) and len(kinds) > 1


class ConditionDropper:
    """Drops one of several conditions: `a and b` becomes `a`, and `b`."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Each operand of `and` and `or`."""
        if node.type in {"and_test", "or_test"}:
            yield from ((each.start_pos, each.end_pos) for each in node.children[::2])

    def mutate(self, node: Node, index: int) -> Node:
        """Remove the operand, and the word beside it."""
        at = 2 * index
        del node.children[at - 1 if at else at : at + 1 if at else at + 2]
        return node if len(node.children) > 1 else node.children[0]


class ConditionDecider:
    """Makes a condition always hold, or never."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Each condition of `if`, `elif`, of a conditional expression and of a comprehension, twice."""
        for at in self._conditions(node):
            yield from [(node.children[at].start_pos, node.children[at].end_pos)] * 2

    def mutate(self, node: Node, index: int) -> Node:
        """Put True or False in place of the condition."""
        node.children[self._conditions(node)[index // 2]] = parso.parse((" True", " False")[index % 2])
        return node

    def _conditions(self, node: Node) -> list[int]:
        if node.type == "if_stmt":
            return [at for at in range(1, len(node.children), 4) if node.children[at - 1].value != "else"]
        return {"test": [2], "ternary": [2], "comp_if": [1]}.get(node.type, [])


class OpinionReplacer:
    """Changes what a rule answers: evidence instead of nothing, nothing instead of evidence."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """EVIDENCE anywhere, and the None that a rule returns."""
        evidence = node.type == "name" and node.value == "EVIDENCE"
        if (evidence and node.parent.type not in {"expr_stmt", "import_as_names"}) or self._is_nothing(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Put the other answer in its place."""
        assert index == 0
        return parso.parse(node.prefix + ("None" if node.value == "EVIDENCE" else "EVIDENCE"))

    def _is_nothing(self, node: Node) -> bool:
        if node.type != "keyword" or node.value != "None":
            return False
        answer = node.parent if node.parent.type in {"test", "ternary"} else node
        function = parso.tree.search_ancestor(node, "funcdef")
        return bool(
            answer.parent.type == "return_stmt" and function.annotation.get_code().strip() == "Opinion"
        )


class ElementDropper:
    """Drops one of several constants from a set, a tuple or a list."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Each element of a display that contains only constants."""
        if is_display(node):
            yield from ((each.start_pos, each.end_pos) for each in node.children[::2])

    def mutate(self, node: Node, index: int) -> Node:
        """Remove the element; a tuple of one keeps its comma."""
        del node.children[2 * index : 2 * index + 2]
        if len(node.children) == 1:
            node.children.append(parso.parse(","))
        return node


class WordReplacer:
    """Replaces a word that is compared, looked up or passed as an argument."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Each string of a single word that is an operand, an argument or a subscript."""
        if node.type == "string" and WORD.fullmatch(node.value):
            parent = node.parent.parent if node.parent.type in {"arglist", "subscriptlist"} else node.parent
            if parent.type in {"comparison", "trailer"}:
                yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Put another word in its place."""
        assert index == 0
        return parso.parse(node.prefix + '"another"')


# A comparison that is turned round altogether differs from one whose condition is dropped or decided in less.
_COMPARISONS: Final = ("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is")
_BOUNDARIES: Final = ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")
_BINARY: Final = ("Add_Sub", "Sub_Add", "Mul_Div", "BitAnd_BitOr", "BitOr_BitAnd")
_OTHERS: Final = (
    *("NumberReplacer", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceUnaryOperator_Delete_Not"),
    *("ReplaceUnaryOperator_Delete_USub", "ReplaceContinueWithBreak", "ReplaceBreakWithContinue"),
    *("ExceptionReplacer", "ZeroIterationForLoop"),
)


def operators() -> Mapping[str, Operator]:
    """Every operator by its name."""
    names = [
        *(f"ReplaceComparisonOperator_{each}" for each in _COMPARISONS),
        *(f"ReplaceBinaryOperator_{each}" for each in _BINARY),
        *_OTHERS,
    ]
    own: tuple[Operator, ...] = (
        ConditionDropper(),
        ConditionDecider(),
        OpinionReplacer(),
        ElementDropper(),
        WordReplacer(),
    )
    return {
        **{name: get_operator(f"core/{name}")() for name in names},
        **{
            name: MomentKeeper(name) for name in (f"ReplaceComparisonOperator_{each}" for each in _BOUNDARIES)
        },
        **{type(each).__name__: each for each in own},
    }
