"""The exchanges of a long run: the latest ones in memory, all others in the trace, from which they are read again."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import Final

from animal_conformance.record.exchange import Exchange, Failure, Request, Response

BYTES_IN_MEMORY: Final = 16 * 1024 * 1024
# What an exchange takes besides its bodies, roughly.
BYTES_OF_AN_EXCHANGE: Final = 2048
BYTES_READ_AGAIN: Final = 8 * 1024 * 1024


class Shelf:
    """Keeps the exchanges that a trace contains.

    :param path: the trace.
    :param bytes_in_memory: how much of the latest exchanges stays in memory.
    """

    def __init__(self, path: Path, bytes_in_memory: int = BYTES_IN_MEMORY) -> None:
        self._path = path
        self._most = bytes_in_memory
        self._bytes = 0
        self._latest: deque[tuple[Shelved, int]] = deque()
        self._again: dict[int, Exchange] = {}
        self._bytes_again = 0

    def keep(self, exchange: Exchange, offset: int) -> Exchange:
        """The same exchange, in a form that takes little memory once others have followed it; called with one at a time.

        :param offset: where its line in the trace begins.
        """
        kept = Shelved(self, exchange, offset)
        size = _size(exchange)
        self._latest.append((kept, size))
        self._bytes += size
        while self._bytes > self._most:
            oldest, its_size = self._latest.popleft()
            oldest.put_away()
            self._bytes -= its_size
        return kept

    def read(self, offset: int) -> Exchange:
        """The exchange whose line begins there; those that were read stay in memory until there is no room for another."""
        exchange = self._again.get(offset)
        if exchange is None:
            with self._path.open("rb") as trace:
                trace.seek(offset)
                exchange = Exchange.from_record(json.loads(trace.readline()))
            self._bytes_again += _size(exchange)
            if self._bytes_again > BYTES_READ_AGAIN:
                self._again, self._bytes_again = {}, _size(exchange)
            self._again[offset] = exchange
        return exchange


def _size(exchange: Exchange) -> int:
    """How many bytes of memory an exchange takes, roughly."""
    response = exchange.response
    bodies = len(exchange.request.body or b"") + (0 if response is None else len(response.body))
    return BYTES_OF_AN_EXCHANGE + bodies


class Shelved(Exchange):
    """An exchange whose request and response may be read from the trace again."""

    __slots__ = ("_offset", "_shelf", "_whole")
    _offset: int
    _shelf: Shelf
    _whole: Exchange | None

    def __init__(self, shelf: Shelf, exchange: Exchange, offset: int) -> None:
        for name in ("sequence", "step", "driver", "sent_s", "answered_s"):
            object.__setattr__(self, name, getattr(exchange, name))
        object.__setattr__(self, "_shelf", shelf)
        object.__setattr__(self, "_offset", offset)
        object.__setattr__(self, "_whole", exchange)

    def put_away(self) -> None:
        """Leave the request and the response to the trace."""
        object.__setattr__(self, "_whole", None)

    @property
    def _content(self) -> Exchange:
        whole = self._whole  # another lane may put it away meanwhile
        return whole if whole is not None else self._shelf.read(self._offset)

    @property
    def request(self) -> Request:
        """The request."""
        return self._content.request

    @property
    def response(self) -> Response | None:
        """The response, if there is one."""
        return self._content.response

    @property
    def failure(self) -> Failure | None:
        """Why there is no response."""
        return self._content.failure
