"""app.py: what is read of a request."""

from __future__ import annotations

import pytest
import requests

from selftests.loopback.deployment import counted
from selftests.loopback.server import KEY


@pytest.mark.parametrize(("key", "status"), [(KEY, 400), ("wrong", 401)])
def test_a_body_that_is_too_large_is_refused_behind_the_key(key: str, status: int) -> None:
    """401 comes before anything else, however large the body is."""
    with counted() as server:
        body = b'{"name": "' + b"x" * (8 * 1024 * 1024)
        answer = requests.post(
            f"{server.url}/pets", data=body, headers={"Authorization": f"Bearer {key}"}, timeout=20
        )
    assert (status, status) == (answer.status_code, answer.json()["status"])
