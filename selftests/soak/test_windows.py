"""A window is judged with what is remembered of those before it, as if nothing had been forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from animal_conformance.judge.hearing import Hearing
from animal_conformance.record.exchange import SOAK, Exchange, FailureKind
from animal_conformance.record.trace import TraceError, TraceWriter
from animal_conformance.session.options import RunOptions
from animal_conformance.soak.judging import counted
from animal_conformance.soak.master import Master
from animal_conformance.soak.memory import Memory
from animal_conformance.soak.settings import SoakOptions
from animal_conformance.soak.standing import Standing, open_in, said_of
from animal_conformance.soak.windows import Window, kind_of_trouble
from animal_conformance.soak.worker import NUMBERS
from selftests.exchanges import (
    ABSENT,
    JSON,
    TERMS,
    animal,
    answered,
    created,
    error,
    got,
    listing,
    lost,
    named,
    posted,
    refused,
    unanswered,
    unauthorised,
    under,
)

SETTLED = replace(TERMS, settle_s=10.0, profile=SOAK)
CLAUSES = frozenset(
    {
        *("animal.id.unique", "get.found", "get.requested", "auth.untraced", "auth.missing.get"),
        *("create.name.exact", "list.limit.accepted", "http.answer"),
    }
)
NAME = "Acabcdefghij"
LATER = "Acabcdefghik"
ONE = created(named(NAME), 7, at=1)
# Two animals, each not found as soon as it is there.
MISSED = [ONE, lost(7, at=1.2)], [created(named(LATER), 8, at=3), lost(8, at=3.2)]
# Lists that are served, every other second.
SERVED = [listing([animal(1)], limit=5, at=at) for at in range(1, 30, 2)]
BROKEN = [unanswered(listing(limit=100), FailureKind.RESET, at=at) for at in range(2, 12, 2)]


def heard(*windows: Iterable[Exchange], shown: Iterable[Exchange] = ()) -> Hearing:
    """What is said of the last window, the others having been forgotten, but not what experiments have shown."""
    memory = Memory()
    for exchanges in windows:
        window = Window.of(exchanges, memory, SETTLED, shown)
        *_, hearing = window.hear(CLAUSES)
        memory.learn(exchanges)
    assert hearing.faults == {}
    return hearing


def failed(*windows: Iterable[Exchange]) -> set[str]:
    """The clauses that the last window breaks."""
    return {clause_id for clause_id, tally in heard(*windows).tallies.items() if tally.found}


def failed_when_sent_again(window: Window, broken: Exchange) -> set[str]:
    """The clauses that a window breaks where a request is broken off two more times."""
    window.add_again([unanswered(broken, at=20.5), unanswered(broken, at=22.5)])
    *_, hearing = window.hear(CLAUSES)
    return {clause_id for clause_id, tally in hearing.tallies.items() if tally.found}


def suspected(*windows: Iterable[Exchange], shown: Iterable[Exchange] = ()) -> set[str]:
    """The clauses on which the last window gives rise to suspicions."""
    tallies = heard(*windows, shown=shown).tallies.items()
    return {clause_id for clause_id, tally in tallies if tally.suspected}


def test_an_id_that_a_forgotten_creation_was_given_is_given_twice() -> None:
    """The creation is rebuilt from what is remembered of it."""
    found = heard([ONE], [created(named(LATER), 7, at=50)]).tallies["animal.id.unique"].found
    assert [named(NAME)] == [each.request.json.value for each in found[0].finding.related]


def test_what_was_found_and_later_is_not_was_withdrawn_perhaps() -> None:
    """Although the reading that found it is forgotten, it is no animal that was never found."""
    born = [ONE, created(named(LATER), 8, at=2)]
    found = [got(7, animal(7, name=NAME), at=1.5), got(8, animal(8, name=LATER), at=2.5)]
    gone = [lost(7, at=60), lost(8, at=61)]
    assert set() == failed([*born, *found], gone)
    assert {"get.found"} == suspected([*born, *found], gone)


def test_two_animals_that_were_never_found_are_lost_whichever_windows_asked_for_them() -> None:
    """One after another, soon after their creation, now and then, and when they had settled."""
    then = [[lost(7, at=at), lost(8, at=at + 2)] for at in (4, 7, 10, 13)]
    assert {"get.found"} == failed(*MISSED, *then)


@pytest.mark.parametrize("then", [(20,), (4, 20), (10, 13)])
def test_what_a_replica_may_have_lacked_before_it_was_gone_is_suspected(then: tuple[int, ...]) -> None:
    """A cleanup takes away animals before anybody has asked a replica that has them."""
    later = [lost(each, at=at) for at in then for each in (7, 8)]
    assert set() == failed(*MISSED, later)
    assert {"get.found"} == suspected(*MISSED, later)


def test_animals_that_lag_are_not_lost() -> None:
    """They were not found soon, and were when they had settled."""
    then = [got(7, animal(7, name=NAME), at=20), got(8, animal(8, name=LATER), at=21)]
    assert set() == failed(*MISSED, then) | suspected(*MISSED, then)


def test_a_rejected_creation_is_known_when_a_later_window_lists_its_animal() -> None:
    """By its name, which is the run's own."""
    earlier = created(named(LATER), 1, at=0.5)
    rejected = unauthorised(created(named(NAME), 7, at=1), ABSENT)
    assert {"auth.untraced"} == failed([earlier, rejected], [listing([animal(9, name=NAME)], at=30)])


