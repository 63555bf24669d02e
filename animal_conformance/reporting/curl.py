"""A line for the terminal that sends a request again, with the key taken from the environment."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from animal_conformance.exchange import Credential

if TYPE_CHECKING:
    from animal_conformance.exchange import Exchange

KEY: Final = "$ANIMAL_STORE_API_KEY"

# The Authorization header of each kind of credential, as a shell writes it.
AUTHORIZATION: Final = {
    Credential.VALID: f'"Authorization: Bearer {KEY}"',
    Credential.UNKNOWN: f'"Authorization: Bearer {KEY}"',
    Credential.LOWER_CASE_SCHEME: f'"Authorization: bearer {KEY}"',
    Credential.EMPTY: '"Authorization: Bearer "',
    Credential.WRONG: "'Authorization: Bearer never-issued'",
    Credential.LONGER: '"Authorization: Bearer ${ANIMAL_STORE_API_KEY}x"',
    Credential.SHORTER: '"Authorization: Bearer ${ANIMAL_STORE_API_KEY%?}"',
    Credential.RECASED: "\"Authorization: Bearer $(printf %s \"$ANIMAL_STORE_API_KEY\" | tr 'A-Za-z' 'a-zA-Z')\"",
    Credential.OTHER_SCHEME: f'"Authorization: Token {KEY}"',
    Credential.BARE_KEY: f'"Authorization: {KEY}"',
}

# What the client adds to every request by itself; curl has its own.
OMITTED: Final = frozenset(
    {"user-agent", "accept-encoding", "connection", "content-length", "host", "accept"}
)


def curl(exchange: Exchange, base_url: str) -> str:
    """The request as one `curl` command of a POSIX shell.

    :param base_url: the base address of the deployment, without credentials.
    """
    request = exchange.request
    parts = ["curl -sS -i --path-as-is"]
    if set(request.target) & set("[]{}"):
        parts.append("-g")  # otherwise a pattern of several addresses
    if request.method != ("GET" if request.body is None else "POST"):
        parts.append(f"-X {shlex.quote(request.method)}")
    parts.append(_quote(f"{base_url.rstrip('/')}{request.target}"))
    if request.credential in AUTHORIZATION:
        parts.append(f"-H {AUTHORIZATION[request.credential]}")
    parts += [
        f"-H {_quote(f'{name}: {value}')}"
        for name, value in request.headers
        if name.lower() not in OMITTED
        or (name.lower() == "accept" and value not in {"*/*", "application/json"})
    ]
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
    """A text as one word of a POSIX shell, in which nothing is invisible or moves the cursor."""
    if text.isprintable():
        return shlex.quote(text)
    return f"\"$(printf '{_octal(text.encode('utf-8', 'surrogatepass'))}')\""


def _octal(content: bytes) -> str:
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b"\\%'" else f"\\{byte:03o}" for byte in content
    )
