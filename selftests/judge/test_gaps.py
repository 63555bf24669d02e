"""gaps.py: why a clause was not told, what would tell it, and whether its user chose that it was not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.case import plural
from animal_conformance.judge.gaps import (
    LARGER_PROFILE,
    MORE_CREATES,
    WITHOUT_READ_ONLY,
    Cut,
    Gap,
    Limit,
    gap_of,
    needs_writing,
)
from animal_conformance.judge.verdicts import Verdict, judge
from animal_conformance.record.exchange import Exchange
from animal_conformance.record.jsontext import DEEPEST_JSON
from selftests.exchanges import (
    CANT_TELL,
    TERMS,
    WRONG,
    animals,
    answered,
    created,
    got,
    judged,
    ledger_of,
    listing,
    payload,
    posted,
    refused,
    unanswered,
    unauthorised,
    unlisted,
    verdict_of,
)

OUT_OF_TIME = Cut(Limit.TIME, "The run has reached its time limit.")
OUT_OF_REQUESTS = Cut(Limit.REQUESTS, "The run has sent what it may.")
PLENTY = [listing(animals(12), limit=100), created(animal_id=50, at=2.0)]


def verdict(clause_id: str, trace: list[Exchange], *, cut: Cut | None = None, **terms: Any) -> Verdict:
    """The verdict on a clause that could not be told."""
    judgement = judge(trace, replace(TERMS, **terms), cut=cut)
    found = next(each for each in judgement.verdicts if each.clause.id == clause_id)
    assert found.outcome is CANT_TELL
    return found


def throttled(of: Exchange, status: int = 429, asked: str = "1") -> Exchange:
    """The same request, answered with the wish to wait."""
    return answered(of, status, b"{}", wait=asked)


@pytest.mark.parametrize(
    ("terms", "choice"),
    [
        ({}, ""),
        ({"profile": "standard", "creates": 150}, ""),
        ({"profile": "standard", "creates": 5}, "with a larger --max-creates"),
        ({"profile": "smoke", "creates": 20}, "with --profile standard"),
        ({"selected": ("list.limit",)}, "without --clause"),
        ({"read_only": True}, "without --read-only"),
    ],
)
def test_a_limit_of_the_users_is_named_with_what_a_run_would_need(terms: dict[str, Any], choice: str) -> None:
    """Twelve animals and a few more are not 101; where nothing was chosen, it is a gap of the run."""
    found = verdict("list.limit.maximum", PLENTY, **terms)
    assert choice == found.choice
    assert found.remedy == (f"A run {choice} may determine it." if choice else "")
    assert found.why.startswith("The deployment returned only 13 animals.")


@pytest.mark.parametrize(
    ("clause_id", "most"),
    [
        ("list.limit.default", 20),
        ("list.limit.maximum", 100),
        *(
            (each, 1)
            for each in ("animal.id.unique", "list.once", "list.limit.respected", "list.status.filter")
        ),
    ],
)
def test_a_clause_that_needs_some_number_of_animals_says_that_there_are_fewer(
    clause_id: str, most: int
) -> None:
    """With those that a run may create it has to be more than these, whether they were created already or not."""
    there, own = listing(animals(most)), created(animal_id=1000, at=2.0)
    assert gap(clause_id, there).why.startswith(f"The deployment returned only {plural(most, 'animal')}.")
    assert "returned only" not in gap(clause_id, there, own).why
    for creates, choice in ((most, MORE_CREATES), (most + 1, "")):
        assert choice == gap(clause_id, own, profile="standard", creates=creates).choice


def test_animals_whose_ids_cannot_be_read_are_not_said_to_be_none() -> None:
    """A list has shown them, and a larger run would not see any more of them."""
    found = gap("list.once", listing([{"id": "7"}]), profile="smoke")
    assert found.why.startswith("No animal with a readable id was seen.")
    assert "" == found.choice


def test_a_spent_budget_is_said() -> None:
    """Of what creations would have told."""
    found = verdict("create.name.type", PLENTY, profile="standard", creates=1)
    assert found.why.startswith("The run has used up its limit of 1 created animal.")
    assert "with a larger --max-creates" == found.choice
    assert "" == verdict("create.name.type", PLENTY, profile="standard", creates=2).choice
    other = verdict("methods.allow", PLENTY, profile="standard", creates=1)
    assert "" == other.choice, "requests with other methods create nothing"


def test_a_status_that_was_only_asked_to_wait_is_named() -> None:
    """With what would tell it."""
    waits = [posted(payload(status="pending"), 429, b"", at=3.0 + at) for at in range(3)]
    found = verdict("create.status.accepted", [*PLENTY, *waits])
    assert "Create requests with status pending were only asked to wait: 429 3x." in found.why
    assert "with a lower --rate" in found.remedy


def test_creations_that_are_rejected_from_some_point_on_are_said_with_the_last_answer() -> None:
    """Whatever else has ended by then: that is what keeps a clause from being told."""
    rejections = [refused({}, at=2.5), *(refused(payload(), at=3.0 + at) for at in range(3))]
    wanted = "Create requests like accepted ones were rejected from some point on: 400 3x. The last answer: {"
    found = verdict("create.status.optional", [*PLENTY, *rejections], profile="standard", creates=1)
    assert wanted in found.why
    assert "Remove the cause that the response names, such as a quota." == found.remedy
    assert "" == found.choice
    for fewer in ([*PLENTY, *rejections[:-1]], [*PLENTY, *rejections, created(animal_id=51, at=9.0)]):
        assert wanted not in verdict("create.status.optional", fewer).why


def test_creations_that_are_forbidden_from_some_point_on_are_said_with_what_helps() -> None:
    """Another key may create more; one that still creates has no such gap."""
    forbidden = [refused(payload(), 403, at=3.0 + at) for at in range(3)]
    wanted = "From some point on, create requests were rejected like a wrong key: 403 3x. The last answer: {"
    found = verdict("list.limit.maximum", [*PLENTY, *forbidden])
    assert found.why.startswith(wanted)
    assert "--read-only" in found.remedy
    for others in (
        forbidden[1:],
        [*forbidden, created(animal_id=51, at=9.0)],
        [*forbidden[1:], refused(payload(), at=9.0)],
    ):
        assert "wrong key" not in verdict("list.limit.maximum", [*PLENTY, *others]).why


def test_time_that_was_over_is_said() -> None:
    """In the words of the run."""
    found = verdict("get.unknown", PLENTY, cut=OUT_OF_TIME)
    assert found.why.startswith("The run has reached its time limit. Evidence needed: ")
    assert "with a larger --max-time" == found.choice
    sent = verdict("get.unknown", PLENTY, cut=OUT_OF_REQUESTS)
    assert "with --profile deep" == sent.choice
    small = verdict("get.unknown", PLENTY, cut=OUT_OF_REQUESTS, profile="smoke")
    assert "with --profile standard" == small.choice


@pytest.mark.parametrize("profile", ["standard", "smoke"])
def test_what_no_choice_leads_to_is_a_gap_of_any_run(profile: str) -> None:
    """A key that may not create, nothing accepted, and nothing but the wish to wait, each with its remedy."""
    few: dict[str, Any] = {"profile": profile, "creates": 20}
    forbidden = verdict("create.answer", [listing(), refused(status=403)], **few)
    assert ("", True) == (forbidden.choice, "--read-only" in forbidden.remedy)
    unwelcome = verdict("create.answer", [listing(), refused()], **few)
    assert 'The last answer: {"code": "refused"' in unwelcome.why
    assert ("", True) == (unwelcome.choice, "pass an accepted one with --category-id" in unwelcome.remedy)
    busy = verdict("create.answer", [listing(), throttled(created()), throttled(created())], **few)
    assert busy.why.startswith("The deployment asked to wait instead of creating: 429 2x.")
    assert ("", "Run it again later, or with a lower --rate.") == (busy.choice, busy.remedy)


def test_creations_that_were_only_asked_to_wait_from_some_point_on_are_said() -> None:
    """A larger profile would not get further."""
    waits = [throttled(created(animal_id=60 + at, at=3.0 + at)) for at in range(3)]
    for clause_id in ("create.name.type", "list.limit.maximum"):
        found = verdict(clause_id, [*PLENTY, *waits], profile="smoke", creates=20)
        assert found.why.startswith("The deployment asked to wait instead of creating: 429 3x.")
        assert "" == found.choice
    once = verdict("create.name.type", [*PLENTY, *waits, created(animal_id=70, at=9.0)], profile="smoke")
    assert "with --profile standard" == once.choice


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("90", "asked to wait instead of creating: 429 3x."),
        ("91", "asks to wait 91 s before the next creation: 429 3x."),
        ("40000", "asks to wait 40000 s before the next creation: 429 3x."),
        ("9" * 20, "asks to wait forever before the next creation: 429 3x."),
    ],
)
def test_a_quota_that_asks_to_wait_for_long_is_no_matter_of_the_rate(asked: str, said: str) -> None:
    """Fewer requests in a second would be asked to wait as well."""
    waits = [throttled(created(animal_id=60 + at, at=3.0 + at), asked=asked) for at in range(3)]
    found = verdict("create.name.type", [*PLENTY, *waits])
    assert found.why.startswith(f"The deployment {said}")
    assert ("--rate" in found.remedy) == (asked == "90")


def test_answers_that_were_set_aside_are_said() -> None:
    """They are no evidence, and the only answers that there were."""
    locked = [throttled(unauthorised(listing())), throttled(unauthorised(listing()), 503)]
    found = verdict("auth.missing.list", [*PLENTY, *locked])
    assert found.why.startswith("All responses that could have been evidence were set aside: 429 1x, 503 1x.")
    assert "lower --rate" in found.remedy


def test_a_lock_on_wrong_keys_is_nothing_that_a_lower_rate_helps_against() -> None:
    """Where it lasts longer than a run waits for one request."""
    locked = unauthorised(listing(), status=429, headers=(("Retry-After", "600"),))
    assert "locks out wrong keys" in verdict("auth.missing.list", [*PLENTY, locked]).remedy


def test_requests_that_get_no_response_are_a_gap_however_the_run_ended() -> None:
    """Unless there are so few that the end of the run may have cut them off."""
    silent = [unanswered(got(50)) for _ in range(3)]
    found = verdict("get.found", [*PLENTY, *silent], cut=OUT_OF_TIME)
    assert found.why.startswith("None of 3 requests that could have been evidence got a response.")
    assert ("", True) == (found.choice, "--timeout" in found.remedy)
    assert verdict("get.found", [*PLENTY, *silent[1:]], cut=OUT_OF_TIME).choice


def test_a_suspicion_that_stayed_open_is_no_choice() -> None:
    """A larger run need not decide it."""
    pages = [listing(animals(length, 100), limit=100, at=float(length)) for length in (5, 6)]
    found = verdict("list.complete", [created(animal_id=50, at=0.5), *pages], profile="smoke", creates=20)
    assert found.suspected
    assert ("", None) == (found.choice, found.excuse)


FULL = listing(animals(100, 10), limit=100, at=2.0)


FULL_OF_SOLD = listing(animals(100, 10, status="sold"), limit=100, state="sold", at=2.0)


@pytest.mark.parametrize(
    ("clause_id", "trace", "why"),
    [
        ("list.answer", [], "No request got a response."),
        ("create.answer", [unanswered(listing())], "No request got a response."),
        ("create.answer", [unanswered(listing()), listing()], "No create request was accepted."),
        ("create.answer", [refused(status=403)], "The key is not allowed to create (403)."),
        ("create.name.type", [refused(status=403), created(at=2.0)], "No exchange could"),
        ("create.answer", [refused(status=400)], "No create request was accepted."),
        ("create.answer", [unauthorised(refused(), WRONG, 403)], "No create request was accepted."),
        ("create.answer", [unlisted(403)], "No create request was accepted."),
        ("create.answer", [unanswered(posted({})), listing()], "No create request was accepted."),
        ("list.limit.default", [refused(status=403)], "No list request succeeded."),
        ("list.answer", [refused(status=403)], "No exchange could"),
        ("list.limit.default", [listing(animals(3))], "The deployment returned only 3 animals."),
        ("list.limit.below-refused", [listing(animals(3))], "No exchange could"),
        ("animal.id.unique", [listing(animals(3))], "No exchange could"),
        ("list.complete", [created(), FULL], "Some lists were full at limit 100,"),
        ("list.complete", [created()], "No exchange could"),
        ("list.complete", [created(), listing(animals(99, 10), limit=100)], "No exchange could"),
        ("list.complete", [created(), listing(animals(50, 10), limit=50)], "No exchange could"),
        ("list.complete", [created(), FULL_OF_SOLD], "Some lists were full at limit 100,"),
        ("list.status.complete", [created(), FULL_OF_SOLD], "Some lists were full at limit 100,"),
        ("list.status.complete", [created(), FULL], "No exchange could"),
        ("get.found", [FULL], "No exchange could"),
        ("get.found", [FULL_OF_SOLD], "No exchange could"),
    ],
)
def test_why_a_clause_cannot_be_told_is_said(clause_id: str, trace: list[Exchange], why: str) -> None:
    """What came in the way, and what would give the evidence."""
    verdict = verdict_of(clause_id, trace)
    assert CANT_TELL == verdict.outcome
    assert verdict.why.startswith(why)
    evidence = verdict.clause.evidence
    assert verdict.why.endswith(f" Evidence needed: {evidence[0].lower()}{evidence[1:]}")


def test_evidence_of_these_clauses_takes_more_than_reading() -> None:
    """Those of creations, and six others."""
    writing = {each.id for each in load_clauses().clauses if needs_writing(each.id)}
    assert {each for each in writing if not each.startswith("create.")} == {
        *("animal.id.unique", "list.complete", "list.status.complete"),
        *("auth.missing.create", "auth.untraced", "methods.allow"),
    }
    assert "create.answer" in writing


def test_what_cannot_be_told_says_what_would_tell_it() -> None:
    """A sentence for each clause that is not green."""
    for trace in ([], [listing()], [unlisted(400)], [created()]):
        for verdict in judged(trace).verdicts:
            if verdict.outcome is CANT_TELL:
                assert "Evidence needed: " in verdict.why, verdict.clause.id


def gap(clause_id: str, *trace: Exchange, cut: Cut | None = None, **terms: Any) -> Gap:
    """Why there is no evidence for a clause."""
    clause = next(each for each in load_clauses().clauses if each.id == clause_id)
    return gap_of(clause, ledger_of(*trace, **terms), cut=cut)


def test_a_remedy_is_of_what_came_in_the_way_of_this_clause() -> None:
    """A larger profile helps, unless nothing was accepted, or nothing listed, that it needs."""
    smoke: dict[str, Any] = {"profile": "smoke", "creates": 20}
    failing = gap("list.once", unlisted(400), **smoke)
    assert ("", True) == (failing.choice, failing.why.startswith("No list request succeeded."))
    waits = [throttled(created(animal_id=60 + at, at=3.0 + at)) for at in range(3)]
    assert LARGER_PROFILE == gap("get.unknown", *PLENTY, *waits, **smoke).choice
    assert gap("list.limit.below-refused", *PLENTY, **smoke).why.startswith("No exchange could")
    for neither in (refused({}), unanswered(created())):
        assert "" == gap("create.answer", listing(), neither).remedy
    assert "" == gap("get.unknown", created(), profile="standard", creates=1).choice
    assert WITHOUT_READ_ONLY == gap("get.unknown", *PLENTY, cut=OUT_OF_TIME, read_only=True).choice


def test_the_last_refusal_is_quoted() -> None:
    """It may have become another one."""
    first, last = posted(payload(), 400, {"code": "first"}), posted(payload(), 400, {"code": "last"}, at=2.0)
    assert 'The last answer: {"code": "last"}.' in gap("create.answer", first, last).why


def test_responses_that_were_set_aside_are_said_beside_the_others() -> None:
    """Where there were any; and requests without a response count for nothing beside others."""
    others = [listing(), *[unanswered(listing())] * 3]
    assert (
        "a violation. Responses were set aside: 429 1x."
        in gap("list.complete", throttled(listing()), *others).why
    )
    assert "a violation. Evidence needed" in gap("list.complete", *others).why


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            b"[" * (DEEPEST_JSON + 1) + b"]" * (DEEPEST_JSON + 1),
            "could be read: its JSON is nested too deeply",
        ),
        ([[]], "shows an animal with its id"),
    ],
)
def test_creations_that_show_no_animal_were_answered_with_201_all_the_same(body: object, why: str) -> None:
    """It is the body that keeps them from counting, and the reason says so."""
    trace = [posted(payload(), 201, body), listing(at=1.0), posted(payload(), 201, body, at=2.0)]
    found = verdict("animal.id.unique", trace)
    assert f"None of the 2 responses with 201 {why}." in found.why
    assert "create.answer" not in found.remedy
