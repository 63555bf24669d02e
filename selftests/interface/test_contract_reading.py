"""contract.py: what the contract makes of a request, from the request alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animal_conformance.drive.strategies import INT64_MAXIMUM, INT64_MINIMUM, STATUSES
from animal_conformance.interface.contract import LARGEST_LIMIT, Operation, load_contract
from animal_conformance.interface.reading import Reading, read_request
from animal_conformance.judge.gaps import MORE_THAN
from animal_conformance.record.exchange import Headers, Request
from animal_conformance.soak import memory
from selftests.exchanges import JSON, payload


def read(method: str, target: str, body: bytes | None = None, headers: Headers = JSON) -> Reading:
    """What the contract makes of it."""
    return read_request(Request(method, target, headers, body))


def read_payload(sent: Any) -> Reading:
    """What the contract makes of a creation."""
    return read("POST", "/pets", sent if isinstance(sent, bytes) else json.dumps(sent).encode())


def test_the_bounds_are_those_of_the_document() -> None:
    """Limits, statuses, int64, media type, and the date of removal."""
    contract = load_contract()
    assert (1, 100, 20) == (contract.limit_minimum, contract.limit_maximum, contract.limit_default)
    assert ("available", "pending", "sold") == contract.statuses
    assert (-(2**63), 2**63 - 1) == (contract.int64_minimum, contract.int64_maximum)
    assert ("2030-12-05", "application/json") == (contract.removal_date.isoformat(), contract.media_type)


def test_what_is_repeated_of_the_contract_is_as_it_has_it() -> None:
    """Where a constant is needed before, or without, the document."""
    contract = load_contract()
    assert contract.limit_maximum == LARGEST_LIMIT == MORE_THAN["list.limit.maximum"]
    assert contract.limit_default == MORE_THAN["list.limit.default"]
    assert contract.statuses == STATUSES
    assert (*contract.statuses, None) == memory.STATUSES
    assert (contract.int64_minimum, contract.int64_maximum) == (INT64_MINIMUM, INT64_MAXIMUM)


@pytest.mark.parametrize(
    ("method", "target", "operation"),
    [
        ("GET", "/pets", Operation.LIST),
        ("get", "/pets?limit=5", Operation.LIST),
        ("POST", "/pets", Operation.CREATE),
        ("GET", "/pets/5", Operation.GET),
        ("GET", "/pets/abc", Operation.GET),
        ("GET", "/pets/", Operation.OTHER),
        ("HEAD", "/pets", Operation.OTHER),
        ("OPTIONS", "*", Operation.OTHER),
        ("DELETE", "/pets/5", Operation.OTHER),
        ("GET", "/pet", Operation.OTHER),
        ("GET", "//pets", Operation.OTHER),
        ("GET", "/store/orders", Operation.OTHER),
        ("POST", "/pets/5", Operation.OTHER),
    ],
)
def test_an_operation_is_known_by_method_and_path(method: str, target: str, operation: Operation) -> None:
    """Everything else is none of the interface's."""
    assert operation is read(method, target).operation


