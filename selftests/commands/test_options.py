"""Every option of `run` does what it says, by what the server saw and what the report says."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from animal_conformance.cli import main
from animal_conformance.interface.clauses import Level, load_clauses
from selftests.loopback.command import Ended, Runs, smoke
from selftests.loopback.deployment import counted
from selftests.loopback.shared import SharedRuns, shared_directory

CLAUSES = load_clauses().clauses
MUST = sum(each.level is Level.MUST for each in CLAUSES)


# A certifying run comes back to its first animals after ten times the settling time.
CERTIFY = ("--certify", "--settle", "0.1")
FOUND = ("--clause", "get.found")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """A small run with each option, each against a deployment of its own."""
    home = shared_directory("options", tmp_path_factory)

    def against(name: str, *options: str, fault: str = "", variants: tuple[str, ...] = ()) -> Ended:
        with counted(*[fault] if fault else [], variants=variants) as deployment:
            return smoke(*options, cwd=home / name, env=deployment.env)

    given: dict[str, tuple[str, ...]] = {
        "clause": ("--clause", "list.limit", "--clause", "auth.missing"),
        "should": ("--clause", "version"),
        "should_strict": ("--clause", "version", "--strict"),
        "read_only": ("--read-only",),
        "certify": (*CERTIFY, "--name", "Staging, behind the gate"),
        "certify_short": (*CERTIFY, "--max-creates", "3"),
        "torture": ("--torture",),
        "category_id": ("--category-id", "-41"),
        "ten": ("--profile", "standard", "--max-creates", "10"),
    }
    return SharedRuns(
        home,
        **{name: lambda name=name, options=options: against(name, *options) for name, options in given.items()},
        empty=lambda: against("empty", variants=("store.empty",)),
        excused=lambda: smoke(*CERTIFY, "--variant", "key.digits", cwd=home / "excused"),
        lenient=lambda: against("lenient", fault="methods.no-allow"),
        strict=lambda: against("strict", "--strict", fault="methods.no-allow"),
        removed=lambda: against("removed", "--today", "2030-12-05", variants=("get.removed-410",)),
        too_early=lambda: against("too_early", "--today", "2030-12-04", variants=("get.removed-410",)),
        settled=lambda: against("settled", *FOUND, "--settle", "3", variants=("lag.get",)),
        unsettled=lambda: against("unsettled", *FOUND, "--settle", "0", variants=("lag.get",)),
        broken=lambda: against("broken", fault="limit.one-more"),
    )  # fmt: skip


def test_clause_judges_the_selected_clauses_alone(runs: Runs) -> None:
    """And sends less."""
    ended = runs["clause"]
    assert 0 == ended.code, ended.said
    judged = {name for name, outcome in ended.outcomes().items() if outcome != "untested"}
    assert judged
    assert all(each.startswith(("list.limit", "auth.missing")) for each in judged)
    assert ended.ids("passed") >= {"list.limit.respected", "auth.missing.create"}
    assert len(runs["clause"].sent) < len(runs["certify"].sent)


def test_a_run_that_left_clauses_out_never_says_that_a_deployment_conforms(runs: Runs) -> None:
    """It is partial wherever it has a verdict; there is no badge, and it says what would tell the rest."""
    for name, needed in (
        ("clause", "without --clause and with --profile standard"),
        ("read_only", "without --read-only"),
    ):
        ended = runs[name]
        assert (0, "partial") == (ended.code, ended.report["scope"]), ended.said
        passed = len(ended.ids("passed", "MUST"))
        told = f"No violation in the {passed} of {MUST} MUST clauses judged; a run {needed} would judge the rest."
        assert told == ended.report["reason"]
        assert told in ended.said
        assert "CONFORMS" not in ended.output
        assert "badge.svg" not in ended.files
        for file, words in (
            ("report.html", b"<dd>partial"),
            ("junit.xml", b'"scope" value="partial"'),
            ("summary.md", b"scope: partial"),
        ):
            assert words in ended.files[file], file
    assert "whole" == runs["certify"].report["scope"]


def test_a_small_run_on_an_empty_store_is_green_and_partial(runs: Runs) -> None:
    """It may not create the 21 and 101 animals that two clauses need, and says so; nobody else's are there to be stable."""
    ended = runs["empty"]
    assert (0, "partial") == (ended.code, ended.report["scope"]), ended.said
    told = f"No violation in the {MUST - 3} of {MUST} MUST clauses judged; a run with --profile standard would judge the rest."
    assert told == ended.report["reason"]
    clauses = {each["id"]: each for each in ended.report["clauses"] if each["outcome"] == "cant-tell"}
    assert {"list.limit.default", "list.limit.maximum", "animal.id.stable"} == clauses.keys()
    assert "A run with --profile standard may determine it." == clauses["list.limit.default"]["remedy"]
    assert "others.none" == clauses["animal.id.stable"]["excuse"]["id"]
    assert "EXCUSED, AS NO CLIENT COULD TELL: 1 CLAUSE" in ended.output
    assert "badge.svg" not in ended.files


