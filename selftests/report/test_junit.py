"""junit.xml as a JUnit library reads it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import junitparser
import pytest

from animal_conformance.report.junit import junit_xml
from animal_conformance.report.safe_text import well_formed
from animal_conformance.report.words import OUTCOME_WORDS, reason_of
from selftests.report.samples import bad_exchanges, report_of


def cases_of(report: dict[str, Any]) -> dict[str, junitparser.TestCase]:
    """The cases by name, and the counts of the file checked against them; the file itself has none of what is skipped."""
    parsed = junitparser.JUnitXml.fromstring(junit_xml(well_formed(report)))
    cases = [case for suite in parsed for case in suite]
    assert len(cases) == parsed.tests == sum(suite.tests for suite in parsed)
    results = [type(result) for case in cases for result in case.result]
    assert results.count(junitparser.Failure) == parsed.failures
    assert results.count(junitparser.Skipped) == sum(suite.skipped for suite in parsed)
    assert results.count(junitparser.Error) == parsed.errors
    return {case.name: case for case in cases}


def result_of(case: junitparser.TestCase) -> tuple[str, str]:
    """What kind of result a case has, and its message; two empty strings where it passed."""
    return (type(case.result[0]).__name__, case.result[0].message) if case.result else ("", "")


@pytest.mark.parametrize("sample", ["good", "bad", "hostile"])
def test_there_is_one_case_per_clause(sample: str, request: pytest.FixtureRequest) -> None:
    """In a suite per chapter, legal XML whatever a server answered."""
    report = request.getfixturevalue(sample)
    assert [clause["id"] for clause in report["clauses"]] == list(cases_of(report))


def test_a_broken_must_is_a_failure_with_all_that_one_needs(bad: dict[str, Any]) -> None:
    """Required, expected, observed, and the line to paste."""
    failure = cases_of(bad)["list.limit.respected"].result[0]
    assert isinstance(failure, junitparser.Failure)
    assert "A list is longer than allowed: limit was 3." == failure.message
    for part in (
        "No more animals are returned than the limit.",
        "at most 3 animals",
        "9 animals",
        "curl -sS",
    ):
        assert part in str(failure.text)


def test_a_broken_should_fails_a_strict_run_only(bad: dict[str, Any]) -> None:
    """Otherwise it is skipped, and says what was found."""
    kind, message = result_of(cases_of(bad)["list.limit.below-refused"])
    assert "Skipped" == kind
    assert "An invalid list parameter is not rejected: limit=-1." in message
    strict = report_of(bad_exchanges(), strict=True)
    assert "Failure" == result_of(cases_of(strict)["list.limit.below-refused"])[0]


def test_what_could_not_be_told_is_skipped_with_the_reason(bad: dict[str, Any]) -> None:
    """It never passes."""
    cases = cases_of(bad)
    for clause in bad["clauses"]:
        if clause["outcome"] not in {"passed", "failed"}:
            assert ("Skipped", f"{OUTCOME_WORDS[clause['outcome']]}: {reason_of(clause)}") == result_of(
                cases[clause["id"]]
            )


def test_a_known_failure_is_skipped_with_its_reason(known: dict[str, Any]) -> None:
    """And a case of its own fails where an expectation is out of date."""
    cases = cases_of(known)
    kind, message = result_of(cases["list.limit.respected"])
    assert "Skipped" == kind
    assert message.startswith("Known failure, until 2027-03-31: ticket 7. A list is longer")
    failed = {name: case for name, case in cases.items() if result_of(case)[0] == "Failure"}
    assert ["run.expectations"] == list(failed)
    assert "list.answer was expected to fail" in result_of(failed["run.expectations"])[1]


# Each element of junit-10.xsd that is used here: which attributes it may have and must have, and what it may hold.
# https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd
RESULT = ({"message", "type"}, set[str](), set[str]())
JENKINS: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "time", "skipped", "timestamp"},
        {"name", "tests", "failures", "errors"},
        {"properties", "testcase"},
    ),
    "testcase": ({"name", "time", "classname"}, {"name"}, {"skipped", "error", "failure", "system-out"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "system-out": (set(), set(), set()),
    "skipped": RESULT,
    "failure": RESULT,
    "error": RESULT,
}


@pytest.mark.parametrize("sample", ["good", "bad", "known", "hostile", "unjudged"])
def test_it_keeps_to_the_schema_of_jenkins(sample: str, request: pytest.FixtureRequest) -> None:
    """Of its xUnit plugin, which refuses a file for one attribute too many."""
    for element in ET.fromstring(junit_xml(well_formed(request.getfixturevalue(sample)))).iter():  # noqa: S314 - made here
        allowed, needed, children = JENKINS[element.tag]
        assert needed <= set(element.attrib) <= allowed
        assert {each.tag for each in element} <= children


def test_level_and_source_are_told(bad: dict[str, Any]) -> None:
    """As output of the case: Jenkins' xUnit plugin refuses properties there."""
    case = cases_of(bad)["list.limit.respected"]
    assert case.system_out.startswith("level: MUST\n")
    assert "\nsource: List animals, Query parameters" in case.system_out


def test_a_run_that_could_not_be_judged_is_not_green(unjudged: dict[str, Any]) -> None:
    """Skipped cases alone would look like it."""
    assert ("Failure", "Nothing listens at the address. Start the deployment.") == result_of(
        cases_of(unjudged)["run.judged"]
    )


def test_only_a_fault_of_the_suite_is_an_error() -> None:
    """The deployment's wrongs are failures."""
    cases = cases_of(report_of(bad_exchanges(), suite_faults=("Traceback: \x00 boom",)))
    assert {"run.suite-fault-1"} == {name for name, case in cases.items() if result_of(case)[0] == "Error"}
