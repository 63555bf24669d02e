"""How long a run will take, from how fast the deployment answers."""

from __future__ import annotations

from typing import Final

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import SETTLINGS_LATER
from animal_conformance.send.width import helpful_width
from animal_conformance.session.options import RunOptions
from animal_conformance.session.run import limits_of

# Lanes wait for each other now and then: by measurement, a run takes this factor longer than its requests.
SIDE_BY_SIDE: Final = 1.3


def duration(options: RunOptions, latency_s: float, width: int | None = None) -> str:
    """The expected duration of a run in words, such as `about 12 s on 8 connections`, with what it waits for.

    :param latency_s: how long an answer takes.
    :param width: how many connections there will be; ``None`` where that is not measured yet.
    """
    profile, limit_s = PROFILES[options.profile], limits_of(options).deadline_s
    if profile.repeats:
        return f"{limit_s:g} s, as a {profile.name} run uses all of its time"
    width = width or options.connections or helpful_width(latency_s, options.rate)
    waiting_s = profile.usual_requests * latency_s * (SIDE_BY_SIDE / width if width > 1 else 1)
    if options.rate is not None:
        waiting_s = max(waiting_s, profile.usual_requests / options.rate)
    own_s = min(profile.own_time_s + waiting_s, limit_s)
    later_s = SETTLINGS_LATER * options.settle_s
    lanes = f" on {width} connections" if width > 1 else ""
    if options.certify and own_s < later_s <= limit_s:
        return f"about {later_s:.0f} s{lanes}, since a certifying run reads its first animals again after that time"
    return f"about {own_s:.0f} s{lanes}"
