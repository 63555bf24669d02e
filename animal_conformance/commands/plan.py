"""What a run is about to do: its limits, and how long it will take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from animal_conformance.commands.checklist import say_checklist
from animal_conformance.drive.profiles import PROFILES
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.gaps import needs_writing
from animal_conformance.record.exchange import Credential
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.sender import CONTROL
from animal_conformance.send.width import helpful_width
from animal_conformance.session.reaching import transport_settings
from animal_conformance.session.run import limits_of

if TYPE_CHECKING:
    from animal_conformance.record.exchange import Exchange
    from animal_conformance.session.options import RunOptions

MARKER: Final = "Ac"
# A placeholder key, for requests that are sent without one.
NO_KEY: Final = "no-key"
# Lanes wait for each other now and then: by measurement, a run takes this factor longer than its requests.
SIDE_BY_SIDE: Final = 1.3


def announce(options: RunOptions, *, to_stderr: bool) -> None:
    """Print the limits of a run."""
    limits = limits_of(options)
    target = options.base_url or "the reference deployment"
    if options.read_only:
        creating = "no animals created: only GET requests to listPets and getPet"
    else:
        creating = (
            f"at most {limits.creates} animals created, with names that begin with {MARKER} where the test allows it; "
            "they remain, since the interface has no delete operation"
        )
    rate = "without a rate limit" if options.rate is None else f"at most {options.rate:g} per second"
    click.echo(
        f"About to judge {target}: at most {limits.requests} requests, {rate}, "
        f"for at most {limits.deadline_s:g} s; {creating}.",
        err=to_stderr,
    )


def say_plan(options: RunOptions) -> None:
    """Print the limits of a run, its expected duration, and the clauses it would judge.

    Two list requests without a key are sent to a deployment with an address, to measure the response time.
    """
    announce(options, to_stderr=False)
    click.echo(_duration(options))
    selected = load_clauses().selected(options.clauses)
    if options.read_only:
        selected = frozenset(each for each in selected if not needs_writing(each))
    click.echo(f"{len(selected)} clauses would be judged:")
    for clause in load_clauses().clauses:
        if clause.id in selected:
            click.echo(f"  {clause.level:6} {clause.id:32} {clause.title}")
    if options.certify:
        say_checklist(options)


def _duration(options: RunOptions) -> str:
    profile = PROFILES[options.profile]
    if profile.repeats:
        return (
            f"It would take {limits_of(options).deadline_s:g} s: a {profile.name} run uses all of its time."
        )
    latency_s = 0.0 if options.embedded else _latency_s(options)
    if latency_s is None:
        return "The duration is unknown: the deployment did not respond to a list request without a key."
    width = options.connections or helpful_width(latency_s, options.rate)
    waiting_s = profile.usual_requests * latency_s * (SIDE_BY_SIDE / width if width > 1 else 1)
    if options.rate is not None:
        waiting_s = max(waiting_s, profile.usual_requests / options.rate)
    answers = "" if options.embedded else f"a response takes {latency_s * 1000:.0f} ms, so "
    lanes = f" on {width} connections" if width > 1 else ""
    return f"Nothing is judged now; {answers}a run would take about {profile.own_time_s + waiting_s:.0f} s{lanes}."


def _latency_s(options: RunOptions) -> float | None:
    """How long the second of two list requests without a key takes; ``None`` if it gets no response."""
    sent: list[Exchange] = []
    client = Client(
        options.base_url, NO_KEY, sent.append, settings=transport_settings(options.base_url, options)
    )
    try:
        sender = client.sender()
        for _ in range(2):
            last = sender.send(CONTROL.method, CONTROL.target, credential=Credential.ABSENT)
    except (Gone, Spent):
        return None
    finally:
        client.close()
    return None if last.response is None else last.answered_s - last.sent_s
