"""A contract document that is wrong is refused, with the line that is wrong."""

import sys
from pathlib import Path

import pytest

from animal_conformance.interface import contract_check
from animal_conformance.interface.resources import spec_file

CONTRACT = spec_file("openapi.yaml").read_text(encoding="utf-8")


def problems_of(tmp_path: Path, text: str) -> list[str]:
    """Return what is said of a document."""
    document = tmp_path / "openapi.yaml"
    document.write_text(text, encoding="utf-8")
    return [str(problem) for problem in contract_check.check(document)]


def line_of(text: str, *marks: str) -> int:
    """Return the line of the last mark, each being looked for behind the one before it."""
    position = 0
    for mark in marks:
        position = text.index(mark, position)
    return text.count("\n", 0, position) + 1


def replaced(after: str, old: str, new: str) -> str:
    """Return the contract with the first `old` behind `after` replaced by `new`."""
    start = CONTRACT.index(old, CONTRACT.index(after))
    return CONTRACT[:start] + new + CONTRACT[start + len(old) :]


def test_the_contract_is_right() -> None:
    """It is OpenAPI 3.1, and each of its examples satisfies its schema."""
    assert [] == contract_check.check(spec_file("openapi.yaml"))


def test_an_operation_without_responses_is_refused(tmp_path: Path) -> None:
    """Without responses every answer would be lawful."""
    text = replaced("operationId: getPet\n", "responses:", "x-responses:")
    line = line_of(text, "/pets/{petId}:", "get:")
    assert [f"line {line}: the operation has no responses"] == problems_of(tmp_path, text)


def test_an_unknown_reference_is_refused(tmp_path: Path) -> None:
    """The line is that of the reference."""
    text = replaced("operationId: createPet", "#/components/schemas/NewAnimal", "#/components/schemas/NewPet")
    line = line_of(text, "schemas/NewPet")
    message = "the reference #/components/schemas/NewPet leads nowhere: there is no NewPet"
    assert [f"line {line}: {message}"] == problems_of(tmp_path, text)


def test_a_reference_out_of_the_document_is_refused(tmp_path: Path) -> None:
    """The contract is one file."""
    text = replaced("operationId: createPet", "#/components/schemas/NewAnimal", "animal.yaml#/NewAnimal")
    line = line_of(text, "animal.yaml")
    message = "the reference animal.yaml#/NewAnimal does not point into the document"
    assert [f"line {line}: {message}"] == problems_of(tmp_path, text)


@pytest.mark.parametrize(
    ("after", "old", "new", "message"),
    [
        pytest.param(
            "operationId: listPets",
            "categoryId: 9007199254740993}",
            "categoryId: 9223372036854775808}",
            "the example breaks its schema #/paths/~1pets/get/responses/200/content/application~1json/schema: "
            "9223372036854775808 is greater than the maximum of 9223372036854775807",
            id="response",
        ),
        pytest.param(
            "operationId: createPet",
            "value: {name: Mia, categoryId: 3}",
            "value: {name: Mia}",
            "the example breaks its schema #/paths/~1pets/post/requestBody/content/application~1json/schema: "
            '"categoryId" is a required property',
            id="request",
        ),
        pytest.param(
            "operationId: getPet\n",
            "status: sold}",
            "status: lost}",
            "the example breaks its schema "
            "#/paths/~1pets~1{petId}/get/responses/200/content/application~1json/schema: "
            '"lost" is not one of "available", "pending" or "sold"',
            id="response below a path parameter",
        ),
        pytest.param(
            "    Limit:\n",
            "value: 5",
            "value: 101",
            "the example breaks its schema #/components/parameters/Limit/schema: "
            "101 is greater than the maximum of 100",
            id="parameter",
        ),
        pytest.param(
            "    Limit:\n",
            "default: 20",
            "default: twenty",
            'the default breaks its schema #/components/parameters/Limit/schema: "twenty" is not of type "integer"',
            id="default",
        ),
        pytest.param(
            "    Error:\n",
            "- {code: not_found, message: No animal has this identifier, status: 404}",
            "- {code: not_found, message: 404, status: 404}",
            'the example breaks its schema #/components/schemas/Error: 404 is not of type "string"',
            id="schema",
        ),
    ],
)
def test_an_example_that_breaks_its_schema_is_refused(
    tmp_path: Path, after: str, old: str, new: str, message: str
) -> None:
    """The line is that of the value which is wrong, wherever examples may stand."""
    text = replaced(after, old, new)
    assert [f"line {line_of(text, after, new)}: {message}"] == problems_of(tmp_path, text)


