"""Removes the key and other secrets from everything that is stored."""

from __future__ import annotations

import base64
import builtins
import html
import json
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Replaces the key wherever a deployment echoes it.
REDACTED: Final = "[api-key]"

# A shorter key is an ordinary word or number: redacting it would alter bodies that do not echo it.
SHORTEST_REDACTED: Final = 6
SHORTEST_HALF: Final = 8
ANCHOR_LENGTH: Final = 6
# Words of the interface, never to be redacted.
WORDS_OF_THE_INTERFACE: Final = frozenset(
    [
        "animal",
        "animals",
        "available",
        "pending",
        "categoryid",
        "status",
        "message",
        "bearer",
        "integer",
        "string",
        "default",
        "code",
        "error",
    ]
)


class Redactor:
    """Removes secrets from bytes and texts, in any encoding.

    A secret is found plain, in other case, without its first or last character and halved (so the suite sends
    the key to see it refused); each of them as it is, JSON-escaped, URL-encoded, HTML-escaped, in hexadecimal,
    and in base64 at whatever place of whatever was encoded.

    :param key: the key; a short key, or one that is a word of the interface, is not redacted.
    :param others: further secrets, such as a gateway's headers.
    """

    def __init__(self, key: str, others: Iterable[str] = ()) -> None:
        forms: set[bytes] = set()
        for secret in (key, *others):
            if len(secret) >= SHORTEST_REDACTED and secret.lower() not in WORDS_OF_THE_INTERFACE:
                forms |= _forms(secret)
        self._anchors = _anchors(forms)
        alternatives = b"|".join(
            re.escape(form) for form in sorted(forms, key=lambda each: (-len(each), each))
        )
        if key.isdigit():
            # A part of a longer number is not the key, nor is a number that is a complete value, such as an id:
            # redacting it would break the JSON around it.
            number = rb"(?<![0-9.+-])(?:%s)(?![0-9.])" % alternatives
            alternatives = rb"(?<![:\[,])(?<![:\[,] )%s|%s(?!\s*[,\]}])" % (number, number)
        self._pattern = re.compile(alternatives)

    def finds(self, content: builtins.bytes) -> bool:
        """Whether a secret may be in the content: a fast check without false negatives."""
        lowered = content.lower()
        return any(anchor in lowered for anchor in self._anchors)

    def bytes(self, content: builtins.bytes) -> builtins.bytes:
        """The content without secrets."""
        return self._pattern.sub(REDACTED.encode(), content) if self.finds(content) else content

    def text(self, content: str) -> str:
        """The text without secrets."""
        encoded = content.encode("utf-8", "surrogatepass")
        cleaned = self.bytes(encoded)
        return content if cleaned is encoded else cleaned.decode("utf-8", "surrogatepass")

    def pairs(self, headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Headers without secrets."""
        together = "\n".join(f"{name}\n{value}" for name, value in headers).encode("utf-8", "surrogatepass")
        if not self.finds(together):
            return headers
        return tuple((self.text(name), self.text(value)) for name, value in headers)


def _forms(secret: str) -> set[bytes]:
    """Every encoding of a secret that is searched for."""
    half = secret[: len(secret) // 2]
    texts = [secret, secret[:-1], secret[1:], secret.swapcase(), secret.upper(), secret.lower()]
    if len(half) >= SHORTEST_HALF:
        texts.append(half)
    written: set[bytes] = set()
    for text in texts:
        if len(text) < SHORTEST_REDACTED or any(text.lower() in word for word in WORDS_OF_THE_INTERFACE):
            continue
        raw = text.encode()
        written |= {
            raw,
            *(json.dumps(text, ensure_ascii=each)[1:-1].encode() for each in (False, True)),
            json.dumps(text)[1:-1].replace("/", "\\/").encode(),
            *(quote(text, safe=safe).encode() for safe in ("", "/", "/+=:")),
            quote_plus(text).encode(),
            html.escape(text).encode(),
        }
        written |= {re.sub(rb"%..", lambda match: match[0].lower(), each) for each in written}
        for form in (
            raw.hex(),
            "".join(f"\\u{each:04x}" for each in raw),
            "".join(f"%{each:02x}" for each in raw),
        ):
            written |= {form.encode(), re.sub("[a-f]", lambda match: match[0].upper(), form).encode()}
        for standard in _base64(raw):
            written |= {standard, standard.replace(b"+", b"-").replace(b"/", b"_")}
    return written


def _base64(raw: bytes) -> Iterator[bytes]:
    """The part of a secret's base64 that does not depend on its context: one form for each position in a group of three."""
    for before in range(3):
        first = -(-8 * before // 6)
        last = 8 * (before + len(raw)) // 6
        yield base64.b64encode(bytes(before) + raw + bytes(2))[first:last]


def _anchors(forms: Iterable[bytes]) -> tuple[bytes, ...]:
    """A few short lower-case texts, one of which occurs in every form."""
    anchors: list[bytes] = []
    for form in sorted(form.lower() for form in forms):
        if not any(anchor in form for anchor in anchors):
            middle = len(form) // 2
            anchors.append(form[max(0, middle - ANCHOR_LENGTH // 2) :][:ANCHOR_LENGTH])
    return tuple(anchors)
