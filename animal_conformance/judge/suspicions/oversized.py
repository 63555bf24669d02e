"""Responses that are too large to be read, although at other times those to the same requests are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion, shorten
from animal_conformance.judge.experiments import OVERSIZED, Again, Experiment
from animal_conformance.judge.knowledge.ledger import REFUSALS, Ledger
from animal_conformance.judge.knowledge.outages import TIMES_APART
from animal_conformance.record.exchange import Credential, Exchange, FailureKind, Request

# A request whose response was too large is sent again this many times.
AGAIN: Final = 5
# If this many responses are too large, apart from each other, that is put to the test: one may be a moment's fault.
ASKED_FROM: Final = 2
# One animal is got this many times, so that one response in thirty that is too large is met; and more often if any was.
PROBES: Final = 30
MORE_PROBES: Final = 90
# A response that asks for patience, or for another connection, does not count as another answer to the same request.
NO_READING: Final = frozenset({408, 429})


def oversized(case: Case, detail: str) -> Opinion:
    """What it means that a response is too large to be read.

    An animal may have fields that make it too large, and others may add or remove them. It is a finding if getPet returns
    an animal that can be read, and then again one that cannot; or if some responses of any kind are too large now and
    then. Where every response of its kind is too large, nothing explains it, and nothing shows that it is wrong.
    """
    if _may_be_coded(case.exchange.request):
        return Explained(OVERSIZED)
    opinion = _of_animal(case, detail)
    if isinstance(opinion, Finding):
        return opinion
    return _now_and_then(case, detail) or _never_read(case, detail) or opinion


def _kind(ledger: Ledger, exchange: Exchange) -> tuple[Operation, bool]:
    """The operation of a request, and whether it lacked a valid key: responses of one kind should be of like size."""
    return ledger.reading(exchange).operation, exchange.request.credential.invalid


def _unread_kinds(ledger: Ledger) -> dict[tuple[Operation, bool], Exchange]:
    """The kinds of requests of which every response was too large, with the first of each."""
    read = {_kind(ledger, each) for each in ledger.exchanges if each.response is not None}
    large = (each for each in ledger.exchanges if each.failure_kind is FailureKind.TOO_LARGE)
    by_time = sorted(large, key=lambda each: each.sent_s, reverse=True)
    return {kind: each for each in by_time if (kind := _kind(ledger, each)) not in read}


def _never_read(case: Case, detail: str) -> Opinion:
    """What it means that every response of a kind is too large; ``None`` if some are not, or another exchange says so."""
    kind = _kind(case.ledger, case.exchange)
    unread: dict[tuple[Operation, bool], Exchange] = case.ledger.survey(
        "unread kinds", lambda: _unread_kinds(case.ledger)
    )
    if kind == (Operation.GET, False) or unread.get(kind) is not case.exchange:
        return None  # for a single animal, see _of_animal
    words = f"{case.operation.value}{' without a valid key' if case.credential.invalid else ''}"
    finding = Finding(
        f"No response to {words} can be read: each of them is too large.",
        "a complete HTTP response to every request",
        shorten(detail),
    )
    return Suspicion(
        finding, f"responses to {words}", (Experiment(OVERSIZED, (Again(case.exchange.request),)),)
    )


def _of_animal(case: Case, detail: str) -> Opinion:
    """A finding if getPet returns for one id a response that is too large, then one that is not, and then one that is."""
    request, asked = case.exchange.request, case.ledger.asked[case.exchange.request]
    if case.operation is not Operation.GET or request.credential is not Credential.VALID:
        return Explained(OVERSIZED)
    finding = Finding(
        "The response to this request is too large to be read, and at other times it is not.",
        "the animal, or an Error",
        shorten(detail),
    )
    large = [each for each in asked if each.failure_kind is FailureKind.TOO_LARGE]
    read = [
        each
        for each in asked
        if each.status == 200 and large[0].answered_s <= each.sent_s <= large[-1].sent_s
    ]
    if read:
        return replace(finding, related=(read[-1],), excluded=((OVERSIZED, read[-1]),))
    if len(asked) > AGAIN:
        return Explained(OVERSIZED)
    return Suspicion(finding, request.target, (Experiment(OVERSIZED, (Again(request),) * AGAIN),))


def _now_and_then(case: Case, detail: str) -> Opinion:
    """A finding if three responses, apart from each other, are too large although nothing large was asked for.

    Lists with the key are left out: the animals that they show may vary, and with them the size.
    """
    ledger = case.ledger
    large = ledger.survey("too large", lambda: list(_large(ledger)))
    if not large or case.exchange is not large[0]:
        return None
    shown = {each: other for each in large if (other := _read_otherwise(ledger, each)) is not None}
    apart = [each for each, _ in ledger.times_apart(shown, alike=True)][:TIMES_APART]
    others = tuple(shown[each] for each in apart)
    finding = Finding(
        "Some responses are too large to be read, although those to the same requests are not at other times.",
        "a complete HTTP response to every request",
        shorten(detail),
        related=case.beside(*apart, *others),
        excluded=tuple((OVERSIZED, each) for each in others),
    )
    if len(apart) >= TIMES_APART:
        return finding
    experiments = tuple(_experiments(ledger, large, met=bool(shown)))
    return Suspicion(finding, "responses that are too large", experiments) if experiments else None


def _experiments(ledger: Ledger, large: list[Exchange], *, met: bool) -> Iterator[Experiment]:
    """Send keyless requests once more; where responses could be read at other times, get one animal again and again."""
    if len(ledger.times_apart(large)) < ASKED_FROM:
        return
    keyless = dict.fromkeys(each.request for each in large if each.request.credential.invalid)
    once = [each for each in keyless if len(ledger.asked[each]) == 1]
    always = [each for each in keyless if each not in once and not any(map(_is_read, ledger.asked[each]))]
    if once and len(always) < TIMES_APART:
        yield Experiment(OVERSIZED, tuple(map(Again, once[:TIMES_APART])))
    at_times = [each for each in large if any(map(_is_read, ledger.asked[each.request]))]
    animal = _animal(ledger)
    if animal is None or len(ledger.times_apart(at_times)) < ASKED_FROM:
        return
    done = len(ledger.asked[animal])
    if done < PROBES:
        yield Experiment(OVERSIZED, (Again(animal),) * PROBES)
    elif met and done < MORE_PROBES:
        yield Experiment(OVERSIZED, (Again(animal),) * (MORE_PROBES - PROBES))


def _animal(ledger: Ledger) -> Request | None:
    """The request for the first animal that getPet returned, in the suite's own voice."""
    got = (each.request for each in ledger.successes[Operation.GET])
    return next((each for each in got if each.credential is Credential.VALID and not each.voice), None)


