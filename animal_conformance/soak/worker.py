"""A process that sends: its users' client, the windows in which their exchanges are judged, and experiments."""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.drive.experiments import asked_for, perform
from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import Store
from animal_conformance.judge.hearing import Hearing
from animal_conformance.judge.ledger import Ledger
from animal_conformance.send.budget import Budget
from animal_conformance.send.client import Client
from animal_conformance.send.clock import Clock
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.preflight import preflight
from animal_conformance.session.reaching import transport_settings
from animal_conformance.soak.guarantees import Observed, Session
from animal_conformance.soak.measures import Measures
from animal_conformance.soak.memory import Memory
from animal_conformance.soak.patience import HastySender, Patience
from animal_conformance.soak.settings import KEPT_SHARE, selected_clauses
from animal_conformance.soak.standing import matters, open_in, said_of
from animal_conformance.soak.visitor import Floor, Visitor
from animal_conformance.soak.windows import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from animal_conformance.judge.experiments import Experiment
    from animal_conformance.record.exchange import Exchange, Terms
    from animal_conformance.send.preflight import Obstacle
    from animal_conformance.soak.settings import SoakOptions
    from animal_conformance.soak.standing import Matter

# A window ends after this time, or with so many exchanges; the cost of judging one grows faster than its length.
WINDOW_S: Final = 5.0
WINDOW: Final = 600
# Users wait while so many exchanges have not been judged.
BACKLOG: Final = 2 * WINDOW
# Creations are spread over the run, and begin with those of this time.
HEAD_START_S: Final = 10.0
TICK_S: Final = 0.1
# Judging gives way to the users after so many exchanges.
IN_ONE_GO: Final = 10
# One window's suspicions are put to the test at a time, in so many rounds and with so many experiments on a clause; where
# that told nothing new, the next ones wait.
ROUNDS: Final = 4
EXPERIMENTS: Final = 3
BETWEEN_INQUIRIES_S: Final = 30.0
# What experiments have shown is known to later windows: the latest exchanges of experiments, and what they were about.
SHOWN: Final = 200
# A sample of the trace around each of the first few findings of a clause: what was answered shortly before and after.
SAMPLED: Final = 3
AROUND_S: Final = 0.5
NEIGHBOURS: Final = 20
# Sequence numbers are those of the worker, and its experiments'.
NUMBERS: Final = 1_000_000_000
FEW_NUMBERS: Final = 1_000_000


@dataclass(frozen=True)
class Doubt:
    """A window that gives rise to suspicions or doubts, what was said of it, and the experiments that would decide."""

    window: Window
    hearing: Hearing
    asked: list[Experiment]


@dataclass(frozen=True)
class Place:
    """Which of how many workers this is, and when the run began by the clock on the wall."""

    index: int = 0
    workers: int = 1
    started: float = 0.0


