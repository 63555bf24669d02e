"""What only load shows is found under its clause, and what load excuses is no failure; with 50 users."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.variants import VARIANTS
from selftests.loopback.command import COMMAND, Ended, Running

pytestmark = pytest.mark.soak

CROWD = ("soak", "--users", "50", "--spawn-rate", "50/s", "--settle", "5")
# An issue of trust takes longer than one of finding: SOAK_S=300 for the five minutes of a release.
VARIANT_S = os.environ.get("SOAK_S", "45")
# How each variant shows in what was measured.
SHOWS: dict[str, Callable[[dict[str, Any]], object]] = {
    "load.429": lambda load: load["errors"].get("429"),
    "load.503": lambda load: load["errors"].get("503"),
    "load.lag": lambda load: any(each["broken"] for each in load["guarantees"]),
    "load.queue": lambda load: load["operations"]["listPets"]["p50_ms"] > 100,
}


def crowded(*arguments: str, cwd: Path) -> Ended:
    """A soak of the reference deployment, in a process of its own, which Locust patches."""
    return Running(*CROWD, *arguments, cwd=cwd, program=COMMAND, longest_s=900).end()


@pytest.mark.parametrize("fault", [name for name, each in FAULTS.items() if each.under_load])
def test_a_fault_that_only_load_shows_is_found_within_a_minute(fault: str, tmp_path: Path) -> None:
    """Under its clauses, and no other but those that it breaks or not."""
    ended, broken = crowded("--run-time", "40s", "--fault", fault, cwd=tmp_path), FAULTS[fault]
    assert 1 == ended.code, ended.said
    assert set(broken.clauses) <= ended.failed_musts <= {*broken.clauses, *broken.besides}


@pytest.mark.parametrize("variant", [name for name, each in VARIANTS.items() if each.under_load])
def test_what_load_excuses_is_no_failure(variant: str, tmp_path: Path) -> None:
    """Patience asked for, lag, and queues."""
    ended = crowded("--run-time", f"{VARIANT_S}s", "--variant", variant, cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert SHOWS[variant](ended.report["load"]), "the variant did nothing"
