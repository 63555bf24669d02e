"""A shell command that repeats a request, with the key taken from the environment."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from math import prod
from types import MappingProxyType
from typing import Any, Final

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
)
from animal_conformance.record.exchange import Credential, Exchange

KEY: Final = "$ANIMAL_STORE_API_KEY"

FIRST_LETTER_RECASED: Final = (
    "match($0, /[A-Za-z]/) { first = substr($0, RSTART, 1); lower = tolower(first); "
    "$0 = substr($0, 1, RSTART - 1) (first == lower ? toupper(first) : lower) substr($0, RSTART + 1) } 1"
)
FIRST_TWO_EXCHANGED: Final = (
    "{ at = 1; while (at < length($0) && tolower(substr($0, at, 1)) == tolower(substr($0, at + 1, 1))) at++; "
    "$0 = substr($0, 1, at - 1) substr($0, at + 1, 1) substr($0, at, 1) substr($0, at + 2) } 1"
)
NEVER_ISSUED_LINE: Final = "'Authorization: Bearer never-issued'"
# The Authorization headers of each kind of credential by their form, as a shell writes them.
AUTHORIZATION: Final[Mapping[Credential, tuple[str, ...]]] = {
    Credential.VALID: (f'"Authorization: Bearer {KEY}"',),
    Credential.UNKNOWN: (f'"Authorization: Bearer {KEY}"',),
    Credential.LOWER_CASE_SCHEME: (f'"Authorization: bearer {KEY}"',),
    Credential.EMPTY: ('"Authorization: Bearer "', '"Authorization: Bearer"', "'Authorization;'"),
    Credential.WRONG: (
        *(f"'Authorization: Bearer {each}'" for each in NEVER_ISSUED),
        NEVER_ISSUED_LINE,  # one shaped like the key, which would reveal something about it
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY%?}~"',
        '"Authorization: Bearer ~${ANIMAL_STORE_API_KEY#?}"',
        f"'Authorization: bearer {NEVER_ISSUED[0]}'",
        *(f"'Authorization: Bearer {each}'" for each in PATTERNS),
        NEVER_ISSUED_LINE,  # the key but for one character, which a shell cannot cut out in a few words
        *(f'"Authorization: Bearer {each}"' for each in BREAKING),
        f"'Authorization: BEARER {NEVER_ISSUED[0]}'",
        f'"Authorization: Bearer $(printf %s "{KEY}" | tr -c A-Za-z0-9 x)"',
        f'"Authorization: Bearer $(printf %%%02X "\'{KEY}")${{ANIMAL_STORE_API_KEY#?}}"',
        *(f"'Authorization: Bearer {each}'" for each in SAMPLES),
        f'"Authorization: Bearer $(printf %s "{KEY}" | tr -dc A-Za-z0-9)"',
        f"'Authorization: Bearer {PROPERTY}'",
        f'"Authorization: Bearer $(printf %s "{KEY}" | awk \'{FIRST_TWO_EXCHANGED}\')"',
    ),
    Credential.LONGER: (
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY}x"',
        f'"Authorization: Bearer {KEY}{KEY}"',
        f'"Authorization: Bearer x{KEY}"',
        f'"Authorization: Bearer {KEY} x"',
        f'"Authorization: Bearer \\"{KEY}\\""',
        f'"Authorization: Bearer {KEY},x"',
        f'"Authorization: Bearer Bearer {KEY}"',
        *(f'"Authorization: Bearer {KEY}{tail}"' for tail in TAILS),
    ),
    Credential.SHORTER: (
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY%?}"',
        '"Authorization: Bearer ${ANIMAL_STORE_API_KEY#?}"',
        f'"Authorization: Bearer $(printf %s "{KEY}" | cut -c 1-$(($' + '{#ANIMAL_STORE_API_KEY} / 2)))"',
    ),
    Credential.RECASED: (
        *(
            f"\"Authorization: Bearer $(printf %s \"{KEY}\" | tr '{old}' '{new}')\""
            for old, new in (("A-Za-z", "a-zA-Z"), ("a-z", "A-Z"), ("A-Z", "a-z"))
        ),
        f'"Authorization: Bearer $(printf %s "{KEY}" | awk \'{FIRST_LETTER_RECASED}\')"',
    ),
    Credential.OTHER_SCHEME: (
        *(f'"Authorization: {scheme} {KEY}"' for scheme in OTHER_SCHEMES),
        *(
            f'"Authorization: Basic $(printf {each} "{KEY}" | base64 | tr -d \'\\n\')"'
            for each in ("%s:", ":%s")
        ),
    ),
    Credential.NOT_ASCII: tuple(
        # One byte, whatever the terminal writes for a letter.
        f"\"Authorization: Bearer {token}$(printf '\\{ord(OF_LATIN_1):o}')\""
        for token in (NOT_ASCII.removesuffix(OF_LATIN_1), "${ANIMAL_STORE_API_KEY%?}")
    ),
    Credential.BARE_KEY: (
        f'"Authorization: {KEY}"',
        f'"Authorization: Bearer{KEY}"',
        f'"Authorization: Bearer={KEY}"',
    ),
}

# Headers that curl makes itself.
OMITTED: Final = frozenset({"content-length", "host"})
# Left out unless a voice asks for every header; curl accepts */* anyway.
PLAIN: Final = frozenset({("accept", "application/json"), ("accept", "*/*"), ("connection", "keep-alive")})

# What curl sends unless it is told not to.
CURLS_OWN: Final = ("User-Agent", "Accept")


def curl(exchange: Exchange, base_url: str, options: Mapping[str, Any] = MappingProxyType({})) -> str:
    """The request as one `curl` command of a POSIX shell.

    :param base_url: the base address of the deployment, without credentials.
    :param options: the settings of the run, which include how to reach the deployment: authorities, client
        certificate, and the names of additional headers, whose values are taken from the environment.
    """
    request = exchange.request
    names = {name.lower() for name, _ in request.headers}
    # With -X HEAD, curl would wait for a body.
    parts = ["curl -sS -I --path-as-is" if request.method == "HEAD" else "curl -sS -i --path-as-is"]
    parts += _way(options)
    if set(request.target) & set("[]{}"):
        parts.append("-g")  # otherwise read as a pattern for several URLs
    if request.method not in {"HEAD", "GET" if request.body is None else "POST"}:
        parts.append(f"-X {shlex.quote(request.method)}")
    parts.append(_quote(f"{base_url.rstrip('/')}{request.target}"))
    if request.credential in AUTHORIZATION:
        forms = AUTHORIZATION[request.credential]
        parts.append(f"-H {forms[request.form if 0 <= request.form < len(forms) else 0]}")
    added = [each for each in options.get("headers", ()) if each.lower() not in names]
    names |= {each.lower() for each in added}
    parts += [f'-H "{each}: ${{{placeholder(each)}:?}}"' for each in added]
    parts += [
        # curl takes a name with a semicolon for a header without a value.
        f"-H {_quote(f'{name}: {value}' if value.strip() else f'{name};')}"
        for name, value in request.headers
        if name.lower() not in OMITTED and (request.voice or (name.lower(), value) not in PLAIN)
    ]
    own = CURLS_OWN if request.voice else ("Accept",)
    parts += [f"-H '{name}:'" for name in own if name.lower() not in names]
    # The suite itself accepts compressed bodies; that is shown only where it may matter.
    response = exchange.response
    accepted = not request.voice and (response is None or response.header("content-encoding"))
    if accepted or "accept-encoding" in names:
        parts.append("--compressed")
    if request.body is None:
        return " ".join(parts)
    if "content-type" not in names:
        parts.append("-H 'Content-Type:'")
    try:
        text = request.body.decode("utf-8")
        plain = text.isprintable()
    except UnicodeDecodeError:
        plain = False
    if plain:
        return " ".join([*parts, f"--data-raw {shlex.quote(text)}"])
    return " ".join([f"printf '{_octal(request.body)}' |", *parts, "--data-binary @-"])


def commands(
    exchanges: Iterable[Exchange], base_url: str, options: Mapping[str, Any] = MappingProxyType({})
) -> str:
    """A line for each request; a request, or a sequence of them, that was sent several times in a row is one line: a loop."""
    lines, shown = [curl(each, base_url, options) for each in exchanges], []
    while lines:
        length, times = _turns(lines)
        turn, numbers = "; ".join(lines[:length]), " ".join(map(str, range(1, times + 1)))
        shown.append(turn if times == 1 else f"for turn in {numbers}; do {turn}; done")
        del lines[: length * times]
    return "\n".join(shown)


def _turns(lines: list[str]) -> tuple[int, int]:
    """How many lines at the beginning are repeated right after themselves, and how often they occur there in all."""
    longest = (1, 1)
    for length in range(1, len(lines) // 2 + 1):
        times = 1
        while lines[:length] == lines[length * times : length * (times + 1)]:
            times += 1
        if times > 1:
            longest = max(longest, (length, times), key=prod)
    return longest


def placeholder(header: str) -> str:
    """The variable from which a command takes the value of a `--header`, such as HEADER_X_TENANT."""
    return f"HEADER_{re.sub(r'[^A-Z0-9]', '_', header.upper())}"


def _way(options: Mapping[str, Any]) -> list[str]:
    """How a run reached its deployment."""
    bundle, certificate = options.get("ca_bundle"), options.get("client_certificate")
    found = [f"--ca{'path' if bundle.endswith('/') else 'cert'} {_quote(bundle)}"] if bundle else []
    found += [
        f"{flag} {_quote(file)}" for flag, file in zip(("--cert", "--key"), certificate or (), strict=False)
    ]
    return [*found, "--insecure"] if options.get("insecure") else found


def _quote(text: str) -> str:
    """A text as one word of a POSIX shell, without invisible characters or any that move the cursor."""
    if text.isprintable():
        return shlex.quote(text)
    return f"\"$(printf '{_octal(text.encode('utf-8', 'surrogatepass'))}')\""


def _octal(content: bytes) -> str:
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b"\\%'" else f"\\{byte:03o}" for byte in content
    )
