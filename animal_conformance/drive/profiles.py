"""How much a run does: the three profiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

# The day from which getPet may be removed.
DEFAULT_SEED: Final = 20301205


@dataclass(frozen=True)
class Profile:
    """The size of each driver, and the limits of the run.

    ``requests`` and ``creates`` are limits (``--max-creates`` overrides the second), of which ``kept_requests`` and
    ``kept_creates`` are kept back for experiments; ``max_time_s`` is the maximum duration. ``usual_requests`` is the
    number for a conforming deployment, and ``own_time_s`` the time the suite itself needs, both for the plan;
    ``repeats`` is whether the generating drivers run until the time is over. All other numbers count examples of a
    driver, ``sequences`` runs of ``steps`` each. ``thorough`` drivers cover all of their corner cases, others only the
    first of each kind.
    """

    name: str
    requests: int
    creates: int
    kept_requests: int
    kept_creates: int
    max_time_s: float
    usual_requests: int
    own_time_s: float
    repeats: bool
    thorough: bool
    names: int
    category_ids: int
    refusals: int
    limits: int
    combinations: int
    coverage: int
    fuzzing: int
    sequences: int
    steps: int
    bursts: int
    lookups: int

    def in_round(self, round_number: int) -> Profile:
        """The profile of one round: the first round is a standard run.

        So a deep run that runs out of time, such as on a slow deployment, has still judged every clause.
        """
        return PROFILES["standard"] if self.repeats and round_number == 0 else self

    def lasting(self, time_s: float) -> Profile:
        """This profile for a run of another length: a longer one has more examples and steps per round."""
        if not self.repeats or time_s <= self.max_time_s:
            return self
        grown = {
            name: round(getattr(self, name) * time_s / self.max_time_s)
            for name in ("names", "category_ids", "limits", "combinations", "fuzzing", "steps", "lookups")
        }
        return replace(self, **grown)


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        each.name: each
        for each in (
            Profile(
                "smoke",
                requests=250, creates=20, kept_requests=100, kept_creates=3, max_time_s=120, usual_requests=141, own_time_s=1, repeats=False, thorough=False,
                names=0, category_ids=0, refusals=0, limits=0, combinations=0,
                coverage=0, fuzzing=0, sequences=0, steps=0, bursts=0, lookups=2,
            ),
            Profile(
                "standard",
                requests=1300, creates=150, kept_requests=195, kept_creates=12, max_time_s=900, usual_requests=1094, own_time_s=3, repeats=False, thorough=True,
                names=4, category_ids=4, refusals=6, limits=4, combinations=0,
                coverage=1000, fuzzing=6, sequences=3, steps=6, bursts=2, lookups=6,
            ),
            Profile(
                "deep",
                requests=500_000, creates=2000, kept_requests=2000, kept_creates=50, max_time_s=300, usual_requests=0, own_time_s=3, repeats=True, thorough=True,
                names=20, category_ids=15, refusals=40, limits=60, combinations=120,
                coverage=1000, fuzzing=40, sequences=8, steps=40, bursts=4, lookups=40,
            ),
        )
    }
)  # fmt: skip
