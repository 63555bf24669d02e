"""The rules of suspicions/creations/spelled.py: names that are rejected as they are and accepted in escapes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from animal_conformance.judge.experiments import ESCAPING, Create, Naming
from animal_conformance.judge.knowledge.plain import in_han
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    answered,
    asked_by,
    created,
    named,
    outcome_of,
    own_name,
    refused,
    spoken,
    verdict_of,
)
from selftests.tables import cases

CLAUSE = "create.answer"
FIRST = created(named("Firstborn"), 1)


def as_it_is(exchange: Exchange) -> Exchange:
    """The same with every character of its body as it is."""
    body = json.dumps(json.loads(exchange.request.body or b""), ensure_ascii=False)
    return replace(exchange, request=replace(exchange.request, body=body.encode()))


in_escapes = partial(spoken, voice=ESCAPING)


def rejected(number: int, rest: str = "\u00e9", at: float | None = None) -> Exchange:
    """A name that is rejected as it is."""
    return as_it_is(refused(named(own_name(number) + rest), at=2.0 * number if at is None else at))


def accepted(number: int, rest: str = "\u00e9", **others: Any) -> Exchange:
    """A name that is accepted in escapes."""
    return in_escapes(created(named(own_name(number) + rest, **others), number, at=2.0 * number + 1.0))


THREE = [each for number in (2, 3, 4) for each in (rejected(number), accepted(number))]


def test_a_rejection_asks_for_the_same_in_escapes() -> None:
    """After a second try, since some may be rejected by chance."""
    verdict = verdict_of(CLAUSE, [FIRST, rejected(2)])
    assert CANT_TELL is verdict.outcome
    [experiment] = asked_by(verdict)
    steps = [(each.naming, each.voice) for each in experiment.steps if isinstance(each, Create)]
    assert [(Naming.LIKE, ""), (Naming.RETRY, ""), (Naming.RETRY, ESCAPING)] == steps


def test_what_is_accepted_in_escapes_is_asked_again() -> None:
    """And once in escapes alone, so that every second or third request may be rejected."""
    [experiment] = asked_by(verdict_of(CLAUSE, [FIRST, *THREE[:2]]))
    steps = [(each.naming, each.voice) for each in experiment.steps if isinstance(each, Create)]
    both = [(Naming.LIKE, ""), (Naming.RETRY, ""), (Naming.RETRY, ESCAPING)]
    assert [*both, (Naming.LIKE, ESCAPING), *both] == steps


def test_three_names_that_are_accepted_in_escapes_are_a_finding() -> None:
    """It shows what was accepted, and is told once."""
    verdict = verdict_of(CLAUSE, [FIRST, *THREE])
    assert FAILED is verdict.outcome
    [finding] = verdict.findings
    assert {each.reference for each in THREE[1::2]} == {each.reference for each in finding.finding.related}


@cases(
    "lawful",
    {
        "rejected in escapes, too": [
            rejected(2), in_escapes(refused(named(f"{own_name(2)}\u00e9"), at=5.0)),
        ],
        "rejected in escapes at last": [
            *THREE[:4], rejected(4), in_escapes(refused(named(f"{own_name(4)}\u00e9"), at=9.0)),
        ],
        "accepted as it is at another time": [
            *THREE, as_it_is(created(named(f"{own_name(7)}\u00e9"), 7, at=14.0)),
        ],
        "a name as long is accepted": [*THREE, as_it_is(created(named(f"{own_name(7)}\u00fc"), 7, at=14.0))],
        "a status that is full for everybody": [
            *THREE, refused(named("Abelardas"), at=15.0),
        ],
        "in ASCII alone": [refused(named("Abelardas"), at=2.0)],
        "of somebody else": [as_it_is(refused(named("Ren\u00e9"), at=2.0))],
    },
)  # fmt: skip
def test_what_has_another_cause_is_no_finding(lawful: list[Exchange]) -> None:
    """Such as a name that nobody may give; nor is anything asked."""
    verdict = verdict_of(CLAUSE, [FIRST, *lawful])
    assert PASSED is verdict.outcome
    assert not asked_by(verdict)


@cases(
    "undecided",
    {
        "two names": THREE[:4],
        "two names and a gateway": [*THREE[:5], answered(THREE[5], 503)],
        "with another category": [*THREE[:4], rejected(4), accepted(4, categoryId=77)],
        "before it was rejected": [*THREE[:4], rejected(4, at=10.0), accepted(4)],
        "an accepted name of fewer bytes": [
            as_it_is(created(named(f"{own_name(7)}\u00e9"), 7)), rejected(2, "\u4e00"),
        ],
        "an accepted name of more bytes": [
            as_it_is(created(named(f"{own_name(7)}\U00010348"), 7)), rejected(2, "\u4e00"),
        ],
    },
)  # fmt: skip
def test_what_may_have_either_cause_is_undecided(undecided: list[Exchange]) -> None:
    """And something is asked."""
    verdict = verdict_of(CLAUSE, [FIRST, *undecided])
    assert CANT_TELL is verdict.outcome
    assert asked_by(verdict)


def test_what_is_asked_has_the_fields_of_the_rejected_one() -> None:
    """In the order of the document."""
    sent = dict(reversed(named(f"{own_name(2)}\u00e9", status=...).items()))
    [experiment] = asked_by(verdict_of(CLAUSE, [FIRST, as_it_is(refused(sent, at=2.0))]))
    payloads = [list(json.loads(each.payload)) for each in experiment.steps if isinstance(each, Create)]
    assert [["name", "categoryId"]] * 3 == payloads


def test_a_name_of_letters_stands_for_all_that_are_as_long() -> None:
    """A sign may be rejected for itself."""
    trace = [FIRST, rejected(2, "\u2028"), rejected(3, "\u4e00"), rejected(4, "\u4e01")]
    [experiment] = asked_by(verdict_of(CLAUSE, trace))
    names = {json.loads(each.payload)["name"] for each in experiment.steps if isinstance(each, Create)}
    assert {f"{own_name(3)}\u4e00"} == names


def test_names_without_any_ascii_are_names_of_the_run_as_well() -> None:
    """Those in Han characters."""
    three = [
        each
        for number in (2, 3, 4)
        for each in (
            as_it_is(refused(named(in_han(own_name(number))), at=2.0 * number)),
            in_escapes(created(named(in_han(own_name(number))), number, at=2.0 * number + 1.0)),
        )
    ]
    assert FAILED is outcome_of(CLAUSE, [FIRST, *three])


def test_a_client_is_not_asked_about_what_the_suite_may_never_send() -> None:
    """Where names with such characters are rejected from the suite itself, it is not for the client."""
    client = as_it_is(spoken(refused(named(f"{own_name(3)}\u00fc"), at=6.0), "axios"))
    [one] = asked_by(verdict_of(CLAUSE, [FIRST, client]))
    assert any(isinstance(each, Create) and each.voice == "axios" for each in one.steps)
    asked = asked_by(verdict_of(CLAUSE, [FIRST, rejected(2), client]))
    assert not any(isinstance(each, Create) and each.voice == "axios" for one in asked for each in one.steps)
