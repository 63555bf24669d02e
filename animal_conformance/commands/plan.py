"""What a run is about to do: its limits, and how long it will take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import click

from animal_conformance.commands.checklist import say_checklist
from animal_conformance.commands.output import say_sentences
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.case import plural
from animal_conformance.judge.gaps import MORE_THAN, needs_writing
from animal_conformance.record.exchange import Credential, Exchange
from animal_conformance.send.budget import Budget
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.sender import CONTROL
from animal_conformance.session.duration import duration
from animal_conformance.session.options import RunOptions
from animal_conformance.session.reaching import transport_settings
from animal_conformance.session.run import Run, limits_of

MARKER: Final = "Ac"
# How long measuring the response time may take.
MEASURING_S: Final = 10.0
# The units of the settings that have one.
UNITS: Final = {"rate": "/s", "settle": " s", "timeout": " s", "max-time": " s"}
# A placeholder key, for requests that are sent without one.
NO_KEY: Final = "no-key"


def announce(options: RunOptions, opening: str = "About to judge", *, to_stderr: bool) -> None:
    """Print the limits of a run, in a sentence that begins with ``opening``."""
    limits = limits_of(options)
    target = options.base_url or "the reference deployment"
    if options.read_only:
        creating = "no animals created: only GET requests to listPets and getPet"
    elif not limits.creates:
        creating = "no animals created"
    else:
        creating = (
            f"at most {plural(limits.creates, 'animal')} created, most of them with names that contain {MARKER}; they remain, "
            "since the interface has no delete operation, and their ids are in conformance.json"
        )
    rate = "without a rate limit" if options.rate is None else f"at most {options.rate:g} per second"
    say_sentences(
        f"{opening} {target}: at most {limits.requests:,} requests, {rate}, "
        f"for at most {limits.deadline_s:g} s; {creating}.",
        to_stderr=to_stderr,
    )
    if options.torture:
        say_sentences(
            "At the end, --torture sends bodies of megabytes, nesting a thousand deep, numbers of thousands of digits and "
            "half of a character: the deployment may become slow, stop, or fail to list its animals from then on.",
            to_stderr=to_stderr,
        )


def say_plan(options: RunOptions, settings: Sequence[tuple[str, Any, str]]) -> None:
    """Print the limits of a run, its expected duration, its settings, and the clauses it would judge.

    ``settings`` are names with values, and where those came from.

    Two list requests without a key are sent to a deployment with an address, to measure the response time.
    """
    announce(options, "A run would judge", to_stderr=False)
    click.echo(_duration(options))
    if options.certify:
        say_checklist(options)
    click.echo("Settings, and where each came from:")
    for name, value, origin in settings:
        several = value if isinstance(value, (list, tuple)) else [value]
        shown = (
            f"{value:g}{UNITS.get(name, '')}" if isinstance(value, float) else ", ".join(map(str, several))
        )
        click.echo(f"  {name:14} {shown:32} {origin}")
    selected = load_clauses().selected(options.clauses)
    if options.read_only:
        selected = frozenset(each for each in selected if not needs_writing(each))
    click.echo(f"{plural(len(selected), 'clause')} would be judged:")
    for clause in load_clauses().clauses:
        if clause.id in selected:
            click.echo(f"  {clause.level:6} {clause.id:32} {clause.title}")
    creates = limits_of(options).creates
    short = (
        []
        if options.read_only
        else [each for each, most in MORE_THAN.items() if each in selected and creates <= most]
    )
    if short:
        needed = " and ".join(f"{each} needs {MORE_THAN[each] + 1}" for each in short)
        click.echo(
            f"At most {plural(creates, 'animal')} would be created: the deployment has to hold others, as {needed} in all."
        )


def announce_duration(run: Run) -> None:
    """Print how long a run that has begun will take, unless something stands in its way, or it takes no time."""
    if run.obstacle is None and run.latency_s is not None and not run.options.embedded:
        expected = duration(run.options, run.latency_s, run.store.lanes.width)
        click.echo(f"It will take {expected}: a response takes {run.latency_s * 1000:.0f} ms.", err=True)


def _duration(options: RunOptions) -> str:
    latency_s = 0.0 if options.embedded else _latency_s(options)
    if latency_s is None:
        return "The duration is unknown: the deployment did not respond to a list request without a key."
    answers = "" if options.embedded else f"a response takes {latency_s * 1000:.0f} ms, so "
    return f"Nothing is judged now; {answers}a run would take {duration(options, latency_s)}."


def _latency_s(options: RunOptions) -> float | None:
    """How long the second of two list requests without a key takes; ``None`` if it gets no response."""
    sent: list[Exchange] = []
    client = Client(
        options.base_url,
        NO_KEY,
        sent.append,
        settings=transport_settings(options.base_url, options),
        budget=Budget(deadline_s=MEASURING_S),
    )
    click.echo(f"measuring how long the deployment takes to respond, for at most {MEASURING_S:g} s", err=True)
    try:
        sender = client.sender()
        for _ in range(2):
            last = sender.send(CONTROL.method, CONTROL.target, credential=Credential.ABSENT)
    except (Gone, Spent):
        return None
    finally:
        client.close()
    return None if last.response is None else last.answered_s - last.sent_s
