"""A field of an animal that is told in more than one way: changed once, which is lawful, or told both ways in turns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIST
from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.judge.experiments import CACHED, EDITED, MOVED, Experiment, followed, in_turns
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import LONGEST_S
from animal_conformance.judge.knowledge.tellings import GENERATIONS, PARTS, History, Telling
from animal_conformance.judge.suspicions.lists.flipping import flips_of
from animal_conformance.judge.suspicions.values.alternating import alternates, experiment_on, first_of
from animal_conformance.judge.suspicions.values.blips import Blips
from animal_conformance.judge.suspicions.values.fresh import Fresh
from animal_conformance.judge.suspicions.values.histories import Histories, Of
from animal_conformance.judge.suspicions.values.owners import Owners
from animal_conformance.record.exchange import Exchange

# How many of the animals on one page are asked for one by one; what getPet says of them decides for the others.
FEW: Final = 2
# This many that were put to the test decide for all animals of others, and for those of the run if they go on changing:
# such a store never settles.
SAMPLE: Final = 4
OWN: Final = tuple((name, Of.RUN) for name in PAYLOAD_FIELDS)
OTHERS: Final = (*((name, Of.OTHERS) for name in PAYLOAD_FIELDS), ("status", Of.FILTERED))


@dataclass(frozen=True)
class Ruling:
    """What is known of a field that was told in more than one way.

    ``why`` and ``excluding`` are set for a finding: what is wrong, and the responses that exclude an explanation.
    ``experiments`` are what is still to be tried; if there is neither, the change has a lawful explanation.
    """

    history: History
    why: str = ""
    excluding: tuple[Exchange, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    explanation: str = ""


class Survey:
    """The rulings on one field of all animals that were told in more than one way."""

    def __init__(self, ledger: Ledger, name: str, of: Of) -> None:
        self._ledger = ledger
        self._name = name
        self._of = of
        self._explanation = MOVED if name == "status" else EDITED
        of_field = Histories(ledger, name, of)
        self._histories = {each.animal.animal_id: each for each in of_field.changed()}
        self._fresh = Fresh(
            self._explanation,
            ledger.creations,
            self._histories.values() if of is Of.RUN else (),
            lambda creation: of_field.of(ledger.animals[creation.animal_id]),
            self._has_no_room,
        )
        self._owners = Owners(ledger, self._histories.values() if of is Of.OTHERS else ())
        # Not those of others, which are edited many at once, again and again.
        self._blips = Blips(ledger, self._histories.values() if of is Of.RUN else ())
        self._disputes = Counter(target for each in self._histories.values() for target in each.disputed)
        self._target_of = {animal_id: self._target(each) for animal_id, each in self._histories.items()}
        self._by_target: dict[str, list[History]] = defaultdict(list)
        for animal_id, each in self._histories.items():
            self._by_target[self._target_of[animal_id]].append(each)

    @property
    def histories(self) -> Collection[History]:
        """Those of the animals that were told in more than one way."""
        return self._histories.values()

    # Rulings

    @cached_property
    def rulings(self) -> dict[int, Ruling]:
        """The rulings by the ids of the animals."""
        return {animal_id: self._ruling(each) for animal_id, each in self._histories.items()}

    def _ruling(self, history: History) -> Ruling:
        apart = history.told_apart(restless=self._is_restless)
        if apart is not None:
            return self._finding(history, "Lists and getPet go on returning it differently.", apart)
        found = self._moved(history) if self._name == "status" else self._changed_name_or_category(history)
        if found is not None:
            return found
        if self._bursts is not None:
            # They may decide for all, and other experiments might leave no requests for them.
            return Ruling(history, experiments=(self._bursts,), explanation=self._explanation)
        twice = None if self._ledger.terms.crowded else self._fresh.wrong_twice
        if twice is not None and self._fresh.is_wrong_at_first(history):
            return self._finding(history, "It is wrong in the first reading.", *twice)
        target = self._target_of[history.animal.animal_id]
        # A response that shows a new animal is never older than the animal.
        stored = history.stored_s > LONGEST_S
        asked = [*self._fresh_ones(history, target), *(() if stored else self._others(history, target))]
        experiments = tuple(filter(None, asked))
        return Ruling(history, experiments=experiments, explanation=CACHED if stored else self._explanation)

    def _fresh_ones(self, history: History, target: str) -> Iterator[Experiment | None]:
        if self._fresh.is_wrong_at_first(history):
            yield self._fresh.experiment_on_first(history, target)
        elif self._name != "status" and self._fresh.is_right_at_first(history):
            yield self._fresh.later.experiment_on_change(target)

    def _others(self, history: History, target: str) -> Iterator[Experiment | None]:
        moves_on, decided = self.keeps_moving and self.sampled, self._is_decided(history, target)
        if self._of is Of.RUN and decided and not self._is_compared(history, target) and not moves_on:
            yield self._fresh.experiment_unseen(history, target, self._read[target])
        if self._name != "status":
            yield experiment_on(self._explanation, history, self.histories)
            yield self._blips.experiment_on(self._explanation, history)
        elif self._of is not Of.FILTERED and not moves_on:
            yield flips_of(self._ledger).experiment_on(history.animal.animal_id)
        if self._is_restless and history.animal.animal_id in self._apart.get(target, ()):
            yield self._follow(history, target)
        if not self._agreed(history, target):
            yield self._turns(target)

    def _moved(self, history: History) -> Ruling | None:
        alternating = None if self._of is Of.FILTERED or self._ledger.terms.crowded else alternates(history)
        if alternating is not None:
            return self._finding(history, "It alternates.", alternating)
        return self._flipped(history)

    def _flipped(self, history: History) -> Ruling | None:
        flips, ids = flips_of(self._ledger).found
        if self._of is Of.FILTERED or history.animal.animal_id not in ids:
            return None
        why = "Some lists tell another status of many animals, and others and getPet do not, in turns."
        excluding = (one for each in flips for one in (each.page.exchange, *each.denied_by))
        return Ruling(history, why, tuple(excluding), explanation=self._explanation)

    def _changed_name_or_category(self, history: History) -> Ruling | None:
        alternating = alternates(history)
        if alternating is not None:
            apart = "Sent in turns, each request keeps returning the same value as before, but the values differ between requests."
            why = apart if history.goes_with_query else "It alternates."
            return self._finding(history, why, alternating)
        crowded = self._ledger.terms.crowded
        blips = self._blips.told(history)
        if blips:
            return self._finding(history, "It is wrong now and then.", *blips)
        if self._name == "name":
            of_another = self._owners.named(history, at_first=self._fresh.is_wrong_at_first(history))
            if of_another is not None:
                return self._finding(history, f"It is that of animal {of_another[1]}.", of_another[0])
        if not crowded and self._fresh.is_right_at_first(history):
            each_one = self._fresh.later.each_changes(history)
            if each_one is not None:
                return self._finding(history, "It changes in every new animal like it.", each_one)
            at_age = self._fresh.later.changes_at_age(history)
            if at_age is not None:
                age, told = at_age
                return self._finding(
                    history,
                    f"It changes in every new animal like it, at an age {age}.",
                    *told,
                )
        return None

    def _finding(self, history: History, why: str, *excluding: Telling) -> Ruling:
        exchanges = tuple(each.exchange for each in excluding)
        return Ruling(history, why, exchanges, explanation=self._explanation)

    # Asking again

    def _has_no_room(self, page: Page, creation: Creation) -> bool:
        """Whether the query of a list has been full since a creation, and has not shown the animal."""
        since_s = creation.answered_s
        since = (each for each in self._ledger.completeness.alike(page) if each.sent_s >= since_s)
        without = [not each.ends_early and creation.animal_id not in each.id_set for each in since]
        return bool(without) and all(without)

    def _target(self, history: History) -> str:
        """The list that shows the change, or else the animal; of several, the one with the largest limit.

        A list that last told another value than getPet, and still shows the animal, comes first; of several such lists,
        the one that does so for most animals.
        """

        def order(target: str) -> tuple[bool, int, int, float]:
            page = history.disputed[target]
            shown = history.animal.animal_id in self._last_shown[target]
            return shown, self._disputes[target], page.limit, page.sent_s

        if history.disputed:
            return max(history.disputed, key=order)
        for tellings in (history.changed, history.tellings):
            pages = [each.page for each in tellings if each.page is not None]
            if pages:
                return max(pages, key=lambda each: (each.limit, each.sent_s)).exchange.request.target
        return LARGEST_LIST

    def _agreed(self, history: History, target: str) -> bool:
        """Whether getPet and lists agree after settling: on this animal, on a few in the same list, or on a sample."""
        if self._is_decided(history, target):
            return True
        # A lasting change shows once; one that goes back when another query is asked is put to the test all the same.
        to_and_fro = history.goes_with_query and len(history.turns) > 1
        if self.sampled and not (to_and_fro and self._read[target] < history.settled_s):
            return True
        few = sum(self._is_decided(each, target) for each in self._beside(history, target))
        return few >= FEW and (self._read[target] >= history.settled_s or self.goes_on)

    def _beside(self, history: History, target: str) -> Iterator[History]:
        """Those that are put to the test with the same list, or that it shows and that changed at about the same time."""
        yield from self._by_target[target]
        for animal_id in self._last_shown[target]:
            each = self._histories.get(animal_id)
            if each is None or self._target_of[animal_id] == target:
                continue
            # Animals that were changed at one moment are first seen to differ one after the other.
            if abs(each.settled_s - history.settled_s) < history.settle_s:
                yield each

    @cached_property
    def _is_restless(self) -> bool:
        """Whether getPet shows that animals go on moving."""
        return self._name == "status" and any(each.is_restless for each in self._histories.values())

    @cached_property
    def keeps_moving(self) -> bool:
        """Whether getPet has told more than one change of an animal, so that the last one will not stay either."""
        return self._name == "status" and any(each.moves_seen > 1 for each in self._histories.values())

    @cached_property
    def _apart(self) -> dict[str, AbstractSet[int]]:
        """For each list, a few of the animals that it told differently from getPet, as long as few were followed.

        Those that it still shows come first; of the others, only those told differently in turns. Where animals keep
        moving, a sample decides for all.
        """
        apart: dict[str, AbstractSet[int]] = {}
        surveys = (survey_of(self._ledger, self._name, of) for of in Of)
        if self.keeps_moving and sum(each.followed for each in surveys) >= SAMPLE:
            return apart
        for target, many in self._by_target.items():
            shown = self._last_shown[target]
            waiting = [each for each in many if not each.was_followed]
            now = [each for each in waiting if each.is_apart and each.animal.animal_id in shown]
            before = [each for each in waiting if each not in now and each.told_apart() is not None]
            ids = [each.animal.animal_id for each in (*now, *before)]
            apart[target] = frozenset(ids[: max(0, FEW - sum(each.was_followed for each in many))])
        return apart

    @cached_property
    def _bursts(self) -> Experiment | None:
        """Those for an animal whose status seems to alternate, of the run if there is any, and otherwise of others."""
        if self._name != "status" or self._of is Of.FILTERED:
            return None
        surveys = (survey_of(self._ledger, self._name, of) for of in (Of.RUN, Of.OTHERS))
        return first_of(self._explanation, *(each.histories for each in surveys))

    def _follow(self, history: History, target: str) -> Experiment:
        every_s = round(history.settle_s / PARTS, 3)
        return followed(self._explanation, target, f"/pets/{history.animal.animal_id}", every_s, PARTS)

    @cached_property
    def _decided(self) -> list[History]:
        """The histories of the animals that were put to the test, each by itself."""
        return [
            each
            for target, many in self._by_target.items()
            for each in many
            if self._is_decided(each, target)
        ]

    @property
    def followed(self) -> int:
        """How many animals were followed."""
        return sum(each.was_followed for each in self._histories.values())

    @property
    def decided(self) -> int:
        """How many animals were put to the test, each by itself."""
        return len(self._decided)

    @cached_property
    def goes_on(self) -> bool:
        """Whether some animals changed after others had settled, and more after these, so that it never ends."""
        changes, settled_s = 0, float("-inf")
        for each in sorted(self._decided, key=lambda each: each.settled_s):
            if each.settled_s - each.settle_s >= settled_s:
                changes, settled_s = changes + 1, each.settled_s
        return changes >= GENERATIONS

    @cached_property
    def sampled(self) -> bool:
        """Whether enough were put to the test: of the animals of others, or of the run's if they go on changing."""
        if self._of is Of.FILTERED and self.keeps_moving and self.decided >= FEW:
            return survey_of(self._ledger, self._name, Of.RUN).sampled
        fields = OWN if self._of is Of.RUN else OTHERS
        if self._of is Of.RUN and self.keeps_moving:
            # Filtered lists tell of the same moves.
            fields = (*OWN, ("status", Of.FILTERED))
        surveys = [survey_of(self._ledger, *each) for each in fields]
        if self._of is Of.RUN and not (
            self.decided >= FEW and any(each.goes_on or each.keeps_moving for each in surveys)
        ):
            return False
        return sum(each.decided for each in surveys) >= SAMPLE

    def _is_compared(self, history: History, target: str) -> bool:
        """Whether lists and getPet both told of the animal after settling, or of a few in the same list."""
        return history.agreed or sum(each.agreed for each in self._by_target[target]) >= FEW

    def _is_decided(self, history: History, target: str) -> bool:
        """Whether getPet was asked and the list read after settling; a list that has lost the animal tells nothing more.

        Somebody may go on editing an animal that no list shows any more.
        """
        unseen = history.animal.animal_id not in self._last_shown[target]
        return (
            history.agreed
            or (history.goes_on and unseen)
            or (history.was_asked and self._read[target] >= history.settled_s)
        )

    @cached_property
    def _read(self) -> dict[str, float]:
        """How recent the pages of each list are, by their targets: the latest of their ``as_of_s``."""
        read: dict[str, float] = defaultdict(lambda: float("-inf"))
        for page in self._ledger.pages:
            target = page.exchange.request.target
            read[target] = max(read[target], page.as_of_s)
        return read

    @cached_property
    def _last_shown(self) -> dict[str, AbstractSet[int]]:
        """The animals on the last page of each list, by their targets."""
        shown: dict[str, AbstractSet[int]] = defaultdict(frozenset)
        for page in self._ledger.pages:
            shown[page.exchange.request.target] = page.id_set
        return shown

    def _turns(self, target: str) -> Experiment:
        """Read a page and a few of its animals in turns.

        Animals that it still shows come first, and of them those that were seen to change more than once.
        """
        among = [each for each in self._by_target[target] if not self._is_decided(each, target)]
        shown = self._last_shown[target]
        among.sort(
            key=lambda each: (each.animal.animal_id not in shown, -len(each.turns), each.animal.animal_id)
        )
        few = [f"/pets/{each.animal.animal_id}" for each in among[:FEW]]
        from_s = max(each.settled_s + each.stored_s for each in among)
        stored = any(each.stored_s for each in among)
        return in_turns(CACHED if stored else self._explanation, (target, *few), from_s)


def survey_of(ledger: Ledger, name: str, of: Of) -> Survey:
    """The rulings on a field, made once for a trace."""
    return ledger.survey((name, of), lambda: Survey(ledger, name, of))
