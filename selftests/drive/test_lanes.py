"""lanes.py: items side by side mean what they mean one after another, and the limits of a run hold for all of them."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest

from animal_conformance.drive.batch import Needs
from animal_conformance.drive.lane import Lane
from animal_conformance.interface.reading import created_id
from animal_conformance.send.budget import Budget
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.width import open_lanes
from selftests.drive.stores import WIDTHS, store_at
from selftests.loopback.server import Answer, Visit, error, only


def create(lane: Lane, _: int) -> object:
    """An animal with a fresh name."""
    return lane.create_pet({"name": lane.name(), "categoryId": 1})


def gather(count: int) -> Callable[[Visit], Answer]:
    """Answer nobody before so many wait for their answer at the same time."""
    together = threading.Barrier(count)

    def behave(visit: Visit) -> Answer:
        together.wait(timeout=20)
        return visit.honest()

    return behave


def test_as_many_items_as_there_are_lanes_are_in_flight() -> None:
    """Each waits for its answer while the others are asked for."""
    with store_at(4, gather(4)) as (store, recorded, server):
        store.side_by_side(range(8), lambda lane, _: lane.list_pets())
        store.gather()
        assert {200} == {each.response.status for each in recorded if each.response}
        assert 4 == server.connections


def test_an_items_requests_stay_in_order_on_one_connection() -> None:
    """What a lane sends follows what it was answered before."""

    def create_and_get(lane: Lane, _: int) -> int | None:
        return lane.create_and_get({"name": lane.name(), "categoryId": 1})

    with store_at(4) as (store, recorded, _):
        store.side_by_side(range(12), create_and_get)
        store.gather()
        by_item = defaultdict(list)
        for each in recorded:
            by_item[each.sequence].append(each)
        assert 12 == len(by_item)
        for first, second in by_item.values():
            assert (1, 2) == (first.step, second.step)
            assert first.answered_s <= second.sent_s


def test_numbers_and_names_are_those_of_the_items_at_any_width() -> None:
    """Which answer comes first decides neither."""
    seen = []
    for width in WIDTHS:
        with store_at(width) as (store, recorded, _):
            store.list_pets()
            store.side_by_side(range(20), create)
            store.create_pet({"name": store.name(), "categoryId": 1})
            seen.append(sorted((each.sequence, each.step, each.request) for each in recorded))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("width", WIDTHS)
def test_what_each_item_gave_comes_back_in_the_order_of_the_items(width: int) -> None:
    """Also where a later one ends first."""

    def slower_first(lane: Lane, item: int) -> int:
        lane.list_pets()
        time.sleep(0.02 * (3 - item % 4))
        return item

    with store_at(width) as (store, _, _):
        assert list(range(8)) == list(store.side_by_side(range(8), slower_first))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_limit_of_creations_is_exact_and_cuts_off_the_last_items(width: int) -> None:
    """The first seven create, the eighth may not, and none begins after it."""
    with store_at(width, budget=Budget(creates=7)) as (store, recorded, server):
        with pytest.raises(Spent):
            list(
                store.lanes.drive(
                    range(20), lambda sender, item: create(Lane(store, sender, item), item), Needs(creates=1)
                )
            )
        assert 7 == server.shop.created
        assert list(range(1, 8)) == sorted(each.sequence for each in recorded)


def test_a_creation_waits_for_places_that_may_come_back() -> None:
    """Two places, the first two creations are refused: the third is none too many."""
    held = threading.Event()

    def refuse_some(visit: Visit) -> Answer:
        if b"refuse" in visit.caught.body:
            held.wait(20)
            return error(400)
        return visit.honest()

    def create_named(lane: Lane, name: str) -> int:
        if name == "keep":
            threading.Timer(0.2, held.set).start()
        exchange = lane.create_pet({"name": name, "categoryId": 1})
        return exchange.response.status if exchange.response else 0

    with store_at(3, only("create", behaviour=refuse_some), Budget(creates=2)) as (store, _, server):
        statuses = store.at_once(["refuse 1", "refuse 2", "keep"], create_named)
        assert [201, 400, 400] == sorted(statuses)
        assert 1 == server.shop.created


@pytest.mark.parametrize("width", WIDTHS)
def test_a_limit_of_requests_is_exact(width: int) -> None:
    """Not one more, whoever asks."""
    with store_at(width, budget=Budget(requests=33)) as (store, recorded, server):
        with pytest.raises(Spent):
            list(store.side_by_side(range(50), lambda lane, _: lane.list_pets()))
        assert 33 == len(recorded) == len(server.log)


@pytest.mark.timed
def test_a_rate_holds_over_all_lanes() -> None:
    """Between a request and the twentieth after it lies a second, as the server sees it."""
    with store_at(8, budget=Budget(rate=20)) as (store, _, server):
        store.side_by_side(range(45), lambda lane, _: lane.list_pets())
        store.gather()
        times = sorted(each.at_s for each in server.log)
        assert 45 == len(times)
        assert all(last - first >= 1.0 for first, last in zip(times, times[20:], strict=False))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """What was started in the background of a shell ignores interruptions."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_ends_what_is_in_flight_within_a_second() -> None:
    """What was not answered is not recorded, and nothing more is sent."""
    asked = threading.Semaphore(0)

    def never(visit: Visit) -> Answer:
        asked.release()
        visit.wire.wait(30)
        return None

    def interrupt() -> None:
        for _ in range(4):
            asked.acquire(timeout=20)
        os.kill(os.getpid(), signal.SIGINT)

    with store_at(4, never) as (store, recorded, server):
        interrupting = threading.Thread(target=interrupt)
        interrupting.start()
        with pytest.raises(KeyboardInterrupt):
            store.side_by_side(range(20), lambda lane, _: lane.list_pets())
        interrupted_s = time.monotonic()
        store.lanes.close()
        assert time.monotonic() - interrupted_s < 1.0
        assert [] == recorded
        assert 4 == len(server.log)