def _large(ledger: Ledger) -> Iterator[Exchange]:
    """The exchanges whose response was too large, for one animal or for a request without a valid key, by time."""
    for each in sorted(ledger.exchanges, key=lambda each: each.sent_s):
        request, reading = each.request, ledger.reading(each)
        if each.failure_kind is not FailureKind.TOO_LARGE or request.method != "GET" or reading.open_points:
            continue
        if _may_be_coded(request):
            continue
        if request.credential.invalid or reading.operation is Operation.GET:
            yield each


def _read_otherwise(ledger: Ledger, large: Exchange) -> Exchange | None:
    """A response to the same request which shows that what it asks for is not too large; ``None`` if there is none.

    A request without a valid key asks for an Error, not for an animal. An animal may have grown meanwhile, or have been
    cut, unless the responses before and afterwards are alike.
    """
    read = [each for each in ledger.asked[large.request] if _is_read(each)]
    if large.request.credential.invalid:
        return read[-1] if read and all(each.status in REFUSALS for each in read) else None
    before = [each.status for each in read if each.answered_s <= large.sent_s]
    after = [each for each in read if each.sent_s >= large.answered_s]
    return after[0] if before and after and before[-1] == after[0].status else None


def _may_be_coded(request: Request) -> bool:
    """Whether a response may have a transfer coding, as the request asked for one: codings are not undone here."""
    return request.header("te") is not None


def _is_read(exchange: Exchange) -> bool:
    return 0 < exchange.status < 500 and exchange.status not in NO_READING
