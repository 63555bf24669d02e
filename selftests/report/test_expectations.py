"""Known failures: what may fail for a while, and what may not."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from animal_conformance.session.expectations import (
    Expectation,
    ExpectationError,
    Gate,
    apply,
    read_expectations,
)
from selftests.report.samples import BROKEN, bad_exchanges, good_exchanges, report_of

TODAY = date(2026, 11, 20)
LATER = date(2027, 3, 31)


def gate(report: dict[str, Any], *ids: str, until: date = LATER) -> Gate:
    """What becomes of a report when these clauses are expected to fail."""
    return apply(report, [Expectation(each, "known, ticket 7", until) for each in ids], TODAY)


def test_expected_failures_alone_let_the_gate_open(bad: dict[str, Any]) -> None:
    """SHOULD clauses need no expectation in a run that is not strict."""
    result = gate(bad, *BROKEN)
    assert 0 == result.exit_code
    assert () == result.problems
    assert BROKEN == [each.id for each in result.expected]


def test_a_failure_that_nobody_expects_closes_it(bad: dict[str, Any]) -> None:
    """Whatever else is expected."""
    result = gate(bad, *BROKEN[1:])
    assert 1 == result.exit_code
    assert ("http.server-error failed.",) == result.problems


def test_a_strict_run_needs_its_should_clauses_expected() -> None:
    """As they fail it."""
    strict = report_of(bad_exchanges(), strict=True)
    assert 1 == gate(strict, *BROKEN).exit_code
    should = ["list.limit.below-refused", "get.deprecation-header", "get.sunset-header"]
    assert 0 == gate(strict, *BROKEN, *should).exit_code


def test_an_expected_failure_that_passes_closes_it(good: dict[str, Any]) -> None:
    """Since it would hide the next failure; but it is no failure of the deployment."""
    result = gate(good, "list.answer")
    assert 2 == result.exit_code
    assert (
        "list.answer was expected to fail, but passed: remove it from the expectations (known, ticket 7)",
    ) == result.outlived


def test_an_expectation_holds_on_its_last_day_and_not_after(bad: dict[str, Any]) -> None:
    """Then the failure counts, and says why it was let through until then."""
    assert 0 == gate(bad, *BROKEN, until=TODAY).exit_code
    result = gate(bad, *BROKEN, until=date(2026, 11, 19))
    assert 1 == result.exit_code
    assert 6 == len(result.expired)
    assert (
        "http.server-error failed, but was expected to fail only until 2026-11-19: known, ticket 7"
        == result.expired[0]
    )


def test_an_expected_failure_that_nothing_was_seen_of_is_told_and_closes_nothing(
    good: dict[str, Any],
) -> None:
    """It neither failed nor passed."""
    result = gate(good, "list.complete")
    assert 0 == result.exit_code
    assert ("list.complete is expected to fail, but neither passed nor failed (cant-tell).",) == result.unseen


def test_what_could_not_be_judged_is_not_made_green(unjudged: dict[str, Any]) -> None:
    """Neither on its own nor behind an expected finding."""
    assert 3 == gate(unjudged, "list.answer").exit_code
    stopped = report_of(bad_exchanges(), stopped="The deployment went away.")
    assert "does-not-conform" == stopped["outcome"]
    assert 3 == gate(stopped, *BROKEN).exit_code
    untold = report_of(good_exchanges(), stopped="The deployment went away.")
    assert 3 == gate(untold, "list.answer").exit_code
    certified = report_of(bad_exchanges(), certify=True)
    assert 3 == gate(certified, *BROKEN).exit_code


def test_a_failure_that_does_not_count_does_not_fail_the_deployment(bad: dict[str, Any]) -> None:
    """A broken SHOULD whose day is over: the list is out of date, which is wrong usage."""
    over = Expectation("list.limit.below-refused", "known", date(2026, 11, 19))
    result = apply(bad, [*(Expectation(each, "known", LATER) for each in BROKEN), over], TODAY)
    assert (2, 1) == (result.exit_code, len(result.expired))


def test_a_fault_of_the_suite_keeps_its_exit_code() -> None:
    """Nothing is known then."""
    assert 4 == gate(report_of(bad_exchanges(), suite_faults=("boom",)), *BROKEN).exit_code


def test_a_file_of_expectations_is_read(tmp_path: Path) -> None:
    """A list with id, reason and date."""
    path = tmp_path / "expected.yaml"
    path.write_text("- {id: list.answer, reason: ticket 7, until: 2027-03-31}\n", encoding="utf-8")
    assert (Expectation("list.answer", "ticket 7", LATER),) == read_expectations(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- {id: list.answers, reason: x, until: 2027-03-31}", r"no valid clause id: 'list\.answers'"),
        ("- {reason: x, until: 2027-03-31}", "no valid clause id: None"),
        ("- {id: [], reason: x, until: 2027-03-31}", r"no valid clause id: \[\]"),
        ("- {id: list.answer, until: 2027-03-31}", "has no reason"),
        ("- {id: list.answer, reason: ' ', until: 2027-03-31}", "has no reason"),
        ("- {id: list.answer, reason: x}", "has no date"),
        ("- {id: list.answer, reason: x, until: soon}", "has no date"),
        ("- {id: list.answer, reason: x, until: 2027-03-31T10:00:00}", "has no date"),
        ("- {id: list.answer, reason: x, until: 2027-02-30}", "not valid YAML"),
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