@pytest.mark.parametrize(("quick_s", "width"), [(60.0, 1), (0.0, 8)])
def test_the_width_follows_from_how_long_an_answer_takes(
    quick_s: float, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where answers come at once, lanes save nothing; what counts as at once is set, as a loaded machine is slow."""
    monkeypatch.setattr("animal_conformance.send.width.QUICK_S", quick_s)
    with store_at(1) as (store, _, _):
        exchange = store.list_pets()
        store.lanes.open(
            open_lanes(store.client, store.client.reserve(), exchange.answered_s - exchange.sent_s, None)
        )
        assert width == store.lanes.width


def test_no_more_lanes_are_opened_than_a_rate_fills() -> None:
    """Two a second with answers within a second: one is awaited while two may be sent."""
    with store_at(1, budget=Budget(rate=2)) as (store, _, _):
        assert 2 == len(open_lanes(store.client, store.client.reserve(), 0.9, None))


def test_a_batch_begins_while_the_one_before_is_still_in_flight() -> None:
    """Where nobody asks for what came of that; the store's own requests come after all of it."""
    with store_at(4, gather(4)) as (store, recorded, server):
        store.side_by_side(range(2), lambda lane, _: lane.list_pets())
        store.side_by_side(range(6), lambda lane, _: lane.list_pets())
        store.gather()
        assert 8 == len(recorded)
        assert 4 == server.connections


def test_what_creates_and_what_does_not_are_not_in_flight_together() -> None:
    """What is read beside a creation would depend on which of them comes first."""
    with store_at(4) as (store, recorded, _):
        store.side_by_side(range(6), create, creates=1)
        store.side_by_side(range(6), lambda lane, _: lane.list_pets())
        store.side_by_side(range(6), create, creates=1)
        store.gather()
        groups = [recorded[at : at + 6 or None] for at in (-18, -12, -6)]
        assert [{"POST"}, {"GET"}, {"POST"}] == [{each.request.method for each in group} for group in groups]


@pytest.mark.parametrize("width", WIDTHS)
def test_an_animal_counts_as_seen_once_a_later_batch_has_shown_it(width: int) -> None:
    """A list sent beside the creation shows the animal or not: what is sent next must not depend on which."""
    with store_at(width) as (store, _, _):
        store.list_pets()

        def create_or_list(lane: Lane, item: int) -> int | None:
            if item % 2:
                lane.list_pets(limit=100)
                return None
            return created_id(lane.create_pet({"name": lane.name(), "categoryId": 1}))

        made = [each for each in store.side_by_side(range(6), create_or_list, creates=1) if each is not None]
        created = [store.ledger.animals[each] for each in made]
        assert [False] * 3 == [store.seen_since(each) for each in created]
        store.side_by_side(made[:1], Lane.get_pet)
        assert [True, False, False] == [store.seen_since(store.ledger.animals[each]) for each in made]
        assert [(True, False)] == list(store.side_by_side([0], created_and_got, creates=1))


def created_and_got(lane: Lane, _: int) -> tuple[bool, bool]:
    """Whether an animal counts as seen after its own item has got it, and before."""
    exchange = lane.create_pet({"name": lane.name(), "categoryId": 1})
    animal_id = created_id(exchange)
    assert animal_id is not None
    animal = lane.store.ledger.animals[animal_id]
    before = lane.store.seen_since(animal)
    lane.get_pet(animal_id)
    return lane.store.seen_since(animal), before


def test_what_ends_an_item_in_flight_is_raised_where_it_is_waited_for() -> None:
    """And its own driver is named, as it may have ended by then."""

    def fail(_lane: Lane, _: int) -> None:
        raise ValueError("ours")

    with store_at(4) as (store, recorded, _):
        store.client.driver = "first"
        store.side_by_side(range(2), lambda lane, _: lane.list_pets())
        store.side_by_side([0], fail)
        store.client.driver = "second"
        with pytest.raises(ValueError, match="ours") as raised:
            store.list_pets()
        assert ["In an item of first."] == raised.value.__notes__
        assert {"first"} == {each.driver for each in recorded}


def test_connections_of_a_burst_are_forgotten_with_it() -> None:
    """A deep run has thousands of them."""
    with store_at(1) as (store, _, _server):
        lanes = store.at_once(
            range(3), lambda lane, _: (lane.list_pets(), weakref.ref(lane.sender.transport))[1]
        )
        gc.collect()
        assert [None] * 3 == [each() for each in lanes]


def test_what_a_limit_has_ended_is_not_told_again_after_the_last_item() -> None:
    """An interrupted run is judged as far as it came."""

    def end(_: Lane, __: int) -> None:
        raise Gone("The run was interrupted before it was complete.")

    with store_at(4) as (store, _, _):
        store.side_by_side([0], end)
        store.lanes.close()
        store.gather()
