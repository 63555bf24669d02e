"""How a fault or a lawful variant alters the correct deployment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias, TypeVar

from starlette.types import ASGIApp

from animal_conformance.reference import service as steps
from animal_conformance.reference.service import Service

F = TypeVar("F")
Wrap: TypeAlias = Callable[[F], F]
"""Makes a step out of the step before it, and so may use, alter or ignore it.

It is called once for each deployment; what it remembers, it keeps in its closure.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Change:
    """Replaces steps of a Service; each field after settings is named after the step that it wraps.

    settings replaces fields of Settings. middleware wraps the ASGI application and transport the
    asyncio transport of each connection; install is called with the service, for what needs more
    than one step or the store.
    """

    name: str
    sentence: str
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

    def apply(self, service: Service) -> None:
        """Replace the steps of the service that this change wraps."""
        for step in fields(Change):
            wrap = getattr(self, step.name)
            if wrap is not None and hasattr(service, step.name) and step.name not in _OTHER:
                setattr(service, step.name, wrap(getattr(service, step.name)))
        if self.install:
            self.install(service)


_OTHER = {"name", "sentence", "settings", "middleware", "transport", "install"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Fault(Change):
    """A way to break the interface.

    clauses are the ids in spec/clauses.yaml that it breaks. depth says how it shows: 1 on any plain
    request, 2 on a particular input, 3 in a sequence or state, 4 on a boundary, in a race, or only
    now and then.
    """

    clauses: tuple[str, ...]
    depth: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant(Change):
    """A way to keep the interface that differs from the correct deployment where it is left open.

    shoulds are the SHOULD clauses in spec/clauses.yaml that it lawfully does not follow. today is
    the date (YYYY-MM-DD) on which it is lawful, where that is not every day.
    """

    shoulds: tuple[str, ...] = ()
    today: str | None = None
