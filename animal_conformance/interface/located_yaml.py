"""YAML that knows on which line each of its values stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Step = str | int


@dataclass(frozen=True, order=True)
class Problem:
    """What is wrong with a file, and where."""

    line: int
    message: str

    def __str__(self) -> str:
        """Read as a sentence."""
        return f"line {self.line}: {self.message}"


class NotReadableError(ValueError):
    """The file is no YAML document of mappings with distinct text keys."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


class LocatedYaml:
    """A document and the lines of its values; a value is addressed by the keys and positions that lead to it."""

    def __init__(self, data: dict[str, Any], root: yaml.MappingNode) -> None:
        self.data = data
        self._root = root

    @classmethod
    def read(cls, path: Path) -> "LocatedYaml":
        """Read a file; raises NotReadableError with every line that is wrong."""
        content = path.read_bytes()
        try:
            root = yaml.compose(content.decode(), Loader=yaml.SafeLoader)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise NotReadableError([Problem(line, "this is not UTF-8")]) from error
        except yaml.reader.ReaderError as error:
            line = content.decode().count("\n", 0, error.position) + 1
            raise NotReadableError([Problem(line, f"this is not YAML: {error.reason}")]) from error
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise NotReadableError([Problem(line, f"this is not YAML: {error.problem}")]) from error
        if not isinstance(root, yaml.MappingNode):
            raise NotReadableError([Problem(1, "this is not a mapping")])
        if problems := list(_wrong_keys(root)):
            raise NotReadableError(problems)
        return cls(yaml.SafeLoader("").construct_document(root), root)

    def line(self, path: Sequence[Step]) -> int:
        """Return the line of a value, that of its key where it has one; of its nearest ancestor if it is missing."""
        node: yaml.Node = self._root
        line = 1
        for step in path:
            child = _child(node, step)
            if child is None:
                break
            line, node = child
        return line


def _child(node: yaml.Node, step: Step) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        value = node.value[step]
        return value.start_mark.line + 1, value
    return None


def _wrong_keys(node: yaml.Node) -> Iterator[Problem]:
    if isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _wrong_keys(value)
    if isinstance(node, yaml.MappingNode):
        first: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.tag != "tag:yaml.org,2002:str":
                yield Problem(line, f"the key {key.value} is not text: write it in quotes")
            elif key.value in first:
                yield Problem(
                    line, f"the key {key.value} stands a second time, after line {first[key.value]}"
                )
            first.setdefault(str(key.value), line)
            yield from _wrong_keys(value)