@pytest.mark.parametrize(
    ("query", "problems", "open_points"),
    [
        ("", set(), set()),
        ("limit=1", set(), set()),
        ("limit=100&status=sold", set(), set()),
        ("limit=%31", set(), set()),
        ("limit=0", {"limit.below"}, set()),
        ("limit=-0", {"limit.below"}, set()),
        ("limit=-9999999999999999999999", {"limit.below"}, set()),
        ("limit=101", {"limit.above"}, set()),
        ("limit=" + "9" * 999, {"limit.above"}, set()),
        ("limit=abc", {"limit.non-integer"}, set()),
        ("limit=1.5", {"limit.non-integer"}, set()),
        ("limit=1,5", {"limit.non-integer"}, set()),
        ("limit=%2B5", set(), {"limit.lenient"}),
        ("limit=05", set(), {"limit.lenient"}),
        ("limit=5.0", set(), {"limit.lenient"}),
        ("limit=5e1", set(), {"limit.lenient"}),
        ("limit=+5", set(), {"limit.lenient"}),
        ("limit=0x10", set(), {"limit.lenient"}),
        ("limit=1_0", set(), {"limit.lenient"}),
        ("limit=%D9%A5", set(), {"limit.lenient"}),
        ("limit=", set(), {"limit.empty"}),
        ("limit", set(), {"limit.empty"}),
        ("limit=5&limit=5", set(), {"limit.repeated"}),
        ("Limit=5", set(), {"query.unknown"}),
        ("status=lost", {"status.unknown"}, set()),
        ("status=sold,pending", {"status.unknown"}, set()),
        ("status=SOLD", set(), {"status.case"}),
        ("status=%FF", set(), {"target.undecodable"}),
        ("status=%", set(), {"target.undecodable"}),
        ("status=%00", set(), {"target.undecodable"}),
        ("status=x%0a", {"status.unknown"}, {"target.undecodable"}),
        ("limit=%00", set(), {"target.undecodable"}),
        ("limit=5&x%1F=1", set(), {"query.unknown", "target.undecodable"}),
        ("limit=5&x=%7f", set(), {"query.unknown", "target.undecodable"}),
        ("limit=5&x=%C3", set(), {"query.unknown", "target.undecodable"}),
        ("limit=5&x=%C3%A7", set(), {"query.unknown"}),
        ("status=%20sold", set(), {"status.case"}),
        ("status=", set(), {"status.empty"}),
        ("status=sold&status=sold", set(), {"status.repeated"}),
        ("limit=0&status=lost&x=1", {"limit.below", "status.unknown"}, {"query.unknown"}),
        ("limit=5&", set(), {"query.unknown"}),
        ("limit=5&x=" + "y" * 2000, set(), {"query.unknown", "target.long"}),
    ],
)
def test_a_query_is_valid_invalid_or_open(query: str, problems: set[str], open_points: set[str]) -> None:
    """Readings 1 and 15."""
    reading = read("GET", f"/pets?{query}")
    assert (problems, open_points) == (set(reading.problems), set(reading.open_points))


def test_valid_parameters_are_read() -> None:
    """And only valid ones."""
    reading = read("GET", "/pets?limit=7&status=sold")
    assert (7, "sold") == (reading.limit, reading.status)
    other = read("GET", "/pets?limit=0&status=x")
    assert (None, None) == (other.limit, other.status)


@pytest.mark.parametrize(
    ("segment", "pet_id", "problems", "open_points"),
    [
        ("0", 0, set(), set()),
        ("-1", -1, set(), set()),
        ("%35", 5, set(), set()),
        (str(2**63 - 1), 2**63 - 1, set(), set()),
        (str(-(2**63)), -(2**63), set(), set()),
        (str(2**63), None, {"petId.beyond"}, set()),
        ("1" * 9000, None, {"petId.beyond"}, {"target.long"}),
        ("abc", None, {"petId.not-integer"}, set()),
        ("1a", None, {"petId.not-integer"}, set()),
        ("1.5", None, {"petId.not-integer"}, set()),
        ("-", None, {"petId.not-integer"}, set()),
        ("01", None, {"petId.not-integer"}, {"petId.lenient"}),
        ("1.0", None, {"petId.not-integer"}, {"petId.lenient"}),
        ("-0", 0, set(), {"petId.lenient"}),
        ("1/2", None, {"petId.not-integer"}, {"petId.odd-path", "petId.rewritten"}),
        ("1%2F2", None, {"petId.not-integer"}, {"petId.odd-path", "petId.rewritten"}),
        ("..", None, {"petId.not-integer"}, {"petId.odd-path", "petId.rewritten"}),
        ("%00", None, {"petId.not-integer"}, {"petId.odd-path", "petId.rewritten"}),
        ("%ff", None, {"petId.not-integer"}, {"petId.odd-path"}),
        ("%ZZ", None, {"petId.not-integer"}, {"petId.odd-path"}),
        ("1%3Fx", None, {"petId.not-integer"}, {"petId.odd-path"}),
        ("1%23x", None, {"petId.not-integer"}, {"petId.odd-path"}),
        ("5?x=1", 5, set(), {"query.unknown"}),
    ],
)
def test_a_pet_id_is_valid_invalid_or_open(
    segment: str, pet_id: int | None, problems: set[str], open_points: set[str]
) -> None:
    """Reading 9: negative numbers and zero are int64."""
    reading = read("GET", f"/pets/{segment}")
    assert (pet_id, problems, open_points) == (
        reading.pet_id,
        set(reading.problems),
        set(reading.open_points),
    )


