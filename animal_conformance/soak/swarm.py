"""Locust runs the users. Only this module imports it, which patches the process that it runs in, and so comes first."""

from __future__ import annotations

# isort: off
from locust import User, task
from locust.env import Environment
from locust.exception import StopUser

# isort: on
import logging
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.send.endings import Gone, Spent

if TYPE_CHECKING:
    from collections.abc import Callable

    from animal_conformance.soak.settings import SoakOptions
    from animal_conformance.soak.worker import Worker

# Users finish what is in flight within this time.
STOPPING_S: Final = 5.0
TICK_S: Final = 0.1
# A suspicion that is being put to the test at the end is waited for: its steps wait for settling, twice at most.
SETTLINGS: Final = 3

# It warns through the root logger as well.
logging.basicConfig(level=logging.ERROR)


def user_class(worker: Worker) -> type[User]:
    """What Locust spawns: the users of a worker."""

    class SoakUser(User):
        def on_start(self) -> None:
            self.visitor = worker.new_visitor()

        @task
        def visit(self) -> None:
            if worker.over():
                raise StopUser
            try:
                self.visitor.visit()
            except Spent:
                return  # no more animals for now; others go on
            except Gone as reason:
                raise StopUser from reason

    return SoakUser


def run_here(worker: Worker, options: SoakOptions, interrupted: Callable[[], bool]) -> None:
    """Run all users in this process, until the time is over, nothing more can be sent, or it is interrupted."""
    environment = _environment(worker)
    runner = environment.create_local_runner()
    judging = threading.Thread(target=worker.judge, name="judging")
    judging.start()
    runner.start(options.users, options.spawn_rate)
    while not (worker.over() or interrupted()):
        time.sleep(TICK_S)
    runner.quit()
    worker.finish(0.0 if interrupted() else SETTLINGS * options.run.settle_s)
    judging.join()


def _environment(worker: Worker, **settings: Any) -> Environment:
    environment = Environment(user_classes=[user_class(worker)], **settings)
    environment.stop_timeout = STOPPING_S
    return environment
