"""Pairs of changes are drawn by chance, the same ones each time, and judged as one deployment."""

from __future__ import annotations

from itertools import islice

from selftests.catalogue.crossed import contradicts, cross, faults_on_variants, variants_at_once
from selftests.matrix.cases import pair


def test_a_seed_draws_the_same_pairs_each_time() -> None:
    """So that what is found shows again."""
    for draw in (variants_at_once, faults_on_variants):
        first, again, others = ([each.name for each in islice(draw(seed), 20)] for seed in (1, 1, 2))
        assert first == again
        assert first != others


def test_what_is_no_lawful_deployment_together_is_not_drawn() -> None:
    """In neither order."""
    assert contradicts("store.empty", "pages.thinned")
    assert contradicts("pages.thinned", "store.empty")
    assert not contradicts("pages.thinned", "order.category")
    drawn = islice(variants_at_once(3), 3000)
    assert not [each.name for each in drawn if contradicts(*each.variants)]


def test_two_variants_at_once_are_judged_as_one_deployment() -> None:
    """Which breaks nothing."""
    case = next(variants_at_once(4))
    told = cross(case)
    assert (case.name, (), ()) == (told.name, told.wrong, told.missed)


def test_a_fault_is_found_on_a_variant_and_told_where_the_variant_hides_it() -> None:
    """A cap below a hundred leaves no list that could be longer than that."""
    assert () == cross(pair("pages.ten", "list.filter.leak")).missed
    assert ("list.limit.maximum",) == cross(pair("pages.ten", "limit.above-unbounded")).missed
