"""Says what is wrong with an OpenAPI document, and on which line: python -m animal_conformance.interface.contract_check [FILE].

Five readings, each of which needs the one before it: as YAML, for references that lead nowhere, for schemas,
for the examples that illustrate them, and as OpenAPI 3.1.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
from openapi_spec_validator import OpenAPIV31SpecValidator

from animal_conformance.interface.located_yaml import LocatedYaml, NotReadableError, Problem, Step
from animal_conformance.interface.resources import spec_file

_Path = tuple[Step, ...]
_ADDRESS = "urn:contract:"
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
# Below these keys stand values of the interface, in which nothing is a reference or a schema.
_VALUES = ("default", "const", "enum", "example", "value")


def check(path: Path) -> list[Problem]:
    """Return what is wrong with a document, by line; nothing if it is right."""
    try:
        document = LocatedYaml.read(path)
    except NotReadableError as error:
        return sorted(error.problems)
    for reading in (_references, _schema_errors, _example_errors, _openapi):
        if problems := set(reading(document)):
            return sorted(problems)
    return []


def resolve(data: Mapping[str, Any], reference: str) -> Any:
    """Return what a reference such as `#/paths/~1pets/get` points at, through other references on the way.

    Raises LookupError where it leads nowhere.
    """
    if not reference.startswith("#/"):
        raise LookupError(f"{reference} does not point into the document")
    value: Any = data
    for part in reference[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        while isinstance(value, dict) and key not in value and "$ref" in value:
            value = resolve(data, value["$ref"])
        value = (
            value[int(key)] if isinstance(value, list) and key.isdecimal() else _member(value, key, reference)
        )
    return value


def _member(value: Any, key: str, reference: str) -> Any:
    if not isinstance(value, dict) or key not in value:
        raise LookupError(f"{reference} leads nowhere: there is no {key}")
    return value[key]


def _references(document: LocatedYaml) -> Iterator[Problem]:
    for path, value in _walk(document.data):
        if path and path[-1] == "$ref":
            try:
                resolve(document.data, str(value))
            except LookupError as error:
                yield Problem(document.line(path), f"the reference {error}")


def _schema_errors(document: LocatedYaml) -> Iterator[Problem]:
    for path in _schemas(document.data):
        try:
            jsonschema_rs.meta.validate(_at(document.data, path))
        except jsonschema_rs.ValidationError as error:
            line = document.line((*path, *error.instance_path))
            yield Problem(line, f"this is no JSON Schema: {error.message}")


def _example_errors(document: LocatedYaml) -> Iterator[Problem]:
    registry = jsonschema_rs.Registry([(_ADDRESS, document.data)])
    for path, schema in chain(_examples_in_schemas(document.data), _examples_beside_schemas(document.data)):
        pointer = _pointer(schema)
        validator = jsonschema_rs.Draft202012Validator(
            {"$ref": _ADDRESS + quote(pointer, safe="#/~")}, registry=registry, validate_formats=True
        )
        for error in validator.iter_errors(_at(document.data, path)):
            line = document.line((*path, *error.instance_path))
            what = "default" if path[-1] == "default" else "example"
            yield Problem(line, f"the {what} breaks its schema {pointer}: {error.message}")


def _openapi(document: LocatedYaml) -> Iterator[Problem]:
    for path, value in _walk(document.data):
        match path:
            case ("paths", _, method) if method in _METHODS and "responses" not in value:
                # OpenAPI 3.1 would let it pass, and everything would be a lawful answer.
                yield Problem(document.line(path), "the operation has no responses")
    for error in OpenAPIV31SpecValidator(document.data).iter_errors():
        where = tuple(error.absolute_path) or _named_operation(document.data, error.message)
        yield Problem(document.line(where), error.message.splitlines()[0])


def _named_operation(data: Mapping[str, Any], message: str) -> _Path:
    # The validator's own rules, such as operation ids being unique, say where only in words:
    # "Operation ID 'listPets' for 'post' in '/pets' is not unique".
    words = re.findall(r"'([^']*)'", message)
    for address in words:
        for method in words:
            if method in data.get("paths", {}).get(address, {}):
                return ("paths", address, method)
    return ()


def _walk(value: Any, path: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, child in value.items():
            # A property may be called `default` or `value` as well.
            if key not in _VALUES or path[-1:] == ("properties",):
                yield from _walk(child, (*path, key))
    elif isinstance(value, list) and path[-1:] != ("examples",):
        for position, child in enumerate(value):
            yield from _walk(child, (*path, position))


def _schemas(data: Mapping[str, Any]) -> Iterator[_Path]:
    for path, _ in _walk(data):
        if path[-1:] == ("schema",) or (path[:2] == ("components", "schemas") and len(path) == 3):
            yield path


def _examples_in_schemas(data: Mapping[str, Any]) -> Iterator[tuple[_Path, _Path]]:
    """Yield the path of each example or default that stands in a schema, and the path of that schema."""
    schemas = list(_schemas(data))
    for path, value in _walk(data):
        in_schema = any(path[: len(schema)] == schema for schema in schemas)
        if not in_schema or not isinstance(value, dict) or path[-1] == "properties":
            continue
        if isinstance(value.get("examples"), list):
            for position, _ in enumerate(value["examples"]):
                yield (*path, "examples", position), path
        for key in ("example", "default"):
            if key in value:
                yield (*path, key), path


def _examples_beside_schemas(data: Mapping[str, Any]) -> Iterator[tuple[_Path, _Path]]:
    """Yield the path of each example of a parameter or a media type, and the path of its schema."""
    for path, value in _walk(data):
        if not isinstance(value, dict) or "schema" not in value or path[-1] == "properties":
            continue
        if "example" in value:
            yield (*path, "example"), (*path, "schema")
        for name, example in value.get("examples", {}).items():
            if "value" in example:
                yield (*path, "examples", name, "value"), (*path, "schema")


def _at(data: Any, path: _Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _pointer(path: _Path) -> str:
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "#/" + "/".join(escaped)


def main() -> int:
    """Check the file that is named, or the contract; answers with an exit code."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else spec_file("openapi.yaml")
    try:
        problems = check(path)
    except OSError as error:
        sys.stderr.write(f"{path}: {error.strerror}\n")
        return 2
    for problem in problems:
        sys.stdout.write(f"{path}, {problem}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