def test_ten_creations_are_spent_so_that_rejections_are_tried_too(runs: Runs) -> None:
    """Every clause on create requests is judged; what would take a hundred animals says so."""
    ended = runs["ten"]
    assert (0, "partial") == (ended.code, ended.report["scope"]), ended.said
    assert ended.report["run"]["creations"] <= 10
    untold = {each["id"]: each["why"] for each in ended.report["clauses"] if each["outcome"] == "cant-tell"}
    assert {"list.limit.maximum"} == untold.keys()
    assert "used up its limit of 10 created animals" in untold["list.limit.maximum"]
    assert "with a larger --max-creates would judge the rest" in ended.said


def test_what_no_client_could_tell_is_certified_and_listed(runs: Runs) -> None:
    """In the certificate, and by `verify`."""
    ended = runs["excused"]
    assert (0, "whole") == (ended.code, ended.report["scope"]), ended.said
    assert f"{MUST - 1} of {MUST} MUST clauses passed and none failed; 1 excused" in ended.report["reason"]
    listed = json.loads(ended.files["certificate.json"])["predicate"]["excusedTests"]
    assert [("auth.key.case", "key.caseless")] == [(each["name"], each["circumstance"]) for each in listed]
    said = CliRunner().invoke(main, ["verify", str(ended.directory)]).output
    assert "excused     auth.key.case: The key has no letters, so its case cannot be changed." in said
    for name in ("report.html", "summary.md", "junit.xml"):
        assert b"The key has no letters" in ended.files[name]


def test_a_run_that_judged_nothing_that_counts_could_not_judge(runs: Runs) -> None:
    """Of the MUST clauses, and of all where the run is strict."""
    assert 3 == runs["should"].code, runs["should"].said
    assert f"None of {MUST} MUST clauses was judged" in runs["should"].said
    assert 0 == runs["should_strict"].code, runs["should_strict"].said
    assert f"No violation in the 1 of {len(CLAUSES)} clauses judged" in runs["should_strict"].said


def test_strict_lets_a_should_clause_fail_the_run(runs: Runs) -> None:
    """Which it does not otherwise."""
    assert 0 == runs["lenient"].code, runs["lenient"].said
    assert 1 == runs["strict"].code, runs["strict"].said
    assert runs["lenient"].ids("failed") == runs["strict"].ids("failed") != set()
    assert set() == runs["strict"].ids("failed", "MUST")


def test_certify_writes_a_certificate_of_a_run_that_passed(runs: Runs) -> None:
    """Under the name that was given; and says where it is."""
    assert 0 == runs["certify"].code, runs["certify"].said
    assert "Staging, behind the gate" == runs["certify"].report["target"]["name"]
    assert (runs["certify"].directory / "certificate.json").exists()
    assert "certificate: reports/certificate.json" in runs["certify"].said


def test_certify_demands_every_must_clause(runs: Runs) -> None:
    """Those as well that nothing could be told of."""
    ended = runs["certify_short"]
    assert 3 == ended.code, ended.said
    assert "could-not-judge" == ended.report["outcome"]
    assert "A certificate requires every MUST clause to pass" in ended.said
    assert not (ended.directory / "certificate.json").exists()


def test_category_id_is_the_one_that_creations_use(runs: Runs) -> None:
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


def test_today_decides_whether_get_pet_may_be_gone(runs: Runs) -> None:
    """From 5 December 2030 its clauses do not apply; a day before, they fail."""
    assert 0 == runs["removed"].code, runs["removed"].said
    assert "inapplicable" == runs["removed"].outcomes()["get.found"]
    assert 1 == runs["too_early"].code, runs["too_early"].said
    assert "failed" == runs["too_early"].outcomes()["get.found"]


