"""The correct deployment does what the interface document says, over a real connection."""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from animal_conformance.reference.embedded import EmbeddedDeployment

_TIMEOUT = 10


class Client:
    """Sends requests to one deployment with its key."""

    def __init__(self, base_url: str, key: str) -> None:
        self.base_url, self.key = base_url, key
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"

    def send(self, method: str, path: str, **options: Any) -> requests.Response:
        """Send a request to a path below the base address."""
        return self.session.request(method, self.base_url + path, timeout=_TIMEOUT, **options)

    def create(self, payload: object) -> requests.Response:
        """Send a payload as JSON."""
        return self.send("POST", "/pets", json=payload)

    def create_raw(self, body: bytes | None) -> requests.Response:
        """Send a body as it is."""
        return self.send("POST", "/pets", data=body, headers={"Content-Type": "application/json"})


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of a deployment that the tests of this module share."""
    with EmbeddedDeployment(catalogue=120) as deployment:
        client = Client(deployment.base_url, deployment.api_key)
        with client.session:
            yield client


def _assert_error(response: requests.Response, status: int) -> None:
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/json"
    error = response.json()
    assert set(error) == {"code", "message", "status"}
    assert error["status"] == status
    assert isinstance(error["code"], str)
    assert isinstance(error["message"], str)


def test_a_listing_without_limit_holds_20_animals(client: Client) -> None:
    """List animals, rule 1."""
    response = client.send("GET", "/pets")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert len(response.json()) == 20


@pytest.mark.parametrize("limit", [1, 2, 19, 20, 21, 99, 100])
def test_a_limit_from_1_to_100_is_followed(client: Client, limit: int) -> None:
    """List animals, row limit."""
    assert len(client.send("GET", f"/pets?limit={limit}").json()) == limit


@pytest.mark.parametrize(("status", "count"), [("available", 47), ("pending", 25), ("sold", 12)])
def test_a_filter_holds_exactly_the_animals_of_its_status(status: str, count: int) -> None:
    """List animals, rule 3, on a store that nobody has added to."""
    with EmbeddedDeployment() as deployment:
        client = Client(deployment.base_url, deployment.api_key)
        with client.session:
            animals = client.send("GET", f"/pets?limit=100&status={status}").json()
    assert [animal["status"] for animal in animals] == [status] * count


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=-1", "limit=101", "limit=99999999999999999999", "limit=abc", "limit=1.5", "limit=",
        "limit=+5", "limit=05", "limit=%205", "limit=1&limit=2", "limit=%D9%A5", "limit=" + "9" * 9000,
        "status=lost", "status=", "status=SOLD", "status=sold&status=sold", "status=%00", "limit=5&status=lost",
    ],
)  # fmt: skip
def test_an_invalid_list_parameter_is_refused_with_400(client: Client, query: str) -> None:
    """List animals, rule 2, and row status."""
    _assert_error(client.send("GET", f"/pets?{query}"), 400)


def test_a_parameter_that_is_not_in_the_document_is_ignored(client: Client) -> None:
    """Left open; ignoring it is the reference's choice."""
    assert client.send("GET", "/pets?page=2&limit=3").status_code == 200


def test_the_newest_animal_stands_first(client: Client) -> None:
    """Left open; newest first is the reference's choice."""
    animal = client.create({"name": "Newest", "categoryId": 1}).json()
    assert client.send("GET", "/pets?limit=1").json() == [animal]


@pytest.mark.parametrize(
    "name",
    [
        "Rex", "", " ", "a\0b", "\0", "\x01\x1f\x7f\x80", "e\u0301", "\u00e9", "🐕\U0010ffff", "\u202e\u200b\ufeff",
        "\ufffe\uffff", "'\"\\/<b>&amp;", "%00%41+", "null", "0042", "line\r\nline", "x" * 100_000,
    ],
)  # fmt: skip
def test_a_name_comes_back_exactly(client: Client, name: str) -> None:
    """Add an animal, row 201: in the answer, in getPet and in the list."""
    _assert_round_trip(client, {"name": name, "categoryId": 1, "status": "sold"})


@pytest.mark.parametrize(
    "category", [0, 1, -1, 2**31, -(2**31) - 1, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]
)
def test_a_category_comes_back_exactly(client: Client, category: int) -> None:
    """Animal (create payload), row categoryId: int64."""
    _assert_round_trip(client, {"name": "Mia", "categoryId": category, "status": "pending"})


@pytest.mark.parametrize("status", ["available", "pending", "sold"])
def test_a_status_comes_back_exactly(client: Client, status: str) -> None:
    """Availability status."""
    _assert_round_trip(client, {"name": "Mia", "categoryId": 1, "status": status})


