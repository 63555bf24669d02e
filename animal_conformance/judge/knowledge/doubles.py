"""Animals with the names of creations under ids that no 201 has given: which of them may have been added twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import heads_in, is_own, kind_of
from animal_conformance.record.exchange import Exchange


class Double(NamedTuple):
    """An animal with a name that the run made up, under an id that no 201 gave, and the list that showed it first.

    That is the first list with known parameters, if there is one.
    """

    animal_id: int
    creation: Creation
    seen: Exchange


class Copy(NamedTuple):
    """An animal that may be a double, as it was first listed."""

    shown: dict[str, Any]
    double: Double


class Doubles:
    """The doubles in a trace.

    :param rejected: whether to look for doubles of names with which one request was accepted, and another rejected or
        put off with a 429; otherwise, only names count with which no request was rejected or put off.
    """

    def __init__(self, ledger: Ledger, *, rejected: bool = False) -> None:
        self._ledger = ledger
        self._rejected = rejected

    @cached_property
    def given(self) -> Mapping[str, Sequence[Creation]]:
        """The creations by their names, if each request with the name was answered: a lost one may have added another.

        The id of the run's first animal is mixed into the names: those sent before may have been used by an earlier
        run. Where a 201 names an animal that has the name of another creation, the animal under another id is its own.
        """
        names, creations = self._ledger.names, self._ledger.creations
        sent = {name for each in creations if isinstance(name := each.payload.get("name"), str)}
        unique_s = creations[0].answered_s if creations else 0.0
        given: dict[str, list[Creation]] = defaultdict(list)
        for each in creations:
            name = each.payload.get("name")
            if not isinstance(name, str) or not is_own(name) or each.sent_s < unique_s:
                continue
            shown = (
                sighting.animal.get("name") for sighting in self._ledger.animals[each.animal_id].sightings
            )
            if any(isinstance(other, str) and other != name and other in sent for other in shown):
                continue
            put_off = name in names.put_off
            if (name in names.unclear and not put_off) or name in names.unauthorised:
                continue
            # It was rejected for another value, and not for its name.
            if any(not self._ledger.reading(refusal).valid for refusal in names.refused.get(name, ())):
                continue
            if (put_off or name in names.refused) == self._rejected:
                given[name].append(each)
        return given

    @cached_property
    def _by_heads(self) -> Mapping[str, Sequence[Creation]]:
        """The same creations by how their names begin, if no other name that was sent begins in the same way."""
        names = self._ledger.names
        by_heads: dict[str, Sequence[Creation]] = {}
        for name, made in self.given.items():
            by_heads.setdefault(heads_in(name)[0], made)
        for name in (*names.unclear, *names.refused, *names.unauthorised):
            for head in heads_in(name):
                by_heads.pop(head, None)
        return by_heads

    @cached_property
    def _copies(self) -> Sequence[Copy]:
        """The animals under other ids that have the names of creations, whatever their other fields are."""
        copies: list[Copy] = []
        for animal in self._ledger.animals.values():
            if animal.creations or not animal.listed:
                continue
            first = animal.listed[0]
            made = self._named(first.animal.get("name"))
            alike = (
                each for each in made if _has_category(first.animal, each) and _has_status(first.animal, each)
            )
            if made:
                pages = self._ledger.pages_with(animal.animal_id)
                seen = pages[0].exchange if pages else first.first
                copies.append(Copy(first.animal, Double(animal.animal_id, next(alike, made[0]), seen)))
        return copies

    @cached_property
    def by_id(self) -> Mapping[int, Double]:
        """The doubles by their ids.

        An animal with another category or status than the request's is not a double: another client has added it. If
        that client gives all its animals the same status, those that happen to have the request's status are its own as
        well.
        """
        return {
            double.animal_id: double
            for shown, double in self._copies
            if not self._relisted
            and _has_category(shown, double.creation)
            and _has_status(shown, double.creation)
        }

    @cached_property
    def _relisted(self) -> bool:
        """Whether all copies have one status, whatever was asked for, and it is not the deployment's default."""
        statuses = {repr(shown.get("status")) for shown, _ in self._copies}
        given = {repr(each.answer.get("status")) for each in self._ledger.creations if each.omits_status}
        altered = any(not _has_status(shown, double.creation) for shown, double in self._copies)
        return altered and len(statuses) == 1 and bool(given) and not statuses & given

    def _named(self, name: object) -> Sequence[Creation]:
        """The creations with a name; else those whose name begins like a part of it: nobody else knows how names begin."""
        if not isinstance(name, str):
            return ()
        altered = (self._by_heads.get(head, ()) for head in heads_in(name))
        return self.given.get(name) or next(filter(None, altered), ())

    @cached_property
    def chain(self) -> Sequence[Double]:
        """The doubles of animals that were created one after another, each after the double before it had been seen.

        If some animals have no double, another client may copy some under another name: then only doubles under the
        animal's own name count. If a list has shown an animal before its double, another client may copy each after a
        while: then only doubles that are there at once count.
        """
        doubles = list(self.by_id.values())
        if self._late:
            doubles = [each for each in doubles if self._is_at_once(each)]
        elif self._singles():
            doubles = [each for each in doubles if self._has_its_name(each)]
        chain: list[Double] = []
        for each in sorted(doubles, key=lambda each: each.seen.answered_s):
            if not chain or each.creation.sent_s >= chain[-1].seen.answered_s:
                chain.append(each)
        return chain

    @cached_property
    def tried(self) -> Sequence[Double]:
        """The doubles of the first and the last creation that has one: another client that copies animals copies both."""
        doubles = sorted(self.by_id.values(), key=lambda each: each.creation.sent_s)
        return [doubles[0], doubles[-1]]

    def would_show(self, like: Creation, seen: Exchange) -> bool:
        """Whether the list that showed a double would show new animals like it: it has had room since, or has shown one.

        Nothing is known of a list with other parameters, which counts as one that would.
        """
        since = [each for each in self._ledger.pages if each.exchange.request.target == seen.request.target]
        if not since:
            return True
        last, status = since[-1], like.payload.get("status")
        made = (
            each
            for each in self._ledger.creations
            if each.answered_s <= last.sent_s and each.payload.get("status") == status
        )
        newest = max(made, key=lambda each: each.sent_s, default=like)
        return last.ends_early or newest.animal_id in last.id_set

    def single(self, like: Creation) -> int:
        """How many animals like one, created since the first double was seen, were listed without a double."""
        late = [each for each, _ in self._late if each.sent_s >= self._since_s]
        return sum(_kind(each) == _kind(like) for each in (*self._singles(), *late))

    @cached_property
    def _since_s(self) -> float:
        """When the first double was seen."""
        return min((each.seen.answered_s for each in self.by_id.values()), default=inf)

    def _singles(self) -> list[Creation]:
        # A double under another name may belong to any name that begins in the same way.
        doubled = {heads_in(str(each.creation.payload["name"]))[0] for each in self.by_id.values()}
        return [
            made[0]
            for name, made in self.given.items()
            if heads_in(name)[0] not in doubled
            and made[0].sent_s >= self._since_s
            and self._ledger.animals[made[0].animal_id].listed
        ]

    @property
    def there_at_once(self) -> int:
        """How many doubles there are that no list has shown their animal without."""
        return len(self.by_id) - len(self._late)

    @cached_property
    def _late(self) -> Sequence[tuple[Creation, float]]:
        """The creations whose animal a list has shown before its double, and how long after the creation, in seconds."""
        alone = ((each.creation, self._alone_s(each)) for each in self.by_id.values())
        return [(creation, alone_s) for creation, alone_s in alone if alone_s is not None]

    def _alone_s(self, double: Double) -> float | None:
        """How long after its creation a list that could have shown the double still showed an animal alone, if one did."""
        animal_id, made_s = double.creation.animal_id, self._made_s(double)
        return max(
            (
                page.sent_s - made_s
                for page in self._ledger.pages_with(animal_id)
                if made_s <= page.sent_s and page.answered_s <= double.seen.sent_s
                if page.ends_early or page.ids[-1] != animal_id
            ),
            default=None,
        )

    def requests_for(self, double: Double) -> Sequence[Exchange]:
        """The requests that may have added a double: the creation, and those with its name that were rejected."""
        name, seen_s = str(double.creation.payload["name"]), double.seen.answered_s
        names = self._ledger.names
        rejections = (*names.refused.get(name, ()), *names.put_off.get(name, ()))
        return [double.creation.exchange, *(each for each in rejections if each.sent_s <= seen_s)]

    def _made_s(self, double: Double) -> float:
        return max(each.answered_s for each in self.requests_for(double))

    def _is_at_once(self, double: Double) -> bool:
        """Whether a double was seen sooner than late ones came, and nothing but its animal was asked for meanwhile."""
        made_s, seen_s = self._made_s(double), double.seen.sent_s
        if double.seen.answered_s - made_s > max(alone_s for _, alone_s in self._late):
            return False
        own = self._ledger.gets[double.creation.animal_id]
        return all(
            each in own
            for each in self._ledger.exchanges
            if each.answered_s > made_s and each.sent_s < seen_s
        )

    def _has_its_name(self, double: Double) -> bool:
        """Whether a double was first listed with the name with which the animal itself was sent, or listed."""
        own = [each.animal.get("name") for each in self._ledger.animals[double.creation.animal_id].listed]
        shown = self._ledger.animals[double.animal_id].listed[0].animal.get("name")
        return shown == double.creation.payload["name"] or shown in own


def _has_category(animal: Mapping[str, Any], creation: Creation) -> bool:
    return bool(animal.get("categoryId") == creation.payload.get("categoryId"))


def _has_status(animal: Mapping[str, Any], creation: Creation) -> bool:
    """Whether an animal has the status that was sent, or shows none; without a status in the request, any will do."""
    sent = creation.payload.get("status")
    return isinstance(animal.get("status", ""), str) if sent is None else animal.get("status", sent) == sent


def _kind(creation: Creation) -> tuple[str, str]:
    """What may be the cause of a double: the client, and everything in the payload but its unique name."""
    return creation.exchange.request.voice, kind_of(creation.payload)
