"""Items in parallel: each in its own lane, with the same result as one after another."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from animal_conformance.send.client import Client
    from animal_conformance.send.sender import Sender

T = TypeVar("T")
R = TypeVar("R")

# The default number of requests an item may need: items run in parallel only if this many are left for each.
REQUESTS_OF_AN_ITEM: Final = 10


class Lanes:
    """The lanes of a run: at most ``width`` connections, kept open from one batch to the next.

    :param main: the sender for sequential requests; the first lane uses its connection.
    """

    def __init__(self, client: Client, main: Sender, width: int = 1) -> None:
        self._client = client
        self.width = width
        self._idle = [main]
        self._threads: ThreadPoolExecutor | None = None

    def drive(self, items: Sequence[T], begin: Callable[[Sender, int, T], R], *, creates: int = 0) -> list[R]:
        """Drive each item in a free lane, as many in parallel as there are lanes.

        Near a limit, an item waits until the preceding ones have ended, so that the limit cuts off the same
        requests as with one lane.

        :param begin: drives one item with a sender; the number is that of the item within the run.
        :param creates: how many animals an item may create.
        :returns: the results, in the order of the items.
        :raises Spent, Gone: from the first item that was ended by a limit or the loss of the deployment; none starts after it.
        """
        first = self._client.reserve(len(items))
        results: dict[int, R] = {}
        running: dict[Future[R], tuple[int, Sender]] = {}
        failures: dict[int, BaseException] = {}
        try:
            for at, item in enumerate(items):
                if failures:
                    break
                while running and (len(running) >= self.width or not self._room(len(running) + 1, creates)):
                    self._collect(running, results, failures)
                if failures:
                    break
                sender = self._idle.pop() if self._idle else self._client.sender()
                if self.width == 1:
                    self._idle.append(sender)
                    results[at] = self._begin(begin, sender, first + at, item)
                else:
                    future = self._pool().submit(self._begin, begin, sender, first + at, item)
                    running[future] = at, sender
            while running:
                self._collect(running, results, failures)
        except KeyboardInterrupt:
            # Exchanges in flight are lost, and nothing more is sent.
            self._client.stop()
            raise
        if failures:
            raise failures[min(failures)]
        return [results[at] for at in range(len(items))]

    def at_once(self, items: Sequence[T], begin: Callable[[Sender, int, T], R]) -> list[R]:
        """Drive all items at the same time, each on a new connection, regardless of the number of lanes."""
        first = self._client.reserve(len(items))
        with ThreadPoolExecutor(max_workers=max(1, len(items))) as threads:
            futures = [
                threads.submit(self._begin, begin, self._client.sender(), first + at, item)
                for at, item in enumerate(items)
            ]
            try:
                return [each.result() for each in futures]
            except KeyboardInterrupt:
                self._client.stop()
                raise

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)

    def _room(self, lanes: int, creates: int) -> bool:
        """Whether this many items can run in parallel without competing for the limits of the run."""
        budget = self._client.budget
        return (
            budget.requests_left() >= lanes * REQUESTS_OF_AN_ITEM and budget.creates_left() >= lanes * creates
        )

    @staticmethod
    def _begin(begin: Callable[[Sender, int, T], R], sender: Sender, number: int, item: T) -> R:
        sender.begin(number)
        try:
            return begin(sender, number, item)
        finally:
            sender.begin(None)

    def _collect(
        self,
        running: dict[Future[R], tuple[int, Sender]],
        results: dict[int, R],
        failures: dict[int, BaseException],
    ) -> None:
        """Wait for the next item to end."""
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            at, sender = running.pop(future)
            self._idle.append(sender)
            error = future.exception()
            if error is None:
                results[at] = future.result()
            else:
                failures[at] = error

    def _pool(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(max_workers=self.width, thread_name_prefix="lane")
        return self._threads
