"""Validation of an OpenAPI document.

openapi-spec-validator does most of it, but ignores duplicate keys, dangling references and examples that
violate their schema, and does not give the location of an invalid schema.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from animal_conformance.interface.yaml_reading import read_yaml
from animal_conformance.record.inputs import CONTRACT_BYTES, read_at_most

_ADDRESS = "urn:contract:"


class ContractError(Exception):
    """A file that is not a valid contract; ``problems`` are sentences, each with its location."""

    def __init__(self, *problems: str) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class UniqueKeys(yaml.SafeLoader):
    """YAML restricted to JSON: PyYAML lets the last duplicate key win, and reads the key 404 as a number."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - PyYAML's signature
        """The mapping of a node."""
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen or key.tag != "tag:yaml.org,2002:str":
                what = "is a duplicate" if key.value in seen else "is not a string; quote it"
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value} {what}", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_contract(path: Path) -> dict[str, Any]:
    """An OpenAPI 3.1 document.

    :raises ContractError: if the file cannot be read, or is invalid.
    """
    try:
        document: Any = read_yaml(read_at_most(path, CONTRACT_BYTES), UniqueKeys, str(path))
        json.dumps(document)
    except OSError as error:
        raise ContractError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (yaml.YAMLError, TypeError, ValueError, RecursionError) as error:
        raise ContractError(f"{path} is not JSON-compatible YAML: {' '.join(str(error).split())}.") from error
    if problems := _problems(document):
        raise ContractError(*problems)
    contract: dict[str, Any] = document
    return contract


def _problems(document: Any) -> list[str]:
    """The problems of the first check that finds any: each check requires the one before it."""
    validator = OpenAPIV31SpecValidator(document)
    for reading in (
        _openapi(validator.schema_validator.iter_errors(document)),
        _references(document),
        _schemas(document),
        _examples(document),
        _openapi(validator.iter_errors()),
    ):
        if problems := [f"{place}: {message}." for place, message in reading]:
            return problems
    return []


def _openapi(errors: Iterator[Any]) -> Iterator[tuple[str, str]]:
    for error in errors:
        yield _pointer("#", *error.absolute_path), error.message.splitlines()[0]


def _references(document: Any) -> Iterator[tuple[str, str]]:
    resolver = jsonschema_rs.Registry([(_ADDRESS, document)]).resolver(_ADDRESS)
    for place, node in _mappings(document):
        if isinstance(node.get("$ref"), str):
            try:
                resolver.lookup(node["$ref"])
            except jsonschema_rs.ReferencingError as error:
                yield place, f"the reference {node['$ref']} cannot be resolved: {error}"


def _schemas(document: Any) -> Iterator[tuple[str, str]]:
    for place, node in _mappings(document):
        above, _, step = place.rpartition("/")
        if step == "schema" or above == "#/components/schemas":
            try:
                jsonschema_rs.meta.validate(node)
            except jsonschema_rs.ValidationError as error:
                yield _pointer(place, *error.instance_path), f"not a valid JSON Schema: {error.message}"


def _examples(document: Any) -> Iterator[tuple[str, str]]:
    registry = jsonschema_rs.Registry([(_ADDRESS, document)])
    for place, schema, value in _illustrated(document):
        reference = {"$ref": _ADDRESS + quote(schema, safe="#/~")}
        validator = jsonschema_rs.Draft202012Validator(reference, registry=registry, validate_formats=True)
        for error in validator.iter_errors(value):
            yield _pointer(place, *error.instance_path), f"violates the schema {schema}: {error.message}"


def _illustrated(document: Any) -> Iterator[tuple[str, str, Any]]:
    """Each example and default: its location, the location of its schema, and its value."""
    for place, node in _mappings(document):
        examples = node.get("examples")
        if isinstance(examples, list):
            for position, value in enumerate(examples):
                yield _pointer(place, "examples", position), place, value
        elif isinstance(examples, dict) and "schema" in node:
            for name, example in examples.items():
                if "value" in example:
                    yield _pointer(place, "examples", name, "value"), f"{place}/schema", example["value"]
        if "example" in node:
            yield f"{place}/example", f"{place}/schema" if "schema" in node else place, node["example"]
        if "default" in node:
            yield f"{place}/default", place, node["default"]


def _mappings(value: Any, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield place, value
    if isinstance(value, (dict, list)):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _mappings(child, _pointer(place, key))


def _pointer(place: str, *steps: str | int) -> str:
    return "/".join((place, *(str(each).replace("~", "~0").replace("/", "~1") for each in steps)))
