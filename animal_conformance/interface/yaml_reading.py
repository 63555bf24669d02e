"""YAML of users, whose aliases may make a huge document of a small file."""

from __future__ import annotations

import io
from typing import Any, Final

import yaml

MOST_VALUES: Final = 1_000_000


def read_yaml(content: bytes, loader: type[yaml.SafeLoader], name: str) -> Any:
    """The document of a text.

    :param name: what errors call the text.
    :raises yaml.YAMLError: if it is not valid, or has more than a million values once its aliases are written out.
    :raises RecursionError: if it is nested too deep.
    """
    # From a stream, since errors that point into a text quote it.
    reading = loader(io.BytesIO(content))
    reading.name = name
    try:
        node = reading.get_single_node()
        if node is None:
            return None
        if _size(node, {}) > MOST_VALUES:
            raise yaml.YAMLError(f"with its aliases written out, it has more than {MOST_VALUES:,} values")
        return reading.construct_document(node)
    finally:
        reading.dispose()


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node holds; if it holds itself, more than are allowed."""
    if id(node) not in known:
        known[id(node)] = MOST_VALUES + 1  # counts where the node is met within itself
        known[id(node)] = 1 + sum(_size(each, known) for each in _children(node))
    return known[id(node)]


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [each for pair in node.value for each in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []
