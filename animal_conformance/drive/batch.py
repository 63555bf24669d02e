"""A batch of items: what each may need, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

R = TypeVar("R")


@dataclass(frozen=True)
class Needs:
    """The most that an item of a batch may send and create."""

    requests: int = 1
    creates: int = 0


class Batch(Sequence[R], Generic[R]):
    """The results of items, in their order; reading one waits until all of them are there.

    :param complete: called with the batch, to wait for its items.
    """

    def __init__(self, count: int, complete: Callable[[Batch[R]], None]) -> None:
        self._count = count
        self._complete = complete
        self.results: dict[int, R] = {}

    @property
    def completed(self) -> bool:
        """Whether all results are there."""
        return len(self.results) == self._count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> R: ...
    @overload
    def __getitem__(self, at: slice) -> list[R]: ...
    def __getitem__(self, at: int | slice) -> R | list[R]:
        self._complete(self)
        return [self.results[each] for each in range(self._count)][at]
