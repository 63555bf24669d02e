"""Every option of `run` does what it says, by what the server saw and what the report says."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from selftests.commands.running import Counted, Ended, counted, smoke, together

GETS = {"GET"}
LAGGING = ("--profile", "standard", "--clause", "get.found")


@pytest.fixture(scope="module")
def seen() -> dict[str, Counted]:
    """What the servers saw."""
    return {}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, seen: dict[str, Counted]) -> dict[str, Ended]:
    """A small run with each option, each against a deployment of its own."""
    home = tmp_path_factory.mktemp("options")
    given: dict[str, tuple[str, ...]] = {
        "clause": ("--clause", "list.limit", "--clause", "auth.missing", "--rate", "60/s"),
        "certify": ("--certify", "--name", "Staging, behind the gate", "--header", "X-Tenant: seven"),
        "certify_part": ("--certify", "--clause", "list"),
        "certify_short": ("--certify", "--max-creates", "3"),
        "no_creates": ("--max-creates", "0"),
        "category_id": ("--category-id", "-41"),
        "read_only": ("--read-only",),
        "plan": ("--plan",),
        "max_time": ("--max-time", "0.2"),
    }

    def against(
        name: str, *options: str, faults: tuple[str, ...] = (), variants: tuple[str, ...] = ()
    ) -> Ended:
        with counted(*faults, variants=variants) as deployment:
            seen[name] = deployment
            return smoke(*options, cwd=home / name, env=deployment.env)

    return together(
        **{name: lambda name=name, options=options: against(name, *options) for name, options in given.items()},
        lenient=lambda: against("lenient", faults=("methods.no-allow",)),
        strict=lambda: against("strict", "--strict", faults=("methods.no-allow",)),
        removed=lambda: against("removed", "--today", "2030-12-05", variants=("get.removed-410",)),
        too_early=lambda: against("too_early", "--today", "2030-12-04", variants=("get.removed-410",)),
        settled=lambda: against("settled", *LAGGING, "--settle", "1", variants=("lag.get",)),
        unsettled=lambda: against("unsettled", *LAGGING, "--settle", "0", variants=("lag.get",)),
        broken=lambda: against("broken", faults=("limit.one-more",)),
    )  # fmt: skip


def test_clause_judges_the_selected_clauses_alone(runs: dict[str, Ended], seen: dict[str, Counted]) -> None:
    """And sends less."""
    ended = runs["clause"]
    assert 0 == ended.code, ended.said
    judged = {name for name, outcome in ended.outcomes().items() if outcome != "untested"}
    assert judged
    assert all(each.startswith(("list.limit", "auth.missing")) for each in judged)
    assert ended.ids("passed") >= {"list.limit.respected", "auth.missing.create"}
    assert len(seen["clause"].requests) < len(seen["certify"].requests)


def test_strict_lets_a_should_clause_fail_the_run(runs: dict[str, Ended]) -> None:
    """Which it does not otherwise."""
    assert 0 == runs["lenient"].code, runs["lenient"].said
    assert 1 == runs["strict"].code, runs["strict"].said
    assert runs["lenient"].ids("failed") == runs["strict"].ids("failed") != set()
    assert set() == runs["strict"].ids("failed", "MUST")


def test_certify_writes_a_certificate_of_a_run_that_passed(runs: dict[str, Ended]) -> None:
    """And says where it is."""
    assert 0 == runs["certify"].code, runs["certify"].said
    assert (runs["certify"].directory / "certificate.json").exists()
    assert "certificate: reports/certificate.json" in runs["certify"].said


@pytest.mark.parametrize("name", ["certify_part", "certify_short"])
def test_certify_demands_every_must_clause(name: str, runs: dict[str, Ended]) -> None:
    """Those that were not selected, and those that nothing could be told of."""
    assert 3 == runs[name].code, runs[name].said
    assert "could-not-judge" == runs[name].report["outcome"]
    assert "A certificate needs every MUST clause passed" in runs[name].said
    assert not (runs[name].directory / "certificate.json").exists()


def test_max_creates_is_kept_by_the_servers_own_count(
    runs: dict[str, Ended], seen: dict[str, Counted]
) -> None:
    """Whatever then cannot be told."""
    assert 1 <= seen["certify_short"].created <= 3
    assert seen["certify_short"].created == len(runs["certify_short"].report["leftovers"])
    assert set() == runs["certify_short"].ids("failed")


def test_without_any_creation_nothing_is_claimed_of_them(
    runs: dict[str, Ended], seen: dict[str, Counted]
) -> None:
    """Not green: what everything rests on could not be judged."""
    assert 0 == seen["no_creates"].created
    assert 3 == runs["no_creates"].code, runs["no_creates"].said
    assert "cant-tell" == runs["no_creates"].outcomes()["create.answer"]


def test_category_id_is_the_one_that_creations_use(runs: dict[str, Ended]) -> None:
    """Instead of one that was looked for."""
    used = [json.loads(body) for body in _creations(runs["category_id"])]
    assert 0 == runs["category_id"].code, runs["category_id"].said
    assert -41 == used[0]["categoryId"]
    assert sum(each.get("categoryId") == -41 for each in used) > len(used) / 2


def _creations(ended: Ended) -> list[bytes]:
    """The bodies of the creations that were accepted."""
    return [
        each.request.body or b""
        for each in ended.trace.exchanges
        if each.request.method == "POST" and each.response and each.response.status == 201
    ]


def test_read_only_sends_gets_of_the_two_reading_operations(
    runs: dict[str, Ended], seen: dict[str, Counted]
) -> None:
    """Nothing else, and the clauses of creations do not apply."""
    assert 0 == runs["read_only"].code, runs["read_only"].said
    assert GETS == {method for method, _ in seen["read_only"].requests}
    assert all(target.startswith("/pets") for _, target in seen["read_only"].requests)
    assert 0 == seen["read_only"].created
    assert {"create.answer", "create.name.exact"} <= runs["read_only"].ids("inapplicable")
    assert {"list.limit.respected", "get.found"} <= runs["read_only"].ids("passed")


def test_plan_sends_nothing(runs: dict[str, Ended], seen: dict[str, Counted]) -> None:
    """It says what would be done, and which clauses would be judged, and writes nothing."""
    assert 0 == runs["plan"].code, runs["plan"].said
    assert [] == seen["plan"].requests
    assert "at most 150 requests" in runs["plan"].said
    assert "at most 20 animals created" in runs["plan"].said
    assert "list.limit.maximum" in runs["plan"].output
    assert not (runs["plan"].directory / "trace.ndjson").exists()


def test_rate_is_kept(runs: dict[str, Ended], seen: dict[str, Counted]) -> None:
    """So many requests take so long."""
    assert runs["clause"].report["run"]["seconds"] >= (len(seen["clause"].requests) - 1) / 60


def test_a_name_and_a_header_reach_the_report_and_the_server(runs: dict[str, Ended]) -> None:
    """The value of the header, which may be a secret, is in no file."""
    ended = runs["certify"]
    assert 0 == ended.code, ended.said
    assert "Staging, behind the gate" == ended.report["target"]["name"]
    assert ["X-Tenant"] == ended.report["run"]["options"]["headers"]
    for path in ended.directory.iterdir():
        assert b"seven" not in path.read_bytes(), path.name


def test_a_run_that_had_too_little_time_is_not_green(runs: dict[str, Ended]) -> None:
    """And says what it had too little of."""
    assert 3 == runs["max_time"].code, runs["max_time"].said
    assert "--max-time" in runs["max_time"].said
    assert set() == runs["max_time"].ids("failed")


def test_today_decides_whether_get_pet_may_be_gone(runs: dict[str, Ended]) -> None:
    """From 5 December 2030 its clauses do not apply; a day before, they fail."""
    assert 0 == runs["removed"].code, runs["removed"].said
    assert "inapplicable" == runs["removed"].outcomes()["get.found"]
    assert 1 == runs["too_early"].code, runs["too_early"].said
    assert "failed" == runs["too_early"].outcomes()["get.found"]


def test_settle_decides_how_far_reads_may_lag(runs: dict[str, Ended]) -> None:
    """300 ms behind is lawful with a second, and not with none."""
    assert 0 == runs["settled"].code, runs["settled"].said
    assert 1 == runs["unsettled"].code, runs["unsettled"].said
    assert "get.found" in runs["unsettled"].ids("failed")


def test_a_fault_fails_its_clause_and_shows_the_smallest_request(runs: dict[str, Ended]) -> None:
    """Required, acceptable, observed, and a line to paste, without the key."""
    ended = runs["broken"]
    assert 1 == ended.code, ended.said
    assert {"list.limit.respected"} <= ended.ids("failed") <= {"list.limit.respected", "list.limit.maximum"}
    for word in ("required", "acceptable", "observed", "curl -sS", "$ANIMAL_STORE_API_KEY"):
        assert word in ended.output


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory, runs: dict[str, Ended]) -> dict[str, Ended]:
    """Runs that are measured against earlier ones, and against what is known to fail."""
    home = tmp_path_factory.mktemp("gates")
    today = date.today()  # noqa: DTZ011 - as the command has it
    good, bad = (runs[name].directory / "conformance.json" for name in ("certify", "broken"))
    failed = sorted(runs["broken"].ids("failed"))
    files = {
        "living": [(each, today) for each in failed],
        "over": [(each, today - timedelta(days=1)) for each in failed],
        "outlived": [(each, today) for each in [*failed, "get.found"]],
    }
    for name, entries in files.items():
        text = "\n".join(f"- {{id: {each}, reason: ticket 7, until: {until}}}" for each, until in entries)
        (home / f"{name}.yaml").write_text(text, encoding="utf-8")

    def gate(name: str, *options: str | Path, faults: tuple[str, ...] = ("limit.one-more",)) -> Ended:
        with counted(*faults) as deployment:
            return smoke(*options, cwd=home / name, env=deployment.env)

    return together(
        worse=lambda: gate("worse", "--baseline", good),
        same=lambda: gate("same", "--baseline", bad),
        better=lambda: gate("better", "--baseline", bad, faults=()),
        expected=lambda: gate("expected", "--expect", home / "living.yaml"),
        expired=lambda: gate("expired", "--expect", home / "over.yaml"),
        outlived=lambda: gate("outlived", "--expect", home / "outlived.yaml"),
        both=lambda: gate("both", "--expect", home / "living.yaml", "--baseline", good),
    )


def test_a_baseline_says_what_got_worse(gates: dict[str, Ended]) -> None:
    """Of two runs of one deployment."""
    assert 1 == gates["worse"].code
    assert "worse than the baseline: list.limit.respected was passed, is failed" in gates["worse"].said
    assert "worse than the baseline" not in gates["same"].said
    assert 0 == gates["better"].code, gates["better"].said


def test_an_expected_failure_does_not_fail_the_gate(gates: dict[str, Ended]) -> None:
    """Until its date is over, or until it passes."""
    assert 0 == gates["expected"].code, gates["expected"].said
    assert "nothing unexpected" in gates["expected"].said
    assert 1 == gates["expired"].code, gates["expired"].said
    assert "it was expected to until" in gates["expired"].said
    assert 1 == gates["outlived"].code, gates["outlived"].said
    assert "get.found was expected to fail, and passed" in gates["outlived"].said


def test_a_known_failure_that_the_baseline_did_not_have_still_got_worse(gates: dict[str, Ended]) -> None:
    """The stricter of two gates closes."""
    assert 1 == gates["both"].code, gates["both"].said
