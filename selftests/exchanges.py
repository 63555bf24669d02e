"""Hand-made exchanges, and how the rules judge them: no server, no client, no clock."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.interface.contract import load_contract
from animal_conformance.judge.case import Case
from animal_conformance.judge.concerns import concern_of
from animal_conformance.judge.experiments import Experiment, Read, Step
from animal_conformance.judge.hearing import Hearing, hear
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.observers import OBSERVERS
from animal_conformance.judge.rules import RULES
from animal_conformance.judge.verdicts import ClauseOutcome, Judgement, Verdict, judge
from animal_conformance.record.exchange import (
    Credential,
    Exchange,
    Failure,
    FailureKind,
    Headers,
    Request,
    Response,
    Terms,
)

JSON: Final[Headers] = (("Content-Type", "application/json"),)
# Headers that good practice adds to answers, so that a test fails only the clause that it is about.
MANNERS: Final[Headers] = (
    ("Deprecation", "@1735689600"),
    ("Sunset", "Thu, 05 Dec 2030 00:00:00 GMT"),
    ("WWW-Authenticate", "Bearer"),
    ("Allow", "GET, POST"),
)
ANSWER: Final[Headers] = (*JSON, *MANNERS)
TERMS: Final = Terms(base_url="https://animals.example/v1", today="2026-11-20")
PASSED, FAILED, CANT_TELL, INAPPLICABLE, UNTESTED = ClauseOutcome
ABSENT, WRONG = Credential.ABSENT, Credential.WRONG

_numbers = count(1)


def exchange(  # noqa: PLR0913 - all that an exchange has
    method: str,
    target: str,
    status: int = 200,
    answer: object = None,
    *,
    at: float = 1.0,
    body: bytes | None = None,
    headers: Headers = ANSWER,
    sent_headers: Headers = (),
    key: Credential = Credential.VALID,
    took: float = 0.01,
) -> Exchange:
    """Any request and its answer; an ``answer`` of type bytes is sent as it is, any other as JSON."""
    content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return Exchange(
        Request(method, target, sent_headers, body, key),
        Response(status, headers, content),
        sequence=next(_numbers),
        sent_s=at,
        answered_s=at + took,
    )


def unanswered(of: Exchange, kind: FailureKind = FailureKind.RESET, *, at: float | None = None) -> Exchange:
    """The same request without an answer."""
    sent_s = of.sent_s if at is None else at
    failure = Failure(kind, "it was not to be")
    number = next(_numbers)
    return replace(
        of, response=None, failure=failure, sequence=number, sent_s=sent_s, answered_s=sent_s + 0.01
    )


def animal(animal_id: object = 1, **changes: Any) -> dict[str, Any]:
    """An animal as an answer shows it, changed as asked (``...`` leaves a field out)."""
    whole = {"id": animal_id, "name": f"animal {animal_id}", "categoryId": 1, "status": "available"}
    return {name: value for name, value in {**whole, **changes}.items() if value is not ...}


def animals(number: int, first: int = 1, **changes: Any) -> list[dict[str, Any]]:
    """So many animals with consecutive ids."""
    return [animal(each, **changes) for each in range(first, first + number)]


def error(http_status: int = 400, /, **changes: Any) -> dict[str, Any]:
    """An Error, changed as asked (``...`` leaves a field out)."""
    whole = {"code": "refused", "message": "This cannot be.", "status": http_status}
    return {name: value for name, value in {**whole, **changes}.items() if value is not ...}


def listing(
    animals: object = (), *, limit: object = None, state: object = None, query: str = "", **options: Any
) -> Exchange:
    """A list with these parameters; ``state`` is its status filter, ``query`` a query as it is."""
    parts = [f"{name}={value}" for name, value in (("limit", limit), ("status", state)) if value is not None]
    whole = query or "&".join(parts)
    answer = list(animals) if isinstance(animals, tuple) else animals
    return exchange("GET", f"/pets?{whole}" if whole else "/pets", answer=answer, **options)


def chosen_as_shown(state: str | None = None, at: float = 900.0) -> list[Exchange]:
    """A list, and a shorter one with its beginning: they show that lists hold the first animals in the order of the list.

    Nothing has shown these animals before.
    """
    whole = animals(20, 9_000_001, **({} if state is None else {"status": state}))
    # The whole list is shown twice: at first, its animals may be new.
    return [
        listing(whole[:most], limit=most, state=state, at=at + turn) for turn, most in enumerate((20, 20, 8))
    ]


def payload(**changes: Any) -> dict[str, Any]:
    """A valid payload with a distinctive name, changed as asked (``...`` leaves a field out)."""
    whole = {"name": "Whiskerton", "categoryId": 1, "status": "available"}
    return {name: value for name, value in {**whole, **changes}.items() if value is not ...}


def own_name(number: int) -> str:
    """A plain name as the run makes them up, the later in the alphabet the larger the number."""
    letters = (number // 26**place % 26 for place in range(9, -1, -1))
    return "Ac" + "".join(chr(ord("a") + each) for each in letters)


def named(name: str, **changes: Any) -> dict[str, Any]:
    """A valid payload with this name."""
    return payload(name=name, **changes)


def posted(body: object, status: int = 201, answer: object = None, **options: Any) -> Exchange:
    """A creation; a ``body`` of type bytes is sent as it is, any other as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return exchange("POST", "/pets", status, answer, body=content, **{"sent_headers": JSON, **options})


