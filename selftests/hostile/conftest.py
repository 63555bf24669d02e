"""Every hostile server with a run against it, a few at a time, and a run against an honest one to compare with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from selftests.hostile.cases import CASES, HostileCase
from selftests.loopback.command import Ended, smoke
from selftests.loopback.server import RawServer

AT_ONCE = 5


@dataclass(frozen=True)
class Encounter:
    """A run against a hostile server, and what it recorded."""

    case: HostileCase
    ended: Ended
    trace: list[dict[str, Any]]


def meet(case: HostileCase, directory: Path) -> Encounter:
    """Run the command against a hostile server."""
    with RawServer(case.behaviour) as server:
        ended = smoke(server.url, "--timeout", str(case.timeout_s), cwd=directory)
    lines = ended.files.get("trace.ndjson", b"").splitlines()
    return Encounter(
        case, ended, [record for line in lines if (record := json.loads(line))["kind"] == "exchange"]
    )


@pytest.fixture(scope="session")
def encounters(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[HostileCase], Encounter]]:
    """The encounter of a case; those of all selected tests are begun at once."""
    callspecs = [getattr(each, "callspec", None) for each in request.session.items]
    wanted = {each.params["case"].name for each in callspecs if each is not None and "case" in each.params}
    directory = tmp_path_factory.mktemp("hostile")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun: dict[str, Future[Encounter]] = {
            each.name: pool.submit(meet, each, directory / each.name) for each in CASES if each.name in wanted
        }
        yield lambda case: begun[case.name].result()


@pytest.fixture(scope="session")
def normal(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A run against an honest server."""
    with RawServer() as server:
        ended = smoke(server.url, cwd=tmp_path_factory.mktemp("normal"))
    assert ended.code == 0, ended.said
    return ended