def test_a_known_animal_without_a_key_is_the_business_of_its_own_clause() -> None:
    """That there is such an animal was seen in another window."""
    open_to_all = under(got(7, animal(7, name=NAME), at=30), ABSENT)
    assert {"auth.missing.get"} == failed([ONE], [open_to_all])


def test_a_list_that_shows_another_name_for_a_forgotten_animal_gives_rise_to_a_suspicion() -> None:
    """Others may have edited it, which experiments tell."""
    page = listing([animal(7, name="Rex")], limit=100, at=30)
    assert {"create.name.exact"} == suspected([ONE], [page])


@pytest.mark.parametrize("status", [429, 408, 503])
def test_load_may_explain_that_a_request_is_put_off(status: int) -> None:
    """However often in a window, and with others served in between."""
    off = [answered(listing(limit=100, at=at), status, wait="1") for at in range(2, 12, 2)]
    assert {str(status)} == {kind_of_trouble(each) for each in off}
    assert set() == failed([*SERVED, *off]) | suspected([*SERVED, *off])


def test_load_may_explain_that_connections_break_off() -> None:
    """The requests are sent again in the ordinary way before anything is concluded."""
    assert set() == failed([*SERVED, *BROKEN]) | suspected([*SERVED, *BROKEN])
    window = Window.of([*SERVED, *BROKEN], Memory(), SETTLED)
    assert [BROKEN[0].request] == list(window.doubtful)


def test_a_creation_that_is_broken_off_for_what_it_is_is_sent_again_as_well() -> None:
    """Others are served in between."""
    served = [created(named(f"Babette{each}"), each, at=each) for each in range(1, 30, 2)]
    broken = [
        unanswered(posted(named(f"Whisker{at}", status="sold")), FailureKind.RESET, at=at)
        for at in range(2, 12, 2)
    ]
    window = Window.of([*served, *broken], Memory(), SETTLED)
    assert [each.request for each in broken[:3]] == list(window.doubtful)
    assert {"http.answer"} == failed_when_sent_again(window, broken[0])
    keyless = [under(each, ABSENT) for each in broken]
    assert {} == Window.of([*served, *keyless], Memory(), SETTLED).doubtful


def test_a_creation_that_is_put_off_until_tomorrow_is_not_sent_again_today() -> None:
    """A quota of a day says nothing of the creation, and there is no time for what the deployment asks."""
    sent = [created(named(f"Whisker{at}"), at, at=at) for at in range(1, 4)]
    put_off = [answered(each, 403, wait=wait) for each, wait in zip(sent, ("86400", "60", "0"), strict=True)]
    window = Window.of([listing([animal(9)], limit=5), *put_off], Memory(), SETTLED)
    assert [each.request for each in put_off[1:]] == list(window.doubtful)


def test_a_request_that_is_broken_off_again_by_itself_is_a_finding() -> None:
    """As in any run: others are served in between."""
    window = Window.of([*SERVED, *BROKEN], Memory(), SETTLED)
    assert {"http.answer"} == failed_when_sent_again(window, BROKEN[0])


def test_what_was_said_of_windows_adds_up_as_plain_values() -> None:
    """Evidence and findings are counted, and the exchanges of findings survive."""
    standing = Standing(SETTLED, CLAUSES)
    twice = ONE, created(named(LATER), 7, at=50)
    for _ in range(2):
        standing.add(said_of(heard([twice[0]], [twice[1]])))
    tally = standing.settle().tallies["animal.id.unique"]
    assert (2, 1) == (tally.found_count, len(tally.found)), "alike ones are kept once"
    assert twice[1] == tally.found[0].exchange


def test_a_suspicion_is_dropped_only_where_it_was_itself_put_to_the_test() -> None:
    """That one animal was edited explains nothing of another one."""
    born = [ONE, created(named(LATER), 8, at=2)]
    pages = (
        [listing([animal(7, name="Rex"), animal(8, name=LATER)], limit=100, at=30)],
        [listing([animal(7, name=NAME), animal(8, name="Max")], limit=100, at=31)],
    )
    one, other = (heard(born, page) for page in pages)
    standing = Standing(SETTLED, CLAUSES)
    standing.add(said_of(one))
    standing.add(said_of(other))
    standing.add(said_of(heard([]), open_in(one)))
    left = standing.settle().tallies["create.name.exact"].suspected
    assert [other.tallies["create.name.exact"].suspected[0].exchange] == [each.exchange for each in left]
    # The list that shows an animal is another one at another time.
    again = [listing([animal(7, name=NAME), animal(8, name="Max")], limit=50, at=40)]
    standing.add(said_of(heard([]), open_in(heard(born, again))))
    assert [] == standing.settle().tallies["create.name.exact"].suspected


