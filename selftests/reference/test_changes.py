"""Faults and variants: each is known by its name; and what only a connection shows of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import requests
import yaml

from animal_conformance.interface.resources import spec_file
from animal_conformance.reference import faults, variants
from animal_conformance.reference.embedded import EmbeddedDeployment
from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.variants import VARIANTS

_TIMEOUT = 10
_OPERATIONS = ("listPets", "createPet", "getPet", "limit ", "status ", "null ", "true ")


def _clauses() -> dict[str, str]:
    document = yaml.safe_load(spec_file("clauses.yaml").read_text(encoding="utf-8"))
    return {clause["id"]: clause["level"] for clause in document["clauses"]}


def _named(modules: Sequence[Any], attribute: str) -> Counter[str]:
    return Counter(change.name for module in modules for change in getattr(module, attribute))


def test_names_of_faults_and_variants_are_unique() -> None:
    """A name that stands twice would hide one of the two."""
    names = _named(faults._CHAPTERS, "FAULTS") + _named(variants._KINDS, "VARIANTS")  # noqa: SLF001
    assert [name for name, count in names.items() if count > 1] == []


def test_every_clause_that_a_fault_or_variant_names_exists() -> None:
    """They are ids of spec/clauses.yaml; a variant names SHOULD clauses only."""
    clauses = _clauses()
    named = {clause for fault in FAULTS.values() for clause in fault.clauses}
    assert named - set(clauses) == set()
    excused = {clause for variant in VARIANTS.values() for clause in variant.shoulds}
    assert {clauses.get(clause) for clause in excused} == {"SHOULD"}


def test_every_clause_has_a_fault_that_breaks_it() -> None:
    """A check that no fault trips is not known to be a check."""
    broken = {clause for fault in FAULTS.values() for clause in fault.clauses}
    assert set(_clauses()) - broken == set()


def test_every_change_says_what_it_does_in_a_sentence() -> None:
    """It begins with a capital letter or the name of an operation, and ends with a full stop."""
    sentences = [change.sentence for change in (*FAULTS.values(), *VARIANTS.values())]
    wrong = [text for text in sentences if not text.endswith((".", "…}."))]
    wrong += [text for text in sentences if text[0].islower() and not text.startswith(_OPERATIONS)]
    assert wrong == []


def test_every_fault_says_how_deep_it_is() -> None:
    """From 1, on any plain request, to 4, on a boundary, in a race, or only now and then."""
    assert {fault.depth for fault in FAULTS.values()} == {1, 2, 3, 4}


def test_several_variants_and_faults_at_once_are_all_in_force() -> None:
    """The last animal of the leaking list is of another status, among 5,000, compressed, behind a deep path."""
    names = ["store.large", "http.gzip", "path.deep", "content-type.charset", "ids.negative"]
    with (
        EmbeddedDeployment(variants=names, faults=["list.filter.leak"]) as deployment,
        _session(deployment) as session,
    ):
        response = session.get(deployment.base_url + "/pets?status=sold&limit=100", timeout=_TIMEOUT)
    assert deployment.base_url.endswith("/eu-1/v1")
    assert response.headers["Content-Type"] == "application/json; charset=utf-8"
    assert response.headers["Content-Encoding"] == "gzip"
    statuses = [animal["status"] for animal in response.json()]
    assert statuses[:-1] == ["sold"] * 99
    assert statuses[-1] != "sold"
    assert all(animal["id"] < 0 for animal in response.json())


@pytest.mark.parametrize("variant", ["http.1.0", "http.closing"])
def test_a_closing_variant_closes_the_connection(variant: str) -> None:
    """The answer says so, and of which version it is."""
    with EmbeddedDeployment(variants=[variant]) as deployment, _session(deployment) as session:
        response = session.get(deployment.base_url + "/pets", timeout=_TIMEOUT)
    assert response.raw.version == (10 if variant == "http.1.0" else 11)
    assert response.headers["Connection"] == "close"


def test_the_variant_without_reason_phrases_sends_none() -> None:
    """The status line ends behind the status."""
    with EmbeddedDeployment(variants=["http.reason"]) as deployment, _session(deployment) as session:
        response = session.get(deployment.base_url + "/pets", timeout=_TIMEOUT)
    assert (response.status_code, response.reason) == (200, "")


def test_the_chunked_variant_does_not_say_how_long_a_body_is() -> None:
    """Its framing is chunked."""
    with (
        EmbeddedDeployment(variants=["http.chunked"], catalogue=120) as deployment,
        _session(deployment) as session,
    ):
        response = session.get(deployment.base_url + "/pets?limit=100", timeout=_TIMEOUT)
    assert response.headers["Transfer-Encoding"] == "chunked"
    assert "Content-Length" not in response.headers
    assert len(response.json()) == 100


@pytest.mark.parametrize("variant", ["rate.seconds", "rate.date"])
def test_a_rate_limit_answers_429_and_says_when_to_come_again(variant: str) -> None:
    """Limits: rate limits are left open."""
    with EmbeddedDeployment(variants=[variant]) as deployment, _session(deployment) as session:
        responses = [session.get(deployment.base_url + "/pets?limit=1", timeout=_TIMEOUT) for _ in range(90)]
    limited = [response for response in responses if response.status_code == 429]
    assert limited
    assert all(response.headers["Retry-After"] for response in limited)
    assert all(response.json()["status"] == 429 for response in limited)


def test_others_that_create_change_the_store() -> None:
    """Work beside the answering of requests goes on."""
    with EmbeddedDeployment(variants=["others.creating"]) as deployment:
        first = _list(deployment, 1)[0]["id"]
        for _ in range(200):
            if _list(deployment, 1)[0]["id"] > first:
                return
    pytest.fail("nobody created anything")


@pytest.mark.parametrize(
    ("fault", "method", "path"),
    [
        ("http.cut.long-list", "GET", "/pets?limit=100"),
        ("http.chunk-size", "GET", "/pets/1"),
        ("http.status-line", "GET", "/pets/99999"),
        ("http.drop.nul-name", "POST", "/pets"),
        ("http.cut.created", "POST", "/pets"),
    ],
)
def test_a_fault_of_framing_leaves_no_complete_answer(fault: str, method: str, path: str) -> None:
    """A client notices that the answer is not one."""
    sent = {"name": "a\0b", "categoryId": 1} if method == "POST" else None
    with (
        EmbeddedDeployment(faults=[fault]) as deployment,
        _session(deployment) as session,
        pytest.raises(requests.RequestException),
    ):
        session.request(method, deployment.base_url + path, json=sent, timeout=_TIMEOUT)


def _session(deployment: EmbeddedDeployment) -> requests.Session:
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {deployment.api_key}"
    return session


def _list(deployment: EmbeddedDeployment, limit: int) -> list[Any]:
    with _session(deployment) as session:
        animals = session.get(f"{deployment.base_url}/pets?limit={limit}", timeout=_TIMEOUT).json()
    assert isinstance(animals, list)
    return animals
