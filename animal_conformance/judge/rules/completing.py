"""Lists are complete: what was added is listed, and filters leave nothing out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from animal_conformance.judge.case import EVIDENCE, Case, Explained, Finding, Opinion, Suspicion, shorten
from animal_conformance.judge.experiments import (
    CACHED,
    CAPPED,
    SAMPLED,
    TURNS,
    WITHDRAWN,
    Experiment,
    among_new,
    in_turns,
    once,
)
from animal_conformance.judge.knowledge.absence import (
    Turns,
    added_by,
    has_room,
    is_filtered_last,
    is_gone,
    lacks_others,
    may_be_scanned,
    room_of,
    shown_in,
    some_are_gone,
    stops,
    surrounds,
    turns_of,
)
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.caps import Cap, cap_since
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.lacking import has_room_for, is_cut, lacks_only_own, worth_asking_for
from animal_conformance.judge.knowledge.order import is_behind, out_of_front
from animal_conformance.judge.knowledge.presence import LONGEST_S, declared_age_s
from animal_conformance.judge.knowledge.thinning import is_thinned, smaller_limits, stands_amid
from animal_conformance.judge.suspicions.lists.behind import behind
from animal_conformance.judge.suspicions.lists.blanks import empty_now_and_then
from animal_conformance.judge.suspicions.lists.carried_over import carried_over
from animal_conformance.judge.suspicions.lists.cookied import lacks_with_cookies
from animal_conformance.judge.suspicions.lists.cut_meanwhile import is_cut_by_chance, was_cut
from animal_conformance.judge.suspicions.lists.cut_short import cut_short
from animal_conformance.judge.suspicions.lists.early import gone_back, too_early
from animal_conformance.judge.suspicions.lists.emptiness import empty
from animal_conformance.judge.suspicions.lists.forgotten import forgotten
from animal_conformance.judge.suspicions.lists.frozen import frozen, small_frozen
from animal_conformance.judge.suspicions.lists.left_out import RECENT, left_out
from animal_conformance.judge.suspicions.lists.lowered import growing
from animal_conformance.judge.suspicions.lists.outdated import outdated
from animal_conformance.judge.suspicions.lists.overlooked import overlooked
from animal_conformance.judge.suspicions.lists.passed_over import passed_over
from animal_conformance.judge.suspicions.lists.recurring import comes_and_goes
from animal_conformance.judge.suspicions.lists.taken_away import is_taken_away, unless_taken_away
from animal_conformance.judge.suspicions.lists.unmodified import unmodified
from animal_conformance.record.exchange import Exchange

# A creation with a longer body is shown only if no shorter one shows the same.
LONG_CHARACTERS: Final = 200

# What shows that a list was not cut before the place of the animals that it lacks.
ROOM: Final = "had room for more"
FULL: Final = "is full, but extends past the place of the missing animals in its order,"
AMID: Final = "shows older and newer animals of the run, in the order of their creation,"

# Which lists an animal is missing from that a filtered one lacks.
FROM_FILTER, FROM_ALL, BEYOND_ALL, UNCLEAR = "filter", "all", "beyond all", "unclear"


def _holds_added(case: Case, *, filtered: bool) -> Opinion:
    """Created animals are listed; a list that is ``filtered`` omits no animal with the requested status."""
    page = case.ledger.completeness.by_exchange.get(id(case.exchange))
    if page is None:
        return unmodified(case, filtered=filtered)
    if filtered and page.status is None:
        return None
    mine = filtered == (page.status is not None)
    if not page.length:
        return (empty_now_and_then(case, page) or empty(case, page)) if mine else None
    if page.limit < case.contract.limit_maximum and (page.query or not has_room(case.ledger, page)):
        return (small_frozen(case, page) or outdated(case, page)) if mine else None
    # A list without parameters may be an editor's choice: only what the run has added counts against it.
    mine = mine and bool(page.query)
    asked = (cut_short, lacks_with_cookies, outdated, carried_over) if mine else ()
    told = next((said for ask in asked if (said := ask(case, page))), None)
    if isinstance(told, Finding | Suspicion):
        return told
    added = added_by(case.ledger, page, page.as_of_s)
    missing = [each for each in added if each.animal_id not in page.id_set]
    missing = missing if page.ends_early else out_of_front(case.ledger, page, missing)
    opinion = _missing_from(case, page, missing, filtered=filtered) if missing else None
    if mine and not isinstance(opinion, Finding | Suspicion):
        opinions = [ask(case, page) for ask in (forgotten, left_out, passed_over, behind)]
        kinds = (Finding, Suspicion, Explained)
        opinion = next((each for kind in kinds for each in opinions if isinstance(each, kind)), opinion)
    if not page.ends_early:
        return opinion
    if opinion is None and mine:
        opinion = too_early(case, page) or gone_back(case, page) or overlooked(case, page)
    return opinion or (EVIDENCE if _could_have_failed(case, page, filtered=filtered) else None)


def _could_have_failed(case: Case, page: Page, *, filtered: bool) -> bool:
    lists = case.ledger.completeness
    own = [each for each in page.ids if case.ledger.animals[each].creation is not None]
    if not own or not lists.shows_all(page):
        return False
    if not filtered or any(each in beside.id_set for beside in lists.beside(page) for each in own):
        return True
    made = (case.ledger.animals[each].creation for each in own)
    return any(each is not None and _is_beyond_all(case, page, each) for each in made)


def _missing_from(case: Case, page: Page, missing: list[Creation], *, filtered: bool) -> Opinion:
    """What it means that a page lacks animals: each may be gone, and the page may be cut or show a choice of animals."""
    if filtered == (page.status is not None):
        for creation in missing:
            opinion = comes_and_goes(case, page, creation)
            if opinion is not None:
                return opinion
    missing = [each for each in missing if not is_filtered_last(case.ledger, page, each.animal_id)]
    if not missing or may_be_scanned(case.ledger, page):
        return Explained(CAPPED)
    lists = case.ledger.completeness
    front = out_of_front(case.ledger, page, missing)
    cap = cap_since(case.ledger, page)
    longer = None if cap is Cap.LOWERED else lists.longer(page, room_of(page, missing, case.ledger))
    lacking = None if longer or front else lacks_only_own(case.ledger, page)
    own = longer is None and bool(front or (lacking and lacking.is_told))
    missing = front if own and front else missing
    missing = missing if longer is None else _not_cut(case, page, longer, missing)
    if longer is None and not own and any(stops(case.ledger, each) for each in (page, lists.alike(page)[-1])):
        there = (each for each in missing if not is_gone(case.ledger, page, each.animal_id))
        first = next(there, None) if filtered == (page.status is not None) else None
        if first and lacking:
            return _suspected(case, page, first, lacking.asked_after(lists.alike(page)[-1]))
        return (frozen(case, page, first) if first else None) or Explained(CAPPED)
    opinion = None
    asked = worth_asking_for(case.ledger, page, missing)
    for creation in sorted(asked, key=lambda each: len(each.body) > LONG_CHARACTERS):
        said = _missed(case, page, creation, filtered=filtered)
        if isinstance(said, Turns):
            return _in_doubt(case, page, missing, creation, said, longer=longer, own=own)
        if isinstance(said, Suspicion) and WITHDRAWN not in said.explanations:
            return said
        if isinstance(said, Suspicion) and isinstance(opinion, Suspicion):
            opinion = replace(opinion, experiments=(*said.experiments, *opinion.experiments))
        elif opinion is None or isinstance(said, Suspicion):
            opinion = said
    return opinion if missing else Explained(CAPPED)


def _in_doubt(
    case: Case,
    page: Page,
    missing: list[Creation],
    creation: Creation,
    turns: Turns,
    *,
    longer: Page | None,
    own: bool,
) -> Opinion:
    """The finding that an animal is missing; a suspicion if its query may be cut, as limits count more or a cap is lower."""
    ledger = case.ledger
    if not own and (longer is None or cap_since(ledger, page) is Cap.MAYBE):
        by_bytes = room_of(page, [creation], ledger) if longer is None else 0
        return _suspected(case, page, creation, growing(ledger, page, by_bytes))
    if longer is None or not _shows_more(case, page, longer):
        proof = case.exchange if longer is None else longer.exchange
        return _finding(page, missing, creation, proof, turns)
    if stands_amid(ledger, page, creation):
        return _finding(page, missing, creation, case.exchange, turns, why=AMID)
    finding = _finding(page, missing, creation, longer.exchange, turns)
    if is_thinned(ledger, page) is not None:
        return finding
    last = ledger.completeness.alike(page)[-1]
    if is_thinned(ledger, last) is not None:
        return Explained(CAPPED)  # lists have become too short to tell; these are judged themselves
    return Suspicion(finding, f"animal {creation.animal_id}", (smaller_limits(last, ledger.terms.settle_s),))


def _suspected(case: Case, page: Page, creation: Creation, experiments: tuple[Experiment, ...]) -> Suspicion:
    finding = _finding(page, [creation], creation, case.exchange, Turns((), (), 0))
    return Suspicion(finding, f"animal {creation.animal_id}", experiments)


def _not_cut(case: Case, page: Page, longer: Page, missing: list[Creation]) -> list[Creation]:
    """Those of the missing animals that a longer page shows not to have been cut off.

    If the longer page shows other animals that this one lacks, or this one lacks animals of others, limits may count
    animals that lists leave out. Then an animal that comes after all that the page shows may be behind its end, unless
    until the longer page the query showed everything but what was added. If limits certainly do, this holds for every
    animal, unless the page shows both older and newer ones.
    """
    if not _shows_more(case, page, longer):
        return missing
    ledger, thinned = case.ledger, is_thinned(case.ledger, page)
    lacking = lacks_only_own(ledger, page, longer.sent_s) if page.sent_s < longer.sent_s else None
    only_own = lacking is not None and lacking.is_told
    return [
        each
        for each in missing
        if stands_amid(ledger, page, each)
        or not (thinned or (is_behind(ledger, page, each) and not only_own))
    ]


def _shows_more(case: Case, page: Page, longer: Page) -> bool:
    """Whether a page lacks settled animals that a longer one shows, or animals of others that lists show."""
    settled_s = page.as_of_s - case.ledger.terms.settle_s
    shown = {each for each in longer.ids if case.ledger.animals[each].known_since_s <= settled_s}
    return not shown <= page.id_set or lacks_others(case.ledger, page)


def _missed(case: Case, page: Page, creation: Creation, *, filtered: bool) -> Turns | Opinion:
    """The turns in which one animal was missing and shown, or else what its absence from a page means."""
    ledger, animal_id = case.ledger, creation.animal_id
    alike = ledger.completeness.alike(page)
    if ledger.completeness.has_shown(page, animal_id):
        return Explained(SAMPLED)  # this query has shown it before: pages may change
    where = FROM_ALL if page.status is None else _missing_where(case, page, creation)
    if where is None or filtered != (where is not FROM_ALL):
        return None
    beside = ledger.completeness.beside(page)
    shown = (
        [each.exchange for each in beside if each.shows(animal_id, page.status)]
        if where is FROM_FILTER
        else shown_in(ledger, creation, page.status)
    )
    if ledger.get_pet_is_removed and _was_moved(case, creation, page):
        return None  # nothing but lists can show that it has come back
    since = islice(alike, bisect_left(alike, page.sent_s, key=lambda each: each.sent_s), None)
    absences = _until_shown(case, since, creation, full=not page.ends_early)
    turns = turns_of(ledger, absences, shown, needed=not ledger.get_pet_is_removed)
    gone = is_gone(ledger, page, creation.animal_id)
    if turns.complete and (where is FROM_ALL or (where is not UNCLEAR and not gone)):
        return _in_turns(case, page, creation, turns, shown)
    if gone:
        return None  # covered by get.found, or by create.status.exact where getPet tells another status
    if ledger.get_pet_is_removed and not turns.complete and is_taken_away(ledger, page, creation):
        return Explained(WITHDRAWN)
    if animal_id in alike[-1].id_set or turns.are_a_choice:
        return Explained(SAMPLED)
    beyond = page.status is not None and beside and beside[-1].sent_s >= page.answered_s
    if beyond and animal_id not in beside[-1].id_set:
        return Explained(CAPPED)  # beyond the page without the filter, it may be beyond the scan
    return _asked_again(case, page, creation, turns, shown)


def _asked_again(
    case: Case, page: Page, creation: Creation, turns: Turns, shown: Sequence[Exchange]
) -> Turns | Opinion:
    """The suspicion that an animal is missing, first of all unless it is gone; the turns if that is decided without getPet."""
    ledger, animal_id = case.ledger, creation.animal_id
    last = ledger.completeness.alike(page)[-1]
    finding, about = _finding(page, [creation], creation, case.exchange, turns), f"animal {animal_id}"
    if not ledger.get_pet_is_removed and not any(
        each.sent_s >= page.answered_s for each in ledger.gets[animal_id]
    ):
        # Many may be gone at once: each is asked for before lists are.
        return Suspicion(finding, about, (once(WITHDRAWN, f"/pets/{animal_id}", last.answered_s),))
    stored_s = max(map(declared_age_s, shown), default=0.0)
    if stored_s > LONGEST_S:
        return unless_taken_away(ledger, page, creation, turns, finding)
    unfiltered = [] if page.status is None else [page.target_of_all]
    targets = [case.exchange.request.target, *unfiltered, f"/pets/{animal_id}"]
    # A page that is full by now would only be full again. Since the creation's time stays the same, this is done once.
    from_s = stored_s + (last.answered_s if last.ends_early else creation.answered_s)
    kept_s = declared_age_s(case.exchange)
    if TURNS * kept_s <= LONGEST_S:
        # Forwards and backwards, a list stands before each getPet.
        again = targets[:1] if kept_s else []
        turns_apart = in_turns(SAMPLED, (*targets, *again), from_s, max(stored_s, kept_s))
        return Suspicion(finding, about, (turns_apart,))
    listed = (ledger.animals[each].creation for each in page.ids)
    like = next((each for each in listed if each is not None), None)
    if like is None:
        return Explained(CACHED)
    return Suspicion(finding, about, (among_new(SAMPLED, tuple(targets), like.body, from_s),))


def _in_turns(
    case: Case, page: Page, creation: Creation, turns: Turns, shown: Sequence[Exchange]
) -> Turns | Opinion:
    """The turns in which an animal was missing and shown, unless pages were cut, or it may have been gone by then."""
    ledger, alike = case.ledger, case.ledger.completeness.alike(page)
    begin, end = (alike.index(turns.absences[at]) for at in (0, -1))
    around = alike[max(0, begin - RECENT) : end + 1 + RECENT]
    if was_cut(case, turns.absences) or is_cut_by_chance(case, turns.absences[0], around):
        return Explained(CAPPED)
    settled_s = turns.absences[0].answered_s + ledger.terms.settle_s
    if ledger.get_pet_is_removed and not any(each.sent_s >= page.answered_s for each in shown):
        finding = _finding(page, [creation], creation, case.exchange, turns)
        return unless_taken_away(ledger, page, creation, turns, finding)
    if (
        ledger.get_pet_is_removed
        or not some_are_gone(ledger)
        or any(each.sent_s >= settled_s for each in shown)
    ):
        return turns
    # getPet may lag behind a withdrawal, as lists may behind a creation.
    if is_gone(ledger, page, creation.animal_id):
        return None  # covered by get.found
    finding, animal_id = _finding(page, [creation], creation, case.exchange, turns), creation.animal_id
    return Suspicion(finding, f"animal {animal_id}", (once(WITHDRAWN, f"/pets/{animal_id}", settled_s),))


def _was_moved(case: Case, creation: Creation, page: Page) -> bool:
    """Whether an animal was last returned with another status than the one that a page is filtered by."""
    sightings = case.ledger.animals[creation.animal_id].sightings
    last = max(sightings, key=lambda each: each.last.sent_s, default=None)
    return page.status is not None and last is not None and last.animal.get("status") != page.status


def _until_shown(case: Case, pages: Iterable[Page], creation: Creation, *, full: bool) -> list[Page]:
    """The pages before the first that shows an animal: those that had room for it, or all of them if ``full``.

    A page without room counts too if the animal stands amid those that it shows.
    """
    absences = []
    for page in pages:
        if creation.animal_id in page.id_set:
            break
        if full or page.ends_early or stands_amid(case.ledger, page, creation):
            absences.append(page)
    return absences


def _missing_where(case: Case, page: Page, creation: Creation) -> str | None:
    """Whether an animal is missing from the filtered list alone or from every list; ``None`` if nothing tells.

    A page without the filter that shows the animal also shows that a scan reaches it. If no list ever showed it, both
    have to show older and newer animals, so that neither ends before it, or the unfiltered one has to be full before.
    """
    made_s = creation.answered_s
    beside = [each for each in case.ledger.completeness.beside(page) if each.sent_s >= made_s]
    if any(creation.animal_id in each.id_set for each in beside):
        return FROM_FILTER
    if not beside:
        return UNCLEAR
    settled_s = made_s + case.ledger.terms.settle_s
    if any(each.as_of_s >= settled_s and has_room_for(case.ledger, each, creation) for each in beside):
        return None  # that page is judged itself
    if case.ledger.animals[creation.animal_id].listed or not surrounds(case.ledger, page, creation):
        return None
    if _is_beyond_all(case, page, creation):
        return BEYOND_ALL
    around = [each for each in beside if surrounds(case.ledger, each, creation)]
    return FROM_ALL if around and not page.id_set <= around[-1].id_set else None


def _is_beyond_all(case: Case, page: Page, creation: Creation) -> bool:
    """Whether lists without the filter end with older animals ever since, while the filtered page shows newer ones too."""
    since_s, known = creation.answered_s, case.ledger.animals
    beside = [each for each in case.ledger.completeness.beside(page) if each.sent_s >= since_s]
    return (
        bool(beside)
        and surrounds(case.ledger, page, creation)
        and all(
            is_cut(case.ledger, each) and all(known[other].known_since_s < since_s for other in each.ids)
            for each in beside
        )
    )


def _finding(
    page: Page, missing: list[Creation], creation: Creation, longer: Exchange, turns: Turns, why: str = ""
) -> Finding:
    why = why or (ROOM if page.ends_early else FULL)
    excluded = [(CAPPED, longer)]
    excluded += [(SAMPLED, each.exchange) for each in turns.absences[-1:]]
    excluded += [(WITHDRAWN, each) for each in turns.shown[-1:]]
    return Finding(
        f"{page.words} that {why} leaves out animals that were added: "
        f"{shorten(', '.join(str(each.animal_id) for each in missing), 100)}.",
        "every animal that the run added to it and that is still there",
        page.without(creation.animal_id),
        related=page.beside(creation.exchange, *(each for _, each in excluded)),
        excluded=tuple(excluded),
    )


RULES = {
    "list.complete": lambda case: _holds_added(case, filtered=False),
    "list.status.complete": lambda case: _holds_added(case, filtered=True),
}
