"""The argument that says which deployment: an address, or a name of the settings file, whose settings come with it."""

from __future__ import annotations

from typing import Final

import click

from animal_conformance.commands.failing import fail
from animal_conformance.session.options import UsageError
from animal_conformance.session.settings import read_settings


def _deployments(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The deployments of the settings file, for a shell to complete."""
    try:
        return [each for each in read_settings().deployments if each.startswith(incomplete)]
    except UsageError:
        return []  # the command itself says what is wrong with the file


def _from_settings(context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    """Take what is not on the command line from the settings file; the name of a deployment gives its address."""
    if context.resilient_parsing:
        return given
    try:
        settings = context.obj = read_settings(given or "")
    except UsageError as error:
        fail(error)
    context.default_map = dict(settings.values)
    return settings.url or given


DEPLOYMENT: Final = click.Argument(
    ["base_url"],
    required=False,
    metavar="[BASE_URL|NAME]",
    is_eager=True,
    callback=_from_settings,
    shell_complete=_deployments,
)
