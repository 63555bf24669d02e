"""Variants that are strict about names, fields and categories: each refuses with 400 what the document lets it refuse."""

from __future__ import annotations

from typing import Any

from animal_conformance.reference.changes import Before, Steps, own, varies
from animal_conformance.reference.mechanisms.common import refuse, refusing
from animal_conformance.reference.model import Json, Payload


def _unwelcome(when: Any) -> Steps:
    return refusing("insert", 400, lambda payload, _: when(payload.name))


def _one_case(before: Before[[Json], Payload], value: Json) -> Payload:
    if isinstance(value, dict) and len({key.lower() for key in value}) < len(value):
        refuse(400, "A field is given twice.")
    return before(value)


def _caseless(before: Before[[bytes], Json], body: bytes) -> Json:
    """Fields match without regard to case, and the last one wins."""
    value = before(body)
    known = {"name": "name", "categoryid": "categoryId", "status": "status"}
    if not isinstance(value, dict):
        return value
    return {known.get(key.lower(), key): item for key, item in value.items()}


VARIANTS = [
    *varies(_unwelcome).rows(
        ("names.two-letters", "Names of one letter are refused.", lambda name: len(name) < 2),
        ("names.no-words", "Names that are words of programs are refused.",
         lambda name: name in {"null", "true", "undefined", "NaN", "[]"}),
        ("names.no-formulas", "Names that a spreadsheet takes for a formula are refused.",
         lambda name: name[:1] in {"=", "+", "-", "@"}),
        ("names.no-attacks", "Names that look like an attack are refused.",
         lambda name: any(each in name for each in ("UNION SELECT", "<script", "../..", "${", "DROP TABLE"))),
        ("names.5000", "Names of more than 5,000 characters are refused.", lambda name: len(name) > 5000)),
    *varies(refusing).rows(
        ("categories.archived", "No animals are added to category 42 any more.",
         "insert", 400, lambda payload, _: payload.category_id == 42)),
    *varies(own).rows(
        ("fields.caseless", "Fields that differ in case alone are refused.", Steps(read_payload=_one_case)),
        ("fields.any-case", "A field in another case replaces the one that is there (golang/go#14750).",
         Steps(decode=_caseless))),
]  # fmt: skip
