"""report.html in a real browser; what can be seen in its text is in test_html.py."""

from __future__ import annotations

import base64
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from animal_conformance.report.html import html_page
from selftests.report.samples import (
    bad_exchanges,
    bad_page,
    hostile_exchanges,
    load_of,
    many_exchanges,
    report_of,
)

BROWSER, DRIVER = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="Needs Chromium and chromedriver."),
]

Open = Callable[..., webdriver.Chrome]


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    """A browser without a screen."""
    options = Options()
    options.binary_location = BROWSER or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield browser
    browser.quit()


@pytest.fixture
def opened(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Open]:
    """Opens a page; whatever a test does with it, nothing may be said in the console."""

    def open_page(page: bytes, *, fragment: str = "") -> webdriver.Chrome:
        path = tmp_path / "report.html"
        path.write_bytes(page)
        driver.get("about:blank")
        driver.get(path.as_uri() + fragment)
        return driver

    yield open_page
    assert [] == driver.get_log("browser")  # type: ignore[no-untyped-call]


def visible(browser: webdriver.Chrome) -> list[str]:
    """The ids of the clauses that are shown."""
    # All at once: the page has to be asked about each element otherwise, which takes a second.
    shown = "[...document.querySelectorAll('.clause')].filter(each => each.checkVisibility())"
    return [str(each) for each in browser.execute_script(f"return {shown}.map(each => each.id)")]


def clause(browser: webdriver.Chrome, clause_id: str) -> WebElement:
    """The article of a clause."""
    return browser.find_element(By.ID, clause_id)


def test_the_first_screen_has_the_verdict_in_words(opened: Open, bad: dict[str, Any]) -> None:
    """And the deployment, what was run, and the counts."""
    browser = opened(bad_page(bad))
    assert browser.find_element(By.TAG_NAME, "h1").text.endswith("Does not conform")
    summary = browser.find_element(By.CSS_SELECTOR, ".summary")
    for text in ("https://animals.example.org/v1", "standard profile, seed 1", "MUST 30 6 30"):
        assert text in summary.text
    assert summary.rect["y"] + summary.rect["height"] < 900


def test_the_filter_and_the_search_work_together(opened: Open, bad: dict[str, Any]) -> None:
    """They unfold what they find, and say how many clauses are left."""
    browser = opened(bad_page(bad))
    assert not set(visible(browser)) & {each["id"] for each in bad["clauses"] if each["outcome"] == "passed"}
    unfiltered, total = visible(browser), len(bad["clauses"])
    for outcome in ("passed", "failed"):
        button = browser.find_element(By.CSS_SELECTOR, f".filter.{outcome}")
        button.click()
        shown = visible(browser)
        assert {each["id"] for each in bad["clauses"] if each["outcome"] == outcome} == set(shown)
        button.click()
    search = browser.find_element(By.ID, "search")
    search.send_keys("LIST.limit")
    assert {each["id"] for each in bad["clauses"] if "list.limit" in each["id"]} == set(visible(browser))
    search.send_keys(" nonsense")
    assert f"0 of {total} clauses" == browser.find_element(By.ID, "shown").text
    browser.find_element(By.ID, "reset").click()
    assert unfiltered == visible(browser)


def test_a_failed_clause_says_all_without_a_click(opened: Open, bad: dict[str, Any]) -> None:
    """What was required, expected and observed, and the command; its exchange unfolds by keyboard."""
    browser = opened(bad_page(bad))
    article = clause(browser, "list.limit.respected")
    for part in (
        "Required\nNo more animals are returned than the limit.",
        "Expected\nat most 3 animals",
        "Observed\n9 animals",
        "curl -sS",
    ):
        assert part in article.text
    exchange = article.find_element(By.CSS_SELECTOR, ".exchange")
    assert not exchange.is_displayed()
    article.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert "GET /pets?limit=3" in exchange.text


def test_the_link_of_a_clause_opens_its_finding(opened: Open, bad: dict[str, Any]) -> None:
    """Also where it is folded away as a symptom of another; below the bar that stays at the top."""
    browser = opened(bad_page(bad), fragment="#error.code")
    article = clause(browser, "error.code")
    assert article.is_displayed()
    assert 0 < browser.execute_script("return arguments[0].getBoundingClientRect().top", article) < 200


