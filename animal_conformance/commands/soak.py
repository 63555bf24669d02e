"""`animal-conformance soak`: judge a deployment under load."""

from __future__ import annotations

import os
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import click

from animal_conformance.commands.failing import fail
from animal_conformance.session.flags import API_KEY_FILE, OPTIONS, SECONDS, Quantity, options_from
from animal_conformance.session.options import URL_VARIABLE, UsageError, checked, find_key
from animal_conformance.soak.settings import MAX_CREATES, SETTLE_S, SoakOptions

# Of the options of a run, those that a soak has too.
SHARED: Final = frozenset(
    {
        *(
            "seed",
            "clauses",
            "read_only",
            "rate",
            "category_ids",
            "timeout_s",
            "strict",
            "report_dir",
            "name",
        ),
        *("today", "ca_bundle", "client_certificate", "insecure", "headers", "faults", "variants"),
    }
)
NEEDS: Final = "A soak needs Locust: pip install 'animal-conformance[soak]'."


class Duration(click.ParamType):  # type: ignore[type-arg] # generic in click 8.5 only
    """A time such as 90s, 10m or 1h."""

    name = "time"
    units: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The time in seconds."""
        text = str(value).strip()
        number = text.rstrip("msh")
        try:
            seconds = float(number) * self.units[text[len(number) :]]
        except (ValueError, KeyError):
            self.fail(f"{value!r} is not a time: write it such as 90s, 10m or 1h.", param, ctx)
        if not 0 < seconds <= 30 * 24 * 3600:
            self.fail(f"{value!r} is not between nothing and 30 days.", param, ctx)
        return seconds


@click.command(
    params=[API_KEY_FILE, *(each for each in OPTIONS if each.name in SHARED)],
    short_help="Judge a deployment under load.",
)
@click.argument("base_url", required=False, metavar="[BASE_URL]")
@click.option("--users", type=click.IntRange(1), default=10, show_default=True, help="Number of users.")
@click.option(
    "--spawn-rate",
    type=Quantity("/s"),
    default=10,
    show_default=True,
    metavar="N/s",
    help="Users to start per second.",
)
@click.option(
    "--run-time",
    "run_time_s",
    type=Duration(),
    default="60s",
    show_default=True,
    help="Duration, such as 90s or 10m.",
)
@click.option(
    "--max-creates",
    type=click.IntRange(0),
    default=MAX_CREATES,
    show_default=True,
    help="Maximum number of animals to create; reading goes on.",
)
@click.option(
    "--settle",
    "settle_s",
    type=SECONDS,
    default=SETTLE_S,
    show_default=True,
    metavar="SECONDS",
    help="How long readings may lag under load.",
)
@click.option(
    "--yes",
    is_flag=True,
    help="Do not ask before load goes to an address that is not of the loopback interface.",
)
def soak(base_url: str | None, *, api_key_file: str | None, yes: bool, **values: Any) -> None:
    """Judge the deployment at BASE_URL (or ANIMAL_STORE_BASE_URL) under load; without either, the reference deployment.

    The exit codes are those of `run`; a soak judges a part of the clauses, and says so.
    """
    own = {name: values.pop(name) for name in ("users", "spawn_rate", "run_time_s")}
    try:
        embedded = values["faults"] or values["variants"]
        address = base_url or ("" if embedded else os.environ.get(URL_VARIABLE, ""))
        run = checked(options_from({**values, "base_url": address}))
        options = SoakOptions(run, **own)
        key = "" if run.embedded else find_key(api_key_file)
    except UsageError as error:
        fail(error)
    _ask(options, yes=yes)
    raise SystemExit(_soak(options, key))


def _ask(options: SoakOptions, *, yes: bool) -> None:
    if options.run.embedded or yes or _is_loopback(options.run.base_url):
        return
    click.confirm(
        f"{options.users} users will send to {options.run.base_url} as fast as they are served. Go on?",
        abort=True,
        err=True,
    )


def _is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _soak(options: SoakOptions, key: str) -> int:
    try:
        # Before anything that opens connections.
        from animal_conformance.soak import swarm  # noqa: PLC0415 - it patches the process
    except ImportError as error:
        if (error.name or "").split(".")[0] not in {"locust", "gevent"}:
            raise
        fail(NEEDS)
    from animal_conformance.commands.soaking import soak_and_report  # noqa: PLC0415 - as above

    return soak_and_report(options, key, swarm.run_here)
