"""The charts of a run: response times, and over time requests, response times, what was in flight, and findings.

Both count per bin, so that their size does not grow with the run. The templates draw them, narrow enough for a phone.
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

LEFT: Final = 50
RIGHT: Final = 460
LATENCY_BINS: Final = 43
TIME_BINS: Final = 60
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
        """The numbers of that series on the axis: all of them, or only the powers of ten where these are many."""
        low, high = self.ends
        shown = [each for each in SERIES if low * 0.999 <= each <= high * 1.001]
        return shown if len(shown) <= 7 else [each for each in shown if math.log10(each) % 1 < 0.001]

    def x(self, ms: float) -> float:
        """The position of a time."""
        low, high = self.ends
        return LEFT + math.log(ms / low) / math.log(high / low) * (RIGHT - LEFT)

    def path(self, row: Latency, height: float) -> str:
        """The bars of a row, of which the tallest has that height."""
        width = (RIGHT - LEFT) / LATENCY_BINS
        bins = [0.0] * LATENCY_BINS
        for each in row.ms:
            bins[min(LATENCY_BINS - 1, int((self.x(each) - LEFT) / width))] += 1
        return _bars(bins, [0.0] * LATENCY_BINS, height / max(bins))


@dataclass(frozen=True)
class Strip:
    """One row of the timeline: series of a value per bin, each with its name and its kind, from 0 to ``most``."""

    title: str
    most: str
    series: tuple[tuple[str, str, str], ...]


class Timeline:
    """A run over time: requests by the class of their response, response times, what was in flight, and findings.

    :param found_in: the references of the exchanges with a finding, once for each clause.
    """

    height: Final = 44

    def __init__(self, exchanges: Iterable[Exchange], found_in: Iterable[str]) -> None:
        spans: list[tuple[float, float]] = []
        kinds: list[int] = []
        where = {}
        for exchange in exchanges:
            where[exchange.reference] = max(exchange.sent_s, 0.0)
            spans.append((max(exchange.sent_s, 0.0), max(exchange.answered_s, exchange.sent_s, 0.0)))
            kinds.append(_kind(exchange))
        self.step_s = _nice(max(0.001, *(sent_s for sent_s, _ in spans)) / TIME_BINS)
        self.bins = int(max(sent_s for sent_s, _ in spans) / self.step_s) + 1
        self.span_s = self.step_s * self.bins
        self._strips(spans, kinds, [where[each] for each in found_in if each in where])

    def _strips(
        self, spans: Sequence[tuple[float, float]], kinds: Sequence[int], found: Sequence[float]
    ) -> None:
        counts = [[0.0] * self.bins for _ in KINDS]
        taken: list[list[float]] = [[] for _ in range(self.bins)]
        for (sent_s, answered_s), kind in zip(spans, kinds, strict=True):
            counts[kind][self._bin(sent_s)] += 1
            taken[self._bin(sent_s)].append((answered_s - sent_s) * 1000)
        findings = [0.0] * self.bins
        for sent_s in found:
            findings[self._bin(sent_s)] += 1
        flying = self._in_flight(spans)
        self.totals = [int(sum(each)) for each in counts]
        self.found, self.most_in_flight = len(found), int(max(flying))
        per = f"per {self.step_s:g} s"
        slowest = [max(each, default=0.0) for each in taken]
        self.strips = [
            self._strip(f"requests {per}", "{:,.0f}", *((name, kind, each) for (name, kind), each in zip(KINDS, counts, strict=True) if any(each)), stacked=True),
            self._strip("response time", "", ("slowest", "success", slowest), ("median", "refusal", [median(each) if each else 0.0 for each in taken])),
        ]  # fmt: skip
        if self.most_in_flight > 1:
            self.strips.append(
                self._strip("in flight at the same time", "{:,.0f}", ("most", "success", flying))
            )
        if found:
            self.strips.append(self._strip(f"findings {per}", "{:,.0f}", ("findings", "trouble", findings)))

    def _strip(
        self, title: str, form: str, *series: tuple[str, str, list[float]], stacked: bool = False
    ) -> Strip:
        base = [0.0] * self.bins
        tops = [
            sum(each) if stacked else max(each)
            for each in zip(*(values for _, _, values in series), strict=True)
        ]
        most = max(*tops, 0.001)
        drawn = []
        for name, kind, values in series:
            drawn.append((name, kind, _bars(values, base, self.height / most)))
            if stacked:
                base = [below + value for below, value in zip(base, values, strict=True)]
        return Strip(title, form.format(most) if form else milliseconds(most), tuple(drawn))

    def _bin(self, seconds: float) -> int:
        return min(self.bins - 1, int(seconds / self.step_s))

    def _in_flight(self, spans: Sequence[tuple[float, float]]) -> list[float]:
        """The largest number of requests at the same time, by bin."""
        most, now, before = [0.0] * self.bins, 0, 0
        # At the same moment, an answer comes before a request.
        turns = sorted([(sent_s, 1) for sent_s, _ in spans] + [(answered_s, -1) for _, answered_s in spans])
        for seconds, change in turns:
            at = self._bin(seconds)
            for each in range(before, at + 1):
                most[each] = max(most[each], now)
            now, before = now + change, at
            most[at] = max(most[at], now)
        return most

    @property
    def ticks(self) -> list[float]:
        """The seconds on the axis, some six of them."""
        step_s = _nice(self.span_s / 6)
        return [number * step_s for number in range(int(self.span_s / step_s) + 1)]

    def x(self, seconds: float) -> float:
        """The position of a moment."""
        return LEFT + seconds / self.span_s * (RIGHT - LEFT)


def found_in(failed: Iterable[dict[str, Any]]) -> list[str]:
    """The exchanges with a finding, once for each of these clauses."""
    return [reference for clause in failed for reference in clause["found_in"]]


@dataclass(frozen=True)
class Row:
    """The response times of one operation over time: the median and the 95th percentile by bin, ``None`` where there is none."""

    operation: str
    p50_ms: list[float | None]
    p95_ms: list[float | None]


class TimesOverTime:
    """How response times developed in a soak, by operation, on one logarithmic axis."""

    left: Final = 150
    right: Final = 836

    def __init__(self, load: dict[str, Any]) -> None:
        self.step_s, self.count = load["step_s"], len(load["bins"])
        self.bins = [[each["served"], each["refused"], each["trouble"]] for each in load["bins"]]
        self.most = max(1, *map(sum, self.bins)) if self.bins else 1
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

    def x(self, place: float) -> float:
        """The position of the middle of a bin, or of a moment between."""
        return self.left + (place + 0.5) / self.count * (self.right - self.left)

    def moment(self, seconds: float) -> float:
        """The position of a moment."""
        return self.x(min(seconds / self.step_s, self.count) - 0.5)

    def height(self, ms: float, room: float) -> float:
        """How high a time is drawn in a row with so much room."""
        return room * math.log(ms / self.low) / math.log(self.high / self.low)

    def points(self, times: list[float | None], base: float, room: float) -> list[tuple[float, float]]:
        """The points of a line."""
        return [(self.x(at), base - self.height(ms, room)) for at, ms in enumerate(times) if ms is not None]


def milliseconds(value: float) -> str:
    """A time for human readers."""
    return f"{value / 1000:.3g} s" if value >= 1000 else f"{value:.3g} ms"


def _bars(values: Sequence[float], bases: Sequence[float], scale: float) -> str:
    """Bars side by side above a base line at 0, as the data of one path; what is there can be seen."""
    width = (RIGHT - LEFT) / len(values)
    return "".join(
        f"M{LEFT + number * width:.1f} {-base * scale:.1f}h{width * 0.9:.1f}v{-max(value * scale, 0.8):.1f}h{-width * 0.9:.1f}z"
        for number, (value, base) in enumerate(zip(values, bases, strict=True))
        if value
    )


def _kind(exchange: Exchange) -> int:
    if exchange.response is None or exchange.response.status >= 500:
        return 2
    return 0 if exchange.response.status < 400 else 1


def _nice(value: float) -> float:
    """The next number of the series 1, 2, 5."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= value * 0.999999)
