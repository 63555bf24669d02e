"""Why a clause could not be told, what would tell it, and whether the user's own choices are the reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from math import isfinite
from typing import Final

from animal_conformance.interface.clauses import Clause
from animal_conformance.interface.contract import Operation
from animal_conformance.interface.waiting import KEY_REFUSED, PATIENCE_S, asks_for_patience, retry_after_s
from animal_conformance.judge.attempts import counted, lists_answered, set_aside, throttled_at_last
from animal_conformance.judge.case import plural, shorten
from animal_conformance.judge.knowledge.caps import may_never_change
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.creating import creations, put_off_for_status, rejected_in_a_row
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.record.jsontext import TOO_DEEP

FILTERED: Final = "list.status.complete"
COMPLETENESS: Final = frozenset({"list.complete", FILTERED})
SMALL_PROFILE: Final = "smoke"
LARGE_PROFILE: Final = "deep"
# Fewer mean nothing: a time limit may cut off a request or two, and one may be asked to wait by chance.
ENOUGH: Final = 3

# What another run needs instead of what the user chose.
WITHOUT_CLAUSE: Final = "without --clause"
WITHOUT_READ_ONLY: Final = "without --read-only"
MORE_CREATES: Final = "with a larger --max-creates"
MORE_TIME: Final = "with a larger --max-time"
MORE_REQUESTS: Final = f"with --profile {LARGE_PROFILE}"
LARGER_PROFILE: Final = "with --profile standard"

# By clause: there have to be more animals than this.
MORE_THAN: Final = {
    "animal.id.unique": 1,
    "list.once": 1,
    "list.limit.default": 20,
    "list.limit.respected": 1,
    "list.limit.maximum": 100,
    "list.status.filter": 1,
}

OF_A_RESPONSE: Final = "Remove the cause that the response names, such as a quota."
FEWER_LOCKS: Final = "The deployment locks out wrong keys: let it count more of them, or exempt the address that the run comes from."


@dataclass(frozen=True)
class Gap:
    """Why a clause could not be told, in a sentence.

    ``remedy`` says in a sentence what would tell it. ``choice`` is what a run needs for that and what this one lacks by
    the user's own choice; empty if the user's choice is not the reason.
    """

    why: str
    remedy: str = ""
    choice: str = ""


class Limit(StrEnum):
    """A resource of which a run may use only a limited amount."""

    TIME = "time"
    REQUESTS = "requests"


@dataclass(frozen=True)
class Cut:
    """Why a run that completed had to leave something out: the limit, and a sentence."""

    limit: Limit
    why: str


def gap_of(clause: Clause, ledger: Ledger, *, cut: Cut | None = None) -> Gap:
    """Why there is no evidence for a clause.

    :param cut: the limit that ended the run before every driver had; ``None`` if none did.
    """
    gap = _beyond_choice(clause, ledger) or _limited(clause, ledger, cut)
    if gap is None:
        gap = Gap(_why_not(clause, ledger), choice=_choice(ledger))
    wanted = f"Evidence needed: {clause.evidence[0].lower()}{clause.evidence[1:]}"
    remedy = gap.remedy or (f"A run {gap.choice} may determine it." if gap.choice else "")
    return Gap(f"{gap.why} {wanted}", remedy, gap.choice)


def remedy_of_suspicions(terms: Terms) -> str:
    """What may decide a clause that is still suspected after all experiments."""
    longer = "" if terms.profile == LARGE_PROFILE else f", or a longer one (--profile {LARGE_PROFILE}),"
    return f"A run while nobody else changes the deployment{longer} may decide it."


def needs_writing(clause_id: str) -> bool:
    """Whether evidence for a clause needs more than the two read operations."""
    return clause_id.startswith("create.") or clause_id in {
        "animal.id.unique", "list.complete", "list.status.complete", "auth.missing.create", "auth.untraced", "methods.allow"
    }  # fmt: skip


def needs_creations(clause_id: str) -> bool:
    """Whether evidence for a clause needs create requests, each of which counts towards the limit of created animals."""
    return needs_writing(clause_id) and clause_id != "methods.allow"


def _beyond_choice(clause: Clause, ledger: Ledger) -> Gap | None:
    """The gap that no choice of the user's causes; ``None`` if there is none."""
    if not any(each.response for each in ledger.exchanges):
        return Gap("No request got a response.")
    put_off = put_off_for_status(ledger) if clause.id == "create.status.accepted" else {}
    if put_off and ledger.creations:
        status, asked = next(iter(put_off.items()))
        return Gap(
            f"Create requests with status {status} were only asked to wait: {counted(asked)}.",
            "Run it again later, with a lower --rate, or with a key that may create such animals.",
        )
    if needs_creations(clause.id) or _is_short_of_animals(clause, ledger):
        valid = [each for each in creations(ledger, valid=True) if each.status]
        if valid and not ledger.creations and needs_creations(clause.id):
            return _nothing_accepted(valid)
        waits = throttled_at_last(ledger)
        if len(waits) >= ENOUGH:
            return _throttled(waits)
        rejected = rejected_in_a_row(ledger)[-1]
        if len(rejected) >= ENOUGH and ledger.creations:
            return Gap(
                f"Create requests like accepted ones were rejected from some point on: {counted(rejected)}."
                f"{_quoted(rejected[-1])}",
                OF_A_RESPONSE,
            )
        forbidden = [*takewhile(lambda each: each.status in KEY_REFUSED, reversed(valid))]
        if len(forbidden) >= ENOUGH and ledger.creations:
            return Gap(
                f"From some point on, create requests were rejected like a wrong key: {counted(forbidden)}."
                f"{_quoted(forbidden[0])}",
                "Use a key that may create more animals, or --read-only to judge the rest.",
            )
    if clause.id == FILTERED and any(may_never_change(ledger, page) for page in _largest(ledger)):
        return Gap(
            "Filtered lists have always held the animals that there were at first: a cap of just as many looks the same as "
            "lists that never change.",
            "Run it on a store with other animals, more of one status than of another.",
        )
    if clause.id.startswith("list.") and not ledger.successes[Operation.LIST] and lists_answered(ledger):
        return Gap("No list request succeeded.")
    aside, unanswered, others = set_aside(clause, ledger)
    if unanswered >= ENOUGH and not others:
        return Gap(
            f"None of {unanswered} requests that could have been evidence got a response.",
            "Check why they get none; allow more time for each with --timeout.",
        )
    if aside and not others:
        locked = any(
            each.request.credential.invalid and retry_after_s(each.response) > PATIENCE_S for each in aside
        )
        return Gap(
            f"All responses that could have been evidence were set aside: {counted(aside)}.",
            FEWER_LOCKS
            if locked
            else "Run it again when the deployment is less busy, or with a lower --rate.",
        )
    return None


