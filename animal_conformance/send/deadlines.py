"""Total deadlines, which HTTP libraries lack for exchanges that make slow progress."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from typing import Final

EVERY_S: Final = 0.05


class Deadlines:
    """Ends exchanges that take too long: a server that sends one byte per second never times out by itself."""

    def __init__(self) -> None:
        self._running: dict[int, tuple[float, socket.socket | None]] = {}
        self._expired: set[int] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._all_expired = False
        self._thread: threading.Thread | None = None

    def begin(self, deadline_s: float) -> None:
        """Bound the calling thread's exchange by a time on the clock of ``time.monotonic``."""
        with self._lock:
            self._running[threading.get_ident()] = (deadline_s, None)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="exchange-deadlines", daemon=True)
                self._thread.start()

    def on(self, sock: socket.socket | None) -> None:
        """Record the socket of the calling thread's exchange."""
        with self._lock:
            me = threading.get_ident()
            if me in self._running:
                self._running[me] = (self._running[me][0], sock)
                if self._all_expired:
                    self._expire([me])

    def end(self) -> bool:
        """Take the bound off the calling thread's exchange, and return whether it took too long."""
        with self._lock:
            me = threading.get_ident()
            self._running.pop(me, None)
            expired = me in self._expired
            self._expired.discard(me)
            return expired

    def expire_all(self) -> None:
        """End every exchange that is under way, and every further one as soon as it has a connection."""
        with self._lock:
            self._all_expired = True
            self._expire(list(self._running))

    def close(self) -> None:
        """End the thread."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.wait(EVERY_S):
            with self._lock:
                now_s = time.monotonic()
                self._expire([me for me, (deadline_s, _) in self._running.items() if now_s > deadline_s])

    def _expire(self, threads: list[int]) -> None:
        for me in threads:
            sock = self._running[me][1]
            if sock is None:
                continue
            self._expired.add(me)
            del self._running[me]
            with suppress(OSError):  # it was closed, or wrapped, in the meantime
                sock.shutdown(socket.SHUT_RDWR)
