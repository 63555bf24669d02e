"""The rules of rules/authentication.py: 401 for every missing or invalid key, before anything else."""

from __future__ import annotations

import pytest

from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ABSENT,
    ANSWER,
    CANT_TELL,
    FAILED,
    JSON,
    PASSED,
    WRONG,
    animals,
    created,
    exchange,
    failed_of,
    got,
    listing,
    lost,
    opinions_of,
    outcome_of,
    payload,
    refused,
    unanswered,
    unauthorised,
    under,
    unlisted,
    verdict_of,
)
from selftests.tables import cases

LIST, CREATE, FOUND = (listing(limit=3, at=2.0), created(payload(name="Abelarda"), 9, at=2.0), got(1, at=2.0))
REQUESTS = (LIST, CREATE, FOUND)
MISSING = [
    pytest.param("auth.missing.list", LIST, id="listPets"),
    pytest.param("auth.missing.create", CREATE, id="createPet"),
    pytest.param("auth.missing.get", FOUND, id="getPet"),
]
KINDS = [
    ("auth.key.empty", Credential.EMPTY),
    ("auth.key.wrong", Credential.WRONG),
    ("auth.key.longer", Credential.LONGER),
    ("auth.key.shorter", Credential.SHORTER),
    ("auth.key.case", Credential.RECASED),
    ("auth.scheme.other", Credential.OTHER_SCHEME),
    ("auth.scheme.missing", Credential.BARE_KEY),
]
# Each operation succeeds with the key: the positive control.
OPEN = [listing(animals(3), limit=3, at=0.0), created(animal_id=4, at=0.1), got(1, at=0.2)]


@pytest.mark.parametrize(("clause_id", "request_"), MISSING)
def test_a_request_without_a_key_that_is_refused_with_401_is_evidence(
    clause_id: str, request_: Exchange
) -> None:
    """Where the key lets it in; otherwise 401 is no answer to the missing key."""
    assert PASSED == outcome_of(clause_id, [*OPEN, unauthorised(request_)])
    assert CANT_TELL == outcome_of(
        clause_id, [OPEN[0], unauthorised(request_)][clause_id == "auth.missing.list" :]
    )


@pytest.mark.parametrize("status", [400, 403, 404, 302])
@pytest.mark.parametrize(("clause_id", "request_"), MISSING)
def test_a_request_without_a_key_with_another_answer_is_a_finding(
    clause_id: str, request_: Exchange, status: int
) -> None:
    """Reading 8: 401, and nothing else."""
    assert clause_id in failed_of([*OPEN, unauthorised(request_, status=status)])
    assert {clause_id} == failed_of([*OPEN, under(request_, ABSENT)])


@pytest.mark.parametrize(("clause_id", "key"), KINDS)
@pytest.mark.parametrize("request_", REQUESTS)
def test_an_invalid_key_that_is_refused_with_401_is_evidence(
    clause_id: str, key: Credential, request_: Exchange
) -> None:
    """Reading 8: each kind, on every operation."""
    assert PASSED == outcome_of(clause_id, [*OPEN, unauthorised(request_, key)])


@pytest.mark.parametrize(("clause_id", "key"), KINDS)
@pytest.mark.parametrize("request_", REQUESTS)
def test_an_invalid_key_that_is_let_in_is_a_finding_of_its_kind_alone(
    clause_id: str, key: Credential, request_: Exchange
) -> None:
    """Reading 8: not a key; the other kinds are refused."""
    controls = [unauthorised(request_, each) for each in (ABSENT, WRONG) if each is not key]
    assert {clause_id} == failed_of([*OPEN, *controls, under(request_, key)])
    assert clause_id in failed_of([*OPEN, *controls, unauthorised(request_, key, 403)])


@pytest.mark.parametrize(("clause_id", "key"), KINDS)
def test_an_operation_that_is_open_without_a_key_is_one_finding(clause_id: str, key: Credential) -> None:
    """One cause, one clause: no key at all is the plainest."""
    trace = [*OPEN, under(listing(limit=3), ABSENT), under(listing(limit=3), key)]
    assert {"auth.missing.list"} == failed_of(trace)
    assert (0, 0) == opinions_of(clause_id, trace)


@pytest.mark.parametrize(("clause_id", "key"), [each for each in KINDS if each[1] is not WRONG])
def test_an_operation_that_is_open_to_any_key_is_one_finding(clause_id: str, key: Credential) -> None:
    """One cause, one clause: a key that was never issued is the plainest of wrong ones."""
    page = listing(limit=3)
    trace = [*OPEN, unauthorised(page), under(page, WRONG), under(page, key)]
    assert {"auth.key.wrong"} == failed_of(trace)
    assert (0, 0) == opinions_of(clause_id, trace)


