"""Authentication: a missing or invalid key returns 401, on every operation, before anything else."""

from __future__ import annotations

from bisect import bisect_right

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.waiting import KEY_REFUSED
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion, Rule
from animal_conformance.judge.knowledge.animals import Sighting
from animal_conformance.judge.suspicions.unauthorised import (
    has_target,
    is_put_off,
    is_put_off_anyway,
    put_off,
)
from animal_conformance.record.exchange import Credential, Exchange

# If an operation treats the credential on the left the same as one of those on the right, that is one cause,
# not two: an operation that is open without a key also accepts wrong ones.
SAME_CAUSE = {
    Credential.ABSENT: (),
    Credential.WRONG: (Credential.ABSENT,),
    Credential.EMPTY: (Credential.ABSENT, Credential.WRONG),
    Credential.LONGER: (Credential.ABSENT, Credential.WRONG),
    Credential.SHORTER: (Credential.ABSENT, Credential.WRONG),
    Credential.RECASED: (Credential.ABSENT, Credential.WRONG),
    Credential.OTHER_SCHEME: (Credential.ABSENT, Credential.WRONG),
    Credential.BARE_KEY: (Credential.ABSENT, Credential.WRONG),
    Credential.NOT_ASCII: (Credential.ABSENT, Credential.WRONG),
}
SUCCESS_OF = {Operation.LIST: 200, Operation.CREATE: 201, Operation.GET: 200}
REDIRECTIONS = frozenset({301, 302, 303, 307, 308})
METHODS = {Operation.LIST: "GET", Operation.CREATE: "POST", Operation.GET: "GET"}


def _is_judged(case: Case) -> bool:
    return case.answered and case.credential.invalid and not case.may_be_removed


def _has_target(case: Case) -> bool:
    """Whether the request is valid except for its credential, so that it would have succeeded with a key."""
    return has_target(case.exchange, case.ledger)


def _is_open_to(case: Case) -> bool:
    """Whether the deployment accepts the key at all: the positive control."""
    return bool(case.ledger.successes[case.operation])


def _explained(case: Case) -> bool:
    answers = case.ledger.valid_answers
    return any(case.status in answers[case.operation, other] for other in SAME_CAUSE[case.credential])


def _finding(case: Case, what: str) -> Finding:
    return Finding(
        f"{case.operation.value} {what} does not return 401.",
        "401 with an Error",
        case.describe(),
        related=_before(case),
    )


def _before(case: Case) -> tuple[Exchange, ...]:
    """The exchanges needed to reproduce a finding: how the animal became known, and the last accepted request.

    Some servers accept anything that follows an accepted request on the same connection.
    """
    ledger, accepted = case.ledger, case.ledger.successes[case.operation]
    known = ledger.animals.get(case.reading.pet_id) if case.reading.pet_id is not None else None
    shown = known.first_sighting if known is not None else None
    at = bisect_right(accepted, case.sent_s, key=lambda each: each.answered_s)
    sources = [known.creations[0].exchange] if known and known.creations else [shown.first] if shown else []
    return (*sources, *(each for each in accepted[at - 1 : at] if each not in sources))


def key_valid(case: Case) -> Opinion:
    """auth.key.valid: a request that is accepted with a valid key once is accepted with it every time."""
    if case.operation is Operation.OTHER or case.credential is not Credential.VALID or not case.answered:
        return None
    if case.status not in KEY_REFUSED:
        return EVIDENCE
    again = case.ledger.accepted_again(case.exchange)
    if not case.reading.valid or again is None:
        return None  # a missing scope, an expired key, or a request that is refused for what it is
    return Finding(
        f"{case.operation.value} rejects the valid key, which it accepts for the same request afterwards.",
        "any status code except 401 and 403",
        case.describe(),
        related=(again,),
    )


def _missing(operation: Operation) -> Rule:
    """A rule for requests of one operation without an Authorization header."""

    def rule(case: Case) -> Opinion:
        if case.credential is not Credential.ABSENT:
            return None
        if is_put_off(case.exchange):
            about = case.operation is operation and _has_target(case)
            return put_off(case, _finding(case, "without a key")) if about else None
        if not _is_judged(case):
            return None
        if case.operation is not operation or not _has_target(case):
            return _disclosed(case, operation) or _redirected(case, operation)
        if case.status == 401:
            return EVIDENCE if _is_open_to(case) else None
        return _finding(case, "without a key")

    return rule


def _disclosed(case: Case, operation: Operation) -> Opinion:
    """A finding if animals are shown without a key, whatever the request leaves open: headers, parameters, spelling."""
    shown = case.value if operation is Operation.LIST else [case.value]
    if case.status != SUCCESS_OF[operation] or not isinstance(shown, list):
        return None
    about = (
        case.operation in {operation, Operation.OTHER} and case.exchange.request.method == METHODS[operation]
    )
    if not about or _is_open(case, operation):
        return None
    known = next((seen for each in shown if (seen := _seen_as(each, case))), None)
    if known is None:
        return None
    creates = operation is Operation.CREATE
    return Finding(
        f"{operation.value} without a key {'creates' if creates else 'shows'} an animal if the request is sent in "
        "another way.",
        "401 with an Error",
        case.describe(),
        related=(known.first,) if creates else tuple(case.ledger.successes[operation][:1]),
    )


