"""names.py: what was refused, and the names that were never made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.judge.knowledge.plain import heads_in, in_han, is_in_han, is_own, kind_of
from animal_conformance.record.exchange import Credential, Exchange, Request
from selftests.exchanges import (
    ABSENT,
    WRONG,
    created,
    ledger_of,
    payload,
    posted,
    refused,
    unanswered,
    unauthorised,
    under,
)


@pytest.mark.parametrize("status", [400, 401, 409, 422])
def test_refused_names_are_remembered(status: int) -> None:
    """A 401 to the valid key is a refusal like others."""
    ledger = ledger_of(created(payload(name="Babette")), refused(payload(), status, at=2.0))
    assert ["Whiskerton"] == list(ledger.names.refused)
    assert (2.01, None) == tuple(
        ledger.names.first_refusal_answered_s(refused=each) for each in (True, False)
    )


def test_the_first_refusal_is_that_of_a_name_that_was_never_made() -> None:
    """And the first of its name; what is learned afterwards may change it."""
    names = [payload(name=each, status="lost") for each in ("Hidebehind", "Hideaway", "Hideout12")]
    trace = [refused(each, at=float(at)) for at, each in enumerate(names)] + [refused(names[1], at=5.0)]
    ledger = ledger_of(*trace, created(names[0], 7, at=6.0))
    assert 1.01 == ledger.names.first_refusal_answered_s(refused=True)
    ledger.learn(created(names[1], 8, at=7.0))
    assert 2.01 == ledger.names.first_refusal_answered_s(refused=True)


@pytest.mark.parametrize(("name", "remembered"), [("Abelard", False), ("Abelarda", True), (5, False)])
def test_a_short_name_might_be_somebody_elses(name: object, remembered: bool) -> None:  # noqa: FBT001 - the answer
    """Eight characters are the run's own."""
    assert remembered == bool(ledger_of(refused(payload(name=name, status="lost"))).names.refused)


@pytest.mark.parametrize(
    ("status", "key", "refused_names", "unauthorised_names"),
    [
        (401, ABSENT, 0, 1),
        (401, Credential.VALID, 1, 0),
        (403, ABSENT, 1, 0),
        (499, WRONG, 1, 0),
        (400, ABSENT, 1, 0),
        (399, WRONG, 0, 0),
        (500, WRONG, 0, 0),
        (408, WRONG, 0, 0),
        (429, WRONG, 0, 0),
    ],
)
def test_what_a_creation_was_refused_for_is_remembered(
    status: int, key: Credential, refused_names: int, unauthorised_names: int
) -> None:
    """With a 401 for its credential, with another 4xx, or not for certain."""
    ledger = ledger_of(unauthorised(refused(payload(status="lost")), key, status))
    assert (refused_names, unauthorised_names) == (len(ledger.names.refused), len(ledger.names.unauthorised))
    assert bool(refused_names or unauthorised_names) == ledger.names.never_made("Whiskerton")


def test_a_run_that_made_an_animal_begins_no_more() -> None:
    """What it sends from then on is like nothing that an earlier run sent; nor is what is open taken for a beginning."""
    sent = refused(payload(), at=2.0)
    first = created(payload(name="Babette"))
    assert ["Whiskerton"] == list(ledger_of(first, sent).names.refused)
    assert ["Whiskerton"] == list(ledger_of(replace(sent, request=unlabelled(sent))).names.refused)


def unlabelled(of: Exchange) -> Request:
    """Its request under a label that is open."""
    return replace(of.request, headers=(("Content-Type", "text/plain"),))


def test_what_a_worker_begins_with_may_have_been_taken() -> None:
    """Names may have to be unique, and an earlier run may have begun with the same one."""
    assert [] == list(ledger_of(refused(payload())).names.refused)
    assert ["Whiskerton"] == list(ledger_of(refused(payload(status="lost"))).names.refused)


def test_unauthorised_names_are_remembered() -> None:
    """Apart from refused ones; short names are nobody's."""
    ledger = ledger_of(unauthorised(refused(payload()), ABSENT), refused(payload(name="Rex")))
    assert (["Whiskerton"], []) == (list(ledger.names.unauthorised), list(ledger.names.refused))


@pytest.mark.parametrize(
    "other",
    [
        created(),
        refused(payload(), 500),
        refused(payload(), 408),
        refused(payload(), 302),
        unanswered(posted(payload())),
    ],
)
def test_a_name_that_may_have_been_stored_was_not_never_made(other: Exchange) -> None:
    """Whatever came of it, an animal of that name proves nothing."""
    first = created(payload(name="Babette"), 2, at=0.0)
    assert not ledger_of(first, refused(payload()), other).names.never_made("Whiskerton")
    assert ledger_of(first, refused(payload())).names.never_made("Whiskerton")


@pytest.mark.parametrize(("put_off_at", "never_made"), [(2.0, True), (4.0, False)])
def test_a_name_that_was_put_off_and_then_rejected_was_looked_at(
    put_off_at: float, *, never_made: bool
) -> None:
    """One that was only put off, or again, may have been stored."""
    first = created(payload(name="Babette"), 2, at=0.0)
    put_off = refused(payload(), 429, at=put_off_at)
    assert never_made is ledger_of(first, put_off, refused(payload(), at=3.0)).names.never_made("Whiskerton")
    assert not ledger_of(first, put_off).names.never_made("Whiskerton")


@pytest.mark.parametrize(("status", "never_made"), [(400, True), (401, True), (408, False), (500, False)])
def test_whatever_rejects_a_name_that_was_put_off_has_looked_at_it(status: int, *, never_made: bool) -> None:
    """Where every other request is put off, those without the key are as well."""
    first = created(payload(name="Babette"), 2, at=0.0)
    put_off = under(refused(payload(), 429, at=2.0), WRONG)
    then = under(refused(payload(), status, at=3.0), WRONG)
    assert never_made is ledger_of(first, put_off, then).names.never_made("Whiskerton")


def test_a_name_that_was_answered_with_200_was_accepted() -> None:
    """It is the wrong status, and no rejection."""
    names = ledger_of(posted(payload(), 200, {})).names
    assert ({"Whiskerton"}, set()) == (names.accepted, names.unclear)


@pytest.mark.parametrize("letter", ["\u017f", "\u212a"])
def test_a_letter_that_is_one_of_ascii_in_another_case_makes_no_name_the_runs(letter: str) -> None:
    """A long s and a Kelvin sign: what is taken for a name of the run has a beginning that can be compared."""
    assert not is_own(f"Acabc{letter}efghij")
    assert is_own("AcAbcD EfghIj rest")
    assert ["acabcdefghij"] == heads_in("AcAbcD EfghIj rest")


def test_a_name_in_han_characters_is_the_runs_and_begins_as_the_plain_one_does() -> None:
    """Anywhere in a text: somebody may have stored it with something in front."""
    plain, other = "Acabcdefghij", "Acabcdxyzuvw"
    name = in_han(plain)
    assert not any(each.isascii() for each in name)
    assert (12, 24) == (len(name), len(set(in_han("Aabcdefghijklmnopqrstuvw"))))
    assert is_own(name)
    assert ["acabcdefghij"] == heads_in(f"a {name} of old")
    assert [True, False, False, False] == [
        is_in_han(each) for each in (name, plain, f"{name}x", in_han("Rexabcdefghi"))
    ]
    assert not is_in_han(None)
    kinds = [kind_of(payload(name=each)) for each in (name, in_han(other), plain)]
    assert kinds[0] == kinds[1] != kinds[2]
