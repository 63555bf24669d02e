"""How a fault or a permitted variant alters the correct deployment.

Faults and variants are data: rows under headings. A row is the name, a sentence, and what the mechanism
of its heading is given; a mechanism is a function that makes Steps of that. Only mechanisms are code.
Tables are laid out by hand: what a change is called and says, and then or below what is particular to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeAlias, TypeVar, TypeVarTuple

from starlette.types import ASGIApp

from animal_conformance.reference import service as steps
from animal_conformance.reference.service import Service

F = TypeVar("F")
Ts = TypeVarTuple("Ts")
C = TypeVar("C", bound="Change")
Wrap: TypeAlias = Callable[[F], F]
"""Makes a step out of the step before it, and so may use, alter or ignore it.

It is called once for each deployment; what it remembers, it keeps in its closure.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Steps:
    """Replaces steps of a Service; each field after settings is named after the step that it wraps.

    settings replaces fields of Settings. middleware wraps the ASGI application and transport the
    asyncio transport of each connection; install is called with the service, for what needs more
    than one step or the store.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    respond: Wrap[steps.Respond] | None = None
    operate: Wrap[steps.Respond] | None = None
    list_pets: Wrap[steps.Respond] | None = None
    create_pet: Wrap[steps.Respond] | None = None
    get_pet: Wrap[steps.Respond] | None = None
    authenticate: Wrap[steps.Authenticate] | None = None
    read_credential: Wrap[steps.ReadCredential] | None = None
    compare_keys: Wrap[steps.CompareKeys] | None = None
    read_limit: Wrap[steps.ReadLimit] | None = None
    read_filter: Wrap[steps.ReadFilter] | None = None
    read_pet_id: Wrap[steps.ReadPetId] | None = None
    decode: Wrap[steps.Decode] | None = None
    read_payload: Wrap[steps.ReadPayload] | None = None
    read_name: Wrap[steps.ReadName] | None = None
    read_category: Wrap[steps.ReadCategory] | None = None
    read_status: Wrap[steps.ReadStatus] | None = None
    insert: Wrap[steps.Insert] | None = None
    find: Wrap[steps.Find] | None = None
    select: Wrap[steps.Select] | None = None
    represent: Wrap[steps.Represent] | None = None
    refuse: Wrap[steps.Refuse] | None = None
    encode: Wrap[steps.Encode] | None = None
    identify: Wrap[steps.Identify] | None = None
    middleware: Wrap[ASGIApp] | None = None
    transport: Wrap[asyncio.Transport] | None = None
    install: Callable[[Service], None] | None = None


_NO_STEPS = {"settings", "middleware", "transport", "install"}
_STEPS = [each.name for each in fields(Steps) if each.name not in _NO_STEPS]


@dataclass(frozen=True, kw_only=True, eq=False)
class Change(Steps):
    """Steps with a name, and a sentence for a person."""

    name: str
    sentence: str

    def apply(self, service: Service) -> None:
        """Replace the steps of the service that this change wraps."""
        for step in _STEPS:
            wrap = getattr(self, step)
            if wrap is not None:
                setattr(service, step, wrap(getattr(service, step)))
        if self.install:
            self.install(service)


@dataclass(frozen=True, kw_only=True, eq=False)
class Fault(Change):
    """A way to violate the interface.

    clauses are the ids in spec/clauses.yaml that it violates. depth says when it shows: 1 on any plain
    request, 2 on a particular input, 3 in a sequence or state, 4 on a boundary, in a race, or only
    now and then.
    """

    clauses: tuple[str, ...]
    depth: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant(Change):
    """A conforming deployment that differs from the reference deployment where the interface is open.

    shoulds are the SHOULD clauses in spec/clauses.yaml that it does not follow. today is
    the date (YYYY-MM-DD) on which it is permitted, if that is not every day.
    """

    shoulds: tuple[str, ...] = ()
    today: str | None = None


class Heading(Generic[C, *Ts]):
    """What the rows below it have in common: what they make, by which mechanism, and its other fields."""

    def __init__(self, kind: type[C], mechanism: Callable[[*Ts], Steps], **common: Any) -> None:
        self._kind = kind
        self._mechanism = mechanism
        self._common = common

    def rows(self, *rows: tuple[str, str, *Ts]) -> list[C]:
        """Make changes of rows of a name, a sentence, and what the mechanism is given."""
        return [
            self._kind(name=row[0], sentence=row[1], **self._common, **vars(self._mechanism(*row[2:])))
            for row in rows
        ]


def breaks(
    clauses: str | tuple[str, ...], depth: int, mechanism: Callable[[*Ts], Steps]
) -> Heading[Fault, *Ts]:
    """A heading over faults: the clauses that they break, their depth, and the mechanism that makes them."""
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Heading(Fault, mechanism, clauses=clauses, depth=depth)


def varies(
    mechanism: Callable[[*Ts], Steps], shoulds: tuple[str, ...] = (), today: str | None = None
) -> Heading[Variant, *Ts]:
    """A heading over variants: the mechanism that makes them, and what else they have in common."""
    return Heading(Variant, mechanism, shoulds=shoulds, today=today)


def own(steps: Steps) -> Steps:
    """The mechanism of rows that bring their own steps."""
    return steps


def installed(install: Callable[[Service], None]) -> Steps:
    """The mechanism of rows that need more than one step, or the store."""
    return Steps(install=install)