@pytest.mark.parametrize(
    ("sent", "problems", "open_points"),
    [
        (payload(), set(), set()),
        (payload(status=...), set(), set()),
        (payload(name="", categoryId=-(2**63)), set(), set()),
        (payload(name=...), {"name.missing"}, set()),
        (payload(name=None), {"name.type"}, set()),
        (rb'{"name": "\udc00", "categoryId": 1}', set(), {"name.surrogate"}),
        (payload(categoryId=...), {"categoryId.missing"}, set()),
        (payload(categoryId=True), {"categoryId.type"}, set()),
        (payload(categoryId=1.5), {"categoryId.type"}, set()),
        (payload(categoryId=2**63), {"categoryId.beyond"}, set()),
        (payload(categoryId=1.0), set(), {"categoryId.integral-float"}),
        (payload(categoryId=1e19), {"categoryId.beyond"}, set()),
        (payload(status=None), {"status.null"}, set()),
        (payload(status=0), {"status.type"}, set()),
        (payload(status="SOLD"), {"status.unknown"}, set()),
        (payload(id=5), set(), {"payload.id"}),
        (payload(colour="x"), set(), {"payload.unknown-property"}),
        (payload(Name="x"), set(), {"payload.unknown-property", "payload.other-case"}),
        (b'{"name":"x","name":"x","categoryId":1}', set(), {"payload.duplicate-keys"}),
        (b"", {"body.missing"}, set()),
        (b" ", {"body.malformed"}, set()),
        (b"{", {"body.malformed"}, set()),
        (b"{} x", {"body.malformed"}, {"body.lenient"}),
        (b"\xef\xbb\xbf{}", {"body.malformed"}, {"body.lenient"}),
        (b"null", {"body.not-object"}, set()),
        ({}, {"name.missing", "categoryId.missing"}, set()),
        (payload(name="x" * 9000), set(), {"body.large"}),
    ],
)
def test_a_payload_is_valid_invalid_or_open(sent: Any, problems: set[str], open_points: set[str]) -> None:
    """Readings 3, 6 and 15."""
    reading = read_payload(sent)
    assert (problems, open_points) == (set(reading.problems), set(reading.open_points))


@pytest.mark.parametrize("label", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_a_label_of_json_is_no_open_point(label: str) -> None:
    """Parameters and case do not matter."""
    assert read("POST", "/pets", b'{"name":"x","categoryId":1}', (("content-type", label),)).valid


@pytest.mark.parametrize("headers", [(), (("Content-Type", "text/plain"),), (("Content-Type", ""),)])
def test_another_label_is_open(headers: Headers) -> None:
    """Reading 15."""
    assert {"content-type"} == read("POST", "/pets", b'{"name":"x","categoryId":1}', headers).open_points


def test_a_label_of_what_is_not_there_is_open() -> None:
    """Reading 15: frameworks refuse a multipart body without a boundary before they know that there is none."""
    labelled = (("Content-Type", "multipart/form-data"),)
    assert {"body.unexpected"} == read("GET", "/pets?limit=3", None, labelled).open_points
    assert {"body.unexpected"} == read("GET", "/pets/3", None, labelled).open_points


@pytest.mark.parametrize(
    ("accept", "is_open"),
    [
        ("*/*", False),
        ("application/json", False),
        ("application/*", False),
        ("text/html, application/json;q=0.9", False),
        ("text/html, */*;q=0.8", False),
        ("text/html", True),
        ("application/json;q=0", True),
        ("", True),
    ],
)
def test_what_is_accepted_is_open_where_it_is_not_json(accept: str, is_open: bool) -> None:  # noqa: FBT001 - the answer
    """Reading 15: content negotiation."""
    assert is_open == ("accept" in read("GET", "/pets", headers=(("Accept", accept),)).open_points)


def test_the_only_problem_is_one_without_anything_open() -> None:
    """One fault a request."""
    assert "limit.below" == read("GET", "/pets?limit=0").only_problem()
    assert read("GET", "/pets?limit=0&status=lost").only_problem() is None
    assert read("GET", "/pets?limit=0&x=1").only_problem() is None
    assert read("GET", "/pets").only_problem() is None


@given(st.text(max_size=20), st.binary(max_size=20), st.sampled_from(["GET", "POST", "PUT"]))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_any_request_can_be_read(rest: str, body: bytes, method: str) -> None:
    """Recorded traffic holds anything."""
    for start in ("/pets", "/pets/", "/pets?", "/pets?limit="):
        reading = read(method, start + rest, body)
        assert reading.operation in Operation
