"""hearing.py: a rule that fails is a fault of the suite, and no response makes one fail."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion
from animal_conformance.judge.observers import OBSERVERS
from animal_conformance.judge.verdicts import judge
from selftests.exchanges import (
    CANT_TELL,
    PASSED,
    TERMS,
    animals,
    created,
    exchange,
    got,
    judged,
    listing,
    lost,
    payload,
    posted,
    unanswered,
)

CLAUSE = "list.answer"


def test_an_observer_that_fails_is_a_fault_of_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are heard; the first fault of each is told."""

    def broken(_: Case) -> str | None:
        raise ZeroDivisionError

    monkeypatch.setitem(OBSERVERS, "open.list.page", broken)
    judgement = judge([listing(), lost(5)], TERMS)
    [fault] = judgement.faults
    assert fault.startswith(f"observer open.list.page, exchange {judgement.ledger.exchanges[0].reference}: ")
    assert "ZeroDivisionError" in fault
    heard = {each.question.id for each in judgement.observations if each.answers}
    assert {"open.error.codes", "open.transport"} <= heard


def test_a_rule_that_fails_is_a_fault_of_the_suite() -> None:
    """Never a verdict on the deployment; the other clauses are judged."""

    def broken(_: Case) -> Opinion:
        raise ZeroDivisionError

    judgement = judge(
        [listing(), listing()], TERMS, rules={CLAUSE: broken, "http.answer": lambda _: EVIDENCE}
    )
    outcomes = {each.clause.id: each.outcome for each in judgement.verdicts}
    assert (CANT_TELL, PASSED, 1) == (outcomes[CLAUSE], outcomes["http.answer"], len(judgement.faults))
    assert judgement.faults[0].startswith(
        f"rule {CLAUSE}, exchange {judgement.ledger.exchanges[0].reference}: "
    )
    assert "ZeroDivisionError" in judgement.faults[0]
    assert "suite faults" in next(each.why for each in judgement.verdicts if each.clause.id == CLAUSE)


def test_what_a_rule_found_before_it_failed_counts() -> None:
    """A fault of ours takes nothing back."""
    opinions: Iterator[Opinion | Exception] = iter(
        [Finding("It is broken.", "whole", "broken"), ZeroDivisionError()]
    )

    def halting(_: Case) -> Opinion:
        opinion = next(opinions)
        if isinstance(opinion, Exception):
            raise opinion
        return opinion

    judgement = judge([listing(), listing()], TERMS, rules={CLAUSE: halting})
    assert [CLAUSE] == [each.clause.id for each in judgement.failed(Level.MUST)]


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["sold", 1, 2]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "categoryId", "status", "code", "message", "x"]), inner, max_size=5
        )
    ),
    max_leaves=10,
)
TARGETS = (
    "/pets", "/pets?limit=5", "/pets?limit=0&status=x", "/pets?status=sold", "/pets/1", "/pets/abc",
    "/pets/%ff", "/pets/", "/x",
)  # fmt: skip


@given(
    st.lists(
        st.tuples(
            st.sampled_from(TARGETS),
            st.sampled_from((200, 201, 400, 401, 404, 500)),
            JSON_VALUES,
            JSON_VALUES,
        ),
        max_size=5,
    ),
    st.binary(max_size=9),
)
@settings(max_examples=80, derandomize=True, deadline=None)
def test_no_answer_makes_a_rule_fail(answers: list[tuple[str, int, object, object]], raw: bytes) -> None:
    """Whatever a deployment sends, the fault is never the suite's."""
    trace = [
        each
        for target, status, answer, sent in answers
        for each in (
            exchange("GET", target, status, answer),
            posted(json.dumps(sent).encode(), status, answer),
            posted(raw, status, raw, headers=(("Sunset", raw.decode("latin-1")), ("Content-Type", ";"))),
            got(1, answer, headers=(("Sunset", str(sent)), ("WWW-Authenticate", "\x00"))),
            unanswered(exchange("PUT", target)),
        )
    ]
    assert () == judged(trace).faults


def test_a_status_that_is_no_text_makes_no_rule_fail() -> None:
    """It was accepted, and stands in lists that are known to be complete."""
    made = created(payload(status=["sold"]), at=0.0)
    shown = animals(1, status=["sold"])
    assert (
        () == judged([made, listing(shown, limit=100, at=0.5), listing(animals(9), limit=100, at=1.0)]).faults
    )
