"""The options of a run as click options: one table for the command and for pytest."""

from __future__ import annotations

import math
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.send.budget import SHORTEST_TIMEOUT_S
from animal_conformance.session.options import KEY_VARIABLE, Header, RunOptions, UsageError


class WholeNumber(click.IntRange):
    """A whole number within a range."""

    name = "whole number"


class Seed(WholeNumber):
    """A whole number, or `random` for a new one."""

    def __init__(self) -> None:
        super().__init__(min=0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        return secrets.randbelow(2**32) if value == "random" else int(super().convert(value, param, ctx))


class Quantity(click.FloatRange):
    """A number up to a million, with or without its unit.

    :param least: the smallest that is allowed; without it, any above 0.
    """

    name = "number"

    def __init__(self, unit: str, least: float | None = None) -> None:
        super().__init__(least or 0, 1_000_000, min_open=least is None)
        self.unit = unit

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, which must be finite."""
        text: Any = str(value).removesuffix(self.unit)
        try:
            known = not math.isnan(float(text))
        except ValueError:
            known = False
        if not known:
            self.fail(
                f"{value!r} is not a number, with or without its unit, such as 5{self.unit}.", param, ctx
            )
        number: float = super().convert(text, param, ctx)
        return number


class Day(click.DateTime):
    """A date such as 2030-12-05."""

    def __init__(self) -> None:
        super().__init__(["%Y-%m-%d"])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:  # type: ignore[override]
        """The date."""
        return super().convert(value, param, ctx).date()


class ClausePrefix(click.ParamType):  # type: ignore[type-arg] # generic in click 8.5 only
    """A prefix of clause ids."""

    name = "prefix"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The prefix, which must match a clause."""
        try:
            load_clauses().selected([value])
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """The ids with this prefix, each with its title."""
        return [
            CompletionItem(clause.id, help=clause.title)
            for clause in load_clauses().clauses
            if clause.id.startswith(incomplete)
        ]


class Directory(click.Path):
    """A directory that can be written to."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The directory; an empty text, such as that of a variable that is not set, names none."""
        if value == "":
            self.fail("No directory is named: is a variable not set?", param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


# RFC 9110 section 5.6.2: a token.
NAME_OF_A_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)


def _can_be_sent(value: str) -> bool:
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


class HeaderField(click.ParamType):  # type: ignore[type-arg] # as above
    """A header such as 'X-Tenant: 7'."""

    name = "header"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Header:
        """Its name and its value."""
        name, colon, content = (part.strip() for part in value.partition(":"))
        # The value may be a secret, so it is not repeated.
        if not colon or not name or not value.isprintable() or " " in name:
            self.fail("A header consists of a name, a colon and a value, such as 'X-Tenant: 7'.", param, ctx)
        if not NAME_OF_A_HEADER.fullmatch(name) or not _can_be_sent(content):
            self.fail(
                "A header has a name of letters, digits and hyphens, and a value in Latin-1.", param, ctx
            )
        if name.lower() in {"authorization", "content-length", "host", "transfer-encoding"}:
            self.fail(f"The suite sets {name} itself.", param, ctx)
        return name, content


def _option(
    flag: str,
    text: str,
    kind: click.ParamType[Any] | None = None,
    metavar: str | None = None,
    **settings: Any,
) -> click.Option:
    """An option that sets a field of RunOptions, whose default determines whether it is a flag or repeatable."""
    field = settings.pop("field", flag.removeprefix("--").replace("-", "_"))
    default = getattr(RunOptions, field)
    known = default not in (None, "", (), date.min)
    return click.Option(
        [flag, field],
        type=kind,
        metavar=metavar,
        help=text,
        is_flag=default is False or None,  # False would make the value optional
        multiple=default == (),
        **{"default": default, "show_default": True} if known else {},
        **settings,
    )


def _faults(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The faults with this prefix, for a shell to complete."""
    from animal_conformance.reference.faults import FAULTS  # noqa: PLC0415 - only a shell asks for them

    return [each for each in FAULTS if each.startswith(incomplete)]


def _variants(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The variants with this prefix."""
    from animal_conformance.reference.variants import VARIANTS  # noqa: PLC0415 - as above

    return [each for each in VARIANTS if each.startswith(incomplete)]


CLAUSE: Final = ClausePrefix()
DAY: Final = Day()
FILE: Final = click.Path(exists=True, dir_okay=False)
DIRECTORY: Final = Directory()
INT64: Final = WholeNumber(-(2**63), 2**63 - 1)
SECONDS: Final = Quantity("s")
# A request is sent on each connection before anything is judged, and the smallest profile's requests have to suffice for
# both.
MOST_CONNECTIONS: Final = 64

API_KEY_FILE: Final = click.Option(
    ["--api-key-file"], type=FILE, help=f"File with the API key; otherwise {KEY_VARIABLE} is used."
)
OPTIONS: Final = (
    _option("--profile",
        "How much to send and create. smoke: at most 250 requests and 20 animals; standard: 1,300 and 150; deep: until --max-time, at most 2,000 animals.",
        click.Choice(tuple(PROFILES))),
    _option("--seed", "Seed of the generated examples.", Seed(), "N|random"),
    _option("--connections",
        f"Number of parallel connections, up to {MOST_CONNECTIONS}; bursts of up to 24 requests have their own.",
        WholeNumber(1, MOST_CONNECTIONS), "N", show_default="1 if responses are immediate, otherwise up to 8"),
    _option("--clause", "Judge only the clauses whose id begins with this; repeatable.", CLAUSE,
        field="clauses"),
    _option("--read-only", "Send only GET requests to listPets and getPet."),
    _option("--max-creates", "Maximum number of animals to create.", WholeNumber(0), "N",
        show_default="the profile's"),
    _option("--rate", "Maximum number of requests per second.", Quantity("/s"), "N/s"),
    _option("--category-id", "A categoryId that the deployment accepts; repeatable. By default, one is searched for.", INT64, "N",
        field="category_ids"),
    _option("--settle", "How long a created animal may be missing from lists.", Quantity("s", least=0),
        "SECONDS", field="settle_s"),
    _option("--timeout", f"Timeout for each exchange as a whole, {SHORTEST_TIMEOUT_S:g} or more.",
        Quantity("s", least=SHORTEST_TIMEOUT_S), "SECONDS", field="timeout_s"),
    _option("--max-time", "Maximum duration of the run.", SECONDS, "SECONDS", field="max_time_s",
        show_default="the profile's"),
    _option("--strict", "Treat a failed SHOULD clause as a failure of the run."),
    _option("--certify", "Require every MUST clause to pass, be inapplicable or be excused, and write a certificate."),
    _option("--torture", "At the end, send what may harm a deployment: only for one of your own."),
    _option("--report-dir", "Directory for the reports.", DIRECTORY),
    _option("--baseline",
        "An earlier conformance.json, or its directory: what failed then is known and does not fail the run.",
        click.Path(exists=True, path_type=Path)),
    _option("--expect", "YAML list of expected failures, each with id, reason and until.",
        click.Path(exists=True, dir_okay=False, path_type=Path)),
    _option("--write-expect", "Write the failures of this run as such a list, with reasons to fill in.",
        click.Path(dir_okay=False, path_type=Path), "FILE"),
    _option("--name", "Name of the deployment in reports."),
    _option("--today", "Judge as of this date: getPet may be removed from 2030-12-05 on.", DAY, "YYYY-MM-DD"),
    _option("--ca-bundle", "File or directory of trusted certificate authorities.", click.Path(exists=True)),
    _option("--client-cert", "Client certificate; if given a second time, its key.", FILE,
        field="client_certificate"),
    _option("--insecure", "Do not verify TLS certificates, whatever --ca-bundle names; noted in the report."),
    _option("--header", "Send this header with every request; repeatable.", HeaderField(), "'NAME: VALUE'", field="headers"),
    _option("--fault", "Add a fault to the reference deployment (serve --list has the names); repeatable.", metavar="NAME", field="faults",
        shell_complete=_faults),
    _option("--variant", "Apply a permitted variant to the reference deployment (serve --list has the names); repeatable.", metavar="NAME",
        field="variants", shell_complete=_variants),
    _option("--null", "Judge a null server, which returns the same response to every request (serve --list has the names).",
        metavar="NAME"),
)  # fmt: skip


# The options that decide on a recording and its report as well.
JUDGING: Final = tuple(
    option for option in OPTIONS if option.name in {"clauses", "strict", "baseline", "expect"}
)
# The options for how a deployment is reached, which other commands that send requests need as well.
REACHING: Final = tuple(
    option
    for option in OPTIONS
    if option.name in {"timeout_s", "ca_bundle", "client_certificate", "insecure", "headers"}
)


def options_from(values: Mapping[str, Any]) -> RunOptions:
    """The settings from the values of a command line; ``None`` means not given."""
    return RunOptions(**{name: value for name, value in values.items() if value is not None})


def checked_values(options: RunOptions) -> RunOptions:
    """Settings that were made in Python, as the command line would take them.

    :raises UsageError: if a value is not valid.
    """
    values = {
        each.name: value for each in fields(options) if (value := getattr(options, each.name)) != each.default
    }
    if options.today != date.min:
        values["today"] = options.today.isoformat()
    return options_from_texts({**values, "headers": [f"{name}: {value}" for name, value in options.headers]})


def options_from_texts(texts: Mapping[str, Any]) -> RunOptions:
    """The settings from texts, lists of texts and booleans, as parsed by pytest; ``None`` means not given.

    :raises UsageError: if a text is not a valid value.
    """
    context = click.Context(click.Command("pytest"))
    given = [(option, option.name or "") for option in OPTIONS if texts.get(option.name or "") is not None]
    try:
        read = {name: option.type_cast_value(context, texts[name]) for option, name in given}
    except click.BadParameter as error:
        raise UsageError(error.format_message()) from error
    return options_from({**texts, **read})
