"""A server that answers everything alike does not conform."""

from __future__ import annotations

from pathlib import Path

from animal_conformance.reference.embedded import EmbeddedDeployment
from selftests.loopback.command import smoke


def test_a_server_that_answers_everything_with_an_object_does_not_conform(tmp_path: Path) -> None:
    """The command says so by its exit code and on its page, and is not broken by it."""
    with EmbeddedDeployment(null="200-object") as server:
        env = {"ANIMAL_STORE_BASE_URL": server.base_url, "ANIMAL_STORE_API_KEY": server.api_key}
        ended = smoke(cwd=tmp_path, env=env)
    assert ended.code == 1, ended.said
    assert "Traceback" not in ended.said
    assert ended.report["suite_faults"] == []
    page = (ended.directory / "report.html").read_text(encoding="utf-8")
    assert "Does not conform" in page
