"""report.html, as text."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from animal_conformance.report.html import html_page
from selftests.report.samples import bad_exchanges, many_exchanges, report_of


def bad_page(bad: dict[str, Any]) -> bytes:
    """The page of the run with findings."""
    return html_page(bad, bad_exchanges())


def test_a_big_report_is_small() -> None:
    """3,000 exchanges: under 2 MB."""
    exchanges = many_exchanges(3000)
    assert len(html_page(report_of(exchanges), exchanges)) < 2_000_000


def test_the_page_needs_no_network_and_says_so(bad: dict[str, Any]) -> None:
    """Its policy lets nothing in but its own style and script."""
    page = bad_page(bad).decode("utf-8")
    assert re.search(r"default-src &#39;none&#39;; style-src &#39;sha256-[^ ]+ script-src &#39;sha256-", page)
    assert [] == re.findall(r"""(?:src|href)=["'](?!#|data:,)""", page)
    assert '<html lang="en">' in page


def test_headings_go_down_one_level_at_a_time(bad: dict[str, Any]) -> None:
    """So that a screen reader can walk them."""
    levels = [int(each) for each in re.findall(r"<h([1-6])", bad_page(bad).decode("utf-8"))]
    assert 1 == levels[0]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_drawings_say_in_words_what_they_show(bad: dict[str, Any]) -> None:
    """With axes that are labelled."""
    page = bad_page(bad).decode("utf-8")
    for text in (
        "Responses: 14 2xx, 7 4xx, 2 5xx or none.",
        "seconds since the start of the run",
        "requests per 0.02 s",
        "listPets: median",
    ):
        assert text in page


@pytest.mark.parametrize("sample", ["good", "unjudged"])
def test_a_run_without_findings_or_answers_has_a_page_too(
    sample: str, request: pytest.FixtureRequest
) -> None:
    """With the verdict on it."""
    page = html_page(request.getfixturevalue(sample), []).decode("utf-8")
    assert {"good": "Conforms</h1>", "unjudged": "Could not be judged</h1>"}[sample] in page
