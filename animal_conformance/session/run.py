"""One run: the deployment, the client, the trace, and the report at the end."""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any, Final

from animal_conformance.drive.profiles import PROFILES, Profile
from animal_conformance.drive.store import Store
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.gaps import Cut, Limit
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.outcome import CONFORMS, COULD_NOT_JUDGE
from animal_conformance.judge.verdicts import Judgement, decide_on
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.record.shelf import Shelf
from animal_conformance.record.trace import TraceError, TraceWriter
from animal_conformance.reference.embedded import DeploymentError, EmbeddedDeployment
from animal_conformance.report.files import ReportError, remove, write_reports, write_whole, written_words
from animal_conformance.report.report import build_report, facts_of, suite_facts
from animal_conformance.report.typed import Report
from animal_conformance.send.budget import Budget
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone, NoRequestsLeft, Spent
from animal_conformance.send.preflight import Obstacle, preflight
from animal_conformance.send.width import QUICK_S, SLOW_S, open_lanes, typical_s
from animal_conformance.session.expectations import expectations_text
from animal_conformance.session.gates import Gates, gate_of
from animal_conformance.session.lock import Lock, LockedError
from animal_conformance.session.options import RunOptions
from animal_conformance.session.reaching import transport_settings

NO_GATES: Final = Gates()
# The rest of the time is for reading back what was created, and for judging everything, which takes one eighth of the
# time spent on sending if the deployment answers at once.
ROUNDS_SHARE: Final = 0.8
# At most one in this many of the creations that the user allows is kept for experiments.
KEPT_SHARE: Final = 12


class RunError(Exception):
    """A run that cannot start; the message is a sentence."""


@dataclass(frozen=True)
class Begun:
    """What is known from the start of a run: the deployment, the start time and the run id."""

    base_url: str
    key: str = field(repr=False)
    started: float
    run_id: str


