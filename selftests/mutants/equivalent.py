"""The changes that alter no verdict, each with its reason: equivalent.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

PATH = Path(__file__).with_name("equivalent.yaml")


@dataclass(frozen=True)
class Edit:
    """A change of source: its module and function (``""`` for none), and the lines before and after."""

    module: str
    function: str
    before: str
    after: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What identifies the change, whatever its line number."""
        return self.module, self.function, self.before, self.after


@dataclass(frozen=True)
class Equivalent(Edit):
    """A change, and why no exchange could tell it from the original."""

    why: str


def load_equivalents() -> list[Equivalent]:
    """The list: by module and function, each reason with the changes for which it holds."""
    document = yaml.load(PATH.read_bytes(), Loader=yaml.CSafeLoader) or {}
    return [
        Equivalent(f"animal_conformance.judge.{module}", function, before, after, group["why"])
        for module, functions in document.items()
        for function, groups in functions.items()
        for group in groups
        for before, after in group["changes"]
    ]
