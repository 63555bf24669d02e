"""Valid creations that are rejected now and then: for a quota that has places again, or by chance, by a node, for what came before."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from math import ceil, inf, prod
from statistics import fmean
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIST
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import (
    UNWELCOME,
    Again,
    Create,
    Experiment,
    Naming,
    Read,
    Step,
    Wait,
)
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import PlainTrial
from animal_conformance.record.exchange import Exchange

# This many rejected requests are sent again: one that is rejected for its name stays rejected.
SENT_AGAIN: Final = 5
# How often a rejection after a silence has to be taken back at once, in this many tries, or in twice as many if any was.
TIMES: Final = 3
TRIES: Final = 12
# An experiment makes so many of them: a run may have no requests left for more.
AT_A_TIME: Final = 6
# Two are enough if the silences were, one times the other, so many times as long as it took until the request was accepted.
ODDS: Final = 10_000
# A silence is at least this many times as long as it takes until the same request is accepted. A quota that has places
# again so soon would have had one during the silence: it is not the reason.
LONGER: Final = 12
# Clocks tell no shorter time apart.
SHORTEST_RETRY_S: Final = 0.0005
SHORTEST_SILENCE_S: Final = 0.35
# In round-trip times; three requests may follow a silence.
SILENCE_TRIPS: Final = 36
# Silences differ in length, so that the period of a quota coincides with one of them at most.
LENGTHS: Final = (1.0, 1.37, 1.13, 1.79, 1.51)
# The latency is rounded up, so that the same experiment is asked for, however long a single request took.
LATENCY_STEP_S: Final = 0.02
# Where a creation takes long, silences do too. Then there are fewer tries, and none if three would exceed this.
LONGEST_TRIALS_S: Final = 270.0
NOBODYS: Final = "/pets/8000000000000003"


def rejected_now_and_then(case: Case, category_id: int, status: str | None, what: str) -> Opinion:
    """What it means that a plain creation is rejected while others like it are accepted before and afterwards.

    :param status: the status that was sent in the judged one; ``None`` for none.
    :param what: the creations that the clause is about, such as ``without status``.
    :returns: ``None`` if no others are accepted, or if those that were rejected stay rejected.
    """
    series = _series_of(case.ledger, category_id)
    if status not in series.accepted_with or not series.rejected:
        return None
    if series.tries_at_most < TIMES:
        return None
    if series.is_no_quota:
        # Where some with a status were rejected, the others were not rejected for having none.
        first = next((each for each, _ in series.at_once if each.status is not None), series.at_once[0][0])
        if first.exchange is not case.exchange:
            return None  # that one says so
        return _finding(case, what, [accepted for _, accepted in series.at_once])
    if not series.taken_back:
        lasting = series.asked_again >= min(SENT_AGAIN, len(series.first_of_each))
        return None if lasting else _suspicion(case, what, _asked_again(series))
    if not series.at_once:
        # A silence has to hold in all categories: tries in several of them would disturb each other.
        series = case.ledger.survey("first of all", lambda: _first_of_all(case.ledger))
    if series.tries >= series.tries_at_most * (2 if series.at_once else 1):
        return Explained(UNWELCOME)
    return _suspicion(case, what, _after_silences(series))


class Series:
    """The plain creations in one category.

    :attr:`accepted_with` are the statuses (``None`` for none) that were accepted.
    """

    def __init__(self, ledger: Ledger, category_id: int) -> None:
        self._ledger = ledger
        self.category_id = category_id
        of_category = (each for each in ledger.plain_trials if each.category_id == category_id)
        self._all = sorted(of_category, key=lambda each: each.sent_s)
        self.accepted_with = {each.status for each in self._all if each.accepted}

    @cached_property
    def latency_s(self) -> float:
        """The shortest time that one of them took, rounded up."""
        shortest_s = min((each.answered_s - each.sent_s for each in self._all), default=0.0)
        return ceil(shortest_s / LATENCY_STEP_S) * LATENCY_STEP_S

    @property
    def silence_s(self) -> float:
        """The shortest length of a silence."""
        return max(SHORTEST_SILENCE_S, SILENCE_TRIPS * self.latency_s - LATENCY_STEP_S)

    @property
    def tries_at_most(self) -> int:
        """How many tries the experiments make, until one of them shows anything."""
        return min(TRIES, int(LONGEST_TRIALS_S / (self.silence_s * fmean(LENGTHS))))

    @cached_property
    def rejected(self) -> Sequence[PlainTrial]:
        """Those that were rejected under names that no animal had yet: names may have to be unique."""
        made_s: dict[str, float] = {}
        for each in self._all:
            if each.accepted:
                made_s.setdefault(each.name, each.sent_s)
        return [
            each
            for each in self._all
            if not each.accepted
            and each.name not in self._ledger.names.unclear
            and made_s.get(each.name, inf) >= each.answered_s
        ]

    @cached_property
    def rejected_with(self) -> Sequence[str | None]:
        """The statuses of the rejected ones; ``None`` stands for no status."""
        return sorted({each.status for each in self.rejected}, key=str)

    @cached_property
    def first_of_each(self) -> Sequence[Exchange]:
        """The first rejection of each name."""
        first: dict[str, Exchange] = {}
        for each in self.rejected:
            first.setdefault(each.name, each.exchange)
        return tuple(first.values())

    @cached_property
    def asked_again(self) -> int:
        """How many of the rejected requests were sent again afterwards."""
        return sum(
            any(again.sent_s >= each.answered_s for again in self._ledger.asked[each.request])
            for each in self.first_of_each
        )

    @cached_property
    def taken_back(self) -> Sequence[tuple[PlainTrial, Exchange]]:
        """The rejected ones whose request was accepted afterwards, each with that acceptance."""
        accepted = ((each, self._ledger.accepted_again(each.exchange)) for each in self.rejected)
        return [(each, exchange) for each, exchange in accepted if exchange is not None]

    @cached_property
    def at_once(self) -> Sequence[tuple[PlainTrial, Exchange]]:
        """Those that were rejected after a silence and accepted at once when sent again; at most one for each silence."""
        return [
            (each, accepted)
            for each, accepted in self.taken_back
            if self._silence_before_s(each) >= LONGER * (accepted.answered_s - each.sent_s)
            and self._others_stayed(each.exchange, accepted)
        ]

    @cached_property
    def is_no_quota(self) -> bool:
        """Whether a quota would have had a place again just after the rejection too often to be its reason."""
        longer = (
            self._silence_before_s(each) / max(accepted.answered_s - each.sent_s, SHORTEST_RETRY_S)
            for each, accepted in self.at_once
        )
        return len(self.at_once) >= TIMES or (len(self.at_once) >= TIMES - 1 and prod(longer) >= ODDS)

    def _others_stayed(self, rejected: Exchange, accepted: Exchange) -> bool:
        """Whether lists before and after show that no animal of others came or went, which could give or take a place.

        New animals of the run may push as many others out of a full list.
        """
        pages = self._ledger.survey("pages of all", lambda: _pages_of_all(self._ledger))
        before = [each for each in pages if each.answered_s <= rejected.sent_s][-1:]
        after = pages[bisect_left(pages, accepted.answered_s, key=lambda each: each.sent_s) :][:1]
        if not before or not after:
            return False
        own = {each.animal_id for each in self._ledger.creations}
        new, gone = after[0].id_set - before[0].id_set, before[0].id_set - after[0].id_set
        pushed = len(new) if before[0].length >= before[0].limit else 0
        return new <= own and len(gone - own) <= pushed

    @cached_property
    def tries(self) -> int:
        """How many creations came after a silence, since the first rejection was taken back."""
        since_s = min((accepted.answered_s for _, accepted in self.taken_back), default=inf)
        later = (each for each in self._all if each.sent_s >= since_s)
        return sum(self._silence_before_s(each) >= self.silence_s * 0.9 for each in later)

    def silence(self, number: int) -> Wait:
        """The silence before the try with this number."""
        # No experiment is performed twice, so the next one has other silences.
        longer = 1.0 + 0.01 * min(self.tries, 2 * TRIES)
        return Wait(round(self.silence_s * longer * LENGTHS[number % len(LENGTHS)], 3))

    def _silence_before_s(self, trial: PlainTrial) -> float:
        """For how long before a try nothing had been created and no plain creation had been tried."""
        sent_s = trial.sent_s
        made = self._ledger.survey("made by answer", lambda: _answers(self._ledger))
        at = bisect_left(self._tried_s, sent_s)
        before = [*islice(reversed(self._tried_s[:at]), 1), *made[: bisect_left(made, sent_s)][-1:]]
        return sent_s - max(before, default=0.0)

    @cached_property
    def _tried_s(self) -> Sequence[float]:
        return sorted(each.answered_s for each in self._all)


def _series_of(ledger: Ledger, category_id: int) -> Series:
    return ledger.survey(("now and then", category_id), lambda: Series(ledger, category_id))


def _first_of_all(ledger: Ledger) -> Series:
    """The series of the category in which most rejections were taken back; the first one of several."""
    rejected = dict.fromkeys(each.category_id for each in ledger.plain_trials if not each.accepted)
    return max((_series_of(ledger, each) for each in rejected), key=lambda each: len(each.taken_back))


def _answers(ledger: Ledger) -> Sequence[float]:
    """When each creation was answered."""
    return sorted(each.answered_s for each in ledger.creations)


def _pages_of_all(ledger: Ledger) -> Sequence[Page]:
    """The pages of the list that is read before each silence, in their order."""
    return [each for each in ledger.completeness.pages if each.exchange.request.target == LARGEST_LIST]


def _asked_again(series: Series) -> Experiment:
    """Send the first rejected requests once more, each after a silence."""
    steps: list[Step] = []
    for number, each in enumerate(series.first_of_each[:SENT_AGAIN]):
        steps += [series.silence(number), Again(each.request, anew=number % 2 == 1)]
    return Experiment(UNWELCOME, tuple(steps))


def _after_silences(series: Series) -> Experiment:
    """Try creations after silences, between lists, and send the rejected ones again at once.

    Some are sent on new connections, some after an invalid request or after a getPet for an animal that does not exist.
    """
    steps: list[Step] = []
    for number in range(series.tries, series.tries + min(AT_A_TIME, series.tries_at_most)):
        status = series.rejected_with[number % len(series.rejected_with)]
        payload = {"name": "", "categoryId": series.category_id} | (
            {} if status is None else {"status": status}
        )
        body, anew = json.dumps(payload), number % 4 > 1
        # This list shows what others create or take away meanwhile.
        steps += [Read(LARGEST_LIST), series.silence(number)]
        if number % 3 == 2:
            without_category = json.dumps({"name": ""})
            steps.append(Create(without_category, Naming.UNLIKE, anew=anew))
            anew = False
        elif number % 3 == 1:
            steps.append(Read(NOBODYS, anew=anew))
            anew = False
        again = (Create(body, Naming.RETRY), Create(body, Naming.RETRY, anew=True))
        steps += [Create(body, Naming.UNLIKE, anew=anew), *again]
    return Experiment(UNWELCOME, (*steps, Read(LARGEST_LIST)))


def _suspicion(case: Case, what: str, experiment: Experiment) -> Suspicion:
    return Suspicion(_finding(case, what, ()), f"create requests {what}", (experiment,))


def _finding(case: Case, what: str, accepted: Sequence[Exchange]) -> Finding:
    return Finding(
        f"Create requests {what} are rejected now and then, and accepted when they are sent again at once. That was no "
        "quota: no animal had been created for a while, nor had lists shown that others came or went.",
        "201",
        case.describe(),
        related=tuple(accepted),
        excluded=tuple((UNWELCOME, each) for each in accepted),
    )
