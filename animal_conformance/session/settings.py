"""A settings file: options of a run, and deployments with names, in animal-conformance.toml or pyproject.toml."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

import click

from animal_conformance.record.inputs import SETTINGS_BYTES, read_at_most
from animal_conformance.session.flags import API_KEY_FILE, OPTIONS
from animal_conformance.session.options import KEY_VARIABLE, NAME, UsageError, checked_url

FILE: Final = "animal-conformance.toml"
PROJECT: Final = "pyproject.toml"
DEPLOYMENTS: Final = "deployments"
URL: Final = "url"
BY_NAME: Final = {option.opts[0].removeprefix("--"): option for option in (API_KEY_FILE, *OPTIONS)}


@dataclass(frozen=True)
class Settings:
    """What a settings file says, as values of parameters; ``origins`` says where each stands.

    ``deployments`` are those that it names; ``url`` is the address of the one that was asked for, if any was.
    """

    path: Path | None = None
    url: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    deployments: tuple[str, ...] = ()


def read_settings(
    deployment: str = "", directory: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Settings:
    """The settings of the nearest file, from a directory upwards; those of a deployment come before the common ones.

    A key in the environment comes before a file that is named in the settings.

    :param deployment: the name of a deployment, or its address.
    :param directory: where to begin; the working directory if not given.
    :raises UsageError: if the file cannot be read, has an unknown or invalid entry, or no deployment with that name.
    """
    try:
        path, table = _nearest(directory or Path.cwd())
    except FileNotFoundError as error:
        raise UsageError("The working directory is gone: change to one that is there.") from error
    if path is None:
        return Settings()
    common = dict(table)
    named = common.pop(DEPLOYMENTS, {})
    if not isinstance(named, dict) or not all(isinstance(each, dict) for each in named.values()):
        raise UsageError(
            f"{path}: {DEPLOYMENTS} has to be a table of tables, such as [{DEPLOYMENTS}.staging]."
        )
    tables, url = [(common, path.name)], ""
    origins: dict[str, str] = {}
    if deployment in named:
        own, origin = {"name": deployment, **named[deployment]}, f"{path.name}, {DEPLOYMENTS}.{deployment}"
        url, origins["base_url"] = own.pop(URL, ""), origin
        if not isinstance(url, str) or not url:
            raise UsageError(f"{path}: [{DEPLOYMENTS}.{deployment}] has no {URL}, which is its base address.")
        try:
            checked_url(url)
        except UsageError as error:
            raise UsageError(f"{path}: [{DEPLOYMENTS}.{deployment}] {URL}: {error}") from error
        tables.append((own, origin))
    elif named and NAME.fullmatch(deployment):
        raise UsageError(
            f"{deployment!r} is neither an address nor a deployment of {path}.{_meant(deployment, named)}"
        )
    values: dict[str, Any] = {}
    for entries, origin in tables:
        for name, value in entries.items():
            option = _option(name, f"{path}: ")
            if option is API_KEY_FILE and environment.get(KEY_VARIABLE):
                continue
            values[option.name or ""] = _value(option, value, path)
            origins[option.name or ""] = origin
    return Settings(path, url, values, origins, tuple(named))


def _nearest(directory: Path) -> tuple[Path | None, dict[str, Any]]:
    for folder in (directory, *directory.parents):
        if (folder / FILE).is_file():
            return folder / FILE, _toml(folder / FILE)
        if (folder / PROJECT).is_file():
            tool = _toml(folder / PROJECT).get("tool")
            table = tool.get("animal-conformance") if isinstance(tool, dict) else None
            if isinstance(table, dict):
                return folder / PROJECT, table
    return None, {}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_at_most(path, SETTINGS_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"Cannot read the settings {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise UsageError(f"The settings {path} are not valid TOML: {error}.") from error


def _option(name: str, where: str) -> click.Option:
    if name in BY_NAME:
        return BY_NAME[name]
    if name in {"api-key", "key"}:
        raise UsageError(
            f"{where}a key does not belong in a settings file: set {KEY_VARIABLE}, or name a file with api-key-file."
        )
    raise UsageError(f"{where}there is no option {name!r}.{_meant(name, BY_NAME)}")


def _value(option: click.Option, value: object, path: Path) -> Any:
    """A value as it would be on the command line; paths are relative to the file."""
    name = option.opts[0].removeprefix("--")
    several = value if isinstance(value, list) else [value]
    if (isinstance(value, list) and not option.multiple) or any(isinstance(each, dict) for each in several):
        raise UsageError(f"{path}: {name} has to be a single value.")
    if option.is_flag:
        if not isinstance(value, bool):
            raise UsageError(f"{path}: {name} has to be true or false.")
        return value
    texts = [_text(option, each, path) for each in several]
    given = texts if option.multiple else texts[0]
    try:
        option.type_cast_value(click.Context(click.Command("run")), given)
    except click.BadParameter as error:
        raise UsageError(f"{path}: {name}: {error.message}") from error
    return given


def _text(option: click.Option, value: object, path: Path) -> str:
    if isinstance(option.type, click.Path):
        return str(path.parent / str(value))
    return value.isoformat() if isinstance(value, date) else str(value)


def _meant(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" Did you mean {close[0]}?" if close else f" It knows {', '.join(known)}."
