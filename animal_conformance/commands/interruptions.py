"""How a command is asked to end before its time: Ctrl-C, SIGTERM, and SIGHUP where its terminal was closed."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

OUTPUTS: Final = (1, 2)


def when_asked_to_end(end: Callable[[], object], *others: signal.Signals) -> None:
    """Call something at SIGTERM and SIGHUP, and at other signals.

    A hang-up is left alone where whoever started the command had it ignored, as nohup does.
    """
    for number in (signal.SIGTERM, *others):
        signal.signal(number, lambda *_: end())
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:

        def hang_up(*_: object) -> None:
            # A shell and the kernel may both say it, and the second must not end the writing of the reports.
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            leave_closed_terminals()
            end()

        signal.signal(signal.SIGHUP, hang_up)


def leave_closed_terminals() -> None:
    """Let output to a terminal that is gone go nowhere, as writing there is an error."""
    for each in OUTPUTS:
        try:
            os.write(each, b"")
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, each)
            os.close(nowhere)
