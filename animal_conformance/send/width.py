"""The number of lanes: as many as help, and as the deployment serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from animal_conformance.send.sender import CONTROL

if TYPE_CHECKING:
    from animal_conformance.send.client import Client
    from animal_conformance.send.sender import Sender

DEFAULT_WIDTH: Final = 8
# If responses arrive within this time, parallel requests save nothing.
QUICK_S: Final = 0.005
# How long a second connection may take next to an idle one, as a multiple of the first one's time.
PATIENCE_FACTOR: Final = 10
SHORTEST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 1.5


def find_width(client: Client, main: Sender, wanted: int | None) -> int:
    """How many lanes to use.

    The requests sent for this share one number, so that the numbers of a run do not depend on the result.

    :param main: has an open connection, which stays idle meanwhile.
    :param wanted: the user's choice; ``None`` to measure.
    :returns: 1 if responses are immediate, or if a second connection is not served next to an idle one (a server
        that serves one connection at a time conforms).
    """
    number = client.reserve()
    if wanted == 1:
        return 1
    main.begin(number)
    twice = [main.send(CONTROL.method, CONTROL.target) for _ in range(2)]
    main.begin(None)
    took_s = min(each.answered_s - each.sent_s for each in twice)
    if wanted is None and took_s <= QUICK_S:
        return 1
    wait_s = min(max(SHORTEST_WAIT_S, PATIENCE_FACTOR * took_s), LONGEST_WAIT_S)
    second = client.sender()
    second.begin(number, sent=len(twice))
    if not second.serves(wait_s):
        client.close_idle()
        return 1
    return wanted or DEFAULT_WIDTH
