"""Items in parallel: each in its own lane, with the same result as one after another."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from animal_conformance.drive.batch import Batch, Needs
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.sender import Sender

# Python handles signals only between its own instructions: one that comes just before a wait is noticed after it, so
# waits are short.
WAKE_S: Final = 0.25

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class _Running:
    """An item in flight: its number within the run, its place in its batch, its sender and its needs."""

    number: int
    batch: Batch[Any]
    at: int
    sender: Sender
    needs: Needs


class Lanes:
    """The lanes of a run: at most ``width`` connections, kept open from one batch to the next.

    A batch stays in flight while the next one begins, until something asks for its results: see :meth:`gather`.

    :param main: the sender for sequential requests; the first lane uses its connection.
    """

    def __init__(self, client: Client, main: Sender) -> None:
        self._client = client
        self.width = 1
        self._idle = [main]
        self._running: dict[Future[Any], _Running] = {}
        self._failures: dict[int, BaseException] = {}
        self._threads: ThreadPoolExecutor | None = None
        self._in_lane = threading.local()
        # Whether the last batch creates animals, and the last item's number at each time when nothing was in flight.
        self._creating = False
        self._gathered: list[int] = []

    def open(self, further: Sequence[Sender]) -> None:
        """Take over further connections, a lane for each."""
        self._idle += further
        self.width = len(self._idle)

    def drive(
        self, items: Sequence[T], begin: Callable[[Sender, T], R], needs: Needs | None = None
    ) -> Batch[R]:
        """Drive each item in a free lane, as many in parallel as there are lanes.

        Near a limit, an item waits until the preceding ones have ended, so that the limit cuts off the same
        requests as with one lane.

        :param begin: drives one item with a sender.
        :returns: the results, in the order of the items; the last items may still be in flight.
        :raises Spent, Gone: from the first item that was ended by a limit or the loss of the deployment; none starts after it.
        """
        needs = needs or Needs()
        first = self._client.reserve(len(items))
        batch: Batch[R] = Batch(len(items), self._complete)
        # What is read beside a creation would depend on which of them comes first.
        if self._creating != (needs.creates > 0):
            self._creating = not self._creating
            self._gather(first - 1)
        with self._interruptible():
            for at, item in enumerate(items):
                while self._running and (len(self._running) >= self._beside() or not self.has_room(needs)):
                    self._collect()
                self._raise()
                if self.width == 1:
                    sender = self._idle[-1]
                    batch.results[at] = self._begin(begin, sender, self._client.driver, first + at, item)
                    continue
                alone = not self.has_room(needs)
                sender = self._idle.pop() if self._idle else self._client.sender()
                future = self._pool().submit(
                    self._begin, begin, sender, self._client.driver, first + at, item
                )
                self._running[future] = _Running(first + at, batch, at, sender, needs)
                if alone:
                    self.wait()
                    self._raise()
        return batch

    def gather(self) -> None:
        """Wait for all items in flight; if an item calls this within its lane, it waits for nothing.

        :raises Spent, Gone: from the first item that was ended by a limit or the loss of the deployment.
        """
        if not getattr(self._in_lane, "busy", False):
            self._gather(self._client.last_number)

    def in_order(self, earlier: int, later: int) -> bool:
        """Whether the item ``later`` began after the item ``earlier`` had ended, at any width and speed."""
        return bisect_left(self._gathered, earlier) < bisect_left(self._gathered, later)

    @property
    def last_gathered(self) -> int:
        """The last item's number at the last time when nothing was in flight, which is the same at any width and speed."""
        return self._gathered[-1] if self._gathered else 0

    def wait(self) -> None:
        """Wait for all items in flight; what ended one of them is raised by the next :meth:`gather`."""
        with self._interruptible():
            while self._running:
                self._collect()

    def at_once(self, items: Sequence[T], begin: Callable[[Sender, T], R]) -> list[R]:
        """Drive all items at the same time, each on a new connection, regardless of the number of lanes."""
        first, driver = self._client.reserve(len(items)), self._client.driver
        senders = [self._client.sender() for _ in items]
        with ThreadPoolExecutor(max_workers=max(1, len(items))) as threads, self._interruptible():
            futures = [
                threads.submit(self._begin, begin, sender, driver, first + at, item)
                for at, (sender, item) in enumerate(zip(senders, items, strict=True))
            ]
            while wait(futures, WAKE_S).not_done:
                pass
        for sender in senders:
            self._client.dismiss(sender)
        return [each.result() for each in futures]

    def close(self) -> None:
        """End the threads; the limit, or the loss of the deployment, that ended the last items is not raised again."""
        self.wait()
        ended = (Spent, Gone)
        self._failures = {at: each for at, each in self._failures.items() if not isinstance(each, ended)}
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """A context in which an interruption loses the exchanges in flight, and after which nothing more is sent."""
        try:
            yield
        except KeyboardInterrupt:
            self._client.stop()
            raise

    def _gather(self, last: int) -> None:
        self.wait()
        self._raise()
        if last not in self._gathered[-1:]:
            self._gathered.append(last)

    def _complete(self, batch: Batch[Any]) -> None:
        """Wait for the items of a batch."""
        with self._interruptible():
            while not batch.completed and not self._failures:
                self._collect()
        self._raise()

    def _beside(self) -> int:
        """How many items may be in flight: fewer than there are lanes if that many have been too many for the deployment."""
        return max(1, self.width - self._client.health.crowded)

    def has_room(self, needs: Needs) -> bool:
        """Whether an item can run beside those in flight without competing for the limits of the run."""
        budget, running = self._client.budget, self._running.values()
        requests = sum(each.needs.requests for each in running)
        creates = sum(max(0, each.needs.creates - each.sender.kept) for each in running)
        return (
            budget.requests_left() >= needs.requests + requests
            and budget.creates_not_kept() >= needs.creates + creates
        )

    def _begin(self, begin: Callable[[Sender, T], R], sender: Sender, driver: str, number: int, item: T) -> R:
        sender.begin(number, driver=driver)
        self._in_lane.busy = True
        try:
            return begin(sender, item)
        except Exception as error:
            if not isinstance(error, (Spent, Gone)):
                # It may be raised in the next driver.
                error.add_note(f"In an item of {driver}.")
            raise
        finally:
            self._in_lane.busy = False
            sender.begin(None)

    def _collect(self) -> None:
        """Wait a moment for the next item to end."""
        done, _ = wait(self._running, WAKE_S, return_when=FIRST_COMPLETED)
        for future in done:
            ended = self._running.pop(future)
            self._idle.append(ended.sender)
            error = future.exception()
            if error is None:
                ended.batch.results[ended.at] = future.result()
            else:
                self._failures[ended.number] = error

    def _raise(self) -> None:
        """Raise what ended the first of the items that failed, as soon as no other item is in flight."""
        if self._failures:
            self.wait()
            failures, self._failures = self._failures, {}
            raise failures[min(failures)]

    def _pool(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(max_workers=self.width, thread_name_prefix="lane")
        return self._threads
