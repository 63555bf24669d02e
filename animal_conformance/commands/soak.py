"""`animal-conformance soak`: judge a deployment under load."""

from __future__ import annotations

import math
import os
import sys
from importlib import import_module
from ipaddress import ip_address
from types import ModuleType
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from animal_conformance.commands.deployment import DEPLOYMENT
from animal_conformance.commands.failing import fail
from animal_conformance.judge.case import plural
from animal_conformance.session.flags import (
    API_KEY_FILE,
    OPTIONS,
    SECONDS,
    Quantity,
    WholeNumber,
    options_from,
)
from animal_conformance.session.options import UsageError, checked, find_address, find_key
from animal_conformance.soak.settings import (
    KEPT_SHARE,
    MASTER_PORT,
    MAX_CREATES,
    SETTLE_S,
    SoakOptions,
    selected_clauses,
)

# The options of a run that a soak has as well.
SHARED: Final = frozenset({
    "seed", "clauses", "read_only", "rate", "category_ids", "timeout_s", "strict", "report_dir", "name", "today",
    "ca_bundle", "client_certificate", "insecure", "headers", "faults", "variants",
})  # fmt: skip
# The options that a worker is given itself; its master sends the rest.
OF_A_WORKER: Final = frozenset({"worker", "master_host", "master_port", "api_key_file", "yes"})
NEEDS: Final = "A soak needs Locust: pip install 'animal-conformance[soak]'."


class Duration(click.ParamType):  # type: ignore[type-arg] # generic in click 8.5 only
    """A time such as 90s, 10m or 1h."""

    name = "time"
    units: ClassVar = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The time in seconds."""
        text = str(value).strip()
        number = text.rstrip("msh")
        try:
            seconds = float(number) * self.units[text[len(number) :]]
        except (ValueError, KeyError):
            self.fail(f"{value!r} is not a time: write it like 90s, 10m or 1h.", param, ctx)
        if not 0 < seconds <= 30 * 24 * 3600:
            self.fail(f"{value!r} is not between 0 and 30 days.", param, ctx)
        return seconds


class Milliseconds(Duration):
    """A time such as 200ms or 1s, in milliseconds; a number without a unit is in milliseconds as well."""

    units: ClassVar = {**Duration.units, "": 0.001}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The time in milliseconds."""
        return 1000 * super().convert(value, param, ctx)


