"""The charts of a run: response times, and requests and findings over time.

Both count per bin, so that their size does not grow with the run. The templates draw them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import read_request

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from animal_conformance.record.exchange import Exchange

RIGHT: Final = 836
LATENCY_BINS: Final = 48
TIME_BINS: Final = 60
MOST_ROWS: Final = 12
KINDS: Final = (("2xx", "success"), ("4xx", "refusal"), ("5xx or none", "trouble"))
# 10 µs to 50,000 s.
SERIES: Final = tuple(factor * 10.0**power for power in range(-2, 8) for factor in (1, 2, 5))


@dataclass(frozen=True)
class Latency:
    """The response times of one operation: sorted, in milliseconds."""

    operation: str
    ms: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        """The median response time."""
        return median(self.ms)

    @property
    def p95_ms(self) -> float:
        """The 95th percentile of the response times (nearest rank)."""
        return self.ms[max(0, math.ceil(0.95 * len(self.ms)) - 1)]


class Latencies:
    """The response times by operation, on one logarithmic axis; without responses there are no ``rows``."""

    left: Final = 150

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        found: dict[str, list[float]] = defaultdict(list)
        for exchange in exchanges:
            if exchange.response is not None:
                # A coarse clock may report zero, which a logarithmic axis cannot show.
                taken = max((exchange.answered_s - exchange.sent_s) * 1000, 0.01)
                found[read_request(exchange.request).operation].append(taken)
        self.rows = [Latency(each, tuple(sorted(found[each]))) for each in Operation if found[each]]

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The nearest numbers of the series 1, 2, 5 around all times, at least a factor of ten apart."""
        shortest, longest = min(row.ms[0] for row in self.rows), max(row.ms[-1] for row in self.rows)
        low = max((each for each in SERIES if each <= shortest), default=SERIES[0])
        return low, min(
            (each for each in SERIES if each > longest and each >= 10 * low), default=longest * 1.01
        )

    @property
    def ticks(self) -> list[float]:
        """The numbers of that series on the axis."""
        low, high = self.ends
        return [each for each in SERIES if low * 0.999 <= each <= high * 1.001]

    def x(self, ms: float) -> float:
        """The position of a time."""
        low, high = self.ends
        return self.left + math.log(ms / low) / math.log(high / low) * (RIGHT - self.left)

    @property
    def bin_width(self) -> float:
        """The width of a bar."""
        return (RIGHT - self.left) / LATENCY_BINS

    def bins(self, row: Latency) -> list[int]:
        """The number of responses in each bar of a row."""
        bins = [0] * LATENCY_BINS
        for each in row.ms:
            bins[min(LATENCY_BINS - 1, int((self.x(each) - self.left) / self.bin_width))] += 1
        return bins


class Timeline:
    """Requests over time by the class of their response, and below them the findings of each failed clause.

    :param bins: how many there were of each class in each step of time.
    :param failed: the failed clauses of a report, of which the first are drawn as ``rows``.
    """

    kinds: Final = KINDS

    def __init__(self, bins: list[list[int]], step_s: float, failed: Sequence[dict[str, Any]]) -> None:
        self.failed, self.rows = len(failed), failed[:MOST_ROWS]
        self.left = 226 if self.rows else 64
        self.bins, self.step_s = bins, step_s
        self.totals = [sum(each) for each in zip(*self.bins, strict=True)]
        self.span_s = self.step_s * len(self.bins)

    @classmethod
    def of(cls, exchanges: Sequence[Exchange], failed: Sequence[dict[str, Any]]) -> Timeline:
        """That of a run, of which every exchange is there."""
        duration_s = max((0.001, *(each.sent_s for each in exchanges)))
        step_s = _nice(duration_s / TIME_BINS)
        bins = [[0, 0, 0] for _ in range(int(duration_s / step_s) + 1)]
        for exchange in exchanges:
            at = min(len(bins) - 1, int(max(exchange.sent_s, 0) / step_s))
            bins[at][_kind(exchange)] += 1
        return cls(bins, step_s, failed)

    @classmethod
    def of_load(cls, load: dict[str, Any], failed: Sequence[dict[str, Any]]) -> Timeline:
        """That of a soak, which was counted while it ran."""
        bins = [[each["served"], each["refused"], each["trouble"]] for each in load["bins"]]
        return cls(bins, load["step_s"], failed)

    @property
    def ticks(self) -> list[float]:
        """The seconds on the axis, some eight of them."""
        step_s = _nice(self.span_s / 8)
        return [number * step_s for number in range(int(self.span_s / step_s) + 1)]

    @property
    def tallest(self) -> int:
        """A round number that no bar exceeds, whose half is a whole number too."""
        most = max(1, *map(sum, self.bins))
        power = int(10 ** math.floor(math.log10(most)))
        rounds = (each * power for each in (1, 2, 3, 4, 6, 8, 10, 20))
        return next(each for each in rounds if each >= most and each % 2 == 0)

    def x(self, seconds: float) -> float:
        """The position of a moment."""
        return self.left + max(seconds, 0) / self.span_s * (RIGHT - self.left)


@dataclass(frozen=True)
class Row:
    """The response times of one operation over time: the median and the 95th percentile by bin, ``None`` where there is none."""

    operation: str
    p50_ms: list[float | None]
    p95_ms: list[float | None]


class TimesOverTime:
    """How response times developed in a soak, by operation, on one logarithmic axis."""

    left: Final = 150

    def __init__(self, load: dict[str, Any]) -> None:
        self.step_s, self.count = load["step_s"], len(load["bins"])
        self.rows = [
            Row(
                name,
                *(
                    [each["operations"].get(name, {}).get(key) for each in load["bins"]]
                    for key in ("p50_ms", "p95_ms")
                ),
            )
            for name in load["operations"]
        ]
        told = [ms for row in self.rows for ms in (*row.p50_ms, *row.p95_ms) if ms is not None]
        self.low = max((each for each in SERIES if each <= min(told, default=1.0)), default=SERIES[0])
        self.high = min((each for each in SERIES if each > max(told, default=1.0)), default=SERIES[-1])

    def x(self, place: int) -> float:
        """The position of the middle of a bin."""
        return self.left + (place + 0.5) / self.count * (RIGHT - self.left)

    def height(self, ms: float, room: float) -> float:
        """How high a time is drawn in a row with so much room."""
        return room * math.log(ms / self.low) / math.log(self.high / self.low)

    def points(self, times: list[float | None], base: float, room: float) -> list[tuple[float, float]]:
        """The points of a line."""
        return [(self.x(at), base - self.height(ms, room)) for at, ms in enumerate(times) if ms is not None]


def milliseconds(value: float) -> str:
    """A time for human readers."""
    return f"{value / 1000:.3g} s" if value >= 1000 else f"{value:.3g} ms"


def _kind(exchange: Exchange) -> int:
    if exchange.response is None or exchange.response.status >= 500:
        return 2
    return 0 if exchange.response.status < 400 else 1


def _nice(value: float) -> float:
    """The next number of the series 1, 2, 5."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= value * 0.999999)
