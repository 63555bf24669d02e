"""At the end: animals known from the start still exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import inf

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import SETTLINGS_LATER, Store
from animal_conformance.drive.strategies import STATUSES
from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import listed_ids
from animal_conformance.record.exchange import Credential

from .auditing import ENOUGH, creates_left, ends_of, list_apart, lost, settle

# How many of the animals that the run created first are read.
OLDEST = 4
# How many others of those that are known are read, and how many of those with the most different characters in their names.
FEW_KNOWN = 1
VARIED = 2
MOST = 10
# From this many on, it is worth creating the rest up to ENOUGH.
FAR_ENOUGH = 60
INVALID = (Credential.ABSENT, Credential.WRONG)
# The largest id that fits into a byte: Java caches numbers up to here; larger ones that are compared with == are
# compared by identity.
LARGEST_OF_A_BYTE = 127
# At most this many animals are created to get beyond it.
FEW = 20
# Numerals that a parser of doubles accepts: too large for int64, too large for a double, with more digits than Python
# reads, and not a number at all.
ODD_NUMERALS = ("1e19", "1e400", "9" * 5000, "NaN")
# The first one is longer than columns of 64 KB, and of as many characters; together they are more than a buffer holds.
LARGE_RESTS = ("a" * 65_600 + "\U0001f98a" * 1100, *("\U0001f98a" * 8000,) * 2)


@pytest.mark.clauses("get.found", "get.requested", "animal.id.stable")
def test_known_animals_after_the_time_to_settle(store: Store) -> None:
    """Gets animals that have been known for longer than replicas may lag, those with unusual values among them.

    If nothing has been missing so far, there is no waiting. What a service keeps of an animal that was read or listed
    may lose what its store does not.
    """
    missing = sorted(lost(store))
    if missing:
        settle(store)
    thorough = store.profile.thorough
    chosen = [*store.oldest_ids(OLDEST), *_unusual_ids(store)] if thorough else []
    wanted = (*missing[:MOST], *chosen, *store.known_ids(FEW_KNOWN if thorough else store.profile.lookups))
    store.side_by_side(dict.fromkeys(wanted), Lane.get_pet)
    lately = sorted(lost(store).difference(missing)) if store.profile.thorough else []
    if lately and not missing:
        settle(store)
        store.side_by_side(lately[:MOST], Lane.get_pet)


@pytest.mark.clauses("get.found", "get.requested", "create", "animal.id.stable", "list.status.filter")
def test_the_first_animals_half_a_minute_later(store: Store) -> None:
    """Gets and lists what was created first, once caches, sessions and schedules have had time to act; only in deep and certifying runs."""
    if not store.comes_back:
        pytest.skip("Left to deep and certifying runs.")
    first = [each.answered_s for each in store.ledger.successes[Operation.CREATE][:1]]
    due_s = (first[0] if first else inf) + SETTLINGS_LATER * store.ledger.terms.settle_s
    if due_s > store.client.budget.deadline_s:
        pytest.skip("There is no time for it.")
    store.client.pause_until(due_s)
    store.side_by_side(store.oldest_ids(OLDEST), Lane.get_pet)
    store.list_largest()


@pytest.mark.clauses(
    "list.limit.maximum", "list.limit.respected", "list.limit.above-refused", "list.combined"
)
def test_more_animals_of_one_status_than_a_list_may_hold(store: Store) -> None:
    """Creates the animals that are missing, if most exist already, and lists with that filter at large and at invalid limits.

    If the deployment refuses so many of one status, as by a quota, animals of other statuses make up for them, and the
    lists have no filter.
    """
    if not store.profile.thorough or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    status = store.observable_status
    others = [each for each in store.contract.statuses if each != status]
    enough = _known(store, None) >= ENOUGH
    if not _create_enough(store, status, [status]) and not _create_enough(store, None, others):
        pytest.skip("The run may not create as many.")
    listed = status if _known(store, status) >= ENOUGH else None
    if listed is None and enough:
        pytest.skip("There were as many when lists without a filter were requested at such limits.")
    # Beside a filter, an invalid limit may be ignored, and a large one may be taken for the largest.
    limits = (64, 101, 1000, 0, -1, "none", "")
    store.side_by_side(limits, lambda lane, limit: lane.list_pets(limit=limit, status=listed))


@pytest.mark.clauses("get.found", "get.requested", "animal.id.stable")
def test_every_animal_that_a_list_has_shown(store: Store) -> None:
    """Gets the newest animal of the run, both ends of the last lists, and animals that no getPet has asked for yet.

    A deployment that finds all animals but the newest one shows it only there, as no further animal follows. Animals that
    are gone and still listed show at an end of a list. Half of the other animals are somebody else's that lists still
    show: where getPet and lists differ, only those can be read in turns.
    """
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    # In parallel with the last lists of the driver before this one.
    lists = store.side_by_side((None, *STATUSES), list_apart)
    unread = sorted(each for each in store.ledger.animals if not store.ledger.gets.get(each))
    newest, most = _newest_beyond_a_byte(store), store.profile.lookups
    chosen = [] if newest is None else [newest]
    others = {each for each in unread if not store.ledger.animals[each].creations}
    if others:
        listed = {each for answer in lists for each in listed_ids(answer)} & others
        chosen += store.sample(sorted(listed.difference(unread[:most])), most // 2)
    chosen += unread[: most - most // 2 if others else most]
    ends = [each for answer in lists for each in ends_of(answer)]
    store.side_by_side(dict.fromkeys([*ends, *chosen]), Lane.get_pet)


@pytest.mark.clauses("auth", "error", "http")
def test_invalid_keys_after_many_requests(store: Store) -> None:
    """Lists, gets and creates without a key and with a wrong one: what a server remembers of keys may be full by now."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    known = store.oldest_ids(1) or store.known_ids(1)
    readings: list[Callable[..., object]] = [partial(Lane.list_pets, limit=3)]
    readings += [partial(Lane.get_pet, pet_id=animal_id) for animal_id in known]
    # In parallel with the last requests that have the key.
    store.side_by_side(product(INVALID, readings), lambda lane, each: each[1](lane, credential=each[0]))
    if store.category_id is not None:
        store.side_by_side(
            INVALID, lambda lane, each: lane.create_pet(lane.payload(), credential=each), creates=1
        )


