"""The bounds, names and dates of the contract, from spec/openapi.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Final, TypeGuard

import yaml

from animal_conformance.interface.resources import spec_file

# The largest limit, where no contract is at hand: no list may have more elements.
LARGEST_LIMIT: Final = 100
# The list with room for the most animals.
LARGEST_LIST: Final = f"/pets?limit={LARGEST_LIMIT}"


class Operation(StrEnum):
    """The three operations by name, and everything else."""

    LIST = "listPets"
    CREATE = "createPet"
    GET = "getPet"
    OTHER = "other"


@dataclass(frozen=True)
class Contract:
    """The bounds, names and dates of the contract."""

    limit_minimum: int
    limit_maximum: int
    limit_default: int
    statuses: tuple[str, ...]
    int64_minimum: int
    int64_maximum: int
    removal_date: date
    media_type: str

    def is_int64(self, value: object) -> TypeGuard[int]:
        """Whether a parsed JSON value is an integer within int64."""
        # The same as is_integer, without the call: no other question is asked as often.
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.int64_minimum <= value <= self.int64_maximum
        )


@cache
def load_contract() -> Contract:
    """Read the bounds of the contract from its document, spec/openapi.yaml."""
    document = yaml.load(spec_file("openapi.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    components = document["components"]
    limit = components["parameters"]["Limit"]["schema"]
    int64 = components["schemas"]["Int64"]
    media_types = document["paths"]["/pets"]["post"]["requestBody"]["content"]
    return Contract(
        limit_minimum=limit["minimum"],
        limit_maximum=limit["maximum"],
        limit_default=limit["default"],
        statuses=tuple(components["schemas"]["AvailabilityStatus"]["enum"]),
        int64_minimum=int64["minimum"],
        int64_maximum=int64["maximum"],
        removal_date=date.fromisoformat(document["paths"]["/pets/{petId}"]["get"]["x-removal-date"]),
        media_type=next(iter(media_types)),
    )
