"""Known failures: what may fail for a while, and what may not."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from animal_conformance.judge.outcome import exit_code
from animal_conformance.record.exchange import Terms
from animal_conformance.report.words import verdict_words
from animal_conformance.session.expectations import (
    Expectation,
    ExpectationError,
    expectations_text,
    read_expectations,
)
from animal_conformance.session.gates import Gates, gate_of
from selftests.report.samples import BASE_URL, BROKEN, bad_exchanges, good_exchanges, report_of

TODAY = date(2026, 11, 20)
LATER = date(2027, 3, 31)


def expected(*ids: str, until: date = LATER) -> tuple[Expectation, ...]:
    """These clauses, with the same reason and date."""
    return tuple(Expectation(each, "known, ticket 7", until) for each in ids)


def held(
    report: dict[str, Any],
    baseline: dict[str, Any] | None = None,
    listed: tuple[Expectation, ...] | None = None,
) -> dict[str, Any]:
    """A report held against a baseline and a list of expected failures."""
    return {**report, "gate": gate_of(report, Gates(baseline, listed), TODAY)}


def gate(report: dict[str, Any], *ids: str, until: date = LATER) -> dict[str, Any]:
    """A report of which these clauses are expected to fail."""
    return held(report, listed=expected(*ids, until=until))


def test_expected_failures_alone_let_the_gate_open(bad: dict[str, Any]) -> None:
    """SHOULD clauses need no expectation in a run that is not strict."""
    result = gate(bad, *BROKEN)
    assert 0 == exit_code(result)
    assert BROKEN == [each["id"] for each in result["gate"]["known"]]
    assert "CONFORMS, WITH 6 KNOWN FAILURES" == verdict_words(result)


def test_a_failure_that_nobody_expects_closes_it(bad: dict[str, Any]) -> None:
    """Whatever else is expected."""
    result = gate(bad, *BROKEN[1:])
    assert 1 == exit_code(result)
    assert "DOES NOT CONFORM" == verdict_words(result)
    assert result["gate"]["reason"].startswith(
        "1 MUST clause failed: http.server-error; besides 5 known failures: "
    )


def test_a_strict_run_needs_its_should_clauses_expected() -> None:
    """As they fail it."""
    strict = report_of(bad_exchanges(), strict=True)
    assert 1 == exit_code(gate(strict, *BROKEN))
    should = ["list.limit.below-refused", "get.deprecation-header", "get.sunset-header"]
    assert 0 == exit_code(gate(strict, *BROKEN, *should))


def test_an_expected_failure_that_passes_closes_it(good: dict[str, Any]) -> None:
    """Since it would hide the next failure; but it is no failure of the deployment."""
    result = gate(good, "list.answer")
    assert 2 == exit_code(result)
    assert [
        "list.answer was expected to fail, but passed: remove it from the expectations (known, ticket 7)"
    ] == result["gate"]["stale"]
    assert "CONFORMS, BUT EXPECTATIONS ARE OUT OF DATE" == verdict_words(result)


def test_an_expectation_holds_on_its_last_day_and_not_after(bad: dict[str, Any]) -> None:
    """Then the failure counts, and says why it was let through until then."""
    assert 0 == exit_code(gate(bad, *BROKEN, until=TODAY))
    result = gate(bad, *BROKEN, until=date(2026, 11, 19))
    assert 1 == exit_code(result)
    assert 6 == len(result["gate"]["stale"])
    told = "http.server-error failed, but was expected to only until 2026-11-19: known, ticket 7"
    assert told == result["gate"]["stale"][0]


def test_an_expected_failure_that_nothing_was_seen_of_is_told_and_closes_nothing(
    good: dict[str, Any],
) -> None:
    """It neither failed nor passed."""
    result = gate(good, "list.complete")
    assert 0 == exit_code(result)
    told = "list.complete is expected to fail, but was not determined (can't tell)."
    assert [told] == result["gate"]["notes"]


def test_what_could_not_be_judged_is_not_made_green(unjudged: dict[str, Any]) -> None:
    """Neither on its own nor behind an expected finding."""
    assert 3 == exit_code(gate(unjudged, "list.answer"))
    stopped = report_of(bad_exchanges(), stopped="The deployment went away.")
    assert "does-not-conform" == stopped["outcome"]
    assert 3 == exit_code(gate(stopped, *BROKEN))
    untold = report_of(good_exchanges(), stopped="The deployment went away.")
    assert 3 == exit_code(gate(untold, "list.answer"))


def test_a_known_failure_leaves_no_certificate() -> None:
    """Of whichever level: a run that was asked for one is not green without."""
    certified = report_of(bad_exchanges(), certify=True)
    assert 3 == exit_code(gate(certified, *BROKEN))
    strict = report_of(good_exchanges(), strict=True, certify=True)
    assert "does-not-conform" == strict["outcome"]
    result = gate(strict, "get.deprecation-header", "get.sunset-header")
    assert 3 == exit_code(result)
    assert "A certificate requires a run in which no clause that counts failed" in result["gate"]["reason"]


@pytest.mark.parametrize(("strict", "code"), [(False, 3), (True, 0)])
def test_what_is_known_is_no_evidence_for_the_rest(code: int, *, strict: bool) -> None:
    """Of the clauses that count one has to pass, as without the failures: a SHOULD does in a strict run alone."""
    terms = Terms(base_url=BASE_URL, selected=("list.limit.respected", "auth.challenge"))
    report = report_of(bad_exchanges(), terms, strict=strict)
    assert {"list.limit.respected": "failed", "auth.challenge": "passed"} == {
        each["id"]: each["outcome"] for each in report["clauses"] if each["outcome"] != "untested"
    }
    assert code == exit_code(gate(report, "list.limit.respected"))


def test_what_a_known_failure_hides_is_known_with_it() -> None:
    """By the same baseline, or in the same list; what passed in the baseline is not."""
    report = report_of(bad_exchanges())
    report["clauses"] = [{**each, "excuse": None} for each in report["clauses"]]
    hidden = [
        each["id"] for each in report["clauses"] if each["outcome"] == "cant-tell" and each["level"] == "MUST"
    ]
    assert 3 == exit_code(gate(report, *BROKEN, *hidden[1:]))
    result = gate(report, *BROKEN, *hidden)
    assert 0 == exit_code(result)
    assert f"{len(hidden)} not determined, as was known: " in result["gate"]["reason"]
    assert 0 == exit_code(held(report, report))
    chosen = [{**each, "choice": "without --clause"} for each in report["clauses"]]
    assert 3 == exit_code(held(report, {**report, "clauses": chosen}))
    passed = [
        {**each, "outcome": "passed"} if each["id"] == hidden[0] else each for each in report["clauses"]
    ]
    assert 3 == exit_code(held(report, {**report, "clauses": passed}))
    text = expectations_text(report, (), TODAY)
    assert f"- id: {hidden[0]}  # can't tell\n" in text


def test_other_peoples_traffic_need_not_tell_everything() -> None:
    """A known failure in it leaves a partial verdict, and in a run of the suite the gaps behind it."""
    for profile, code in (("recorded", 0), ("standard", 3)):
        report = report_of(bad_exchanges(), profile=profile)
        report["clauses"] = [{**each, "excuse": None} for each in report["clauses"]]
        assert code == exit_code(gate(report, *BROKEN))


def test_a_failure_that_does_not_count_does_not_fail_the_deployment(bad: dict[str, Any]) -> None:
    """A broken SHOULD whose day is over: the list is out of date, which is wrong usage."""
    over = expected("list.limit.below-refused", until=date(2026, 11, 19))
    result = held(bad, listed=(*expected(*BROKEN), *over))
    assert (2, 1) == (exit_code(result), len(result["gate"]["stale"]))


def test_a_baseline_lets_through_what_failed_then_and_nothing_else(
    good: dict[str, Any], bad: dict[str, Any]
) -> None:
    """And says which is which."""
    same = held(bad, baseline=bad)
    assert (0, "CONFORMS, WITH 6 KNOWN FAILURES") == (exit_code(same), verdict_words(same))
    assert "it failed in the baseline of 2026-09-21 as well" == same["gate"]["known"][0]["reason"]
    worse = held(bad, baseline=good)
    assert (1, "DOES NOT CONFORM") == (exit_code(worse), verdict_words(worse))
    told = "Worse than the baseline of 2026-09-21: error.code (passed before, failed now)."
    assert told in worse["gate"]["notes"]
    better = held(good, baseline=bad)
    assert (0, "CONFORMS") == (exit_code(better), verdict_words(better))
    assert {"Better than"} == {each[: len("Better than")] for each in better["gate"]["notes"]}


def test_with_both_gates_a_failure_has_to_pass_both(good: dict[str, Any], bad: dict[str, Any]) -> None:
    """The stricter of two gates closes."""
    assert 0 == exit_code(held(bad, baseline=bad, listed=expected(*BROKEN)))
    assert 1 == exit_code(held(bad, baseline=good, listed=expected(*BROKEN)))
    assert 1 == exit_code(held(bad, baseline=bad, listed=expected(*BROKEN[1:])))


def test_a_fault_of_the_suite_keeps_its_exit_code() -> None:
    """Nothing is known then."""
    assert 4 == exit_code(gate(report_of(bad_exchanges(), suite_faults=("boom",)), *BROKEN))


def test_a_file_of_expectations_is_read(tmp_path: Path) -> None:
    """A list with id, reason and date."""
    path = tmp_path / "expected.yaml"
    path.write_text("- {id: list.answer, reason: ticket 7, until: 2027-03-31}\n", encoding="utf-8")
    assert (Expectation("list.answer", "ticket 7", LATER),) == read_expectations(path)


def test_a_file_of_expectations_is_made_from_a_run(bad: dict[str, Any], tmp_path: Path) -> None:
    """It is refused until its reasons are filled in, and keeps those of an earlier one."""
    path = tmp_path / "known.yaml"
    path.write_text(expectations_text(bad, (), TODAY), encoding="utf-8")
    with pytest.raises(ExpectationError, match=r"\(http.server-error\) has no reason"):
        read_expectations(path)
    path.write_text(
        path.read_text(encoding="utf-8").replace("reason:", "reason: 'ticket: #7'"), encoding="utf-8"
    )
    read = read_expectations(path)
    assert BROKEN == [each.id for each in read]
    assert {(date(2027, 2, 18), "ticket: #7")} == {(each.until, each.reason) for each in read}
    path.write_text(expectations_text(bad, read, LATER), encoding="utf-8")
    assert read == read_expectations(path)


def test_an_earlier_expectation_is_kept_unless_its_clause_passed(
    good: dict[str, Any], tmp_path: Path
) -> None:
    """Whatever the run left out or could not tell."""
    path = tmp_path / "known.yaml"
    path.write_text(
        expectations_text(good, expected("list.answer", "list.complete"), TODAY), encoding="utf-8"
    )
    assert expected("list.complete") == read_expectations(path)


def test_entries_may_share_what_they_have_in_common(tmp_path: Path) -> None:
    """As YAML has it: what an entry says itself is not there twice."""
    path = tmp_path / "known.yaml"
    path.write_text(
        "- &first {id: list.answer, reason: 'known, ticket 7', until: 2027-03-31}\n- {<<: *first, id: list.complete}\n",
        encoding="utf-8",
    )
    assert expected("list.answer", "list.complete") == read_expectations(path)


def test_a_run_without_failures_makes_an_empty_file(good: dict[str, Any], tmp_path: Path) -> None:
    """Which can be read."""
    path = tmp_path / "known.yaml"
    path.write_text(expectations_text(good, (), TODAY), encoding="utf-8")
    assert () == read_expectations(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- {id: list.answers, reason: x, until: 2027-03-31}", r"no valid clause id: 'list\.answers'"),
        ("- {reason: x, until: 2027-03-31}", "no valid clause id: None"),
        ("- {id: [], reason: x, until: 2027-03-31}", r"no valid clause id: \[\]"),
        ("- {id: list.answer, until: 2027-03-31}", "has no reason"),
        ("- {id: list.answer, reason: ' ', until: 2027-03-31}", "has no reason"),
        ("- {id: list.answer, reason: x}", "has no date"),
        ("- {id: list.answer, reason: x, until: soon}", r"has no date: .*, and is soon\."),
        ("- {id: list.answer, reason: x, until: 2027-03-31T10:00:00}", "has no date"),
        (
            "- {id: list.answer, reason: x, until: 2027-02-30}",
            r"Expectation 1 of .* \(list.answer\) has no date: .*, and is 2027-02-30\.",
        ),
        ("- {id: list.answer, reason: x, until: !!timestamp soon}", "has no date: .*, and is soon"),
        ("- !!map [list.answer]", "not valid YAML: expected a mapping node"),
        ("- {<<: {id: list.answer}, <<: {reason: x}}", r"Expectation 1 of .* has no date"),
        ("- id: list.answer\n  id: list.answer", "id is there twice in one entry in .*, line 2, column 3"),
        ("- {id: list.answer, reason: x, untill: 2027-03-31}", "unknown fields: untill"),
        ("- list.answer", "not a mapping"),
        ("list.answer: x", "not a list"),
        ("", "not a list"),
        ("- [", "not valid YAML"),
        (2 * "- {id: list.answer, reason: x, until: 2027-03-31}\n", "lists list.answer more than once"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    """Which names the file."""
    path = tmp_path / "expected.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ExpectationError, match=sentence) as caught:
        read_expectations(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """In a sentence as well."""
    with pytest.raises(ExpectationError, match=r"Cannot read .*: No such file"):
        read_expectations(tmp_path / "expected.yaml")
