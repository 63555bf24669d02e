"""jsontext.py: JSON as RFC 8259 has it, exact, and never at a loss."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animal_conformance.record.jsontext import (
    LEVELS_AT_ONCE,
    Ambiguous,
    IntegralFloat,
    is_integer,
    parse,
    type_name,
)
from animal_conformance.send.body import LARGEST_BODY_BYTES


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
@settings(max_examples=60, derandomize=True, deadline=None)
def test_a_value_comes_back_as_it_was_written(value: object) -> None:
    """Every integer and every character, lone surrogates included."""
    assert value == parse(json.dumps(value).encode()).value


@given(
    st.binary(max_size=30) | st.text(alphabet='[]{}",:0123456789.eE+-tfn\\u ', max_size=20).map(str.encode)
)
@settings(max_examples=150, derandomize=True, deadline=None)
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    """Nothing raises; what is valid has no problem."""
    read = parse(body)
    assert read.valid == (read.problem is None)
    assert read.valid or read.value is None


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "empty body"),
        (b" \n", "empty body"),
        (b"\xef\xbb\xbf[]", "starts with a byte order mark"),
        (b"[\xff]", "not UTF-8 at byte 1"),
        (b"NaN", "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"[] x", "Extra data at character 3"),
        (b"[" * 400, "Expecting value at character 400"),
        (b"[" * 100_000, "an array or object has no end"),
        (b'{"a":' * 100_000, "an array or object has no end"),
    ],
)
def test_what_is_not_json_is_refused_in_words(body: bytes, problem: str) -> None:
    """Python's reader alone would take some of these."""
    assert problem == parse(body).problem


@pytest.mark.parametrize(
    "body", [b"01", b"[1,]", b"{'a':1}", b'{"a" 1}', b'"a\nb"', b"+1", b".5", b"5.", b"tru", b'"\\x"']
)
def test_what_lenient_readers_take_is_refused(body: bytes) -> None:
    """RFC 8259, to the letter."""
    assert not parse(body).valid


@pytest.mark.parametrize(
    ("numeral", "integer"),
    [
        ("5.0", 5),
        ("1e3", 1000),
        ("1E+3", 1000),
        ("-5e0", -5),
        ("-0.0", 0),
        ("9007199254740993.0", 9007199254740993),
        ("0e9999999999999999999", 0),
        ("0.00e-9999999999999999999", 0),
    ],
)
def test_an_integral_float_is_an_integer_that_remembers(numeral: str, integer: int) -> None:
    """Exactly: 9007199254740993.0 is no double."""
    value = parse(numeral.encode()).value
    assert isinstance(value, IntegralFloat)
    assert is_integer(value)
    assert integer == value


@pytest.mark.parametrize(
    "numeral", ["5.5", "1e-3", "1e-9999999999999999999", "9007199254740993.5", "1e400", "-1e999999999999"]
)
def test_a_fraction_is_no_integer(numeral: str) -> None:
    """Nor is what is too large or too small for a double."""
    assert not is_integer(parse(numeral.encode()).value)


@pytest.mark.parametrize(("numeral", "larger"), [("9" * 5000, True), ("-" + "9" * 5000, False)])
def test_a_numeral_of_any_length_is_read(numeral: str, larger: bool) -> None:  # noqa: FBT001 - which side
    """CPython itself refuses more than 4300 digits."""
    value = parse(numeral.encode()).value
    assert is_integer(value)
    assert larger == (value > 2**63)


def test_a_key_given_twice_is_noticed() -> None:
    """At any depth; the last one counts."""
    assert parse(b'[{"a": 1, "a": 2}]').duplicate_keys
    assert [{"a": 2}] == parse(b'[{"a": 1, "a": 2}]').value
    assert not parse(b'[{"a": 1}, {"a": 2}]').duplicate_keys


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        (b'{"a": 1, "b": 5, "a": 2}', 1),
        (b'{"a": 1, "a": 3, "a": 2}', 1),
        (b'{"a": 2, "a": 3, "a": 2}', 3),
        (b'{"a": null, "a": 0}', None),
        (b'{"a": true, "a": 1}', True),
        (b'{"a": "1", "a": 1}', "1"),
    ],
)
def test_a_key_given_twice_with_different_values_is_told_apart(text: bytes, earlier: object) -> None:
    """The last one counts, and what is read otherwise by some is kept beside it."""
    (value,) = parse(b"[" + text + b"]").value
    assert isinstance(value, Ambiguous)
    assert ({"a": earlier}, json.loads(text)) == (value.earlier, value)


