"""Makes the pictures of the README from a real run: python -m selftests.report.pictures.

It needs Chromium with its driver, and writes docs/report.png and docs/terminal.svg.
"""

from __future__ import annotations

import base64
import io
import re
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from animal_conformance.interface.resources import root
from animal_conformance.judge.verdicts import judge
from animal_conformance.record.trace import read_trace
from animal_conformance.report.compare import read_report
from animal_conformance.report.html import html_page
from animal_conformance.report.report import RunFacts, build_report
from animal_conformance.report.terminal import render
from selftests.loopback.command import command
from selftests.loopback.deployment import counted

FAULTS = ("limit.one-more.at-100", "crash.limit.letters", "content-type.html-404")
BASE_URL = "https://staging.animals.example/v1"


def main() -> None:
    """Run against a broken deployment, and take the pictures."""
    with tempfile.TemporaryDirectory() as name:
        with counted(*FAULTS) as deployment:
            directory = command("run", deployment.url, cwd=Path(name)).directory
        report, page = as_if_staging(directory)
        picture_of_the_page(page, directory / "report.html", root() / "docs" / "report.png")
    picture_of_the_terminal(report, root() / "docs" / "terminal.svg")


def as_if_staging(directory: Path) -> tuple[dict[str, Any], bytes]:
    """The report and its page, with an address that is meaningful to readers."""
    trace, written = read_trace(directory / "trace.ndjson"), read_report(directory / "conformance.json")
    run = written["run"]
    judgement = judge(trace.exchanges, replace(trace.terms, base_url=BASE_URL))
    facts = RunFacts(
        run_id=run["id"],
        base_url=BASE_URL,
        name="Animal store, staging",
        started=0,
        finished=run["seconds"],
        profile=run["profile"],
        seed=run["seed"],
        connections=run["connections"],
        options=run["options"],
        trace_digest=run["trace_digest"],
    )
    report = build_report(judgement, facts)
    report["run"].update(started=run["started"], finished=run["finished"])
    return report, html_page(report, judgement.ledger.exchanges)


def picture_of_the_page(page: bytes, path: Path, picture: Path) -> None:
    """Take a picture of the top of the page."""
    path.write_bytes(page)
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--window-size=1160,1240",
    ):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        browser.get(path.as_uri())
        size = {"width": 1160, "height": 1120, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": False})
        picture.parent.mkdir(exist_ok=True)
        picture.write_bytes(base64.b64decode(shot["data"]))
    finally:
        browser.quit()


def picture_of_the_terminal(report: dict[str, Any], picture: Path) -> None:
    """Draw the text of the terminal, with the first few open questions."""
    console = Console(record=True, width=126, file=io.StringIO(), force_terminal=True)
    render({**report, "observations": report["observations"][:7]}, console, reports=Path("reports"))
    drawn = console.export_svg(title="animal-conformance run")
    # A picture in a README cannot load fonts; a font of the reader's system will do.
    picture.write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
