"""One run: the deployment, the clients, the trace, and what becomes of them at the end."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import Store
from animal_conformance.interface.clauses import Level
from animal_conformance.judge.ledger import Ledger
from animal_conformance.judge.outcome import (
    CONFORMS,
    COULD_NOT_JUDGE,
    EXIT_CODES,
    EXIT_SUITE_FAULT,
    exit_code,
)
from animal_conformance.judge.verdicts import ClauseOutcome, Judgement, judge
from animal_conformance.record.exchange import Terms
from animal_conformance.record.trace import WORKERS_PARTS, TraceError, TraceWriter, read_trace, write_trace
from animal_conformance.reference.embedded import DeploymentError, EmbeddedDeployment
from animal_conformance.report.certificate import CertificateError
from animal_conformance.report.files import ReportError, write_reports
from animal_conformance.report.report import RunFacts, build_report
from animal_conformance.send.budget import Budget, SharedTally, Turns
from animal_conformance.send.client import Client, Gone
from animal_conformance.send.preflight import Obstacle, preflight
from animal_conformance.session.gates import Gates, Passage, pass_gates
from animal_conformance.session.options import RunOptions
from animal_conformance.session.reaching import transport_settings

if TYPE_CHECKING:
    from pathlib import Path

    from animal_conformance.drive.profiles import Profile
    from animal_conformance.record.exchange import Exchange


NO_GATES: Final = Gates()
WORKERS_FILES: Final = (WORKERS_PARTS, ".trace.ndjson.whole", ".sent.*", ".created.*")


class RunError(Exception):
    """A run that cannot begin; the message is a sentence."""


@dataclass(frozen=True)
class Assignment:
    """What a worker needs to take part in a run; ``key`` never leaves memory and the channel to the worker."""

    options: RunOptions
    base_url: str
    key: str = field(repr=False)
    origin_s: float
    started: float
    run_id: str
    worker: str = "main"
    share: int = 1


class Run:
    """A run, or one worker's part of it.

    Use: :meth:`begin` (the deployment and the preflight), then :attr:`store` for the drivers, then
    :meth:`finish`. A worker is made from an :class:`Assignment` and only ends its trace.
    """

    def __init__(
        self,
        options: RunOptions,
        key: str = "",
        assignment: Assignment | None = None,
        gates: Gates = NO_GATES,
    ) -> None:
        self.options = options
        self.gates = gates
        self.passage = Passage(EXIT_SUITE_FAULT)
        self.profile: Profile = PROFILES[options.profile].lasting(limits_of(options).deadline_s)
        self.obstacle: Obstacle | None = None
        self.stopped = ""
        self.interrupted = False
        self.unwritten = ""
        self.cut = ""
        self.suite_faults: list[str] = []
        self.turns = Turns()
        self.report: dict[str, Any] | None = None
        self.judgement: Judgement | None = None
        self.exchanges: list[Exchange] = []
        self._key = key
        self._embedded: EmbeddedDeployment | None = None
        self._store: Store | None = None
        self._tallies: list[SharedTally] = []
        self.assignment = assignment
        if assignment is not None:
            self._connect(assignment)

    @property
    def terms(self) -> Terms:
        """What this run was agreed to be."""
        options = self.options
        return Terms(
            base_url=self._assigned.base_url,
            today=options.today.isoformat(),
            settle_s=options.settle_s,
            read_only=options.read_only,
            selected=options.clauses,
        )

    @property
    def _assigned(self) -> Assignment:
        if self.assignment is None:
            raise RunError("The run has not begun.")
        return self.assignment

    @property
    def store(self) -> Store:
        """The deployment, as drivers see it."""
        if self._store is None:
            raise RunError("The run has not begun.")
        return self._store

    def begin(self) -> Obstacle | None:
        """Start or reach the deployment and send the preflight.

        :returns: what stands in the way, ``None`` where the drivers may begin.
        :raises RunError: where the embedded deployment does not start, or the trace cannot be written.
        """
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
        self._clean()  # what workers of an earlier run that was cut off left behind
        self.assignment = Assignment(
            self.options,
            base_url,
            key,
            time.monotonic(),
            time.time(),
            secrets.token_hex(6),
            share=self.options.workers,
        )
        self._connect(self.assignment)
        self.obstacle = preflight(self.store.client)
        if self.obstacle is not None:
            self.stopped = self.obstacle.reason
        return self.obstacle

    def assignment_for(self, worker: str) -> Assignment:
        """What a further worker needs."""
        return replace(self._assigned, worker=worker)

    def _connect(self, assignment: Assignment) -> None:
        options, share = assignment.options, max(1, assignment.share)
        settings = transport_settings(assignment.base_url, options)
        budget = limits_of(options)
        if share > 1:
            # The limits hold for all workers together.
            self._tallies = [SharedTally(options.report_dir / f".{kind}") for kind in ("sent", "created")]
            budget.sent, budget.created = self._tallies
            if budget.rate is not None and assignment.worker != "main":
                budget.rate /= share
        self._path = options.report_dir / (
            "trace.ndjson" if assignment.worker == "main" else f"trace.{assignment.worker}.ndjson"
        )
        self._ledger = Ledger(self.terms)
        self._writer = TraceWriter(self._path, self.terms, self._header())
        client = Client(
            assignment.base_url,
            assignment.key,
            self._record,
            settings=settings,
            budget=budget,
            worker=assignment.worker,
            origin_s=assignment.origin_s,
            read_only=options.read_only,
        )
        self._store = Store(client, self._ledger, self.profile, options.seed, options.category_ids)

    def _record(self, exchange: Exchange) -> None:
        self._writer.write(exchange)
        self._ledger.learn(exchange)

    def _header(self) -> dict[str, Any]:
        assigned = self._assigned
        return {
            "run": assigned.run_id,
            "started": assigned.started,
            "worker": assigned.worker,
            "options": self._shown_options(),
        }

    def _shown_options(self) -> dict[str, Any]:
        values = self.options.as_values()
        # Headers may carry credentials of a gateway: their names are enough.
        values["headers"] = [name for name, _ in self.options.headers]
        return values

    def gone(self, reason: Gone | str) -> None:
        """Take note that the deployment went away, which ends the run."""
        self.stopped = self.stopped or str(reason)

    def cut_short(self, reason: str) -> None:
        """Take note that time or requests were spent before every driver was through."""
        self.cut = self.cut or reason

    def end_worker(self) -> None:
        """End a worker's part: its connections and its trace."""
        self._disconnect()
        with suppress(TraceError):  # what was written until then counts
            self._writer.close()

    def _disconnect(self) -> None:
        self.store.client.close()
        for tally in self._tallies:
            tally.close()

    def finish(self) -> dict[str, Any]:
        """End the run: close the trace, judge it, and build the report."""
        self._disconnect()
        exchanges = list(self._ledger.exchanges)
        parts = self._parts()
        if parts:
            for part in parts:
                with suppress(TraceError):  # a worker that could not write even the first line
                    exchanges += read_trace(part).exchanges
            exchanges.sort(key=lambda each: (each.sent_s, each.worker, each.sequence))
        self.exchanges = exchanges
        self.judgement = judge(exchanges, self.terms, whole=not self.interrupted)
        untold = any(
            each.outcome is ClauseOutcome.CANT_TELL and each.clause.level is Level.MUST
            for each in self.judgement.verdicts
        )
        if self.cut and untold:
            self.stopped = self.stopped or (
                f"{self.cut} Some clauses could not be judged before: a larger --profile or --max-time grants more."
            )
        digest = self._close_trace(exchanges, merge=bool(parts))
        assigned = self._assigned
        self.report = build_report(
            self.judgement,
            RunFacts(
                run_id=assigned.run_id,
                base_url=assigned.base_url,
                name=self.options.shown_name,
                started=assigned.started,
                finished=time.time(),
                profile=self.options.profile,
                seed=self.options.seed,
                workers=self.options.workers,
                strict=self.options.strict,
                certify=self.options.certify,
                options=self._shown_options(),
                stopped=self.stopped,
                remedy=self.obstacle.remedy if self.obstacle else "",
                trace_digest=digest,
                suite_faults=tuple(self.suite_faults),
            ),
        )
        self.passage = Passage(exit_code(self.report))
        return self.report

    def _close_trace(self, exchanges: list[Exchange], *, merge: bool) -> str:
        """Close the trace, with those of the workers in it; return its last digest."""
        ending = {"stopped": self.stopped, "interrupted": self.interrupted, "suite_faults": self.suite_faults}
        try:
            self._writer.close(whole=not merge, ending=ending)
            if not merge:
                return self._writer.digest
            digest = write_trace(self._path, self.terms, self._header(), exchanges, ending)
        except TraceError as error:
            self.unwritten = str(error)
            self.gone(self.unwritten)
            self._clean(WORKERS_FILES[1:])
            return ""
        self._clean()
        return digest

    def write(self) -> None:
        """Write the reports, and pass the gates; what cannot be written is a sentence in ``unwritten``."""
        if self.report is None:
            return
        try:
            write_reports(self.report, self.exchanges, self.options.report_dir)
            self.passage = Passage(
                exit_code(self.report)
            )  # a report that could not be made is a fault of ours
            if not self.unwritten:
                self.passage = pass_gates(self.gates, self.report, self.options)
        except (ReportError, CertificateError) as error:
            self.unwritten = str(error)

    def exit_code(self) -> int:
        """The exit code: a run of which not everything could be written is not green."""
        code = self.passage.exit_code
        return EXIT_CODES[COULD_NOT_JUDGE] if self.unwritten and code == EXIT_CODES[CONFORMS] else code

    def _clean(self, patterns: tuple[str, ...] = WORKERS_FILES) -> None:
        for pattern in patterns:
            for stale in self.options.report_dir.glob(pattern):
                stale.unlink()

    def _parts(self) -> list[Path]:
        return sorted(self.options.report_dir.glob(WORKERS_FILES[0])) if self.options.workers > 1 else []

    def close(self) -> None:
        """Stop the embedded deployment, if there is one."""
        if self._embedded is not None:
            self._embedded.stop()
            self._embedded = None


def limits_of(options: RunOptions) -> Budget:
    """The hard limits of a whole run, over all its workers."""
    profile = PROFILES[options.profile]
    return Budget(
        requests=profile.requests,
        creates=0
        if options.read_only
        else profile.creates
        if options.max_creates is None
        else options.max_creates,
        deadline_s=profile.max_time_s if options.max_time_s is None else options.max_time_s,
        rate=options.rate,
    )
