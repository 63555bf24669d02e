"""Users in several processes, of this machine or of others: what workers and their master tell each other by Locust.

Locust patches the process that it runs in, so it is imported before everything else.
"""

from __future__ import annotations

# isort: off
from locust.exception import RPCError
from locust.runners import CONNECT_RETRY_COUNT, CONNECT_TIMEOUT

# isort: on
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.send.preflight import Obstacle
from animal_conformance.session.options import KEY_VARIABLE
from animal_conformance.soak.master import Master
from animal_conformance.soak.patience import GONE_S
from animal_conformance.soak.settings import SoakOptions, terms_of
from animal_conformance.soak.swarm import STOPPING_S, TICK_S, counting, environment_of, show
from animal_conformance.soak.worker import Place, Worker

if TYPE_CHECKING:
    from locust.env import Environment
    from locust.rpc import Message
    from locust.runners import MasterRunner, WorkerRunner

# How long workers may take to connect and, at the end, to tell what is left, besides the time for putting it to the test.
CONNECTING_S: Final = 60.0
TELLING_S: Final = 20.0
# A worker waits for its master as long as Locust does, and says so if the master is not there already.
WAITING_S: Final = CONNECT_RETRY_COUNT * CONNECT_TIMEOUT
SILENT_S: Final = 1.0
SETTINGS, TOLD, HEARD, FINISH = "soak-settings", "soak-told", "soak-heard", "soak-finish"
SURPLUS: Final = "soak-surplus"
MISSING: Final = "missing"
ALL_LOST: Final = "All workers were lost before they had finished."


class SwarmError(Exception):
    """Processes that cannot come together; the message is a sentence."""


@dataclass(frozen=True)
class Meeting:
    """Where a master waits for its workers, and for how many of them."""

    host: str
    port: int
    workers: int


def run_with_workers(
    master: Master, options: SoakOptions, meeting: Meeting, interrupted: Callable[[], bool], key: str
) -> Obstacle | None:
    """Have workers run the users, those of other machines or some that are started here (``options.processes``).

    :param key: the key for workers that are started here; others have it already, since it is never sent to them.
    :returns: what stands in the way, if it could not begin.
    :raises SwarmError: if the workers do not come.
    """

    def no_worker() -> Worker:
        raise SwarmError("A master runs no users.")

    try:
        environment = environment_of(no_worker)
        runner = environment.create_master_runner(meeting.host, meeting.port)
    except RPCError as error:
        raise SwarmError(
            f"Cannot listen for workers on {meeting.host}:{meeting.port} ({error}): choose another --master-port."
        ) from error
    show(environment, options)
    swarm = Swarm(master, options, runner, interrupted)
    with _children(options.processes, runner.server.port, key):
        try:
            return swarm.run(meeting.workers)
        finally:
            runner.quit()


@contextmanager
def _children(count: int, port: int, key: str) -> Iterator[None]:
    """Worker processes on this machine, which an interruption of this process does not reach."""
    command = [sys.executable, "-m", "animal_conformance", "soak", "--worker", f"--master-port={port}"]
    variables = {**os.environ, KEY_VARIABLE: key}
    children = [
        subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, env=variables)  # noqa: S603 - this package
        for _ in range(count if count > 1 else 0)
    ]
    try:
        yield
    finally:
        for each in children:
            try:
                each.wait(STOPPING_S)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()


