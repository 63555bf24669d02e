"""Removes the key and other secrets from everything that is stored."""

from __future__ import annotations

import base64
import builtins
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from math import lcm
from typing import Final

from animal_conformance.record.credentials import with_other_signs, with_two_exchanged, without_signs
from animal_conformance.record.escapes import Unescaped, may_be_escaped
from animal_conformance.record.exchange import Response

# In place of the key, wherever a deployment echoes it.
REDACTED: Final = "[api-key]"

# A shorter key is an ordinary word or number: redacting it would alter bodies that do not echo it.
SHORTEST_REDACTED: Final = 6
SHORTEST_HALF: Final = 8
ANCHOR_LENGTH: Final = 6
# What stands between bytes in hexadecimal, as in a dump or a quoted-printable text; in UTF-16, zeros stand there as well.
APART: Final = rb"[ :,=-]\s?(?:0x)?(?:00[ :,=-]\s?(?:0x)?)?"
# Where animals end in lists. Lists repeat most animals, so what stands between two separators is searched only once.
SEPARATOR: Final = b"}"
CLEAN_KEPT_BYTES: Final = 8_000_000
LONGEST_KEPT_BYTES: Final = 40_000
# How often a text is read without its escapes: JSON may stand in JSON, and that in an address.
MOST_ENCODINGS: Final = 4
# These words are nobody's secret, and must not be taken out of anybody's bodies.
WORDS_OF_THE_INTERFACE: Final = frozenset({
    "animal", "animals", "available", "pending", "categoryid", "status", "message", "bearer", "integer", "string",
    "default", "code", "error",
})  # fmt: skip