def created(sent: Mapping[str, Any] | None = None, animal_id: object = 1, **options: Any) -> Exchange:
    """A creation that was answered with 201 and the animal as it was sent, but for ``changes``."""
    sent = payload() if sent is None else sent
    changes = options.pop("changes", {})
    whole = {"status": "available", **sent, "id": animal_id, **changes}
    shown = {name: value for name, value in whole.items() if value is not ...}
    return posted(sent, 201, shown, **options)


def refused(sent: object = None, status: int = 400, **options: Any) -> Exchange:
    """A creation that was answered with an Error."""
    return posted(payload() if sent is None else sent, status, error(status), **options)


def got(pet_id: object, answer: object = None, **options: Any) -> Exchange:
    """A getPet that found the animal with this id, or was answered with ``answer``."""
    return exchange("GET", f"/pets/{pet_id}", answer=animal(pet_id) if answer is None else answer, **options)


def lost(pet_id: object, status: int = 404, **options: Any) -> Exchange:
    """A getPet that was answered with an Error."""
    return exchange("GET", f"/pets/{pet_id}", status, error(status), **options)


def unlisted(status: int, *, limit: object = None, state: object = None, **options: Any) -> Exchange:
    """A listing that was answered with an Error."""
    return replace(
        listing(limit=limit, state=state, **options),
        response=Response(status, ANSWER, json.dumps(error(status)).encode()),
    )


def answered(
    of: Exchange, status: int, answer: object = None, *, at: float | None = None, wait: str | None = None
) -> Exchange:
    """The same request, answered with an Error or with ``answer``, and perhaps with a Retry-After."""
    headers = ANSWER if wait is None else (*ANSWER, ("Retry-After", wait))
    shown = error(status) if answer is None else answer
    body = shown if isinstance(shown, bytes) else json.dumps(shown).encode()
    sent_s = of.sent_s if at is None else at
    return replace(of, response=Response(status, headers, body), sent_s=sent_s, answered_s=sent_s + 0.01)


def unauthorised(of: Exchange, key: Credential = ABSENT, status: int = 401, **options: Any) -> Exchange:
    """The same request with an invalid credential, answered with an Error."""
    at = options.pop("at", of.sent_s)
    response = Response(status, options.pop("headers", ANSWER), json.dumps(error(status)).encode())
    return replace(
        of,
        request=replace(of.request, credential=key),
        response=response,
        sequence=next(_numbers),
        sent_s=at,
        answered_s=at + 0.01,
    )


def under(of: Exchange, key: Credential) -> Exchange:
    """The same exchange, its answer included, under another credential."""
    return replace(of, request=replace(of.request, credential=key))


def spoken(of: Exchange, voice: str = "curl") -> Exchange:
    """The same exchange, with a certain client."""
    return replace(of, request=replace(of.request, voice=voice))


