"""The rules of rules/creation.py: what is answered, and which statuses are accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
    JSON,
    PASSED,
    WRONG,
    animal,
    created,
    exchange,
    failed_of,
    got,
    lost,
    named,
    opinions_of,
    outcome_of,
    payload,
    posted,
    refused,
    unanswered,
    under,
    verdict_of,
)

STATUSES = ("available", "pending", "sold")


@pytest.mark.parametrize(
    "sent",
    [
        payload(categoryId=2**53 + 1),
        payload(name=""),
        payload(name="x" * 1100),
        payload(name="a\x00b"),
        payload(name=" x "),
    ],
)
def test_a_valid_creation_that_is_refused_with_400_is_no_finding(sent: dict[str, Any]) -> None:
    """Reading 3: closed categories and rules for names are left open."""
    assert CANT_TELL == outcome_of("create.answer", [refused(sent)])
    assert set() == failed_of([created(animal_id=1), refused(sent, at=2.0)])


@pytest.mark.parametrize("status", [200, 202, 204, 301, 404, 409, 413, 415, 422])
def test_a_valid_creation_with_any_other_answer_is_a_finding(status: int) -> None:
    """Reading 3: 201, or 400 with an Error; nothing else."""
    assert FAILED == outcome_of("create.answer", [refused(payload(), status)])


def test_further_fields_may_be_rejected_and_are_accepted_with_201_alone() -> None:
    """An id of the client's own that is known must not make an update of a creation (a 200)."""
    for further in ({"id": 1}, {"colour": "brown"}):
        for status, expected in (
            (200, FAILED),
            (202, FAILED),
            (201, CANT_TELL),
            (400, CANT_TELL),
            (409, CANT_TELL),
        ):
            assert expected == outcome_of("create.answer", [posted(payload(**further), status, animal())])


@pytest.mark.parametrize(
    "sent",
    [
        b'{"name": "Rex", "categoryId": 5.0}',
        b'{"name": "Rex", "name": "Rex", "categoryId": 5}',
        rb'{"name": "\ud800", "categoryId": 5}',
        payload(name="x" * 9000),
    ],
)
def test_a_creation_that_the_document_leaves_open_may_be_refused_anyhow(sent: Any) -> None:
    """Reading 15: 5.0, duplicate keys, lone surrogates, large bodies."""
    for status in (400, 413, 422):
        assert set() == failed_of([created(), refused(sent, status, at=2.0)]) - {"create.answer"}
        assert CANT_TELL == outcome_of("create.answer", [refused(sent, status)])


@pytest.mark.parametrize("sent", [payload(colour="brown"), payload(id=5)])
def test_a_property_that_the_document_does_not_have_is_refused_with_400_or_ignored(
    sent: dict[str, Any],
) -> None:
    """Reading 6: with no other status."""
    assert set() == failed_of([created(), refused(sent, at=2.0)])
    assert {"create.refusal.status"} == failed_of([created(), refused(sent, 422, at=2.0)])
    (found,) = verdict_of("create.refusal.status", [created(), refused(sent, 422, at=2.0)]).findings
    assert "is rejected with 422: it has a" in found.finding.message
    # A quota that says so with a status of its own is no matter of the property.
    quota = [created(), refused(named("Ac"), 402, at=2.0), refused(sent, 402, at=3.0)]
    assert {"create.answer"} == failed_of(quota)


def test_a_creation_under_another_label_is_open() -> None:
    """Reading 15: request content types are open."""
    plain = (("Content-Type", "text/plain"),)
    for answer in (refused(status=415, sent_headers=plain), created(sent_headers=plain)):
        assert set() == failed_of([answer])


def test_a_size_limit_is_none_of_a_small_body() -> None:
    """'Other size limits: not shown', and 413 speaks of them: of a large body it is no finding."""
    assert set() == failed_of([refused(payload(name="x" * 1100), 413)])
    assert {"create.answer"} == failed_of([refused(payload(name="x" * 900), 413)])
    assert {"create.answer"} == failed_of([refused(payload(name="x" * 1100), 422)])
    shortest = len(json.dumps(named("")))
    for length, findings in ((1024, 1), (1025, 0)):
        sent = refused(named("x" * (length - shortest)), 413)
        assert (0, findings) == opinions_of("create.answer", [sent])


