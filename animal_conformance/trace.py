"""The trace of a run: one JSON record a line, each chained by digest to the one before, written as the run goes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Any, Final, Self

from animal_conformance.exchange import Exchange, Terms

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import TracebackType

FORMAT: Final = "animal-conformance-trace/1"


class TraceError(Exception):
    """A file that is not a trace, or cannot be written; the message is a sentence."""


@dataclass(frozen=True)
class Trace:
    """A trace that was read.

    ``header`` is what the run said of itself, ``whole`` whether the closing record was there, ``digest`` the
    last digest of the chain, ``damage`` a sentence where the chain does not hold.
    """

    header: dict[str, Any]
    terms: Terms
    exchanges: tuple[Exchange, ...]
    whole: bool
    digest: str
    damage: str = ""


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

    def close(self, *, whole: bool = True) -> None:
        """Append the closing record (unless the run was cut off) and close the file."""
        if whole and not self._file.closed:
            self._put({"kind": "end", "exchanges": self.count})
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


def write_trace(path: Path, terms: Terms, header: dict[str, Any], exchanges: Iterable[Exchange]) -> str:
    """Write a whole trace at once and return its last digest."""
    with TraceWriter(path, terms, header) as writer:
        for exchange in exchanges:
            writer.write(exchange)
    return writer.digest


def read_trace(path: Path) -> Trace:
    """Read a trace, also one that was cut off.

    :raises TraceError: where the file cannot be read or is not a trace at all.
    """
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        message = f"The trace {path} cannot be read: {error.strerror or error}."
        raise TraceError(message) from error
    header = _record(lines[0])
    if header is None or header.get("format") != FORMAT:
        message = f"{path} is not a trace of this suite: its first line is not the start of one."
        raise TraceError(message)
    exchanges: list[Exchange] = []
    digest, damage, whole = "", "", False
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
        if record.get("kind") == "exchange":
            try:
                exchanges.append(Exchange.from_record(record))
            except (KeyError, TypeError, ValueError):
                damage = damage or f"Line {number} of the trace is not an exchange."
        elif record.get("kind") == "end":
            whole = record.get("exchanges") == len(exchanges)
            damage = damage or (
                "" if whole else "The trace does not have as many exchanges as its last line says."
            )
    try:
        terms = Terms(**{**header["terms"], "selected": tuple(header["terms"]["selected"])})
    except (KeyError, TypeError) as error:
        message = f"{path} does not say on which terms its run was made."
        raise TraceError(message) from error
    return Trace(header, terms, tuple(exchanges), whole, digest, damage)


def _chained(record: dict[str, Any], digest_before: str) -> tuple[str, str]:
    """The line of a record, and its digest: that of the digest before and the record's own text."""
    text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
    digest = hashlib.sha256(f"{digest_before}\n{text}".encode()).hexdigest()
    return f'{text[:-1]},"digest":"{digest}"}}\n', digest


def _record(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
