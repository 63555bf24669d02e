"""How a fault or a permitted variant alters the correct deployment.

Faults and variants are data: rows under headings. A row is the name, a sentence, and a mechanism with its
arguments; a mechanism is a function that makes Steps from them. Only mechanisms are code. Tables are laid
out by hand: first the name and the sentence of a change, and beside or below them what is particular to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar

from starlette.types import ASGIApp

from animal_conformance.reference.model import Animal, Call, Json, Payload, Refusal, Reply
from animal_conformance.reference.service import Service

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Before(Generic[P, R]):
    """A step that has been replaced, and the service to which it belongs."""

    service: Service
    step: Callable[P, R]

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Take the replaced step."""
        return self.step(*arguments, **named)


Instead: TypeAlias = Callable[Concatenate[Before[P, R], P], R]
"""What is done instead of a step: it is given the step before, which it may use, alter or ignore."""
Respond: TypeAlias = Instead[[Call], Reply]


@dataclass(frozen=True, kw_only=True, eq=False)
class Steps:
    """Replaces steps of a :class:`Service`, each by the field of its name.

    ``settings`` replaces fields of Settings. ``middleware`` wraps the ASGI application, and ``transport`` the
    asyncio transport of each connection; ``background`` is work beside the answering of requests.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    respond: Respond | None = None
    operate: Respond | None = None
    list_pets: Respond | None = None
    create_pet: Respond | None = None
    get_pet: Respond | None = None
    authenticate: Instead[[Call], bool] | None = None
    read_credential: Instead[[str], str | None] | None = None
    compare_keys: Instead[[str, str], bool] | None = None
    read_limit: Instead[[list[str]], int] | None = None
    read_filter: Instead[[list[str]], str | None] | None = None
    read_pet_id: Instead[[str], int] | None = None
    decode: Instead[[bytes], Json] | None = None
    read_payload: Instead[[Json], Payload] | None = None
    read_status: Instead[[Mapping[str, Json]], str | None] | None = None
    insert: Instead[[Payload, Call], Animal] | None = None
    find: Instead[[int], Animal | None] | None = None
    select: Instead[[int, str | None], list[Animal]] | None = None
    represent: Instead[[Animal, str], Json] | None = None
    refuse: Instead[[Refusal, Call], Reply] | None = None
    encode: Instead[[Json], bytes] | None = None
    identify: Instead[[int], int] | None = None
    middleware: Callable[[ASGIApp], ASGIApp] | None = None
    transport: Callable[[asyncio.Transport], asyncio.Transport] | None = None
    background: Callable[[Service], Coroutine[Any, Any, None]] | None = None

    def __call__(self) -> Steps:
        """These steps: since they remember nothing, every deployment can have the same ones."""
        return self

    def replaced(self) -> Iterator[tuple[str, Callable[..., Any]]]:
        """The names of the steps that are replaced, each with its replacement."""
        for each in fields(self):
            if each.name not in {"settings", "middleware", "transport", "background"}:
                instead = getattr(self, each.name)
                if instead is not None:
                    yield each.name, instead

    def apply(self, service: Service) -> None:
        """Replace the steps of the service."""
        for name, instead in self.replaced():
            setattr(service, name, partial(instead, Before(service, getattr(service, name))))
        if self.background:
            service.background.append(partial(self.background, service))


Recipe: TypeAlias = Callable[[], Steps]
"""What makes Steps anew for each deployment."""


def anew(mechanism: Callable[P, Steps]) -> Callable[P, Recipe]:
    """Mark a mechanism that remembers something: it is called anew for each deployment, not when its row is read."""
    return wraps(mechanism)(partial(partial, mechanism))


@dataclass(frozen=True, kw_only=True, eq=False)
class Change:
    """A name, a sentence for people, and what makes the Steps anew for each deployment.

    ``under_load``: whether it shows only where many requests are under way at once.
    """

    name: str
    sentence: str
    make: Recipe
    under_load: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Fault(Change):
    """A way to violate the interface.

    ``clauses`` are the ids in spec/clauses.yaml that it violates, and ``besides`` those that it may also violate,
    depending on chance. ``depth`` says when it shows: 1 on any plain request, 2 on a particular input, 3 in a
    sequence or state, 4 on a boundary, in a race, or only now and then.
    """

    clauses: tuple[str, ...]
    depth: int
    besides: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant(Change):
    """A conforming deployment that differs from the reference deployment where the interface is open.

    ``shoulds`` are the SHOULD clauses in spec/clauses.yaml that it does not follow. ``today`` is the date (YYYY-MM-DD)
    on which a run has to judge it, if it is not permitted on every day.
    """

    shoulds: tuple[str, ...] = ()
    today: str | None = None


def breaks(
    clauses: str | tuple[str, ...],
    *rows: tuple[str, int, str, Recipe],
    besides: tuple[str, ...] = (),
    under_load: bool = False,
) -> list[Fault]:
    """Make faults from rows, each a name, its depth, a sentence and a mechanism, under the clauses that they break."""
    shared: dict[str, Any] = {"besides": besides, "under_load": under_load}
    shared["clauses"] = (clauses,) if isinstance(clauses, str) else clauses
    return [
        Fault(name=name, sentence=sentence, make=make, depth=depth, **shared)
        for name, depth, sentence, make in rows
    ]


def varies(*rows: tuple[str, str, Recipe], **shared: Any) -> list[Variant]:
    """Make variants from rows, each a name, a sentence and a mechanism; ``shared`` are further fields of all of them."""
    return [Variant(name=name, sentence=sentence, make=make, **shared) for name, sentence, make in rows]
