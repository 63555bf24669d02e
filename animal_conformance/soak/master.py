"""What all workers have told: the sum of it, and the report that is made of it."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from typing import Any

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.verdicts import decide_on
from animal_conformance.record.exchange import Exchange
from animal_conformance.record.trace import TraceError, TraceWriter
from animal_conformance.report.report import LoadFacts, build_report, facts_of, suite_facts
from animal_conformance.soak.guarantees import Observed
from animal_conformance.soak.measures import Measures
from animal_conformance.soak.memory import Birth, Memory
from animal_conformance.soak.settings import SoakOptions, selected_clauses, terms_of
from animal_conformance.soak.standing import Standing, said_of
from animal_conformance.soak.windows import Window
from animal_conformance.soak.worker import worker_of


class Master:
    """The one place where the whole soak is known.

    ``unwritten`` says why the trace could not be written any further, which ends the soak.

    :raises TraceError: if the trace cannot be written at all.
    """

    def __init__(self, options: SoakOptions, base_url: str) -> None:
        run = options.run
        self.options = options
        self.terms = terms_of(options, base_url)
        self.started = time.time()
        self.run_id = secrets.token_hex(6)
        self._selected = selected_clauses(run.clauses)
        self._standing = Standing(self.terms, self._selected)
        self._memory = Memory()
        self._measures = Measures()
        self._observed = Observed(base_url)
        self.requests = 0
        self.ended = ""
        self.unwritten = ""
        self.processes = 1
        self.faults: list[str] = []
        self._lost_s: list[float] = []
        self.created: list[int] = []
        self._sampled: set[tuple[int, int, float]] = set()
        self.sample: list[Exchange] = []
        self._header = {
            "run": self.run_id,
            "started": self.started,
            "name": run.shown_name,
            "suite": suite_facts(),
            "options": options.as_shown(),
        }
        self._writer = TraceWriter(run.report_dir / "trace.ndjson", self.terms, self._header)

    def take(self, told: dict[str, Any]) -> None:
        """Add what a worker tells."""
        if "said" in told:
            self._standing.add(told["said"])
            for record in told["sample"]:
                self._keep(Exchange.from_record(record))
        if "requests" in told:
            self.requests += told["requests"]
            self.created += told["created"]
            self._learn(told["born"])
        if "fault" in told:
            self.faults.append(told["fault"])
        self.ended = self.ended or told.get("ended", "")
        if "measures" in told:
            self._measures.add(told["measures"])
            self._observed.add(told["guarantees"])

    def lose_worker(self) -> None:
        """Note that a worker is gone: what it had not told yet is lost."""
        self._lost_s.append(round(time.time() - self.started, 1))

    def _keep(self, exchange: Exchange) -> None:
        known = exchange.sequence, exchange.step, exchange.sent_s
        if known not in self._sampled and not self.unwritten:
            self._sampled.add(known)
            try:
                self._writer.write(exchange)
                self.sample.append(exchange)
            except TraceError as error:
                self.ended = self.unwritten = str(error)

    def _learn(self, born: list[bytes]) -> None:
        """Learn of creations; if an id was given twice, in whichever processes, that is judged at once."""
        for pair in self._memory.learn_of_others(born):
            if len({worker_of(Birth.of(each).sequence) for each in pair}) == 1:
                continue  # the worker has told of it
            exchanges = [next(Birth.of(each).exchanges()) for each in pair]
            window = Window(self.terms, exchanges)
            *_, hearing = window.hear(self._selected & {"animal.id.unique"})
            self._standing.add(said_of(hearing))
            for each in exchanges:
                self._keep(each)

    @property
    def exceeded(self) -> bool:
        """Whether a threshold was exceeded."""
        return not all(each["kept"] for each in self._thresholds)

    @property
    def _thresholds(self) -> list[dict[str, Any]]:
        return self._measures.thresholds(self.options.p95_ms, self.options.error_rate)

    def finish(self, *, stopped: str = "", remedy: str = "") -> dict[str, Any]:
        """End the soak, and return its report.

        :param stopped: why it ended early, in a sentence; empty if it did not.
        :param remedy: what to do about a soak that could not start.
        """
        finished = time.time()
        judgement = decide_on(self._standing.settle(), load_clauses(), whole=False)
        ending = {"stopped": stopped, "remedy": remedy, "interrupted": True, "finished": finished}
        try:
            self._writer.close(ending=ending)
        except TraceError as error:
            self.unwritten = str(error)
            ending["stopped"] = stopped or self.unwritten
        load = {
            "users": self.options.users,
            "processes": self.processes,
            "lost_workers_s": self._lost_s,
            **self._measures.as_report(),
            "thresholds": self._thresholds,
            "guarantees": self._observed.as_report(),
        }
        facts = replace(
            facts_of(self._header, ending, self.terms.base_url, self._writer.digest),
            connections=self.options.users,
            suite_faults=tuple(self.faults),
            load=LoadFacts(self.requests, tuple(self.created), load),
        )
        return build_report(judgement, facts)
