"""Faults, variants and null servers: each is known by its name, starts, and differs as it should."""

from __future__ import annotations

import asyncio
import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import requests
import yaml

from animal_conformance.interface.resources import spec_file
from animal_conformance.reference import faults, variants
from animal_conformance.reference.changes import Change, Fault, Variant
from animal_conformance.reference.embedded import EmbeddedDeployment
from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.model import Settings
from animal_conformance.reference.nulls import NULLS
from animal_conformance.reference.variants import VARIANTS
from selftests.reference.inprocess import Answer, Local, script

_TIMEOUT = 10
_OPERATIONS = ("listPets", "createPet", "getPet", "limit ", "status ", "null ", "true ")

_ON_THE_WIRE = {"http.status-line", "id.race", "get.mixed-up", "filter.mixed-up", "auth.missing.beside"}
"""Faults that show on a connection only, or on requests at the same time."""
_UNSEEN = {
    # How answers are carried, the address, and what happens in time.
    "http.reason", "path.deep", "path.odd", "others.creating", "others.moving", "latency.steady", "latency.jitter",
    # The script takes the key from the deployment.
    "key.punctuation", "key.shell", "key.digits", "key.lower-case", "key.short", "key.single",
    "key.long",
}  # fmt: skip
"""Variants whose answers to the script are those of the correct deployment."""


def _clauses() -> dict[str, str]:
    document = yaml.safe_load(spec_file("clauses.yaml").read_text(encoding="utf-8"))
    return {clause["id"]: clause["level"] for clause in document["clauses"]}


def _run(*changes: Change, **options: Any) -> list[Answer]:
    async def run() -> list[Answer]:
        local = Local(*changes, **options)
        await script(local)
        return local.answers

    return asyncio.run(run())


