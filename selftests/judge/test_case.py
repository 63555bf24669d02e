"""rules/case.py: what a rule is given, and what findings are said with."""

from __future__ import annotations

import pytest

from animal_conformance.judge.case import as_json, shorten, side_by_side
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ABSENT,
    WRONG,
    animal,
    case_of,
    created,
    exchange,
    got,
    listing,
    payload,
    posted,
    refused,
    unanswered,
    under,
    unlisted,
)

PATIENT = (("Retry-After", "1"),)


@pytest.mark.parametrize(
    ("answer", "throttled", "server_error", "answered"),
    [
        pytest.param(listing(), False, False, True, id="200"),
        pytest.param(exchange("GET", "/pets", 404, headers=PATIENT), False, False, True, id="404"),
        pytest.param(exchange("GET", "/pets", 499), False, False, True, id="499"),
        pytest.param(exchange("GET", "/pets", 408), False, False, False, id="408"),
        pytest.param(exchange("GET", "/pets", 429), True, False, False, id="429"),
        pytest.param(exchange("GET", "/pets", 500, headers=PATIENT), False, True, False, id="500"),
        pytest.param(exchange("GET", "/pets", 503), False, True, False, id="503"),
        pytest.param(
            exchange("GET", "/pets", 503, headers=PATIENT), True, True, False, id="503 and Retry-After"
        ),
        pytest.param(unanswered(listing()), False, False, False, id="none"),
    ],
)
def test_an_answer_to_judge_is_told_from_patience_and_failures(
    answer: Exchange, *, throttled: bool, server_error: bool, answered: bool
) -> None:
    """Reading 2: 429 anywhere, 503 with Retry-After; 408 closes what was idle."""
    case = case_of(answer)
    assert (throttled, server_error, answered) == (case.throttled, case.server_error, case.answered)


@pytest.mark.parametrize(
    ("answer", "let_in"),
    [
        (listing(), True),
        (unlisted(404), True),
        (unlisted(401), False),
        (unlisted(403), False),
        (under(listing(), Credential.UNKNOWN), True),
        (under(listing(), Credential.LOWER_CASE_SCHEME), False),
        (under(listing(), ABSENT), False),
        (under(listing(), WRONG), False),
    ],
)
def test_a_request_was_let_in_with_the_key_or_not(answer: Exchange, *, let_in: bool) -> None:
    """Recorded traffic does not tell whether its key was valid, but whether it was let in."""
    assert let_in == case_of(answer).with_key


MADE = created(payload(name="Babette"), 1, at=1.0, took=1.0)
FAR = 10**15


@pytest.mark.parametrize(
    ("shown", "others", "own"),
    [
        pytest.param(MADE, [], [1], id="its own 201"),
        pytest.param(refused(), [MADE], [], id="refused"),
        pytest.param(posted(payload(), 201, {}), [MADE], [], id="without an id"),
        pytest.param(listing([animal(5), animal(1)], at=2.0), [MADE], [1], id="listed as it was answered"),
        pytest.param(listing([animal(1)], at=1.9), [MADE], [], id="listed meanwhile"),
        pytest.param(listing([animal("x"), 5, {}, animal(1)], at=3.0), [MADE], [1], id="others broken"),
        pytest.param(listing([animal(1)], at=3.0), [MADE, created(at=2.0)], [], id="its id given twice"),
        pytest.param(got(1, at=3.0), [MADE], [1], id="got"),
        pytest.param(got(2, animal(1), at=3.0), [MADE], [], id="got for another"),
        pytest.param(got(FAR, at=3.0), [MADE], [], id="made up"),
        pytest.param(under(got(1, at=3.0), WRONG), [MADE], [], id="a wrong key"),
    ],
)
def test_the_animals_of_the_run_that_an_answer_shows_are_known(
    shown: Exchange, others: list[Exchange], own: list[int]
) -> None:
    """By the creation that gave the id, and that was answered before."""
    assert own == [creation.answer["id"] for creation, _ in case_of(shown, *others).readback]


def test_what_arrived_is_described_in_few_words() -> None:
    """The status and the beginning of the body, or that there was none."""
    assert "200 with [5]" == case_of(listing([5])).describe()
    assert "204 with an empty body" == case_of(exchange("GET", "/pets", 204, b"")).describe()
    assert "200 with \ufffd" == case_of(listing(b"\xff")).describe()
    assert "no response (reset)" == case_of(unanswered(listing())).describe()


def test_a_text_is_cut_at_its_length_and_marked() -> None:
    """What is as long as it may be is shown whole."""
    assert ("x" * 160, f"{'x' * 159}\u2026") == (shorten("x" * 160), shorten("x" * 161))
    assert ("[1, 2]", "[1\u2026") == (shorten([1, 2]), shorten([1, 2], 3))


def test_a_value_is_shown_as_json_in_its_own_letters() -> None:
    """Not escaped."""
    assert '{"é": [true, "..."]}' == as_json({"é": [True, "..."]})


@pytest.mark.parametrize(
    ("sent", "got", "shown"),
    [
        ("Rex", "rex", ('"Rex"', '"rex"')),
        (7, "7", ("7", '"7"')),
        ("a\u2028b\ufeff", "ab", ('"a\\u2028b\\ufeff"', '"ab"')),
        ("\U0001f98a", "e\u0301", ('"\U0001f98a"', '"e\u0301"')),
    ],
)
def test_short_values_are_shown_whole_and_visible(sent: object, got: object, shown: tuple[str, str]) -> None:
    """What cannot be seen is escaped; letters of all scripts are not."""
    assert shown == side_by_side(sent, got)


def test_long_values_are_shown_where_they_begin_to_differ() -> None:
    """Whatever they have in common before and behind it."""
    sent, got = (f"{'x' * 500}{middle}{'y' * 500}" for middle in ("here", "there"))
    wanted, shown = side_by_side(sent, got)
    assert wanted != shown
    assert "xhere" in wanted
    assert "xthere" in shown
    assert len(wanted) <= 101
    assert len(shown) <= 101


def test_a_long_value_that_was_cut_is_shown_from_its_beginning_or_before_its_end() -> None:
    """Nothing of it is missing where the difference is."""
    wanted, shown = side_by_side("x" * 500, "x" * 255)
    assert shown.endswith('x"')
    assert wanted.endswith("x\u2026")
    assert ('"abc"', '""') == side_by_side("abc", "")
