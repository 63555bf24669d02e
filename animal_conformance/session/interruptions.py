"""How a command is asked to end before its time: Ctrl-C, SIGTERM, and SIGHUP where its terminal was closed."""

from __future__ import annotations

import atexit
import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

OUTPUTS: Final = (1, 2)
# The same number as in judge.outcome; the guard of the exit code imports this before anything that may be broken.
EXIT_COULD_NOT_JUDGE: Final = 3
# Some wrappers pass a signal on that the terminal has sent already, so the second one may be the same Ctrl-C.
LAST: Final = 3
ENDING: Final = (
    "Ending, and writing what has been judged. One more signal ends the run at once, without reports."
)
ENDED: Final = "Ended at once: reports may be missing."


class Interruptions:
    """The handler of signals that ask for an end: the first one interrupts, and the next does not disturb what is done then.

    The third ends the process at once. ``code`` is what the process is about to exit with.
    """

    def __init__(self) -> None:
        self._asked = 0
        self._ending = False
        self.code = EXIT_COULD_NOT_JUDGE

    def install(self) -> None:
        """Answer Ctrl-C and SIGTERM from now on, unless whoever started the process has it ignore them."""
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self)
        atexit.register(self._leave)

    def __call__(self, *_: object) -> None:
        """Answer a signal."""
        self._asked += 1
        if not self._ending:
            self._ending = True
            raise KeyboardInterrupt
        _say(ENDING if self._asked < LAST else ENDED)
        if self._asked >= LAST:
            os._exit(EXIT_COULD_NOT_JUDGE)

    def begin_end(self) -> None:
        """Treat the next signal as a second one: what is left to be done is short, and worth more than an interruption."""
        self._ending = True

    @property
    def asked(self) -> bool:
        """Whether there was a signal."""
        return self._asked > 0

    def _leave(self) -> None:
        """Keep the exit code, since the interpreter restores the default handlers of signals before it ends.

        If an interruption passed through code that was executed from a text, the interpreter even sends itself a signal.
        """
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        if self.asked:
            for each in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    each.flush()
            os._exit(self.code)


def installed() -> Interruptions:
    """The handler of this process; if the suite is not run as the command, one that nothing calls."""
    handlers = map(signal.getsignal, (signal.SIGTERM, signal.SIGINT))
    return next((each for each in handlers if isinstance(each, Interruptions)), Interruptions())


def _say(sentence: str) -> None:
    # The signal may have come in the middle of a write to one of Python's streams.
    with suppress(OSError):
        os.write(2, f"animal-conformance: {sentence}\n".encode())


def when_asked_to_end(end: Callable[[], object], *others: signal.Signals) -> None:
    """Call something at SIGTERM and SIGHUP, and at other signals.

    A hang-up is left alone where whoever started the command had it ignored, as nohup does.
    """
    for number in (signal.SIGTERM, *others):
        signal.signal(number, lambda *_: end())
    when_hung_up(end)


def when_hung_up(end: Callable[[], object]) -> None:
    """Call something at SIGHUP, unless it is ignored."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:

        def hang_up(*_: object) -> None:
            # A shell and the kernel may both send it, and the second one must not end the writing of the reports.
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            leave_closed_terminals()
            end()

        signal.signal(signal.SIGHUP, hang_up)


def leave_closed_terminals() -> None:
    """Discard output to a terminal that is gone, since writing there is an error."""
    for each in OUTPUTS:
        try:
            os.write(each, b"")
        except OSError as error:
            if error.errno == errno.ENOSPC:
                continue  # the disk is full, and whatever writes there has to notice that
            to_nowhere(each)


def to_nowhere(output: int) -> None:
    """Discard what is written to an output from now on."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, output)
    os.close(nowhere)
