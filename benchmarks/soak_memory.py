"""The memory of a soak's judge and of its master over a million exchanges: the windows of a short soak, fed repeatedly.

This imitates a soak of that length: animals are created in the first round only, since their number is limited; all
other requests come again, later, and rejected create requests have other names in each round.
"""

from __future__ import annotations

# isort: off
from animal_conformance.soak import swarm

# isort: on
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from math import inf
from pathlib import Path

from animal_conformance.record.exchange import Exchange
from animal_conformance.reference.embedded import EmbeddedDeployment
from animal_conformance.session.options import RunOptions, checked
from animal_conformance.soak.guarantees import Session
from animal_conformance.soak.master import Master
from animal_conformance.soak.settings import SoakOptions
from animal_conformance.soak.windows import Window
from animal_conformance.soak.worker import WINDOW, Place, Worker

ROUNDS_APART_S = 1000.0
PAGE_MB = 4096 / 2**20


def main() -> None:
    """Print the memory after every tenth of the exchanges."""
    exchanges_in_all = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    # A fault that breaks a clause now and then, since findings and their samples are remembered too.
    faults = ("limit.one-more.sometimes",)
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as directory,
        EmbeddedDeployment(faults=faults) as deployment,
    ):
        options = SoakOptions(checked(RunOptions(report_dir=Path(directory))), users=20, run_time_s=20)
        master = Master(options, deployment.base_url)
        recorded = list(_recorded(master, options, deployment.api_key))
        _feed(master, recorded, exchanges_in_all)


def _recorded(master: Master, options: SoakOptions, key: str) -> Iterator[Exchange]:
    """The exchanges of a short soak."""
    kept: list[Exchange] = []
    heard = Window.of

    def keep(exchanges: Iterable[Exchange], *rest: object) -> Window:
        kept.extend(exchanges)
        return heard(exchanges, *rest)  # type: ignore[arg-type] # the arguments are passed on unchanged

    Window.of = keep  # type: ignore[method-assign, assignment]
    try:
        swarm.run_here(master, options, key, lambda: False)
    finally:
        Window.of = heard  # type: ignore[method-assign]
    yield from kept


def _feed(master: Master, recorded: list[Exchange], exchanges_in_all: int) -> None:
    worker = FedWorker(master)
    fed, tenth = 0, exchanges_in_all // 10
    first = 0.0
    for number in count():
        again = list(_again(recorded, number))
        for start in range(0, len(again), WINDOW):
            exchanges = again[start : start + WINDOW]
            worker.feed(exchanges)
            before, fed = fed, fed + len(exchanges)
            if before // tenth != fed // tenth:
                used = _resident_mb()
                first = first or used
                print(f"{fed:>9,} exchanges: {used:6.1f} MB, {used - first:+5.1f} MB", flush=True)
            if fed >= exchanges_in_all:
                return


class FedWorker(Worker):
    """A worker that sends nothing, and is given the exchanges of others."""

    def __init__(self, master: Master) -> None:
        super().__init__(master.options, master.terms, "no key", Place(started=master.started), master.take)
        self._next_inquiry_s = inf
        self._session = Session(self._observed)

    def feed(self, exchanges: list[Exchange]) -> None:
        """Judge exchanges as a window of one user."""
        for each in exchanges:
            self._session.learn(each)
            self._measures.learn(each)
        self._window = exchanges
        self._judge_window()


def _again(recorded: Iterable[Exchange], number: int) -> Iterator[Exchange]:
    """The exchanges of a later round."""
    marker = "".join(chr(ord("a") + number // 26**place % 26) for place in range(4)).encode()
    for each in recorded:
        status = 0 if each.response is None else each.response.status
        if number and status == 201:
            continue
        request, shift_s = each.request, number * ROUNDS_APART_S
        if number and request.body is not None:
            request = replace(request, body=request.body.replace(b'"Ac', b'"Ac' + marker))
        yield replace(
            each, request=request, sent_s=each.sent_s + shift_s, answered_s=each.answered_s + shift_s
        )


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) * PAGE_MB


if __name__ == "__main__":
    main()
