"""Limits that count more than what lists return, by knowledge/thinning.py; what follows is in rules/test_thinned_lists.py."""

from __future__ import annotations

from animal_conformance.judge.experiments import Read
from animal_conformance.judge.knowledge.thinning import is_thinned, smaller_limits
from selftests.exchanges import animals, ledger_of, listing, reads_of
from selftests.tables import cases

FEW, MANY = animals(20), animals(60)


@cases(
    ("length", "limits"),
    {
        "full": (100, ("99", "98", "97")),
        "one less": (99, ("99", "98", "97")),
        "few animals": (2, ("2", "1")),
        "one animal": (1, ("1",)),
    },
)
def test_the_limits_that_are_tried_are_valid_and_smaller_than_that_of_the_page(
    length: int, limits: tuple[str, ...]
) -> None:
    """A limit of 0 may be refused, and its own would tell what is known."""
    (page,) = ledger_of(listing(animals(length), limit=100)).pages
    experiment = smaller_limits(page, settle_s=2.0)
    assert [f"/pets?limit={each}" for each in ("100", *limits, "100")] == reads_of(experiment)
    assert Read("/pets?limit=100") == experiment.steps[1]


@cases("state", {"without a filter": None, "filtered": "sold"})
def test_a_list_without_a_limit_is_tried_with_limits(state: str | None) -> None:
    """Of the same filter, between two of itself."""
    (page,) = ledger_of(listing(animals(2), state=state)).pages
    status, whole = ("", "/pets") if state is None else (f"&status={state}", f"/pets?status={state}")
    limits = [f"/pets?limit={each}{status}" for each in (2, 1)]
    assert [whole, *limits, whole] == reads_of(smaller_limits(page, settle_s=2.0))


def test_a_list_is_not_thinned_where_the_store_held_no_more_at_the_time() -> None:
    """What was added since then is on no list before, and what was taken away on none after."""
    short = [listing(FEW, limit=30, at=at) for at in (5.2, 5.3)]
    for before, after, thinned in ((MANY, MANY, True), (FEW, MANY, None), (MANY, FEW, None)):
        around = [listing(shown, limit=100, at=at) for shown, at in ((before, 5.0), (after, 6.0))]
        ledger = ledger_of(*around, *short)
        assert thinned is is_thinned(ledger, ledger.pages[0])
