"""What a server wrote is shown as what it looks like, and as nothing else."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from animal_conformance.report.safe_text import safe_text, well_formed

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@given(ANY_TEXT)
def test_no_character_of_a_safe_text_is_invisible(text: str) -> None:
    """Neither escapes of terminals nor bidirectional overrides nor surrogates are left."""
    assert {unicodedata.category(each) for each in safe_text(text)}.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})


def test_what_can_be_seen_stays_as_it_is() -> None:
    """Other scripts and astral characters are no danger."""
    assert "Größe 犬 🐕 <b>" == safe_text("Größe 犬 🐕 <b>")


def test_what_cannot_be_seen_is_spelled_out() -> None:
    """The escapes are those of Python."""
    assert r"\x1b[31m\u202e\ud800\n" == safe_text("\x1b[31m\u202e\ud800\n")
    assert "a\nb\tc\\r" == safe_text("a\nb\tc\r", lines=True)


@given(ANY_TEXT, st.integers(1, 20))
def test_a_text_is_never_longer_than_it_may_be(text: str, length: int) -> None:
    """Not even where escapes lengthen it."""
    shown = safe_text(text, length=length)
    assert len(shown) <= length
    assert shown == safe_text(text) or shown.endswith("…")


@given(
    st.recursive(ANY_TEXT | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner))
)
def test_a_well_formed_value_can_be_written_as_utf_8(value: object) -> None:
    """Whatever the lone surrogates in it."""
    json.dumps(well_formed(value), ensure_ascii=False).encode("utf-8")
