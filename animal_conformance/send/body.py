"""The body of a response, read as far as it is needed: bounded in memory, and the elements of a list counted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from urllib3.response import GzipDecoder, GzipDecoderState

from animal_conformance.interface.contract import LARGEST_LIMIT
from animal_conformance.interface.reading import ANIMAL_FIELDS, ERROR_FIELDS
from animal_conformance.record.arrays import ArrayScan, abridged, begins_array, is_json
from animal_conformance.record.exchange import FailureKind

# The limits on what is kept of a response, and on what is read of it; docs/hostile.md gives the reasons.
LARGEST_BODY_BYTES: Final = 1024 * 1024
LONGEST_ARRAY_BYTES: Final = 64 * 1024 * 1024
LONGEST_TEXT_BYTES: Final = 4 * 1024 * 1024
MOST_READ_IN_VAIN_BYTES: Final = 256 * 1024 * 1024
MOST_JSON_VALUES: Final = 100_000
MOST_TOKENS: Final = 300_000
DEEPEST_LIST: Final = 100
CHUNK_BYTES: Final = 64 * 1024


@dataclass(frozen=True)
class Body:
    """What is kept of a body; ``elements`` as in :class:`animal_conformance.record.exchange.Response`."""

    content: bytes
    elements: int | None = None


@dataclass(frozen=True)
class Unread:
    """A body that was not read to its end, and why."""

    kind: FailureKind
    what: str


TOO_LARGE: Final = Unread(FailureKind.TOO_LARGE, f"a body of more than {LARGEST_BODY_BYTES} bytes")
ENDLESS: Final = Unread(
    FailureKind.MALFORMED, f"{LONGEST_TEXT_BYTES} bytes of white space after its JSON, and more"
)


UNFINISHED: Final = Unread(FailureKind.MALFORMED, "a compressed body without its end (RFC 1952 section 2.3)")


class Bodies:
    """Reads the bodies of a run's responses.

    Once a lot was read of bodies that turned out to be too large, no body is read any further than what is kept.
    """

    def __init__(self) -> None:
        self._read_in_vain_bytes = 0

    def read(self, raw: Any, deadline_s: float) -> Body | Unread:
        """Read the body of a response, decoded, until its end or the deadline.

        :param raw: urllib3's response.
        """
        parts: list[bytes] = []
        size = 0
        chunks = _chunks(raw, deadline_s)
        for part in chunks:
            size += len(part)
            parts.append(part)
            if size > LARGEST_BODY_BYTES:
                return self._read_long(b"".join(parts), chunks)
        content = b"".join(parts)
        if size and _is_unfinished(raw):
            return UNFINISHED
        # Each value is at the start of the body, or follows one of these.
        if size > MOST_JSON_VALUES and sum(map(content.count, (b",", b"[", b"{"))) > MOST_JSON_VALUES:
            return Unread(FailureKind.TOO_LARGE, f"a body of more than {MOST_JSON_VALUES} JSON values")
        return Body(content)

    def _read_long(self, begun: bytes, chunks: Iterator[bytes]) -> Body | Unread:
        if self._read_in_vain_bytes > MOST_READ_IN_VAIN_BYTES:
            return TOO_LARGE
        counted = _Counted(chunks)
        body = _long_array(begun, counted) if begins_array(begun) else _long_text(begun, counted)
        if isinstance(body, Unread):
            self._read_in_vain_bytes += counted.size_bytes
        return body


class _Counted:
    """The parts of a body, and how many bytes they have had so far."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self.size_bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        part = next(self._chunks)
        self.size_bytes += len(part)
        return part


def _long_array(begun: bytes, chunks: Iterator[bytes]) -> Body | Unread:
    """The first elements of an array that is too long to be kept, with the contract's fields only, and the number of all."""
    # Once there are more than a list may have, the rest decides nothing.
    scan = ArrayScan(LARGEST_BODY_BYTES, LARGEST_LIMIT + 1, lambda each: abridged(each, ANIMAL_FIELDS))
    size = len(begun)
    scan.feed(begun)
    while not scan.done:
        part = next(chunks, None)
        if part is None:
            return _no_json(begun)  # it ends within the array
        if size > LONGEST_ARRAY_BYTES or scan.tokens > MOST_TOKENS or scan.depth > DEEPEST_LIST:
            return TOO_LARGE
        size += len(part)
        scan.feed(part)
    # White space is read to the end, so that the connection can be used again; a body that never ends is not a list.
    behind = 0
    for part in chunks if scan.ended else ():
        behind += len(part)
        if behind > LONGEST_TEXT_BYTES:
            return TOO_LARGE if part.strip() else ENDLESS
    return Body(scan.beginning, scan.elements)


def _long_text(begun: bytes, chunks: Iterator[bytes]) -> Body | Unread:
    """An object that is too long to be kept, with the contract's fields only; the beginning of a text that is not JSON."""
    content = bytearray(begun)
    for part in chunks:
        content += part
        if len(content) > LONGEST_TEXT_BYTES or content.count(b'"') > MOST_TOKENS:
            short = bytes(content).rstrip()
            return ENDLESS if len(short) <= LARGEST_BODY_BYTES and is_json(short) else TOO_LARGE
    short = abridged(bytes(content), (*ANIMAL_FIELDS, *ERROR_FIELDS))
    if len(short) <= LARGEST_BODY_BYTES:
        return Body(short)
    return TOO_LARGE if is_json(short) else _no_json(begun)


def _no_json(begun: bytes) -> Body:
    """The beginning of a text that is not JSON, long enough to show that it is not."""
    beginning = begun[:CHUNK_BYTES]
    return Body(begun if is_json(beginning) else beginning)


def _is_unfinished(raw: Any) -> bool:
    """Whether a gzip body lacks its end, which says whether it is whole; what follows that end is ignored, as clients do."""
    decoder = raw._decoder  # noqa: SLF001 - urllib3 reads on without the end, and most clients do not
    if not isinstance(decoder, GzipDecoder) or decoder._state == GzipDecoderState.SWALLOW_DATA:  # noqa: SLF001 - as above
        return False
    return not decoder._obj.eof  # noqa: SLF001 - as above


def _chunks(raw: Any, deadline_s: float) -> Iterator[bytes]:
    while time.monotonic() <= deadline_s:
        part = raw.read1(CHUNK_BYTES, decode_content=True)
        if part:
            yield part
        elif raw.closed or raw._fp is None or raw._fp.isclosed():  # noqa: SLF001 - what urllib3 itself asks
            return
