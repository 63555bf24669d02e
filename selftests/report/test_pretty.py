"""Bodies are laid out for a person, and nothing in them is altered."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from animal_conformance.report.pretty import pretty_json, shown
from selftests.report.samples import Maker

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON_VALUES, st.sampled_from([None, 1]))
def test_the_layout_changes_no_value(value: object, indent: int | None) -> None:
    """Only white space between values is touched."""
    assert value == json.loads(pretty_json(json.dumps(value, indent=indent)))


def test_notations_and_repeated_properties_stay() -> None:
    """A finding may rest on just that."""
    text = '{"id":5.0,"id":9223372036854775808,"name":"\\u00e9", "status" : 1e2}'
    assert '{"id": 5.0, "id": 9223372036854775808, "name": "\\u00e9", "status": 1e2}' == pretty_json(text)


def test_long_values_are_broken_into_lines() -> None:
    """And short ones are not."""
    animals = [{"id": each, "name": "animal", "tags": []} for each in range(3)]
    assert (
        '[\n  {"id": 0, "name": "animal", "tags": []},\n'
        '  {"id": 1, "name": "animal", "tags": []},\n'
        '  {"id": 2, "name": "animal", "tags": []}\n]' == pretty_json(json.dumps(animals))
    )


def test_what_is_not_json_is_left_alone() -> None:
    """Nor is what is nested without end."""
    for text in ("<html>", '{"a":', "[" * 100_000, "[" * 500 + "]" * 500):
        assert text == pretty_json(text)


def test_a_huge_body_is_cut_and_says_so() -> None:
    """The trace has all of it."""
    answer = shown(Maker([]).add("GET", "/pets", 200, b"x" * 9_000).as_record()).answer
    assert answer is not None
    assert (4000, 5000) == (len(answer.body), answer.cut)


def test_bytes_that_are_no_text_are_shown_as_bytes() -> None:
    """Beginning with how many they are."""
    answer = shown(Maker([]).add("GET", "/pets", 200, b"\xff\x00").as_record()).answer
    assert answer is not None
    assert r"2 bytes that are not UTF-8: b'\xff\x00'" == answer.body
