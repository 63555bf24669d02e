"""The permitted variants: deployments that keep the interface and differ where it is left open.

One table for each kind of difference. Where a variant does not follow a SHOULD clause, it says so.
"""

from __future__ import annotations

from animal_conformance.reference.changes import Variant
from animal_conformance.reference.variants import (
    answers,
    carriage,
    listing,
    twins_changed,
    twins_listed,
    twins_refused,
    under_load,
    values,
    voices_clients,
    voices_values,
)

__all__ = ["VARIANTS"]

_KINDS = (
    values, listing, answers, carriage, twins_changed, twins_listed, twins_refused, under_load,
    voices_clients, voices_values,
)  # fmt: skip

VARIANTS: dict[str, Variant] = {variant.name: variant for kind in _KINDS for variant in kind.VARIANTS}
