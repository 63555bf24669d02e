"""The main job: a deployment that keeps the interface conforms, within the limits, however it is reached."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from animal_conformance.interface.reading import created_id
from animal_conformance.record.exchange import Exchange, Request
from selftests.loopback.command import COMMAND, Ended, Runs, command, smoke
from selftests.loopback.deployment import Counted, counted, serving
from selftests.loopback.shared import SharedRuns, shared_directory

DEEP_S = 20
# On a loaded machine answers take long enough for lanes, which send in an order of their own.
ONE = ("--connections", "1")
# What the server of the run by URL saw.
SEEN = "seen"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all of it is."""
    return shared_directory("runs", tmp_path_factory)


@pytest.fixture(scope="module")
def runs(home: Path) -> Runs:
    """The same deployment, fresh for each, judged in several ways."""

    def by_url() -> Ended:
        with counted() as deployment:
            ended = command("run", *ONE, cwd=home / "url", env=deployment.env, program=COMMAND)
        (home / SEEN).write_bytes(pickle.dumps(deployment))
        return ended

    def small_by_url(*options: str, name: str) -> Ended:
        with counted() as deployment:
            ended = smoke(*options, cwd=home / name, env=deployment.env)
        assert ended.report["run"]["requests"] == len(deployment.requests)
        assert ended.report["run"]["creations"] == deployment.created
        return ended

    return SharedRuns(
        home,
        embedded=lambda: command("run", *ONE, cwd=home / "embedded", program=COMMAND),
        url=by_url,
        lanes=lambda: command("run", "--connections", "8", cwd=home / "lanes"),
        smoke=lambda: small_by_url(name="smoke"),
        seed=lambda: small_by_url("--seed", "2", name="seed"),
        random=lambda: small_by_url("--seed", "random", name="random"),
    )


@pytest.mark.parametrize("way", ["embedded", "url", "lanes", "smoke", "seed", "random"])
def test_a_correct_deployment_conforms_with_evidence_for_every_must(way: str, runs: Runs) -> None:
    """Exit code 0; no MUST clause is short of passed, or passed for nothing."""
    ended = runs[way]
    assert 0 == ended.code, ended.said
    assert "CONFORMS" in ended.output
    assert "conforms" == ended.report["outcome"]
    must = [each for each in ended.report["clauses"] if each["level"] == "MUST"]
    assert [] == [each["id"] for each in must if each["outcome"] != "passed" or each["evidence"] < 1]
    assert set() == ended.ids("cant-tell") | ended.ids("failed")
    # Nor was anything left out, such as for the limits of the run.
    assert ([], []) == (ended.report["suite_faults"], ended.report["run"]["notes"])


@pytest.mark.parametrize(
    ("way", "requests", "animals"),
    [("embedded", 1100, 138), ("url", 1100, 138), ("lanes", 1100, 138), ("smoke", 150, 20), ("random", 150, 20)],
)  # fmt: skip
def test_a_run_keeps_to_the_limits_of_its_profile(way: str, requests: int, animals: int, runs: Runs) -> None:
    """Over all lanes."""
    figures = runs[way].report["run"]
    assert figures["requests"] <= requests
    assert figures["creations"] <= animals


def test_the_server_counts_the_same_requests_and_animals(runs: Runs, home: Path) -> None:
    """Nothing is sent that is not recorded, and in the recorded order, but for what is sent at the same time."""
    report = runs["url"].report
    server: Counted = pickle.loads((home / SEEN).read_bytes())  # noqa: S301 - written by the run
    assert report["run"]["requests"] == len(server.requests)
    assert report["run"]["creations"] == len(report["leftovers"]) == server.created
    # A server is not told whether a query is empty or missing.
    recorded = [(method, target.removesuffix("?")) for method, target, _ in runs["url"].sent]
    assert recorded[:100] == server.requests[:100]
    assert sorted(recorded) == sorted(server.requests)


def test_the_same_seed_sends_the_same_requests(runs: Runs) -> None:
    """On fresh deployments, in processes of their own, but for which of the animals created at once got which id."""
    first, second = (_by_place(runs[way].trace.exchanges) for way in ("embedded", "url"))
    assert first.keys() == second.keys()
    assert {} == {place: (each, second[place]) for place, each in first.items() if each != second[place]}


def test_another_seed_sends_other_requests_and_gives_the_same_verdict(runs: Runs) -> None:
    """The examples differ, and what they show does not."""
    assert runs["smoke"].sent != runs["seed"].sent != runs["random"].sent
    assert runs["smoke"].outcomes() == runs["seed"].outcomes() == runs["random"].outcomes()
    assert 2 == runs["seed"].report["run"]["seed"]


