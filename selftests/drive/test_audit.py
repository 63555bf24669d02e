"""tests/test_audit.py: which animals are got at the end."""

from __future__ import annotations

from contextlib import suppress

import pytest

from animal_conformance.drive.strategies import STATUSES
from animal_conformance.send.budget import Budget
from selftests.drive.stores import WIDTHS, store_at
from selftests.exchanges import animals
from selftests.loopback.server import only, response
from tests.test_audit import (
    test_animals_of_many_kilobytes_and_numerals_that_no_integer_holds as create_large,
)
from tests.test_audit import test_every_animal_that_a_list_has_shown as drive
from tests.test_audit import test_more_animals_of_one_status_than_a_list_may_hold as list_one_status


@pytest.mark.parametrize("width", WIDTHS)
def test_some_of_others_animals_that_are_still_listed_are_got(width: int) -> None:
    """Those with the smallest ids, which are got besides, may stand behind the end of each list; so are both ends of lists."""
    pages = iter([animals(100), *[animals(50, first=51)] * 4])
    with store_at(width, only("list", behaviour=lambda _: response(200, next(pages)))) as (
        store,
        recorded,
        _,
    ):
        store.list_pets(limit=100)
        store.gather()
        drive(store)
        store.gather()
        got = [int(each.request.path.split("/")[-1]) for each in recorded if each.request.path != "/pets"]
        half = store.profile.lookups // 2
        assert {*range(1, half + 1)} == {each for each in got if each <= 50}
        assert {51, 100} <= set(got)
        # The ends may be among the sample.
        assert len({each for each in got if each > 50}) in range(half, half + 3)


@pytest.mark.parametrize(("there", "newest"), [(105, 107), (106, 128), (125, 128), (126, 128)])
def test_a_few_more_are_created_where_that_leads_beyond_a_byte(there: int, newest: int) -> None:
    """Java keeps integers up to 127, and finds others by == no more; the newest one is got."""
    with store_at(8) as (store, recorded, server):
        server.shop.animals = animals(there)
        server.shop.created = there - 1000  # it adds a thousand for an id
        # The second one: the first has shown that its category is accepted.
        store.create_pet(store.payload())
        drive(store)
        store.gather()
        assert newest == store.newest_id()
        assert f"/pets/{newest}" in [each.request.path for each in recorded]


@pytest.mark.parametrize(("there", "lists"), [(90, 7), (120, 0)])
def test_lists_at_invalid_limits_are_requested_once_more_only_where_they_may_show_more(
    there: int, lists: int
) -> None:
    """A run that began with few animals has no requests to spare; earlier lists were as long as these would be."""
    with store_at(1) as (store, recorded, server):
        server.shop.animals = [
            {**each, "status": STATUSES[at % 3]} for at, each in enumerate(animals(there), start=1)
        ]
        store.list_pets(limit=100)
        store.list_pets(limit=100)
        store.create_pet(store.payload())
        begun = len(recorded)
        with suppress(pytest.skip.Exception):
            list_one_status(store)
        store.gather()
        assert lists == sum("limit=" in each.request.target for each in recorded[begun:])


@pytest.mark.parametrize(("creates", "large"), [(20, 3), (5, 3), (4, 2)])
def test_what_is_left_to_create_is_large(creates: int, large: int) -> None:
    """Few deployments accept numerals that no integer holds: these need no share of what is left."""
    with store_at(1, budget=Budget(creates=creates)) as (store, recorded, _):
        store.create_pet(store.payload())
        create_large(store)
        store.gather()
        bodies = [each.request.body or b"" for each in recorded if each.request.method == "POST"]
        assert large == sum(len(each) > 8000 for each in bodies)