class Swarm:
    """A master with its workers."""

    def __init__(
        self, master: Master, options: SoakOptions, runner: MasterRunner, interrupted: Callable[[], bool]
    ) -> None:
        self._master, self._options, self._runner = master, options, runner
        self._interrupted = interrupted
        self._chosen: set[str] = set()
        self._ready: set[str] = set()
        self._idle: set[str] = set()
        self._finished: set[str] = set()
        self._obstacle: Obstacle | None = None
        self._lost: set[str] = set()
        runner.register_message(TOLD, self._take)

    def run(self, workers: int) -> Obstacle | None:
        """The whole soak."""
        runner, master = self._runner, self._master
        self._wait(
            lambda: len(runner.clients.ready) >= workers,
            f"Only some of {workers} workers have connected within {CONNECTING_S:.0f} s: "
            "start them with soak --worker --master-host.",
        )
        connected = [client.id for client in runner.clients.ready]
        self._chosen.update(connected[:workers])
        master.processes = workers
        runner.environment.events.worker_connect.add_listener(self._send_away)  # type: ignore[no-untyped-call] # Locust's
        for surplus in connected[workers:]:
            del runner.clients[surplus]
            self._send_away(surplus)
        settings = {"options": self._options.as_values(), "base_url": master.terms.base_url}
        for index, client_id in enumerate(connected[:workers]):
            told = {**settings, "place": [index, workers, master.started]}
            runner.send_message(SETTINGS, told, client_id)
        self._wait(
            lambda: len(self._ready) >= workers or self._obstacle is not None or bool(master.faults),
            f"Some workers did not begin within {CONNECTING_S:.0f} s: see their output.",
        )
        if self._obstacle is not None or self._interrupted() or master.faults:
            return self._obstacle
        runner.start(self._options.users, self._options.spawn_rate)
        # Until no answer is awaited any more.
        end_s = time.monotonic() + self._options.run_time_s + self._options.run.timeout_s + STOPPING_S
        while time.monotonic() < end_s and not (self._interrupted() or self._is_over()):
            if self._ready <= self._idle | self._lost:
                break
            self._look_for_lost()
            time.sleep(TICK_S)
        runner.stop()
        wait_s = 0.0 if self._interrupted() else self._options.testing_s
        # By name: a worker that has stopped is unknown to Locust until it is ready for another test.
        for client_id in self._ready - self._lost:
            runner.send_message(FINISH, {"wait_s": wait_s}, client_id)
        end_s = time.monotonic() + GONE_S + wait_s + TELLING_S
        while time.monotonic() < end_s and not self._ready <= self._finished | self._lost:
            self._look_for_lost()
            time.sleep(TICK_S)
        for client_id in self._ready - self._finished - self._lost:
            self._lose(client_id)
        if self._all_lost():
            master.ended = master.ended or ALL_LOST
        return None

    def _send_away(self, client_id: str) -> None:
        """Tell a worker that it came when there were enough of them."""
        if client_id not in self._chosen:
            self._runner.send_message(SURPLUS, None, client_id)

    def _wait(self, done: Callable[[], bool], otherwise: str) -> None:
        end_s = time.monotonic() + CONNECTING_S
        while not done() and not self._interrupted():
            if time.monotonic() > end_s:
                raise SwarmError(otherwise)
            time.sleep(TICK_S)

    def _look_for_lost(self) -> None:
        for client in list(self._runner.clients.values()):
            if client.state == MISSING and client.id in self._ready - self._lost:
                self._lose(client.id)

    def _lose(self, client_id: str) -> None:
        self._lost.add(client_id)
        self._master.lose_worker()

    def _is_over(self) -> bool:
        return bool(self._master.ended or self._master.faults) or self._all_lost()

    def _all_lost(self) -> bool:
        return bool(self._ready) and self._ready <= self._lost

    def _take(self, environment: Environment, msg: Message) -> None:  # noqa: ARG002 - Locust's signature
        told = msg.data
        if "obstacle" in told:
            self._obstacle = Obstacle(*told["obstacle"])
        if "ready" in told:
            self._ready.add(msg.node_id)
        if "idle" in told:
            self._idle.add(msg.node_id)
        if "finished" in told:
            self._finished.add(msg.node_id)
        try:
            self._master.take(told)
        except Exception:  # noqa: BLE001 - Locust would log it, and go on
            self._master.faults.append(traceback.format_exc(limit=-3))
        # What other workers have to know: what was created, and until when all wait.
        heard = {name: told[name] for name in ("born", "pause_until_s") if told.get(name)}
        if heard:
            for client in list(self._runner.clients.values()):
                if client.id != msg.node_id and client.state != MISSING:
                    self._runner.send_message(HEARD, heard, client.id)


