"""concerns.py: what rules and observers are asked of, and that nothing is missed by it."""

from __future__ import annotations

from collections import Counter

import pytest

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.concerns import CONCERNS, concern_of
from animal_conformance.judge.observers import OBSERVERS
from animal_conformance.judge.rules import RULES
from animal_conformance.record.exchange import Credential
from selftests.exchanges import JSON, animal, animals, created, exchange, got, listing, unanswered, unasked


@pytest.mark.parametrize("status", [0, 200, 201, 204, 302, 400, 401, 403, 404, 405, 408, 429, 500, 501, 503])
@pytest.mark.parametrize(
    "answer", [[], animals(3), animal(1), {"code": "x"}], ids=["none", "list", "one", "error"]
)
def test_nothing_would_be_said_of_it_whatever_the_credential_and_the_answer(
    status: int, answer: object
) -> None:
    """Every operation, each with every credential."""
    trace = [created(at=0.0), listing(animals(9), at=0.1), got(1, at=0.2)]
    for at, credential in enumerate(Credential):
        for method, target, body in (
            ("GET", "/pets", None),
            ("GET", "/pets?limit=100", None),
            ("GET", "/pets/1", None),
            ("GET", "/pets/abc", None),
            ("POST", "/pets", b'{"name": "Tigerlily", "categoryId": 1}'),
            ("PUT", "/pets", None),
            ("GET", "/pets/", None),
        ):
            headers = JSON if body else ()
            sent = exchange(
                method, target, status, answer, body=body, sent_headers=headers, key=credential, at=1.0 + at
            )
            trace.append(sent if status else unanswered(sent))
    assert unasked(trace) == set()


def test_each_has_a_concern_and_none_is_left_over() -> None:
    """By its own id or by what that begins with."""
    used = {id(concern_of(each)) for each in {**RULES, **OBSERVERS}}
    assert [name for name, concern in CONCERNS.items() if id(concern) not in used] == []


def test_an_operation_that_nothing_is_said_of_is_no_concern() -> None:
    """Lists are about lists, and a request beside the interface is about what is left open."""
    asked = Counter(
        operation
        for name in RULES
        for operation in Operation
        if concern_of(name).covers(operation, 200, Credential.VALID)
    )
    assert asked[Operation.OTHER] == 1
    assert max(asked.values()) < len(RULES) / 2
