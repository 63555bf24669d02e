"""Reports that the tests of the formats share."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from animal_conformance.session.expectations import Expectation
from animal_conformance.session.gates import Gates, gate_of
from selftests.report.samples import BROKEN, bad_exchanges, good_exchanges, hostile_exchanges, report_of


@pytest.fixture(scope="session")
def good() -> dict[str, Any]:
    """A run that found no MUST clause broken."""
    return report_of(good_exchanges())


@pytest.fixture(scope="session")
def bad() -> dict[str, Any]:
    """A run with findings."""
    return report_of(bad_exchanges())


@pytest.fixture(scope="session")
def known() -> dict[str, Any]:
    """The same run with expectations: every failure that counts is known, and so is a clause that passes."""
    report = report_of(bad_exchanges())
    listed = tuple(
        Expectation(each, "ticket 7", date(2027, 3, 31))
        for each in (*BROKEN, "list.answer", "get.sunset-header")
    )
    return {**report, "gate": gate_of(report, Gates(expected=listed), date(2026, 11, 20))}


@pytest.fixture(scope="session")
def hostile() -> dict[str, Any]:
    """A run against a server that attacks whoever reads the report."""
    return report_of(hostile_exchanges())


@pytest.fixture(scope="session")
def unjudged() -> dict[str, Any]:
    """A run that could not be judged, since it got no answer."""
    return report_of([], stopped="Nothing listens at the address.", remedy="Start the deployment.")
