"""Makes observers of requests with one thing that is invalid, or that the document leaves open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, shorten
from animal_conformance.record.exchange import Credential

Observer: TypeAlias = Callable[[Case], str | None]
# Gives the text in front of the answer.
Label: TypeAlias = Callable[[Case], str]


def answer_of(case: Case) -> str:
    """The status of an answer, with the code of its Error, or with the fact that it is a list."""
    if case.operation is Operation.LIST and isinstance(case.value, list):
        return f"{case.status} with a list"
    code = case.value.get("code") if isinstance(case.value, dict) and case.status >= 400 else None
    return f"{case.status} {shorten(code, 40)}" if isinstance(code, str) else f"{case.status}"


def is_answered_with_key(case: Case) -> bool:
    """Whether a request with the key got an answer."""
    return case.answered and case.credential is Credential.VALID


def observer_of(operation: Operation, concerns: Callable[[Case], bool], label: Label) -> Observer:
    """An observer of how some requests of an operation are answered."""

    def observe(case: Case) -> str | None:
        if case.operation is not operation or not is_answered_with_key(case) or not concerns(case):
            return None
        return f"{label(case)}{answer_of(case)}"

    return observe


def problem(operation: Operation, name: str, label: Label = lambda _: "") -> Observer:
    """An observer of requests in which this is the only invalid thing."""
    return observer_of(operation, lambda case: case.reading.only_problem() == name, label)


def open_point(operation: Operation, name: str, label: Label = lambda _: "") -> Observer:
    """An observer of requests in which this is the only open point."""
    alone = frozenset({name})
    return observer_of(
        operation,
        lambda case: case.reading.open_points == alone and case.reading.problems <= {"petId.not-integer"},
        label,
    )
