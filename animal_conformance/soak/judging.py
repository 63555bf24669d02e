"""Windows of exchanges, judged one after another, and the experiments that they ask for, performed beside that."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from animal_conformance.drive.experiments import asked_for, perform
from animal_conformance.drive.store import Store
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.experiments import Experiment
from animal_conformance.judge.hearing import Hearing
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.send.clock import Clock
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.soak.memory import Memory
from animal_conformance.soak.settings import selected_clauses
from animal_conformance.soak.standing import Matter, matters, open_in, said_of
from animal_conformance.soak.windows import Window

TICK_S: Final = 0.1
# Judging gives way to the users after this many exchanges.
IN_ONE_GO: Final = 10
# How many windows are put to the test at a time, in how many rounds, and with how many experiments on a clause in each;
# and how long the next windows wait if that has told nothing new.
INQUIRIES: Final = 3
ROUNDS: Final = 4
EXPERIMENTS: Final = 3
BETWEEN_INQUIRIES_S: Final = 30.0
# Later windows know what experiments have shown: this many of the latest exchanges of experiments, and of those that they
# were about, are kept.
LATEST_KEPT: Final = 200
# A sample of the trace around each of the first few findings of a clause: what was answered shortly before and after.
MOST_SAMPLES: Final = 3
AROUND_S: Final = 0.5
NEIGHBOURS: Final = 20


@dataclass(frozen=True)
class Doubt:
    """A window that gives rise to suspicions or doubts, what was said of it, and the experiments that would decide."""

    window: Window
    hearing: Hearing
    asked: list[Experiment]


class Tester:
    """A store for experiments, and what was exchanged for them and not judged yet.

    :param new_store: makes the store, which hands its exchanges to a function.
    """

    def __init__(self, new_store: Callable[[Callable[[Exchange], None]], Store]) -> None:
        self._told: list[Exchange] = []
        self.store = new_store(self._told.append)

    def take(self) -> list[Exchange]:
        """What was exchanged since the last time."""
        told = self._told[:]
        del self._told[: len(told)]
        return told


def counted(exchanges: Collection[Exchange], born: list[bytes]) -> dict[str, Any]:
    """What the master counts: requests, and the animals that they created; ``born`` are those that the memory keeps."""
    created = [each for each in map(created_id, exchanges) if each is not None]
    return {"requests": len(exchanges), "created": created, "born": born}


class Judging:
    """What one worker says of its windows, and what it remembers of them.

    :param tell: called with what there is to tell the master, as plain values.
    :param new_store: makes a store for experiments, whose exchanges it hands to a function.
    :param faults_told: makes a context in which an exception is told as a fault of the suite's own.
    """

    def __init__(
        self,
        terms: Terms,
        clock: Clock,
        tell: Callable[[dict[str, Any]], object],
        new_store: Callable[[Callable[[Exchange], None]], Store],
        faults_told: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._terms, self._clock, self._tell = terms, clock, tell
        self._new_store, self._faults_told = new_store, faults_told
        self._selected = selected_clauses(terms.selected)
        self.memory = Memory()
        self._sampled: Counter[str] = Counter()
        self._inquiries: list[threading.Thread] = []
        self._next_inquiry_s = 0.0
        self._put_off_last: Doubt | None = None
        self._failed: set[str] = set()
        self._decided: set[Matter] = set()
        self._shown: deque[Exchange] = deque(maxlen=LATEST_KEPT)
        self._under_way: set[Experiment] = set()
        self._idle_testers: list[Tester] = []

    def judge(self, exchanges: list[Exchange]) -> list[Any]:
        """Judge a window, with experiments where it asks for them; return the animals that it created, packed."""
        window = Window.of(exchanges, self.memory, self._terms, self._shown)
        hearing = self._heard(window)
        doubt = Doubt(window, hearing, self._asked(hearing))
        if not (doubt.asked or window.doubtful):
            self._tell_of(window, hearing)
        elif self._may_inquire():
            self._inquire_beside(doubt)
        else:
            self._put_off(doubt)
        return self.memory.learn(exchanges)

    def finish(self, end_s: float) -> None:
        """Put the window that was put off last to the test, until a time at most."""
        doubt = self._put_off_last
        if doubt is not None:
            while self._is_busy() and self._clock.now_s() < end_s:
                time.sleep(TICK_S)
            # While others are still being put to the test, or nothing is left to decide, it is told as it is.
            if open_in(doubt.hearing) - self._decided and not self._is_busy():
                self._inquire_beside(doubt)
            else:
                self._tell_of(doubt.window, doubt.hearing)
        self._join(end_s)

    def close(self) -> None:
        """Wait for the experiments that are being performed, and close their connections."""
        self._join(inf)
        for each in self._idle_testers:
            each.store.client.close()

    def _heard(self, window: Window) -> Hearing:
        hearing = Hearing(Ledger(self._terms), {})
        for number, hearing in enumerate(window.hear(self._selected)):  # noqa: B007 - the last one is whole
            if number % IN_ONE_GO == 0:
                time.sleep(0)
        return hearing

    def _asked(self, hearing: Hearing, done: AbstractSet[Experiment] = frozenset()) -> list[Experiment]:
        tallies = hearing.tallies.items()
        undecided = {clause_id: tally for clause_id, tally in tallies if clause_id not in self._failed}
        decided = {
            each
            for clause_id, tally in tallies
            for each in tally.asked
            if all((clause_id, matter) in self._decided for matter in matters(each))
        }
        return asked_for(Hearing(hearing.ledger, undecided), decided | done | self._under_way, EXPERIMENTS)

    def _tell_of(self, window: Window, hearing: Hearing, decided: Iterable[Matter] = ()) -> None:
        found = [(clause_id, each) for clause_id, tally in hearing.tallies.items() for each in tally.found]
        self._failed.update(clause_id for clause_id, _ in found)
        sample: dict[int, Exchange] = {}
        for clause_id, each in found:
            self._sampled[clause_id] += 1
            if self._sampled[clause_id] <= MOST_SAMPLES:
                near = [
                    other
                    for other in (*window.recalled, *window.exchanges)
                    if abs(other.answered_s - each.answered_s) <= AROUND_S
                ]
                needed = (
                    *each.finding.related,
                    *(other for _, other in each.finding.excluded),
                    each.exchange,
                )
                sample |= {id(other): other for other in (*near[:NEIGHBOURS], *needed)}
        self._tell(
            {"said": said_of(hearing, decided), "sample": [each.as_record() for each in sample.values()]}
        )

    def _is_busy(self) -> bool:
        self._inquiries = [each for each in self._inquiries if each.is_alive()]
        return len(self._inquiries) >= INQUIRIES

    def _may_inquire(self) -> bool:
        return not (self._is_busy() or self._clock.stopped or self._clock.now_s() < self._next_inquiry_s)

    def _inquire_beside(self, doubt: Doubt) -> None:
        self._under_way.update(doubt.asked)
        inquiry = threading.Thread(target=self._inquire, args=(doubt,), name="inquiry")
        self._inquiries.append(inquiry)
        inquiry.start()

    def _put_off(self, doubt: Doubt) -> None:
        """Keep a window that there is no time to test until the end; the one that was kept before is told as it is."""
        told, self._put_off_last = self._put_off_last, doubt
        if told is not None:
            self._tell_of(told.window, told.hearing)

    def _inquire(self, doubt: Doubt) -> None:
        """Put the suspicions of a window to the test, and judge it again with what that has told."""
        with self._faults_told():
            self._put_to_the_test(doubt)

    def _put_to_the_test(self, doubt: Doubt) -> None:
        window, asked = doubt.window, doubt.asked
        opened = open_in(doubt.hearing)
        suspicious = [each.exchange for tally in doubt.hearing.tallies.values() for each in tally.suspected]
        before = len(window.exchanges)
        done: set[Experiment] = set()
        tester = self._idle_testers.pop() if self._idle_testers else Tester(self._new_store)
        store = tester.store
        with suppress(Gone, Spent):
            for request in window.doubtful:
                if request.method != "POST" or store.creates_left() > 0:
                    store.again(request)
            for _ in range(ROUNDS):
                perform(store, asked)
                done.update(asked)
                hearing = self._heard_again(window, tester.take())
                opened |= open_in(hearing)
                asked = self._asked(hearing, done)
                self._under_way.update(asked)
                if not asked:
                    break
        hearing = self._heard_again(window, tester.take())
        if store.client.health.ended is None:
            self._idle_testers.append(tester)
        else:
            store.client.close()
        tested = {matter for each in done for matter in matters(each)}
        decided = {each for each in opened - open_in(hearing) if each[1] in tested}
        if decided <= self._decided:
            self._next_inquiry_s = self._clock.now_s() + BETWEEN_INQUIRIES_S
        self._decided |= decided
        self._under_way -= {*done, *doubt.asked}
        self._shown.extend((*suspicious, *window.exchanges[before:]))
        self._tell_of(window, hearing, decided)

    def _heard_again(self, window: Window, tested: list[Exchange]) -> Hearing:
        self._tell(counted(tested, self.memory.learn(tested)))
        window.add_again(tested)
        return self._heard(window)

    def _join(self, end_s: float) -> None:
        for each in self._inquiries:
            while each.is_alive() and self._clock.now_s() < end_s:
                each.join(TICK_S)
