"""Files that a user names, each read only up to the length that a file of its kind can have."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

KEY_BYTES: Final = 16 * 1024
CERTIFICATES_BYTES: Final = 16 * 1024 * 1024
SETTINGS_BYTES: Final = 1024 * 1024
CONTRACT_BYTES: Final = 4 * 1024 * 1024
# A report has the exchanges behind every finding, whose bodies may have a megabyte.
REPORT_BYTES: Final = 256 * 1024 * 1024
ARCHIVE_BYTES: Final = 512 * 1024 * 1024
# A line has a request and a response, whose bodies are longest if each byte is escaped.
TRACE_LINE_BYTES: Final = 64 * 1024 * 1024
BESIDE_BYTES: Final = 8 * 1024 * 1024 * 1024
CHUNK_BYTES: Final = 1024 * 1024


class TooLargeError(OSError):
    """A file that is longer than its kind can be."""

    def __init__(self, most_bytes: int) -> None:
        size = f"{most_bytes // 1024} KB" if most_bytes < 1024 * 1024 else f"{most_bytes // 1024**2:,} MB"
        super().__init__(errno.EFBIG, f"it is longer than {size}")


def read_at_most(path: Path, most_bytes: int) -> bytes:
    """The content of a file, which may be a pipe or a device as well.

    :raises OSError: if it cannot be read, or is longer than that.
    """
    with path.open("rb") as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise TooLargeError(most_bytes)
    return content


def json_problem(error: Exception) -> str:
    """Why a file is not JSON, and where."""
    if isinstance(error, json.JSONDecodeError):
        return f"it is not valid JSON (line {error.lineno}, column {error.colno}: {error.msg})"
    if isinstance(error, UnicodeDecodeError):
        return f"it is not valid JSON (byte {error.start + 1} is not UTF-8)"
    return (
        f"it is not valid JSON ({'it is nested too deeply' if isinstance(error, RecursionError) else error})"
    )


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a trace, each with its line break if it has one.

    :raises OSError: if it cannot be read, or a line is longer than any that a run writes.
    """
    with path.open("rb") as file:
        while line := file.readline(TRACE_LINE_BYTES + 1):
            if len(line) > TRACE_LINE_BYTES:
                raise TooLargeError(TRACE_LINE_BYTES)
            yield line


def digest_of(path: Path) -> str:
    """The SHA-256 of a file.

    :raises OSError: as :func:`read_at_most`.
    """
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            size += len(chunk)
            if size > BESIDE_BYTES:
                raise TooLargeError(BESIDE_BYTES)
            digest.update(chunk)
    return digest.hexdigest()
