"""Drawings of a run as inline SVG: how long answers took, and when what was sent and found.

Both draw counts per bin, so that their size does not grow with the run.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import read_request
from animal_conformance.report.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from animal_conformance.record.exchange import Exchange

WIDTH: Final = 860
RIGHT: Final = 24
ROW_HEIGHT: Final = 70
LATENCY_BINS: Final = 48
TIME_BINS: Final = 60
MOST_ROWS: Final = 12
KINDS: Final = (("2xx", "success"), ("4xx", "refusal"), ("5xx or none", "trouble"))


@dataclass(frozen=True)
class Latency:
    """How long the answers of one operation took, in milliseconds."""

    operation: str
    count: int
    median_ms: float
    p95_ms: float
    longest_ms: float


def latencies_of(exchanges: Iterable[Exchange]) -> dict[str, list[float]]:
    """The sorted times to the answer of each operation, in milliseconds; requests without an answer have none."""
    found: dict[str, list[float]] = defaultdict(list)
    for exchange in exchanges:
        if exchange.response is not None:
            # A clock that cannot tell them apart is no reason to draw minus infinity.
            taken = max((exchange.answered_s - exchange.sent_s) * 1000, 0.01)
            found[read_request(exchange.request).operation].append(taken)
    return {each: sorted(found[each]) for each in Operation if found[each]}


def latency_table(latencies: dict[str, list[float]]) -> list[Latency]:
    """The same in four numbers each."""
    return [
        Latency(each, len(ms), median(ms), percentile(ms, 0.95), ms[-1]) for each, ms in latencies.items()
    ]


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that is at least as great as that share of all (nearest rank)."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def milliseconds(value: float) -> str:
    """A time for a person."""
    if value >= 1000:
        return f"{value / 1000:.3g} s"
    return f"{value:.3g} ms"


def draw_latencies(latencies: dict[str, list[float]]) -> str:
    """A histogram per operation, all on one logarithmic axis; an empty text where nothing was answered."""
    if not latencies:
        return ""
    left, top = 150, 14
    low, high = _decades(min(ms[0] for ms in latencies.values()), max(ms[-1] for ms in latencies.values()))
    bottom = top + ROW_HEIGHT * len(latencies)
    scale = (WIDTH - left - RIGHT) / (math.log10(high) - math.log10(low))

    def x_of(ms: float) -> float:
        return left + (math.log10(ms) - math.log10(low)) * scale

    words = "; ".join(
        f"{each.operation}: median {milliseconds(each.median_ms)}, 95 % within {milliseconds(each.p95_ms)}, longest {milliseconds(each.longest_ms)}"
        for each in latency_table(latencies)
    )
    svg = _svg(
        bottom + 44,
        "latency",
        "Time to the answer, by operation",
        f"Histograms on a logarithmic axis. {words}.",
    )
    for tick in _log_ticks(low, high):
        _line(svg, x_of(tick), top, x_of(tick), bottom, "grid")
        _text(svg, x_of(tick), bottom + 16, milliseconds(tick), "tick", "middle")
    _text(
        svg,
        (left + WIDTH - RIGHT) / 2,
        bottom + 36,
        "time to the answer (logarithmic); a bar is a number of answers, each row to its own scale",
        "axis",
        "middle",
    )
    for row, (operation, ms) in enumerate(latencies.items()):
        base = top + ROW_HEIGHT * (row + 1)
        _histogram(svg, operation, ms, base, left, x_of)
    return _markup(svg)


def _histogram(svg: ET.Element, operation: str, ms: list[float], base: float, left: float, x_of: Any) -> None:
    width = (WIDTH - RIGHT - left) / LATENCY_BINS
    bins = [0] * LATENCY_BINS
    for each in ms:
        bins[min(LATENCY_BINS - 1, int((x_of(each) - left) / width))] += 1
    room = ROW_HEIGHT - 22
    _text(svg, left - 12, base - 22, operation, "label", "end")
    _text(svg, left - 12, base - 6, plural(len(ms), "answer"), "tick", "end")
    for at, count in enumerate(bins):
        if count:
            height = max(1.0, room * count / max(bins))
            bar = _bar(svg, left + at * width, base - height, width - 1, height, "bar")
            _title(bar, f"{count:,} of {len(ms):,}")
    _line(svg, left, base, WIDTH - RIGHT, base, "baseline")
    middle, late = median(ms), percentile(ms, 0.95)
    _line(svg, x_of(middle), base - room - 6, x_of(middle), base, "median")
    _text(
        svg,
        x_of(middle) - 4,
        base - room + 1,
        f"median {milliseconds(middle)}",
        "mark halo",
        "end" if x_of(middle) > left + 110 else "start",
    )
    if x_of(late) - x_of(middle) > width:
        _line(svg, x_of(late), base - room - 6, x_of(late), base, "late")
        near_edge = x_of(late) > WIDTH - RIGHT - 90
        _text(
            svg,
            x_of(late) + (-4 if near_edge else 4),
            base - room + 1,
            f"95 % {milliseconds(late)}",
            "mark halo",
            "end" if near_edge else "start",
        )


def draw_timeline(exchanges: Sequence[Exchange], failed: Sequence[dict[str, Any]]) -> str:
    """Requests over time by how they were answered, and below them when each failed clause showed.

    :param failed: the failed clauses of a report.
    """
    if not exchanges:
        return ""
    rows = failed[:MOST_ROWS]
    left, top, height = 226 if rows else 64, 34, 130
    duration = max(0.001, *(each.sent_s for each in exchanges))
    step = _nice(duration / TIME_BINS)
    bins: list[list[int]] = [[0, 0, 0] for _ in range(int(duration / step) + 1)]
    for exchange in exchanges:
        bins[min(len(bins) - 1, int(max(exchange.sent_s, 0) / step))][_kind(exchange)] += 1
    span = step * len(bins)
    tallest = _even(max(map(sum, bins)))
    bottom = top + height
    raster = bottom + 50
    end = raster + 20 * len(rows) + (18 if rows else 0)
    totals = [sum(each[kind] for each in bins) for kind in range(len(KINDS))]
    words = ", ".join(f"{count:,} {name}" for count, (name, _) in zip(totals, KINDS, strict=True))
    svg = _svg(
        end,
        "timeline",
        "Requests over time, and where findings are",
        f"Answers: {words}. Findings of {plural(len(failed), 'clause')} are marked.",
    )

    def x_of(seconds: float) -> float:
        return left + max(seconds, 0) / span * (WIDTH - left - RIGHT)

    _legend(svg, left, totals)
    for share in (0, 0.5, 1):
        y = bottom - share * height
        _line(svg, left, y, WIDTH - RIGHT, y, "baseline" if share == 0 else "grid")
        _text(svg, left - 8, y + 4, f"{tallest * share:g}", "tick", "end")
    _text(svg, left - 34, top + height / 2, f"requests per {step:g} s", "axis", "middle", turned=True)
    tick_step = _nice(span / 8)
    for number in range(int(span / tick_step) + 1):
        x = x_of(number * tick_step)
        _line(svg, x, bottom, x, bottom + 4, "baseline")
        _text(svg, x, bottom + 17, f"{number * tick_step:g}", "tick", "middle")
    _text(svg, (left + WIDTH - RIGHT) / 2, bottom + 34, "seconds since the run began", "axis", "middle")
    width = (WIDTH - left - RIGHT) / len(bins)
    for at, counts in enumerate(bins):
        _stack(svg, left + at * width, bottom, max(width - 1, 0.5), counts, height / tallest)
    _raster(svg, rows, raster, left, x_of)
    return _markup(svg)


def _stack(svg: ET.Element, x: float, bottom: float, width: float, counts: list[int], scale: float) -> None:
    y = bottom
    for count, (name, kind) in zip(counts, KINDS, strict=True):
        if count:
            y -= count * scale
            _title(_bar(svg, x, y, width, count * scale, kind), f"{name}: {count:,}")


def _legend(svg: ET.Element, left: float, totals: list[int]) -> None:
    x = left
    for count, (name, kind) in zip(totals, KINDS, strict=True):
        _bar(svg, x, 8, 12, 12, kind)
        label = f"{name}: {count:,}"
        _text(svg, x + 18, 18, label, "tick", "start")
        x += 46 + 7 * len(label)


def _raster(svg: ET.Element, rows: Sequence[dict[str, Any]], top: float, left: float, x_of: Any) -> None:
    for number, clause in enumerate(rows):
        y = top + 20 * number + 10
        _line(svg, left, y, WIDTH - RIGHT, y, "grid")
        link = ET.SubElement(svg, "a", href=f"#{clause['id']}")
        _text(link, left - 10, y + 4, clause["id"], "label", "end")
        for finding in clause["findings"]:
            x = x_of(finding["exchanges"][-1]["sent_s"])
            mark = ET.SubElement(
                svg, "path", {"d": f"M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z", "class": "finding"}
            )
            _title(mark, f"{clause['id']} at {finding['exchanges'][-1]['sent_s']:.2f} s")


def _kind(exchange: Exchange) -> int:
    if exchange.response is None or exchange.response.status >= 500:
        return 2
    return 0 if exchange.response.status < 400 else 1


def _decades(shortest: float, longest: float) -> tuple[float, float]:
    """The nearest numbers of the series 1, 2, 5 around, at least a factor of ten apart."""
    series = [factor * 10.0**power for power in range(-2, 7) for factor in (1, 2, 5)]
    low = max((each for each in series if each <= shortest), default=series[0])
    high = min((each for each in series if each > longest and each >= 10 * low), default=longest * 1.01)
    return low, high


def _log_ticks(low: float, high: float) -> list[float]:
    ticks = [factor * 10.0**power for power in range(-2, 8) for factor in (1, 2, 5)]
    return [each for each in ticks if low * 0.999 <= each <= high * 1.001]


def _nice(value: float) -> float:
    """The next number of the series 1, 2, 5."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= value * 0.999999)


