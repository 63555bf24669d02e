"""The lanes of a run: as many as save time, and as the deployment serves beside each other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from animal_conformance.record.exchange import Exchange
from animal_conformance.send.client import Client
from animal_conformance.send.sender import Sender

DEFAULT_WIDTH: Final = 8
# If responses arrive within this time, parallel requests save nothing.
QUICK_S: Final = 0.005
# Lists or creations that take this long are slow, however quick other responses are.
SLOW_S: Final = 0.1
# How long a further connection may take next to the others, as a multiple of the first one's time.
PATIENCE_FACTOR: Final = 10
SHORTEST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 1.5
# Where responses are slow, the limit is at least this many times as long as one. A list that takes this many times as
# long as other responses is slow.
LEAST_FACTOR: Final = 3


def open_lanes(client: Client, number: int, took_s: float, wanted: int | None) -> list[Sender]:
    """Open the further connections of a run beside the first one, which stays idle meanwhile.

    All of them at once, since a deployment may keep a worker for each open connection: one that gets no
    worker would wait until the server closes another that is idle. Their requests share one number, so that the numbers
    of a run do not depend on the result.

    :param number: the number that their requests share.
    :param took_s: how long a response takes on the first connection.
    :param wanted: the user's choice of lanes in total; ``None`` to decide.
    :returns: a sender for each connection that was served; none if responses are immediate, or if the deployment
        serves one connection at a time (which conforms).
    """
    further = (helpful_width(took_s, client.budget.rate) if wanted is None else wanted) - 1
    if further < 1:
        return []
    longest_s = max(LONGEST_WAIT_S, LEAST_FACTOR * took_s)
    wait_s = min(max(SHORTEST_WAIT_S, PATIENCE_FACTOR * took_s), longest_s)
    senders = [client.sender() for _ in range(further)]
    for sent, sender in enumerate(senders):
        sender.begin(number, sent=sent)
    with ThreadPoolExecutor(max_workers=further) as threads:
        try:
            served = list(threads.map(lambda each: each.serves(wait_s), senders))
        except KeyboardInterrupt:
            client.stop()
            raise
    for sender in senders:
        sender.begin(None)
    for sender, each in zip(senders, served, strict=True):
        if not each:
            client.dismiss(sender)
    if not all(served):
        client.make_room()
    return [sender for sender, each in zip(senders, served, strict=True) if each]


def typical_s(exchanges: Iterable[Exchange]) -> float:
    """How long the responses of a preflight show that one takes: the quickest, unless lists are slow.

    A list may have been requested on a new connection, which takes two round trips.
    """
    times = [(each.answered_s - each.sent_s, each) for each in exchanges if each.status]
    quickest_s = min(took_s for took_s, _ in times)
    listed_s = [took_s for took_s, each in times if each.status == 200]
    list_s = min(listed_s, default=0.0)
    return list_s if list_s > max(SLOW_S, LEAST_FACTOR * quickest_s) else quickest_s


def helpful_width(took_s: float, rate: float | None) -> int:
    """How many lanes save time where a response takes this long: no more than the rate of requests would fill."""
    if took_s <= QUICK_S:
        return 1
    return DEFAULT_WIDTH if rate is None else min(DEFAULT_WIDTH, 1 + math.ceil(rate * took_s))
