"""The rules of suspicions/creations/voiced.py, and what a server may decline a request for."""

from __future__ import annotations

from functools import partial

import pytest

from animal_conformance.judge.experiments import Create, Naming
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
    PASSED,
    animals,
    created,
    error,
    failed_of,
    listing,
    named,
    outcome_of,
    posted,
    refused,
    seen_of,
    spoken,
    under,
    verdict_of,
)

CLIENT = "a client"


of_client = partial(spoken, voice=CLIENT)


BEFORE = created(named("Firstborn"), 1)
NAMES = ("Whiskerton", "Tigerlily", "Marmalade")
REJECTED = [of_client(refused(named(name), at=2.0)) for name in NAMES]
ACCEPTED = [created(named(name), at, at=3.0) for at, name in enumerate(NAMES, start=2)]


def tried(naming: Naming) -> list[tuple[Naming, str]]:
    """Twice, and then in the plain voice, which is once more asked between them: some may be rejected by chance."""
    both = [(naming, CLIENT), (Naming.RETRY, CLIENT), (Naming.RETRY, "")]
    return [*both, *both, (naming, ""), *both]


def test_a_rejection_in_one_voice_asks_for_the_same_without_it() -> None:
    """Under names that nothing else has."""
    verdict = verdict_of("create.answer", [BEFORE, REJECTED[0]])
    assert CANT_TELL is verdict.outcome
    [experiment] = verdict.suspected[0].suspicion.experiments
    steps = [(each.naming, each.voice) for each in experiment.steps if isinstance(each, Create)]
    assert tried(Naming.UNLIKE) == steps


BACKWARDS = dict(reversed(named("Moonbeams").items()))
TRACED = error(message="The waiting list is full (request 3f9a12).")


@pytest.mark.parametrize(
    ("plain", "outcome"),
    [
        pytest.param(refused(named("Moonbeams"), at=5.0), PASSED, id="the same"),
        pytest.param(posted(named("Moonbeams"), 400, TRACED, at=5.0), PASSED, id="in other words"),
        pytest.param(refused(named("Moonbeams", status="sold"), at=5.0), FAILED, id="another status"),
        pytest.param(refused(BACKWARDS, at=5.0), FAILED, id="in another order, which may be the reason"),
        pytest.param(refused(named("Moonbeams", categoryId=9), at=5.0), FAILED, id="another category"),
        pytest.param(refused(named("<b>"), at=5.0), FAILED, id="a name that may be refused for itself"),
        pytest.param(refused(named("Tigerlily"), at=5.0), FAILED, id="a name that may be taken"),
    ],
)
def test_what_the_plain_voice_is_refused_as_well_is_no_matter_of_the_voice(
    plain: Exchange, outcome: object
) -> None:
    """Of the same status and category: a quota that is reached, and has places again when one is sold."""
    assert outcome is outcome_of("create.answer", [BEFORE, *REJECTED, *ACCEPTED, plain])


def test_three_names_that_are_rejected_in_one_voice_alone_are_a_finding_that_names_it() -> None:
    """The status, the category and the names are accepted from another client; two may be so by chance."""
    assert CANT_TELL is outcome_of("create.answer", [BEFORE, *REJECTED[:2], *ACCEPTED[:2]])
    verdict = verdict_of("create.answer", [BEFORE, *REJECTED, *ACCEPTED])
    assert FAILED is verdict.outcome
    assert f"The request is that of {CLIENT}." in verdict.findings[0].finding.message


def test_what_a_voice_is_accepted_with_between_them_was_chance() -> None:
    """Every third creation is rejected, say: those before it count no more."""
    between = of_client(created(named("Moonbeams"), 9, at=2.5))
    later = [of_client(refused(named("Daylight"), at=4.0)), created(named("Daylight"), 10, at=5.0)]
    assert FAILED is outcome_of("create.answer", [BEFORE, *REJECTED[:2], *ACCEPTED[:2], *later])
    assert PASSED is outcome_of("create.answer", [BEFORE, *REJECTED, between, *ACCEPTED, *later])