def _largest(ledger: Ledger) -> list[Page]:
    return [page for page in ledger.pages if page.limit == ledger.contract.limit_maximum]


def _nothing_accepted(tried: list[Exchange]) -> Gap:
    last = tried[-1]
    if any(each.status == 403 for each in tried):
        return Gap(
            "The key is not allowed to create (403).", "Use --read-only to judge the rest, or another key."
        )
    if all(asks_for_patience(each.response) for each in tried):
        return _throttled(tried)
    made = [each.response for each in tried if each.response and each.status == 201]
    if made:
        deep = all(each.json.problem == TOO_DEEP for each in made)
        shown = f"could be read: its JSON is {TOO_DEEP}" if deep else "shows an animal with its id"
        return Gap(
            f"None of the {len(made)} responses with 201 {shown}.",
            "Fix these responses first: an animal counts as created only if the 201 shows it with its id.",
        )
    taken = [each.status for each in tried if 200 <= each.status < 300]
    if taken:
        codes = ", ".join(map(str, sorted(set(taken))))
        return Gap(
            f"No create request was answered with 201: {len(taken)} were answered with {codes}.",
            "Fix create.answer first: an animal counts as created only if the response is a 201.",
        )
    return Gap(
        f"No create request was accepted.{_quoted(last)}",
        f"If the category is the reason, pass an accepted one with --category-id; otherwise {OF_A_RESPONSE[0].lower()}{OF_A_RESPONSE[1:]}",
    )