def test_settle_decides_how_far_reads_may_lag(runs: Runs) -> None:
    """An animal that is there 300 ms later is late within three seconds, and missing where there are none."""
    assert 0 == runs["settled"].code, runs["settled"].said
    assert 1 == runs["unsettled"].code, runs["unsettled"].said
    assert "get.found" in runs["unsettled"].ids("failed")


def test_a_fault_fails_its_clause_and_shows_the_smallest_request(runs: Runs) -> None:
    """Required, expected, observed, and a line to paste, without the key."""
    ended = runs["broken"]
    assert 1 == ended.code, ended.said
    assert {"list.limit.respected"} <= ended.ids("failed") <= {"list.limit.respected", "list.limit.maximum"}
    for word in ("required", "expected", "observed", "curl -sS", "$ANIMAL_STORE_API_KEY"):
        assert word in ended.output


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory, runs: Runs) -> Runs:
    """Runs that are measured against earlier ones, and against what is known to fail."""
    home = tmp_path_factory.mktemp("gates")
    today = date.today()  # noqa: DTZ011 - as the command has it
    good, bad = (runs[name].directory / "conformance.json" for name in ("certify", "broken"))
    known, over = home / "known.yaml", home / "over.yaml"
    for path, until in ((known, today), (over, today - timedelta(days=1))):
        lines = [
            f"- {{id: {each}, reason: ticket 7, until: {until}}}" for each in runs["broken"].ids("failed")
        ]
        path.write_text("\n".join(lines), encoding="utf-8")

    def gate(name: str, *options: str | Path, fault: str = "limit.one-more") -> Ended:
        with counted(*[fault] if fault else []) as deployment:
            return smoke(*options, cwd=home / name, env=deployment.env)

    return Runs(
        worse=lambda: gate("worse", "--baseline", good, "--write-expect", home / "made.yaml"),
        better=lambda: gate("better", "--baseline", bad, fault=""),
        expected=lambda: gate("expected", "--expect", known, "--baseline", bad),
        expired=lambda: gate("expired", "--expect", over),
        both=lambda: gate("both", "--expect", known, "--baseline", good.parent),
    )


def test_a_baseline_says_what_got_worse(gates: Runs) -> None:
    """Of two runs of one deployment."""
    assert 1 == gates["worse"].code
    assert "list.limit.respected (passed before, failed now)." in gates["worse"].said
    assert 0 == gates["better"].code, gates["better"].said


def test_expectations_are_written_from_a_run(gates: Runs) -> None:
    """Of what failed, without a reason."""
    made = yaml.safe_load((gates["worse"].directory.parent.parent / "made.yaml").read_bytes())
    assert {(each, None) for each in gates["worse"].failed_musts} == {
        (each["id"], each["reason"]) for each in made
    }


def test_an_expected_failure_does_not_fail_the_gate(gates: Runs) -> None:
    """Until its date is over, and unless the baseline did not have it: the stricter gate closes."""
    assert 0 == gates["expected"].code, gates["expected"].said
    assert "CONFORMS, WITH" in gates["expected"].said
    assert "Worse than the baseline" not in gates["expected"].said
    assert 1 == gates["expired"].code, gates["expired"].said
    assert "was expected to only until" in gates["expired"].said
    assert 1 == gates["both"].code, gates["both"].said


def test_torture_is_sent_last_and_announced(runs: Runs) -> None:
    """Only if it is asked for: half of a character, numbers of thousands of digits, megabytes."""
    sizes = {
        name: max(len(each.request.body or b"") for each in runs[name].trace.exchanges)
        for name in ("torture", "certify")
    }
    assert sizes["certify"] < 10_000
    assert sizes["torture"] > 1_000_000
    assert "--torture sends bodies of megabytes" in runs["torture"].said
    assert "--torture" not in runs["certify"].said
    last = [each.driver for each in runs["torture"].trace.exchanges][-10:]
    assert {"test_harmful_requests"} == {each.rpartition("::")[2] for each in last}


def test_torture_is_no_reading(tmp_path: Path) -> None:
    """What contradicts itself is said before anything is sent."""
    ended = smoke("--torture", "--read-only", cwd=tmp_path)
    assert 2 == ended.code
    assert "omit one of them" in ended.said
