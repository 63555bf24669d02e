"""Reading back what was created: it is found, it is listed, and nothing that was rejected is listed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

from animal_conformance.drive.experiments import affordable, asked_for, perform, unaffordable
from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.judge.experiments import CACHED, Create, Experiment
from animal_conformance.judge.gaps import COMPLETENESS
from animal_conformance.judge.knowledge.animals import Animal
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.order import ahead_of_end, gaps_of, may_be_in_front, out_of_front
from animal_conformance.record.exchange import Credential, Exchange
from animal_conformance.record.jsontext import is_integer

# More than a list may contain.
ENOUGH = 101
# The most that a run creates where there are enough animals already.
FOOTPRINT = 80
# Creations go first to what shows rejections, then to each clause once; only if this many are left, to anything else.
PLENTY = 40
# How many experiments a clause gets in the first round, and the factor by which this grows in each further one.
FIRST = 3
GROWTH = 2
# How many experiments are performed at once, of those that need no further animals.
MOST_ASKED = 3
# How often a run waits for the settling time: after that, animals that are missing have been found missing before.
MOST_WAITS = 2
# How many of the missing animals are read one by one.
MOST = 8
# How many of the animals that only other clients were shown are read.
FEW = 3


def audit(store: Store) -> None:
    """Get every created animal that has not been read since, and request the lists that should contain them.

    If an animal is missing, the same requests are sent again after the settling time. What still looks wrong then is
    requested in turns right away, since lists become full as the run goes on, and full lists prove nothing.
    """
    missing = _missing(store)
    if not missing or store.times_settled >= MOST_WAITS:
        return
    store.times_settled += 1
    settle(store)
    _listings(store)
    store.side_by_side(sorted(missing)[: MOST if store.profile.thorough else 3], Lane.get_pet)
    _ask_before_lists_fill_up(store)


def put_to_the_test(store: Store, clauses: Collection[str] | None = None) -> None:
    """Perform the experiments that suspicions ask for and that were not performed yet, until no new one is asked for.

    :param clauses: the ids of the clauses that are put to the test; ``None`` for all.
    :raises Spent: where experiments are asked for, and the limits of the run would end each of them halfway.
    """
    most = FIRST
    while asked := asked_for(store.heard(), store.performed, most, clauses):
        new = affordable(asked, store.client.budget)
        if not new:
            raise unaffordable(asked[0], store.client.budget)
        store.performed.update(new)
        perform(store, new)
        most *= GROWTH


def creates_left(store: Store) -> int:
    """How many animals may still be created; a deployment that already had many gets only some more."""
    found = len(store.ledger.animals) - len(store.ledger.creations)
    left = store.creates_left()
    return left if found < ENOUGH else min(left, FOOTPRINT - len(store.ledger.creations))


def _ask_before_lists_fill_up(store: Store) -> None:
    """Perform some of the experiments that need lists with room; the last time, also those that need a list of what getPet denies.

    Those that create animals, or wait for stored responses to expire, are performed at the end.
    """
    tallies = store.heard().tallies

    def asked(names: Iterable[str]) -> list[Experiment]:
        of_them = (wanted for name in names if name in tallies for wanted in tallies[name].asked)
        without = (
            wanted
            for wanted in dict.fromkeys(of_them)
            if wanted.explanation != CACHED and not any(isinstance(step, Create) for step in wanted.steps)
        )
        return list(islice(without, MOST_ASKED))

    retrievals = asked(["get.found"]) if store.times_settled == MOST_WAITS else []
    perform(store, [*asked(sorted(COMPLETENESS)), *retrievals])


def _missing(store: Store) -> set[int]:
    """The animals that were created or listed elsewhere, but are not found, or are left out of a list without a reason."""
    made = [animal for animal in store.ledger.animals.values() if animal.creation is not None]
    # In the order of the requests, not of the responses.
    made.sort(key=lambda animal: [(each.exchange.sequence, each.exchange.step) for each in animal.creations])
    unseen = [each.animal_id for each in made if not store.seen_since(each)]
    # Clients may be served from different stores; where animals go away, many are shown to nobody else.
    unseen += [each.animal_id for each in made if _is_shown_to_other_clients_alone(each)][:FEW]
    # Once a run no longer waits, what is missing already is left to the experiments.
    missing = lost(store) if store.times_settled >= MOST_WAITS else set()
    store.side_by_side((each for each in unseen if each not in missing), Lane.get_pet)
    late = lost(store).intersection(unseen)
    if late and store.times_settled < MOST_WAITS:
        # Before any list: getPet may know only what a list has shown.
        store.times_settled += 1
        settle(store)
        store.side_by_side(sorted(late), Lane.get_pet)
    pages = _listings(store)
    unlisted = {each for page in pages for each in _unlisted(store, page, made)}
    return unlisted | _overlooked(pages) | lost(store)


def _is_shown_to_other_clients_alone(animal: Animal) -> bool:
    """Whether an animal that another client created was shown to such clients, and not to the suite itself."""
    shown = [each.last.request.voice for each in animal.sightings]
    return bool(animal.creations[-1].exchange.request.voice and shown) and all(shown)


def _unlisted(store: Store, page: Page, made: list[Animal]) -> set[int]:
    """The run's animals that a page lacks, although it has room, or shows animals that stand around or behind them."""
    if not page.query and not has_grown(store, page.length):
        return set()
    lacking = [
        creation
        for animal in made
        if (creation := animal.creation) is not None
        and creation.reading.valid
        and animal.animal_id not in page.id_set
        and page.status in (None, creation.payload.get("status", creation.answer.get("status")))
    ]
    if not page.ends_early:
        if ahead_of_end(store.ledger, page, lacking):
            # The page may be a selection, which leaves out other animals as well.
            store.side_by_side(gaps_of(store.ledger, page), Lane.get_pet)
        told = out_of_front(store.ledger, page, lacking)
        lacking = told or may_be_in_front(store.ledger, page, lacking)
    return {each.animal_id for each in lacking}