def run_as_worker(
    key: str, host: str, port: int, interrupted: Callable[[], bool], on_waiting: Callable[[str], object]
) -> None:
    """Run users for a master, until it says that it is over.

    :param on_waiting: told, in a sentence, that there is no master yet.
    :raises SwarmError: if there is no master.
    """
    held: list[Worker] = []
    environment = environment_of(lambda: held[0])
    done, surplus = threading.Event(), threading.Event()

    def listen(runner: WorkerRunner) -> None:
        def begin(environment: Environment, msg: Message) -> None:  # noqa: ARG001 - Locust's signature
            try:
                _begin(msg.data)
            except Exception:  # noqa: BLE001 - nobody waits for the result of a message
                runner.send_message(TOLD, {"fault": traceback.format_exc(limit=-3)})

        def _begin(told: dict[str, Any]) -> None:
            options = SoakOptions.from_values(told["options"])
            terms = terms_of(options, told["base_url"])
            place = Place(*told["place"])
            worker = Worker(
                options, terms, key, place, partial(runner.send_message, TOLD), counting(environment)
            )
            held.append(worker)
            obstacle = worker.begin()
            if obstacle is not None:
                runner.send_message(TOLD, {"obstacle": [obstacle.reason, obstacle.remedy]})
                return
            runner.send_message(TOLD, {"ready": True})

        def hear(environment: Environment, msg: Message) -> None:  # noqa: ARG001 - as above
            if held:
                held[0].hear(msg.data)

        def finish(environment: Environment, msg: Message) -> None:  # noqa: ARG001 - as above
            if held:
                held[0].finish(msg.data["wait_s"])
            runner.send_message(TOLD, {"finished": True})
            done.set()

        runner.register_message(SETTINGS, begin, concurrent=True)
        runner.register_message(HEARD, hear)
        runner.register_message(FINISH, finish, concurrent=True)
        runner.register_message(SURPLUS, lambda **_: surplus.set())

    runner = _connected(
        lambda: environment.create_worker_runner(host, port),
        f"{host}:{port}",
        listen,
        interrupted,
        on_waiting,
    )
    _stay(runner, held, lambda: done.is_set() or surplus.is_set() or interrupted())
    time.sleep(10 * TICK_S)
    runner.quit()
    if surplus.is_set():
        raise SwarmError(
            f"The master at {host}:{port} has all of its workers: start it with a larger --expect-workers."
        )


def _stay(runner: WorkerRunner, held: list[Worker], ended: Callable[[], bool]) -> None:
    """Let users run until the soak is over, and tell the master when no user awaits an answer any more."""
    idle = False
    # Without heartbeats from its master, the runner ends its own greenlets.
    while not ended() and len(runner.greenlet):
        time.sleep(TICK_S)
        if not idle and held and held[0].done():
            idle = True
            runner.send_message(TOLD, {"idle": True})


def _connected(
    connect: Callable[[], WorkerRunner],
    address: str,
    listen: Callable[[WorkerRunner], None],
    interrupted: Callable[[], bool],
    on_waiting: Callable[[str], object],
) -> WorkerRunner:
    """Connect to a master, which may be started later; Locust waits for it without reacting to anything else."""
    held: list[WorkerRunner | Exception] = []

    def meet() -> None:
        try:
            runner = connect()
        except (RPCError, ConnectionError) as error:
            held.append(error)
        else:
            # Before anything else runs: a message that nobody listens for is lost.
            listen(runner)
            held.append(runner)

    # This is a greenlet, since Locust has patched threads.
    meeting = threading.Thread(target=meet, daemon=True)
    meeting.start()
    meeting.join(SILENT_S)
    if not held:
        on_waiting(f"Waiting up to {WAITING_S / 60:.0f} minutes for a master at {address}.")
    while not held:
        if interrupted():
            raise SwarmError("Interrupted before a master came.")
        meeting.join(TICK_S)
    (runner,) = held
    if isinstance(runner, Exception):
        raise SwarmError(f"There is no master at {address}: start it with soak --master.") from runner
    return runner