class Worker:
    """One process of a soak.

    :param tell: called with what there is to tell the master, as plain values.
    :param seen: called with each exchange of a user.
    """

    def __init__(
        self,
        options: SoakOptions,
        terms: Terms,
        key: str,
        place: Place,
        tell: Callable[[dict[str, Any]], object],
        seen: Callable[[Exchange], object] = lambda _: None,
    ) -> None:
        self._options, self._terms, self._place = options, terms, place
        self._tell, self._seen = tell, seen
        self._key = key
        self._clock = Clock(time.monotonic() - max(0.0, time.time() - place.started))
        # What the search for a category has taught; nothing is added to it afterwards.
        self._ledger = Ledger(terms)
        self._selected = selected_clauses(terms.selected)
        self._window: list[Exchange] = []
        self._memory = Memory()
        self._measures = Measures()
        self._observed = Observed(terms.base_url)
        self._sampled: Counter[str] = Counter()
        self._inquiry: threading.Thread | None = None
        self._next_inquiry_s = 0.0
        self._put_off_last: Doubt | None = None
        self._failed: set[str] = set()
        self._decided: set[Matter] = set()
        self._shown: deque[Exchange] = deque(maxlen=SHOWN)
        self._end_s = self._clock.now_s() + options.run_time_s
        creates = options.creates // place.workers + (place.index < options.creates % place.workers)
        kept = creates // KEPT_SHARE
        self._kept = self._budget(kept, 1 / KEPT_SHARE)
        self.client = self._client(self._record, self._budget(creates - kept, 1 - 1 / KEPT_SHARE))
        self.client.reserve(2 * place.index * NUMBERS)
        self._patience = Patience(
            self.client, options.run.timeout_s, self._end_s, self._tell_pause, self._is_behind
        )
        self._store = self._store_of(self.client)
        self._floor = Floor(self._store, self._patience, options.run.settle_s)
        self._tester_store: Store | None = None
        self._tests = 0
        self._tested: list[Exchange] = []
        self._users = 0
        self._stop = threading.Event()
        self._full = threading.Event()
        self._judging = threading.Thread(target=self._judge, name="judging", daemon=True)

    # Setting up

    def _budget(self, creates: int, share: float) -> Budget:
        """The limits of a part of what this worker sends."""
        rate = self._options.run.rate
        return Budget(
            requests=2**62,
            creates=creates,
            rate=None if rate is None else rate * share / self._place.workers,
        )

    def _client(self, record: Callable[[Exchange], None], budget: Budget) -> Client:
        run = self._options.run
        return Client(
            self._terms.base_url,
            self._key,
            record,
            settings=transport_settings(self._terms.base_url, run),
            budget=budget,
            clock=self._clock,
            # Where nothing may be created, nothing is tried.
            read_only=run.read_only or not budget.creates,
        )

    def _store_of(self, client: Client) -> Store:
        run = self._options.run
        # The names of workers differ, even where their first animals are given the same id.
        seed = run.seed * self._place.workers + self._place.index
        return Store(client, client.sender(), self._ledger, PROFILES["smoke"], seed, run.category_ids)

    def begin(self) -> Obstacle | None:
        """Reach the deployment, find a category that it accepts, and judge from then on, until :meth:`finish`.

        :returns: what stands in the way, if anything does.
        """
        obstacle = preflight(self._store.sender)
        if obstacle is not None:
            return obstacle
        try:
            _ = self._store.category_id, self._store.observable_status
        except Spent:
            self.client.read_only = True
        except Gone as reason:
            self.client.end(reason)
        self._spread_creates()
        self._judging.start()
        return None

    def new_visitor(self) -> Visitor:
        """One more user."""
        self._users += 1
        session = Session(self._observed)
        sender = self.client.sender_of(
            lambda client, transport: HastySender(client, transport, self._patience, session.learn)
        )
        return Visitor(self._floor, sender, self._place.index * NUMBERS + self._users)

    @property
    def ended(self) -> str:
        """Why nothing more can be sent; empty where something can."""
        return str(self.client.health.ended or "")

    def over(self) -> bool:
        """Whether the time is over, or nothing more can be sent."""
        return bool(self.ended) or self._clock.stopped or self._clock.now_s() >= self._end_s

    def hear(self, told: dict[str, Any]) -> None:
        """Take in what another worker has told: what it created, and until when all wait."""
        self._memory.learn_of_others(told.get("born", ()))
        self._patience.wait_until(told.get("pause_until_s", 0.0))

    def _is_behind(self) -> bool:
        return len(self._window) >= BACKLOG

    def _tell_pause(self, time_s: float) -> None:
        self._tell({"pause_until_s": time_s})

    # Recording

    def _record(self, exchange: Exchange) -> None:
        if exchange.response is not None:
            self._patience.served()
        if not exchange.driver:
            self._ledger.learn(exchange)
        self._window.append(exchange)
        if len(self._window) >= WINDOW:
            self._full.set()
        self._measures.learn(exchange)
        self._seen(exchange)

    # Judging

    def _judge(self) -> None:
        """Judge one window after another."""
        with self._faults_told():
            while not self._stop.is_set():
                self._full.wait(WINDOW_S)
                self._full.clear()
                self._spread_creates()
                self._judge_window()

    @contextmanager
    def _faults_told(self) -> Iterator[None]:
        """A context in which an exception is a fault of the suite's own, which is told and ends the soak."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody waits for this thread's result
            self._tell({"fault": traceback.format_exc(limit=-3)})
            self.client.end(Gone(f"The suite itself failed ({type(error).__name__})."))
            self._stop.set()

    def _spread_creates(self) -> None:
        self.client.budget.spread_creates(self._clock.now_s() + HEAD_START_S, self._end_s)

    def _judge_window(self) -> None:
        """Judge what was exchanged since the last window, and forget it."""
        exchanges, self._window = self._window[:WINDOW], self._window[WINDOW:]
        window = Window.of(exchanges, self._memory, self._terms, self._shown)
        hearing = self._heard(window)
        doubt = Doubt(window, hearing, self._asked(hearing))
        if not (doubt.asked or window.doubtful):
            self._tell_of(window, hearing)
        elif self._may_inquire():
            self._inquire_beside(doubt)
        else:
            self._put_off(doubt)
        born = self._memory.learn(exchanges)
        self._tell(
            {
                "requests": len(exchanges),
                "born": born,
                "measures": self._measures.take(),
                "guarantees": self._observed.take(),
                "ended": self.ended,
            }
        )

    def _heard(self, window: Window) -> Hearing:
        hearing = Hearing(self._ledger, {})
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
        return asked_for(Hearing(hearing.ledger, undecided), decided | done, EXPERIMENTS)

    def _tell_of(self, window: Window, hearing: Hearing, decided: Iterable[Matter] = ()) -> None:
        found = [(clause_id, each) for clause_id, tally in hearing.tallies.items() for each in tally.found]
        self._failed.update(clause_id for clause_id, _ in found)
        sample: dict[int, Exchange] = {}
        for clause_id, each in found:
            self._sampled[clause_id] += 1
            if self._sampled[clause_id] <= SAMPLED:
                near = [
                    other
                    for other in (*window.recalled, *window.exchanges)
                    if abs(other.answered_s - each.exchange.answered_s) <= AROUND_S
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

    # Putting to the test

    def _may_inquire(self) -> bool:
        busy = self._inquiry is not None and self._inquiry.is_alive()
        return not (busy or self._clock.stopped or self._clock.now_s() < self._next_inquiry_s)

    def _inquire_beside(self, doubt: Doubt) -> None:
        self._inquiry = threading.Thread(target=self._inquire, args=(doubt,), name="inquiry")
        self._inquiry.start()

    def _put_off(self, doubt: Doubt) -> None:
        """Keep the last window that nobody has time for until the end; what is said of it is told then."""
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
        with suppress(Gone, Spent):
            store = self._tester()
            for request in window.doubtful:
                store.again(request)
            for _ in range(ROUNDS):
                perform(store, asked)
                done.update(asked)
                hearing = self._heard_again(window)
                opened |= open_in(hearing)
                asked = self._asked(hearing, done)
                if not asked:
                    break
        hearing = self._heard_again(window)
        tested = {matter for each in done for matter in matters(each)}
        decided = {each for each in opened - open_in(hearing) if each[1] in tested}
        if decided <= self._decided:
            self._next_inquiry_s = self._clock.now_s() + BETWEEN_INQUIRIES_S
        self._decided |= decided
        self._shown.extend((*suspicious, *window.exchanges[before:]))
        self._tell_of(window, hearing, decided)

    def _test(self, exchange: Exchange) -> None:
        self._tested.append(exchange)

    def _heard_again(self, window: Window) -> Hearing:
        tested, self._tested = self._tested, []
        self._tell({"requests": len(tested), "born": self._memory.learn(tested)})
        window.add_again(tested)
        return self._heard(window)

    def _tester(self) -> Store:
        """The store for experiments, whose requests are sent in the ordinary way, by a client of its own."""
        if self._tester_store is None or self._tester_store.client.health.ended is not None:
            if self._tester_store is not None:
                self._tester_store.client.close()
            client = self._client(self._test, self._kept)
            self._tests += 1
            client.reserve((2 * self._place.index + 1) * NUMBERS + self._tests * FEW_NUMBERS)
            self._tester_store = self._store_of(client)
        return self._tester_store

    # The end

    def finish(self, wait_s: float) -> None:
        """Judge what is left, putting it to the test for so long at most if anybody answers; then close the connections."""
        self._stop.set()
        self._full.set()
        self._judging.join()
        with self._faults_told():
            while self._window:
                self._judge_window()
            end_s = self._clock.now_s() + (0.0 if self.ended else wait_s)
            self._join(end_s)
            if (doubt := self._put_off_last) is not None:
                if open_in(doubt.hearing) - self._decided:
                    self._inquire_beside(doubt)
                    self._join(end_s)
                else:
                    self._tell_of(doubt.window, doubt.hearing)
        self._clock.stop()
        self._join(inf)
        self.client.close()
        if self._tester_store is not None:
            self._tester_store.client.close()

    def _join(self, end_s: float) -> None:
        while self._inquiry is not None and self._inquiry.is_alive() and self._clock.now_s() < end_s:
            self._inquiry.join(TICK_S)


def worker_of(sequence: int) -> int:
    """Which worker, or its experiments, a sequence number belongs to."""
    return sequence // (2 * NUMBERS)
