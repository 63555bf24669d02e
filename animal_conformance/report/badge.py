"""badge.svg: the verdict for a README."""

from __future__ import annotations

from typing import Any, Final
from xml.etree import ElementTree as ET

from animal_conformance.judge.outcome import CONFORMS, COULD_NOT_JUDGE, DOES_NOT_CONFORM
from animal_conformance.report.words import VERDICT_WORDS

LABEL: Final = "animal store interface"
# White text has a contrast of at least 4.5 to 1 on each.
COLOURS: Final = {CONFORMS: "#176b34", DOES_NOT_CONFORM: "#b3261e", COULD_NOT_JUDGE: "#7a5200"}
LABEL_COLOUR: Final = "#444c56"
CHARACTER: Final = 6.4
HEIGHT: Final = 20


def badge_svg(report: dict[str, Any]) -> bytes:
    """The verdict as a picture that says it in words, to a screen reader as well."""
    verdict = VERDICT_WORDS[report["outcome"]].lower()
    widths = [round(len(each) * CHARACTER) + 14 for each in (LABEL, verdict)]
    title = f"{LABEL}: {verdict}"
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": str(sum(widths)),
            "height": str(HEIGHT),
            "role": "img",
            "aria-label": title,
        },
    )
    ET.SubElement(svg, "title").text = title
    x = 0
    for text, width, colour in zip(
        (LABEL, verdict), widths, (LABEL_COLOUR, COLOURS[report["outcome"]]), strict=True
    ):
        ET.SubElement(svg, "rect", x=str(x), width=str(width), height=str(HEIGHT), fill=colour)
        place = {"x": str(x + width / 2), "y": "14", "textLength": str(width - 14), "text-anchor": "middle"}
        font = {"fill": "#fff", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": "11"}
        ET.SubElement(svg, "text", {**place, **font}).text = text
        x += width
    drawn: bytes = ET.tostring(svg, encoding="utf-8")
    return drawn + b"\n"
