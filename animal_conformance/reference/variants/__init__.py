"""The permitted variants: deployments that keep the interface, and differ where it leaves something open.

One table for each kind of difference. A variant that does not follow a SHOULD clause says so.
"""

from __future__ import annotations

from animal_conformance.reference.changes import Variant
from animal_conformance.reference.variants import answers, carriage, listing, twins, values, voices

__all__ = ["VARIANTS"]

_KINDS = (answers, carriage, listing, twins, values, voices)

VARIANTS: dict[str, Variant] = {variant.name: variant for kind in _KINDS for variant in kind.VARIANTS}
