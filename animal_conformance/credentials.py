"""Authorization headers of every kind, made from the valid key; and the key taken out of what is kept."""

from __future__ import annotations

import base64
import html
import json
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, quote_plus

from animal_conformance.exchange import Credential

if TYPE_CHECKING:
    from collections.abc import Mapping

# In place of the key, wherever a deployment echoes it.
REDACTED: Final = "[api-key]"

# A shorter key is an ordinary word or number: taking it out would change bodies that do not echo it.
SHORTEST_REDACTED: Final = 6

OTHER_SCHEMES: Final = ("Basic", "Token", "ApiKey", "Digest")
NEVER_ISSUED: Final = ("never-issued", "null", "undefined", "eyJhbGciOiJub25lIn0.e30.")


def authorizations(key: str) -> Mapping[Credential, tuple[str | None, ...]]:
    """Every kind of credential with the Authorization headers that are of that kind.

    :param key: the valid key.
    :returns: header values by kind, ``None`` for no header; a kind that this key cannot show has none.
    """
    recased = key.swapcase()
    shorter = tuple(dict.fromkeys(part for part in (key[:-1], key[1:], key[: len(key) // 2]) if part))
    return {
        Credential.VALID: (f"Bearer {key}",),
        Credential.LOWER_CASE_SCHEME: (f"bearer {key}",),
        Credential.ABSENT: (None,),
        Credential.EMPTY: ("Bearer ", "Bearer"),
        Credential.WRONG: tuple(
            f"Bearer {wrong}" for wrong in (*NEVER_ISSUED, _alike(key)) if wrong.lower() not in key.lower()
        ),
        Credential.LONGER: (f"Bearer {key}x", f"Bearer {key}{key}", f"Bearer x{key}"),
        Credential.SHORTER: tuple(f"Bearer {part}" for part in shorter),
        Credential.RECASED: tuple(
            f"Bearer {form}" for form in dict.fromkeys((recased, key.upper(), key.lower())) if form != key
        ),
        Credential.OTHER_SCHEME: tuple(f"{scheme} {key}" for scheme in OTHER_SCHEMES),
        Credential.BARE_KEY: (key,),
    }


def _alike(key: str) -> str:
    """A key of the same length and alphabet in which every letter and digit differs."""
    return "".join(
        chr((ord(each) - ord(first) + 1) % span + ord(first))
        if (first := "a" if each.islower() else "A" if each.isupper() else "0" if each.isdigit() else "")
        and (span := 10 if first == "0" else 26)
        and each.isascii()
        else each
        for each in key
    )


class Redactor:
    """Takes a key out of bytes and texts: plain, JSON-escaped, URL-encoded, HTML-escaped and base64."""

    def __init__(self, key: str) -> None:
        self._pattern: re.Pattern[bytes] | None = None
        if len(key) < SHORTEST_REDACTED:
            return
        plain = key.encode()
        encoded = [
            base64.b64encode(prefix + plain).rstrip(b"=")
            for prefix in (b"", b"Bearer ", b"bearer ", b"x:", b":")
        ]
        forms = {
            plain,
            json.dumps(key)[1:-1].encode(),
            json.dumps(key, ensure_ascii=False)[1:-1].encode(),
            json.dumps(key)[1:-1].replace("/", "\\/").encode(),
            quote(key, safe="").encode(),
            quote(key).encode(),
            quote_plus(key).encode(),
            html.escape(key).encode(),
            *encoded,
            *(form.replace(b"+", b"-").replace(b"/", b"_") for form in encoded),
        }
        alternatives = b"|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
        if key.isdigit():
            # Part of a longer number is not the key, and cutting it out would break the JSON around it.
            alternatives = b"(?<![0-9])(?:%s)(?![0-9])" % alternatives
        self._pattern = re.compile(alternatives)

    def bytes(self, content: bytes) -> bytes:
        """The content without the key."""
        return content if self._pattern is None else self._pattern.sub(REDACTED.encode(), content)

    def text(self, content: str) -> str:
        """The text without the key."""
        if self._pattern is None:
            return content
        return self.bytes(content.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
