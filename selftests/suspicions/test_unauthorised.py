"""suspicions/unauthorised.py: a request without a valid key that never gets its 401, while others like it do."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Again, Create, Naming, Wait, WaitUntil
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    animal,
    answered,
    asked_by,
    created,
    failed_of,
    got,
    listing,
    outcome_of,
    payload,
    posted,
    spoken,
    unauthorised,
    under,
    unlisted,
    verdict_of,
)
from selftests.tables import cases

BASIC = Credential.OTHER_SCHEME
SERVED = [listing([animal()], at=0.1), got(1, at=0.2), created(animal_id=9, at=0.3)]
SUBJECTS = {
    "auth.missing.list": (listing(limit=3), ABSENT),
    "auth.missing.create": (posted(payload(name="Keyless")), ABSENT),
    "auth.missing.get": (got(1), ABSENT),
    "auth.key.wrong": (listing(limit=3), WRONG),
    "auth.scheme.other": (got(1), BASIC),
    "auth.first": (unlisted(400, limit=0), ABSENT),
}
EVERY = pytest.mark.parametrize("clause_id", list(SUBJECTS))
WAITING = pytest.mark.parametrize("status", [403, 429, 503])


def put_off(of: Exchange, key: Credential, status: int, at: float, asked: str | None = "1") -> Exchange:
    """A request without the key that is answered with a status; with a time to wait, where that is asked."""
    return answered(under(of, key), status, at=at, wait=asked)


def turns(
    clause_id: str, status: int, *times: float, asked: str | None = "1", like: int = 401, after_s: float = 0.2
) -> list[Exchange]:
    """A request that is put off at these times, each time with another one afterwards that gets its 401."""
    of, key = SUBJECTS[clause_id]
    other = Credential.SHORTER if key is WRONG else WRONG
    first = unauthorised(replace(of), other, at=0.5)
    trace = [*SERVED, first]
    for at in times:
        again = unauthorised(of, other, at=at + after_s)
        trace.append(put_off(of, key, status, at, asked))
        trace.append(again if like == 401 else put_off(of, other, like, at + after_s))
    return trace


LONG = (1.0, 9.0, 17.0, 25.0, 33.0)


@EVERY
@WAITING
def test_who_never_gets_a_401_after_the_waits_that_are_asked_for_has_found_a_fault(
    clause_id: str, status: int
) -> None:
    """Others without a valid key get theirs within those times: no lock-out, no limit, no outage."""
    trace = turns(clause_id, status, *LONG)
    verdict = verdict_of(clause_id, trace)
    assert (FAILED, {clause_id}) == (verdict.outcome, failed_of(trace))
    assert {"throttled"} == {each for each, _ in verdict.findings[0].finding.excluded}


@EVERY
def test_a_request_that_always_gets_a_408_instead_of_its_401_is_a_finding(clause_id: str) -> None:
    """Three times apart; no limit is told so."""
    trace = turns(clause_id, 408, 1.0, 2.0, 3.0, asked=None)
    assert {clause_id} == failed_of(trace)
    assert ["outage"] * 3 == [each for each, _ in verdict_of(clause_id, trace).findings[0].finding.excluded]


def test_beside_a_408_it_is_enough_that_the_key_is_served() -> None:
    """No wrong key gets a 401, and a creation is sent in between."""
    away = [put_off(posted(payload(name="Keyless")), WRONG, 408, at, None) for at in (1.0, 2.0, 3.0)]
    made = [created(animal_id=20 + at, at=at + 0.5) for at in (1, 2, 3)]
    assert FAILED == outcome_of("auth.key.wrong", [*SERVED, *away, *made])
    (experiment,) = asked_by(verdict_of("auth.key.wrong", [*SERVED, away[0]]))
    assert (Again(away[0].request), Create(json.dumps(payload()), Naming.UNLIKE)) == experiment.steps[1:]


@EVERY
@pytest.mark.parametrize("status", [403, 408, 429, 503])
def test_what_is_put_off_once_is_sent_again_with_what_got_its_401(clause_id: str, status: int) -> None:
    """Under the credentials that both had; a lock-out shows by then."""
    trace = turns(clause_id, status, 1.0)[:-1]
    (experiment,) = asked_by(verdict_of(clause_id, trace))
    until_s = trace[-1].answered_s + 1.0
    assert (WaitUntil(until_s), Again(trace[-1].request), Again(trace[-2].request)) == experiment.steps


def test_what_is_put_off_while_others_get_their_401_is_sent_again_for_half_a_minute() -> None:
    """Twice more; without waits where none is asked for."""
    trace = turns("auth.scheme.other", 429, 1.0)
    again = (Again(trace[-2].request), Again(trace[-1].request))
    steps = (WaitUntil(16.01), *again, Wait(15.0), *again)
    assert steps == asked_by(verdict_of("auth.scheme.other", trace))[0].steps
    trace = turns("auth.scheme.other", 408, 1.0, asked=None)
    assert again[1:] == asked_by(verdict_of("auth.scheme.other", trace))[0].steps[1:2]
    assert 4 == len(asked_by(verdict_of("auth.scheme.other", trace))[0].steps)


def test_each_further_time_is_an_experiment_of_its_own() -> None:
    """What has been performed is not performed again."""
    first, second = (
        asked_by(verdict_of("auth.scheme.other", turns("auth.scheme.other", 503, *times)))
        for times in ((1.0, 3.0), (1.0, 3.0, 18.5))
    )
    assert (1, 1) == (len(first), len(second))
    assert first != second


def test_of_all_that_a_clause_is_about_one_request_is_sent_again_at_a_time() -> None:
    """The first; the next once that is decided."""
    first = turns("auth.scheme.other", 429, 1.0)[:-1]
    second = put_off(got(1, sent_headers=(("Accept", "*/*"),)), BASIC, 429, 2.0)
    (experiment,) = asked_by(verdict_of("auth.scheme.other", [*first, second]))
    assert Again(first[-1].request) == experiment.steps[1]


@cases(
    "trace",
    {
        "too few": turns("auth.scheme.other", 429, 1.0, 12.0, 33.0),
        "too short": turns("auth.scheme.other", 429, 1.0, 3.0, 5.0, 7.0, 9.0, 11.0),
        "sent again too soon": turns("auth.scheme.other", 403, *LONG, asked="10"),
        "others get theirs when the time is over": turns("auth.scheme.other", 503, *LONG, after_s=2.0),
    },
)
def test_what_a_limit_may_do_is_no_finding_yet(trace: list[Exchange]) -> None:
    """It ends when it says."""
    assert set() == failed_of(trace)


@EVERY
@WAITING
def test_a_lock_out_meets_other_wrong_keys_too(clause_id: str, status: int) -> None:
    """Nothing is suspected then."""
    for like in (429, 403, 503):
        trace = turns(clause_id, status, *LONG, like=like)
        verdict = verdict_of(clause_id, trace)
        assert (0, ()) == (verdict.finding_count, verdict.suspected)


OTHERS = turns("auth.scheme.other", 429, *LONG)


@cases(
    "trace",
    {
        "let through afterwards": [*OTHERS, unauthorised(got(1), BASIC, at=40.0)],
        "longer than a run waits": turns("auth.scheme.other", 429, 1.0, asked="3600"),
        "for no stated time": turns("auth.scheme.other", 429, *LONG, asked=None),
        "the same credential on other requests": [
            *OTHERS,
            unauthorised(got(1, sent_headers=(("Accept", "*/*"),)), BASIC, at=0.6),
        ],
        "whoever has a token": [
            *SERVED,
            *(put_off(got(1), BASIC, 429, at) for at in LONG),
            *(unauthorised(got(1), ABSENT, at=at + 0.2) for at in (0.3, *LONG)),
        ],
        "another operation": [
            *SERVED,
            *(put_off(got(1), BASIC, 403, at) for at in LONG),
            *(unauthorised(listing(), WRONG, at=at + 0.2) for at in LONG),
        ],
    },
)
def test_what_a_limit_or_a_lock_out_explains_is_not_suspected(trace: list[Exchange]) -> None:
    """Both are lawful, for one credential as well, and for all that have a token."""
    verdict = verdict_of("auth.scheme.other", trace)
    assert (0, ()) == (verdict.finding_count, verdict.suspected)


def test_a_single_408_is_that_of_an_idle_connection() -> None:
    """The request gets its 401 when it is sent again, and is evidence then."""
    trace = [*turns("auth.scheme.other", 408, 1.0, asked=None), unauthorised(got(1), BASIC, at=2.0)]
    verdict = verdict_of("auth.scheme.other", trace)
    assert (PASSED, ()) == (verdict.outcome, verdict.suspected)


def of_a_browser(trace: list[Exchange]) -> list[Exchange]:
    """A trace in which a browser sends what is sent without a key."""
    return [spoken(each, "firefox") if each.request.credential is ABSENT else each for each in trace]


@pytest.mark.parametrize("status", [403, 503])
def test_a_client_that_is_served_with_the_key_gets_its_401_without_one(status: int) -> None:
    """Else it may be unwelcome altogether."""
    trace = of_a_browser(turns("auth.missing.get", status, *LONG))
    assert not verdict_of("auth.missing.get", trace).finding_count
    assert FAILED == outcome_of("auth.missing.get", [*trace, spoken(got(1, at=0.4), "firefox")])


def test_how_many_requests_a_client_may_send_without_a_key_may_be_limited() -> None:
    """For good, as it seems to a run."""
    trace = of_a_browser(turns("auth.missing.get", 429, *LONG))
    verdict = verdict_of("auth.missing.get", [*trace, spoken(got(1, at=0.4), "firefox")])
    assert (CANT_TELL, ()) == (verdict.outcome, verdict.suspected)


@pytest.mark.parametrize("status", [408, 503])
def test_what_is_put_off_whether_it_is_valid_or_not_is_a_matter_of_its_credential(status: int) -> None:
    """One cause, one clause; where a limit may explain the valid request, the invalid one is told."""
    valid, first = turns("auth.missing.list", status, *LONG), turns("auth.first", status, *LONG)
    assert {"auth.missing.list"} == failed_of([*valid, *first])
    through = unauthorised(listing(limit=3), ABSENT, at=50.0)
    assert {"auth.first"} == failed_of([*valid, *first, through])


def test_an_empty_token_may_be_locked_out_as_a_wrong_one() -> None:
    """While no header at all gets its 401, whatever time is stated."""
    empty = [put_off(got(1), Credential.EMPTY, 403, at) for at in LONG]
    absent = [unauthorised(got(1), ABSENT, at=at + 0.2) for at in (0.3, *LONG)]
    verdict = verdict_of("auth.key.empty", [*SERVED, *empty, *absent])
    assert (0, ()) == (verdict.finding_count, verdict.suspected)