def test_lanes_send_the_same_requests_and_give_the_same_verdict(runs: Runs) -> None:
    """Driver by driver, whichever was answered first, but for the ids that the deployment gave and what found the width."""
    one, eight = (_by_driver(runs[way].trace.exchanges) for way in ("embedded", "lanes"))
    assert 8 == runs["lanes"].report["run"]["connections"]
    assert runs["embedded"].outcomes() == runs["lanes"].outcomes()
    assert (Counter(), Counter()) == (one - eight, eight - one)


def _by_driver(exchanges: Iterable[Exchange]) -> Counter[tuple[str, str, str, bytes | None]]:
    """How often each driver sent each request, ids apart."""
    return Counter(
        (
            each.driver,
            each.request.method,
            _without_numbers(each.request.target),
            _without_id(each.request.body),
        )
        for each in exchanges
        if each.driver
    )


def _without_numbers(target: str) -> str:
    """A target without the id that it was given or made of."""
    return re.sub(r"^/pets/-?\d+", "/pets/0", target)


def _by_place(exchanges: Iterable[Exchange]) -> dict[tuple[int, int], tuple[str, str, bytes | None]]:
    """Each request by its place in the run, with the creation in place of the id that it gave.

    Creations at the same time count as one: which of them gets which id is left to chance.
    """
    given = {created: f"<{_origin(each)}>" for each in exchanges if (created := created_id(each)) is not None}

    def target(request: Request) -> str:
        last = request.target.removeprefix("/pets/")
        return given.get(int(last), last) if last.removeprefix("-").isdecimal() else request.target

    return {
        (each.sequence, each.step): (
            each.request.method,
            target(each.request),
            _without_id(each.request.body),
        )
        for each in exchanges
    }


def _origin(creation: Exchange) -> str:
    """The place of a creation in the run; its driver, if that creates several animals at once."""
    return creation.driver if "test_at_once.py" in creation.driver else creation.reference


def _without_id(body: bytes | None) -> bytes | None:
    """A body without an id of the client's own, which may be one that the deployment gave before."""
    return None if body is None else re.sub(rb'"id": -?\d+', b'"id": 0', body)


def test_every_report_is_written_and_nothing_else(runs: Runs) -> None:
    """Nor anything beside the report directory."""
    assert set(runs["embedded"].files) == {
        "conformance.json", "trace.ndjson", "trace.har", "junit.xml", "report.html", "summary.md", "badge.svg",
        "ctrf-report.json",
    }  # fmt: skip
    assert ["reports"] == [each.name for each in runs["embedded"].directory.parent.iterdir()]


def test_a_deployment_that_serve_runs_in_another_process_conforms(tmp_path: Path) -> None:
    """By the address and the key that it says."""
    with serving(cwd=tmp_path) as env:
        address = env.pop("ANIMAL_STORE_BASE_URL")
        ended = smoke(address, cwd=tmp_path, env=env)
    assert 0 == ended.code, ended.said
    assert address == ended.report["target"]["base_url"]
    told = " ".join(ended.complaints.split())
    assert f"About to judge {address}: at most 250 requests" in told
    assert re.search(r"It will take about \d+ s: a response takes \d+ ms\.", told)


def test_a_run_can_be_repeated_where_names_have_to_be_unique(tmp_path: Path) -> None:
    """The names that it begins with are taken the second time, which is no finding, and it goes on with others."""
    with counted(variants=["names.unique"]) as server:
        for number in range(2):
            ended = smoke(cwd=tmp_path / f"{number}", env=server.env)
            assert 0 == ended.code, ended.said
            assert "create.refusal.untraced" in ended.ids("passed")


@pytest.mark.timed
def test_a_deep_run_spends_its_time_on_fresh_examples(tmp_path: Path) -> None:
    """Round after round until --max-time is near; animals are created until its end, so that no sequence is short."""
    ended = command("run", "--profile", "deep", "--max-time", f"{DEEP_S}", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert any("[round 2]" in each.driver for each in ended.trace.exchanges)
    assert 0.5 * DEEP_S <= ended.report["run"]["seconds"]
    creations = [body for method, _, body in ended.sent if method == "POST" and body]
    assert len(set(creations)) > 0.8 * len(creations)
    exchanges = ended.trace.exchanges
    made_s = [each.sent_s for each in exchanges if each.response and each.response.status == 201]
    assert len(made_s) <= 2000
    assert max(made_s) > 0.5 * DEEP_S