ALL = [
    *(("auth.missing.list", ABSENT), ("auth.missing.create", ABSENT), ("auth.missing.get", ABSENT)),
    *KINDS,
]


@pytest.mark.parametrize(("clause_id", "key"), ALL)
def test_a_401_is_no_evidence_where_the_key_is_not_let_in_either(clause_id: str, key: Credential) -> None:
    """Nor is what was let in with the key, nor a target that nothing is known of."""
    assert CANT_TELL == outcome_of(clause_id, OPEN)
    assert CANT_TELL == outcome_of(clause_id, [unauthorised(each, key) for each in REQUESTS])
    unknown = [unauthorised(each, key) for each in (lost(10**15), unlisted(400, limit=0), refused({}))]
    assert CANT_TELL == outcome_of(clause_id, [*OPEN, *unknown])


def test_a_getpet_that_was_removed_is_not_asked_for_a_key() -> None:
    """Reading 14: the other operations are."""
    gone = [OPEN[0], *(lost(each, 410, at=9.0) for each in (1, 2, 3))]
    trace = [*gone, under(lost(1, 410), ABSENT), unauthorised(listing(limit=3))]
    assert set() == failed_of(trace, today="2031-01-01")
    assert PASSED == outcome_of("auth.missing.list", trace, today="2031-01-01")


MADE, AGAIN, SEEN = created(animal_id=1, at=0.2), created(animal_id=1, at=0.3), got(1, at=0.4)


@pytest.mark.parametrize(
    ("before", "judged", "related"),
    [
        pytest.param([OPEN[0]], listing(limit=3, at=2.0), [OPEN[0]], id="what was let in"),
        pytest.param([OPEN[0], listing(at=1.0)], LIST, [-1], id="the last that was let in"),
        pytest.param([OPEN[0], listing(at=3.0)], LIST, [OPEN[0]], id="none that was let in afterwards"),
        pytest.param([], LIST, [], id="nothing was let in"),
        pytest.param([OPEN[0], SEEN], FOUND, [OPEN[0], SEEN], id="where it was listed"),
        pytest.param([OPEN[0], MADE, AGAIN, SEEN], FOUND, [MADE, SEEN], id="where it was made first"),
        pytest.param(
            [OPEN[0], got(4, at=1.0)], got(4, at=2.0), [-1], id="once what showed it and was let in"
        ),
    ],
)
def test_a_finding_says_what_shows_it_again(
    before: list[Exchange], judged: Exchange, related: list[Exchange | int]
) -> None:
    """How the animal became known, and the last request that was let in: its connection may stay open."""
    clause_id = "auth.missing.list" if judged.request.path == "/pets" else "auth.missing.get"
    finding = verdict_of(clause_id, [*before, under(judged, ABSENT)]).findings[0].finding
    assert [before[each] if isinstance(each, int) else each for each in related] == list(finding.related)


@pytest.mark.parametrize("status", [429, 503, 500])
def test_a_request_that_was_throttled_or_failed_says_nothing_of_keys(status: int) -> None:
    """Reading 2."""
    headers = (*ANSWER, ("Retry-After", "1"))
    trace = [
        *OPEN,
        *(unauthorised(listing(limit=3), key, status, headers=headers) for key in (ABSENT, WRONG)),
    ]
    assert set() == failed_of(trace) - {"http.server-error"}
    assert CANT_TELL == outcome_of("auth.missing.list", trace)


@pytest.mark.parametrize("status", [200, 401, 403])
@pytest.mark.parametrize("key", [Credential.LOWER_CASE_SCHEME, Credential.UNKNOWN])
def test_a_credential_that_may_be_valid_is_open(key: Credential, status: int) -> None:
    """Reading 8: schemes are case-insensitive (RFC 9110), and recorded traffic does not tell its key."""
    answer = unauthorised(listing(limit=3), key, status)
    assert set() == failed_of([*OPEN, answer]) - {"list.array"}


INVALID = [
    pytest.param(unlisted(400, limit=0), id="an invalid limit"),
    pytest.param(refused(payload(name=...)), id="a missing name"),
    pytest.param(refused(b"{"), id="no JSON"),
    pytest.param(lost("abc", 400), id="no int64"),
    pytest.param(lost(10**15), id="an id that names no animal"),
]


@pytest.mark.parametrize("key", [ABSENT, WRONG, Credential.BARE_KEY])
@pytest.mark.parametrize("request_", INVALID)
def test_an_invalid_request_without_a_valid_key_is_answered_with_401(
    key: Credential, request_: Exchange
) -> None:
    """Reading 8: 401 before anything else."""
    controls = [unauthorised(each, key) for each in REQUESTS]
    assert PASSED == outcome_of("auth.first", [*OPEN, unauthorised(request_, key)])
    assert {"auth.first"} == failed_of([*OPEN, *controls, under(request_, key)])