def test_the_copy_button_copies_the_command(opened: Open, bad: dict[str, Any]) -> None:
    """Character by character."""
    browser = opened(bad_page(bad), fragment="#list.limit.respected")
    origin = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", origin)
    article = clause(browser, "list.limit.respected")
    button = article.find_element(By.CSS_SELECTOR, ".copy")
    button.click()
    deadline = time.monotonic() + 5
    while not button.text.startswith("Copied"):
        assert time.monotonic() < deadline
    copied = browser.execute_async_script(
        "navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))"
    )
    [finding, *_] = next(each for each in bad["clauses"] if each["id"] == "list.limit.respected")["findings"]
    assert finding["curl"] == copied


def test_nothing_of_a_hostile_server_runs(opened: Open, hostile: dict[str, Any]) -> None:
    """Neither script nor markup nor addresses, in whichever field."""
    evil = (
        "'\"><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\x00\u202e"
    )
    report = {
        **hostile,
        "target": {"base_url": f"javascript:{evil}", "name": evil},
        "reason": evil,
        "remedy": evil,
        "suite_faults": [evil],
    }
    report["run"] = {**hostile["run"], "id": evil, "profile": evil, "options": {evil: evil}}
    report["clauses"] = [{**each, "why": evil} for each in hostile["clauses"]]
    browser = opened(html_page(report, hostile_exchanges()))
    assert "owned" != browser.title
    assert 1 == len(browser.find_elements(By.TAG_NAME, "script"))
    assert [] == browser.find_elements(By.CSS_SELECTOR, "img, iframe, object, embed, [onerror], [onload]")
    targets = [each.get_dom_attribute("href") for each in browser.find_elements(By.CSS_SELECTOR, "a[href]")]
    assert all(each.startswith("#") for each in targets), "links stay on the page"


@pytest.mark.timed
def test_a_big_report_opens_at_once(opened: Open) -> None:
    """3,000 exchanges: under a second."""
    exchanges = many_exchanges(3000)
    browser = opened(html_page(report_of(exchanges), exchanges))
    timing = "const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime"
    assert browser.execute_script(timing) < 1000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "load"), [(360, False), (390, False), (1200, False), (360, True)])
def test_it_fits_phones_and_has_contrast_in_light_and_dark(
    opened: Open, bad: dict[str, Any], scheme: str, width: int, *, load: bool
) -> None:
    """No sideways scrolling, neither chart nor word cut, and text at 4.5 to 1 against what is behind it (WCAG 2 AA)."""
    page = html_page({**bad, "load": load_of(60)}, bad_exchanges()) if load else bad_page(bad)
    browser = opened(page, fragment="#error.code")
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert [] == browser.execute_script(LOW_CONTRAST)
        assert [] == browser.execute_script(CUT)
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_run_without_findings_fills_few_sheets_of_paper(opened: Open, good: dict[str, Any]) -> None:
    """At most six, with every clause and every answer to an open question on them."""
    browser = opened(html_page(good, many_exchanges(1100)))
    paper = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}
    printed = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", paper)["data"])
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 6


def test_on_paper_every_finding_is_open(opened: Open, bad: dict[str, Any]) -> None:
    """Since nothing can be opened there."""
    browser = opened(bad_page(bad))
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert [] == browser.find_elements(By.CSS_SELECTOR, "details:not([open])")
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert [] != browser.find_elements(By.CSS_SELECTOR, "details:not([open])")


# Words over two lines, but for addresses, digests and commands, and texts that reach beyond their drawing.
CUT = """
const cut = [];
for (const drawing of document.querySelectorAll("svg")) {
  const around = drawing.getBoundingClientRect();
  for (const text of drawing.querySelectorAll("text")) {
    const at = text.getBoundingClientRect();
    if (at.left < around.left - 1 || at.right > around.right + 1) cut.push(text.textContent);
  }
}
const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (node.parentElement.closest("code, pre, svg")) continue;
  for (const word of node.data.matchAll(/[\\p{L}]+/gu)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    if (range.getClientRects().length > 1) cut.push(word[0]);
  }
}
return cut;
"""
LOW_CONTRAST = """
const parse = (color) => color.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = parse(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
const low = new Set();
for (const element of document.querySelectorAll("body *")) {
  if (element.closest("svg, script, .unseen") || !element.checkVisibility()) continue;
  if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
  const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) low.add(element.tagName + "." + element.className + ": " + element.textContent.slice(0, 30));
}
return [...low];
"""
