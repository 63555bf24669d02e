"""The command: `animal-conformance run | serve | clauses | report | compare | replay`."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, Final, NoReturn

import click
import pytest
from rich.console import Console

from animal_conformance import __version__
from animal_conformance.options import OPTIONS, URL_VARIABLE, Option, RunOptions, UsageError, checked, find_key, options_from
from animal_conformance.plugin import Handover
from animal_conformance.reference.command import serve
from animal_conformance.reporting.progress import Progress
from animal_conformance.reporting.report import EXIT_SUITE_FAULT, EXIT_USAGE, exit_code
from animal_conformance.reporting.terminal import render
from animal_conformance.resources import tests_dir
from animal_conformance.run import Run, RunError

CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, "-V", "--version")
def main() -> None:
    """Judge deployments of the animal store interface, clause by clause."""


def _fail(sentence: str) -> NoReturn:
    click.echo(f"animal-conformance: {sentence}", err=True)
    sys.exit(EXIT_USAGE)


def _click_option(option: Option) -> Any:
    return click.option(
        option.flag,
        option.field,
        help=option.help,
        multiple=option.multiple,
        is_flag=option.is_flag,
        metavar=None if option.is_flag else option.metavar,
    )


def _with_options(command: Any) -> Any:
    for option in reversed(OPTIONS):
        command = _click_option(option)(command)
    return command


@main.command(context_settings=CONTEXT)
@click.argument("base_url", required=False, metavar="[BASE_URL]")
@_with_options
def run(base_url: str | None, **values: Any) -> None:
    """Judge the deployment at BASE_URL (or ANIMAL_STORE_BASE_URL); without one, the embedded reference deployment.

    Exit code: 0 conforms, 1 does not conform, 2 wrong usage, 3 could not be judged, 4 a fault of the suite.
    """
    try:
        embedded = values["faults"] or values["variants"] or values["null"]
        address = base_url or ("" if embedded else os.environ.get(URL_VARIABLE, ""))
        options = checked(options_from({**values, "base_url": address}))
        key = "" if options.embedded else find_key(values["api_key_file"])
    except UsageError as error:
        _fail(str(error))
    sys.exit(judge_deployment(options, key))


def judge_deployment(options: RunOptions, key: str) -> int:
    """Run the drivers, print the page, and return the exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    console = Console()
    the_run = Run(options, key)
    with Progress(Console(stderr=True)) as progress:
        try:
            progress.say("Reaching the deployment")
            the_run.begin()
            if the_run.obstacle is None:
                progress.say(f"Judging {the_run.store.client.base_url}")
            status = pytest.main(pytest_arguments(options), plugins=[Handover(the_run, progress.advance)])
        except RunError as error:
            _fail(str(error))
        finally:
            the_run.close()
    if the_run.report is None:
        click.echo(f"animal-conformance: the drivers could not be run (pytest's exit code {int(status)}).", err=True)
        return EXIT_SUITE_FAULT
    render(the_run.report, console, reports=options.report_dir)
    return exit_code(the_run.report)


def pytest_arguments(options: RunOptions) -> list[str]:
    """What pytest is told: our plugin alone, none that happen to be installed, and no configuration but ours."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    arguments = [
        str(tests_dir()),
        f"--rootdir={tests_dir()}",
        "-c",
        os.devnull,
        "--noconftest",
        "--import-mode=importlib",
        "-p",
        "animal_conformance.plugin",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:terminal",
        "-p",
        "no:junitxml",
        "-W",
        "ignore",
    ]
    if options.workers > 1:
        arguments += ["-p", "xdist", "-n", str(options.workers), "--dist", "loadfile"]
    return arguments


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


main.add_command(serve)
