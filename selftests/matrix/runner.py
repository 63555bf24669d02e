"""Run many deployments, a few at a time, each in a process forked from this one: imports are paid for once."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from animal_conformance.drive.generated import OPERATIONS, coverage, fuzzing
from animal_conformance.drive.profiles import PROFILES
from animal_conformance.judge.hearing import Hearing
from animal_conformance.record.trace import read_trace
from animal_conformance.report.again import report_of_trace
from animal_conformance.session.judging import drive
from animal_conformance.session.options import RunOptions, checked
from animal_conformance.session.run import Run, RunError
from selftests.matrix.cases import MatrixCase
from selftests.matrix.deployment import NotStarted, deployed
from selftests.matrix.result import Result

LONGEST_S = 180


@dataclass(frozen=True)
class Job:
    """One run of one deployment; ``again`` is whether its trace is judged a second time, to compare the verdicts."""

    case: MatrixCase
    seed: int
    profile: str = "standard"
    connections: int | None = None
    again: bool = True


def run_job(job: Job, directory: Path) -> Result:
    """Judge one deployment in this process."""
    started_s = time.monotonic()
    try:
        with deployed(job.case) as (base_url, key):
            options = checked(
                RunOptions(
                    base_url=base_url,
                    profile=job.profile,
                    seed=job.seed,
                    connections=job.connections,
                    today=date.fromisoformat(job.case.today) if job.case.today else date.min,
                    report_dir=directory,
                )
            )
            run = Run(options, key)
            run.begin()
            drive(run, write=False)
    except (NotStarted, RunError) as error:
        return Result(job.case.name, job.seed, job.profile, "not-started", str(error))
    report = run.report
    if report is None:
        return Result(job.case.name, job.seed, job.profile, "no-report")
    again = _judged_again(directory / "trace.ndjson", report) if job.again else ""
    seconds = round(time.monotonic() - started_s, 2)
    return Result(seconds=seconds, judged_again=again, **_facts(job, report), **_drivers(run.store.heard()))


def _drivers(hearing: Hearing) -> dict[str, Any]:
    """Which drivers sent anything, and which of them alone found a failed clause."""
    of = {each.reference: each.driver.rpartition("::")[2] for each in hearing.ledger.exchanges}
    found_by = [{of[each] for each in tally.found_in} for tally in hearing.tallies.values()]
    alone = {next(iter(each)) for each in found_by if len(each) == 1}
    return {"drivers": sorted(filter(None, set(of.values()))), "alone": sorted(filter(None, alone))}


def _judged_again(path: Path, report: dict[str, Any]) -> str:
    """The clauses whose outcome from the trace alone differs from that of the run; empty if there are none."""
    trace = read_trace(path)
    if trace.damage or not trace.whole:
        return trace.damage or "The trace is not whole."
    outcomes = {each["id"]: each["outcome"] for each in report["clauses"]}
    again = report_of_trace(trace)["clauses"]
    return ", ".join(each["id"] for each in again if outcomes[each["id"]] != each["outcome"])


def _facts(job: Job, report: dict[str, Any]) -> dict[str, Any]:
    def ids(outcome: str) -> list[str]:
        return [each["id"] for each in report["clauses"] if each["outcome"] == outcome]

    return {
        "name": job.case.name,
        "seed": job.seed,
        "profile": job.profile,
        "outcome": report["outcome"],
        "reason": report["reason"],
        "failed": ids("failed"),
        "untold": ids("cant-tell"),
        "passed": ids("passed"),
        "messages": {
            each["id"]: f"{each['findings'][0]['message']} Observed: {each['findings'][0]['observed']}"
            for each in report["clauses"]
            if each["outcome"] == "failed"
        },
        "excluded": sorted(
            {
                excluded["explanation"]
                for each in report["clauses"]
                for finding in each["findings"]
                for excluded in finding["excluded"]
            }
        ),
        "suite_faults": report["suite_faults"],
        "requests": report["run"]["requests"],
        "creations": report["run"]["creations"],
    }


def run_all(
    jobs: Iterable[Job], at_once: int, done: Callable[[Result, Path], None] = lambda _result, _place: None
) -> list[Result]:
    """Run jobs, ``at_once`` at a time; results come in the order in which they end.

    :param done: called with each result and the folder of its run, which is deleted afterwards.
    """
    for operation_id in OPERATIONS:
        coverage(operation_id)
    gc.collect()
    gc.freeze()  # these objects stay, and no fork scans them again
    results = []
    with tempfile.TemporaryDirectory(prefix="matrix-") as directory:
        waiting: Iterator[Job] = iter(jobs)
        running: dict[int, tuple[Job, Path, float]] = {}
        more = True
        while more or running:
            while more and len(running) < at_once:
                job = next(waiting, None)
                if job is None:
                    more = False
                    break
                _generate(job)
                place = Path(tempfile.mkdtemp(dir=directory))
                running[_fork(job, place)] = (job, place, time.monotonic())
            ended = _next_end(running)
            if ended is None:
                continue
            job, place, _ = running.pop(ended)
            try:
                result = Result(**json.loads((place / "result.json").read_text(encoding="utf-8")))
            except (OSError, ValueError):
                output = (place / "output.txt").read_text(encoding="utf-8", errors="replace")[-500:]
                result = Result(job.case.name, job.seed, job.profile, "crashed", output)
            results.append(result)
            done(result, place)
            shutil.rmtree(place)
    return results


def _generate(job: Job) -> None:
    """Generate the cases of Schemathesis, the same for all runs with the same seed, before a fork needs them."""
    profile = PROFILES[job.profile]
    for operation_id in OPERATIONS if profile.fuzzing else ():
        # These have to be the arguments of the driver: the cases are cached by their arguments.
        fuzzing(operation_id, profile.fuzzing, job.seed, 0)


def _fork(job: Job, place: Path) -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        gc.disable()  # a run ends before collecting would pay
        os.setpgid(0, 0)
        output = os.open(place / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(output, 1)
        os.dup2(output, 2)
        result = run_job(job, place)
        (place / "result.json").write_text(json.dumps(asdict(result)), encoding="utf-8")
        status = 0
    finally:
        os._exit(status)


def _next_end(running: dict[int, tuple[Job, Path, float]]) -> int | None:
    """The next child that has ended, or that took too long and was killed."""
    for child, (_, _, started_s) in running.items():
        if os.waitpid(child, os.WNOHANG)[0]:
            return child
        if time.monotonic() - started_s > LONGEST_S:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return child
    time.sleep(0.01)
    return None
