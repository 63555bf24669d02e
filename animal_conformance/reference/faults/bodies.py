"""Faults of createPet with a body that is no JSON object ('Add an animal': request body required, JSON)."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import Json
from animal_conformance.reference.tools import repaired


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 2, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _bare_words(text: str) -> Json:
    """Read what YAML, or JavaScript, would call an object: names of properties without quotes."""
    return json.loads(re.sub(r"([{,]\s*)([A-Za-z]\w*)\s*:", r'\1"\2":', text))


def _completed(text: str) -> Json:
    """Add what a cut text lacks at its end."""
    for end in ('"}', "}", '":null}', "null}", ":null}"):
        try:
            return json.loads(text + end)
        except ValueError:
            continue
    raise ValueError(text)


_ANYTHING = b'{"name": "unnamed", "categoryId": 1}'
_JSON, _OBJECT = "create.body.json", "create.body.object"


FAULTS = [
    _fault(
        "body.optional",
        "create.body.required",
        "A creation without a body adds an unnamed animal.",
        decode=lambda inner: lambda body: inner(body or _ANYTHING),
    ),
    _fault(
        "body.trailing-comma",
        _JSON,
        "A comma behind the last property is accepted.",
        decode=repaired(lambda text: json.loads(re.sub(r",\s*([}\]])", r"\1", text))),
    ),
    _fault(
        "body.python",
        _JSON,
        "A Python dictionary is accepted, apostrophes and all.",
        decode=repaired(ast.literal_eval),
    ),
    _fault(
        "body.bare-words",
        _JSON,
        "Names of properties are accepted without quotation marks.",
        decode=repaired(_bare_words),
    ),
    _fault(
        "body.cut",
        _JSON,
        "A body whose end is missing is completed.",
        decode=repaired(_completed),
    ),
    _fault(
        "body.anything",
        _JSON,
        "A body that is no JSON adds an unnamed animal.",
        decode=repaired(lambda text: json.loads(_ANYTHING) if text else json.loads(text)),
    ),
    _fault(
        "body.empty-object",
        "create.category-id.required",
        "An object without any property counts as nothing to check, and adds an unnamed animal.",
        read_payload=lambda inner: lambda value: inner(json.loads(_ANYTHING) if value == {} else value),
    ),
    _fault(
        "body.array-first",
        _OBJECT,
        "Of an array the first item is added, or an unnamed animal where there is none.",
        read_payload=lambda inner: (
            lambda value: inner(
                next((item for item in value if isinstance(item, dict)), json.loads(_ANYTHING))
                if isinstance(value, list)
                else value
            )
        ),
    ),
    _fault(
        "body.string",
        _OBJECT,
        "A string adds an animal of that name.",
        read_payload=lambda inner: (
            lambda value: inner({"name": value, "categoryId": 1} if isinstance(value, str) else value)
        ),
    ),
    _fault(
        "body.null",
        _OBJECT,
        "null adds an unnamed animal.",
        read_payload=lambda inner: lambda value: inner(json.loads(_ANYTHING) if value is None else value),
    ),
    _fault(
        "body.scalar",
        _OBJECT,
        "A number or a boolean adds an unnamed animal.",
        read_payload=lambda inner: (
            lambda value: inner(json.loads(_ANYTHING) if isinstance(value, int | float) else value)
        ),
    ),
]
