"""The rules of rules/addresses.py: other methods, and the version in the base address."""

from __future__ import annotations

import pytest

from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    JSON,
    PASSED,
    exchange,
    failed_of,
    listing,
    outcome_of,
    unanswered,
)


@pytest.mark.parametrize("target", ["/pets", "/pets/", "/pets/5"])
def test_a_405_with_an_allow_header_is_evidence(target: str) -> None:
    """RFC 9110 section 15.5.6; an empty one says that nothing is allowed."""
    for value in ("GET, POST", ""):
        answer = exchange("PROPFIND", target, 405, b"", headers=(("allow", value),))
        assert PASSED == outcome_of("methods.allow", [answer])


def test_a_405_without_an_allow_header_is_a_finding_of_a_should() -> None:
    """Reading 15: methods are open, so this is all that is said of them, and nothing of paths elsewhere."""
    assert {"methods.allow"} == failed_of([exchange("PROPFIND", "/pets", 405, b"<h1>", headers=())])
    assert set() == failed_of([exchange("GET", "/orders", 405, b"", headers=JSON)])


@pytest.mark.parametrize("status", [200, 204, 400, 401, 404, 500, 501])
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PROPFIND", "DELETE"])
def test_another_answer_to_another_method_is_open(method: str, status: int) -> None:
    """Reading 15."""
    answer = exchange(method, "/pets", status, b"", headers=())
    assert CANT_TELL == outcome_of("methods.allow", [answer])
    assert set() == failed_of([answer])


@pytest.mark.parametrize(
    "address", ["https://a.example/v1", "http://localhost:8080/api/v1", "https://a.example/v1/"]
)
def test_an_address_that_ends_with_v1_is_evidence(address: str) -> None:
    """Once the deployment answered; recorded traffic may not say the address."""
    assert PASSED == outcome_of("version.path", [listing()], base_url=address)
    assert CANT_TELL == outcome_of("version.path", [unanswered(listing())], base_url=address)
    assert CANT_TELL == outcome_of("version.path", [listing()], base_url="")


@pytest.mark.parametrize("path", ["a.example", "a.example/v2", "a.example/apiv1", "a.example/v1/api", "v1"])
def test_another_address_is_a_finding_of_a_should(path: str) -> None:
    """Versioning, rule 2."""
    assert FAILED == outcome_of("version.path", [listing()], base_url=f"https://{path}")
