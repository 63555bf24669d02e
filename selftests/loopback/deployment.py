"""The reference deployment, in this process or in one of its own, for as long as a test needs it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.types import Message, Receive, Scope, Send

from animal_conformance.reference import catalogue
from animal_conformance.reference.server import Options, assemble, load, stack
from selftests.loopback.command import COMMAND, FOREIGN, ROOT
from selftests.loopback.server import KEY


@dataclass
class Counted:
    """A deployment in this process that itself counts what arrives and what it adds."""

    url: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)

    @property
    def env(self) -> dict[str, str]:
        """The environment variables that point the command at this deployment."""
        return {"ANIMAL_STORE_BASE_URL": self.url, "ANIMAL_STORE_API_KEY": KEY}

    @property
    def created(self) -> int:
        """How many creations were answered with 201."""
        return self.statuses["POST", 201]


@contextmanager
def counted(*faults: str, variants: Sequence[str] = (), null: str | None = None) -> Iterator[Counted]:
    """A fresh deployment on a free port of 127.0.0.1, for as long as the context lasts."""
    options = Options(api_key=KEY, faults=faults, variants=variants, null=null)
    changes = load(options)
    service = assemble(options, changes)
    app = stack(service, changes, null)
    seen = Counted()

    async def counting(scope: Scope, receive: Receive, send: Send) -> None:
        method, query = scope["method"], scope["query_string"].decode("latin-1")
        path = scope["raw_path"].decode("latin-1").removeprefix(service.settings.base_path)
        seen.requests.append((method, f"{path}?{query}" if query else path))

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.statuses[method, message["status"]] += 1
            await send(message)

        await app(scope, receive, sending)

    config = uvicorn.Config(counting, port=0, lifespan="off", ws="none", log_config=None, server_header=False)
    server = uvicorn.Server(config)

    def serve() -> None:
        # The store belongs to the thread that opens it.
        service.open(list(catalogue.animals(service.settings.catalogue)))
        server.run()
        service.store.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    seen.url = f"http://127.0.0.1:{port}{service.settings.base_path}"
    try:
        yield seen
    finally:
        server.should_exit = True
        thread.join(10)


def free_port() -> int:
    """A port at which nothing is listening yet."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(*arguments: str, cwd: Path) -> Iterator[dict[str, str]]:
    """`animal-conformance serve` as a process of its own; yields the environment variables that point to it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    with subprocess.Popen(
        [*COMMAND, "serve", "--json", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            yield {"ANIMAL_STORE_BASE_URL": ready["base_url"], "ANIMAL_STORE_API_KEY": ready["api_key"]}
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)