@pytest.mark.parametrize(
    "others",
    [
        [of_client(created(named("Moonbeams"), 9, at=4.0))],
        [of_client(refused(named("Moonbeams"), at=2.5)), *(refused(named("Whiskerton"), at=3.0),)],
    ],
    ids=["accepted afterwards", "rejected without it, too"],
)
def test_what_is_no_matter_of_the_voice_is_no_finding(others: list[Exchange]) -> None:
    """A quota that was reached, or a name that nobody may use."""
    assert PASSED is outcome_of("create.answer", [BEFORE, *REJECTED, *others])


def special(letter: str) -> str:
    """A name of the run with a letter that a charset may spoil."""
    return f"Acabcdefghi{letter}\u00e9"


def test_a_name_that_is_rejected_in_one_voice_alone_is_a_matter_of_how_it_is_put() -> None:
    """It is tried again with the same letters behind it; who meets the rejection in every voice does not like those."""
    names = [special(letter) for letter in "jkn"]
    rejected = [of_client(refused(named(each), at=2.0)) for each in names]
    shortened = of_client(created(named("Whiskerton"), 9, at=2.5))
    verdict = verdict_of("create.answer", [BEFORE, rejected[0], shortened])
    (experiment,) = verdict.suspected[0].suspicion.experiments
    steps = [(each.naming, each.voice) for each in experiment.steps if isinstance(each, Create)]
    assert tried(Naming.LIKE) == steps
    accepted = [created(named(each), at, at=3.0) for at, each in enumerate(names, start=2)]
    assert FAILED is outcome_of("create.answer", [BEFORE, *rejected, shortened, *accepted])
    plainly = [refused(named(special(letter)), at=3.0) for letter in "lm"]
    assert PASSED is outcome_of("create.answer", [BEFORE, *rejected, shortened, *plainly])
    # One may have met something else.
    assert CANT_TELL is outcome_of("create.answer", [BEFORE, *rejected, shortened, plainly[0]])
    assert FAILED is outcome_of("create.answer", [BEFORE, *rejected, shortened, *accepted, *plainly])


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (("If-None-Match", '"a"'), 304),
        (("If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT"), 304),
        (("Origin", "https://shop.example"), 403),
        (("Accept-Language", "tr"), 406),
        (("Transfer-Encoding", "chunked"), 411),
        (("Expect", "100-continue"), 417),
    ],
)
def test_a_request_may_be_declined_for_how_it_is_put(header: tuple[str, str], status: int) -> None:
    """With the status code that says so, which is observed; with any other, it may not."""
    served, declined = listing(animals(3)), listing(b"", status=status, sent_headers=(header,), at=2.0)
    assert set() == failed_of([served, declined])
    assert {f"the suite itself, listPets: {status}": 1} == seen_of("open.voices", [served, declined])
    assert {"list.answer"} <= failed_of([served, listing(b"", status=409, sent_headers=(header,), at=2.0)])


def test_no_client_without_a_key_is_told_that_nothing_has_changed() -> None:
    """A 304 tells it that what somebody with a key was given is still right."""
    keyless = under(listing(b"", status=304, sent_headers=(("If-None-Match", '"a"'),), at=2.0), ABSENT)
    assert {"auth.missing.list"} == failed_of([listing(animals(3)), keyless])


def test_under_load_a_rejection_is_a_matter_of_the_voice_only_where_the_plain_one_is_accepted_next() -> None:
    """There may be a quota: what came before it says nothing of what came after."""
    refused_later, accepted_later = refused(named("Moonbeams"), at=2.5), created(named("Daylight"), 5, at=2.6)
    for later, suspected in (([], False), ([refused_later, accepted_later], False), ([accepted_later], True)):
        verdict = verdict_of("create.answer", [BEFORE, REJECTED[0], *later], profile=SOAK)
        assert suspected is bool(verdict.suspected)
