"""The command that runs the reference deployment, for people and for programs."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import click

from animal_conformance.reference.errors import DeploymentError

KEY_VARIABLE = "ANIMAL_STORE_API_KEY"
URL_VARIABLE = "ANIMAL_STORE_BASE_URL"
PORT: Final = 8080
LONGEST_KEY_BYTES: Final = 16 * 1024


@click.command(short_help="Run the reference deployment.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    show_default=f"{PORT}; with --json, any free port",
    help="Port; 0 means any free port.",
)
@click.option(
    "--database",
    metavar="FILE",
    help="SQLite file that keeps the animals; without it, they are kept in memory.",
)
@click.option(
    "--animals", metavar="FILE", help="JSON array of the animals of a new store, each as in a create request."
)
@click.option("--base-path", metavar="PATH", help="Path of the base address.  [default: /v1]")
@click.option(
    "--catalogue",
    type=click.IntRange(0),
    metavar="N",
    help="Number of animals in a new store.  [default: 84]",
)
@click.option(
    "--api-key-file", metavar="FILE", help=f"File with the API key; otherwise {KEY_VARIABLE} is used."
)
@click.option("--fault", "faults", multiple=True, metavar="NAME", help="Add a fault; repeatable.")
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME", help="Apply a permitted variant; repeatable."
)
@click.option(
    "--null", metavar="NAME", help="Run a null server, which returns the same response to every request."
)
@click.option("--list", "listing", is_flag=True, help="List the faults, variants and null servers, and exit.")
@click.option("--json", "as_json", is_flag=True, help="Print the address and key as one line of JSON.")
@click.option("--quiet", is_flag=True, help="Do not log requests.")
@click.option("--exit-with-stdin", is_flag=True, help="Exit when standard input closes.")
def serve(
    *, port: int | None, api_key_file: str | None, listing: bool, as_json: bool, quiet: bool, **options: Any
) -> None:
    """Run the reference deployment of the animal store interface until Ctrl-C, also as a mock server for others.

    Browsers may call it from any origin. Outside the base path it has a documentation page (/), the contract
    (/openapi.json), a health check (/health), and POST /reset, which restores the initial animals.
    """
    # Imported here so that --help and usage errors do not wait for a web server.
    from animal_conformance.reference.server import Address, Options, run  # noqa: PLC0415 - only when needed: start-up is quick

    if listing:
        _list()
        return

    def announce(address: Address) -> None:
        if as_json:
            ready = {"base_url": address.base_url, "api_key": address.api_key, "pid": os.getpid()}
            click.echo(json.dumps(ready))
            return
        click.echo(f"The reference deployment is listening at {address.base_url}\n")
        click.echo(f"export {URL_VARIABLE}={shlex.quote(address.base_url)}")
        click.echo(f"export {KEY_VARIABLE}={shlex.quote(address.api_key)}\n")
        names = {
            "Faults": options["faults"],
            "Variants": options["variants"],
            "Null server": [options["null"]],
        }
        for kind, each in names.items():
            if any(each):
                click.echo(f"{kind}: {', '.join(each)}")
        documentation = urljoin(address.base_url, "/")
        click.echo(f"Documentation: {documentation}    Stop it with Ctrl-C.")

    port = (0 if as_json else PORT) if port is None else port
    try:
        run(Options(port=port, api_key=_key(api_key_file), log=not (as_json or quiet), **options), announce)
    except DeploymentError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from None


def _key(file: str | None) -> str | None:
    if file is None:
        return os.environ.get(KEY_VARIABLE) or None
    try:
        with Path(file).open("rb") as content:
            key = content.read(LONGEST_KEY_BYTES + 1).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise DeploymentError(f"Cannot read the API key file {file}: {reason}.") from None
    if len(key) > LONGEST_KEY_BYTES:
        raise DeploymentError(f"Cannot read the API key file {file}: it is longer than 16 KB.")
    if not key:
        raise DeploymentError(f"The API key file {file} is empty: write the key into it.")
    return key


def _list() -> None:
    from animal_conformance.reference.faults import FAULTS  # noqa: PLC0415 - only when needed: start-up is quick
    from animal_conformance.reference.nulls import NULLS  # noqa: PLC0415 - only when needed: start-up is quick
    from animal_conformance.reference.variants import VARIANTS  # noqa: PLC0415 - only when needed: start-up is quick

    for title, entries in (("Faults", FAULTS), ("Variants", VARIANTS)):
        click.echo(f"{title}:")
        for change in entries.values():
            click.echo(f"  {change.name:40} {change.sentence}")
    click.echo("Null servers:")
    for name in NULLS:
        click.echo(f"  {name}")
