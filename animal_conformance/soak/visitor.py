"""What a user does: small stories of a few requests, drawn by chance, and bursts with all others."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Final

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import (
    INVALID_LIMITS,
    INVALID_STATUSES,
    LIMIT_CORNERS,
    MALFORMED_PET_IDS,
    NAME_CORNERS,
    STATUSES,
)
from animal_conformance.drive.voices import VOICES, Voice
from animal_conformance.interface.reading import created_id, listed_ids
from animal_conformance.soak.patience import HastySender, Patience

# This often, all users do the same thing at the same moment; a user that is free shortly before waits for it.
BURST_EVERY_S: Final = 5.0
GATHERING_S: Final = 0.25
# Every animal is read again once it has settled, and the latest of them now and then from then on.
READ_AGAIN: Final = 64
# An animal that is missing at first is asked for this often until it has settled.
LOOKS: Final = 4
# This many names differ from each other in their letters.
MOST_NAMES: Final = 400_000
FIRST_NAME: Final = 1000
CORNER_SHARE: Final = 0.25
FILTERS: Final = (None, *STATUSES)
LIMITS: Final = (None, *LIMIT_CORNERS)


@dataclass
class Floor:
    """What the users of a process share: the store with its client, patience, and the names that were given."""

    store: Store
    patience: Patience
    settle_s: float
    names: int = FIRST_NAME

    def next_name(self) -> int:
        """The number of the next name."""
        self.names += 1
        return self.names

    def may_create(self, *, in_burst: bool = False) -> bool:
        """Whether another animal may be created now; outside of bursts, some are left for them."""
        client = self.store.client
        if client.read_only or self.names >= MOST_NAMES or self.store.category_id is None:
            return False
        if client.now_s() < self.patience.create_from_s:
            return False
        return client.budget.creates_left() > (0 if in_burst else client.budget.creates // 20)


class UserLane(Lane):
    """A lane whose names are numbered apart from its requests, of which there are many more."""

    def __init__(self, floor: Floor, sender: HastySender, voice: Voice | None) -> None:
        super().__init__(floor.store, sender, 0)
        self._floor = floor
        self.voice = voice

    def _next_name(self) -> tuple[int, int]:
        return self._floor.next_name(), 0


class Visitor:
    """One user: one lane after another, each a story, on one connection and in one voice."""

    def __init__(self, floor: Floor, sender: HastySender, number: int) -> None:
        self._floor = floor
        self._sender = sender
        self._random = random.Random(f"{floor.store.seed_number} {number}")  # noqa: S311 - examples, not secrets
        # Every other user is plain, for comparison.
        self._voice = VOICES[number // 2 % len(VOICES)] if number % 2 else None
        # When to ask for which animal again.
        self._due: list[tuple[float, int]] = []
        self._settled: deque[int] = deque(maxlen=READ_AGAIN)
        self._seen_id: int | None = None
        self._stories: tuple[tuple[Callable[[Lane], object], int], ...] = (
            (self._create, 4),
            (self._list, 5),
            (self._get_listed, 3),
            (self._get_own, 2),
            (self._knock, 3),
            (self._err, 2),
            (self._get_unknown, 1),
        )

    def visit(self) -> None:
        """Do one thing.

        :raises Spent: if a limit of the run is reached.
        :raises Gone: if the deployment is gone.
        """
        client = self._floor.store.client
        now_s = client.now_s()
        burst, left_s = divmod(-now_s, BURST_EVERY_S)
        if left_s <= GATHERING_S:
            client.clock.sleep(left_s)
            self._tell(self._burst(int(-burst)))
        elif self._due and self._due[0][0] <= now_s:
            self._settled.append(heappop(self._due)[1])
            self._tell(lambda lane: lane.get_pet(self._settled[-1]))
        else:
            stories, weights = zip(*self._stories, strict=True)
            self._tell(self._random.choices(stories, weights)[0])

    def _tell(self, story: Callable[[Lane], object]) -> None:
        self._sender.begin(self._floor.store.client.reserve(), driver="soak")
        story(UserLane(self._floor, self._sender, self._voice))

    def _burst(self, number: int) -> Callable[[Lane], object]:
        if self._settled and number % 3 == 2:
            return self._get_own
        if self._floor.may_create(in_burst=True):
            return self._create
        return self._list if number % 2 else self._get_listed

    def _create(self, lane: Lane) -> None:
        if not self._floor.may_create(in_burst=True):
            self._list(lane)
            return
        animal_id = created_id(lane.create_pet(self._payload(lane)))
        if animal_id is not None:
            # It is read at once, when nothing can have happened to it yet, and again when it has settled. If it is not there
            # at once, it is asked for in between as well: it may be gone before a replica finds it.
            read = lane.get_pet(animal_id)
            is_there = read.status == 200
            for each in range(LOOKS if is_there else 1, LOOKS + 1):
                heappush(self._due, (read.answered_s + self._floor.settle_s * each / LOOKS, animal_id))
            self._seen_id = animal_id

    def _payload(self, lane: Lane) -> dict[str, Any]:
        chance = self._random
        corner = chance.choice(NAME_CORNERS) if chance.random() < CORNER_SHARE else ""
        if self._floor.store.only_status is not None:
            return lane.payload(name=lane.name(corner))
        return lane.payload(name=lane.name(corner), status=chance.choice((*STATUSES, ...)))

    def _list(self, lane: Lane) -> None:
        lane.list_pets(self._random.choice(LIMITS), self._random.choice(FILTERS))

    def _get_listed(self, lane: Lane) -> None:
        ids = listed_ids(lane.list_pets(status=self._random.choice(FILTERS)))
        if ids:
            self._seen_id = self._random.choice(ids)
            lane.get_pet(self._seen_id)

    def _get_own(self, lane: Lane) -> None:
        """Get an animal that this user created and that has settled: it stays."""
        if self._settled:
            lane.get_pet(self._random.choice(self._settled))
        else:
            self._list(lane)

    def _knock(self, lane: Lane) -> None:
        """Ask, with something other than the key, for what was just served with the key."""
        floor, chance = self._floor, self._random
        if floor.store.client.now_s() < floor.patience.knock_from_s:
            return
        headers = floor.store.client.authorizations
        credential = chance.choice([each for each in headers if each.invalid])
        form = chance.choice(list(headers[credential]))
        what = chance.randrange(3)
        if what == 0 and self._seen_id is not None:
            lane.get_pet(self._seen_id)
            lane.get_pet(self._seen_id, credential=credential, form=form)
        elif what == 1 and floor.may_create():
            lane.create_pet(lane.payload(), credential=credential, form=form)
        else:
            limit, status = chance.choice(LIMITS), chance.choice(FILTERS)
            lane.list_pets(limit, status)
            lane.list_pets(limit, status, credential=credential, form=form)

    def _err(self, lane: Lane) -> None:
        chance = self._random
        what = chance.randrange(4)
        if what == 0:
            lane.list_pets(limit=chance.choice(INVALID_LIMITS))
        elif what == 1:
            lane.list_pets(status=chance.choice(INVALID_STATUSES))
        elif what == 2 or not self._floor.may_create():
            lane.get_pet(chance.choice(MALFORMED_PET_IDS))
        else:
            changes = ({"name": ...}, {"categoryId": ...}, {"categoryId": "1"}, {"status": "lost"})
            lane.create_pet(lane.payload(**chance.choice(changes)))

    def _get_unknown(self, lane: Lane) -> None:
        lane.get_pet(self._random.randrange(2**60, 2**62))
