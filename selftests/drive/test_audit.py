"""tests/test_audit.py: which animals are got at the end."""

from __future__ import annotations

import pytest

from selftests.drive.stores import WIDTHS, store_at
from selftests.exchanges import animals
from selftests.loopback.server import only, response
from tests.test_audit import test_every_animal_that_a_list_has_shown as drive


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
