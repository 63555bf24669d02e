"""The reference deployment as a mock server: for browsers, for people, and for the tests of others."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
import requests
from openapi_spec_validator import validate

from selftests.loopback.command import COMMAND, ROOT, command
from selftests.loopback.deployment import serving
from selftests.loopback.server import KEY

ANIMALS = [{"name": "Rex", "categoryId": 3}, {"name": "Mia", "categoryId": 4, "status": "sold"}]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of one with two animals of one's own, and the header with its key."""
    home = tmp_path_factory.mktemp("mock")
    (home / "own.json").write_text(json.dumps(ANIMALS), encoding="utf-8")
    with serving("--animals", "own.json", cwd=home) as env:
        yield env["ANIMAL_STORE_BASE_URL"], {"Authorization": f"Bearer {env['ANIMAL_STORE_API_KEY']}"}


def test_a_browser_may_call_it_from_any_origin(store: tuple[str, dict[str, str]]) -> None:
    """It asks first, without a key, and then reads the response and its headers; without an Origin, nothing is added."""
    url, key = store
    origin = {"Origin": "https://front.example"}
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    before = requests.options(f"{url}/pets", headers={**origin, **asked}, timeout=5)
    assert before.ok
    assert "*" == before.headers["Access-Control-Allow-Origin"]
    assert "authorization" in before.headers["Access-Control-Allow-Headers"]
    answer = requests.get(f"{url}/pets/1", headers={**origin, **key}, timeout=5)
    assert "*" == answer.headers["Access-Control-Allow-Origin"]
    assert "Sunset" in answer.headers["Access-Control-Expose-Headers"]
    plain = requests.get(f"{url}/pets/1", headers=key, timeout=5)
    assert not [name for name in plain.headers if name.lower().startswith("access-control")]
    assert 405 == requests.options(f"{url}/pets", headers=key, timeout=5).status_code


def test_it_begins_with_ones_own_animals_and_returns_to_them(store: tuple[str, dict[str, str]]) -> None:
    """With ids in the order of the file; a reset needs the key, and gives the same ids again."""
    url, key = store
    before = requests.get(f"{url}/pets", headers=key, timeout=5).json()
    assert [(2, "Mia", "sold"), (1, "Rex", "available")] == [
        (each["id"], each["name"], each["status"]) for each in before
    ]
    assert 201 == requests.post(f"{url}/pets", json=ANIMALS[0], headers=key, timeout=5).status_code
    reset = urljoin(url, "/reset")
    assert 401 == requests.post(reset, timeout=5).status_code
    assert {"status": "ok", "animals": 3} == requests.get(urljoin(url, "/health"), timeout=5).json()
    assert 204 == requests.post(reset, headers=key, timeout=5).status_code
    assert before == requests.get(f"{url}/pets", headers=key, timeout=5).json()


def test_it_documents_itself_without_a_network(store: tuple[str, dict[str, str]]) -> None:
    """As a page, and as a contract with its own address."""
    url, _ = store
    contract = requests.get(urljoin(url, "/openapi.json"), timeout=5).json()
    validate(contract)
    assert [{"url": url}] == contract["servers"]
    page = requests.get(urljoin(url, "/"), timeout=5)
    assert "text/html; charset=utf-8" == page.headers["Content-Type"]
    for text in (f"curl {url}/pets ", "petId", "AvailabilityStatus", "minimum 1, maximum 100, default 20"):
        assert text in page.text
    assert "src=" not in page.text
    assert "://" not in page.text.replace(url, "")


def test_for_a_person_it_logs_requests_and_says_an_address_to_paste(tmp_path: Path) -> None:
    """Also when it is bound to every address of the machine; the key stays out of the log."""
    with subprocess.Popen(
        [*COMMAND, "serve", "--host", "0.0.0.0", "--port", "0"],  # noqa: S104 - on a free port, for a moment
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "ANIMAL_STORE_API_KEY": KEY},
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        url = process.stdout.readline().split()[-1]
        assert url.startswith("http://127.0.0.1:")
        requests.get(f"{url}/pets?limit=1", headers={"Authorization": f"Bearer {KEY}"}, timeout=5)
        line = process.stderr.readline()
        process.terminate()
    assert " GET /v1/pets?limit=1 HTTP/1.1 200 OK\n" in line
    assert KEY not in line


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('[{"name": "Rex",\n}]', "it is not JSON (line 2, column 1: "),
        ("{}", "must hold an array of animals"),
        ('[{"name": "Rex"}]', "Animal 1 of own.json is not valid: categoryId is required."),
        ('[{"name": "Rex", "categoryId": 1}, {"id": 7}]', "Animal 2 of own.json has an id: leave it out"),
    ],
)
def test_a_file_without_animals_is_refused_in_a_sentence(content: str, sentence: str, tmp_path: Path) -> None:
    """With the number of the animal, before anything listens."""
    (tmp_path / "own.json").write_text(content, encoding="utf-8")
    ended = command("serve", "--port", "0", "--animals", "own.json", cwd=tmp_path)
    assert 2 == ended.code
    assert sentence in ended.said
    assert "Traceback" not in ended.said
