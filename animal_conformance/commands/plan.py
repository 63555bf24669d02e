"""What a run is about to do: at most, and how long it will take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.verdicts import needs_writing
from animal_conformance.record.exchange import Credential
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.sender import CONTROL
from animal_conformance.send.width import DEFAULT_WIDTH, QUICK_S
from animal_conformance.session.reaching import transport_settings
from animal_conformance.session.run import limits_of

if TYPE_CHECKING:
    from animal_conformance.record.exchange import Exchange
    from animal_conformance.session.options import RunOptions

MARKER: Final = "Ac"
# A key for requests that are sent without one.
NO_KEY: Final = "no-key"
# Lanes wait for each other at the end of each driver: measured, a run takes so many times what its requests would.
SIDE_BY_SIDE: Final = 1.5


def announce(options: RunOptions, *, to_stderr: bool) -> None:
    """Say what a run is about to do at most."""
    limits = limits_of(options)
    target = options.base_url or "the embedded reference deployment"
    if options.read_only:
        creating = "no animal created: GETs of listPets and getPet and nothing else"
    else:
        creating = (
            f"at most {limits.creates} animals created, whose names begin with {MARKER} where the test allows it; "
            "they stay, since the interface has no delete operation"
        )
    rate = "as fast as it answers" if options.rate is None else f"at most {options.rate:g} a second"
    click.echo(
        f"About to judge {target}: at most {limits.requests} requests, {rate}, "
        f"for at most {limits.deadline_s:g} s; {creating}.",
        err=to_stderr,
    )


def say_plan(options: RunOptions) -> None:
    """Say what a run would do at most, how long it would take, and which clauses it would judge.

    Two listings without a key are sent to a deployment with an address, to see how long an answer takes.
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


def _duration(options: RunOptions) -> str:
    profile = PROFILES[options.profile]
    if profile.repeats:
        return f"It would take {limits_of(options).deadline_s:g} s, as a {profile.name} run takes all of its time."
    latency_s = 0.0 if options.embedded else _latency_s(options)
    if latency_s is None:
        return "How long it would take cannot be said: the deployment did not answer a listing without a key."
    width = options.connections or (1 if latency_s <= QUICK_S else DEFAULT_WIDTH)
    waiting_s = profile.usual_requests * latency_s * (SIDE_BY_SIDE / width if width > 1 else 1)
    if options.rate is not None:
        waiting_s = max(waiting_s, profile.usual_requests / options.rate)
    answers = "" if options.embedded else f"an answer takes {latency_s * 1000:.0f} ms, so that "
    lanes = f" on {width} connections" if width > 1 else ""
    return f"Nothing is judged now; {answers}a run would take some {profile.own_time_s + waiting_s:.0f} s{lanes}."


def _latency_s(options: RunOptions) -> float | None:
    """How long the second of two listings without a key takes; ``None`` where it is not answered."""
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
