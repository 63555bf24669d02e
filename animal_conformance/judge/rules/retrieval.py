"""Get an animal (deprecated)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time
from email.utils import parsedate_to_datetime

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion
from animal_conformance.judge.knowledge.animals import Animal
from animal_conformance.judge.knowledge.presence import as_of_s
from animal_conformance.judge.suspicions.retrievals.first_asked import missed_at_first
from animal_conformance.judge.suspicions.retrievals.invented import invented
from animal_conformance.judge.suspicions.retrievals.late import not_found_yet
from animal_conformance.judge.suspicions.retrievals.missing import not_found
from animal_conformance.record.exchange import Response

# A path that may be refused before any operation is reached, but is never rewritten to another one.
ODD = frozenset({"petId.odd-path"})
LENIENT = frozenset({"petId.lenient"})
# The number may have as many digits as an int64 in octal, and a few more.
_BEHIND_ZEROS = re.compile(r"/pets/0+([0-9]{1,30})")


def _is_get(case: Case) -> bool:
    return (
        case.operation is Operation.GET
        and case.answered
        and case.with_key
        and not case.reading.open_points
        and not case.may_be_removed
    )


def _known_before(case: Case) -> Animal | None:
    """The requested animal, if it was known when the request was sent."""
    animal = None if case.reading.pet_id is None else case.ledger.animals.get(case.reading.pet_id)
    return None if animal is None or animal.known_since_s > case.sent_s else animal


def found(case: Case) -> Opinion:
    """get.found: an animal that was created or listed can be retrieved by its id."""
    animal = _known_before(case)
    if not _is_get(case) or animal is None:
        return None
    if case.status == 200:
        return EVIDENCE
    if case.status != 404:
        return Finding("An existing animal is not returned.", "200 with the animal", case.describe())
    first = missed_at_first(case, animal)
    if first is not None:
        return first
    if as_of_s(case.exchange) < animal.known_since_s + case.ledger.terms.settle_s:
        return not_found_yet(case, animal)
    return not_found(case, animal)


def requested(case: Case) -> Opinion:
    """get.requested: getPet returns the animal that was asked for, even if it accepts zeros in front of the id."""
    pet_id = case.reading.pet_id if _is_get(case) else _behind_zeros(case)
    if case.status != 200 or pet_id is None:
        return None
    answered_id = case.value.get("id") if isinstance(case.value, dict) else None
    if not case.contract.is_int64(answered_id):
        return None
    if answered_id == pet_id:
        return EVIDENCE if _known_before(case) is not None else None
    return Finding(
        f"getPet for id {pet_id} returns animal {answered_id}.", f"animal {pet_id}", case.describe()
    )


def _behind_zeros(case: Case) -> int | None:
    """The number of a petId with zeros in front: whether it is accepted is open, but it must not be read as octal."""
    if case.reading.open_points != LENIENT or not case.with_key:
        return None
    found = _BEHIND_ZEROS.fullmatch(case.exchange.request.path)
    return int(found[1]) if found else None


def unknown(case: Case) -> Opinion:
    """get.unknown: an id that identifies no animal returns 404."""
    pet_id, ledger = case.reading.pet_id, case.ledger
    if pet_id is None or not (_is_get(case) or (case.status == 404 and case.may_be_removed)):
        return None
    if case.status == 200:
        return invented(case, pet_id)
    if pet_id in ledger.animals and ledger.animals[pet_id].known_since_s <= case.answered_s:
        return None
    if case.status == 404:
        return EVIDENCE if ledger.successes[Operation.GET] and ledger.is_far(pet_id) else None
    if not ledger.successes[Operation.GET]:
        return None  # no animal is found at all: covered by get.found
    return Finding(
        "An id that identifies no animal does not return 404.", "404 with an Error", case.describe()
    )


def malformed(case: Case) -> Opinion:
    """get.malformed: a petId that is not an int64 is rejected with a 4xx; however odd it is, it names no animal."""
    if case.reading.open_points == ODD and case.with_key and _shows_an_animal(case):
        return Finding(
            "A petId that is not an int64 shows an animal.", "a 4xx with an Error", case.describe()
        )
    if not _is_get(case) or not case.reading.problems:
        return None
    if case.status >= 400:
        return EVIDENCE if case.ledger.successes[Operation.GET] else None
    return Finding(
        "A petId that is not an int64 is not rejected with a 4xx.", "a 4xx with an Error", case.describe()
    )


def _shows_an_animal(case: Case) -> bool:
    shown = case.value if case.operation is Operation.GET and case.status == 200 else None
    return isinstance(shown, dict) and case.contract.is_int64(shown.get("id"))


def deprecation_header(case: Case) -> Opinion:
    """get.deprecation-header: RFC 9745 section 2."""
    response = _found_animal(case)
    if response is None:
        return None
    # @1924992000 since RFC 9745; a date or "true" in its drafts.
    value = (response.header("deprecation") or "false").strip()
    if value.lower() not in {"", "false", "?0", "0"}:
        return EVIDENCE
    return Finding(
        "getPet does not announce its deprecation.",
        "a Deprecation header, such as @1735689600",
        "no Deprecation header",
    )


def sunset_header(case: Case) -> Opinion:
    """get.sunset-header: RFC 8594 section 3, with the announced date."""
    response = _found_animal(case)
    if response is None:
        return None
    value = response.header("sunset")
    removal = case.contract.removal_date
    expected = datetime.combine(removal, time(), UTC).strftime("Sunset: %a, %d %b %Y 00:00:00 GMT")
    if value is None:
        return Finding("getPet does not announce its removal date.", expected, "no Sunset header")
    try:
        announced = parsedate_to_datetime(value).date()
    except (ValueError, OverflowError):
        return Finding("The Sunset header is not an HTTP date.", expected, f"Sunset: {value}")
    if abs((announced - removal).days) <= 1:  # the day depends on a time zone, which the document leaves open
        return EVIDENCE
    return Finding("The Sunset header announces a different date.", expected, f"Sunset: {value}")


def _found_animal(case: Case) -> Response | None:
    """The response if it found a known animal; else ``None``."""
    known = case.reading.pet_id in case.ledger.animals
    return case.exchange.response if _is_get(case) and case.status == 200 and known else None


RULES = {
    "get.found": found,
    "get.requested": requested,
    "get.unknown": unknown,
    "get.malformed": malformed,
    "get.deprecation-header": deprecation_header,
    "get.sunset-header": sunset_header,
}
