"""observers.py: they say what a deployment does where the document is open."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.record.exchange import Credential, Exchange, Response
from selftests.exchanges import (
    ABSENT,
    ANSWER,
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
    named,
    payload,
    posted,
    refused,
    seen_of,
    unanswered,
    unauthorised,
    under,
    unlisted,
)
from selftests.tables import cases


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
    ("open.list.order", [listing(animals(5)[::-1])], "descending by id"),
    ("open.list.order", [listing([*animals(5), animal(0)])], "not ordered by id"),
    ("open.list.page", [listing(animals(2), limit=100), listing(animals(2), limit=100, at=2.0)], "full"),
    ("open.list.monotone", [listing(animals(1), limit=9, at=0.0), listing(animals(2), limit=5)], "longer"),
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
    ("open.create.name-normalisation", [created(payload(name="e\u0301"))], "kept as sent"),
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
    ("open.accept", [listing([], sent_headers=(("Accept", "text/html"),))], "application/json nevertheless"),
    ("open.voices", [listing(b"", status=406, sent_headers=(("Accept-Language", "tr"),))], "the suite itself, listPets: 406"),
    ("open.trailing-slash", [exchange("GET", "/pets/", 301, b"")], "301"),
    ("open.error.codes", [lost(5)], "404: refused"),
    ("open.rate-limit", [unlisted(429)], "429, Retry-After absent"),
    ("open.rate-limit", [exchange("GET", "/pets", 503, b"", headers=(("Retry-After", "1"),))], "503, Retry-After present"),
    ("open.rate-limit", [listing(headers=(*JSON, ("X-RateLimit-Limit", "9")))], "announced in headers"),
    ("open.ids", [created(animal_id=5), created(animal_id=10**12, at=2.0)], "far apart"),
    ("open.extra-fields", [listing([animal(1, age=3, colour="x")])], "age, colour"),
    ("open.extra-fields", [lost(1, headers=JSON), exchange("GET", "/pets/1", 404, error(404, trace="x"))], "trace"),
    ("open.integral-floats", [listing([animal(1)])], "no"),
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
    """An observer that never speaks is none; two have tests of their own."""
    asked = {each.id for each in load_clauses().open_questions}
    assert asked == {each[0] for each in ANSWERED} | {"open.explanations", "open.list.lag"}


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


HTML = (("Accept", "text/html"),)
LEFT_OUT = created(payload(status=...), changes={"status": ...})
NFKD = "\ufb01e\u0301\u00e9"
FIVE = animals(5)
LATE = [listing(animals(2), limit=9, at=float(at)) for at in range(10)]
KNOWN = listing([animal(1)], at=0.0)


def asked(name: str, stored: object, status: int = 201) -> Exchange:
    """A creation with this name, and the name that is answered."""
    return replace(
        created(payload(name=name), changes={"name": stored}),
        response=Response(status, ANSWER, json.dumps(animal(1, name=stored)).encode()),
    )


NO_CODES: tuple[object, ...] = ({"code": 5}, [], {"message": ""})

# Question, the exchanges, and all that is heard of it.
HEARD: list[tuple[str, list[Exchange], dict[str, int]]] = [
    # How an answer is told.
    ("open.limit.below", [listing({"code": "odd"}, limit=0)], {"limit=0: 200": 1}),
    ("open.limit.below", [exchange("GET", "/pets?limit=0", 400, {"code": 5})], {"limit=0: 400": 1}),
    ("open.limit.below", [exchange("GET", "/pets?limit=0", 399, {"code": "odd"})], {"limit=0: 399": 1}),
    ("open.limit.below", [exchange("GET", "/pets?limit=0", 400, [])], {"limit=0: 400 with a list": 1}),
    ("open.create.name-empty", [posted(payload(name=""), 400, [])], {"400": 1}),
    ("open.create.name-empty", [posted(payload(name=""), 400, ["code"])], {"400": 1}),
    # One thing at a time, with the key, and answered; throttling, and what chance explains, is no answer.
    ("open.limit.below", [unauthorised(queried("limit=0"), ABSENT)], {}),
    ("open.limit.below", [queried("limit=0&status=lost")], {}),
    ("open.limit.below", [queried("limit=0", 429)], {}),
    ("open.limit.empty", [queried("limit=&status=")], {}),
    ("open.create.name-empty", [unauthorised(refused(payload(name="")), WRONG)], {}),
    ("open.create.identical", [created(), created(payload(name="Other one"), 2, at=2.0)], {}),
    ("open.ids", [created()], {}),
    ("open.list.order", [listing(animals(4))], {}),
    ("open.methods", [listing()], {}),
    ("open.limit.below", [unlisted(503, limit=0), unanswered(listing(limit=0)), listing(limit=101)], {}),
    ("open.limit.below", [listing(query="limit=0&x=1"), listing(limit=5)], {}),
    ("open.limit.below", [under(listing(limit=0), Credential.UNKNOWN)], {}),
    ("open.status.unknown", [refused(payload(status="lost"))], {}),
    ("open.query.unknown", [got("1?x=1"), listing(query="x=1&limit="), listing(query="x=1&limit=0")], {}),
    ("open.query.unknown", [exchange("GET", "/pets?x=1", 500), listing(query="x=1", key=WRONG)], {}),
    ("open.get.lenient-integer", [lost("01"), lost("abc")], {"01: 404 refused": 1}),
    ("open.create.unknown-property", [refused(payload(x=1, name=5)), refused(payload(x=1, id=5))], {}),
    ("open.create.name-empty", [refused(payload(name="", x=1)), refused(payload(name="", status="x"))], {}),
    ("open.create.name-empty", [refused(payload(name=""), 500), got(1)], {}),
    # Names.
    ("open.create.name-long", [refused(payload(name="x" * each)) for each in (199, 200)], {"200 characters: 400 refused": 1}),
    ("open.create.name-control", [created(payload(name=each)) for each in ("\x1f", " ", "a\nb")], {"201": 2}),
    ("open.create.name-space", [asked("x ", "x ")], {"kept": 1}),
    ("open.create.name-space", [asked("x ", "x"), asked(" x", "x", 200), asked("x", "x"), asked("x ", "y")], {"trimmed": 1}),
    ("open.create.name-space", [posted(payload(name="x "), 201, ["name"]), got(1)], {}),
    ("open.create.name-normalisation", [asked(NFKD, unicodedata.normalize("NFC", NFKD))], {"converted to NFC": 1}),
    ("open.create.name-normalisation", [asked(NFKD, unicodedata.normalize("NFD", NFKD))], {"converted to NFD": 1}),
    ("open.create.name-normalisation", [asked(NFKD, unicodedata.normalize("NFKC", NFKD))], {"converted to NFKC": 1}),
    ("open.create.name-normalisation", [asked(NFKD, unicodedata.normalize("NFKD", NFKD))], {"converted to NFKD": 1}),
    ("open.create.name-normalisation", [asked(NFKD, NFKD), asked(NFKD, "x"), asked(NFKD, 5)], {"kept as sent": 1}),
    ("open.create.name-normalisation", [asked("x", "x"), asked(NFKD, NFKD, 200), got(1)], {}),
    ("open.create.name-normalisation", [posted(payload(name=NFKD), 201, ["name"])], {}),
    # What else creations tell.
    ("open.create.category-unknown", [created(payload(categoryId=each)) for each in (2**31 - 1, 2**31)], {"arbitrary categoryId: 201": 1}),
    ("open.create.category-unknown", [created(payload(categoryId=-(2**31))), got(1)], {"arbitrary categoryId: 201": 1}),
    ("open.create.status-default", [created(payload(status=...), changes={"status": "sold"}), created()], {"sold": 1}),
    ("open.create.status-default", [LEFT_OUT, got(1, at=1.0), got(1, at=2.0)], {"omitted": 1, "available, which the 201 left out": 1}),
    ("open.create.status-default", [LEFT_OUT, got(1, animal(1, status=...), at=1.0), got(1, at=2.0)], {"omitted": 1}),
    ("open.create.status-default", [created(payload(status=...)), got(1, at=1.0)], {"available": 1}),
    ("open.create.status-default", [created(changes={"status": ...}), got(1, at=1.0)], {}),
    ("open.create.status-default", [posted(payload(status=...), 201, ["status"]), refused(payload(status=...)), got(1)], {}),
    ("open.create.identical", [created(took=1.0), created(at=1.9, took=1.0), created(at=2.0)], {"201": 1}),
    ("open.create.identical", [created(payload(name="Abelard"), at=each) for each in (1.0, 2.0)], {}),
    ("open.create.identical", [created(payload(name="Abelarda"), at=each) for each in (1.0, 2.0)], {"201": 1}),
    ("open.create.identical", [refused(), refused(at=2.0), listing()], {}),
    ("open.create.location", [refused(headers=(*JSON, ("Location", "/x"))), got(1), unanswered(created())], {}),
    ("open.create.location", [exchange("GET", "/pets/1", 201, animal(1))], {}),
    ("open.create.content-type", [created(), exchange("PUT", "/pets", 415, body=b"x")], {}),
    ("open.create.content-type", [refused(status=each, sent_headers=PLAIN) for each in (500, 429)], {}),
    ("open.create.content-type", [under(refused(sent_headers=PLAIN), WRONG)], {}),
    # Lists.
    ("open.list.order", [listing(FIVE, query="x=1"), got(1), listing([animal(1)] * 4), listing([*FIVE[:4], animal("x")])], {}),
    ("open.list.order", [listing([animal("x"), *FIVE])], {"ascending by id": 1}),
    ("open.list.pagination", [listing(headers=(("X-Next", "1"), ("X-Other", "1"), ("Accept-Ranges", "x"), ("Content-Range", "x")))], {"content-range, x-next": 1}),
    ("open.list.pagination", [listing(headers=tuple((each, "1") for each in ("Page", "Cursor", "Count", "Total", "Link")))], {"count, cursor, link, page, total": 1}),
    ("open.list.pagination", [unlisted(404), got(1), unanswered(listing()), exchange("GET", "/pets", 201, [])], {}),
    ("open.list.page", [KNOWN, listing([], limit=100, state="sold"), listing({}, limit=100), unlisted(400, limit=100)], {}),
    ("open.list.page", [KNOWN, listing([], limit=99), exchange("GET", "/pets?limit=100", 201, []), got(1)], {}),
    ("open.list.page", [KNOWN, listing([], limit=100), got(1, at=9.0)], {"shorter than it could be": 1}),
    ("open.list.page", [KNOWN, listing([], limit=100)], {"full": 1}),
    ("open.list.page", [listing(animals(100), limit=100, at=0.0), listing(animals(120)), listing(animals(100), limit=100, at=9.0)], {"full": 2}),
    ("open.list.monotone", [listing(animals(1), limit=9, at=0.0), listing(animals(5), limit=5)], {"longer": 1}),
    ("open.list.monotone", [listing(animals(1), limit=9, at=0.0), created(animal_id=7, at=0.2), listing(animals(2), limit=5)], {}),
    ("open.list.monotone", [listing(animals(1), limit=9, at=0.0), listing(animals(6), limit=5)], {"not longer": 1}),
    ("open.list.monotone", [listing(animals(1), limit=5, at=0.0), listing(animals(2), limit=5)], {}),
    ("open.list.monotone", [listing([], limit=9, state="sold", at=0.0), listing(animals(2), limit=5)], {}),
    ("open.list.monotone", [listing([], limit=9, at=0.0), listing(animals(2)), listing({}, limit=5), listing(animals(2), query="limit=5&x=1")], {}),
    ("open.list.monotone", [listing([], limit=9, at=1.0, took=1.0), listing(animals(2), limit=5, at=1.9), listing(animals(2), limit=5, at=2.0)], {"longer": 1}),
    ("open.list.monotone", [listing([], limit=9, at=0.0), *LATE[1:], listing(animals(2), limit=5, at=50.0)], {"longer": 1}),
    ("open.list.monotone", [listing([], limit=9, at=-1.0), *LATE, listing(animals(2), limit=5, at=50.0)], {"not longer": 1}),
    # Keys, methods and types.
    ("open.auth.challenge", [unlisted(403), unanswered(listing())], {}),
    ("open.auth.lower-case-scheme", [under(unlisted(each), Credential.LOWER_CASE_SCHEME) for each in (500, 404)], {"404": 1}),
    ("open.auth.lower-case-scheme", [listing(), under(listing(limit=0), Credential.LOWER_CASE_SCHEME)], {}),
    ("open.methods", [exchange(each, "/orders", 404) for each in ("GET", "POST", "PUT")], {"PUT: 404": 1}),
    ("open.methods", [unanswered(exchange("PUT", "/pets")), listing()], {}),
    ("open.accept", [listing(), unanswered(listing(sent_headers=HTML))], {}),
    ("open.trailing-slash", [listing(), unanswered(exchange("GET", "/pets/"))], {}),
    # Errors and limits of rate.
    ("open.error.codes", [exchange("GET", "/pets", each, error(each)) for each in (399, 400, 599, 600)], {"400: refused": 1, "599: refused": 1}),
    ("open.error.codes", [exchange("GET", "/pets", 400, each) for each in NO_CODES], {}),
    ("open.rate-limit", [listing(), unanswered(listing()), exchange("GET", "/pets", 503)], {}),
    ("open.rate-limit", [exchange("GET", "/pets", 429, headers=(("Retry-After", "1"),))], {"429, Retry-After present": 1}),
    # Ids.
    ("open.ids", [created(animal_id=1), created(animal_id=1, at=2.0)], {"descending": 1}),
    ("open.ids", [created(animal_id=1), created(animal_id=3, at=2.0), created(animal_id=4, at=3.0)], {"ascending": 1, "consecutive": 1}),
    ("open.ids", [created(animal_id=0), created(animal_id=10**6, at=2.0), created(animal_id=-1, at=3.0)], {"ascending": 1, "far apart": 1}),
    ("open.ids", [created(animal_id=1, took=1.0), created(animal_id=2, at=1.9), created(animal_id=3, at=2.0)], {"ascending": 1}),
    ("open.ids", [created(), posted({}, 201, []), created(animal_id="x", at=2.0), posted({}, 200, animal(2), at=2.0)], {}),
    ("open.ids", [created(), exchange("GET", "/pets/2", 201, animal(2), at=2.0)], {}),
    # Fields and values.
    ("open.extra-fields", [listing([animal(1), animal(2, b=1), animal(3, a=1)]), exchange("GET", "/pets", 400, ["x"])], {"a, b": 1}),
    ("open.extra-fields", [lost(1), got(1), created(), listing([animal(1)])], {}),
    ("open.integral-floats", [listing(b'[{"id": 1}, {"id": 2, "age": 5.0}]'), listing([])], {"yes": 1}),
    ("open.integral-floats", [lost(1)], {}),
    ("open.status.moves", [KNOWN, got(1, animal(1, status="sold"), at=1.0), got(1, at=2.0)], {"yes": 2}),
    ("open.status.moves", [KNOWN, got(1, animal(1, status=...), at=1.0)], {"yes": 1}),
    ("open.status.moves", [KNOWN, listing([animal(1, status="sold")], at=2.0), got(1, at=1.0)], {"no": 1}),
    ("open.status.moves", [listing([animal(1)], at=1.0), got(1, at=1.0), got(10**12), lost(1), got(7, animal(7))], {}),
    ("open.status.moves", [KNOWN, listing([animal(1, status="sold")], at=2.0)], {}),
    # How answers are carried.
    ("open.transport", [listing(headers=())], {"HTTP/1.1, until close, uncompressed, no charset": 1}),
    ("open.transport", [listing(headers=(("Connection", "CLOSE"),))], {"HTTP/1.1, until close, uncompressed, no charset, connection closed": 1}),
    ("open.transport", [listing(headers=(("Connection", "keep-alive"),))], {"HTTP/1.1, until close, uncompressed, no charset": 1}),
    ("open.transport", [listing(sent_headers=(("Connection", "Close"),)), unanswered(listing())], {}),
    ("open.transport", [listing(headers=JSON, sent_headers=(("Connection", "keep-alive"),))], {"HTTP/1.1, until close, uncompressed, no charset": 1}),
    ("open.network", [listing()], {}),
]  # fmt: skip


@pytest.mark.parametrize(("question_id", "exchanges", "heard"), HEARD)
def test_what_is_heard_of_a_question_is_all_that_answers_it(
    question_id: str, exchanges: list[Exchange], heard: dict[str, int]
) -> None:
    """Each answer as often as it was given, and nothing of what would not answer it."""
    assert heard == seen_of(question_id, exchanges)


@pytest.mark.parametrize(
    ("accepted", "coded", "is_readable"),
    [
        ("identity", "gzip", False),
        ("identity", None, True),
        ("identity", "identity", True),
        ("gzip, deflate", "gzip", True),
        ("gzip, deflate", "X-GZIP", True),
        ("gzip, deflate", "br", False),
        ("gzip", "gzip, br", False),
        ("", "gzip", False),
        ("gzip;q=1.0, deflate;q=0.6", "deflate", True),
        ("gzip; q=0, br", "gzip", False),
        ("gzip;q=0.00", "gzip", False),
        ("*", "gzip", True),
        ("*;q=0", "gzip", False),
        ("*;q=0, gzip", "gzip", True),
        (None, "br", True),
    ],
)
def test_a_content_coding_that_a_client_does_not_accept_is_told(
    accepted: str | None, coded: str | None, *, is_readable: bool
) -> None:
    """RFC 9110 section 12.5.3: who says nothing of codings accepts all."""
    asked = () if accepted is None else (("Accept-Encoding", accepted),)
    coding = () if coded is None else (("Content-Encoding", coded),)
    [answer] = seen_of("open.transport", [listing(sent_headers=asked, headers=(*JSON, *coding))])
    assert is_readable != answer.endswith("which the client does not accept")


SHOWN = [animal(1), *animals(9, 200)]
# A list proves something where the same query has returned a longer one.
LONGER = listing(animals(3, 500), limit=20, at=20.0)
EMPTY = [*(listing([], limit=20, at=each) for each in (5.0, 6.0)), LONGER]


@cases(
    ("trace", "heard"),
    {
        "twice": ([created(at=1.0, took=0.0), *EMPTY, got(1, at=9.0)], {"up to 4.0 s": 1, "up to 5.0 s": 1}),
        "gone": ([created(at=1.0, took=0.0), *EMPTY], {"none observed": 2}),
        "got in that moment": ([created(at=1.0, took=0.0), *EMPTY, got(1, at=5.0)], {"none observed": 2}),
        "made in that moment": (
            [created(at=5.0, took=0.0), *EMPTY, got(1, at=9.0)],
            {"none observed": 1, "up to 1.0 s": 1},
        ),
        "the longest": (
            [
                created(at=1.0, took=0.0),
                created(named("Babette"), 2, at=2.0, took=0.0),
                EMPTY[0],
                LONGER,
                got(1, at=9.0),
                got(2, at=9.0),
            ],
            {"up to 4.0 s": 1},
        ),
        "nothing made": ([*EMPTY], {"none observed": 2}),
        "not complete": ([listing([animal(1)], limit=1, at=5.0)], {}),
        "listed": (
            [
                created(at=1.0),
                listing(SHOWN, limit=100, at=5.0),
                listing([*SHOWN, animal(7)], limit=100, at=6.0),
            ],
            {"none observed": 1},
        ),
        "of a filter": (
            [
                created(at=1.0, took=0.0),
                created(named("Babette", status="sold"), 2, at=2.0, took=0.0),
                listing([], limit=100, state="sold", at=5.0),
                listing([animal(50, status="sold")], limit=100, state="sold", at=6.0),
                *(
                    listing([animal(2, status="sold"), *animals(each, 3)], limit=100, at=float(each))
                    for each in (8, 9)
                ),
            ],
            {"none observed": 1, "up to 3.0 s": 1},
        ),
        "of a filter that it has left": (
            [
                created(named("Babette", status="sold"), 2, at=2.0, took=0.0),
                listing([], limit=100, state="sold", at=5.0),
                listing([animal(50, status="sold")], limit=100, state="sold", at=6.0),
                listing([animal(2), animal(50, status="sold")], limit=100, at=8.0),
            ],
            {"none observed": 1},
        ),
    },
)
def test_the_delay_of_a_list_is_that_of_what_is_shown_later(
    trace: list[Exchange], heard: dict[str, int]
) -> None:
    """The longest of what the run had made by then, and of the status that was asked for."""
    assert heard == seen_of("open.list.lag", trace)
