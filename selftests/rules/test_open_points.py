"""The observers of rules/open_points.py: they say what a deployment does where the document is open."""

from __future__ import annotations

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ABSENT,
    CONTRACT,
    JSON,
    WRONG,
    animal,
    animals,
    created,
    error,
    exchange,
    failed_of,
    got,
    listing,
    lost,
    payload,
    posted,
    refused,
    seen_of,
    unanswered,
    unauthorised,
    unlisted,
)


def queried(query: str, status: int = 400) -> Exchange:
    """A listing with a query as it is, answered with an Error."""
    return exchange("GET", f"/pets?{query}", status, error(status, code="invalid"))


PLAIN = (("Content-Type", "text/plain"),)
FLOAT = b'{"name": "Whiskerton", "categoryId": 5.0}'
TWICE = b'{"name": "Whiskerton", "name": "Whiskerton", "categoryId": 5}'

# Question, the exchanges that answer it, the answer.
ANSWERED = [
    ("open.limit.below", [queried("limit=0", 422)], "limit=0: 422 invalid"),
    ("open.limit.below", [listing([], limit=-1)], "limit=-1: 200 with a list"),
    ("open.limit.above", [queried("limit=101")], "400 invalid"),
    ("open.limit.non-integer", [queried("limit=abc")], "400 invalid"),
    ("open.limit.lenient-integer", [queried("limit=05")], "limit=05: 400 invalid"),
    ("open.limit.empty", [listing([], query="limit=")], "200 with a list"),
    ("open.limit.repeated", [queried("limit=5&limit=6")], "400 invalid"),
    ("open.status.unknown", [queried("status=lost")], "400 invalid"),
    ("open.status.case", [queried("status=SOLD")], "status=SOLD: 400 invalid"),
    ("open.status.empty", [queried("status=")], "400 invalid"),
    ("open.status.repeated", [queried("status=sold&status=sold")], "400 invalid"),
    ("open.query.unknown", [listing([], query="colour=brown")], "200 with a list"),
    ("open.list.order", [listing(animals(5))], "ascending by id"),
    ("open.list.order", [listing(animals(5)[::-1])], "descending by id"),
    ("open.list.order", [listing([*animals(5), animal(0)])], "not ordered by id"),
    ("open.list.page", [listing(animals(2), limit=100), listing(animals(2), limit=100, at=2.0)], "full"),
    (
        "open.list.page",
        [listing(animals(5), at=0.0), listing(animals(2), limit=100)],
        "shorter than it could be",
    ),
    ("open.list.monotone", [listing(animals(1), limit=9, at=0.0), listing(animals(2), limit=5)], "yes"),
    ("open.list.monotone", [listing(animals(2), limit=9, at=0.0), listing(animals(2), limit=5)], "no"),
    ("open.list.pagination", [listing([], headers=(*JSON, ("X-Total-Count", "0"), ("Link", "<>")))], "link, x-total-count"),
    ("open.list.pagination", [listing([])], "none"),
    ("open.create.status-default", [created(payload(status=...))], "available"),
    ("open.create.status-default", [created(payload(status=...), changes={"status": ...})], "omitted"),
    ("open.create.unknown-property", [refused(payload(colour="brown"))], "400 refused"),
    ("open.create.client-id", [created(payload(id=5), 6)], "201"),
    ("open.create.name-empty", [refused(payload(name=""))], "400 refused"),
    ("open.create.name-long", [created(payload(name="x" * 300))], "300 characters: 201"),
    ("open.create.name-control", [refused(payload(name="a\x00b"))], "400 refused"),
    ("open.create.name-space", [created(payload(name=" x "))], "kept"),
    ("open.create.name-space", [created(payload(name=" x "), changes={"name": "x"})], "trimmed"),
    ("open.create.name-normalisation", [created(payload(name="e\u0301"))], "kept as sent"),
    ("open.create.name-normalisation", [created(payload(name="e\u0301"), changes={"name": "\u00e9"})], "converted to NFC"),
    ("open.create.category-unknown", [refused(payload(categoryId=2**40))], "arbitrary categoryId: 400 refused"),
    ("open.create.integral-float", [posted(FLOAT, 201, animal(1))], "201"),
    ("open.create.duplicate-keys", [refused(TWICE)], "400 refused"),
    ("open.create.content-type", [refused(status=415, sent_headers=PLAIN)], "text/plain: 415"),
    ("open.create.content-type", [refused(status=415, sent_headers=())], "absent: 415"),
    ("open.create.identical", [created(), refused(status=409, at=2.0)], "409 refused"),
    ("open.create.location", [created(headers=(*JSON, ("Location", "/pets/1")))], "yes"),
    ("open.create.location", [created()], "no"),
    ("open.get.malformed", [lost("abc", 422)], "422 refused"),
    ("open.get.lenient-integer", [got("01", animal(1))], "01: 200"),
    ("open.auth.lower-case-scheme", [unauthorised(listing(), Credential.LOWER_CASE_SCHEME)], "401"),
    ("open.auth.challenge", [unauthorised(listing())], "Bearer"),
    ("open.auth.challenge", [unauthorised(listing(), headers=JSON)], "absent"),
    ("open.methods", [exchange("OPTIONS", "/pets", 204, b"")], "OPTIONS: 204"),
    ("open.accept", [listing([], sent_headers=(("Accept", "text/html"),))], "text/html: 200 as application/json"),
    ("open.trailing-slash", [exchange("GET", "/pets/", 301, b"")], "301"),
    ("open.error.codes", [lost(5)], "404: refused"),
    ("open.rate-limit", [unlisted(429)], "429, Retry-After absent"),
    ("open.rate-limit", [exchange("GET", "/pets", 503, b"", headers=(("Retry-After", "1"),))], "503, Retry-After present"),
    ("open.rate-limit", [listing(headers=(*JSON, ("X-RateLimit-Limit", "9")))], "announced in headers"),
    ("open.ids", [created(animal_id=1), created(animal_id=2, at=2.0)], "consecutive"),
    ("open.ids", [created(animal_id=1), created(animal_id=5, at=2.0)], "ascending"),
    ("open.ids", [created(animal_id=5), created(animal_id=1, at=2.0)], "descending"),
    ("open.ids", [created(animal_id=5), created(animal_id=10**12, at=2.0)], "far apart"),
    ("open.extra-fields", [listing([animal(1, age=3, colour="x")])], "age, colour"),
    ("open.extra-fields", [lost(1, headers=JSON), exchange("GET", "/pets/1", 404, error(404, trace="x"))], "trace"),
    ("open.integral-floats", [listing(b'[{"id": 5.0}]')], "yes"),
    ("open.integral-floats", [listing([animal(1)])], "no"),
    ("open.status.moves", [listing([animal(1)], at=0.0), got(1, animal(1, status="sold"))], "yes"),
    ("open.status.moves", [listing([animal(1)], at=0.0), got(1)], "no"),
    (
        "open.transport",
        [listing([], headers=(("Content-Type", "application/json; charset=utf-8"), ("Transfer-Encoding", "chunked")))],
        "HTTP/1.1, chunked, uncompressed, charset=utf-8",
    ),
    (
        "open.transport",
        [listing([], headers=(*JSON, ("Content-Length", "2"), ("Content-Encoding", "gzip"), ("Connection", "close")))],
        "HTTP/1.1, Content-Length, gzip, no charset, connection closed",
    ),
    ("open.network", [unanswered(listing())], "reset: it was not to be"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question_id", "exchanges", "answer"),
    [pytest.param(*each, id=f"{each[0]}: {each[2]}"[:80]) for each in ANSWERED],
)
def test_what_a_deployment_does_is_said(question_id: str, exchanges: list[Exchange], answer: str) -> None:
    """In a few words, each answer once."""
    assert answer in seen_of(question_id, exchanges)


def test_every_open_question_is_answered_by_some_exchange() -> None:
    """An observer that never speaks is none; open.list.lag has a test of its own."""
    asked = {each.id for each in load_clauses().open_questions}
    assert asked == {each[0] for each in ANSWERED} | {"open.list.lag"}


@pytest.mark.parametrize("answered", [each[1] for each in ANSWERED])
def test_what_is_observed_never_fails_a_clause(answered: list[Exchange]) -> None:
    """OPEN never fails; what fails below is said by the table for the same answers."""
    mine = {"create.answer", "http.answer"}  # 409 and 415 for what is valid
    shoulds = {each for each in failed_of(answered) if each.endswith("-refused")}
    others = failed_of(answered) - shoulds - mine
    assert others <= {
        "list.answer",
        "get.unknown",
        "animal.name",
        "animal.category-id",
        "auth.challenge",
        "get.deprecation-header",
        "get.sunset-header",
        "create.id.assigned",
    }


@pytest.mark.parametrize(
    ("question_id", "exchanges"),
    [
        ("open.limit.below", [unauthorised(queried("limit=0"), ABSENT)]),
        ("open.limit.below", [queried("limit=0&status=lost")]),
        ("open.limit.below", [queried("limit=0", 429)]),
        ("open.limit.empty", [queried("limit=&status=")]),
        ("open.create.name-empty", [unauthorised(refused(payload(name="")), WRONG)]),
        ("open.create.identical", [created(), created(payload(name="Other one"), 2, at=2.0)]),
        ("open.ids", [created()]),
        ("open.list.order", [listing(animals(4))]),
        ("open.methods", [listing()]),
    ],
)
def test_what_would_not_answer_the_question_is_not_heard(question_id: str, exchanges: list[Exchange]) -> None:
    """Refused credentials, two open things at once, throttling, and what chance explains."""
    assert {} == seen_of(question_id, exchanges)


def test_the_delay_of_lists_is_said() -> None:
    """Reading 11: how long after its creation an animal was not listed that was listed later."""
    foreign = animals(30, 100)
    made = created(payload(status="sold"), 1, at=1.0, took=0.0)
    late = listing([animal(9, status="sold")], limit=100, state="sold", at=1.5)
    trace = [
        created(payload(name="Babettes", status="sold"), 9, at=0.0),
        listing(foreign, limit=100, at=0.5),
        listing([animal(9, status="sold")], limit=1, state="sold", at=0.6),
        made,
        late,
        listing([animal(9, status="sold"), animal(1, status="sold")], limit=100, state="sold", at=2.0),
    ]
    assert {"up to 0.5 s": 1} == seen_of("open.list.lag", trace)


def test_words_of_the_contract_are_not_called_extra() -> None:
    """Fields of the tables, and nothing else."""
    assert {} == seen_of("open.extra-fields", [listing([animal(1)]), lost(1)])
    assert CONTRACT.statuses == ("available", "pending", "sold")