@pytest.mark.parametrize(
    ("key", "words"), [(ABSENT, "listPets without a key and"), (WRONG, "listPets with an invalid key and")]
)
def test_such_a_finding_names_the_key_and_what_else_is_wrong(key: Credential, words: str) -> None:
    """Both are needed to see it again."""
    trace = [*OPEN, unauthorised(LIST, key), unauthorised(unlisted(400, limit=0), key, 400)]
    message = verdict_of("auth.first", trace).findings[0].finding.message
    assert message.startswith(f"{words} with an invalid request (")


@pytest.mark.parametrize(
    ("target", "failed"),
    [
        ("/pets", {"auth.missing.list"}),
        ("/pets?limit=0", set()),
        ("/pets?colour=brown", set()),
        ("/orders", set()),
    ],
)
def test_who_would_like_html_is_not_sent_to_a_login_page(target: str, failed: set[str]) -> None:
    """Whatever else is open about the request may be the reason."""
    sent = exchange("GET", target, 302, b"", key=ABSENT, sent_headers=(("Accept", "text/html"),), at=2.0)
    assert failed == failed_of([*OPEN, unauthorised(LIST), sent])


@pytest.mark.parametrize("request_", INVALID)
def test_a_credential_that_is_let_in_on_valid_requests_is_not_said_twice(request_: Exchange) -> None:
    """One cause, one clause; and without such a request there is nothing to compare with."""
    opened = [under(each, ABSENT) for each in REQUESTS]
    assert (0, 0) == opinions_of("auth.first", [*OPEN, *opened, under(request_, ABSENT)])
    assert (0, 0) == opinions_of("auth.first", [*OPEN, under(request_, ABSENT)])
    assert (0, 0) == opinions_of("auth.first", [*OPEN, *opened, under(request_, WRONG)])


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([unauthorised(unlisted(400, limit=0))], id="the key is not let in either"),
        pytest.param([*OPEN, unlisted(401, limit=0)], id="the valid key"),
        pytest.param([*OPEN, unauthorised(LIST)], id="a valid listing"),
        pytest.param([*OPEN, unauthorised(FOUND)], id="an animal that is known"),
        pytest.param([*OPEN, unauthorised(listing(query="limit=05"))], id="an open notation"),
        pytest.param([*OPEN, unauthorised(LIST), under(unlisted(500, limit=0), ABSENT)], id="a server error"),
    ],
)
def test_what_is_not_wrong_twice_says_nothing_of_the_order(trace: list[Exchange]) -> None:
    """It takes an invalid request under an invalid key, and a key that would be let in."""
    assert (0, 0) == opinions_of("auth.first", trace)


@pytest.mark.parametrize(
    "target", ["/pets?limit=05", "/pets/01", "/pets/a%2Fb", "/pets/", "/pets?colour=brown"]
)
def test_an_odd_request_without_a_key_is_open(target: str) -> None:
    """Reading 15: servers take some of these apart before any operation sees them."""
    controls = [unauthorised(each) for each in REQUESTS]
    assert set() == failed_of([*OPEN, *controls, exchange("GET", target, 404, b"<h1>", key=ABSENT)]) - {
        "error.body"
    }


@cases(
    ("answer", "evidence"),
    {
        "whatever is wrong otherwise": (unlisted(400, limit=0), 1),
        "another address": (exchange("GET", "/orders"), 0),
        "a server error": (unlisted(500), 0),
        "throttled": (unlisted(429), 0),
        "no answer": (unanswered(listing()), 0),
        "another key": (under(listing(), WRONG), 0),
    },
)
def test_what_is_let_in_with_the_key_is_evidence_of_it(answer: Exchange, evidence: int) -> None:
    """And what is no answer to it is none."""
    assert (evidence, 0) == opinions_of("auth.key.valid", [answer])


@pytest.mark.parametrize("status", [401, 403])
def test_a_valid_key_that_is_refused_now_and_then_is_a_finding(status: int) -> None:
    """It was accepted for the same request afterwards; a like one says nothing of the key."""
    other = [listing(), unlisted(status, limit=5, at=2.0), listing(at=3.0)]
    assert (2, 0) == opinions_of("auth.key.valid", other)
    assert {"auth.key.valid"} == failed_of([listing(), unlisted(status, at=2.0), listing(at=3.0)])


@pytest.mark.parametrize(
    "lawful",
    [
        pytest.param([listing(), unlisted(401, at=2.0), unlisted(401, at=3.0)], id="the key has ended"),
        pytest.param([listing(), refused(status=403, at=2.0), listing(at=3.0)], id="another operation"),
        pytest.param([unlisted(401, limit=0), listing(at=3.0)], id="an invalid request"),
        pytest.param([unlisted(401, limit=0, at=2.0), listing(limit=0, at=3.0)], id="one that is open"),
        pytest.param([unlisted(403)], id="no such scope"),
        pytest.param([unlisted(401, at=2.0), listing(at=2.005)], id="sent meanwhile"),
    ],
)
def test_a_key_whose_scope_or_lifetime_is_bounded_is_no_finding(lawful: list[Exchange]) -> None:
    """Issue, lifetime and scopes of keys are not shown."""
    accepted = sum(each.response is not None and each.response.status < 300 for each in lawful)
    assert (accepted, 0) == opinions_of("auth.key.valid", lawful)