@pytest.mark.clauses("http", "list.answer", "create.name.exact", "create.category-id", "create.refusal")
def test_animals_of_many_kilobytes_and_numerals_that_no_integer_holds(store: Store) -> None:
    """Creates a few animals with large names, where they are accepted, and lists them: buffers and frames are limited.

    A deployment that stores one of the numerals may return it in every list from then on.
    """
    if not store.profile.thorough or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    status = store.observable_status

    def create_large(lane: Lane, rest: str) -> None:
        lane.create_and_get(lane.payload(name=lane.name(rest), status=status))

    def create_odd(lane: Lane, numeral: str) -> None:
        lane.create_raw(f'{{"name": "{lane.name()}", "categoryId": {numeral}}}'.encode())

    odd = [partial(create_odd, numeral=each) for each in ODD_NUMERALS]
    large = [partial(create_large, rest=each) for each in LARGE_RESTS]
    if not store.may_create(len(odd) + len(large)):
        # A deployment that accepts the numerals creates animals for them as well; few others do.
        store.side_by_side(odd, lambda lane, create: create(lane), creates=1)
        odd, large = [], large[: store.creates_left()]
    store.side_by_side([*large, *odd], lambda lane, create: create(lane), creates=1, requests=2)
    store.watch()
    store.gather()
    most = store.contract.limit_maximum
    whole = [each for each in store.ledger.pages if each.status is None and each.limit == most]
    if whole and whole[-1].ends_early:
        # It is longer now than a cap in bytes may have kept it until then.
        store.list_largest()


def _unusual_ids(store: Store) -> list[int]:
    """The ids of those of the run's animals whose values are the hardest to keep.

    They have the longest name, the most different characters in it, the largest category, and the smallest one that no
    double holds.
    """
    named = [each for each in store.ledger.creations if isinstance(each.payload.get("name"), str)]
    if not named:
        return []
    names: dict[int, str] = {each.animal_id: each.payload["name"] for each in named}
    numbered = {each.animal_id: each.payload.get("categoryId") for each in named}
    categories = {each: abs(value) for each, value in numbered.items() if store.contract.is_int64(value)}
    precise = [each for each, value in categories.items() if int(float(value)) != value]

    def by_category(animal_id: int) -> tuple[int, str]:
        return categories[animal_id], names[animal_id]

    varied = sorted(names, key=lambda each: (len({*names[each]}), names[each]))[-VARIED:]
    longest = max(names, key=lambda each: (len(names[each]), names[each]))
    largest = max(categories, key=by_category, default=longest)
    return [longest, largest, min(precise, key=by_category, default=largest), *varied]


def _newest_beyond_a_byte(store: Store) -> int | None:
    """The id of the newest animal of the run, after a few more are created if that leads to ids beyond a byte."""
    newest = store.newest_id()
    missing = 0 if newest is None else LARGEST_OF_A_BYTE + 1 - newest
    if not 0 < missing <= min(FEW, creates_left(store)):
        return newest
    store.side_by_side(range(missing), lambda lane, _: lane.create_pet(lane.payload()), creates=1)
    store.gather()
    return store.newest_id()


def _create_enough(store: Store, status: str | None, created: Sequence[str]) -> bool:
    """Create the animals that are missing of a status, or of any, with these statuses; return whether there are enough then."""
    missing = ENOUGH - _known(store, status)
    if missing > min(ENOUGH - FAR_ENOUGH, creates_left(store)):
        return False

    def create(lane: Lane, number: int) -> None:
        lane.create_pet(lane.payload(status=created[number % len(created)]))

    store.side_by_side(range(missing), create, creates=1)
    return _known(store, status) >= ENOUGH


def _known(store: Store, status: str | None) -> int:
    return store.ledger.known_count(status, store.client.now_s())
