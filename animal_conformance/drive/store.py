"""The fixture of drivers: a lane, further lanes for independent items, and what the run knows."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from animal_conformance.drive.batch import Batch, Needs
from animal_conformance.drive.experiments import Performed
from animal_conformance.drive.first_creation import FIRST_STATUS, attempts, categories_of
from animal_conformance.drive.lane import ALONE_HEADERS, Lane, letters
from animal_conformance.drive.lanes import Lanes
from animal_conformance.drive.profiles import Profile
from animal_conformance.drive.styles import Style, plain_style
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.interface.contract import Contract
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.hearing import Hearing, hear
from animal_conformance.judge.knowledge.animals import Animal
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange
from animal_conformance.send.client import Client
from animal_conformance.send.sender import Sender

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
R = TypeVar("R")

# Deep and certifying runs come back to their first animals after this many settling times: half a minute, unless
# --settle says that the deployment is quicker or slower than most.
SETTLINGS_LATER: Final = 10
# Another marker is tried once this many plain names with a marker were rejected and none was accepted.
REJECTED_AT_LEAST: Final = 2
# How long a request may take on a connection that is opened beside another one.
BESIDE_S: Final = 1.5


class Named(IntEnum):
    """The kinds of items that are numbered for their names apart from one another.

    How many items only read may depend on which animal got which id; the names of animals must not depend on that.
    """

    READING = 0
    CREATING = 1
    ALONE = 2


class Store(Lane):
    """The deployment under test, as drivers see it.

    It is a lane itself, for requests that must stay in order, and passes independent items to other lanes. Before it
    sends a request of its own, or says what it knows, everything that was begun before has ended.

    :param ledger: learns from each exchange.
    :param seed_number: determines every example and every name.
    :param category_ids: those given by the user; only these are tried if there are any.
    """

    def __init__(
        self,
        client: Client,
        sender: Sender,
        ledger: Ledger,
        profile: Profile,
        seed_number: int,
        category_ids: tuple[int, ...] = (),
        marker: str = "",
    ) -> None:
        super().__init__(self, sender, 0)
        self.client = client
        self._ledger = ledger
        self.profile = profile
        self.seed_number = seed_number
        self.lanes = Lanes(client, sender)
        self._named = dict.fromkeys(Named, 0)
        self._category_ids = category_ids
        self._given = 0
        self._hearing: Hearing | None = None
        self._heard = 0
        self.round_number = 0
        self.performed = Performed()
        self.times_settled = 0
        # Whether harmful requests are sent, and whether the run returns to its first animals at its end.
        self.torture = False
        self.comes_back = False
        self._around: tuple[tuple[str | None, ...], Sequence[Exchange]] | None = None
        self.marker = marker or _marker(f"{seed_number} main")
        self._is_marker_accepted = False
        self.style: Style = plain_style
        # The status of the first accepted creation, if that is another one than the first that was tried.
        self.only_status: object = None

    def _next_name(self) -> tuple[int, int]:
        return self._reserve(Named.ALONE), 0

    def _reserve(self, named: Named, count: int = 1) -> int:
        """The first of this many numbers for names, which are ``len(Named)`` apart."""
        first = self._named[named]
        self._named[named] += count
        return len(Named) * first + named

    def send(self, method: str, target: str, **options: Any) -> Exchange:
        """Send a request, after everything that was begun before."""
        self.gather()
        return super().send(method, target, **options)

    # Lanes

    def side_by_side(
        self, items: Iterable[T], drive: Callable[[Lane, T], R], *, creates: int = 0, requests: int = 1
    ) -> Batch[R]:
        """Drive each item in its own lane, in parallel if that saves time.

        The last items may still be in flight when it returns, and when the driver ends: see :meth:`gather`.

        :param drive: called with a lane and an item; what it sends stays in order.
        :param creates: how many animals an item may create.
        :param requests: how many requests an item may send.
        :returns: the results, in the order of the items; reading them waits for all of them.
        """
        if creates:
            # Determined in advance: lanes do not wait for each other.
            _ = self.category_id, self.observable_status
            self._try_marker()

        def begin(sender: Sender, numbered: tuple[int, T]) -> R:
            number, item = numbered
            return drive(Lane(self, sender, number), item)

        named = Named.CREATING if creates else Named.READING
        return self.lanes.drive(
            self._numbered(list(items), named), begin, Needs(max(requests, creates), creates)
        )

    def _numbered(self, items: Sequence[T], named: Named) -> list[tuple[int, T]]:
        first = self._reserve(named, len(items))
        return list(zip(range(first, first + len(Named) * len(items), len(Named)), items, strict=True))

    def gather(self) -> None:
        """Wait for all items in flight, where something must come after them.

        This happens automatically before a request of the store, before what it knows is read, and between a batch that
        creates animals and one that does not.
        """
        self.lanes.gather()

    def list_largest(self) -> None:
        """List the animals with the observable status, and all: see :meth:`Lane.watch`."""
        statuses = (self.observable_status, None)
        self.side_by_side(statuses, lambda lane, status: lane.list_pets(limit=100, status=status))

    def at_once(self, items: Sequence[T], drive: Callable[[Lane, T], R]) -> list[R]:
        """Drive all items at the same time, each on a new connection that is closed afterwards."""
        self.gather()
        # No connections stay open, before or after: a server that serves one connection at a time would wait for its
        # next request, and block all others.
        self.client.close_idle()

        def begin(sender: Sender, numbered: tuple[int, T]) -> R:
            number, item = numbered
            return drive(Lane(self, sender, number, ALONE_HEADERS), item)

        return self.lanes.at_once(self._numbered(items, Named.READING), begin)

    def reader(self) -> Lane | None:
        """A lane on a connection that stays open and that no other lane uses.

        ``None`` if the deployment does not serve it beside the others, or the others beside it: a deployment may serve one
        connection at a time.
        """
        self.gather()
        sender, number = self.client.sender(), self.client.reserve()
        # Several lanes have shown already that the deployment serves connections beside one another.
        if self.lanes.width > 1 or self._are_both_served(sender, number):
            return Lane(self, sender, self._reserve(Named.READING))
        self.client.dismiss(sender)
        return None

    def _are_both_served(self, sender: Sender, number: int) -> bool:
        """Whether a sender's connection and that of the store are served beside each other; the requests belong to no driver."""
        for at, each in enumerate((sender, self.sender)):
            each.begin(number, driver="", sent=at)
            try:
                if not each.serves(BESIDE_S):
                    return False
            finally:
                each.begin(None)
        return True

    # What create requests need

    @cached_property
    def category_id(self) -> int | None:
        """A categoryId that was accepted; ``None`` if none was found.

        Each attempt is made only if the previous ones were rejected. The first animal's id is mixed into
        the marker, so that the names of a run differ from those of earlier runs, and are the same
        for the same seed on the same state.
        """
        if self.client.read_only:
            return None
        categories = self._category_ids or categories_of(self._listed_category_ids)
        for number, (category_id, status, style) in enumerate(attempts(categories, self.contract.statuses)):
            self.style = style
            animal_id = self._first_animal(category_id, status)
            if animal_id is None and number == 0:
                # Names may have to be unique, and an earlier run with this seed started with the same one.
                self.marker = _marker(secrets.token_hex(8))
                animal_id = self._first_animal(category_id, status)
            if animal_id is not None:
                self.marker = _marker(f"{self.seed_number} {animal_id} main")
                self.only_status = None if status == FIRST_STATUS else status
                return category_id
        self.style = plain_style
        return None

    def _try_marker(self) -> None:
        """Take another marker if no name with this one was accepted, although other names are: it may be a blocked word."""
        if self._is_marker_accepted:
            return
        self.gather()
        marker = self.marker.casefold()
        trials = [each.accepted for each in self._ledger.plain_trials if marker in each.name.casefold()]
        self._is_marker_accepted = any(trials)
        if len(trials) >= REJECTED_AT_LEAST and not self._is_marker_accepted:
            self.marker = _marker(f"{self.seed_number} {self.marker}")

    def _first_animal(self, category_id: int, status: object) -> int | None:
        payload = {"name": self.name(), "categoryId": category_id, "status": status}
        return created_id(
            self.create_pet({name: value for name, value in payload.items() if value is not ...})
        )

    def category_id_for(self, number: int) -> int:
        """One of the categoryIds that lists have shown, in turns; if the user has given some, the one of all creations."""
        listed = () if self._category_ids else self._listed_category_ids
        return listed[number % len(listed)] if listed else self.category_id or 0

    @cached_property
    def _listed_category_ids(self) -> list[int]:
        """The categoryIds of the first lists, of all animals and of each status, the most frequent ones first."""
        seen = [
            each["categoryId"]
            for page in self._first_pages.values()
            for each in _elements(page)
            if isinstance(each, dict) and self.contract.is_int64(each.get("categoryId"))
        ]
        return sorted(set(seen), key=lambda each: (-seen.count(each), each))

    @cached_property
    def observable_status(self) -> str:
        """The status with the fewest animals, so that a list of them is likely to be complete."""
        counts = {}
        for status in reversed(self.contract.statuses):
            counts[status] = len(_elements(self._first_pages[status]))
        if self.only_status in counts:
            return str(self.only_status)
        return min(counts, key=lambda each: counts[each])

    def look_around(self) -> None:
        """Ask for the largest page of all animals and of each status, before the run has created any."""
        filters = (None, *reversed(self.contract.statuses))
        pages = self.side_by_side(filters, lambda lane, status: lane.list_pets(limit=100, status=status))
        self._around = filters, pages

    @cached_property
    def _first_pages(self) -> dict[str | None, Exchange]:
        if self._around is None:
            self.look_around()
        filters, pages = self._around or ((), ())
        return dict(zip(filters, pages, strict=True))

    # Knowledge

    @property
    def ledger(self) -> Ledger:
        """What the run has learned so far."""
        self.gather()
        return self._ledger

    @property
    def contract(self) -> Contract:
        """The contract, which is known without waiting."""
        return self._ledger.contract

    def known_ids(self, count: int) -> list[int]:
        """Ids of existing animals, some created by the run and some found, the same for the same seed.

        They were known the last time that nothing was in flight; only if there were none, it waits for what is.
        """
        made, found = self._made_ids(), self.found_ids()
        if not made and not found:
            self.gather()
            made, found = self._made_ids(), self.found_ids()
        chosen = self.sample(found, (count + 1) // 2, f"{self.seed_number} {count}")
        return chosen + made[-(count - len(chosen)) :] if count > len(chosen) else chosen

    def sample(self, ids: Sequence[int], count: int, seed: str = "") -> list[int]:
        """At most this many of these ids, the same for the same seed."""
        chooser = random.Random(seed or str(self.seed_number))  # noqa: S311 - examples, not secrets
        return chooser.sample(ids, min(len(ids), count))

    def oldest_ids(self, count: int) -> list[int]:
        """Ids of the first animals that the run created."""
        return self._made_ids()[:count]

    def newest_id(self) -> int | None:
        """The largest id that an animal of the run was given."""
        return max((each.animal_id for each in self.ledger.creations), default=None)

    def seen_since(self, animal: Animal) -> bool:
        """Whether a created animal was returned after its creation had ended: no seed decides what is returned beside it."""
        created = animal.creations[-1].exchange.sequence
        later = [each.last.sequence for each in animal.sightings]
        return any(each == created or self.lanes.in_order(created, each) for each in later)

    def _made_ids(self) -> list[int]:
        last = self.lanes.last_gathered
        made = [each for each in list(self._ledger.creations) if each.exchange.sequence <= last]
        made.sort(key=lambda each: (each.exchange.sequence, each.exchange.step))
        return [int(each.answer["id"]) for each in made if each.reading.valid]

    def found_ids(self) -> list[int]:
        """Ids of animals that the run did not create, and that were known the last time that nothing was in flight."""
        last = self.lanes.last_gathered
        # While items are copied one by one, other lanes may add an animal; a dictionary is copied at once.
        return sorted(
            animal_id
            for animal_id, each in self._ledger.animals.copy().items()
            if not each.creations and any(one.first.sequence <= last for one in each.sightings)
        )

    def statuses_by_number(self) -> list[str]:
        """The statuses, that of the fewest animals first, counting those known the last time that nothing was in flight."""
        last = self.lanes.last_gathered
        shown = (one for each in list(self._ledger.animals.values()) for one in each.sightings[:1])
        known = Counter(str(one.animal.get("status")) for one in shown if one.first.sequence <= last)
        return sorted(self.contract.statuses, key=lambda each: known[each])

    def creates_left(self) -> int:
        """How many animals the run may still create."""
        self.gather()
        return self.client.budget.creates_left()

    def may_create(self, count: int) -> bool:
        """Whether the run may still create this many animals; it waits for items in flight only if they decide it."""
        return self.lanes.has_room(Needs(0, count)) or self.creates_left() >= count

    # Suspicions

    def heard(self) -> Hearing:
        """What the rules say of everything so far, asked again only if there is something new."""
        number = len(self.ledger.exchanges)
        if self._hearing is None or self._heard != number:
            self._hearing = hear(self.ledger, load_clauses().selected(self.ledger.terms.selected))
            self._heard = number
        return self._hearing

    # Examples

    def for_each(
        self,
        strategy: Callable[[], SearchStrategy[T]],
        drive: Callable[[Lane, T], object],
        examples: int,
        corners: Iterable[T] = (),
    ) -> None:
        """Drive with the corner cases (in the first round) and with new examples of a strategy, in parallel.

        :param examples: how many besides the corner cases; 0 for none.
        """
        drawn = list(corners) if self.round_number == 0 else []
        self.side_by_side([*drawn, *self.examples(strategy, examples)], drive)

    def examples(self, strategy: Callable[[], SearchStrategy[T]], count: int) -> list[T]:
        """This many examples of a strategy: different on each call, and the same for the same seed."""
        if count <= 0:
            return []
        from animal_conformance.drive.examples import drawn  # noqa: PLC0415 - a smoke run need not wait for Hypothesis

        self._given += 1
        return drawn(strategy(), count, f"{self.seed_number} {self.client.driver} {self._given}")


def _marker(seed: str) -> str:
    """What the names of a run begin with, the same for the same seed."""
    return f"Ac{letters(seed, 4)}"


def _elements(page: Exchange) -> list[Any]:
    """The elements of the array that a list request returned; none if it did not."""
    return page.value if isinstance(page.value, list) else []
