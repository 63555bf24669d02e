"""The charts of a run: a histogram of response times; and requests, response times, load and findings over time.

All of them count per bin, so that their size does not grow with the run. The templates draw them, narrow enough for a phone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import read_request
from animal_conformance.judge.case import plural
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
        """The closest numbers of the series 1, 2, 5 that enclose all times, at least a factor of ten apart."""
        shortest, longest = min(row.ms[0] for row in self.rows), max(row.ms[-1] for row in self.rows)
        low = max((each for each in SERIES if each <= shortest), default=SERIES[0])
        return low, min(
            (each for each in SERIES if each > longest and each >= 10 * low), default=longest * 1.01
        )

    @property
    def ticks(self) -> list[float]:
        """The numbers of that series on the axis: all of them, or only the powers of ten if there would be too many."""
        low, high = self.ends
        shown = [each for each in SERIES if low * 0.999 <= each <= high * 1.001]
        return shown if len(shown) <= 7 else [each for each in shown if math.log10(each) % 1 < 0.001]

    def x(self, ms: float) -> float:
        """The position of a time."""
        low, high = self.ends
        return LEFT + math.log(ms / low) / math.log(high / low) * (RIGHT - LEFT)

    def path(self, row: Latency, height: float) -> str:
        """The bars of a row, scaled so that the tallest has that height."""
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


class OverTime:
    """Strips above each other, over one axis of seconds in bins; ``words`` say what they show."""

    height: Final = 44
    words: str

    def __init__(self, step_s: float, bins: int) -> None:
        self.step_s, self.bins, self.span_s = step_s, bins, step_s * bins
        self.strips: list[Strip] = []

    def _add(
        self, title: str, form: str, *series: tuple[str, str, list[float]], stacked: bool = False
    ) -> None:
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
        self.strips.append(Strip(title, form.format(most) if form else milliseconds(most), tuple(drawn)))

    def _bin(self, seconds: float) -> int:
        return min(self.bins - 1, int(seconds / self.step_s))

    def _counted(self, moments: Iterable[float]) -> list[float]:
        """How many moments are in each bin."""
        counts = [0.0] * self.bins
        for each in moments:
            counts[self._bin(each)] += 1
        return counts

    @property
    def ticks(self) -> list[float]:
        """The seconds that are marked on the axis, about six of them."""
        step_s = _nice(self.span_s / 6)
        return [number * step_s for number in range(int(self.span_s / step_s) + 1)]

    def x(self, seconds: float) -> float:
        """The position of a moment."""
        return LEFT + seconds / self.span_s * (RIGHT - LEFT)


class Timeline(OverTime):
    """A run over time: requests by the class of their response, response times, requests in flight, and findings.

    :param found_in: the references of the exchanges with a finding, once for each clause.
    """

    def __init__(self, exchanges: Iterable[Exchange], found_in: Iterable[str]) -> None:
        spans: list[tuple[float, float]] = []
        kinds: list[int] = []
        where = {}
        for exchange in exchanges:
            where[exchange.reference] = max(exchange.sent_s, 0.0)
            spans.append((max(exchange.sent_s, 0.0), max(exchange.answered_s, exchange.sent_s, 0.0)))
            kinds.append(_kind(exchange))
        last_s = max(sent_s for sent_s, _ in spans)
        step_s = _nice(max(0.001, last_s) / TIME_BINS)
        super().__init__(step_s, int(last_s / step_s) + 1)
        self._draw(spans, kinds, [where[each] for each in found_in if each in where])

    def _draw(
        self, spans: Sequence[tuple[float, float]], kinds: Sequence[int], found: Sequence[float]
    ) -> None:
        counts = [[0.0] * self.bins for _ in KINDS]
        taken: list[list[float]] = [[] for _ in range(self.bins)]
        for (sent_s, answered_s), kind in zip(spans, kinds, strict=True):
            counts[kind][self._bin(sent_s)] += 1
            taken[self._bin(sent_s)].append((answered_s - sent_s) * 1000)
        flying = self._in_flight(spans)
        most_in_flight = int(max(flying))
        answered = ", ".join(
            f"{sum(each):,.0f} {name}" for (name, _), each in zip(KINDS, counts, strict=True)
        )
        self.words = f"Responses: {answered}. At most {most_in_flight} in flight at the same time. {plural(len(found), 'finding')}."
        per = f"per {self.step_s:g} s"
        slowest = [max(each, default=0.0) for each in taken]
        self._add(
            f"requests {per}",
            "{:,.0f}",
            *((name, kind, each) for (name, kind), each in zip(KINDS, counts, strict=True) if any(each)),
            stacked=True,
        )
        self._add(
            "response time",
            "",
            ("slowest", "success", slowest),
            ("median", "refusal", [median(each) if each else 0.0 for each in taken]),
        )
        if most_in_flight > 1:
            self._add("in flight at the same time", "{:,.0f}", ("most", "success", flying))
        if found:
            self._add(f"findings {per}", "{:,.0f}", ("findings", "trouble", self._counted(found)))

    def _in_flight(self, spans: Sequence[tuple[float, float]]) -> list[float]:
        """The largest number of requests at the same time, by bin."""
        most, now, before = [0.0] * self.bins, 0, 0
        # Of an answer and a request at the same moment, the answer counts first.
        turns = sorted([(sent_s, 1) for sent_s, _ in spans] + [(answered_s, -1) for _, answered_s in spans])
        for seconds, change in turns:
            at = self._bin(seconds)
            for each in range(before, at + 1):
                most[each] = max(most[each], now)
            now, before = now + change, at
            most[at] = max(most[at], now)
        return most


def found_in(failed: Iterable[dict[str, Any]]) -> list[str]:
    """The exchanges with a finding, once for each of these clauses."""
    return [reference for clause in failed for reference in clause["found_in"]]


class LoadOverTime(OverTime):
    """A soak over time: requests, response times by operation, and the findings that the page shows.

    :param load: the section of the report, with at least one bin.
    """

    def __init__(self, load: dict[str, Any], failed: Iterable[dict[str, Any]]) -> None:
        bins = load["bins"]
        super().__init__(load["step_s"], len(bins))
        per = f"per {self.step_s:g} s"
        names = (("served", "success"), ("refused", "refusal"), ("trouble", "trouble"))
        counts = [(name, kind, [float(each[name]) for each in bins]) for name, kind in names]
        self._add(f"requests {per}", "{:,.0f}", *counts, stacked=True)
        for name in load["operations"]:
            p50, p95 = (
                [each["operations"].get(name, {}).get(key, 0.0) for each in bins]
                for key in ("p50_ms", "p95_ms")
            )
            self._add(name, "", ("p95", "success", p95), ("median", "refusal", p50))
        found = [one["exchanges"][-1]["sent_s"] for clause in failed for one in clause["findings"]]
        if found:
            self._add(f"findings shown, {per}", "{:,.0f}", ("findings", "trouble", self._counted(found)))
        times = (
            f"{name}: median {milliseconds(each['p50_ms'])}, p95 {milliseconds(each['p95_ms'])}"
            for name, each in load["operations"].items()
        )
        self.words = (
            f"Requests, and the median and the 95th percentile of response times. {'; '.join(times)}."
        )


def milliseconds(value: float) -> str:
    """A time for human readers."""
    return f"{value / 1000:.3g} s" if value >= 1000 else f"{value:.3g} ms"


def _bars(values: Sequence[float], bases: Sequence[float], scale: float) -> str:
    """Bars side by side above a base line at 0, as the data of one path; even the smallest is tall enough to be seen."""
    width = (RIGHT - LEFT) / len(values)
    return "".join(
        f"M{LEFT + number * width:.1f} {-base * scale:.1f}h{width * 0.9:.1f}v{-max(value * scale, 0.8):.1f}h{-width * 0.9:.1f}z"
        for number, (value, base) in enumerate(zip(values, bases, strict=True))
        if value
    )


def _kind(exchange: Exchange) -> int:
    if not 0 < exchange.status < 500:
        return 2
    return 0 if exchange.status < 400 else 1


def _nice(value: float) -> float:
    """The next number of the series 1, 2, 5."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= value * 0.999999)
