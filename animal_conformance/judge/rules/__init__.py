"""One pure rule per clause: a function of an exchange and of the ledger of its trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from animal_conformance.judge.rules import (
    addresses,
    animals,
    authentication,
    creation,
    errors,
    exact,
    http,
    listing,
    retrieval,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from animal_conformance.judge.rules.case import Rule

RULES: Mapping[str, Rule] = {
    **http.RULES,
    **animals.RULES,
    **listing.RULES,
    **creation.RULES,
    **exact.RULES,
    **retrieval.RULES,
    **authentication.RULES,
    **errors.RULES,
    **addresses.RULES,
}