@functools.cache
def _correct(**options: Any) -> list[Answer]:
    return _run(**options)


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


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_shows_and_breaks_nothing_by_accident(
    fault: Fault, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some answer differs from the correct one, and none is a 5xx that the fault does not announce."""
    assert fault.depth in {1, 2, 3, 4}
    # More animals than a list may hold: some faults need that many.
    answers = _run(fault, catalogue=120)
    if fault.name not in _ON_THE_WIRE and fault.clauses != ("version.path",):
        assert answers != _correct(catalogue=120)
    if fault.clauses != ("http.server-error",):
        assert [answer.status for answer in answers if answer.status >= 500] == []
    assert capsys.readouterr().err == ""


_QUICK = [variant for variant in VARIANTS.values() if not variant.name.startswith("latency.")]


@pytest.mark.parametrize("variant", _QUICK, ids=lambda variant: variant.name)
def test_a_variant_shows_and_breaks_nothing_by_accident(
    variant: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some answer differs from the correct one, and none is a 5xx that the variant does not announce."""
    answers = _run(variant)
    assert (answers == _correct()) == (variant.name in _UNSEEN)
    if variant.name not in {"elsewhere.501", "unavailable"}:
        assert [answer.status for answer in answers if answer.status >= 500] == []
    assert capsys.readouterr().err == ""


def test_the_correct_deployment_answers_the_script_alike_twice() -> None:
    """Nothing in it is left to chance."""
    assert _run() == _correct()


def test_every_second_variant_combines_with_a_leaking_filter() -> None:
    """Faults break what the variants left."""
    for variant in _QUICK[::2]:
        answers = _run(variant, FAULTS["error.no-code"])
        refused = [answer.value for answer in answers if 400 <= answer.status < 500 and answer.value]
        assert refused
        if variant.name not in {"http.gzip", "http.gzip-chunked"}:
            assert [
                error for error in refused if "code" in error and error["code"] != "too_many_requests"
            ] == []


_SOCKET_FAULTS = [fault for fault in FAULTS.values() if fault.transport or fault.middleware or fault.settings]
_SOCKET_VARIANTS = [
    variant for variant in VARIANTS.values() if variant.transport or variant.middleware or variant.settings
]


@pytest.mark.parametrize("fault", _SOCKET_FAULTS, ids=lambda fault: fault.name)
def test_a_fault_of_the_connection_starts_and_answers(fault: Fault) -> None:
    """A list of one animal is answered: only what the fault names is broken."""
    with EmbeddedDeployment(faults=[fault.name]) as deployment:
        assert len(_list(deployment, 1)) == 1


@pytest.mark.parametrize("variant", _SOCKET_VARIANTS, ids=lambda variant: variant.name)
def test_a_variant_of_the_connection_starts_and_answers(variant: Variant) -> None:
    """A creation and a listing are answered as they should be."""
    with EmbeddedDeployment(variants=[variant.name]) as deployment:
        payload = {"name": "Zoë", "categoryId": 1, "status": "sold"}
        with _session(deployment) as session:
            created = session.post(deployment.base_url + "/pets", json=payload, timeout=_TIMEOUT)
        assert created.status_code == 201
        assert created.json() == {**payload, "id": created.json()["id"]}
        assert len(_list(deployment, 100)) == min(
            variant.settings.get("catalogue", Settings().catalogue) + 1, 100
        )


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


def test_a_status_that_moves_and_others_that_create_change_the_store() -> None:
    """Work beside the answering of requests goes on."""
    with EmbeddedDeployment(variants=["others.creating"]) as deployment:
        first = _list(deployment, 1)[0]["id"]
        for _ in range(200):
            if _list(deployment, 1)[0]["id"] > first:
                return
    pytest.fail("nobody created anything")


@pytest.mark.parametrize(
    ("fault", "path"),
    [
        ("http.cut.long-list", "/pets?limit=100"),
        ("http.chunk-size", "/pets/1"),
        ("http.status-line", "/pets/99999"),
    ],
)
def test_a_fault_of_framing_leaves_no_complete_answer(fault: str, path: str) -> None:
    """A client notices that the answer is not one."""
    with (
        EmbeddedDeployment(faults=[fault]) as deployment,
        _session(deployment) as session,
        pytest.raises(requests.RequestException),
    ):
        session.get(deployment.base_url + path, timeout=_TIMEOUT)


@pytest.mark.parametrize("fault", ["http.drop.nul-name", "http.cut.created"])
def test_a_fault_of_creating_leaves_no_complete_answer(fault: str) -> None:
    """A client notices that the answer is not one."""
    with (
        EmbeddedDeployment(faults=[fault]) as deployment,
        _session(deployment) as session,
        pytest.raises(requests.RequestException),
    ):
        session.post(deployment.base_url + "/pets", json={"name": "a\0b", "categoryId": 1}, timeout=_TIMEOUT)


def test_the_race_gives_creations_at_the_same_time_the_same_id() -> None:
    """Two requests that overlap get one id, two that do not get two."""

    async def race() -> tuple[list[Any], list[Any]]:
        local = Local(FAULTS["id.race"])
        together = await asyncio.gather(*(local.create("Twin") for _ in range(5)))
        apart = [await local.create("Single") for _ in range(5)]
        return [answer.id for answer in together], [answer.id for answer in apart]

    together, apart = asyncio.run(race())
    assert len(set(together)) < 5
    assert len(set(apart)) == 5


@pytest.mark.parametrize("name", NULLS)
def test_a_null_server_answers_everything_alike(name: str) -> None:
    """Whatever is asked, with or without a key; the echo repeats what it was sent."""
    with EmbeddedDeployment(null=name) as deployment, _session(deployment) as session:
        listed = session.get(deployment.base_url + "/pets", timeout=_TIMEOUT)
        found = requests.get(deployment.base_url + "/pets/1", timeout=_TIMEOUT)
        created = session.post(deployment.base_url + "/pets", json={"name": "Rex"}, timeout=_TIMEOUT)
    assert str(listed.status_code) == name.partition("-")[0]
    assert found.status_code == created.status_code == listed.status_code
    if name == "200-echo":
        assert created.json() == {"name": "Rex"}
    else:
        assert found.content == created.content == listed.content


def _session(deployment: EmbeddedDeployment) -> requests.Session:
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {deployment.api_key}"
    return session


def _list(deployment: EmbeddedDeployment, limit: int) -> list[Any]:
    with _session(deployment) as session:
        animals = session.get(f"{deployment.base_url}/pets?limit={limit}", timeout=_TIMEOUT).json()
    assert isinstance(animals, list)
    return animals
