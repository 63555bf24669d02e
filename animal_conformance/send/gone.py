"""When a deployment is gone: it no longer responds, cannot be read any more, or no longer accepts the key."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from animal_conformance.record.exchange import Credential, Exchange, FailureKind
from animal_conformance.send.answers import failed, how, is_outage, unanswered
from animal_conformance.send.endings import Gone

if TYPE_CHECKING:
    from animal_conformance.send.sender import Sender

# The pauses before the plain list requests that show whether anything is answered.
CONTROL_PAUSES_S: Final = (0.0, 0.5, 1.5)
# A restart affects every request for a while: connections are refused or closed, or a proxy finds nothing behind it.
OUTAGE_PAUSES_S: Final = (0.0, 0.5, 1.0, 2.0, *(3.0 for _ in range(9)))
REFUSALS_OF_AN_ENDED_KEY: Final = 12
# Wrong keys may lock out the right one for a moment: it is tried again after these pauses.
LOCKOUT_PAUSES_S: Final = (0.0, 0.5, 2.0)
# After this many responses in a row that cannot be read, a plain list request shows whether any can be read.
UNREADABLE_AT_MOST: Final = 24


def expect_an_answer(sender: Sender, exchange: Exchange) -> None:
    """Distinguish a request without an answer from a deployment that does not answer at all.

    An outage is waited out; if nothing has ever answered, it is not an outage.

    :raises Gone: if it does not answer at all.
    """
    client, first = sender.client, exchange
    for short_s, long_s in zip_longest(CONTROL_PAUSES_S, OUTAGE_PAUSES_S):
        out = client.health.has_answered and is_outage(exchange)
        if short_s is None and not out:
            break
        pause_s = long_s if out or short_s is None else short_s
        if out and client.now_s() + pause_s > client.budget.deadline_s:
            break
        client.wait(pause_s)
        exchange = sender.control()
        malformed = exchange.failure_kind is FailureKind.MALFORMED
        if not failed(exchange) or (malformed and sender.answers_otherwise()):
            return
    if not client.health.has_answered:
        raise client.end(Gone(f"The deployment does not respond ({how(exchange)})."))
    raise client.end(Gone(f"The deployment no longer responds ({how(exchange)}). {unanswered(first)}"))


def watch_responses(sender: Sender) -> None:
    """Detect that responses cannot be read any more, whatever is requested.

    :raises Gone: if they cannot.
    """
    client = sender.client
    client.health.unreadable += 1
    if client.health.unreadable < UNREADABLE_AT_MOST:
        return
    with client.alone():
        control = sender.control()
        if control.response is None and not failed(control):
            raise client.end(Gone(f"The deployment's responses can no longer be read ({how(control)})."))


def watch_key(sender: Sender, exchange: Exchange) -> None:
    """Detect that the key is no longer valid, so that nothing more can be judged.

    :raises Gone: if it is no longer valid.
    """
    client = sender.client
    if (
        exchange.request.credential is not Credential.VALID
        or client.health.refusals < REFUSALS_OF_AN_ENDED_KEY
    ):
        return
    with client.alone():
        for pause_s in LOCKOUT_PAUSES_S:
            client.wait(pause_s)
            # Perhaps only this connection is refused, since a wrong key was sent on it.
            sender.close_idle()
            control = sender.control()
            if control.status != 401:
                client.health.refusals = 0
                return
        raise client.end(
            Gone("The deployment rejected the key many times in a row, so nothing more can be judged.")
        )
