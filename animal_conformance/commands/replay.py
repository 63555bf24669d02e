"""`animal-conformance replay`: send a finding's requests again, and say whether it still occurs."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import say
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.case import plural
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, DOES_NOT_CONFORM, EXIT_CODES
from animal_conformance.judge.replayed import Unseen, seen_again
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Credential, Exchange, Terms
from animal_conformance.record.trace import TraceError, read_trace
from animal_conformance.report.compare import read_report, report_file
from animal_conformance.report.files import ReportError
from animal_conformance.report.safe_text import safe_text
from animal_conformance.report.words import OUTCOME_WORDS, restart_command
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.sender import Sender
from animal_conformance.session.flags import API_KEY_FILE, CLAUSE, REACHING, WholeNumber, options_from
from animal_conformance.session.options import (
    RunOptions,
    UsageError,
    check_certificates,
    checked_url,
    find_address,
    find_key,
)
from animal_conformance.session.reaching import transport_settings

LONGEST_PAUSE_S = 10.0
UNTOLD = (
    "Whether it still occurs cannot be told: these responses say nothing without the rest of the run. Replay it with the "
    "trace.ndjson of the run beside its report, against the same deployment, or judge the clause: "
    "animal-conformance run --clause"
)


@click.command(params=[API_KEY_FILE, *REACHING], short_help="Send the exchanges of a finding again.")
@click.argument("report", type=click.Path(exists=True, path_type=Path))
@click.argument("clause", shell_complete=CLAUSE.shell_complete)
@click.option(
    "--deployment", "base_url", metavar="URL", help="Send to this deployment instead of the report's."
)
@click.option(
    "--finding",
    "number",
    default=1,
    show_default=True,
    type=WholeNumber(1),
    metavar="N",
    help="Number of the finding to replay.",
)
def replay(
    report: Path, clause: str, base_url: str | None, api_key_file: str | None, number: int, **values: Any
) -> None:
    """Send the exchanges behind a finding of CLAUSE in REPORT (conformance.json) again, in order.

    Exit code: 0 if the finding no longer occurs, 1 if it still does, 3 if the deployment cannot be reached, or its
    responses do not tell.
    """
    try:
        options = options_from(values)
        check_certificates(options)
        path = report_file(report)
        content = read_report(path)
        finding = _finding(content, clause, number)
        key = find_key(api_key_file)
        given = find_address(base_url, {}, otherwise="to send to the report's deployment")
        address = checked_url(given or content["target"]["base_url"])
        run = _run_of(content, path.with_name("trace.ndjson"))
        recorded = [run.get(each.reference, each) for each in map(Exchange.from_record, finding["exchanges"])]
        recorded.sort(key=lambda each: each.sent_s)
    except (UsageError, ReportError) as error:
        fail(error)
    except (KeyError, TypeError, ValueError, RecursionError):
        fail(f"Finding {number} of {clause} in {path} has exchanges that are not as a run writes them.")
    sent: list[Exchange] = []
    client = Client(address, key, sent.append, settings=transport_settings(address, options))
    try:
        for exchange in _again(client.sender(), recorded):
            say(f"{exchange.request.method} {safe_text(exchange.request.target)}: {_outcome(exchange)}")
            created = created_id(exchange)
            if created is not None:
                say(f"  This created animal {created}, which remains: the interface has no delete operation.")
    except (Gone, Spent) as reason:
        fail(_with_restart(reason, address, content), EXIT_CODES[COULD_NOT_JUDGE])
    finally:
        client.close()
    if not any(each.response for each in sent):
        fail(
            _with_restart(f"The deployment at {address} does not respond.", address, content),
            EXIT_CODES[COULD_NOT_JUDGE],
        )
    terms = Terms(
        base_url=address,
        today=datetime.now().astimezone().date().isoformat(),
        settle_s=_settle_s(content),
        selected=(clause,),
    )
    context = list(run.values()) if address == content["target"]["base_url"] else []
    seen = seen_again(clause, recorded, sent, terms, context)
    if seen is Unseen.UNTOLD:
        fail(f"{UNTOLD} {clause}", EXIT_CODES[COULD_NOT_JUDGE])
    if seen is Unseen.GONE:
        say("No longer occurs in these exchanges.")
        return
    say(f"Still occurs: {safe_text(seen.message)}")
    say(f"  expected  {safe_text(seen.expected)}")
    say(f"  observed  {safe_text(seen.observed)}")
    sys.exit(EXIT_CODES[DOES_NOT_CONFORM])


def _with_restart(reason: object, address: str, report: dict[str, Any]) -> str:
    """Why a replay ended, and how to start the deployment again if it was the built-in one."""
    command = restart_command(report) if address == report["target"]["base_url"] else ""
    return f"{reason} Start it again: {command}" if command else str(reason)


def _run_of(report: dict[str, Any], path: Path) -> dict[str, Exchange]:
    """The exchanges of the run of a report, if its trace is still there and unaltered."""
    try:
        trace = read_trace(path)
    except TraceError:
        return {}
    if trace.damage or trace.header.get("run") != report["run"]["id"]:
        return {}
    return {each.reference: each for each in trace.exchanges}


def _finding(report: dict[str, Any], clause: str, number: int) -> dict[str, Any]:
    entry = next((each for each in report["clauses"] if each["id"] == clause), None)
    if entry is None:
        raise UsageError(f"The report has no clause {clause!r}. `animal-conformance clauses` lists them.")
    findings: list[dict[str, Any]] = entry["findings"]
    if not findings:
        raise UsageError(
            f"{clause} has no findings in this report: its outcome is: {OUTCOME_WORDS[ClauseOutcome(entry['outcome'])]}."
        )
    if number > len(findings):
        raise UsageError(
            f"{clause} has {plural(len(findings), 'finding')} in this report; there is no finding {number}."
        )
    return findings[number - 1]


def _again(sender: Sender, recorded: list[Exchange]) -> list[Exchange]:
    """Send requests as before, with the ids of newly created animals in place of the recorded ones."""
    ids: dict[str, int] = {}
    done = []
    for at, before in enumerate(recorded):
        if at:
            pause_s = before.sent_s - recorded[at - 1].answered_s
            time.sleep(min(max(pause_s, 0.0), LONGEST_PAUSE_S))
        request = before.request
        target = re.sub(
            r"^(/pets/)(-?\d+)$", lambda found: f"{found[1]}{ids.get(found[2], found[2])}", request.target
        )
        # A HAR file says only whether there was a key.
        valid = Credential.VALID if request.credential is Credential.UNKNOWN else request.credential
        exchange = sender.send_as(replace(request, target=target, credential=valid))
        old, new = created_id(before), created_id(exchange)
        if old is not None and new is not None:
            ids[str(old)] = new
        done.append(exchange)
    return done


def _settle_s(report: dict[str, Any]) -> float:
    settle_s = report["run"].get("options", {}).get("settle_s")
    return float(settle_s) if isinstance(settle_s, (int, float)) else RunOptions.settle_s


def _outcome(exchange: Exchange) -> str:
    if exchange.response is None:
        return f"no response ({exchange.failure.kind.value})" if exchange.failure else "no response"
    return f"{exchange.response.status}"
