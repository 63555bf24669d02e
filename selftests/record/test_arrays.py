"""The elements of a long JSON array, counted as it streams."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from animal_conformance.record.arrays import ArrayScan, abridged, begins_array

VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=6) | st.sampled_from(['"', "\\", "],[", '\\"']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def scanned(text: bytes, keep: int, step: int, enough: int = 100) -> ArrayScan:
    """A scan that was fed a text in parts of this size."""
    scan = ArrayScan(keep, enough)
    for at in range(0, len(text), step):
        scan.feed(text[at : at + step])
    return scan


@given(st.lists(VALUES, min_size=1, max_size=5), st.integers(1, 9))
def test_as_many_elements_are_counted_as_there_are(values: list[object], step: int) -> None:
    """However the text is split, and whatever its strings contain."""
    scan = scanned(json.dumps(values, ensure_ascii=False).encode(), 10_000, step)
    assert (len(values), True) == (scan.elements, scan.ended)


@given(st.lists(VALUES, min_size=1, max_size=5), st.integers(1, 60), st.integers(1, 9))
def test_what_is_kept_are_the_first_elements(values: list[object], keep: int, step: int) -> None:
    """Each of them whole."""
    beginning = scanned(json.dumps(values).encode(), keep, step).beginning
    kept = json.loads(beginning)
    assert values[: len(kept)] == kept
    assert len(beginning) <= keep + len(b"[]")


@given(st.lists(VALUES, min_size=1, max_size=5), st.integers(1, 6), st.integers(1, 9))
def test_after_enough_elements_nothing_is_looked_at(values: list[object], enough: int, step: int) -> None:
    """Neither counted nor kept."""
    scan = scanned(json.dumps(values).encode(), 10_000, step, enough)
    assert min(enough, len(values)) == scan.elements
    assert values[:enough] == json.loads(scan.beginning)
    assert scan.done
    assert scan.ended == (len(values) <= enough)


def test_as_many_elements_are_kept_as_there_is_room_for() -> None:
    """And none that comes after one for which there was none."""
    assert b'[111,"22"]' == scanned(b'[111, "22", [33333333], 4]', 12, 5).beginning


@pytest.mark.parametrize(
    ("element", "kept"),
    [
        (b'{"id": 1, "photo": {"id": "x"}, "name": "\\ud800"}', b'{"id": 1, "name": "\\ud800"}'),
        (b'{"id": 1, "id": 2, "photo": ""}', None),
        (b'{"id": 1.0, "photo": ""}', None),
        (b'{"id": 1, "photo": ""', None),
        (b'{"photo": ' + b"[" * 100_000, None),
        (b'[["id", 1]]', None),
    ],
)
def test_an_abridged_element_is_an_animal_without_further_fields(element: bytes, kept: bytes | None) -> None:
    """Whatever is wrong with it is still there."""
    assert abridged(element, ("id", "name")) == (kept or element)


def test_an_array_that_has_not_ended_has_the_elements_that_have() -> None:
    """The one under way is not among them."""
    scan = scanned(b'[{"id": 1}, {"id": 2}, {"id"', 100, 7)
    assert (2, False) == (scan.elements, scan.ended)


@pytest.mark.parametrize(("text", "begins"), [(b" \n[1]", True), (b'{"a": [', False), (b"", False)])
def test_an_array_begins_with_a_bracket(text: bytes, begins: bool) -> None:  # noqa: FBT001 - the answer
    """After white space."""
    assert begins == begins_array(text)
