"""One pure rule per clause: a function of an exchange and of the ledger of its trace."""

from __future__ import annotations

from collections.abc import Mapping

from animal_conformance.judge.case import Rule
from animal_conformance.judge.rules import (
    addresses,
    animals,
    authentication,
    completing,
    creation,
    doubled,
    errors,
    exact,
    http,
    listing,
    retrieval,
    traces,
)
from animal_conformance.judge.suspicions import turned_away

_RULES: Mapping[str, Rule] = {
    **http.RULES,
    **animals.RULES,
    **listing.RULES,
    **completing.RULES,
    **creation.RULES,
    **doubled.RULES,
    **exact.RULES,
    **retrieval.RULES,
    **authentication.RULES,
    **errors.RULES,
    **addresses.RULES,
    **traces.RULES,
}

RULES: Mapping[str, Rule] = {
    **_RULES,
    **{
        clause_id: turned_away.also(_RULES[clause_id], *concerned)
        for clause_id, concerned in turned_away.CONCERNED.items()
    },
}