def _redirected(case: Case, operation: Operation) -> Opinion:
    """A finding if a client that prefers HTML is redirected to a login: it may get its 401 in any form, but must get it."""
    about = (
        case.operation is operation and not case.reading.problems and case.reading.open_points == {"accept"}
    )
    return _finding(case, "without a key") if about and case.status in REDIRECTIONS else None


def _is_open(case: Case, operation: Operation) -> bool:
    """Whether a plain request without a key succeeds as well, which is a finding by itself."""
    return SUCCESS_OF[operation] in case.ledger.valid_answers[operation, Credential.ABSENT]


def _seen_as(shown: object, case: Case) -> Sighting | None:
    """The sighting that shows an object to be an animal of this store: the key was shown its id and name; else ``None``."""
    if not isinstance(shown, dict) or not case.contract.is_int64(shown.get("id")):
        return None
    known = case.ledger.animals.get(shown["id"])
    sightings = (*known.gets, *known.listed) if known is not None else ()
    return next((each for each in sightings if each.animal.get("name") == shown.get("name")), None)


def _invalid(credential: Credential, what: str) -> Rule:
    """A rule for requests with one kind of invalid credential."""

    def rule(case: Case) -> Opinion:
        if case.credential is not credential or not _has_target(case):
            return None
        if is_put_off(case.exchange):
            return put_off(case, _finding(case, what))
        if not _is_judged(case):
            return None
        if case.status == 401:
            return EVIDENCE if _is_open_to(case) else None
        return None if _explained(case) else _finding(case, what)

    return rule


_NEVER_ISSUED = _invalid(Credential.WRONG, "with a key that was never issued")


def _wrong(case: Case) -> Opinion:
    """auth.key.wrong: a key that was never issued; one that is not ASCII may be rejected in other ways, but opens nothing."""
    if case.credential is not Credential.NOT_ASCII:
        return _NEVER_ISSUED(case)
    if case.status != SUCCESS_OF.get(case.operation) or case.may_be_removed or not _has_target(case):
        return None
    return None if _explained(case) else _finding(case, "with a key that is not ASCII")


def first(case: Case) -> Opinion:
    """auth.first: a missing or invalid key returns 401 regardless of what else is wrong with the request."""
    if not case.credential.invalid or _has_target(case) or case.reading.open_points:
        return None
    known = (case.credential, *SAME_CAUSE[case.credential])
    if is_put_off(case.exchange):
        covered = is_put_off_anyway(case, known)
        return None if covered else put_off(case, _finding(case, _and_invalid(case)))
    if not _is_judged(case):
        return None
    if case.status == 401:
        return EVIDENCE if _is_open_to(case) else None
    answers = case.ledger.valid_answers
    if any(answers[case.operation, each] - {401} for each in known):
        return None  # the credential is accepted on a valid request too: covered by its own clause
    if not any(answers[case.operation, each] for each in known):
        return None  # nothing to compare it with
    return _finding(case, _and_invalid(case))


def _and_invalid(case: Case) -> str:
    key = "without a key" if case.credential is Credential.ABSENT else "with an invalid key"
    problems = ", ".join(sorted(case.reading.problems))
    return f"{key} and with an invalid request{f' ({problems})' if problems else ''}"


def challenge(case: Case) -> Opinion:
    """auth.challenge: a 401 carries a WWW-Authenticate header with a bearer challenge (RFC 9110 section 11.6.1)."""
    response = case.exchange.response
    if response is None or response.status != 401 or case.operation is Operation.OTHER:
        return None
    # Each challenge may have its own header (RFC 9110 section 5.3).
    value = ", ".join(text for name, text in response.headers if name.lower() == "www-authenticate")
    if "bearer" in value.lower():
        return EVIDENCE
    return Finding(
        "A 401 response does not name the Bearer scheme.",
        "WWW-Authenticate: Bearer",
        f"WWW-Authenticate: {value or 'absent'}",
    )


RULES = {
    "auth.key.valid": key_valid,
    "auth.missing.list": _missing(Operation.LIST),
    "auth.missing.create": _missing(Operation.CREATE),
    "auth.missing.get": _missing(Operation.GET),
    "auth.key.empty": _invalid(Credential.EMPTY, "without a token in the Authorization header"),
    "auth.key.wrong": _wrong,
    "auth.key.longer": _invalid(Credential.LONGER, "with extra characters after the key"),
    "auth.key.shorter": _invalid(Credential.SHORTER, "with a part of the key"),
    "auth.key.case": _invalid(Credential.RECASED, "with the case of the key changed"),
    "auth.scheme.other": _invalid(Credential.OTHER_SCHEME, "with the key under another scheme"),
    "auth.scheme.missing": _invalid(Credential.BARE_KEY, "with the key but no scheme"),
    "auth.first": first,
    "auth.challenge": challenge,
}