def _assert_round_trip(client: Client, payload: dict[str, Any]) -> None:
    created = client.create(payload)
    assert created.status_code == 201
    animal = created.json()
    assert animal == {**payload, "id": animal["id"]}
    assert client.send("GET", f"/pets/{animal['id']}").json() == animal
    assert animal in client.send("GET", f"/pets?limit=5&status={payload['status']}").json()


def test_a_creation_without_status_is_available(client: Client) -> None:
    """The default is left open; available is the reference's choice."""
    assert client.create({"name": "Mia", "categoryId": 1}).json()["status"] == "available"


def test_an_id_and_unknown_properties_of_the_client_are_ignored(client: Client) -> None:
    """Row id: assigned by the service, not by the client."""
    response = client.create({"id": 777_777, "name": "Mia", "categoryId": 1, "tags": [], "Name": 5})
    assert response.status_code == 201
    assert set(response.json()) == {"id", "name", "categoryId", "status"}
    assert response.json()["id"] != 777_777


_PAYLOAD = {"name": "Refused", "categoryId": 1, "status": "sold"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *itertools.product(["name"], [None, True, 1, 1.5, [], {}, ["a"], "\ud800", "a\udfffb"]),
        *itertools.product(["categoryId"], [None, True, False, "1", "", 1.5, 5.0, [], [1], {}, 2**63, -(2**63) - 1]),
        *itertools.product(["status"], [None, True, 1, [], ["sold"], {}, "", "SOLD", " sold", "lost"]),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_400(client: Client, field: str, value: object) -> None:
    """Errors, row 400: contains invalid values."""
    _assert_error(client.create_raw(json.dumps({**_PAYLOAD, field: value}).encode()), 400)


@pytest.mark.parametrize("field", ["name", "categoryId"])
def test_a_missing_field_is_refused_with_400(client: Client, field: str) -> None:
    """Errors, row 400: is missing required fields."""
    payload = {name: value for name, value in _PAYLOAD.items() if name != field}
    _assert_error(client.create(payload), 400)


@pytest.mark.parametrize(
    "body",
    [
        None, b"", b" ", b"{", b"[]", b"null", b"true", b"1", b'"Rex"', b"{'name': 1}", b'{"name": "Rex", "categoryId": 1,}',
        b'{"name": "Rex", "categoryId": 1} x', b'{"name": "\xff", "categoryId": 1}', b'{"name": "Rex", "categoryId": NaN}',
        b'{"name": "Rex", "categoryId": 1, "x": Infinity}', b'{"name": "Rex", "categoryId": 1e400}', b"\xff\xfe{\x00}\x00",
        b'{"name": "Rex", "categoryId": ' + b"9" * 1_000_000 + b"}", b"[" * 100_000, b'{"a":' * 100_000,
    ],
)  # fmt: skip
def test_a_body_that_is_no_json_object_is_refused_with_400(client: Client, body: bytes | None) -> None:
    """Add an animal: request body required, JSON."""
    _assert_error(client.create_raw(body), 400)


def test_a_body_beyond_the_limit_is_refused_and_the_server_lives_on(client: Client) -> None:
    """Size limits are left open; 8 MiB is the reference's choice."""
    body = b'{"name": "' + b"x" * 9_000_000 + b'", "categoryId": 1}'
    # The answer may be lost where the client is still sending when the connection is closed.
    with contextlib.suppress(requests.ConnectionError):
        _assert_error(client.create_raw(body), 400)
    assert client.send("GET", "/pets?limit=1").status_code == 200


def test_what_is_refused_leaves_no_trace(client: Client) -> None:
    """A refused creation, and one without a key, add nothing."""
    before = client.send("GET", "/pets?limit=1").json()
    client.create({**_PAYLOAD, "status": "lost"})
    requests.post(client.base_url + "/pets", json=_PAYLOAD, timeout=_TIMEOUT)
    assert client.send("GET", "/pets?limit=1").json() == before


@pytest.mark.parametrize("pet_id", ["0", "-1", "999999", str(2**63 - 1), str(-(2**63))])
def test_an_id_that_names_no_animal_is_answered_with_404(client: Client, pet_id: str) -> None:
    """Get an animal, row 404."""
    _assert_error(client.send("GET", f"/pets/{pet_id}"), 404)


@pytest.mark.parametrize(
    "pet_id",
    ["abc", "1.5", "1e3", "+1", "01", "%201", "1%20", "1%2F2", str(2**63), "9" * 5000, "%00", "%F0%9F%90%95", "%FF", "null"],
)  # fmt: skip
def test_a_malformed_id_is_answered_with_404(client: Client, pet_id: str) -> None:
    """The answer is left open; 404 is the reference's choice."""
    _assert_error(client.send("GET", f"/pets/{pet_id}"), 404)


def test_get_announces_its_deprecation_and_its_removal(client: Client) -> None:
    """Versioning, rule 3; RFC 9745 and RFC 8594."""
    headers = client.send("GET", "/pets/1").headers
    assert headers["Deprecation"].startswith("@")
    assert headers["Deprecation"][1:].isdigit()
    assert headers["Sunset"] == "Thu, 05 Dec 2030 00:00:00 GMT"


def _headers(key: str) -> dict[str, str | None]:
    return {
        "none": None,
        "empty header": "",
        "scheme alone": "Bearer",
        "empty token": "Bearer ",
        "other key": "Bearer " + "x" * len(key),
        "longer": f"Bearer {key}x",
        "shorter": f"Bearer {key[:-1]}",
        "re-cased": f"Bearer {key.swapcase()}",
        "Basic": f"Basic {key}",
        "Token": f"Token {key}",
        "no scheme": key,
        "no space": f"Bearer{key}",
        "twice": f"Bearer {key} {key}",
        "not ASCII": "Bearer \u00e9\u00ff",
    }


@pytest.mark.parametrize("credential", list(_headers("k")))
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/pets"), ("GET", "/pets?limit=0"), ("POST", "/pets"), ("GET", "/pets/1"), ("GET", "/pets/abc"),
        ("GET", "/pets/999999"), ("DELETE", "/pets"), ("GET", "/nowhere"), ("GET", ""),
    ],
)  # fmt: skip
def test_without_a_valid_key_the_answer_is_401_whatever_is_asked(
    client: Client, method: str, path: str, credential: str
) -> None:
    """Authentication, rules 1 and 3."""
    header = _headers(client.key)[credential]
    with requests.Session() as session:
        # Neither a .netrc nor a default may add a credential.
        session.trust_env = False
        headers = {} if header is None else {"Authorization": header.encode("latin-1")}
        response = session.request(method, client.base_url + path, headers=headers, timeout=_TIMEOUT)
    _assert_error(response, 401)
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_the_scheme_is_accepted_in_any_case(client: Client) -> None:
    """RFC 9110, section 11.1: schemes are case-insensitive."""
    headers = {"Authorization": f"bEARER {client.key}"}
    assert requests.get(client.base_url + "/pets", headers=headers, timeout=_TIMEOUT).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/pets", "GET, POST, HEAD"), ("PUT", "/pets", "GET, POST, HEAD"), ("TRACE", "/pets", "GET, POST, HEAD"),
        ("OPTIONS", "/pets", "GET, POST, HEAD"), ("DELETE", "/pets/1", "GET, HEAD"), ("POST", "/pets/1", "GET, HEAD"),
    ],
)  # fmt: skip
def test_another_method_is_answered_with_405_and_the_allowed_ones(
    client: Client, method: str, path: str, allow: str
) -> None:
    """RFC 9110, section 15.5.6."""
    response = client.send(method, path)
    _assert_error(response, 405)
    assert response.headers["Allow"] == allow


