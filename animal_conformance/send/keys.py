"""Authorization headers of every kind, made from the valid key."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from animal_conformance.record.credentials import (
    BREAKING,
    NEVER_ISSUED,
    NOT_ASCII,
    OF_LATIN_1,
    OTHER_SCHEMES,
    PATTERNS,
    PROPERTY,
    SAMPLES,
    TAILS,
    with_other_signs,
    with_two_exchanged,
    without_signs,
)
from animal_conformance.record.exchange import Credential

# Servers reject headers larger than about 8 KB, whatever their content.
LONGEST_DOUBLED: Final = 1000

_PADDED: Final = re.compile("[A-Za-z0-9+/_-]{2,}={1,2}")

# Stands for a form that does not apply to the key; no header can hold it.
INAPPLICABLE: Final = "\0"


def authorizations(key: str) -> Mapping[Credential, Mapping[int, str | None]]:
    """Every kind of credential, with the Authorization headers of that kind.

    :param key: the valid key.
    :returns: header values by kind and number, ``None`` for no header. A number means the same for every key, so
        that a recorded request identifies what was sent; numbers that do not apply to this key are omitted.
    """
    half = len(key) // 2
    middle = key[:half] + _alike(key[half]) + key[half + 1 :]
    ends = (_with_another_end(key), _alike(key[0]) + key[1:])
    return {
        kind: {
            number: header
            for number, header in enumerate(headers)
            if header != INAPPLICABLE and header not in headers[:number]
        }
        for kind, headers in _headers(key, ends, middle).items()
    }


def _headers(key: str, ends: tuple[str, ...], middle: str) -> Mapping[Credential, tuple[str | None, ...]]:
    """The headers of each kind, each at the number of its form."""

    def bearer(token: str, *, shown: bool = True) -> str:
        return f"Bearer {token}" if token and shown else INAPPLICABLE

    return {
        Credential.VALID: (f"Bearer {key}",),
        Credential.LOWER_CASE_SCHEME: (f"bearer {key}",),
        Credential.ABSENT: (None,),
        Credential.EMPTY: ("Bearer ", "Bearer", ""),
        Credential.WRONG: (
            *(
                bearer(wrong, shown=wrong.lower() not in key.lower())
                for wrong in (*NEVER_ISSUED, _alike(key), *ends)
            ),
            # Whether this scheme is known is open; either way, the key is not.
            bearer(NEVER_ISSUED[0], shown=NEVER_ISSUED[0].lower() not in key.lower()).replace("B", "b", 1),
            *(bearer(wrong, shown=wrong not in key.lower()) for wrong in PATTERNS),
            bearer(middle, shown=middle not in {key, *ends}),
            *map(bearer, BREAKING),
            bearer(NEVER_ISSUED[0], shown=NEVER_ISSUED[0].lower() not in key.lower()).replace(
                "Bearer", "BEARER", 1
            ),
            bearer(with_other_signs(key), shown=with_other_signs(key) not in {key, middle, *ends}),
            # Decoded as in an address, it would be the key.
            bearer(f"%{key[:1].encode().hex().upper()}{key[1:]}", shown=key.isascii()),
            *(bearer(each, shown=each not in key.lower()) for each in SAMPLES),
            bearer(without_signs(key), shown=without_signs(key).lower() not in key.lower()),
            bearer(PROPERTY, shown=PROPERTY not in key.lower()),
            # Code that adds characters up does not see their order.
            bearer(with_two_exchanged(key), shown=with_two_exchanged(key) != key),
        ),
        Credential.LONGER: (
            bearer(f"{key}x"),
            bearer(key * 2, shown=len(key) <= LONGEST_DOUBLED),
            bearer(f"x{key}"),
            bearer(f"{key} x"),
            bearer(f'"{key}"'),
            bearer(f"{key},x"),
            bearer(f"Bearer {key}"),
            *(bearer(f"{key}{tail}") for tail in TAILS),
        ),
        Credential.SHORTER: tuple(
            bearer(part) for part in (_without_padding(key)[:-1], key[1:], key[: len(key) // 2])
        ),
        Credential.RECASED: tuple(
            bearer(form, shown=form != key)
            for form in (key.swapcase(), key.upper(), key.lower(), _with_one_recased(key))
        ),
        Credential.OTHER_SCHEME: (
            *(f"{scheme} {key}" for scheme in OTHER_SCHEMES),
            # The key as the user name, and as the password, as specified in RFC 7617.
            *(f"Basic {base64.b64encode(each.encode()).decode()}" for each in (f"{key}:", f":{key}")),
        ),
        Credential.NOT_ASCII: (
            bearer(NOT_ASCII),
            bearer(f"{key[:-1]}{OF_LATIN_1}", shown=not key.endswith(OF_LATIN_1)),
        ),
        # The last one passes code that takes the first seven characters for the scheme.
        Credential.BARE_KEY: (key, f"Bearer{key}", f"Bearer={key}"),
    }


def _with_one_recased(key: str) -> str:
    """The key with its first letter in the other case."""
    at = next((at for at, each in enumerate(key) if each.swapcase() != each), 0)
    return key[:at] + key[at].swapcase() + key[at + 1 :]


def _without_padding(key: str) -> str:
    """The key without what may be left out at the end of base64 (RFC 4648 section 3.2)."""
    is_padded = _PADDED.fullmatch(key) is not None and len(key) % 4 == 0
    return key.rstrip("=") if is_padded else key


def _with_another_end(key: str) -> str:
    """The key with another character at its end, which stands for other bytes in base64 as well.

    There, the last character may carry as few as two bits, its upper ones (RFC 4648 section 3.5), which sixteen
    characters have in common: with another of these, a signature is the same. Hexadecimal digits stay such.
    """
    front, end = key[:-1], key[-1]
    if end in digits:
        return front + "abcdef"[int(end) % 6]
    if end in "abcdef":
        return front + digits["abcdef".index(end)]
    if end in ascii_uppercase:
        return front + ("Q" if end < "Q" else "A")
    return front + ("a" if end in f"{ascii_lowercase}-_" else _alike(end))


def _alike(key: str) -> str:
    """A key of the same length and alphabet in which every letter and digit differs, and which does not reveal the key."""
    shifts = hashlib.shake_256(key.encode()).digest(len(key))
    return "".join(_other(each, shift) for each, shift in zip(key, shifts, strict=True))


def _other(character: str, shift: int) -> str:
    alphabet = next((each for each in (ascii_lowercase, ascii_uppercase, digits) if character in each), "")
    if not alphabet:
        return character
    return alphabet[(alphabet.index(character) + 1 + shift % (len(alphabet) - 1)) % len(alphabet)]
