"""The command: `animal-conformance run | serve | clauses | report | compare | contract | replay | soak | verify`."""

from __future__ import annotations

import importlib
import os
from difflib import SequenceMatcher
from typing import Any, Final

import click
from click.core import ParameterSource

from animal_conformance import __version__
from animal_conformance.commands.deployment import DEPLOYMENT
from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import write_to_nowhere
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, EXIT_CODES
from animal_conformance.session.flags import API_KEY_FILE, OPTIONS, options_from
from animal_conformance.session.options import (
    KEY_VARIABLE,
    URL_VARIABLE,
    UsageError,
    checked,
    find_address,
    find_key,
)
from animal_conformance.session.settings import Settings

CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

# The least share of letters that an option has in common, in order, with what was given for it by mistake.
NEAR: Final = 0.7

# Imported on demand, so that help and usage errors do not wait for heavy imports.
COMMANDS: Final = {
    "clauses": "animal_conformance.commands.clauses:clauses",
    "compare": "animal_conformance.commands.compare:compare",
    "contract": "animal_conformance.commands.contract:contract",
    "replay": "animal_conformance.commands.replay:replay",
    "report": "animal_conformance.commands.report:report",
    "serve": "animal_conformance.reference.command:serve",
    "soak": "animal_conformance.commands.soak:soak",
    "verify": "animal_conformance.commands.verify:verify",
}


class Commands(click.Group):
    """The commands, in the order of their use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands."""
        return ["run", *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with a name; ``None`` if there is none."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; if its reader went away in the middle, nobody was told anything."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            write_to_nowhere()
            return EXIT_CODES[COULD_NOT_JUDGE]
        except click.NoSuchOption as error:
            near = [each for each in error.possibilities or () if _is_near(each, error.option_name)]
            raise click.NoSuchOption(error.option_name, possibilities=near, ctx=error.ctx) from error


def _is_near(option: str, given: str) -> bool:
    """Whether an option is a near miss of what was given: click also counts the dashes, which all options have."""
    return SequenceMatcher(None, option.strip("-"), given.strip("-")).ratio() >= NEAR


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, "-V", "--version")
def main() -> None:
    """Judge deployments of the animal store interface, clause by clause."""


@main.command(
    context_settings=CONTEXT, params=[DEPLOYMENT, API_KEY_FILE, *OPTIONS], short_help="Judge a deployment."
)
@click.option(
    "--plan", is_flag=True, help="Print the limits and the expected duration of a run; judge nothing."
)
@click.pass_context
def run(
    context: click.Context, /, base_url: str | None, *, api_key_file: str | None, plan: bool, **values: Any
) -> None:
    """Judge the deployment at BASE_URL (or ANIMAL_STORE_BASE_URL); without either, the reference deployment.

    NAME is a deployment of animal-conformance.toml, or of [tool.animal-conformance] in pyproject.toml.

    Exit code: 0 conforms, 1 does not conform, 2 usage error, 3 could not be judged, 4 fault in the suite.
    """
    try:
        embedded = values["faults"] or values["variants"] or values["null"]
        address = find_address(base_url, {} if embedded else os.environ)
        options = checked(options_from({**values, "base_url": address}))
        key = "" if options.embedded or plan else find_key(api_key_file)
    except UsageError as error:
        fail(error)
    if plan:
        from animal_conformance.commands.plan import say_plan  # noqa: PLC0415 - help and usage errors need not wait

        say_plan(options, _origins(context, options.base_url))
        return
    from animal_conformance.commands.run import run_and_report  # noqa: PLC0415 - as above

    if context.obj.values:
        click.echo(f"Settings from {context.obj.path}; --plan shows them.", err=True)

    raise SystemExit(run_and_report(options, key))


def _origins(context: click.Context, address: str) -> list[tuple[str, Any, str]]:
    """The address and each setting that has a value, with the value and where it came from."""
    settings: Settings = context.obj
    names = {ParameterSource.COMMANDLINE: "the command line", ParameterSource.DEFAULT: "default"}
    given = (
        names[ParameterSource.COMMANDLINE] if context.params["base_url"] else f"the variable {URL_VARIABLE}"
    )
    rows: list[tuple[str, Any, str]] = [
        ("address", address, settings.origins.get("base_url", given))
        if address
        else ("address", "the reference deployment", "default")
    ]
    if os.environ.get(KEY_VARIABLE) and not context.params["api_key_file"]:
        rows.append(("api key", "(not shown)", f"the variable {KEY_VARIABLE}"))
    for option in (API_KEY_FILE, *OPTIONS):
        name = option.name or ""
        value, source = context.params.get(name), context.get_parameter_source(name)
        if value in (None, (), False) or source is None:
            continue
        shown = [each for each, _ in value] if name == "headers" else value  # their values may be secret
        rows.append((option.opts[0].removeprefix("--"), shown, names.get(source) or settings.origins[name]))
    return rows