class Run:
    """A run.

    Use: :meth:`begin` (the deployment and the preflight), then :attr:`store` for the drivers, then
    :meth:`finish`.
    """

    def __init__(self, options: RunOptions, key: str = "", *, gates: Gates = NO_GATES) -> None:
        self.options = options
        self.gates = gates
        self.profile: Profile = PROFILES[options.profile].lasting(limits_of(options).deadline_s)
        self.obstacle: Obstacle | None = None
        self.stopped = ""
        self.interrupted = False
        self.unwritten = ""
        self.certificate = ""
        self.cut: Cut | None = None
        self.untried = ""
        self.suite_faults: list[str] = []
        self.latency_s: float | None = None
        self._opening_number = 0
        self._is_widened = False
        self.report: dict[str, Any] | None = None
        self.judgement: Judgement | None = None
        self._key = key
        self._lock: Lock | None = None
        self._embedded: EmbeddedDeployment | None = None
        self._store: Store | None = None
        self._begun: Begun | None = None

    @property
    def begun(self) -> Begun:
        """The start of the run."""
        if self._begun is None:
            raise RunError("The run has not started.")
        return self._begun

    @property
    def terms(self) -> Terms:
        """The terms of this run."""
        options = self.options
        return options.terms(self.begun.base_url, options.profile, limits_of(options).creates)

    @property
    def store(self) -> Store:
        """The deployment, as drivers see it."""
        if self._store is None:
            raise RunError("The run has not started.")
        return self._store

    @property
    def exchanges(self) -> list[Exchange]:
        """What was recorded."""
        return self._ledger.exchanges

    def begin(self) -> Obstacle | None:
        """Start or reach the deployment, send the preflight, and determine the number of lanes.

        :returns: what stands in the way, ``None`` where the drivers may begin.
        :raises RunError: where the embedded deployment does not start, or another run writes to the same directory.
        :raises TraceError: where the trace cannot be written.
        """
        try:
            self._lock = Lock(self.options.report_dir)
        except LockedError as error:
            raise RunError(str(error)) from error
        base_url, key = self.options.base_url, self._key
        if self.options.embedded:
            embedded = EmbeddedDeployment(
                faults=self.options.faults, variants=self.options.variants, null=self.options.null or None
            )
            try:
                self._embedded = embedded.start()
            except DeploymentError as error:
                raise RunError(str(error)) from error
            base_url, key = self._embedded.base_url, self._embedded.api_key
        self._begun = Begun(base_url, key, time.time(), secrets.token_hex(6))
        store = self._store = self._connect()
        self.obstacle = preflight(store.sender)
        if self.obstacle is not None:
            self.stopped = self.obstacle.reason
            return self.obstacle
        try:
            self.latency_s = typical_s(self.exchanges)
            self._opening_number = store.client.reserve()
            self._open_lanes(self.latency_s)
            # These requests are in flight while the drivers are collected.
            store.look_around()
        except (Gone, Spent) as reason:
            self.gone(str(reason))
        return None

    def begin_driver(self, name: str) -> None:
        """Record what follows under the name of a driver, and open more lanes once creations have turned out to be slow."""
        self.store.client.driver = name
        first = next(iter(self._ledger.creations), None)
        if first is None or self._is_widened or self.options.connections or (self.latency_s or 0) > QUICK_S:
            return
        self._is_widened = True
        took_s = first.answered_s - first.sent_s
        if took_s > SLOW_S:
            self._open_lanes(took_s)

    def _open_lanes(self, took_s: float) -> None:
        store = self.store
        store.lanes.open(open_lanes(store.client, self._opening_number, took_s, self.options.connections))

    def _connect(self) -> Store:
        begun, options = self.begun, self.options
        self._ledger = Ledger(self.terms)
        self._writer = TraceWriter(options.report_dir / "trace.ndjson", self.terms, self._header())
        self._shelf = Shelf(self._writer.path)
        client = Client(
            begun.base_url,
            begun.key,
            self._record,
            settings=transport_settings(begun.base_url, options),
            budget=limits_of(options),
            read_only=options.read_only,
        )
        store = Store(client, client.sender(), self._ledger, self.profile, options.seed, options.category_ids)
        store.torture = options.torture
        store.comes_back = options.certify or self.profile.repeats
        return store

    def begin_round(self, number: int) -> None:
        """Set the round of the next driver: 0 is a standard run, later ones repeat.

        In a run with rounds, creations are spread over its time; otherwise the first rounds would use them up.
        """
        store = self.store
        if number != store.round_number:
            # What is still in flight belongs to the round before.
            store.lanes.wait()
        store.round_number = number
        store.profile = self.profile.in_round(number)
        store.client.budget.allowance = None
        if number > 0:
            store.client.budget.spread_creates(store.client.now_s(), self._end_of_rounds_s())

    def has_time_for_a_round(self) -> bool:
        """Whether there is time for another round."""
        client = self.store.client
        return client.now_s() < self._end_of_rounds_s() and not client.exhausted()

    def _end_of_rounds_s(self) -> float:
        return ROUNDS_SHARE * self.store.client.budget.deadline_s

    def _record(self, exchange: Exchange) -> Exchange:
        kept = self._shelf.keep(exchange, self._writer.write(exchange))
        self._ledger.learn(kept)
        return kept

    def _header(self) -> dict[str, Any]:
        begun, options = self.begun, self.options
        return {
            "run": begun.run_id,
            "started": begun.started,
            "name": options.shown_name,
            "suite": suite_facts(),
            # Headers may contain credentials for a gateway: their names are enough.
            "options": {**options.as_values(), "headers": [name for name, _ in options.headers]},
        }

    def gone(self, reason: str) -> None:
        """Record that the deployment was lost, which ends the run."""
        self.stopped = self.stopped or reason

    def cut_short(self, reason: Spent) -> None:
        """Record that the time or request limit was reached before every driver had completed."""
        limit = Limit.REQUESTS if isinstance(reason, NoRequestsLeft) else Limit.TIME
        self.cut = self.cut or Cut(limit, str(reason))

    def finish(self) -> dict[str, Any]:
        """End the run: close the trace, judge it, and build the report."""
        self.store.lanes.close()
        self.store.client.close()
        if self._embedded is not None:
            self._embedded.begin_stop()
        if self.cut and isinstance(self.store.client.health.ended, Spent):
            # The run waited until its end since the deployment asked it to, which is not a choice of the user's.
            self.stopped = self.stopped or self.cut.why
        self.judgement = decide_on(
            self.store.heard(), load_clauses(), whole=not self.interrupted, cut=self.cut
        )
        finished = time.time()
        digest = self._close_trace(finished)
        facts = facts_of(self._header(), self._ending(finished), self.begun.base_url, digest)
        self.report = build_report(self.judgement, facts)
        self.report["gate"] = gate_of(self.report, self.gates, self.options.today)
        return self.report

    @property
    def _notes(self) -> tuple[str, ...]:
        """What the limits of the run, and of the deployment, left out, in sentences."""
        notes = []
        if self.cut:
            notes.append(f"{self.cut.why} What else it would have sent was left out.")
        elif self.untried:
            notes.append(f"{self.untried} Experiments that would decide what is suspected were left out.")
        quota = self.store.client.health.quota
        if quota.unsent:
            asked = f"{quota.asked_s:.0f} s" if isfinite(quota.asked_s) else "forever"
            notes.append(
                f"The deployment asks to wait {asked} before the next creation: {quota.unsent} create requests were not sent."
            )
        return tuple(notes)

    def _ending(self, finished: float) -> dict[str, Any]:
        """Everything but the exchanges that decides the outcome."""
        return {
            "stopped": self.stopped,
            "remedy": self.obstacle.remedy if self.obstacle else "",
            "interrupted": self.interrupted,
            "cut": asdict(self.cut) if self.cut else {},
            "notes": self._notes,
            "suite_faults": self.suite_faults,
            "finished": finished,
            "connections": self.store.lanes.width,
        }

    def _close_trace(self, finished: float) -> str:
        """Close the trace; return its last digest."""
        try:
            self._writer.close(ending=self._ending(finished))
        except TraceError as error:
            self.unwritten = str(error)
            self.gone(self.unwritten)
            return ""
        return self._writer.digest

    def write(self) -> None:
        """Write the reports; if something cannot be written, ``unwritten`` says so."""
        if self.report is None:
            return
        from animal_conformance.report.certificate import FILE, CertificateError, write_certificate  # noqa: PLC0415 - few runs write one

        try:
            # The certificate of an earlier run is for a trace that this run has replaced.
            remove(self.options.report_dir / FILE)
        except ReportError as error:
            self.unwritten = str(error)
        try:
            written = write_reports(self.report, self.exchanges, self.options.report_dir)
            if self.unwritten:
                self.unwritten = f"{self.unwritten} {written_words(written)}"
            if not self.unwritten and self.options.certify and self.report["outcome"] == CONFORMS:
                self.certificate = str(write_certificate(self.report, self.options.report_dir))
            path = self.options.write_expect
            if path and self.report["outcome"] != COULD_NOT_JUDGE:
                text = expectations_text(self.report, self.gates.expected or (), self.options.today)
                write_whole(path, text.encode())
        except (ReportError, CertificateError) as error:
            self.unwritten = str(error)

    @property
    def result(self) -> Report:
        """The report as objects, after :meth:`write`."""
        if self.report is None:
            raise RunError("The run has not been judged.")
        return Report(self.report, self.certificate, self.unwritten)

    def close(self) -> None:
        """Stop the embedded deployment, if there is one, and leave the directory of the reports to others.

        If the run was ended before it could be judged, nothing of it stays in flight.
        """
        if self._store is not None and self.judgement is None:
            self._store.client.stop()
            self._store.lanes.close()
            self._store.client.close()
            self._writer.close(whole=False)
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        if self._embedded is not None:
            self._embedded.stop()
            self._embedded = None


def limits_of(options: RunOptions) -> Budget:
    """The hard limits of a run, across all its lanes."""
    profile = PROFILES[options.profile]
    creates = profile.creates if options.max_creates is None else options.max_creates
    kept = profile.kept_creates
    if options.max_creates is not None:
        kept = min(kept, options.max_creates // KEPT_SHARE)
    return Budget(
        requests=profile.requests,
        creates=0 if options.read_only else creates,
        kept_requests=profile.kept_requests,
        kept_creates=0 if options.read_only else kept,
        deadline_s=profile.max_time_s if options.max_time_s is None else options.max_time_s,
        rate=options.rate,
    )