HIDDEN = [
    created(payload(name="Annabelle"), 2, at=0.1),
    *(
        unauthorised(refused(payload(name=name)), key)
        for name, key in (("Acabcdefghij", ABSENT), ("Acabcdefghik", WRONG))
    ),
]
LATER = [created(payload(name="Babette"), 1, at=2.0)]


def test_unauthorised_animals_that_are_listed_are_a_finding() -> None:
    """Reading 7: an animal sent in a request that was answered with 401 never turns up."""
    shown = [
        {**each, "name": name}
        for each, name in zip(animals(2, 8), ("Acabcdefghij", "Acabcdefghik"), strict=True)
    ]
    assert {"auth.untraced"} == failed_of([*HIDDEN, *LATER, listing(shown, at=3.0)])
    assert FAILED == outcome_of("auth.untraced", [*HIDDEN, listing(shown[:1], at=3.0)])


def test_a_list_without_unauthorised_animals_is_evidence_where_it_shows_something_newer() -> None:
    """Only such a list would show the other as well."""
    newer = [{**animals(1)[0], "name": "Babette"}]
    assert PASSED == outcome_of("auth.untraced", [*HIDDEN, *LATER, listing(newer, at=3.0)])
    assert CANT_TELL == outcome_of("auth.untraced", [*HIDDEN, *LATER, listing(animals(1, 5), at=3.0)])


@pytest.mark.parametrize(
    "headers",
    [
        (("WWW-Authenticate", "Bearer"),),
        (("www-authenticate", 'bearer realm="animals", error="invalid_token"'),),
        (("WWW-Authenticate", 'Basic realm="x", Bearer'),),
        (("WWW-Authenticate", "Basic"), ("WWW-Authenticate", "Bearer")),
    ],
)
def test_a_401_that_names_the_bearer_scheme_is_evidence(headers: tuple[tuple[str, str], ...]) -> None:
    """RFC 9110 section 11.6.1: in one field or in several."""
    assert PASSED == outcome_of("auth.challenge", [unauthorised(listing(), headers=(*JSON, *headers))])


@pytest.mark.parametrize("headers", [(), (("WWW-Authenticate", "Basic"),), (("WWW-Authenticate", ""),)])
def test_a_401_that_does_not_is_a_finding_of_a_should(headers: tuple[tuple[str, str], ...]) -> None:
    """The document does not state the header."""
    assert {"auth.challenge"} == failed_of([unauthorised(listing(), headers=(*JSON, *headers))])
    hinted = (*headers, ("X-Hint", "Bearer"))
    assert FAILED == outcome_of("auth.challenge", [unauthorised(listing(), headers=hinted)])


@pytest.mark.parametrize(
    "other", [lost(5, headers=JSON), exchange("GET", "/orders", 401, headers=JSON), unanswered(listing())]
)
def test_what_is_no_401_of_the_interface_challenges_nobody(other: Exchange) -> None:
    """Its paths are its own."""
    assert (0, 0) == opinions_of("auth.challenge", [other])


@pytest.mark.parametrize(
    ("status", "before", "outcome"),
    [
        (200, [], FAILED),
        (400, [], CANT_TELL),
        (401, [], CANT_TELL),
        (200, [unauthorised(listing(limit=3, at=1.0), ABSENT, 200)], CANT_TELL),
    ],
)
def test_a_key_that_is_not_ascii_opens_nothing(status: int, before: list[Exchange], outcome: str) -> None:
    """How it is rejected is open; where everybody is let in, that is another clause's."""
    asked = unauthorised(listing(animals(3), limit=3, at=2.0), Credential.NOT_ASCII, status)
    assert outcome == outcome_of("auth.key.wrong", [*OPEN, *before, asked])
    wrong = unauthorised(listing(limit=3, at=1.5), WRONG, 200)
    assert (0, 1) == opinions_of("auth.key.wrong", [*OPEN, wrong, asked])


def test_an_idle_connection_says_nothing_of_a_credential() -> None:
    """One 408 to a valid request does not hide what an invalid one gets."""
    idle = [unauthorised(listing(), status=status, at=at) for status, at in ((408, 1.0), (401, 2.0))]
    invalid = unauthorised(unlisted(400, limit=0), status=400, at=3.0)
    assert FAILED == outcome_of("auth.first", [*OPEN, *idle, invalid])