@pytest.mark.parametrize("text", [b'{"a": 1, "a": 1.0}', b'{"a": "x", "a": "\\u0078"}', b'{"a": 1, "b": 2}'])
def test_a_key_given_twice_with_one_value_is_not_ambiguous(text: bytes) -> None:
    """However it is written: every parser reads the same."""
    assert not isinstance(parse(text).value, Ambiguous)


def test_a_boolean_is_no_integer() -> None:
    """Though Python has it so."""
    assert not is_integer(parse(b"true").value)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"null", "null"),
        (b"true", "a boolean"),
        (b"5", "an integer"),
        (b"5.0", "an integer"),
        (b"5.5", "a number with a fraction"),
        (b'"5"', "a string"),
        (b"[]", "an array"),
        (b"{}", "an object"),
    ],
)
def test_types_have_names(body: bytes, name: str) -> None:
    """For a person."""
    assert name == type_name(parse(body).value)


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":[', b"]}")])
def test_how_deep_a_text_may_be_nested_is_the_same_in_every_python(opening: bytes, closing: bytes) -> None:
    """A trace gives the same verdicts wherever it is judged."""
    deepest = 10_000
    levels = deepest // sum(map(opening.count, (b"[", b"{")))
    for fewer in (0, 1, levels // 2, levels - 499, levels - 500, levels - 501):
        assert parse(opening * (levels - fewer) + closing * (levels - fewer), deepest).valid
    assert "nested too deeply" == parse(opening * (levels + 1) + closing * (levels + 1), deepest).problem


@pytest.mark.parametrize(("opening", "closing", "kind"), [(b"[", b"]", list), (b'{"a":[', b"]}", dict)])
def test_no_body_that_a_run_reads_is_nested_too_deeply(opening: bytes, closing: bytes, kind: type) -> None:
    """Else a server could keep clauses from being judged by its depth."""
    levels = LARGEST_BODY_BYTES // len(opening + closing)
    assert isinstance(parse(opening * levels + closing * levels).value, kind)


def test_a_deep_text_is_read_but_for_what_is_deep() -> None:
    """Which is an empty array or object, so that whatever handles the value need not be prepared for its depth."""
    text = b'[{"id":1,"tree":%s7%s},{"id":2,"tree":%s7%s}]' % (
        b"[" * 3000, b"]" * 3000, b'{"a":' * 3000, b"}" * 3000,
    )  # fmt: skip
    first, second = parse(text).value
    assert (1, 2) == (first["id"], second["id"])
    depth, value = 0, first["tree"]
    while value:
        depth, value = depth + 1, value[0]
    assert LEVELS_AT_ONCE - 2 == depth


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 3000 + b"]" * 2999,
        b"[" * 2999 + b"]" * 3000,
        b"[" * 3000 + b"," + b"]" * 3000,
        b"[" * 3000 + b"]" * 1000 + b"x" + b"]" * 2000,
        b"[" * 3000 + b"}" * 3000,
        b"[" * 600 + b"]" * 100 + b"}" + b"]" * 499,
        b"[" * 600 + b"]" * 100 + b"1" + b"]" * 500,
        b"[" * 500 + b"1" + b"[" * 100 + b"]" * 600,
        b"[" * 500 + b"[1][2]" + b"]" * 500,
        b"]" * 3000 + b"[" * 3000,
        b'["' + b"[" * 3000,
        b"[" * 600 + b"NaN" + b"]" * 600,
        b"[" * 600,
        b"[" * 500 + b"[1]",
    ],
)
def test_a_deep_text_is_json_as_a_whole_or_not_at_all(text: bytes) -> None:
    """Wherever its fault is."""
    assert not parse(text).valid


def test_duplicate_properties_are_found_however_deep() -> None:
    """As others are."""
    assert parse(b"[" * 600 + b'{"a":1,"a":2}' + b"]" * 600).duplicate_keys


def test_brackets_in_strings_and_beside_each_other_nest_nothing() -> None:
    """However many there are."""
    for text in (
        b'["\\"' + b"[" * 1000 + b'"]',
        b"[" + b"[]," * 1000 + b"[]]",
        b'["\\\\",' + b"{}," * 1000 + b"0]",
    ):
        assert parse(text).valid


def test_what_is_nested_can_be_printed() -> None:
    """A value that was read is a value that a finding can show."""
    for depth in (50, 300, 900, 990):
        body = b"[" * depth + b"]" * depth
        read = parse(body)
        assert not read.valid or repr(read.value)
