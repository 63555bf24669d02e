"""Exchanges for human readers: a start line, headers, and a body that is indented but not altered."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from animal_conformance.record.exchange import reference
from animal_conformance.record.jsontext import parse

LINE_WIDTH: Final = 76
LONGEST_BODY: Final = 4000
MOST_EXPANDED: Final = 40

CREDENTIAL_WORDS: Final = {
    "valid": "the valid key",
    "not-ascii": "a token with non-ASCII characters",
    "lower-case-scheme": "the valid key, with bearer in lower case",
    "absent": "no Authorization header",
    "empty": "Bearer with an empty key",
    "wrong": "a key that was never issued",
    "longer": "the valid key with extra characters",
    "shorter": "a part of the valid key",
    "recased": "the valid key with its case changed",
    "other-scheme": "the valid key under a scheme other than Bearer",
    "bare-key": "the valid key without a scheme",
    "unknown": "an Authorization header that was not recorded",
}

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


@dataclass(frozen=True)
class Message:
    """A request or a response; ``cut`` is the number of body characters omitted."""

    start: str
    headers: tuple[tuple[str, str], ...]
    body: str
    cut: int


@dataclass(frozen=True)
class Shown:
    """An exchange; ``answer`` is ``None`` if there was no response, and ``failure`` says why."""

    reference: str
    credential: str
    sent_s: float
    took_ms: float
    request: Message
    answer: Message | None
    failure: str


def shown(record: dict[str, Any]) -> Shown:
    """An exchange of a report, formatted."""
    request, response, failure = record["request"], record["response"], record["failure"]
    credential = request["credential"]
    return Shown(
        reference=reference(record["sequence"], record["step"]),
        credential=CREDENTIAL_WORDS.get(credential, credential),
        sent_s=record["sent_s"],
        took_ms=(record["answered_s"] - record["sent_s"]) * 1000,
        request=_message(f"{request['method']} {request['target']}", request),
        answer=None if response is None else _message(_status_line(response), response),
        failure="" if failure is None else f"no response ({failure['kind']}): {failure['detail']}",
    )


def pretty_json(text: str) -> str:
    """A JSON text with line breaks and indentation, otherwise unchanged; any other text as it is.

    Numbers keep their notation and duplicate properties are kept, since a finding may depend
    on exactly that.
    """
    if not parse(text.encode("utf-8", "surrogatepass")).valid or _depth(text) > MOST_EXPANDED:
        return text
    return _laid_out(iter(_TOKEN.findall(text)), "")


def _status_line(response: dict[str, Any]) -> str:
    reason = response["reason"]
    if not reason:
        try:
            reason = HTTPStatus(response["status"]).phrase
        except ValueError:
            reason = ""
    return f"HTTP/{response['version']} {response['status']} {reason}".rstrip()


def _message(start: str, record: dict[str, Any]) -> Message:
    body = record["body"]
    if isinstance(body, dict):
        content = b64decode(body["base64"])
        text = f"{len(content):,} bytes that are not UTF-8: {content[:200]!r}"
    else:
        # A huge body is not worth formatting: only its beginning is shown.
        text = pretty_json(body) if body and len(body) <= 10 * LONGEST_BODY else body or ""
    return Message(
        start,
        tuple((name, value) for name, value in record["headers"]),
        text[:LONGEST_BODY],
        max(0, len(text) - LONGEST_BODY),
    )


def _depth(text: str) -> int:
    deepest = depth = 0
    for part in _TOKEN.findall(text):
        depth += (part in "[{") - (part in "]}")
        deepest = max(deepest, depth)
    return deepest


def _laid_out(tokens: Iterator[str], indent: str) -> str:
    """The next value, or the next comma, colon or closing bracket; a value that fits on one line is put on one line."""
    part = next(tokens)
    if part not in ("[", "{"):
        return part
    end, deeper = "]" if part == "[" else "}", f"{indent}  "
    members, member = list[str](), ""
    while True:
        piece = _laid_out(tokens, deeper)
        if piece in (",", end):
            members += [member] if member else []
            member = ""
            if piece == end:
                break
        else:
            member += ": " if piece == ":" else piece
    flat = f"{part}{', '.join(members)}{end}"
    if not members or ("\n" not in flat and len(flat) + len(indent) <= LINE_WIDTH):
        return flat
    lines = ",\n".join(f"{deeper}{each}" for each in members)
    return f"{part}\n{lines}\n{indent}{end}"
