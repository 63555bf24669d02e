"""Which exchanges each rule and each observer is about, so that it is asked about no others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case
from animal_conformance.record.exchange import Credential

T = TypeVar("T")

EVERY: Final = frozenset(Operation)
DOCUMENTED: Final = EVERY - {Operation.OTHER}
LIST: Final = frozenset({Operation.LIST})
CREATE: Final = frozenset({Operation.CREATE})
GET: Final = frozenset({Operation.GET})
OTHER: Final = frozenset({Operation.OTHER})

ANSWERED: Final = range(1, 500)
# And 503, which may ask for patience.
OR_PUT_OFF: Final = frozenset({*ANSWERED, 503})
SUCCESS: Final = (200, 201)
REFUSED: Final = range(400, 500)

ALL: Final = frozenset(Credential)
INVALID: Final = frozenset(each for each in Credential if each.invalid)
KEYS: Final = frozenset(each for each in Credential if each.counts_as_valid)
VALID: Final = frozenset({Credential.VALID})


@dataclass(frozen=True)
class Concern:
    """Exchanges by operation, status of the answer (0 for no answer; ``None`` for any status) and credential."""

    operations: Collection[Operation]
    statuses: Collection[int] | None = None
    credentials: Collection[Credential] = ALL

    def covers(self, operation: Operation, status: int, credential: Credential) -> bool:
        """Whether an exchange of this kind is among them."""
        return self.covers_request(operation, credential) and (
            self.statuses is None or status in self.statuses
        )

    def covers_request(self, operation: Operation, credential: Credential) -> bool:
        """Whether a request of this kind is among them, whatever its answer."""
        return operation in self.operations and credential in self.credentials


# By clause or open question; one without a row of its own has that of the longest prefix of its id.
CONCERNS: Final[Mapping[str, Concern]] = {
    "http": Concern(DOCUMENTED),
    "http.json": Concern(DOCUMENTED, (*SUCCESS, *REFUSED)),
    "methods": Concern(EVERY, (405,)),
    "version": Concern(EVERY),
    "animal": Concern(DOCUMENTED, SUCCESS, ALL - INVALID),
    "animal.id.unique": Concern(CREATE, (201,), KEYS),
    "list": Concern(LIST, ANSWERED, KEYS),
    # These include 503 and no answer at all: a request may be turned away for what it is.
    "list.answer": Concern(LIST, None, KEYS),
    "list.limit.accepted": Concern(LIST, None, KEYS),
    "list.status.accepted": Concern(LIST, None, KEYS),
    "list.combined": Concern(LIST, None, KEYS),
    "create.answer": Concern(CREATE, None, KEYS),
    "get.found": Concern(GET, None, KEYS),
    "get.unknown": Concern(GET, None, KEYS),
    "list.array": Concern(LIST, (200,), KEYS),
    "list.once": Concern(LIST, (200,), KEYS),
    "list.complete": Concern(LIST, (*SUCCESS, 304), ALL - INVALID),
    "list.limit.default": Concern(LIST, (200,), KEYS),
    "list.limit.respected": Concern(LIST, (200,), KEYS),
    "list.status.filter": Concern(LIST, (200,), KEYS),
    "list.status.complete": Concern(LIST, (*SUCCESS, 304), ALL - INVALID),
    "create": Concern(CREATE, ANSWERED, KEYS),
    "create.status.accepted": Concern(CREATE, (201, 400), KEYS),
    "create.status.optional": Concern(CREATE, (201, 400), KEYS),
    "create.name.exact": Concern(DOCUMENTED, SUCCESS),
    "create.category-id.exact": Concern(DOCUMENTED, SUCCESS),
    "create.status.exact": Concern(DOCUMENTED, SUCCESS),
    "create.once": Concern(LIST, (200,), ALL - INVALID),
    "create.refusal.status": Concern(CREATE, REFUSED, KEYS),
    "create.refusal.untraced": Concern(LIST, (200,), ALL - INVALID),
    "get": Concern(GET, ANSWERED, KEYS),
    "get.requested": Concern(GET, (200,), KEYS),
    "get.deprecation-header": Concern(GET, (200,), KEYS),
    "get.sunset-header": Concern(GET, (200,), KEYS),
    "auth.key.valid": Concern(DOCUMENTED, ANSWERED, VALID),
    "auth.missing.list": Concern(LIST | OTHER, OR_PUT_OFF, (Credential.ABSENT,)),
    "auth.missing.create": Concern(CREATE | OTHER, OR_PUT_OFF, (Credential.ABSENT,)),
    "auth.missing.get": Concern(GET | OTHER, OR_PUT_OFF, (Credential.ABSENT,)),
    "auth.key.empty": Concern(DOCUMENTED, OR_PUT_OFF, (Credential.EMPTY,)),
    "auth.key.wrong": Concern(DOCUMENTED, OR_PUT_OFF, (Credential.WRONG, Credential.NOT_ASCII)),
    "auth.key.longer": Concern(DOCUMENTED, OR_PUT_OFF, (Credential.LONGER,)),
    "auth.key.shorter": Concern(DOCUMENTED, OR_PUT_OFF, (Credential.SHORTER,)),
    "auth.key.case": Concern(DOCUMENTED, OR_PUT_OFF, (Credential.RECASED,)),
    "auth.scheme.other": Concern(DOCUMENTED, OR_PUT_OFF, (Credential.OTHER_SCHEME,)),
    "auth.scheme.missing": Concern(DOCUMENTED, OR_PUT_OFF, (Credential.BARE_KEY,)),
    "auth.first": Concern(DOCUMENTED, OR_PUT_OFF, INVALID),
    "auth.untraced": Concern(LIST, (200,), ALL - INVALID),
    "auth.challenge": Concern(DOCUMENTED, (401,)),
    "error": Concern(DOCUMENTED, REFUSED),
    "open": Concern(EVERY),
    "open.limit": Concern(LIST, ANSWERED, VALID),
    "open.status": Concern(LIST, ANSWERED, VALID),
    "open.status.moves": Concern(GET, SUCCESS, ALL - INVALID),
    "open.query": Concern(LIST, ANSWERED, VALID),
    "open.list": Concern(LIST),
    "open.list.lag": Concern(LIST, SUCCESS, ALL - INVALID),
    "open.list.order": Concern(LIST, (200,), ALL - INVALID),
    "open.list.page": Concern(LIST, (200,)),
    "open.list.pagination": Concern(LIST, (200,)),
    "open.create": Concern(CREATE, ANSWERED, VALID),
    "open.create.location": Concern(CREATE, (201,)),
    "open.create.name-normalisation": Concern(CREATE, (201,), VALID),
    "open.create.name-space": Concern(CREATE, (201,), VALID),
    "open.create.status-default": Concern(CREATE | GET, SUCCESS, VALID),
    "open.get": Concern(GET, ANSWERED, VALID),
    "open.auth.challenge": Concern(EVERY, (401,)),
    "open.auth.lower-case-scheme": Concern(DOCUMENTED, ANSWERED, (Credential.LOWER_CASE_SCHEME,)),
    "open.error": Concern(EVERY, range(400, 600)),
    "open.ids": Concern(CREATE, (201,)),
    "open.integral-floats": Concern(DOCUMENTED, SUCCESS, ALL - INVALID),
    "open.methods": Concern(OTHER),
    "open.network": Concern(EVERY, (0,)),
    "open.trailing-slash": Concern(OTHER),
}


def concern_of(name: str) -> Concern:
    """The exchanges that a clause or an open question is about."""
    while name not in CONCERNS:
        name = name.rpartition(".")[0]
    return CONCERNS[name]


class Concerned(Generic[T]):
    """Rules or observers by their ids, each to be asked about the exchanges that concern it."""

    def __init__(self, functions: Mapping[str, T]) -> None:
        self._functions = functions
        self._by_kind: dict[tuple[Operation, int, Credential], list[tuple[str, T]]] = {}

    def by(self, case: Case) -> list[tuple[str, T]]:
        """Those that are concerned by an exchange."""
        kind = case.operation, case.status, case.credential
        if kind not in self._by_kind:
            self._by_kind[kind] = [
                (name, each) for name, each in self._functions.items() if concern_of(name).covers(*kind)
            ]
        return self._by_kind[kind]
