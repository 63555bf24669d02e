"""The page of text at the end of a run."""

from __future__ import annotations

import io
import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from animal_conformance.record.exchange import Credential, Response
from animal_conformance.report.terminal import render
from selftests.exchanges import JSON, animal, created, exchange, got, listing, named, unanswered
from selftests.report.samples import load_of, report_of
from selftests.suspicions.lists import in_turns, made, whole


def page(report: dict[str, Any], *, encoding: str = "utf-8", color: bool = False, width: int = 80) -> str:
    """What is printed, decoded."""
    stream = io.BytesIO()
    file = io.TextIOWrapper(stream, encoding=encoding)
    console = Console(
        file=file,
        width=width,
        no_color=not color,
        force_terminal=color,
        color_system="truecolor" if color else None,
    )
    render(report, console, reports=Path("reports"))
    file.flush()
    return stream.getvalue().decode(encoding)


def test_the_verdict_comes_first(good: dict[str, Any], bad: dict[str, Any], unjudged: dict[str, Any]) -> None:
    """In words."""
    assert page(good).lstrip().startswith("CONFORMS\n")
    assert page(bad).lstrip().startswith("DOES NOT CONFORM\n6 MUST clauses failed")
    assert (
        page(unjudged)
        .lstrip()
        .startswith("COULD NOT BE JUDGED\nNothing listens at the address.\nStart the deployment.")
    )


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_that_certificates_were_not_verified_is_told_where_there_are_some(scheme: str) -> None:
    """Over http there are none."""
    address = f"{scheme}://animals.example.org/v1"
    report = report_of([listing()], base_url=address, options={"insecure": True})
    assert ("certificates were not verified" in page(report)) == (scheme == "https")


def test_known_failures_are_told_apart_and_what_is_out_of_date_leads(known: dict[str, Any]) -> None:
    """Neither is shown as a failure."""
    text = " ".join(page(known, width=400).split())
    verdict, _, rest = text.partition("deployment ")
    assert verdict.startswith("CONFORMS, WITH 7 KNOWN FAILURES, BUT EXPECTATIONS ARE OUT OF DATE")
    assert "list.answer was expected to fail, but passed: remove it from the expectations" in verdict
    assert "KNOWN FAILURES: 7 CLAUSES" in rest
    assert "list.limit.respected Known failure, until 2027-03-31: ticket 7. A list is longer" in rest
    assert "FAILED list.limit.respected" not in rest


def test_a_failed_clause_shows_what_was_required_expected_and_observed(bad: dict[str, Any]) -> None:
    """And where the document says so."""
    text = page(bad)
    part = text[text.index("FAILED  list.limit.respected") :]
    for line in (
        "required    No more animals are returned than the limit.",
        "expected    at most 3 animals",
        "observed    9 animals",
    ):
        assert line in part


def test_a_finding_says_what_lawfully_explains_it_and_which_exchanges_exclude_that() -> None:
    """In the sentences of spec/explanations.yaml."""
    turns = in_turns(1, 9.0, whole(5.0, 3), whole(6.0, 3), whole(7.0, 3))
    report = report_of([*made(1, 3), *turns, *made(4, at=8.0), whole(8.5, 3, 4)])
    text = " ".join(page(report, width=400).split())
    assert (
        "excluded “Lists of this query end early, after a number of items or bytes, or after a scan”, by ex"
        in text
    )


def test_the_curl_line_can_be_pasted(bad: dict[str, Any]) -> None:
    """It is neither wrapped nor coloured nor indented, at any width."""
    lines = [
        line
        for clause in bad["clauses"]
        for finding in clause["findings"][:1]
        for line in finding["curl"].splitlines()
    ]
    assert len(lines) >= 6
    for shown in (page(bad), page(bad, width=40), page(bad, color=True)):
        assert set(lines) <= set(shown.splitlines())


@pytest.mark.parametrize("sample", ["good", "bad", "known"])
def test_a_narrow_terminal_cuts_no_word(sample: str, request: pytest.FixtureRequest) -> None:
    """Neither in the counts nor in what is beside a label: one stands below the other there."""
    report = request.getfixturevalue(sample)
    narrow, wide = page(report, width=40), page(report, width=400)
    assert "\u2026" not in narrow.partition("FAILED")[0]
    passed, failed = (report["counts"]["MUST"][each] for each in ("passed", "failed"))
    assert f"MUST: {passed} passed{f', {failed} failed' if failed else ''}" in narrow
    told = {each for each in narrow.split() if re.fullmatch(r"[a-z]{3,}", each)}
    assert told <= set(re.findall(r"[a-z]+", wide))


def test_curl_lines_stand_in_the_order_in_which_they_were_sent() -> None:
    """What shows a creation comes after it, although the creation was judged."""
    shown = animal(12, name="Abelarda")
    trace = [
        listing([animal(11)], at=0.0),
        exchange("POST", "/pets/", 201, shown, body=b"{}", key=Credential.ABSENT, at=1.0),
        got(12, shown, at=2.0),
    ]
    report = report_of(trace)
    [clause] = [each for each in report["clauses"] if each["id"] == "auth.missing.create"]
    first, then = clause["findings"][0]["curl"].splitlines()
    assert (True, True) == ("/pets/ " in first, "/pets/12 " in then)


def test_must_findings_stand_before_should_findings(bad: dict[str, Any]) -> None:
    """The latter say that they fail no run."""
    text = page(bad)
    assert text.index("FAILED  error.code") < text.index("FAILED  list.limit.below-refused")
    assert "(fails the run only with --strict)" in text


