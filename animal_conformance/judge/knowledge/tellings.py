"""What getPet and lists told of one field of an animal, in the order of the requests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile, groupby, pairwise
from typing import Any, Final

from animal_conformance.judge.knowledge.animals import Animal
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.fields import value_of
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import SOON_S, as_of_s, declared_age_s, told_as_of_s
from animal_conformance.record.exchange import Exchange, Timed
from animal_conformance.record.jsontext import is_integer

# How many turns it takes: a list and getPet that tell different values, twice each.
IN_TURNS: Final = 4
# This many changes one after another show that somebody goes on: changes of one animal, or of animals that each changed
# after others had settled.
GENERATIONS: Final = 3
# An animal is followed in so many parts of the time for which lists may lag, and got after each. A pause of up to two
# parts, or of this many seconds, is not a gap.
PARTS: Final = 8
BRIEFLY_S: Final = 0.3


@dataclass(frozen=True)
class Telling(Timed):
    """One response that tells the ``value`` of a field, ``raw`` as returned, as of ``as_of_s`` at the earliest.

    ``whole`` are the name and the category that it tells.
    """

    exchange: Exchange
    page: Page | None
    raw: object
    value: Hashable
    as_of_s: float
    whole: tuple[Hashable | None, Hashable | None]

    @property
    def listed(self) -> bool:
        """Whether a list told it, rather than getPet."""
        return self.page is not None

    @property
    def filter(self) -> str | None:
        """The status that the list was filtered by."""
        return None if self.page is None else self.page.status


@dataclass(frozen=True)
class History:
    """The tellings of one field of an animal after it had the value ``first`` at a time ``first_s``.

    ``asked`` are the getPet requests for the animal, whatever was answered; ``moves`` is whether the field may lawfully
    change at any time after its first reading, as a status may. ``read_s`` is when the first request was sent that
    returned the animal with ``first``, even beside the creation, or in a list filtered by it, which do not count as
    tellings.
    """

    animal: Animal
    first: Hashable
    first_s: float
    tellings: list[Telling]
    settle_s: float
    asked: list[Exchange]
    moves: bool
    read_s: float = float("inf")

    @cached_property
    def last(self) -> Hashable:
        """The latest value."""
        return max(self.tellings, key=lambda each: each.as_of_s).value

    @cached_property
    def changed(self) -> list[Telling]:
        """The tellings of another value than the first."""
        return [each for each in self.tellings if each.value != self.first]

    @cached_property
    def turns(self) -> list[Telling]:
        """The tellings of another value than the telling before them."""
        before, turns = self.first, []
        for each in self.tellings:
            if each.value != before:
                turns.append(each)
            before = each.value
        return turns

    def turns_in(self, exchange: Exchange) -> Sequence[Telling]:
        """Those of :attr:`turns` that an exchange told."""
        return self._turns_by_exchange.get(id(exchange), ())

    @cached_property
    def _turns_by_exchange(self) -> dict[int, list[Telling]]:
        turns: dict[int, list[Telling]] = defaultdict(list)
        for each in self.turns:
            turns[id(each.exchange)].append(each)
        return dict(turns)

    def place_of(self, telling: Telling) -> int:
        """The place of a telling in :attr:`tellings`."""
        return self._places[id(telling)]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {id(each): at for at, each in enumerate(self.tellings)}

    @cached_property
    def settled_s(self) -> float:
        """The time from which on every response has to tell the latest value, if it was not changed again."""
        others = (each.as_of_s for each in self.tellings if each.value != self.last)
        first_s = min(each.as_of_s for each in self.tellings if each.value == self.last)
        return max((first_s, *others)) + self.settle_s

    @cached_property
    def stored_s(self) -> float:
        """How old the responses may be by their own headers, in seconds."""
        return max(declared_age_s(each.exchange) for each in self.tellings)

    @cached_property
    def _by_query(self) -> dict[str, list[Telling]]:
        by_query: dict[str, list[Telling]] = defaultdict(list)
        for each in self.tellings:
            by_query[each.exchange.request.target if each.listed else ""].append(each)
        return dict(by_query)

    @cached_property
    def goes_with_query(self) -> bool:
        """Whether each query has always told the same value, but not all of them the same one.

        A real change of the animal would show within one query, which would tell another value than before.
        """
        told = [{each.value for each in tellings} for tellings in self._by_query.values()]
        return len(set().union(*told)) > 1 and all(len(each) == 1 for each in told)

    @cached_property
    def disputed(self) -> dict[str, Page]:
        """The lists, by target, whose last value was not getPet's last one, or not the latest if getPet told none."""
        got = [each.value for each in self.tellings if not each.listed]
        now = got[-1] if got else self.last
        lasts = (tellings[-1] for tellings in self._by_query.values())
        return {
            each.exchange.request.target: each.page
            for each in lasts
            if each.page is not None and each.value != now
        }

    @cached_property
    def is_restless(self) -> bool:
        """Whether getPet has told different values."""
        return len({each.value for each in self.tellings if not each.listed}) > 1

    @cached_property
    def moves_seen(self) -> int:
        """How often getPet has told another value than the time before."""
        told = [each.value for each in self.tellings if not each.listed]
        return sum(each != after for each, after in pairwise(told))

    @cached_property
    def is_apart(self) -> bool:
        """Whether a list and getPet told different values the last time that one followed the other at once."""
        return any(not alike for alike in self._told_at_once[-1:])

    @cached_property
    def _told_at_once(self) -> list[bool]:
        """Whether a list and getPet agreed, each time that one followed the other at once since the field changed."""
        since = dropwhile(lambda each: each.value == self.first, self.tellings)
        return [
            each.value == after.value
            for each, after in pairwise(since)
            if each.listed != after.listed
            and after.as_of_s >= after.sent_s
            and follows(each.exchange, after.exchange)
        ]

    @cached_property
    def was_followed(self) -> bool:
        """Whether a list told a value after the animal had been followed."""
        return any(each.listed and self._is_followed(each) for each in self.tellings)

    def _is_followed(self, listed: Telling) -> bool:
        """Whether getPet was asked again and again, and told the same, for as long as a list may lag behind it."""
        from_s, until_s = listed.as_of_s - self.settle_s, listed.sent_s
        got = [each for each in self.tellings if not each.listed and from_s <= each.as_of_s <= until_s]
        times = [from_s, *(each.as_of_s for each in got), until_s]
        gap_s = max(2 * self.settle_s / PARTS, BRIEFLY_S)
        return len({each.value for each in got}) == 1 and all(b - a <= gap_s for a, b in pairwise(times))

    def told_apart(self, *, restless: bool = False) -> Telling | None:
        """The response that shows that lists and getPet go on telling different values, in turns, after settling.

        For a field that may move at any time, the turns have to follow each other at once, and never agree in between.

        :param restless: whether animals are known to go on moving, so that each may have moved to and fro unseen: then
            only following it shows that it has not.
        """
        told = self._told_apart(self.tellings, restless=restless)
        if told is not None or not self.moves:
            return told
        # A single query may go on telling another value, while other lists do not.
        got = self._by_query.get("", [])
        for target in self.disputed:
            both = sorted((*got, *self._by_query[target]), key=self.place_of)
            told = told or self._told_apart(both, restless=restless)
        return told

    def _told_apart(self, tellings: Iterable[Telling], *, restless: bool) -> Telling | None:
        got: Hashable = None
        shown: Hashable = None
        got_s = apart_s = float("inf")
        turns: list[Telling] = []
        for each in tellings:
            stored = each.as_of_s < each.sent_s
            if turns and self.moves and (stored or not follows(turns[-1].exchange, each.exchange)):
                turns = []
            if not each.listed and each.value != got:
                got, got_s, turns = each.value, each.answered_s, []
                apart_s = got_s if shown not in {None, got} else float("inf")
            elif not each.listed:
                if turns and turns[-1].listed and each.as_of_s >= apart_s + self.settle_s:
                    turns.append(each)
            elif each.value != got:
                apart_s = min(apart_s, each.answered_s)
                settled_s = max(got_s, apart_s) + self.settle_s
                told = each.as_of_s >= settled_s and (not restless or self._is_followed(each))
                if told and not (turns and turns[-1].listed):
                    turns.append(each)
            elif self.moves:
                turns = []
            shown = each.value if each.listed else shown
            if len(turns) == IN_TURNS:
                return each
        return None

    def alternates_with_query(self) -> Telling | None:
        """The response that shows two values in turns, twice each and each once the other had settled, by the query.

        Each value comes no later than it takes to settle twice.
        """
        return self._to_and_fro(2 * self.settle_s) if self.goes_with_query else None

    @cached_property
    def seems_to_alternate(self) -> Telling | None:
        """The response that shows two values in turns, twice each and each once the other had settled.

        Somebody may have edited the animal three times.
        """
        return self._to_and_fro(float("inf"))

    def _to_and_fro(self, within_s: float) -> Telling | None:
        values, changed_s, since_s = [self.first], float("inf"), float("-inf")
        seen: dict[Hashable, set[object]] = defaultdict(set)
        for each in self.tellings:
            seen[each.value].add(each.whole)
            if each.value != values[-1] and each.as_of_s >= since_s:
                if each.as_of_s > changed_s + within_s:
                    values = values[-1:]
                values.append(each.value)
                changed_s, since_s = each.answered_s, each.answered_s + self.settle_s
                whole = all(len(seen[value]) == 1 for value in values[-2:])
                if values[-4:-2] == values[-2:] and whole:
                    return each
        return None

    @cached_property
    def blip(self) -> Telling | None:
        """A value told only once, between two close tellings of another value, which is also told after settling."""
        answered_s, times = self.first_s, Counter(each.value for each in self.tellings)
        told_s: dict[Hashable, float] = {}
        for each in self.tellings:
            told_s[each.value] = max(each.as_of_s, told_s.get(each.value, each.as_of_s))
        before = self.first
        for at, each in enumerate(self.tellings[:-1]):
            after = self.tellings[at + 1]
            close = after.sent_s - answered_s <= self.settle_s
            settled_s = each.answered_s + self.settle_s
            if (
                close
                and each.value != before == after.value
                and each.value != self.first
                and times[each.value] == 1
                and told_s[before] >= settled_s
            ):
                return each
            before, answered_s = each.value, each.answered_s
        return None

    @cached_property
    def blip_span_s(self) -> tuple[float, float] | None:
        """The longest span in which the animal may have had the value of :attr:`blip`, by the tellings around it."""
        if self.blip is None:
            return None
        at = self.place_of(self.blip)
        began_s = self.tellings[at - 1].as_of_s if at else self.first_s
        return began_s, self.tellings[at + 1].answered_s

    @cached_property
    def was_asked(self) -> bool:
        """Whether getPet was asked for the animal after settling, whatever it answered; false if nothing told a value."""
        return bool(self.tellings) and any(as_of_s(each) >= self.settled_s for each in self.asked)

    @cached_property
    def agreed(self) -> bool:
        """Whether getPet was asked and a list told a value after settling, which then is the latest one.

        Or both told the same value in turns, another than the first: somebody goes on editing, and it never settles. A
        value that one query always tells and another never does is not agreed on.
        """
        return not self.goes_with_query and (
            self._agreed_in_turns
            or self._agreed_at_once
            or (
                self.was_asked
                and any(each.listed and each.as_of_s >= self.settled_s for each in self.tellings)
            )
        )

    @cached_property
    def goes_on(self) -> bool:
        """Whether it changed again and again, to values told at least twice each, and never back to an earlier one."""
        told = [(value, len(list(group))) for value, group in groupby(each.value for each in self.tellings)]
        anew = len({value for value, _ in told}) == len(told)
        return anew and sum(times > 1 for _, times in told[1:]) >= GENERATIONS

    @cached_property
    def _agreed_in_turns(self) -> bool:
        for value, group in groupby(self.tellings, key=lambda each: each.value):
            turns = [listed for listed, _ in groupby(group, key=lambda each: each.listed)]
            if value != self.first and len(turns) >= IN_TURNS:
                return True
        return False

    @property
    def _agreed_at_once(self) -> bool:
        """Whether lists and getPet told the same value of a field that moves, each time they followed each other at once."""
        return self.moves and len(self._told_at_once) >= IN_TURNS and all(self._told_at_once)


