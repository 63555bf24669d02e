"""What a run costs: its pace beside a bare loop and beside Schemathesis, and where its time goes."""

from __future__ import annotations

import json
import time
from pathlib import Path

import requests
from rich.console import Console
from rich.table import Table

from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Exchange
from animal_conformance.record.trace import Trace, read_trace
from animal_conformance.reference.embedded import EmbeddedDeployment
from animal_conformance.report.files import write_reports
from animal_conformance.send.keys import authorizations
from benchmarks.contenders import Deployed, Outcome, run_schemathesis, run_suite

# The deployments have the same key, and so the same animals under the same ids.
KEY = "bEnch-7f3Qz9-mArk"


def measure_cost(directory: Path, console: Console) -> None:
    """Run each contender once on a deployment of its own, and print what was measured."""
    for name in ("suite", "schemathesis"):
        (directory / name).mkdir()
    with EmbeddedDeployment(api_key=KEY) as deployment:
        suite = run_suite(deployment, directory / "suite")
    trace = read_trace(directory / "suite" / "trace.ndjson")
    with EmbeddedDeployment(api_key=KEY) as deployment:
        bare_s = replay(trace, deployment)
    with EmbeddedDeployment(api_key=KEY) as deployment:
        schemathesis = run_schemathesis(deployment, directory / "schemathesis")
    console.print(_pace(trace, suite, bare_s, schemathesis))
    console.print(
        "Pace: requests per second of the whole process; the bare loop sends the suite's recorded requests again.\n"
    )
    console.print(_parts(trace, suite, directory))
    console.print(
        "Judging and reports were measured separately, on the recorded trace; the remainder is the rest of the run.\n"
    )


def replay(trace: Trace, deployment: Deployed) -> float:
    """Send the requests of a trace again with a plain session, one after the other; return the seconds that it took."""
    headers = authorizations(deployment.api_key)
    prepared = [
        _prepare(exchange, deployment.base_url, headers[exchange.request.credential][exchange.request.form])
        for exchange in trace.exchanges
    ]
    with requests.Session() as session:
        started_s = time.monotonic()
        for each in prepared:
            session.send(each, allow_redirects=False, timeout=30)
        return time.monotonic() - started_s


def _prepare(exchange: Exchange, base_url: str, authorization: str | None) -> requests.PreparedRequest:
    request = exchange.request
    # The session adds the framing of the body itself.
    headers = {name: value for name, value in request.headers if name.lower() != "transfer-encoding"}
    if authorization is not None:
        headers["Authorization"] = authorization
    return requests.Request(
        request.method, base_url + request.target, headers=headers, data=request.body
    ).prepare()


def _pace(trace: Trace, suite: Outcome, bare_s: float, schemathesis: Outcome) -> Table:
    table = Table(
        "", "requests", "seconds", "requests/s", "of the bare loop", title="Pace", title_justify="left"
    )
    count = len(trace.exchanges)
    bare = count / bare_s
    for name, sent, seconds in (
        ("bare requests.Session", count, bare_s),
        ("animal-conformance run", suite.requests, suite.seconds),
        ("schemathesis run", schemathesis.requests, schemathesis.seconds),
    ):
        table.add_row(
            name, f"{sent}", f"{seconds:.2f}", f"{sent / seconds:.0f}", f"{sent / seconds / bare:.0%}"
        )
    return table


def _parts(trace: Trace, suite: Outcome, directory: Path) -> Table:
    exchanges = trace.exchanges
    began_s = min(each.sent_s for each in exchanges)
    driving_s = max(each.answered_s for each in exchanges) - began_s
    answers_s = sum(each.answered_s - each.sent_s for each in exchanges)
    judging_s, reports_s = _judging(trace, directory)
    table = Table(
        "part of the run", "seconds", "of the whole", title="Where the time goes", title_justify="left"
    )
    parts = {
        "waiting for answers (transport, network and deployment)": answers_s,
        "between answers (generating, recording, learning)": driving_s - answers_s,
        "judging": judging_s,
        "reports": reports_s,
        "start and end (imports, collecting, printing)": suite.seconds - driving_s - judging_s - reports_s,
        "whole process": suite.seconds,
    }
    for name, seconds in parts.items():
        table.add_row(name, f"{seconds:.2f}", f"{seconds / suite.seconds:.0%}")
    return table


def _judging(trace: Trace, directory: Path) -> tuple[float, float]:
    """How many seconds judging a trace takes, and how many writing its reports."""
    report = json.loads((directory / "suite" / "conformance.json").read_text(encoding="utf-8"))
    place = directory / "again"
    place.mkdir()
    started_s = time.monotonic()
    judge(trace.exchanges, trace.terms)
    judged_s = time.monotonic()
    write_reports(report, trace.exchanges, place)
    return judged_s - started_s, time.monotonic() - judged_s