class Redactor:
    """Removes secrets from bytes and texts, in any encoding.

    A secret is found in any case, without its first or last character, with letters for its signs, and with its first two
    neighbours exchanged; so is either half of it (the suite sends the key in such forms to see it refused). Each form is
    found as it is, backwards, in UTF-16, in hexadecimal, also as in dumps, and in base64 and base32 at any place of what
    was encoded; and all of these with any characters escaped as in JSON, in addresses or in HTML, even more than once.

    :param key: the key; a short key, or one that is a word of the interface, is not redacted.
    :param others: further secrets, such as a gateway's headers.
    """

    def __init__(self, key: str, others: Iterable[str] = ()) -> None:
        words: set[bytes] = set()
        numbers: set[bytes] = set()
        dumps: set[bytes] = set()
        for secret in (key, *others):
            if len(secret) >= SHORTEST_REDACTED and secret.lower() not in WORDS_OF_THE_INTERFACE:
                (numbers if secret.isdigit() else words).update(_forms(secret))
                dumps.update(APART.join(b"%02x" % each for each in half.encode()) for half in _halves(secret))
        self._dumps = [re.compile(each) for each in sorted(dumps)]
        self._numbers = _anchored(numbers)
        self._words = _anchored(words)
        # Part of a longer number is not a key of digits, nor is a number that is a value of its own, such as an id:
        # cutting it out would break the JSON around it.
        number = rb"(?<![0-9.+-])(?:%s)(?![0-9.])" % _any_of(numbers)
        alone = rb"(?<![:\[,])(?<![:\[,] )%s|%s(?!\s*[,\]}])" % (number, number)
        self._number = re.compile(alone, re.IGNORECASE)
        # Parts without a secret; ``None`` if what follows a part may decide that, or if a secret may reach into the next
        # part.
        self._clean: set[builtins.bytes] | None = (
            None if numbers or any(SEPARATOR in each for each in words) else set()
        )
        self._clean_bytes = 0

    def bytes(self, content: builtins.bytes) -> builtins.bytes:
        """The content without secrets."""
        if self._is_clean(content):
            return content
        spans = sorted(self._spans(content, MOST_ENCODINGS))
        parts, at = [], 0
        for start, end in spans:
            if end > at:
                parts += [content[at:start], REDACTED.encode()] if start >= at else []
                at = end
        return b"".join([*parts, content[at:]]) if spans else content

    def text(self, content: str) -> str:
        """The text without secrets."""
        encoded = content.encode("utf-8", "surrogatepass")
        cleaned = self.bytes(encoded)
        return content if cleaned is encoded else cleaned.decode("utf-8", "surrogatepass")

    def pairs(self, headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Headers without secrets."""
        together = "\n".join(f"{name}\n{value}" for name, value in headers)
        if self.text(together) is together:
            return headers
        return tuple((self.text(name), self.text(value)) for name, value in headers)

    def response(self, response: Response) -> Response:
        """A response without secrets."""
        # Most headers are those of earlier responses: apart from each other, they are not searched again.
        head = SEPARATOR.decode().join((response.reason, *chain.from_iterable(response.headers)))
        if self._is_clean(head.encode("utf-8", "surrogatepass") + SEPARATOR + response.body):
            return response
        return replace(
            response,
            headers=self.pairs(response.headers),
            body=self.bytes(response.body),
            reason=self.text(response.reason),
        )

    def _is_clean(self, content: builtins.bytes) -> bool:
        """Whether there are no secrets in a content; parts that were clean before are not searched again."""
        if not (self._words or self._numbers):
            return True
        if self._clean is None:
            return False
        new = {each for each in content.split(SEPARATOR) if each not in self._clean}
        if not new:
            return True
        if any(True for _ in self._spans(SEPARATOR.join(new), MOST_ENCODINGS)):
            return False
        kept = [each for each in new if len(each) <= LONGEST_KEPT_BYTES]
        self._clean_bytes += sum(map(len, kept))
        if self._clean_bytes > CLEAN_KEPT_BYTES:
            self._clean.clear()
            self._clean_bytes = 0
        self._clean.update(kept)
        return True

    def _spans(self, content: builtins.bytes, depth: int) -> Iterator[tuple[int, int]]:
        """Where secrets are: in the content as it is, and as it reads without its escapes."""
        lowered = content.lower()
        yield from _found(self._words, lowered)
        if any(anchor in lowered for anchor in self._numbers):
            yield from (match.span() for match in self._number.finditer(content))
        for each in self._dumps:
            yield from (match.span() for match in each.finditer(lowered))
        if depth and may_be_escaped(content):
            plain = Unescaped(content)
            if plain.content != content:
                yield from (plain.span_before(*each) for each in self._spans(plain.content, depth - 1))


def _any_of(forms: Iterable[bytes]) -> bytes:
    return b"|".join(re.escape(form) for form in sorted(forms, key=lambda each: (-len(each), each)))


def _forms(secret: str) -> set[bytes]:
    """Every way of writing a secret that is looked for, escapes apart."""
    halves = (each for each in _halves(secret) if len(each) >= SHORTEST_HALF)
    texts = [
        secret,
        secret[:-1],
        secret[1:],
        *halves,
        with_other_signs(secret),
        with_two_exchanged(secret),
        without_signs(secret),
    ]
    written: set[bytes] = set()
    for text in texts:
        if len(text) < SHORTEST_REDACTED or any(text.lower() in word for word in WORDS_OF_THE_INTERFACE):
            continue
        raw = text.encode()
        # A secret may itself look escaped; without its escapes, a content then has what the secret seems to stand for.
        written |= {raw, raw[::-1], raw.replace(b" ", b"+"), Unescaped(raw).content, raw.hex().encode()}
        # UTF-16 in either order of bytes, except for a zero at one end.
        wide = text.encode("utf-16-le")[:-1]
        written |= {wide}
        for form in {raw, wide, text.swapcase().encode(), text.upper().encode(), text.lower().encode()}:
            for standard in _in_any_place(base64.b64encode, 6, form):
                written |= {standard, standard.replace(b"+", b"-").replace(b"/", b"_")}
            written |= {form.hex().encode(), *_in_any_place(base64.b32encode, 5, form)}
    return written


def _halves(secret: str) -> tuple[str, str]:
    return secret[: len(secret) // 2], secret[len(secret) // 2 :]


def _in_any_place(encode: Callable[[bytes], bytes], bits: int, raw: bytes) -> Iterator[bytes]:
    """The part of an encoded secret that does not depend on its context: one form for each place in a group of bytes.

    :param bits: how many bits one character of the encoding stands for.
    """
    for before in range(lcm(8, bits) // 8):
        first = -(-8 * before // bits)
        last = 8 * (before + len(raw)) // bits
        yield encode(bytes(before) + raw + bytes(bits))[first:last]


def _anchored(forms: Iterable[bytes]) -> dict[bytes, list[tuple[int, bytes]]]:
    """A few short texts, one of which occurs in every form: each with its forms, and how far before it each form begins.

    All in lower case.
    """
    anchored: dict[bytes, list[tuple[int, bytes]]] = {}
    for form in sorted({each.lower() for each in forms}):
        anchor = next((each for each in anchored if each in form), None)
        if anchor is None:
            anchor = form[max(0, len(form) // 2 - ANCHOR_LENGTH // 2) :][:ANCHOR_LENGTH]
        anchored.setdefault(anchor, []).append((form.index(anchor), form))
    return anchored


def _found(
    anchored: dict[bytes, list[tuple[int, bytes]]], lowered: builtins.bytes
) -> Iterator[tuple[int, int]]:
    """Where forms are in a content."""
    for anchor, forms in anchored.items():
        at = lowered.find(anchor)
        while at >= 0:
            for before, form in forms:
                if at >= before and lowered.startswith(form, at - before):
                    yield at - before, at - before + len(form)
            at = lowered.find(anchor, at + 1)