def follows(before: Exchange, after: Exchange) -> bool:
    """Whether a request was sent at once after another was answered, or with only a few requests in between."""
    pause_s = after.sent_s - before.answered_s
    return pause_s <= max(SOON_S, IN_TURNS * (after.answered_s - after.sent_s))


def tellings_of(ledger: Ledger, animal: Animal, name: str, from_s: float) -> list[Telling]:
    """The tellings of a field in response to valid requests with the key that were sent from a time on."""
    told = ledger.survey((tellings_of, animal.animal_id, name), lambda: _tellings_of(ledger, animal, name))
    return [each for each in told if each.exchange.sent_s >= from_s]


def _tellings_of(ledger: Ledger, animal: Animal, name: str) -> list[Telling]:
    told: list[tuple[Exchange, Page | None, dict[str, Any]]] = []
    for each in asked_of(ledger, animal):
        shown = each.value if each.status == 200 else None
        if isinstance(shown, dict) and is_integer(shown.get("id")) and shown["id"] == animal.animal_id:
            told.append((each, None, shown))
    pages = ledger.pages_with(animal.animal_id)
    told.extend((page.exchange, page, page.animals[animal.animal_id]) for page in pages)
    told.sort(key=lambda each: (each[0].sent_s, each[0].sequence, each[0].step))
    return [
        Telling(
            exchange,
            page,
            shown.get(name),
            value,
            told_as_of_s(ledger, animal, exchange),
            (value_of(shown, "name", ledger.contract), value_of(shown, "categoryId", ledger.contract)),
        )
        for exchange, page, shown in told
        if (value := value_of(shown, name, ledger.contract)) is not None
    ]


def asked_of(ledger: Ledger, animal: Animal) -> list[Exchange]:
    """The valid getPet requests with the key for an animal."""
    return [
        each
        for each in ledger.gets[animal.animal_id]
        if each.request.credential.counts_as_valid and ledger.reading(each).valid
    ]