def test_what_others_did_to_three_animals_explains_the_like_of_all() -> None:
    """Where they do so all the time, not all of them can be put to the test."""
    names = {each: f"Acabcdefghi{letter}" for each, letter in enumerate("jklm", start=7)}
    born = [created(named(name), each, at=each - 6) for each, name in names.items()]
    edited = [animal(each, name="Rex") for each in names]
    hearings = [heard(born, [listing([each], limit=100, at=30)]) for each in edited]
    for tested, left in ((2, 1), (3, 0)):
        standing = Standing(SETTLED, CLAUSES)
        for each in hearings:
            standing.add(said_of(each))
        for each in hearings[:tested]:
            standing.add(said_of(heard([]), open_in(each)))
        assert left == bool(standing.settle().tallies["create.name.exact"].suspected)


def test_what_experiments_have_shown_of_animals_does_not_hide_others_that_the_same_list_shows() -> None:
    """Two were edited and put to the test; a third one on their page is suspected by itself."""
    names = {7: NAME, 8: LATER, 9: "Acabcdefghil"}
    born = [created(named(name), each, at=each - 6) for each, name in names.items()]
    edited = [animal(7, name="Rex"), animal(8, name="Max")]
    page, turns = listing([*edited, animal(9, name=names[9])], limit=100), (50, 51, 52)
    shown = [replace(page, sent_s=at, answered_s=at + 0.1) for at in (30, *turns)]
    shown += [got(each["id"], each, at=at + 0.5) for each in edited for at in turns]
    later = listing([*edited, animal(9, name="Tom")], limit=100, at=60)
    tally = heard(born, [later], shown=shown).tallies["create.name.exact"]
    assert ["animal 9"] == [each.suspicion.subject for each in tally.suspected]
    assert all("/pets/7" not in str(each) for each in tally.asked)
    assert set() == suspected(born, [replace(page, sent_s=60.0, answered_s=60.1)], shown=shown)


def test_an_animal_is_remembered_in_some_tens_of_bytes() -> None:
    """So that what is kept does not grow with what is exchanged."""
    memory = Memory()
    born = memory.learn([created(named(NAME), 7, at=1), got(7, animal(7, name=NAME), at=2), refused(error())])
    assert [True] == [len(each) < 100 for each in born]


def test_whatever_creates_an_animal_is_counted(tmp_path: Path) -> None:
    """Even if too little of it is known to remember it."""
    master = Master(SoakOptions(RunOptions(report_dir=tmp_path)), SETTLED.base_url)
    strange = created({"name": NAME, "categoryId": "1"}, 8)
    asked_for_anything = created(named(LATER), 9, sent_headers=(*JSON, ("Accept", "image/gif, */*; q=.2")))
    born = Memory().learn([strange, asked_for_anything])
    assert 1 == len(born)
    master.take(counted([strange, asked_for_anything], born))
    assert [8, 9] == master.finish()["leftovers"]


def test_a_trace_that_cannot_be_written_further_ends_a_soak_with_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no fault of the suite's, and the report is of what was judged."""
    master = Master(SoakOptions(RunOptions(report_dir=tmp_path)), SETTLED.base_url)

    def full(*_: object) -> None:
        raise TraceError("Cannot write the trace: no space left on device.")

    monkeypatch.setattr(TraceWriter, "_put", full)
    for worker in (0, 1):
        twice = replace(created(named(NAME), 7, at=1 + worker), sequence=2 * worker * NUMBERS + 2)
        master.take(counted([twice], Memory().learn([twice])))
    assert "no space left on device" in master.ended
    report = master.finish(stopped=master.ended)
    assert ("does-not-conform", []) == (report["outcome"], report["suite_faults"])
    assert "no space left on device" in report["run"]["stopped"]


def test_the_master_leaves_to_a_worker_what_the_worker_has_seen(tmp_path: Path) -> None:
    """An id given twice by one worker is counted where it was found, and one given by two at the master."""
    options = SoakOptions(RunOptions(report_dir=tmp_path))
    for worker, outcome in ((0, "untested"), (1, "failed")):
        master = Master(options, SETTLED.base_url)
        twice = (
            replace(created(named(NAME), 7, at=1), sequence=1),
            replace(created(named(LATER), 7, at=1.5), sequence=2 * worker * NUMBERS + 2),
        )
        for each in twice:
            master.take(counted([each], Memory().learn([each])))
        outcomes = {each["id"]: each["outcome"] for each in master.finish()["clauses"]}
        assert outcome == outcomes["animal.id.unique"]


def test_ids_given_twice_by_two_processes_are_seen_where_both_are_known() -> None:
    """And the same creation told twice is none."""
    one = Memory().learn([created(named(NAME), 7, at=1)])
    other = Memory().learn([created(named(LATER), 7, at=1.5)])
    memory = Memory()
    assert [] == memory.learn_of_others(one) == memory.learn_of_others(one)
    assert [(one[0], other[0])] == memory.learn_of_others(other)
