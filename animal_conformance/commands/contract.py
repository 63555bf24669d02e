"""`animal-conformance contract`: whether a document is a valid OpenAPI contract."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from animal_conformance.commands.output import say
from animal_conformance.interface.contract_check import ContractError, read_contract
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.case import plural
from animal_conformance.judge.outcome import EXIT_USAGE


@click.command(short_help="Validate an OpenAPI document.")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def contract(file: Path | None) -> None:
    """Validate FILE as OpenAPI 3.1, with its references and examples; without FILE, the suite's own contract.

    Exit code: 0 if it is valid, 2 if not.
    """
    path = file or spec_file("openapi.yaml")
    try:
        document = read_contract(path)
    except ContractError as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        sys.exit(EXIT_USAGE)
    operations = sum("responses" in each for item in document["paths"].values() for each in item.values())
    say(
        f"{path} is OpenAPI {document['openapi']}: {document['info']['title']} {document['info']['version']}, "
        f"{plural(operations, 'operation')}."
    )
