"""When an animal was there, and when it was not: what getPet and lists said of it, in the order of the requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Final

from animal_conformance.record.exchange import Exchange, Headers, Timed, by_name

if TYPE_CHECKING:
    from animal_conformance.judge.knowledge.animals import Animal
    from animal_conformance.judge.knowledge.ledger import Ledger

# A run waits this long for a stored response to expire; an older one is an excuse.
LONGEST_S: Final = 60.0
# An animal that is read this soon after its creation is read as it was stored, if two that were created apart agree.
SOON_S: Final = 1.0
NOT_FOUND: Final = frozenset({404, 410})
MAX_AGE: Final = re.compile(r"(?:s-maxage|max-age)\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
# If a field name follows, no-cache is only about that header.
NEVER_REUSED: Final = re.compile(r"(?:^|,)\s*no-(?:store|cache)\s*(?:,|$)", re.IGNORECASE)
STALE: Final = re.compile(r"stale-while-revalidate\s*=\s*\"?(\d{1,9})", re.IGNORECASE)


@dataclass(frozen=True)
class Presence(Timed):
    """One response about an animal: whether it was there, no earlier than ``as_of_s`` on the clock of the run."""

    exchange: Exchange
    there: bool
    listed: bool
    as_of_s: float


def as_of_s(exchange: Exchange) -> float:
    """The earliest time whose state a response may show: a stored response says how old it may be."""
    return exchange.sent_s - declared_age_s(exchange)


def told_as_of_s(ledger: Ledger, animal: Animal, exchange: Exchange) -> float:
    """As :func:`as_of_s`, for a response that tells of an animal; lists may have stored each of their animals by itself.

    A response that shows an animal is not older than its creation by the run. The first getPet response after that is
    not a stored one, unless it has an Age: nobody has asked for the animal before.
    """
    creation, asked = animal.creation, ledger.gets.get(animal.animal_id, ())
    if creation is None or exchange.status != 200 or exchange.sent_s < creation.answered_s:
        return as_of_s(exchange)
    if asked and asked[0] is exchange and not tells_age(exchange):
        return exchange.sent_s
    return max(as_of_s(exchange), creation.sent_s)


def tells_age(exchange: Exchange) -> bool:
    """Whether a response has an Age above 0: it was stored."""
    return exchange.response is not None and bool(_stated_age_s(exchange.response.headers))


def declared_age_s(exchange: Exchange) -> float:
    """How old a response may be by its own headers, in seconds (RFC 9111 sections 4.2 and 5.1, RFC 5861).

    This is the larger of its Age and the age that Cache-Control lets it reach: caches may have rules of their own. The
    time for which a stale response may be used while it is revalidated counts only if no Age says how old this one is;
    ``stale-if-error`` never counts, since an origin that fails is an outage. For a response that may not be stored, or
    not be reused without being validated, only the Age counts.
    """
    return 0.0 if exchange.response is None else _age_by(exchange.response.headers)


@lru_cache(maxsize=256)
def _age_by(headers: Headers) -> float:
    """As :func:`declared_age_s`, by headers; those that most responses share are parsed only once."""
    given = by_name(headers)
    # The field is a list, which may be spread over several lines (RFC 9110 section 5.3).
    control = ", ".join(value for name, value in headers if name.lower() == "cache-control")
    age_s = _stated_age_s(headers)
    if NEVER_REUSED.search(control):
        return age_s or 0.0
    limits, stale = (tuple(map(int, each.findall(control))) for each in (MAX_AGE, STALE))
    fresh = max(limits) if limits else _seconds_between(given.get("date", ""), given.get("expires", ""))
    return float(fresh + max(stale, default=0)) if age_s is None else max(float(fresh), age_s)


def _stated_age_s(headers: Headers) -> float | None:
    stated = by_name(headers).get("age", "").strip()
    return float(stated[:9]) if stated.isdecimal() else None


@lru_cache
def _seconds_between(date: str, expires: str) -> int:
    """How long a response is fresh by its Expires, if nothing else says so; 0 if either is not a date."""
    try:
        lifetime = parsedate_to_datetime(expires) - parsedate_to_datetime(date)
    except (ValueError, TypeError, OverflowError):
        return 0
    return max(0, int(lifetime.total_seconds()))


def presences_of(ledger: Ledger, animal: Animal) -> list[Presence]:
    """What was said of an animal with the valid key: getPet that found it or did not, and lists that contain it."""
    animal_id = animal.animal_id
    gets = (
        Presence(each, each.status == 200, listed=False, as_of_s=told_as_of_s(ledger, animal, each))
        for each in ledger.gets[animal_id]
        if each.request.credential.counts_as_valid and (each.status in NOT_FOUND or each.status == 200)
    )
    pages = (
        Presence(page.exchange, there=True, listed=True, as_of_s=page.as_of_s)
        for page in ledger.pages_with(animal_id)
    )
    return sorted((*gets, *pages), key=lambda each: each.sent_s)


def told_of(ledger: Ledger, animal: Animal) -> list[Presence]:
    """What was said of an animal, in the order of the requests."""
    return ledger.survey(("presences", animal.animal_id), lambda: presences_of(ledger, animal))


def missed_since_shown(presences: list[Presence]) -> list[Exchange]:
    """The getPet responses that did not find an animal, since it was last seen."""
    shown_s = max((each.answered_s for each in presences if each.there), default=-inf)
    return [each.exchange for each in presences if not each.there and each.sent_s >= shown_s]


def asked_for(ledger: Ledger) -> Iterator[Animal]:
    """The animals that getPet was asked for, in the order of the first request for each."""
    return (ledger.animals[each] for each in ledger.gets if each in ledger.animals)
