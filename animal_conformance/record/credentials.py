"""The numbered forms of credentials that do not depend on the key."""

from __future__ import annotations

from typing import Final

OTHER_SCHEMES: Final = ("Basic", "Token", "ApiKey", "Digest", "Bearers")
NOT_ASCII: Final = "clé"
# At the end of the key, in place of its last character: as many characters, but more bytes in UTF-8.
OF_LATIN_1: Final = "é"
# Tokens that match any key where they are taken for a pattern.
PATTERNS: Final = ("%", ".*")
# A token that ends a text in SQL, and one that is longer than most columns.
BREAKING: Final = ("' OR '1'='1", "never-issued" * 80)
# What ends a token for some parsers.
TAILS: Final = (".x", ":x", ";x", "==")
# What examples and sample settings have in place of a key.
SAMPLES: Final = ("special-key", "test", "changeme", "*")
# A property that every object of JavaScript has, and so each table of keys.
PROPERTY: Final = "constructor"
NEVER_ISSUED: Final = (
    "never-issued", "null", "undefined", "None", "YOUR_API_KEY", "eyJhbGciOiJub25lIn0.e30.",
)  # fmt: skip


def with_other_signs(key: str) -> str:
    """The key with a letter in place of each sign: where it is taken for a pattern, signs may stand for any character."""
    return "".join(each if each.isalnum() else "x" for each in key)


def without_signs(key: str) -> str:
    """The letters and digits of the key, as the parsers of some identifiers read it."""
    return "".join(filter(str.isalnum, key))


def with_two_exchanged(key: str) -> str:
    """The key with its first two neighbours that differ by more than case exchanged; the key itself if there are none."""
    for at in range(len(key) - 1):
        first, second = key[at], key[at + 1]
        if first.lower() != second.lower():
            return f"{key[:at]}{second}{first}{key[at + 2 :]}"
    return key
