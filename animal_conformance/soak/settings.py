"""The settings of a soak."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.gaps import COMPLETENESS
from animal_conformance.record.exchange import SOAK, Terms
from animal_conformance.session.options import RunOptions

MASTER_PORT: Final = 5557
MAX_CREATES: Final = 2000
# Under load, replicas lag for longer than otherwise.
SETTLE_S: Final = 10.0
# One part in this many of the creations, and of the rate, is for experiments.
KEPT_SHARE: Final = 10
# At the end, a soak waits for what is being put to the test: in each round, experiments wait for the settling time, twice
# at most.
SETTLINGS: Final = 4
ROUNDS_S: Final = 10.0


@dataclass(frozen=True)
class SoakOptions:
    """The settings that a soak has beside those of every run.

    ``web_port`` is the port of Locust's page, ``None`` for no page; ``p95_ms`` and ``error_rate`` (a share) are thresholds
    that the user sets, ``None`` for no threshold.
    """

    run: RunOptions
    users: int = 10
    spawn_rate: float = 10.0
    run_time_s: float = 60.0
    processes: int = 1
    p95_ms: float | None = None
    error_rate: float | None = None
    web_port: int | None = None

    def as_values(self) -> dict[str, Any]:
        """The settings as plain values, for workers."""
        values = {name: value for name, value in asdict(self).items() if name != "run"}
        return {**self.run.as_values(), **values, "profile": SOAK}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> SoakOptions:
        """The settings from the values of :meth:`as_values`."""
        own = {name: values[name] for name in cls.__dataclass_fields__ if name != "run"}
        run = {name: values[name] for name in RunOptions.__dataclass_fields__}
        run = {name: _tuples(value) for name, value in run.items()}
        run |= {"report_dir": Path(values["report_dir"]), "today": date.fromisoformat(values["today"])}
        return cls(RunOptions(**run), **own)

    def as_shown(self) -> dict[str, Any]:
        """The settings for a report: of headers, which may hold credentials for a gateway, the names are enough."""
        return {**self.as_values(), "headers": [name for name, _ in self.run.headers]}

    @property
    def testing_s(self) -> float:
        """How long the end waits for what is being put to the test."""
        return SETTLINGS * self.run.settle_s + ROUNDS_S

    @property
    def creates(self) -> int:
        """How many animals may be created, by all workers together."""
        if self.run.read_only:
            return 0
        return MAX_CREATES if self.run.max_creates is None else self.run.max_creates


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def selected_clauses(prefixes: Collection[str]) -> frozenset[str]:
    """The clauses that a soak judges.

    Completeness is concluded from pages that were read long before: a forgotten one might have shown what later ones lack.
    """
    return load_clauses().selected(prefixes) - COMPLETENESS


def terms_of(options: SoakOptions, base_url: str) -> Terms:
    """What the verdicts of a soak depend on."""
    return options.run.terms(base_url, SOAK, options.creates)
