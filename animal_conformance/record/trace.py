"""The trace of a run: one JSON record per line, each chained by digest to the one before, written during the run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Any, Final, Self

from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.record.inputs import lines_of

KIND: Final = "animal-conformance-trace/"
FORMAT: Final = f"{KIND}2"


class TraceError(Exception):
    """A file that is not a trace, or cannot be written; the message is a sentence."""


@dataclass(frozen=True)
class Trace:
    """A trace that was read.

    ``header`` is what the run said of itself, ``whole`` whether the closing record was there, ``digest`` the
    last digest of the chain, ``damage`` a sentence if the chain is broken, ``ending`` the closing record.
    """

    header: dict[str, Any]
    terms: Terms
    exchanges: tuple[Exchange, ...]
    whole: bool
    digest: str
    damage: str = ""
    ending: dict[str, Any] = field(default_factory=dict)


class TraceWriter:
    """Writes a trace; every record is on disk when :meth:`write` returns.

    :raises TraceError: if the file cannot be written.
    """

    def __init__(self, path: Path, terms: Terms, header: dict[str, Any]) -> None:
        self.path = path
        self.digest = ""
        self.count = 0
        self._size = 0
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise TraceError(f"Cannot write the trace to {path}: {error.strerror or error}.") from error
        self._put({"kind": "start", "format": FORMAT, **header, "terms": asdict(terms)})

    def write(self, exchange: Exchange) -> int:
        """Append an exchange; return where its line begins, in bytes."""
        self.count += 1
        return self._put({"kind": "exchange", **exchange.as_record()})

    def close(self, *, whole: bool = True, ending: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Append the closing record (unless the run was killed) and close the file.

        :param ending: further facts about how the run ended.
        :raises TraceError: if the record cannot be written; the file is closed anyway.
        """
        try:
            if whole and not self._file.closed:
                self._put({"kind": "end", "exchanges": self.count, **ending})
        finally:
            # A line that could not be written is still buffered, and would fail again.
            with suppress(OSError):
                self._file.close()

    def _put(self, record: dict[str, Any]) -> int:
        line, self.digest = _chained(record, self.digest)
        offset, self._size = self._size, self._size + len(line.encode())
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise TraceError(f"Cannot write the trace to {self.path}: {error.strerror or error}.") from error
        return offset

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close(whole=kind is None)


def read_trace(path: Path) -> Trace:
    """Read a trace, complete or truncated.

    :raises TraceError: if the file cannot be read or is not a trace.
    """
    try:
        return _read(path)
    except OSError as error:
        raise TraceError(f"Cannot read the trace {path}: {error.strerror or error}.") from error


def _read(path: Path) -> Trace:
    header: dict[str, Any] | None = None
    exchanges: list[Exchange] = []
    ending: dict[str, Any] = {}
    digest, damage, whole, ended = "", "", False, False
    unread = 0
    lines = (line for line in lines_of(path) if line.strip(b"\r\n") or header is None)
    for number, line in enumerate(lines, start=1):
        if header is None:
            header = _header(line, path)
        if unread:
            # Only the last line of a killed run may be incomplete.
            damage = damage or f"Line {unread} of the trace is not a record."
            break
        record = _record(line)
        if record is None:
            unread = number
            continue
        claimed = record.pop("digest", None)
        _, computed = _chained(record, digest)
        if claimed != computed:
            damage = (
                damage
                or f"Line {number} of the trace does not match the digest of the line before: it was edited, removed or moved."
            )
        digest = str(claimed)
        if ended:
            damage = damage or f"Line {number} of the trace follows its closing record."
        if record.get("kind") == "exchange":
            exchange = _exchange(record)
            if exchange is None:
                damage = damage or f"Line {number} of the trace is not an exchange."
            else:
                exchanges.append(exchange)
        elif record.get("kind") == "end":
            ended, ending = True, record
            whole = record.get("exchanges") == len(exchanges)
            damage = damage or (
                "" if whole else "The trace does not have as many exchanges as its last line says."
            )
    if header is None:
        header = _header(b"", path)
    try:
        terms = Terms(**{**header["terms"], "selected": tuple(header["terms"]["selected"])})
    except (KeyError, TypeError) as error:
        raise TraceError(f"{path} does not contain the terms of its run.") from error
    return Trace(header, terms, tuple(exchanges), whole, digest, damage, ending)


def _header(line: bytes, path: Path) -> dict[str, Any]:
    """The first line of a trace.

    :raises TraceError: if it is not of this version.
    """
    header = _record(line) or {}
    version = str(header.get("format", ""))
    if version.startswith(KIND) and version != FORMAT:
        raise TraceError(
            f"{path} was written by another version of this suite ({version}); use that version to judge it."
        )
    if version != FORMAT:
        raise TraceError(f"{path} is not a trace of this suite: its first line is not a trace header.")
    return header


def _chained(record: dict[str, Any], digest_before: str) -> tuple[str, str]:
    """The line of a record, and its digest, which is made from the previous digest and the record's text."""
    text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
    digest = hashlib.sha256(f"{digest_before}\n{text}".encode()).hexdigest()
    return f'{text[:-1]},"digest":"{digest}"}}\n', digest


def _exchange(record: dict[str, Any]) -> Exchange | None:
    try:
        exchange = Exchange.from_record(record)
    except (KeyError, TypeError, ValueError):
        return None
    return None if (exchange.response is None) == (exchange.failure is None) else exchange


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