def test_a_schema_that_is_none_is_refused(tmp_path: Path) -> None:
    """The line is that of the keyword."""
    text = replaced("    Int64:\n", "maximum: 9223372036854775807", "maximum: many")
    line = line_of(text, "maximum: many")
    message = 'this is no JSON Schema: "many" is not of type "number"'
    assert [f"line {line}: {message}"] == problems_of(tmp_path, text)


def test_a_response_without_description_is_refused(tmp_path: Path) -> None:
    """What OpenAPI requires is required."""
    text = replaced("operationId: createPet", "description: Animal added.", "x-description: Animal added.")
    line = line_of(text, "operationId: createPet", '"201":')
    assert [f'line {line}: "description" is a required property'] == problems_of(tmp_path, text)


def test_an_operation_id_given_twice_is_refused(tmp_path: Path) -> None:
    """The line is that of the second operation."""
    text = replaced("  /pets:", "operationId: createPet", "operationId: listPets")
    line = line_of(text, "  /pets:", "    post:")
    message = "Operation ID 'listPets' for 'post' in '/pets' is not unique"
    assert [f"line {line}: {message}"] == problems_of(tmp_path, text)


def test_a_document_without_title_is_refused_at_its_first_line(tmp_path: Path) -> None:
    """What is missing from the document as a whole has no line of its own."""
    text = replaced("openapi:", "info:", "x-info:")
    assert ['line 1: "info" is a required property'] == problems_of(tmp_path, text)


@pytest.mark.parametrize(
    ("after", "old", "new", "last", "message"),
    [
        pytest.param(
            "    NewAnimal:\n",
            "type: object\n",
            "type: object\n      type: object # again\n",
            "type: object # again",
            "the key type stands a second time, after line {before}",
            id="key given twice",
        ),
        pytest.param(
            "operationId: getPet\n",
            '"404":',
            "404:",
            "404:",
            "the key 404 is not text: write it in quotes",
            id="number for a key",
        ),
        pytest.param(
            "operationId: getPet\n",
            "deprecated: true",
            "deprecated: [true",
            "x-removal-date",
            "this is not YAML: expected ',' or ']', but got ':'",
            id="bracket left open",
        ),
        pytest.param(
            "operationId: getPet\n",
            "deprecated: true",
            "\tdeprecated: true",
            "\tdeprecated",
            "this is not YAML: found character '\\t' that cannot start any token",
            id="tab",
        ),
        pytest.param(
            "operationId: getPet\n",
            "deprecated: true",
            "deprecated: \0",
            "deprecated: \0",
            "this is not YAML: special characters are not allowed",
            id="NUL",
        ),
    ],
)
def test_what_is_not_yaml_is_refused(
    tmp_path: Path, after: str, old: str, new: str, last: str, message: str
) -> None:
    """The line is the one on which reading came to its end."""
    text = replaced(after, old, new)
    line = line_of(text, after, last)
    assert [f"line {line}: {message.format(before=line - 1)}"] == problems_of(tmp_path, text)


@pytest.mark.parametrize("text", ["", "[]", "openapi"])
def test_what_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    """An empty file is no document either."""
    assert ["line 1: this is not a mapping"] == problems_of(tmp_path, text)


def test_what_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    """The line is that of the first byte which is none."""
    document = tmp_path / "openapi.yaml"
    document.write_bytes(b"openapi: 3.1.0\ninfo: {title: \xff}\n")
    assert ["line 2: this is not UTF-8"] == [str(problem) for problem in contract_check.check(document)]


def test_the_command_names_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong document is exit code 1."""
    document = tmp_path / "openapi.yaml"
    document.write_text("[]", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["contract_check", str(document)])
    assert 1 == contract_check.main()
    assert f"{document}, line 1: this is not a mapping\n" == capsys.readouterr().out


def test_the_command_says_that_there_is_no_such_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be read is exit code 2."""
    monkeypatch.setattr(sys, "argv", ["contract_check", str(tmp_path / "none.yaml")])
    assert 2 == contract_check.main()
    assert f"{tmp_path / 'none.yaml'}: No such file or directory\n" == capsys.readouterr().err


def test_the_command_accepts_the_contract(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a file it reads the contract, and has nothing to say."""
    monkeypatch.setattr(sys, "argv", ["contract_check"])
    assert 0 == contract_check.main()
    assert "" == capsys.readouterr().out