def _overlooked(pages: list[Page]) -> set[int]:
    """The animals that the list without a filter shows with a status, but the list of that status does not show."""
    return {
        animal_id
        for plain in pages
        if plain.status is None
        for page in pages
        if page.status is not None and page.ends_early
        for animal_id, status in zip(plain.ids, plain.statuses, strict=True)
        if status == page.status and animal_id not in page.id_set
    }


def list_apart(lane: Lane, status: str | None, limit: int | None = 100) -> Exchange:
    """List the largest page, or that of another limit or none, on a connection of its own: worker processes may differ for just one filter.

    Where there are several lanes, each has its own connection anyway.
    """
    if lane.store.profile.thorough and lane.store.lanes.width == 1:
        lane.reconnect()
    return lane.list_pets(limit=limit, status=status)


def ends_of(answer: Exchange) -> list[int]:
    """The ids of the first and the last animal of a list."""
    animals = answer.value if isinstance(answer.value, list) else []
    ids = [each["id"] for each in animals if isinstance(each, dict) and is_integer(each.get("id"))]
    return [int(each) for each in (*ids[:1], *ids[-1:])]


def settle(store: Store) -> None:
    """Wait until the settling time is over for every known animal."""
    newest_s = max((animal.known_since_s for animal in store.ledger.animals.values()), default=0.0)
    store.client.pause_until(newest_s + store.ledger.terms.settle_s)


def lost(store: Store) -> set[int]:
    """The known animals whose last getPet returned 404."""
    return {
        animal_id
        for animal_id, exchanges in store.ledger.gets.items()
        if animal_id in store.ledger.animals
        and (last := [each for each in exchanges if each.request.credential is Credential.VALID][-1:])
        and last[0].response is not None
        and last[0].response.status == 404
    }


def has_grown(store: Store, length: int) -> bool:
    """Whether the list without parameters has been shorter: one that never grows may be cut, or a choice of animals."""
    return any(each.length < length for each in store.ledger.pages if not each.query)


def _last_bare(store: Store) -> Page | None:
    """The list without parameters that was asked for last."""
    bare = (each for each in store.ledger.pages if not each.query)
    return max(bare, key=lambda each: each.exchange.sequence, default=None)


def _listings(store: Store) -> list[Page]:
    """List at the maximum limit, with each filter and without; and without parameters, while that has room."""
    queries: list[tuple[str | None, int | None]] = [(each, 100) for each in (None, *store.contract.statuses)]
    if (bare := _last_bare(store)) is None or bare.ends_early:
        queries.append((None, None))

    def list_once(lane: Lane, query: tuple[str | None, int | None]) -> Page | None:
        exchange = list_apart(lane, *query)
        # This runs in a lane, so reading the ledger does not wait for other items: the lane's own page is known.
        return next((each for each in reversed(store.ledger.pages) if each.exchange is exchange), None)

    return [each for each in store.side_by_side(queries, list_once) if each is not None]
