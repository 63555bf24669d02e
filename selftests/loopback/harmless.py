"""Whether text of a server was made harmless: nothing is left that a terminal, a browser or Markdown would act on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs

from selftests.loopback.command import ROOT, Ended

# Control characters, except line feeds and tabs, and whatever changes the direction of text or is invisible.
ACTIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
MARKUP = re.compile(rb"<script>alert|<img src=x|</pre>\]\]>")
TEXTS = ("stdout", "stderr", "summary.md", "junit.xml", "badge.svg")
MARKED_UP = ("summary.md", "report.html", "junit.xml", "badge.svg")


def harm(ended: Ended) -> list[str]:
    """What a run wrote that could harm whoever looks at it; each with its place."""
    found = []
    for name, content in ended.everything.items():
        text = content.decode("utf-8")
        if b"Traceback (most recent call last)" in content:
            found.append(f"{name}: a traceback")
        if name in TEXTS or name.endswith((".json", ".har", ".ndjson", ".html")):
            found += [
                f"{name}: {match[0]!r} in {text[match.start() - 40 : match.end() + 20]!r}"
                for match in ACTIVE.finditer(text)
            ][:3]
        if name in MARKED_UP:
            found += [f"{name}: {match[0]!r}" for match in MARKUP.finditer(content)][:3]
        if name == "stdout" and re.search(r"^::", text, flags=re.MULTILINE):
            found.append("stdout: a workflow command")
    return found


def unreadable(ended: Ended) -> list[str]:
    """The reports that programs for their format could not read."""
    problems = []
    for name, content in ended.files.items():
        try:
            if name.endswith((".json", ".har")):
                json.loads(content)
            elif name.endswith((".xml", ".svg")):
                ET.fromstring(content)  # noqa: S314 - written by ourselves
        except (ValueError, ET.ParseError) as error:
            problems.append(f"{name}: {error}")
    schema = json.loads(Path(ROOT / "spec" / "report.schema.json").read_text(encoding="utf-8"))
    problems += [
        f"conformance.json: {each.message}"
        for each in jsonschema_rs.validator_for(schema).iter_errors(ended.report)
    ]
    return problems
