"""A directory of reports belongs to one run at a time."""

from __future__ import annotations

import os
import sys
from pathlib import Path


class LockedError(Exception):
    """Another process writes there; the message is a sentence."""


class Lock:
    """Holds a directory until it is closed or its process ends, however that ends; leaves no file there.

    :raises LockedError: where another process holds it.
    """

    def __init__(self, directory: Path) -> None:
        self._held: int | None = None
        try:
            self._held = _taken(directory)
        except (BlockingIOError, FileExistsError) as error:
            raise LockedError(
                f"Another run is writing its reports to {directory}: wait for its end, or choose another --report-dir."
            ) from error
        except OSError:
            pass  # a file system without locks, which is no reason not to run

    def close(self) -> None:
        """Let others have it."""
        if self._held is not None:
            os.close(self._held)
            self._held = None


if sys.platform == "win32":

    def _taken(directory: Path) -> int:
        # The system removes the file when its last handle is closed, at the latest with the process.
        return os.open(directory / ".running", os.O_CREAT | os.O_EXCL | os.O_TEMPORARY)

else:
    import fcntl

    def _taken(directory: Path) -> int:
        held = os.open(directory, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(held)
            raise
        return held