# Statuses in creations.


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_that_is_accepted_is_evidence(status: str) -> None:
    """As any valid creation that is answered with 201; one without status is the other clause's."""
    made = created(payload(status=status))
    others = [created(payload(status=each), at, at=float(at)) for at, each in enumerate(STATUSES, 2)]
    each = [made, *(one for one in others if one.request.body != made.request.body)]
    assert PASSED == outcome_of("create.answer", [made]) == outcome_of("create.status.accepted", each)
    assert CANT_TELL == outcome_of("create.status.optional", each)
    # Nothing of the status that was never accepted.
    assert CANT_TELL == outcome_of("create.status.accepted", each[:2])


def test_a_status_that_is_only_asked_to_wait_leaves_the_clause_open() -> None:
    """429 is no violation anywhere, but that status may never be served; two may have come when the run ended."""
    made = created(payload(status="sold"))
    waits = [posted(payload(status="pending"), 429, b"", at=2.0 + at) for at in range(3)]
    assert CANT_TELL == outcome_of("create.status.accepted", [made, *waits])
    others = [created(payload(status=each), at, at=0.1) for at, each in enumerate(STATUSES[:2], 20)]
    assert PASSED == outcome_of("create.status.accepted", [*others, made, *waits[1:]])
    assert CANT_TELL == outcome_of("create.status.accepted", [*others[:1], made, *waits])
    served = created(payload(status="pending"), 8, at=9.0)
    assert PASSED == outcome_of("create.status.accepted", [others[0], made, *waits, served])
    unstated = [posted(payload(status=...), 429, b"", at=2.0 + at) for at in range(3)]
    assert PASSED == outcome_of("create.status.accepted", [*others, made, *unstated])


def test_a_creation_without_status_that_is_accepted_is_evidence() -> None:
    """Whatever its status is then."""
    assert PASSED == outcome_of("create.status.optional", [created(payload(status=...))])
    assert CANT_TELL == outcome_of("create.status.accepted", [created(payload(status=...))])


@pytest.mark.parametrize("status", [*STATUSES, ...])
def test_a_status_that_was_not_sent_may_be_any_or_none_and_is_never_null(status: Any) -> None:
    """Reading 5: one of the three, or the field left out."""
    assert set() == failed_of([created(payload(status=...), changes={"status": status})])
    assert {"animal.status"} == failed_of([created(payload(status=...), changes={"status": None})])


@pytest.mark.parametrize("clause_id", ["create.answer", "create.status.accepted", "create.status.optional"])
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(posted(payload(), 401, b""), id="no key"),
        pytest.param(posted(payload(), 403, b""), id="no scope"),
        pytest.param(posted(payload(), 500, b""), id="a server error"),
        pytest.param(posted(payload(), 429, b""), id="throttled"),
        pytest.param(under(created(), WRONG), id="a wrong key"),
        pytest.param(under(created(payload(status=...)), ABSENT), id="without a key"),
        pytest.param(created(payload(name=5)), id="invalid"),
        pytest.param(created(payload(name=5, status=...)), id="invalid without a status"),
        pytest.param(created(payload(colour="brown")), id="open"),
        pytest.param(created(payload(colour="brown", status=...)), id="open without a status"),
        pytest.param(posted(b"", 201, animal()), id="no body"),
        pytest.param(exchange("PUT", "/pets", 201, animal()), id="another operation"),
        pytest.param(unanswered(created()), id="no answer"),
    ],
)
def test_what_is_no_valid_creation_says_nothing_of_what_is_accepted(clause_id: str, other: Exchange) -> None:
    """Only what is valid by the table, and let in."""
    assert (0, 0) == opinions_of(clause_id, [other])


def test_lawful_creations_break_nothing() -> None:
    """Readings 3, 5, 6 and 13 at once: extra fields, refused extra properties, refused names, moved statuses."""
    trace = [
        created(named("Babette", status=...), 10, changes={"status": "pending", "owner": None}),
        refused(payload(colour="brown"), at=1.1),
        refused(named(""), at=1.2),
        refused(payload(categoryId=2**62), at=1.3),
        created(named("Abelard"), 7, at=2.0, headers=(*JSON, ("Location", "/v1/pets/7"))),
        got(7, {**animal(7), "name": "Abelard", "status": "sold"}, at=9.0, headers=JSON),
        lost(11, at=9.5),
    ]
    assert {"get.deprecation-header", "get.sunset-header"} == failed_of(trace)
