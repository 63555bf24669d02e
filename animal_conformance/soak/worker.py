"""A process that sends: the clients of its users and of its experiments, and the windows that it has judged."""

from __future__ import annotations

import gc
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import Store
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.send.budget import Budget
from animal_conformance.send.client import Client
from animal_conformance.send.clock import Clock
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.preflight import Obstacle, preflight
from animal_conformance.session.reaching import transport_settings
from animal_conformance.soak.guarantees import Observed, Session
from animal_conformance.soak.judging import Judging, counted
from animal_conformance.soak.measures import Measures
from animal_conformance.soak.patience import HastySender, Patience
from animal_conformance.soak.settings import KEPT_SHARE, SoakOptions
from animal_conformance.soak.visitor import Floor, UserLane, Visitor

# A window ends after this time, or with this many exchanges; the cost of judging one grows faster than its length.
WINDOW_S: Final = 5.0
WINDOW: Final = 600
# Users wait while this many exchanges have not been judged.
BACKLOG: Final = 2 * WINDOW
# Creations are spread over the run, and may be ahead by as many as belong to ``HEAD_START_S``. They end early enough for
# the last ones to be read again, within ``READING_S``, once they have settled; in a short run, they end halfway.
HEAD_START_S: Final = 10.0
READING_S: Final = 2.0
# A worker has ``NUMBERS`` sequence numbers, and its experiments have as many, of which each of their stores has
# ``FEW_NUMBERS``.
NUMBERS: Final = 1_000_000_000
FEW_NUMBERS: Final = 1_000_000


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
        self._window: list[Exchange] = []
        self._windows = Judging(terms, self._clock, tell, self._new_store, self._faults_told)
        self._measures = Measures()
        self._observed = Observed(terms.base_url)
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
        self._users = 0
        self._tests = 0
        self._stop = threading.Event()
        self._full = threading.Event()
        self._judging = threading.Thread(target=self._judge, name="judging", daemon=True)

    # Setting up

    def _budget(self, creates: int, share: float) -> Budget:
        """The limits of a part of what this worker sends."""
        rate = self._options.run.rate
        return Budget(
            requests=2**62, creates=creates, rate=None if rate is None else rate * share / self._place.workers
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

    def _new_store(self, record: Callable[[Exchange], None]) -> Store:
        """A store for experiments, with a client of its own and its share of what may be created."""
        self._tests += 1
        client = self._client(record, self._kept)
        client.reserve((2 * self._place.index + 1) * NUMBERS + self._tests * FEW_NUMBERS)
        return self._store_of(client)

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
        # What is there already stays, so that no garbage collection has to look at it again, and none stops all users for a
        # tenth of a second.
        gc.freeze()
        self._judging.start()
        return None

    def new_visitor(self) -> Visitor:
        """One more user."""
        self._users += 1
        sender = self._new_sender(Session(self._observed).learn)
        return Visitor(self._floor, sender, self._place.index * NUMBERS + self._users)

    def _new_sender(self, seen: Callable[[Exchange], object]) -> HastySender:
        return self.client.sender_of(
            lambda client, transport: HastySender(client, transport, self._patience, seen)
        )

    @property
    def ended(self) -> str:
        """Why nothing more can be sent; empty where something can."""
        return str(self.client.health.ended or "")

    def over(self) -> bool:
        """Whether the time is over, or nothing more can be sent."""
        return bool(self.ended) or self._clock.stopped or self._clock.now_s() >= self._end_s

    def done(self) -> bool:
        """Whether nothing more can be sent, or the time is over and nobody awaits an answer."""
        ended = bool(self.ended) or self._clock.stopped
        return ended or (self.over() and not self._patience.in_flight)

    def hear(self, told: dict[str, Any]) -> None:
        """Note what another worker has told: what it created, and until when all wait."""
        self._windows.memory.learn_of_others(told.get("born", ()))
        self._patience.wait_until(told.get("pause_until_s", 0.0))

    def _is_behind(self) -> bool:
        return len(self._window) >= BACKLOG

    def _tell_pause(self, time_s: float) -> None:
        self._tell({"pause_until_s": time_s})

    # Recording

    def _record(self, exchange: Exchange) -> None:
        if exchange.response is not None:
            self._patience.hear(exchange.response)
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
        settling_s = self._options.run.settle_s + READING_S
        last_s = self._end_s - min(settling_s, self._options.run_time_s / 2)
        self.client.budget.spread_creates(self._clock.now_s() + HEAD_START_S, last_s)

    def _judge_window(self) -> None:
        """Judge what was exchanged since the last window, and forget it."""
        exchanges, self._window = self._window[:WINDOW], self._window[WINDOW:]
        born = self._windows.judge(exchanges)
        self._tell(
            {
                **counted(exchanges, born),
                "measures": self._measures.take(),
                "guarantees": self._observed.take(),
                "ended": self.ended,
            }
        )

    # The end

    def finish(self, wait_s: float) -> None:
        """Judge what is left, with experiments for at most this long if the deployment answers; then close the connections."""
        if wait_s:
            self._see_out()
        self._stop.set()
        self._full.set()
        self._judging.join()
        with self._faults_told():
            while self._window:
                self._judge_window()
            self._windows.finish(self._clock.now_s() + (0.0 if self.ended else wait_s))
        self._clock.stop()
        self._windows.close()
        self.client.close()
        gc.unfreeze()

    def _see_out(self) -> None:
        """If no user was answered at the end, go on asking until one is, or until the deployment counts as gone."""
        # The users' connections may take all the places that the deployment has.
        self.client.close_idle()
        sender = self._new_sender(lambda _: None)
        sender.begin(self.client.reserve(), driver="soak")
        lane = UserLane(self._floor, sender, None)
        with suppress(Gone, Spent):
            while self._patience.unanswered and not (self.ended or self._clock.stopped):
                lane.list_pets()


def worker_of(sequence: int) -> int:
    """Which worker, or its experiments, a sequence number belongs to."""
    return sequence // (2 * NUMBERS)