class Share(click.ParamType):  # type: ignore[type-arg] # as above
    """A percentage such as 0.1%."""

    name = "percentage"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The share, from 0 to 1."""
        text = str(value).strip()
        try:
            share = float(text.removesuffix("%")) / 100
        except ValueError:
            share = math.nan
        if math.isnan(share) or not text.endswith("%"):
            self.fail(f"{value!r} is not a percentage such as 0.1%.", param, ctx)
        if not 0 <= share <= 1:
            self.fail(f"{value!r} is not between 0% and 100%.", param, ctx)
        return share


def _under_load(context: click.Context, parameter: click.Parameter, settle_s: float) -> float:
    """The settling time under load: what a settings file says is meant for runs, in which replicas lag for less time."""
    source = context.get_parameter_source(parameter.name or "")
    return max(settle_s, SETTLE_S) if source is ParameterSource.DEFAULT_MAP else settle_s


def _option(
    names: str,
    text: str,
    kind: click.ParamType[Any] | None = None,
    metavar: str | None = None,
    **settings: Any,
) -> click.Option:
    """An option that a run does not have; its default is shown, if it has one."""
    shown = "default" in settings
    return click.Option(names.split(), help=text, type=kind, metavar=metavar, show_default=shown, **settings)


COUNT: Final = WholeNumber(1)
PORT: Final = WholeNumber(1, 65535)
OF_A_SOAK: Final = (
    _option("--users", "Number of users.", COUNT, "N", default=10),
    _option("--spawn-rate", "Users to start per second.", Quantity("/s"), "N/s", default=10),
    _option("--run-time run_time_s", "Duration, such as 90s or 10m.", Duration(), default="60s"),
    _option("--max-creates", "Maximum number of animals to create; reading goes on.", WholeNumber(0), "N",
        default=MAX_CREATES),
    _option("--settle settle_s", "How long readings may lag under load.", SECONDS, "SECONDS",
        default=SETTLE_S, callback=_under_load),
    _option("--processes", "Worker processes to start here.", COUNT, "N", default=1),
    _option("--master", "Have workers run the users, on this machine or on others.", is_flag=True),
    _option("--expect-workers", "Workers that a master waits for.", COUNT, "N", default=1),
    _option("--worker", "Run users for a master, which sends all other settings.", is_flag=True),
    _option("--master-host", "Address of the master, or the one that it listens on.", metavar="HOST",
        default="127.0.0.1"),
    _option("--master-port", "Port of the master.", PORT, "PORT", default=MASTER_PORT),
    _option("--p95 p95_ms", "Fail if the 95th percentile of an operation's response times exceeds this, such as 200ms.",
        Milliseconds()),
    _option("--error-rate", "Fail if a larger share of the requests gets no response or a 5xx, such as 0.1%.", Share()),
    _option("--web-port", "Serve Locust's page on this machine.", PORT, "PORT"),
    _option("--plan", "Print what would be done; send nothing.", is_flag=True),
    _option("--yes", "Do not ask before putting an address outside the loopback interface under load.",
        is_flag=True),
)  # fmt: skip


@click.command(
    params=[DEPLOYMENT, API_KEY_FILE, *(each for each in OPTIONS if each.name in SHARED), *OF_A_SOAK],
    short_help="Judge a deployment under load.",
)
@click.pass_context
def soak(  # noqa: PLR0913 - each is an option
    context: click.Context,
    /,
    base_url: str | None,
    *,
    api_key_file: str | None,
    master: bool,
    worker: bool,
    expect_workers: int,
    master_host: str,
    master_port: int,
    plan: bool,
    yes: bool,
    **values: Any,
) -> None:
    """Judge the deployment at BASE_URL (or ANIMAL_STORE_BASE_URL) under load; without either, the reference deployment.

    NAME is a deployment of animal-conformance.toml, or of [tool.animal-conformance] in pyproject.toml.

    The exit codes are those of `run`; a soak judges a part of the clauses, and says so. An exceeded threshold
    exits with 1 as well.
    """
    if worker:
        _refuse_what_a_master_sends(context)
    if master and values["processes"] > 1:
        fail("--processes starts workers of its own: those of a --master are started with soak --worker.")
    try:
        if worker:
            raise SystemExit(_soaking().work(find_key(api_key_file), master_host, master_port))
        own = {name: values.pop(name) for name in SoakOptions.__dataclass_fields__ if name != "run"}
        embedded = values["faults"] or values["variants"]
        address = find_address(base_url, {} if embedded else os.environ)
        run = checked(options_from({**values, "base_url": address}))
        options = SoakOptions(run, **own)
        key = "" if run.embedded or plan else find_key(api_key_file)
    except UsageError as error:
        fail(error)
    if context.obj.values:
        click.echo(f"Settings from {context.obj.path}.", err=True)
    if not selected_clauses(run.clauses):
        fail(f"A soak judges none of the clauses selected by {', '.join(run.clauses)}: a run does.")
    click.echo(planned(options), err=not plan)
    if plan:
        return
    _ask(options, yes=yes)
    soaking = _soaking()
    meeting = None
    if master:
        meeting = soaking.processes.Meeting(master_host, master_port, expect_workers)
    elif options.processes > 1:
        meeting = soaking.processes.Meeting("127.0.0.1", 0, options.processes)
    raise SystemExit(soaking.soak_and_report(options, key, meeting))


def _refuse_what_a_master_sends(context: click.Context) -> None:
    """Refuse options that a worker was given and would ignore."""
    if context.params["master"]:
        fail(
            "--master has workers run the users, and --worker runs them for a master: leave out one of them."
        )
    given = [
        "the address" if isinstance(each, click.Argument) else each.opts[0]
        for each in context.command.params
        if each.name not in OF_A_WORKER
        and context.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
    ]
    if given:
        fail(f"A --worker has all other settings from its master: leave out {', '.join(given)}.")


def planned(options: SoakOptions) -> str:
    """What a soak is about to do, in sentences."""
    run, clauses = options.run, len(selected_clauses(options.run.clauses))
    pace = (
        "as fast as they are served"
        if run.rate is None
        else f"at most {run.rate:g} requests per second together"
    )
    creating = (
        "No animals are created."
        if not options.creates
        else f"At most {plural(options.creates, 'animal')} will be created, with names that begin with Ac, one in {KEPT_SHARE} of them "
        "only for experiments; they remain, since the interface has no delete operation."
    )
    short = (
        f" So short a soak can say little about lost, moved or edited animals: with --settle {run.settle_s:g}, use "
        f"--run-time {3 * run.settle_s:g}s or more."
        if options.creates and options.run_time_s < 3 * run.settle_s
        else ""
    )
    return (
        f"About to put {run.base_url or 'the reference deployment'} under load: {options.users} users, "
        f"{options.spawn_rate:g} of them started per second, {pace}, for {options.run_time_s:g} s; what looks wrong "
        f"is put to the test in up to {options.testing_s:g} s more. {creating} "
        f"{plural(clauses, 'clause')} will be judged as far as the load shows them.{short}"
    )


def _ask(options: SoakOptions, *, yes: bool) -> None:
    if options.run.embedded or yes or _is_loopback(options.run.base_url):
        return
    if not sys.stdin.isatty():
        fail(f"{options.run.base_url} is not on this machine: confirm with --yes that load may go there.")
    click.confirm("Continue?", abort=True, err=True)


def _is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _soaking() -> ModuleType:
    """The module that has to be imported before anything that opens connections, and only by this command."""
    try:
        return import_module("animal_conformance.commands.soaking")
    except ImportError as error:
        if (error.name or "").split(".")[0] not in {"locust", "gevent"}:
            raise
        fail(NEEDS)
