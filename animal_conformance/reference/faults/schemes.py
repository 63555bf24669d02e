"""Faults of the scheme of credentials ('Authentication', rule 2)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=2, sentence=sentence, **steps)


def _credentials(read: Callable[[list[str]], str | None]) -> Any:
    """Take the token of further headers, given by their words."""
    return lambda inner: lambda header: inner(header) or read(header.split())


def _basic(words: list[str]) -> str | None:
    return words[1] if len(words) == 2 and words[0].lower() == "basic" else None


def _user(words: list[str]) -> str | None:
    """The name of the user in what the scheme Basic encodes."""
    try:
        return base64.b64decode(_basic(words) or "", validate=True).decode().partition(":")[0]
    except (binascii.Error, UnicodeDecodeError):
        return None


FAULTS = [
    _fault(
        "auth.scheme.any",
        "auth.scheme.other",
        "The key is accepted under every scheme.",
        read_credential=_credentials(lambda words: words[1] if len(words) == 2 else None),
    ),
    _fault(
        "auth.scheme.basic",
        "auth.scheme.other",
        "The key is accepted under the scheme Basic.",
        read_credential=_credentials(_basic),
    ),
    _fault(
        "auth.scheme.basic-encoded",
        "auth.scheme.other",
        "The key is accepted as the user of the scheme Basic, which another client of the store needs.",
        read_credential=_credentials(_user),
    ),
    _fault(
        "auth.scheme.none",
        "auth.scheme.missing",
        "The key is accepted without a scheme.",
        read_credential=_credentials(lambda words: words[0] if len(words) == 1 else None),
    ),
    _fault(
        "auth.scheme.last-word",
        ("auth.scheme.other", "auth.scheme.missing"),
        "The last word of the header counts, whatever stands before it.",
        read_credential=_credentials(lambda words: words[-1] if words else None),
    ),
]
