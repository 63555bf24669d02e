"""A shell command that repeats a request, with the key taken from the environment."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from animal_conformance.record.credentials import NEVER_ISSUED, NOT_ASCII, OTHER_SCHEMES
from animal_conformance.record.exchange import Credential

if TYPE_CHECKING:
    from collections.abc import Mapping

    from animal_conformance.record.exchange import Exchange

KEY: Final = "$ANIMAL_STORE_API_KEY"

NEVER_ISSUED_LINE: Final = "'Authorization: Bearer never-issued'"
# The Authorization headers of each kind of credential by their form, as a shell writes them.
AUTHORIZATION: Final[Mapping[Credential, tuple[str, ...]]] = {
    Credential.VALID: (f'"Authorization: Bearer {KEY}"',),
    Credential.UNKNOWN: (f'"Authorization: Bearer {KEY}"',),
    Credential.LOWER_CASE_SCHEME: (f'"Authorization: bearer {KEY}"',),
    Credential.EMPTY: ('"Authorization: Bearer "', '"Authorization: Bearer"'),
    Credential.WRONG: (
        *(f"'Authorization: Bearer {each}'" for each in NEVER_ISSUED),
        NEVER_ISSUED_LINE,  # one shaped like the key, which would reveal something about it
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY%?}~"',
        '"Authorization: Bearer ~${ANIMAL_STORE_API_KEY#?}"',
    ),
    Credential.LONGER: (
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY}x"',
        f'"Authorization: Bearer {KEY}{KEY}"',
        f'"Authorization: Bearer x{KEY}"',
        f'"Authorization: Bearer {KEY} x"',
    ),
    Credential.SHORTER: (
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY%?}"',
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY#?}"',
        f'"Authorization: Bearer $(printf %s "{KEY}" | cut -c 1-$(($' + '{#ANIMAL_STORE_API_KEY} / 2)))"',
    ),
    Credential.RECASED: tuple(
        f"\"Authorization: Bearer $(printf %s \"{KEY}\" | tr '{old}' '{new}')\""
        for old, new in (("A-Za-z", "a-zA-Z"), ("a-z", "A-Z"), ("A-Z", "a-z"))
    ),
    Credential.OTHER_SCHEME: (
        *(f'"Authorization: {scheme} {KEY}"' for scheme in OTHER_SCHEMES),
        f'"Authorization: Basic $(printf %s: "{KEY}" | base64 | tr -d \'\\n\')"',
    ),
    Credential.NOT_ASCII: (f"'Authorization: Bearer {NOT_ASCII}'",),
    Credential.BARE_KEY: (f'"Authorization: {KEY}"', f'"Authorization: Bearer{KEY}"'),
}

# Headers that the client adds to every request; curl adds its own.
OMITTED: Final = frozenset(
    {"user-agent", "accept-encoding", "connection", "content-length", "host", "accept"}
)

# What curl sends unless it is told not to.
CURLS_OWN: Final = ("User-Agent", "Accept")


def curl(exchange: Exchange, base_url: str) -> str:
    """The request as one `curl` command of a POSIX shell.

    :param base_url: the base address of the deployment, without credentials.
    """
    request = exchange.request
    parts = ["curl -sS -i --path-as-is"]
    if set(request.target) & set("[]{}"):
        parts.append("-g")  # otherwise read as a pattern for several URLs
    if request.method != ("GET" if request.body is None else "POST"):
        parts.append(f"-X {shlex.quote(request.method)}")
    parts.append(_quote(f"{base_url.rstrip('/')}{request.target}"))
    if request.credential in AUTHORIZATION:
        forms = AUTHORIZATION[request.credential]
        parts.append(f"-H {forms[request.form if 0 <= request.form < len(forms) else 0]}")
    parts += [
        f"-H {_quote(f'{name}: {value}')}"
        for name, value in request.headers
        if request.voice
        or name.lower() not in OMITTED
        or (name.lower() == "accept" and value not in {"*/*", "application/json"})
    ]
    if request.voice:
        parts += [f"-H '{name}:'" for name in CURLS_OWN if request.header(name) is None]
        if request.header("accept-encoding") is not None:
            parts.append("--compressed")
    if request.body is None:
        return " ".join(parts)
    if request.header("content-type") is None:
        parts.append("-H 'Content-Type:'")
    try:
        text = request.body.decode("utf-8")
        plain = text.isprintable()
    except UnicodeDecodeError:
        plain = False
    if plain:
        return " ".join([*parts, f"--data-raw {shlex.quote(text)}"])
    return " ".join([f"printf '{_octal(request.body)}' |", *parts, "--data-binary @-"])


def _quote(text: str) -> str:
    """A text as one word of a POSIX shell, without invisible characters or any that move the cursor."""
    if text.isprintable():
        return shlex.quote(text)
    return f"\"$(printf '{_octal(text.encode('utf-8', 'surrogatepass'))}')\""


def _octal(content: bytes) -> str:
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b"\\%'" else f"\\{byte:03o}" for byte in content
    )
