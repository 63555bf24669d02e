"""A rejected create request leaves no trace: no list shows its animal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion, as_json, shorten
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import heads_in, is_own, is_own_category
from animal_conformance.judge.rules.doubled import kept_beside_its_namesake
from animal_conformance.record.exchange import Exchange
from animal_conformance.record.jsontext import is_integer

# A request that got one of these may have created an animal all the same.
UNCLEAR: Final = frozenset({408, 429})


def _untraced(case: Case, *, refused: bool) -> Opinion:
    """An animal whose create request was rejected (``refused``: with a 4xx; else with 401 for its key) is never listed.

    Nobody else uses a name that the run made up, so one listed animal is enough; any other name proves nothing.
    Evidence: a list that contains an animal whose create request was sent after the rejection was received.
    """
    ledger, sent_s = case.ledger, case.sent_s
    if case.operation is not Operation.LIST or not ledger.creations:
        return None
    # The id of the run's first animal is mixed into the names: those sent before may have been used by an earlier run.
    unique_s = ledger.creations[0].answered_s
    refusals = ledger.names.refused if refused else ledger.names.unauthorised
    by_heads = ledger.survey(("rejected, by heads", refused), lambda: _by_heads(ledger, refused=refused))
    for place, animal in case.animal_objects:
        shown = animal.get("name")
        if not isinstance(shown, str):
            continue
        name = shown if shown in refusals and is_own(shown) else _altered(animal, shown, by_heads, ledger)
        if name is None:
            continue
        refusal = refusals[name][0]
        seen_s = ledger.names.seen.get(shown, sent_s)
        if not ledger.names.never_made(name) or seen_s < refusal.sent_s or refusal.sent_s < unique_s:
            continue  # the name was accepted at another time, or an earlier run left the animal
        return Finding(
            f"An animal whose create request returned {refusal.status} is listed, at {place}.",
            "no animal with this name",
            shorten(as_json(animal)),
            related=(refusal,),
        )
    answered = ledger.names.first_refusal_answered_s(refused=refused)
    if answered is None:
        return None
    for animal_id, _ in case.identified:
        creation = ledger.animals[animal_id].creation
        if creation is not None and creation.sent_s > answered:
            return EVIDENCE
    return None


def _altered(
    animal: dict[str, Any], shown: str, by_heads: Mapping[str, str | None], ledger: Ledger
) -> str | None:
    """The rejected name that was stored in another case, with another end, or with something in front; else ``None``.

    Nobody else knows how such a name begins. An animal that the run created is there by right, whatever its name now.
    """
    known = ledger.animals.get(animal["id"]) if is_integer(animal.get("id")) else None
    if known is not None and known.creations:
        return None
    names = [by_heads[each] for each in heads_in(shown) if each in by_heads]
    return names[0] if names and None not in names else None


def _by_heads(ledger: Ledger, *, refused: bool) -> dict[str, str | None]:
    """The rejected names by how they begin; ``None`` where a name that may have been stored begins in the same way."""
    names = ledger.names
    rejected = names.refused if refused else names.unauthorised
    by_heads: dict[str, str | None] = {}
    for each in filter(is_own, rejected):
        by_heads.setdefault(heads_in(each)[0], each)
    for each in (*names.accepted, *names.unclear):
        by_heads.update(dict.fromkeys(heads_in(each)))
    return by_heads


def _nameless(case: Case) -> Finding | None:
    """A finding if a listed animal has a categoryId that the run made up and sent only in rejected requests."""
    if case.operation is not Operation.LIST:
        return None
    for place, animal in case.animal_objects:
        refusal = rejected_with(case.ledger, animal.get("categoryId"))
        if refusal is not None:
            return Finding(
                f"An animal whose create request returned {refusal.status} is listed, at {place}.",
                "no animal with this categoryId",
                shorten(as_json(animal)),
                related=(refusal,),
            )
    return None


def rejected_with(ledger: Ledger, category_id: object) -> Exchange | None:
    """The first create request with a categoryId that the run made up, if all such requests were rejected."""
    if not is_own_category(category_id):
        return None
    sent = ledger.survey("own categories", lambda: _by_category(ledger)).get(category_id, ())
    rejected = all(400 <= each.status < 500 and each.status not in UNCLEAR for each in sent)
    return sent[0] if sent and rejected else None


def _by_category(ledger: Ledger) -> dict[int, list[Exchange]]:
    """The create requests with a categoryId that the run made up, by that categoryId."""
    sent: dict[int, list[Exchange]] = defaultdict(list)
    for each in ledger.exchanges:
        payload = ledger.reading(each).payload or {}
        if is_own_category(payload.get("categoryId")):
            sent[payload["categoryId"]].append(each)
    return sent


def rejected(case: Case) -> Opinion:
    """create.refusal.untraced: no list shows a rejected animal, or a second one with a name that was already taken."""
    opinion = _nameless(case) or _untraced(case, refused=True)
    if isinstance(opinion, Finding):
        return opinion
    beside = kept_beside_its_namesake(case)
    return opinion if beside is None or beside is EVIDENCE else beside


RULES = {"create.refusal.untraced": rejected, "auth.untraced": lambda case: _untraced(case, refused=False)}
