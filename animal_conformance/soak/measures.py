"""Throughput, response times and errors over time: counts, whose number does not grow with the run."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from animal_conformance.interface.reading import read_request
from animal_conformance.record.exchange import Exchange
from animal_conformance.report.words import PERCENTILES
from animal_conformance.soak.windows import kind_of_trouble

# A class of response times is this much longer than the one before it, which is how exact percentiles are.
FACTOR: Final = 1.05
SHORTEST_MS: Final = 0.05
MOST_BINS: Final = 120


@dataclass
class Bin:
    """What was answered in one bin of time: ``times`` counts the classes of response times, by operation."""

    kinds: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    times: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, other: Bin) -> None:
        """Add what was counted in another bin."""
        self.kinds += other.kinds
        self.errors += other.errors
        for operation, times in other.times.items():
            self.times[operation] += times


class Measures:
    """Counts by time, in at most ``MOST_BINS`` bins of ``step_s`` seconds, which grow with the run."""

    def __init__(self) -> None:
        self.step_s = 1
        self.bins: defaultdict[int, Bin] = defaultdict(Bin)

    def learn(self, exchange: Exchange) -> None:
        """Count an exchange."""
        at = self._at(exchange.answered_s)
        counted = self.bins[at]
        status = exchange.status
        trouble = kind_of_trouble(exchange) or (str(status) if status >= 500 else "")
        counted.kinds["trouble" if trouble else "refused" if status >= 400 else "served"] += 1
        if trouble:
            counted.errors[trouble] += 1
        if status:
            operation = read_request(exchange.request).operation.value
            counted.times[operation][class_of((exchange.answered_s - exchange.sent_s) * 1000)] += 1

    def _at(self, seconds: float) -> int:
        at = int(max(seconds, 0.0) // self.step_s)
        while at >= MOST_BINS:
            merged: defaultdict[int, Bin] = defaultdict(Bin)
            for place, each in self.bins.items():
                merged[place // 2].add(each)
            self.step_s, self.bins, at = 2 * self.step_s, merged, at // 2
        return at

    def take(self) -> list[list[Any]]:
        """What was counted since the last time, as plain values."""
        taken = [
            [
                at * self.step_s,
                each.kinds,
                each.errors,
                {name: list(times.items()) for name, times in each.times.items()},
            ]
            for at, each in self.bins.items()
        ]
        self.bins.clear()
        return taken

    def add(self, taken: Iterable[list[Any]]) -> None:
        """Count what :meth:`take` of another process says."""
        for seconds, kinds, errors, times in taken:
            other = Bin(Counter(kinds), Counter(errors))
            for name, classes in times.items():
                other.times[name].update(dict(map(tuple, classes)))
            at = self._at(seconds)
            self.bins[at].add(other)

    def total(self) -> Bin:
        """The sum of all bins."""
        total = Bin()
        for each in self.bins.values():
            total.add(each)
        return total

    def thresholds(self, p95_ms: float | None, error_rate: float | None) -> list[dict[str, Any]]:
        """Each threshold that the user has set, whether it was kept, and a sentence."""
        total, said = self.total(), []
        for operation, times in sorted(total.times.items()):
            if p95_ms is not None:
                slowest = class_at(times, 95)
                sentence = f"95% of the responses of {operation} took up to about {_ms(slowest):.3g} ms; at most {p95_ms:g} ms are allowed"
                said.append({"kept": slowest <= class_of(p95_ms), "sentence": sentence})
        if error_rate is not None:
            failed = sum(count for kind, count in total.errors.items() if _is_failure(kind))
            got = failed / max(1, total.kinds.total())
            sentence = (
                f"{got:.3%} of the requests got no response or a 5xx; at most {error_rate:.3%} are allowed"
            )
            said.append({"kept": got <= error_rate, "sentence": sentence})
        return said

    def as_report(self) -> dict[str, Any]:
        """The section of a report."""
        total = self.total()
        last = max(self.bins, default=-1)
        return {
            "step_s": self.step_s,
            "errors": dict(total.errors.most_common()),
            "operations": {name: _times(each) for name, each in sorted(total.times.items())},
            "bins": [_bin(self.bins.get(at, Bin())) for at in range(last + 1)],
        }


def class_of(ms: float) -> int:
    """The class of a response time."""
    return round(math.log(max(ms, SHORTEST_MS) / SHORTEST_MS, FACTOR))


def class_at(times: Counter[int], percent: float) -> int:
    """The class of response times that this percentage of them does not exceed."""
    wanted = math.ceil(percent / 100 * times.total())
    for each in sorted(times):
        wanted -= times[each]
        if wanted <= 0:
            return each
    return 0


def percentile(times: Counter[int], percent: float) -> float:
    """The response time in milliseconds that this percentage of them does not exceed; 0 if there are none."""
    return _ms(class_at(times, percent)) if times else 0.0


def _ms(of_class: int) -> float:
    return round(SHORTEST_MS * FACTOR**of_class, 3)


def _is_failure(kind: str) -> bool:
    """Whether a kind of trouble is a 5xx or no answer at all, and not a 4xx that asks for patience."""
    return not kind.isdigit() or int(kind) >= 500


def _times(times: Counter[int]) -> dict[str, float]:
    return {"count": times.total(), **{f"p{each}_ms": percentile(times, each) for each in PERCENTILES}}


def _bin(counted: Bin) -> dict[str, Any]:
    return {
        "served": counted.kinds["served"],
        "refused": counted.kinds["refused"],
        "trouble": counted.kinds["trouble"],
        "errors": dict(counted.errors),
        "operations": {name: _times(each) for name, each in sorted(counted.times.items())},
    }