def _even(value: int) -> int:
    """A round number above, whose half is a whole number too."""
    power = int(10 ** math.floor(math.log10(value)))
    return next(
        top for top in (each * power for each in (1, 2, 3, 4, 6, 8, 10, 20)) if top >= value and top % 2 == 0
    )


def _svg(height: float, name: str, title: str, description: str) -> ET.Element:
    attributes = {
        "viewBox": f"0 0 {WIDTH} {height:g}",
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-text",
        "class": "drawing",
    }
    svg = ET.Element("svg", attributes)
    ET.SubElement(svg, "title", id=f"{name}-title").text = title
    ET.SubElement(svg, "desc", id=f"{name}-text").text = description
    return svg


def _line(parent: ET.Element, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
    ET.SubElement(parent, "path", {"d": f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}", "class": kind})


def _bar(parent: ET.Element, x: float, y: float, width: float, height: float, kind: str) -> ET.Element:
    sizes = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}
    return ET.SubElement(parent, "rect", {**sizes, "class": kind})


def _text(
    parent: ET.Element, x: float, y: float, text: str, kind: str, anchor: str, *, turned: bool = False
) -> None:
    attributes = {"x": f"{x:.1f}", "y": f"{y:.1f}", "class": kind, "text-anchor": anchor}
    if turned:
        attributes["transform"] = f"rotate(-90 {x:.1f} {y:.1f})"
    ET.SubElement(parent, "text", attributes).text = text


def _title(element: ET.Element, text: str) -> None:
    ET.SubElement(element, "title").text = text


def _markup(svg: ET.Element) -> str:
    return ET.tostring(svg, encoding="unicode")
