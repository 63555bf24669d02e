"""Locust runs the users of a process.

Only this module and :mod:`animal_conformance.soak.processes` import it. It patches the process that it runs in, so it is
imported before everything else.
"""

from __future__ import annotations

# isort: off
from locust import User, task
from locust.env import Environment
from locust.exception import StopUser

# isort: on
import logging
import sys
import time
from collections.abc import Callable
from typing import Final

from animal_conformance.record.exchange import Exchange
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.preflight import Obstacle
from animal_conformance.soak.master import Master
from animal_conformance.soak.settings import SoakOptions
from animal_conformance.soak.windows import kind_of_trouble
from animal_conformance.soak.worker import Place, Worker

# Users finish what they are doing within this time, not counting what is in flight.
STOPPING_S: Final = 5.0
TICK_S: Final = 0.1

# Locust warns of its own load through the root logger.
logging.basicConfig(level=logging.CRITICAL)


def user_class(worker: Callable[[], Worker]) -> type[User]:
    """What Locust spawns: the users of a worker."""

    class SoakUser(User):
        def on_start(self) -> None:
            self.visitor = worker().new_visitor()

        @task
        def visit(self) -> None:
            if worker().over():
                raise StopUser
            try:
                self.visitor.visit()
            except Spent:
                return  # no more animals for now; others go on
            except Gone as reason:
                raise StopUser from reason

    return SoakUser


def run_here(
    master: Master, options: SoakOptions, key: str, interrupted: Callable[[], bool]
) -> Obstacle | None:
    """Run all users in this process, until the time is over, nothing more can be sent, or it is interrupted.

    :returns: what stands in the way, if it could not begin.
    """
    environment = environment_of(lambda: worker)
    worker = Worker(
        options, master.terms, key, Place(started=master.started), master.take, counting(environment)
    )
    obstacle = worker.begin()
    if obstacle is not None:
        return obstacle
    runner = environment.create_local_runner()
    show(environment, options)
    runner.start(options.users, options.spawn_rate)
    while not (worker.done() or interrupted()):
        time.sleep(TICK_S)
    runner.quit()
    worker.finish(0.0 if interrupted() else options.testing_s)
    return None


def counting(environment: Environment) -> Callable[[Exchange], None]:
    """A function that has Locust count an exchange, for its page."""

    def count(exchange: Exchange) -> None:
        request, response = exchange.request, exchange.response
        environment.events.request.fire(  # type: ignore[no-untyped-call] # Locust's
            request_type=request.method,
            name="/pets" if request.path == "/pets" else "/pets/{petId}",
            response_time=(exchange.answered_s - exchange.sent_s) * 1000,
            response_length=0 if response is None else len(response.body),
            exception=kind_of_trouble(exchange) or None,
            context={},
        )

    return count


def show(environment: Environment, options: SoakOptions) -> None:
    """Serve Locust's page, where it is wanted, on this machine only."""
    if options.web_port is not None:
        # The page reads the command line as if it were that of Locust.
        del sys.argv[1:]
        environment.create_web_ui("127.0.0.1", options.web_port)


def environment_of(worker: Callable[[], Worker]) -> Environment:
    """Locust's environment for the users of a worker."""
    environment = Environment(user_classes=[user_class(worker)])
    environment.stop_timeout = STOPPING_S
    return environment