@pytest.mark.parametrize("path", ["", "/", "/pets/", "/pet", "/pets/1/2", "/Pets", "/store/orders"])
def test_another_address_is_answered_with_404(client: Client, path: str) -> None:
    """Errors, first paragraph: all error responses carry the Error body."""
    _assert_error(client.send("GET", path), 404)


def test_an_address_outside_the_base_path_is_answered_with_404(client: Client) -> None:
    """It is not part of the interface, and asks for no key."""
    root = client.base_url.removesuffix("/v1")
    for path in ("/other", "/v1x/pets", "/v2/pets", "/%76%31/pets"):
        # The path as it stands: requests would decode it.
        _assert_error(requests.get(root + path, timeout=_TIMEOUT), 404 if "%" not in path else 401)


def test_a_head_request_is_answered_as_get_without_a_body(client: Client) -> None:
    """RFC 9110, section 9.3.2."""
    response = client.send("HEAD", "/pets")
    assert response.status_code == 200
    assert response.content == b""


def test_creations_at_the_same_time_get_different_ids(client: Client) -> None:
    """Row id: unique."""
    ids: list[int] = []

    def create() -> None:
        mine = Client(client.base_url, client.key)
        with mine.session:
            ids.extend(mine.create({"name": "Twin", "categoryId": 1}).json()["id"] for _ in range(10))

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 80
    assert len(set(ids)) == 80
    for animal_id in ids[::20]:
        assert client.send("GET", f"/pets/{animal_id}").status_code == 200


def test_what_is_no_http_is_answered_with_an_error(client: Client) -> None:
    """Errors, first paragraph: all error responses carry the Error body."""
    response = client.send("GET", "/pets?status=" + "x" * 100_000)
    _assert_error(response, 400)


def test_names_of_the_catalogue_differ_and_some_are_not_ascii(client: Client) -> None:
    """The catalogue is to give every clause its evidence."""
    animals = [client.send("GET", f"/pets/{number}").json() for number in range(1, 121)]
    assert len({animal["name"] for animal in animals}) == 120
    assert any(not animal["name"].isascii() for animal in animals)
    assert any(animal["categoryId"] == 9007199254740993 for animal in animals)
