"""Reports that the tests of the formats share."""

from __future__ import annotations

from typing import Any

import pytest

from selftests.report.samples import bad_exchanges, good_exchanges, hostile_exchanges, report_of


@pytest.fixture(scope="session")
def good() -> dict[str, Any]:
    """A run that found no MUST clause broken."""
    return report_of(good_exchanges())


@pytest.fixture(scope="session")
def bad() -> dict[str, Any]:
    """A run with findings."""
    return report_of(bad_exchanges())


@pytest.fixture(scope="session")
def hostile() -> dict[str, Any]:
    """A run against a server that attacks whoever reads the report."""
    return report_of(hostile_exchanges())


@pytest.fixture(scope="session")
def unjudged() -> dict[str, Any]:
    """A run that got no answer."""
    return report_of([], stopped="Nothing listens at the address.", remedy="Start the deployment.")
