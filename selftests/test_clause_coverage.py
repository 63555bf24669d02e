"""Every clause has a rule and a driver, every open question an observer, and nothing is beyond the list."""

from __future__ import annotations

import re

import pytest

from animal_conformance.commands.clauses import clause_rows, driver_marks
from animal_conformance.interface.clauses import load_clauses, matches
from animal_conformance.judge.hearing import EXPLANATIONS
from animal_conformance.judge.observers import OBSERVERS
from animal_conformance.judge.rules import RULES
from selftests.loopback.command import ROOT

LIST = load_clauses()
CLAUSES = [each.id for each in LIST.clauses]
QUESTIONS = [each.id for each in LIST.open_questions]
# What no driver needs to aim at, and why.
WITHOUT_DRIVER = {
    "version.path": "Any answer shows it.",
    "open.error.codes": "Any Error shows it.",
    "open.extra-fields": "Any body shows it.",
    "open.ids": "Any two creations show it.",
    "open.integral-floats": "Any animal shows it.",
    "open.list": "Any list shows it.",
    "open.network": "Any request shows it.",
    "open.rate-limit": "Any answer shows it.",
    "open.transport": "Any answer shows it.",
    "open.auth": "Any 401 shows it, and test_authentication.py sends the scheme in lower case.",
}


MARKED = dict(driver_marks())
PREFIXES = {prefix for prefixes in MARKED.values() for prefix in prefixes}


def test_every_clause_has_one_rule_and_every_rule_a_clause() -> None:
    """In both directions."""
    assert sorted(CLAUSES) == sorted(RULES)


def test_every_open_question_has_an_observer_and_every_observer_a_question() -> None:
    """In both directions."""
    assert sorted(QUESTIONS) == sorted([*OBSERVERS, EXPLANATIONS])


def test_every_rule_names_its_clause() -> None:
    """The first line of its docstring says what it enforces, where a rule has a function of its own."""
    named = {each.__doc__.split(":")[0] for each in RULES.values() if each.__doc__}
    assert named <= set(CLAUSES)


def test_the_place_of_every_rule_is_the_one_that_the_command_tells() -> None:
    """A function begins there."""
    for each in clause_rows(LIST):
        path, _, line = each["rule"].partition(":")
        begins = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert re.search(r"^ *(def|@)|lambda case:", begins), each["id"]


@pytest.mark.parametrize("driver", MARKED)
def test_every_driver_says_what_it_is_for(driver: str) -> None:
    """By prefixes that select something."""
    assert MARKED[driver]
    assert [] == [
        each for each in MARKED[driver] if not any(matches(one, each) for one in CLAUSES + QUESTIONS)
    ]


@pytest.mark.parametrize("clause_id", CLAUSES + QUESTIONS)
def test_every_clause_has_a_driver_or_a_reason(clause_id: str) -> None:
    """A clause that nothing aims at is one that nobody tests."""
    reasons = [reason for prefix, reason in WITHOUT_DRIVER.items() if matches(clause_id, prefix)]
    assert any(matches(clause_id, prefix) for prefix in PREFIXES) or reasons


def test_reasons_are_for_what_the_list_has() -> None:
    """A reason for nothing is left over from something."""
    assert [] == [
        each for each in WITHOUT_DRIVER if not any(matches(one, each) for one in CLAUSES + QUESTIONS)
    ]