@pytest.mark.parametrize("color", [True, False])
def test_nothing_of_a_hostile_server_reaches_the_terminal_as_it_is(
    hostile: dict[str, Any], *, color: bool
) -> None:
    """No escape but the ones for colour, no override, and markup of rich stays text."""
    text = page(hostile, color=color)
    for style in ("", "1", "2", "31", "1;31", "1;32", "1;33", "33"):
        text = text.replace(f"\x1b[{style}m", "")
    text = text.replace("\x1b[0m", "").replace("\n", "")
    assert {unicodedata.category(each) for each in text}.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})
    assert "[bold red]rich[/] :smile:" in page(hostile, width=200)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_encoding_of_the_terminal_will_do(hostile: dict[str, Any], encoding: str) -> None:
    """What it lacks is spelled out."""
    assert "Reports: " in page(hostile, encoding=encoding)


def test_everything_but_curl_and_paths_fits_eighty_columns(hostile: dict[str, Any]) -> None:
    """So that a CI log does not wrap it."""
    assert all(
        len(line) <= 80
        for line in page(hostile).splitlines()
        if not line.startswith(("curl", "printf", "Reports"))
    )


def test_what_could_not_be_told_is_cut_short(bad: dict[str, Any]) -> None:
    """The page of the browser has the rest."""
    text = page(bad)
    assert "EXCUSED, AS NO CLIENT COULD TELL: " in text


def test_leftovers_are_counted(bad: dict[str, Any], unjudged: dict[str, Any]) -> None:
    """Since nothing can be deleted."""
    assert "This run created 3 animals and removed none" in page(bad)
    assert "removed none" not in page(unjudged)


def test_animals_that_were_not_answered_with_201_are_left_as_well() -> None:
    """Whoever answers 200, or 202, has probably stored them; and an answer that names no animal has none to count."""
    answers = ((200, b'{"id":7}'), (202, b'{"id":8,"name":"x"}'), (204, b""))
    answered = [
        replace(created(at=at), response=Response(status, JSON, body))
        for at, (status, body) in enumerate(answers, start=7)
    ]
    report = report_of([listing([animal(1)]), created(animal_id=3, at=2), *answered])
    assert ([3, 7, 8], 1) == (report["leftovers"], report["run"]["creations"])


def test_animals_that_were_stored_without_an_answer_are_left_as_well() -> None:
    """A list shows them under a name that the run made up; somebody else's with another name are not."""
    own = "Acabcdefghij"
    trace = [unanswered(created(named(own), 5, at=2)), listing([animal(1), animal(9, name=own)], at=4)]
    report = report_of(trace)
    assert ([9], 0) == (report["leftovers"], report["run"]["creations"])


def test_the_first_animals_of_earlier_runs_are_not_left_by_this_one() -> None:
    """Every run with the same seed begins with the same name; so other animals with it are not its own, once it has one."""
    first = "Acabcdefghij"
    shown = listing([animal(7, name=first), animal(3, name=first)], at=4)
    assert [7] == report_of([created(named(first), 7, at=2), shown])["leftovers"]


def test_animals_whose_ids_cannot_be_read_are_told() -> None:
    """They are there all the same, and their names are all that finds them."""
    unread = [created(animal_id=each, at=at) for at, each in enumerate(("7", None, 2**70), start=2)]
    report = report_of([listing([animal(1)]), *unread])
    assert ([], 3, 3) == (report["leftovers"], report["unidentified"], report["run"]["creations"])
    told = "3 create requests returned 201 without a readable id: their animals probably remain, too."
    assert told in " ".join(page(report).split())


def test_a_soak_tells_what_it_has_measured_and_which_thresholds_were_exceeded() -> None:
    """Those that were kept are told apart from those that make the command fail."""
    kept = {"kept": True, "sentence": "0.000% of the requests got no answer"}
    exceeded = {"kept": False, "sentence": "95% of the responses took too long"}
    report = report_of([listing([animal(1)])])
    load = {**load_of(3), "thresholds": [kept, exceeded], "lost_workers_s": [7.5]}
    text = page({**report, "load": load})
    assert "BUT THRESHOLDS WERE EXCEEDED" in text
    assert "Threshold exceeded: 95% of the responses took too long." in text
    assert "kept: 0.000% of the requests" in text
    assert "503 9x" in text
    assert "a worker, 7.5 s into the soak" in text
    assert "UNDER LOAD" not in page(report)


def test_an_embedded_deployment_is_gone_and_can_be_had_back(bad: dict[str, Any]) -> None:
    """With what was changed in it, at the address of the curl lines and before them; and nothing stays in it."""
    options = {"base_url": "", "faults": ["limit.ignored"], "variants": ["a b"], "null": ""}
    target = {**bad["target"], "base_url": "http://127.0.0.1:4711/v1"}
    text = page({**bad, "target": target, "run": {**bad["run"], "options": options}})
    command = "animal-conformance serve --port 4711 --fault limit.ignored --variant 'a b'\n"
    assert 0 < text.index(command) < text.index("\ncurl ")
    assert "removed none" not in text


def test_open_questions_have_the_answers_of_the_deployment(good: dict[str, Any]) -> None:
    """With how often each was seen."""
    assert "open.limit.above 400 refused (1x)" in " ".join(page(good).split())


def test_a_symptom_stands_with_its_cause(bad: dict[str, Any]) -> None:
    """Named, without a finding of its own."""
    text = page(bad)
    assert "These fail only where this does: error.message, error.status." in " ".join(text.split())
    assert "FAILED  error.message" not in text
