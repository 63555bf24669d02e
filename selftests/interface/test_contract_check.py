"""A contract document that is wrong is refused, with what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from animal_conformance.cli import main
from animal_conformance.interface.contract_check import ContractError, read_contract
from animal_conformance.interface.resources import spec_file

CONTRACT = spec_file("openapi.yaml").read_text(encoding="utf-8")
LIST = "#/paths/~1pets/get/responses/200/content/application~1json"
CREATE = "#/paths/~1pets/post/requestBody/content/application~1json"
GET = "#/paths/~1pets~1{petId}/get/responses/200/content/application~1json"

# What is put in place of which text behind which, and what is said of it.
MISTAKES = {
    "no info": ("openapi:", "info:", "x-info:", '#: "info" is a required property.'),
    "no description": (
        "operationId: createPet",
        "description: Animal added.",
        "x-description: Animal added.",
        '#/paths/~1pets/post/responses/201: "description" is a required property.',
    ),
    "operation id given twice": (
        "  /pets:",
        "operationId: createPet",
        "operationId: listPets",
        "#: Operation ID 'listPets' for 'post' in '/pets' is not unique.",
    ),
    "unknown reference": (
        "operationId: createPet",
        "#/components/schemas/NewAnimal",
        "#/components/schemas/NewPet",
        f"{CREATE}/schema: the reference #/components/schemas/NewPet cannot be resolved",
    ),
    "reference out of the document": (
        "operationId: createPet",
        "#/components/schemas/NewAnimal",
        "animal.yaml#/NewAnimal",
        f"{CREATE}/schema: the reference animal.yaml#/NewAnimal cannot be resolved",
    ),
    "no schema": (
        "    Int64:\n",
        "maximum: 9223372036854775807",
        "maximum: many",
        '#/components/schemas/Int64/maximum: not a valid JSON Schema: "many" is not of type "number".',
    ),
    "example of a response": (
        "operationId: listPets",
        "categoryId: 9007199254740993}",
        "categoryId: 9223372036854775808}",
        f"{LIST}/examples/two/value/1/categoryId: violates the schema {LIST}/schema: 9223372036854775808 is",
    ),
    "example of a request": (
        "operationId: createPet",
        "value: {name: Mia, categoryId: 3}",
        "value: {name: Mia}",
        f'{CREATE}/examples/required/value: violates the schema {CREATE}/schema: "categoryId" is a required property.',
    ),
    "example below a path parameter": (
        "operationId: getPet\n",
        "status: sold}",
        "status: lost}",
        f'value/status: violates the schema {GET}/schema: "lost" is not one of "available", "pending" or "sold".',
    ),
    "example of a parameter": (
        "    Limit:\n",
        "value: 5",
        "value: 101",
        "#/components/parameters/Limit/examples/few/value: violates the schema #/components/parameters/Limit/schema",
    ),
    "default": (
        "    Limit:\n",
        "default: 20",
        "default: twenty",
        "#/components/parameters/Limit/schema/default: violates the schema",
    ),
    "example in a schema": (
        "    Error:\n",
        "- {code: not_found, message: No animal has this identifier, status: 404}",
        "- {code: not_found, message: 404, status: 404}",
        "#/components/schemas/Error/examples/0/message: violates the schema #/components/schemas/Error",
    ),
    "key given twice": (
        "    NewAnimal:\n",
        "type: object\n",
        "type: object\n      type: object\n",
        "the key type is a duplicate in",
    ),
    "number for a key": ("operationId: getPet\n", '"404":', "404:", "the key 404 is not a string; quote it in"),
    "date": ("openapi:", '"2030-12-05"', "2030-12-05", "Object of type date is not JSON serializable."),
    "bracket left open": ("operationId: getPet\n", "deprecated: true", "deprecated: [true", "line 117, column 21."),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    """And nothing else is."""
    after, old, new, said = MISTAKES[name]
    start = CONTRACT.index(old, CONTRACT.index(after))
    path = tmp_path / "openapi.yaml"
    path.write_text(CONTRACT[:start] + new + CONTRACT[start + len(old) :], encoding="utf-8")
    with pytest.raises(ContractError) as refused:
        read_contract(path)
    [problem] = refused.value.problems
    assert said in problem


@pytest.mark.parametrize("content", [b"", b"[]", b"openapi", b"title: \xff", b"&a [*a]", b"[" * 3000])
def test_what_is_no_document_is_refused(content: bytes, tmp_path: Path) -> None:
    """In one sentence."""
    path = tmp_path / "openapi.yaml"
    path.write_bytes(content)
    with pytest.raises(ContractError, match=r"(?s)^[^\n]+\.$"):
        read_contract(path)


def test_the_command_accepts_the_contract() -> None:
    """Without a file it reads the one that ships."""
    done = CliRunner().invoke(main, ["contract"])
    assert (0, "") == (done.exit_code, done.stderr)
    assert done.output.endswith("is OpenAPI 3.1.0: Animal Store Service 1.0.0, 3 operations.\n")


def test_the_command_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    """Which is bad input: exit code 2."""
    path = tmp_path / "openapi.yaml"
    path.write_text("openapi: 3.0.3", encoding="utf-8")
    done = CliRunner().invoke(main, ["contract", str(path)])
    assert (2, "") == (done.exit_code, done.stdout)
    assert '#/openapi: "3.0.3" does not match' in done.stderr
    assert '#: "info" is a required property.\n' in done.stderr


def test_a_few_aliases_that_make_billions_of_values_are_refused(tmp_path: Path) -> None:
    """Before they are written out."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    (tmp_path / "x.yaml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ContractError, match="more than 1,000,000 values"):
        read_contract(tmp_path / "x.yaml")
    (tmp_path / "x.yaml").write_text("a: &a [*a]", encoding="utf-8")
    with pytest.raises(ContractError, match=r"x\.yaml is not"):
        read_contract(tmp_path / "x.yaml")
