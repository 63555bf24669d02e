"""The trace of a run: one JSON record a line, each chained by digest to the one before, written as the run goes."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final, Self

from animal_conformance.record.exchange import Exchange, Terms

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

KIND: Final = "animal-conformance-trace/"
FORMAT: Final = f"{KIND}2"


class TraceError(Exception):
    """A file that is not a trace, or cannot be written; the message is a sentence."""


@dataclass(frozen=True)
class Trace:
    """A trace that was read.

    ``header`` is what the run said of itself, ``whole`` whether the closing record was there, ``digest`` the
    last digest of the chain, ``damage`` a sentence where the chain does not hold, ``ending`` the closing record.
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

    :raises TraceError: where the file cannot be written.
    """

    def __init__(self, path: Path, terms: Terms, header: dict[str, Any]) -> None:
        self.path = path
        self.digest = ""
        self.count = 0
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            message = f"The trace cannot be written to {path}: {error.strerror or error}."
            raise TraceError(message) from error
        self._put({"kind": "start", "format": FORMAT, **header, "terms": asdict(terms)})

    def write(self, exchange: Exchange) -> None:
        """Append an exchange."""
        self.count += 1
        self._put({"kind": "exchange", **exchange.as_record()})

    def close(self, *, whole: bool = True, ending: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Append the closing record (unless the run was cut off) and close the file.

        :param ending: what else there is to say of how the run ended.
        :raises TraceError: where the record cannot be written; the file is closed all the same.
        """
        try:
            if whole and not self._file.closed:
                self._put({"kind": "end", "exchanges": self.count, **ending})
        finally:
            # A line that did not fit is still buffered, and fits no better now.
            with suppress(OSError):
                self._file.close()

    def _put(self, record: dict[str, Any]) -> None:
        line, self.digest = _chained(record, self.digest)
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            message = f"The trace cannot be written to {self.path}: {error.strerror or error}."
            raise TraceError(message) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close(whole=kind is None)


def read_trace(path: Path) -> Trace:
    """Read a trace, also one that was cut off.

    :raises TraceError: where the file cannot be read or is not a trace at all.
    """
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        message = f"The trace {path} cannot be read: {error.strerror or error}."
        raise TraceError(message) from error
    header = _header(lines[0], path)
    exchanges: list[Exchange] = []
    ending: dict[str, Any] = {}
    digest, damage, whole, ended = "", "", False, False
    complete_lines = (
        [line for line in lines[:-1] if line] if lines[-1] == "" else [line for line in lines if line]
    )
    for number, line in enumerate(complete_lines, start=1):
        record = _record(line)
        if record is None:
            if number < len(complete_lines):
                damage = damage or f"Line {number} of the trace is not a record."
            break  # the last line of a run that was killed may be half written
        claimed = record.pop("digest", None)
        _, computed = _chained(record, digest)
        if claimed != computed:
            damage = (
                damage
                or f"Line {number} of the trace does not follow from the line before: it was edited, cut or moved."
            )
        digest = str(claimed)
        if ended:
            damage = damage or f"Line {number} of the trace stands behind its end."
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
    try:
        terms = Terms(**{**header["terms"], "selected": tuple(header["terms"]["selected"])})
    except (KeyError, TypeError) as error:
        message = f"{path} does not say on which terms its run was made."
        raise TraceError(message) from error
    return Trace(header, terms, tuple(exchanges), whole, digest, damage, ending)


def _header(line: str, path: Path) -> dict[str, Any]:
    """The first line of a trace.

    :raises TraceError: where it is none of this version.
    """
    header = _record(line) or {}
    version = str(header.get("format", ""))
    if version.startswith(KIND) and version != FORMAT:
        message = f"{path} was written by another version of this suite ({version}), which can judge it."
        raise TraceError(message)
    if version != FORMAT:
        message = f"{path} is not a trace of this suite: its first line is not the start of one."
        raise TraceError(message)
    return header


def _chained(record: dict[str, Any], digest_before: str) -> tuple[str, str]:
    """The line of a record, and its digest: that of the digest before and the record's own text."""
    text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
    digest = hashlib.sha256(f"{digest_before}\n{text}".encode()).hexdigest()
    return f'{text[:-1]},"digest":"{digest}"}}\n', digest


def _exchange(record: dict[str, Any]) -> Exchange | None:
    try:
        exchange = Exchange.from_record(record)
    except (KeyError, TypeError, ValueError):
        return None
    return None if (exchange.response is None) == (exchange.failure is None) else exchange


def _record(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
