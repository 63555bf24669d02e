"""What to prepare before certifying, as `run --certify --plan` prints it."""

from __future__ import annotations

from typing import Final

import click

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.session.options import RunOptions
from animal_conformance.session.run import limits_of

# Clauses on lists longer than the maximum limit need 101 animals, whatever the store holds; the others some more.
ENOUGH_CREATES: Final = 101 + PROFILES["smoke"].creates
FOR_PEOPLE: Final = (
    "Use a deployment with test data: the trace that you hand over contains its responses.",
    "Use a key with letters; without any, the clause on their case is excused.",
    "Make sure that nothing resets the store or removes animals during the run; set --rate if requests are limited.",
)


def say_checklist(options: RunOptions) -> None:
    """Print what a certificate needs: what the options settle, what they do not, and what only people can."""
    creates = limits_of(options).creates
    points = (
        (
            not options.embedded,
            "The address of the implementation is given.",
            "Give the address of the implementation: without it, the reference deployment is judged.",
        ),
        (
            options.name,
            f"The certificate will name {options.name}.",
            "Name the product and its version with --name: the certificate and lists of certificates show it.",
        ),
        (
            creates >= ENOUGH_CREATES,
            f"At most {creates} animals will be created, enough for every clause even if the store is empty; they remain.",
            (
                f"At most {creates} animals would be created, too few for two clauses on a small store: use the standard "
                "profile, without a small --max-creates."
            ),
        ),
        (
            not options.insecure,
            "TLS certificates will be verified.",
            "Omit --insecure: over https, the certificate would say that TLS certificates were not verified.",
        ),
        (
            options.category_ids,
            "The animals will be created in a category of your choice.",
            "If categories are restricted, name one with --category-id.",
        ),
    )
    click.echo("\nBefore certifying:")
    for settled, said, asked in points:
        click.echo(f"  [x] {said}" if settled else f"  [ ] {asked}")
    for asked in FOR_PEOPLE:
        click.echo(f"  [ ] {asked}")
    click.echo(
        "  [ ] Sign certificate.json, and hand it over with conformance.json, trace.ndjson and report.html, all in "
        f"{options.report_dir}.\n"
    )