def judged(exchanges: Iterable[Exchange], **terms: Any) -> Judgement:
    """The judgement on a trace, in which no rule may have failed."""
    judgement = judge(exchanges, replace(TERMS, **terms))
    assert judgement.faults == ()
    return judgement


def heard(exchanges: Iterable[Exchange], **terms: Any) -> Hearing:
    """What is said on a trace, without the verdicts that follow; no rule may have failed."""
    hearing = hear(ledger_of(*exchanges, **terms), load_clauses().selected(terms.get("selected", ())))
    assert hearing.faults == {}
    return hearing


def asked_by(verdict: Verdict) -> list[Experiment]:
    """The experiments that the open suspicions of a verdict ask for, each once."""
    return list(dict.fromkeys(each for said in verdict.suspected for each in said.suspicion.experiments))


def reads_of(*experiments: Experiment) -> list[str]:
    """What experiments read, in order."""
    return [step.target for each in experiments for step in each.steps if isinstance(step, Read)]


def verdict_of(clause_id: str, exchanges: Iterable[Exchange], **terms: Any) -> Verdict:
    """The verdict on one clause."""
    judgement = judged(exchanges, selected=(clause_id,), **terms)
    return next(each for each in judgement.verdicts if each.clause.id == clause_id)


def steps_asked(clause_id: str, exchanges: Iterable[Exchange], **terms: Any) -> list[Step]:
    """The steps of all experiments that the open suspicions on a clause ask for."""
    return [step for each in asked_by(verdict_of(clause_id, exchanges, **terms)) for step in each.steps]


def outcome_of(clause_id: str, exchanges: Iterable[Exchange], **terms: Any) -> ClauseOutcome:
    """The outcome of one clause."""
    return verdict_of(clause_id, exchanges, **terms).outcome


def opinions_of(clause_id: str, exchanges: Iterable[Exchange], **terms: Any) -> tuple[int, int]:
    """How many exchanges are evidence for one clause, and how many a finding, whether it counts or not."""
    verdict = verdict_of(clause_id, exchanges, **terms)
    return verdict.evidence, max(verdict.finding_count, len(verdict.findings))


def failed_of(exchanges: Iterable[Exchange], **terms: Any) -> set[str]:
    """The ids of all clauses that a trace breaks."""
    return {clause_id for clause_id, said in heard(exchanges, **terms).tallies.items() if said.found}


def seen_of(question_id: str, exchanges: Iterable[Exchange], **terms: Any) -> dict[str, int]:
    """What was observed of one open question: each answer, and how often."""
    return dict(heard(exchanges, **terms).answers.get(question_id, {}))


def ledger_of(*exchanges: Exchange, **terms: Any) -> Ledger:
    """The ledger of a trace."""
    return Ledger.of(exchanges, replace(TERMS, **terms))


def case_of(of: Exchange, *others: Exchange, **terms: Any) -> Case:
    """What a rule is given for an exchange, in a trace with these others."""
    ledger = ledger_of(of, *others, **terms)
    return Case(of, ledger.reading(of), ledger)


def unasked(trace: Sequence[Exchange]) -> set[str]:
    """The ids of rules and observers that answer for an exchange about which, by their concern, they are not asked."""
    ledger = Ledger.of(trace, TERMS)
    cases = [Case(each, ledger.reading(each), ledger) for each in ledger.exchanges]
    return {
        name
        for name, function in {**RULES, **OBSERVERS}.items()
        for case in cases
        if not concern_of(name).covers(case.operation, case.status, case.credential)
        and function(case) is not None
    }


CONTRACT: Final = load_contract()

OF_EACH_LIST: Final = pytest.mark.parametrize(
    ("state", "clause_id"), [(None, "list.complete"), ("sold", "list.status.complete")]
)
NAMES: Final = ("Whiskerton", "Fluffington", "Abelardino", "Babettella")
MADE: Final = [created(named(name, status="sold"), at, at=at / 10) for at, name in enumerate(NAMES, 1)]
"""Four creations, all of them sold, and then what lists show of them."""
OWN: Final = [animal(at, name=name, status="sold") for at, name in enumerate(NAMES, 1)]
