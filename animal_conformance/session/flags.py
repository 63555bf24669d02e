"""The options of a run as the command and pytest take them: their help, and what their texts mean."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from animal_conformance.drive.profiles import DEFAULT_SEED
from animal_conformance.session.options import KEY_VARIABLE, Header, RunOptions, UsageError


@dataclass(frozen=True)
class Option:
    """One option of the command and of pytest.

    ``field`` is the name in :class:`RunOptions` (``api_key_file`` apart, which is none), ``read`` turns the
    text into the value and raises ValueError with the rest of the sentence "must be …".
    """

    flag: str
    field: str
    help: str
    metavar: str = "N"
    read: Callable[[str], Any] = str
    multiple: bool = False
    is_flag: bool = False
    pytest_flag: str = ""


def _seed(text: str) -> int:
    if text == "random":
        return secrets.randbelow(2**32)
    return _whole(text, "a whole number, or random")


def _whole(text: str, expected: str = "a whole number") -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(expected) from None


def _number(text: str) -> float:
    try:
        value = float(text.removesuffix("s"))
    except ValueError:
        value = float("nan")
    if not value < float("inf"):
        raise ValueError("a number")
    return value


def _rate(text: str) -> float:
    return _number(text.removesuffix("/s"))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError("a date such as 2030-12-05") from None


def _header(text: str) -> Header:
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or not text.isprintable() or " " in name.strip():
        raise ValueError("a header such as 'X-Tenant: 7'")
    if name.strip().lower() in {"authorization", "content-length", "host", "transfer-encoding"}:
        raise ValueError(f"another header than {name.strip()}, which the suite sets itself")
    return name.strip(), value.strip()


OPTIONS: Final = (
    Option(
        "--api-key-file", "api_key_file", f"File with the API key; without it {KEY_VARIABLE} is used.", "FILE"
    ),
    Option("--profile", "profile", "How much to do: smoke, standard or deep.  [default: standard]", "NAME"),
    Option(
        "--seed",
        "seed",
        f"Decides every example; random for a fresh one.  [default: {DEFAULT_SEED}]",
        "N",
        _seed,
    ),
    Option(
        "--connections",
        "connections",
        "Send on so many connections side by side, at most.  [default: 1 where answers come at once, else 8]",
        "N",
        _whole,
    ),
    Option(
        "--clause",
        "clauses",
        "Judge only the clauses whose id begins with this; can be repeated.",
        "PREFIX",
        multiple=True,
    ),
    Option(
        "--read-only", "read_only", "Send GETs of the two reading operations and nothing else.", is_flag=True
    ),
    Option(
        "--max-creates",
        "max_creates",
        "Create at most so many animals.  [default: the profile's]",
        "N",
        _whole,
    ),
    Option("--rate", "rate", "Send at most so many requests a second.", "N/s", _rate),
    Option(
        "--category-id",
        "category_ids",
        "A categoryId that creations may use; can be repeated.",
        "N",
        _whole,
        multiple=True,
    ),
    Option(
        "--settle", "settle_s", "How long lists may lag behind creations.  [default: 3]", "SECONDS", _number
    ),
    Option(
        "--timeout",
        "timeout_s",
        "How long an exchange may take as a whole.  [default: 30]",
        "SECONDS",
        _number,
    ),
    Option(
        "--max-time", "max_time_s", "How long the run may take.  [default: the profile's]", "SECONDS", _number
    ),
    Option(
        "--strict",
        "strict",
        "Let a failed SHOULD clause fail the run.",
        is_flag=True,
        pytest_flag="--strict-should",
    ),
    Option(
        "--certify", "certify", "Demand that every MUST clause passes, and write a certificate.", is_flag=True
    ),
    Option("--report-dir", "report_dir", "Where reports are written.  [default: reports]", "DIR", Path),
    Option(
        "--baseline", "baseline", "A conformance.json: exit code 1 where a MUST clause got worse.", "FILE"
    ),
    Option("--expect", "expect", "Known failures: a YAML list of id, reason and until.", "FILE"),
    Option("--name", "name", "What to call the deployment in reports.", "TEXT"),
    Option("--today", "today", "The date to judge by: getPet may be removed from 2030-12-05.", "DATE", _date),
    Option("--ca-bundle", "ca_bundle", "Certificate authorities to trust.", "FILE"),
    Option(
        "--client-cert",
        "client_certificate",
        "Client certificate; a second one names its key.",
        "FILE",
        multiple=True,
    ),
    Option("--insecure", "insecure", "Do not verify TLS certificates; the report says so.", is_flag=True),
    Option(
        "--header",
        "headers",
        "A header to send with every request; can be repeated.",
        "'N: V'",
        _header,
        multiple=True,
    ),
    Option("--fault", "faults", "Break the embedded deployment; can be repeated.", "NAME", multiple=True),
    Option(
        "--variant",
        "variants",
        "Bend the embedded deployment lawfully; can be repeated.",
        "NAME",
        multiple=True,
    ),
    Option("--null", "null", "Judge an embedded server that answers everything alike.", "NAME"),
)


def options_from(values: Mapping[str, Any]) -> RunOptions:
    """The settings from what a command line gave: texts, booleans, lists of texts, ``None`` where nothing was.

    :raises UsageError: where a text is no such value.
    """
    read: dict[str, Any] = {}
    for option in OPTIONS:
        value = values.get(option.field)
        if value is None or value is False or value == () or option.field == "api_key_file":
            continue
        if option.is_flag:
            read[option.field] = True
        elif option.multiple:
            read[option.field] = tuple(_read(option, each) for each in value)
        else:
            read[option.field] = _read(option, value)
    return RunOptions(base_url=values.get("base_url") or "", **read)


def _read(option: Option, text: str) -> Any:
    try:
        return option.read(text)
    except ValueError as error:
        raise UsageError(f"{option.flag} must be {error}, not {text!r}.") from error
