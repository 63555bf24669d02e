"""A deployment as seen from far away: a proxy that delays the handshake and each direction."""

from __future__ import annotations

import asyncio
import threading
from typing import Self
from urllib.parse import urlsplit, urlunsplit

CHUNK_BYTES = 64 * 1024
APART_S = 1e-4


class Distance:
    """A proxy in front of a deployment on the loopback interface, a round trip away from it.

    :param base_url: the address of the deployment.
    :param round_trip_s: how long a handshake takes, and by how much an answer takes longer than the deployment's own time.
    """

    def __init__(self, base_url: str, round_trip_s: float) -> None:
        parts = urlsplit(base_url)
        self._to = parts.hostname or "127.0.0.1", parts.port or 80
        self._path = parts.path
        self._one_way_s = round_trip_s / 2
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.base_url = ""

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop
        )
        self._server = starting.result()
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = urlunsplit(("http", f"127.0.0.1:{port}", self._path, "", ""))
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        """End the connections that are still open."""
        self._server.close()
        serving = asyncio.all_tasks() - {asyncio.current_task()}
        for each in serving:
            each.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await asyncio.sleep(0)  # aborted connections are closed in the next turn of the event loop

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The kernel has answered the handshake at once: its round trip is added to the first bytes.
        opened_s = self._loop.time() + 2 * self._one_way_s
        there, beyond = await asyncio.open_connection(*self._to)
        try:
            await asyncio.gather(self._carry(reader, beyond, opened_s), self._carry(there, writer, opened_s))
        except asyncio.CancelledError:  # not raised again: the streams of Python 3.11 would complain about it
            for each in (writer, beyond):
                each.transport.abort()

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, opened_s: float
    ) -> None:
        """Deliver everything in order, each piece a one-way time after it came."""
        due_s = 0.0
        while content := await source.read(CHUNK_BYTES):
            # Of two that are due at the same time, the event loop may call either first.
            due_s = max(due_s + APART_S, max(self._loop.time(), opened_s) + self._one_way_s)
            self._loop.call_at(due_s, target.write, content)
        due_s = max(due_s + APART_S, max(self._loop.time(), opened_s) + self._one_way_s)
        self._loop.call_at(due_s, target.close)
