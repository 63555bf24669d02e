"""Values of the run's animals that come once and go at once: wrong now and then, or edited and given back.

An editor who undoes an edit does so in his own time: if the same request is sent again and again, each as soon as the one
before it is answered, several responses in a row show it. A response that is wrong now and then stands alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, starmap
from math import inf
from typing import Final

from animal_conformance.judge.experiments import Experiment, Read
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.tellings import History, Telling
from animal_conformance.record.exchange import Exchange

# Once so many have been seen, each at a time of its own, they are put to the test: a single one is not worth the requests.
# And if so many stood alone, no editor did it.
BLIPS: Final = 2
# Under load, where there are thousands of animals and nothing is put to the test, so many are no editor's work either.
BLIPS_UNDER_LOAD: Final = 6
# How often each of the requests is sent again, and how many responses have to come at once after the two before them. On a
# busy machine, or with a limit on the rate, not all of them do.
READS: Final = 25
ENOUGH: Final = READS // 2
# Three responses follow each other at once if they take no longer than so many times the quickest of them, or so long.
AT_ONCE_TIMES: Final = 4
AT_ONCE_S: Final = 0.1


class Blips:
    """The values of one field that came once and went at once.

    :param histories: of the animals in which the field was told in more than one way.
    """

    def __init__(self, ledger: Ledger, histories: Collection[History]) -> None:
        self._ledger = ledger
        self._histories = histories

    def told(self, history: History) -> tuple[Telling, ...]:
        """The responses that no editor explains, if one of them tells of this animal; none if they are too few."""
        if history.blip is None and not self._alone.get(history.animal.animal_id):
            return ()
        if self._ledger.terms.crowded:
            return self._seen if len(self._seen) >= BLIPS_UNDER_LOAD else ()
        alone = _apart((blip, span) for many in self._alone.values() for blip, *span in many)
        return alone[:BLIPS] if len(alone) >= BLIPS else ()

    @cached_property
    def _alone(self) -> dict[int, list[tuple[Telling, float, float]]]:
        """Those that stood alone among responses to the same request, and from when to when, by the ids of the animals."""
        return {each.animal.animal_id: list(_alone_in(each)) for each in self._histories}

    @cached_property
    def _seen(self) -> tuple[Telling, ...]:
        """Those that somebody may have edited and given back, each in a time of its own."""
        spans = ((each.blip, each.blip_span_s) for each in self._histories)
        return _apart((blip, span) for blip, span in spans if blip and span)

    def experiment_on(self, explanation: str, history: History) -> Experiment | None:
        """Read one of the first of these animals as it was read, again and again, as fast as possible.

        ``None`` if that was done.
        """
        if self._ledger.terms.crowded or len(self._seen) < BLIPS or history.blip not in self._seen[:BLIPS]:
            return None
        blip = history.blip.exchange
        target = blip.request.target
        since = (each for each in self._ledger.exchanges if each.sent_s >= blip.answered_s)
        alike = [each for each in since if each.request.target == target]
        if sum(starmap(_follow_at_once, zip(alike, alike[1:], alike[2:], strict=False))) >= ENOUGH:
            return None
        return Experiment(explanation, (Read(target),) * READS)


def _apart(blips: Iterable[tuple[Telling, Sequence[float]]]) -> tuple[Telling, ...]:
    """Blips in the order of time, each of which began after the one before was over."""
    apart: list[Telling] = []
    last_s = -inf
    for blip, (began_s, ended_s) in sorted(blips, key=lambda each: max(each[1])):
        if began_s >= last_s:
            apart.append(blip)
            last_s = ended_s
    return tuple(apart)


def _alone_in(history: History) -> Iterator[tuple[Telling, float, float]]:
    """Responses that tell another value than those to the same request at once before and after, and from when to when.

    Of two replicas, each may tell its value in turns until they have settled: so the usual value is told once more after
    that, and the other one never twice in a row.
    """
    told: dict[str, list[Telling]] = defaultdict(list)
    last_s: dict[Hashable, float] = {}
    for each in history.tellings:
        told[each.exchange.request.target].append(each)
        last_s[each.value] = max(each.as_of_s, last_s.get(each.value, -inf))
    twice = {
        each.value for many in told.values() for each, after in pairwise(many) if each.value == after.value
    }
    for many in told.values():
        for before, each, after in zip(many, many[1:], many[2:], strict=False):
            if (
                each.value not in {history.first, before.value, *twice}
                and before.value == after.value
                and _follow_at_once(before.exchange, each.exchange, after.exchange)
                and all(one.as_of_s >= one.sent_s for one in (before, each, after))
                and last_s[before.value] >= each.answered_s + history.settle_s
            ):
                yield each, before.sent_s, after.answered_s


def _follow_at_once(*exchanges: Exchange) -> bool:
    """Whether responses came one after another, with hardly a pause."""
    quickest_s = min(each.answered_s - each.sent_s for each in exchanges)
    took_s = exchanges[-1].answered_s - exchanges[0].sent_s
    return took_s <= max(AT_ONCE_S, AT_ONCE_TIMES * quickest_s)