def _quoted(last: Exchange) -> str:
    """The response to the last of some requests, in a sentence."""
    return (
        f" The last answer: {shorten(last.response.body.decode(errors='replace'), 120)}."
        if last.response
        else ""
    )


def _throttled(waits: list[Exchange]) -> Gap:
    asked_s = min(retry_after_s(each.response) for each in waits)
    # A shorter wait means a limit on the rate, not a quota.
    if asked_s > PATIENCE_S:
        asked = f"{asked_s:.0f} s" if isfinite(asked_s) else "forever"
        return Gap(
            f"The deployment asks to wait {asked} before the next creation: {counted(waits)}.",
            "Run it again when that time is over, or with a key that may create more.",
        )
    return Gap(
        f"The deployment asked to wait instead of creating: {counted(waits)}.",
        "Run it again later, or with a lower --rate.",
    )


def _is_short_of_animals(clause: Clause, ledger: Ledger) -> bool:
    """Whether there are too few animals for a clause that needs some number of them."""
    return len(ledger.animals) <= MORE_THAN.get(clause.id, -1)


def _ids_are_unreadable(ledger: Ledger) -> bool:
    """Whether lists hold animals and none has an id that can be read: no other run would get further."""
    return not ledger.animals and any(page.length for page in ledger.pages)


def _few_animals(ledger: Ledger) -> str:
    """How many animals were seen, in a sentence; lists may hold some without a readable id."""
    if _ids_are_unreadable(ledger):
        return "No animal with a readable id was seen."
    return f"The deployment returned only {plural(len(ledger.animals), 'animal')}."


def _limited(clause: Clause, ledger: Ledger, cut: Cut | None) -> Gap | None:
    """The gap that a limit of the run causes; ``None`` if there is none."""
    terms, animals = ledger.terms, len(ledger.animals)
    few = _is_short_of_animals(clause, ledger)
    said = _few_animals(ledger) if few else ""
    if terms.read_only or _ids_are_unreadable(ledger):
        return None
    if cut:
        larger = LARGER_PROFILE if terms.profile == SMALL_PROFILE else MORE_REQUESTS
        return Gap(cut.why, choice=larger if cut.limit is Limit.REQUESTS else MORE_TIME)
    if few and terms.profile == SMALL_PROFILE:
        return Gap(said, choice=LARGER_PROFILE)
    if terms.creates is not None and (few or needs_creations(clause.id)):
        made = len(ledger.stored)
        if made >= terms.creates:
            return Gap(
                f"{said} The run has used up its limit of {plural(terms.creates, 'created animal')}.".strip(),
                choice=MORE_CREATES,
            )
        found = animals - len(ledger.creations)
        if few and found + terms.creates <= MORE_THAN[clause.id]:
            return Gap(f"{said} The run may create {terms.creates}.", choice=MORE_CREATES)
    return None


def _choice(ledger: Ledger) -> str:
    """What a run needs to get further than this one."""
    terms = ledger.terms
    if terms.read_only:
        return WITHOUT_READ_ONLY
    if _ids_are_unreadable(ledger):
        return ""
    if terms.profile == SMALL_PROFILE:
        return LARGER_PROFILE
    return WITHOUT_CLAUSE if terms.selected else ""


def _why_not(clause: Clause, ledger: Ledger) -> str:
    aside, _, _ = set_aside(clause, ledger)
    rest = f" Responses were set aside: {counted(aside)}." if aside else ""
    if clause.id.startswith("create.") and not ledger.creations:
        return "No create request was accepted."
    if clause.id.startswith("list.limit.") and not ledger.successes[Operation.LIST]:
        return "No list request succeeded."
    if _is_short_of_animals(clause, ledger):
        return f"{_few_animals(ledger)}{rest}"
    longest = ledger.contract.limit_maximum
    # Only a filtered list says something about the filter.
    lists = [page for page in ledger.pages if page.status is not None or clause.id == "list.complete"]
    if clause.id in COMPLETENESS and any(page.length == page.limit == longest for page in lists):
        return f"Some lists were full at limit {longest}, so a missing animal may be on a later page.{rest}"
    return f"No exchange could have revealed a violation.{rest}"
