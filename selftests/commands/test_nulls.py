"""Servers that answer everything alike never conform, and pass no clause that they do not keep."""

from __future__ import annotations

from functools import partial

import pytest

from animal_conformance.reference.nulls import NULLS
from selftests.loopback.command import Ended, smoke, together
from selftests.loopback.deployment import counted

# The MUST clauses that each of them does keep.
ANY = {"http.answer"}
UP = ANY | {"http.server-error"}
OPEN = UP | {"auth.key.valid"}
JSON = {"http.json.body", "http.json.content-type"}
ERROR = {
    "http.json.content-type",
    "error.body",
    "error.code",
    "error.message",
    "error.status",
    "error.status.matches",
}
LIST = {"list.answer", "list.array", "list.limit.accepted", "list.status.accepted", "list.combined"}
KEPT = {
    "200-object": OPEN | JSON | {"animal.object", "animal.status"},
    "200-array": OPEN | JSON | LIST,
    "200-empty": OPEN,
    "200-html": OPEN,
    "200-echo": OPEN | JSON | {"animal.object", "animal.status"},
    "204": OPEN,
    "401-error": UP | ERROR,
    "401-bare": UP,
    "404-error": OPEN | ERROR,
    "500-error": ANY | ERROR,
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ended]:
    """A small run against each of them."""
    home = tmp_path_factory.mktemp("nulls")

    def against(name: str) -> Ended:
        with counted(null=name) as server:
            return smoke(cwd=home / name, env=server.env)

    return together(**{name: partial(against, name) for name in NULLS})


@pytest.mark.parametrize("name", NULLS)
def test_a_server_that_answers_everything_alike_does_not_conform(name: str, runs: dict[str, Ended]) -> None:
    """Nor does it break the suite."""
    ended = runs[name]
    assert ended.code in {1, 3}, ended.said
    assert "Traceback" not in ended.said
    assert [] == ended.report["suite_faults"]


@pytest.mark.parametrize("name", NULLS)
def test_it_passes_no_clause_that_it_does_not_keep(name: str, runs: dict[str, Ended]) -> None:
    """What passes of it is what such an answer happens to keep."""
    assert runs[name].ids("passed", "MUST") <= KEPT[name]
