"""report.html, as text."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from animal_conformance.report.html import html_page
from selftests.report.samples import (
    BROKEN,
    bad_exchanges,
    bad_page,
    load_of,
    many_exchanges,
    report_of,
    schema_problems,
)


def test_a_big_report_is_small() -> None:
    """A standard run, of 1,100 requests: under 150 KB; and a larger one is hardly larger."""
    standard, larger = ((each, report_of(each)) for each in (many_exchanges(1100), many_exchanges(3000)))
    assert len(html_page(standard[1], standard[0])) < 150_000
    assert len(html_page(larger[1], larger[0])) < 200_000


def test_the_page_can_be_read_without_scripts(bad: dict[str, Any]) -> None:
    """Nothing but the controls is hidden."""
    page = bad_page(bad).decode("utf-8")
    hidden = re.findall(r"<(\w+)[^>]* hidden>", page)
    assert {"form", "button", "p"} == set(hidden)
    assert 'id="controls" hidden' in page
    assert 'id="nothing" hidden' in page


def test_the_headline_leaves_it_to_the_certificate_that_there_is_one(good: dict[str, Any]) -> None:
    """A page that was made again from the trace of a certifying run has none beside it."""
    certified = {**good, "run": {**good["run"], "certify": True}}
    assert " Conforms</h1>" in html_page(certified, []).decode("utf-8")


@pytest.mark.parametrize("sample", ["good", "bad", "known", "hostile", "unjudged"])
def test_every_link_within_the_page_has_its_end(sample: str, request: pytest.FixtureRequest) -> None:
    """The one that skips to the clauses as well."""
    page = html_page(request.getfixturevalue(sample), []).decode("utf-8")
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(re.findall(r' id="([^"]*)"', page))


def test_what_went_wrong_stands_first(bad: dict[str, Any]) -> None:
    """Failures, then what could not be told, then what is excused, then what passed, by chapter and folded."""
    page = bad_page(bad).decode("utf-8")
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", page)
    assert ["Failed", "Can&#39;t tell", "Excused or inapplicable", "Passed", "Open questions", "The run"] == [
        each.replace("'", "&#39;") for each in headings
    ]
    passed = page[page.index('id="passed"') :]
    assert re.search(r'<details class="chapter"><summary><h3>All responses</h3>', passed)
    for clause in bad["clauses"]:
        assert (clause["outcome"] == "passed") == (f'id="{clause["id"]}" data-outcome="passed"' in passed)


def test_known_failures_stand_apart_with_their_reason(known: dict[str, Any]) -> None:
    """Behind what else failed; what leads the page is that an expectation is out of date."""
    page = html_page(known, bad_exchanges()).decode("utf-8")
    headings = re.findall(r'<h2 id="(\w+)"', page)
    assert ["failed", "known", "untold"] == headings[:3]
    failed, _, rest = page.partition('<h2 id="known"')
    for clause_id in BROKEN:
        assert f'id="{clause_id}"' in rest
        assert f'id="{clause_id}"' not in failed
    assert "Known failure, until 2027-03-31: ticket 7" in rest
    assert failed.index("list.answer") < failed.index('<h2 id="failed"')


def test_nothing_empty_is_shown(bad: dict[str, Any]) -> None:
    """No setting without a value, no None, and no backtick where it is markup."""
    options = {
        "rate": None,
        "headers": [],
        "name": "",
        "insecure": False,
        "faults": ["a", "b"],
        "settle_s": 2.0,
    }
    page = html_page({**bad, "run": {**bad["run"], "options": options}}, bad_exchanges()).decode("utf-8")
    settings = page[page.index("Settings and versions") :]
    assert ["Finished", "faults", "settle"] == re.findall("<dt>(.*?)</dt>", settings)[1:4]
    assert "<dd><code>a, b</code></dd>" in settings
    assert "None" not in page
    assert "`" not in page.replace("`${", "").split("<script>")[0]
    assert "<code>application/json</code>" in page


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
        "Responses: 14 2xx, 7 4xx, 2 5xx or none. At most 1 in flight at the same time. 14 findings.",
        "seconds since the start of the run",
        "requests per 0.02 s",
        "findings per 0.02 s",
        "in flight at the same time",
        "listPets: median",
    ):
        assert text in page


def test_a_soak_is_drawn_as_a_run_is(bad: dict[str, Any]) -> None:
    """By what was counted, since its exchanges are a sample; one that nothing answered has no drawing."""
    report = {**bad, "load": load_of(60)}
    assert [] == schema_problems(report)
    page = html_page(report, bad_exchanges()).decode("utf-8")
    assert ["requests per 1 s", "createPet", "listPets", "findings shown, per 1 s"] == re.findall(
        r'<text x="50" y="\d+">([^<]*)</text>', page
    )
    assert "createPet: median 4 ms, p95 10 ms; listPets: median 4 ms, p95 10 ms.</desc>" in page
    assert "<svg" not in html_page({**bad, "load": load_of(0)}, []).decode("utf-8")


@pytest.mark.parametrize("sample", ["good", "unjudged"])
def test_a_run_without_findings_or_answers_has_a_page_too(
    sample: str, request: pytest.FixtureRequest
) -> None:
    """With the verdict on it."""
    page = html_page(request.getfixturevalue(sample), []).decode("utf-8")
    assert {"good": "Conforms</h1>", "unjudged": "Could not be judged</h1>"}[sample] in page
