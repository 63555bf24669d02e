"""The contents of spec/explanations.yaml: what may lawfully explain a difference that looks like a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import yaml

from animal_conformance.interface.resources import spec_file


@dataclass(frozen=True)
class Explanation:
    """One lawful explanation; the fields are those of spec/explanations.yaml."""

    id: str
    title: str
    lawful: str
    experiment: str


@cache
def load_explanations() -> Mapping[str, Explanation]:
    """The explanations by their ids, in the order of the file."""
    rows = yaml.load(spec_file("explanations.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    return MappingProxyType({row["id"]: Explanation(**row) for row in rows["explanations"]})
