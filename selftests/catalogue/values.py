"""What the script sends: at least one value for each way in which a deployment may mistake one."""

from __future__ import annotations

from typing import Any, Final

STATUSES: Final = ("available", "pending", "sold")

# Behind a name that nothing else has.
ENDINGS: Final = (
    "\U0001f98a\U0001f407",
    "\u00e9\u00df\u0130\u0131",
    "quote \" apostrophe ' backslash \\ slash /",
    "\u8c93\u72ac\u306d\u3053",
    '<b onclick="x()">&amp;</b> %20 + ; --',
    "e\u0301o\u0308\u0323",
    "a\x00b",
    "tab\tline\nreturn\r\x0bend",
    "\U0001d504\U00010348\U0010ffff",
    "\x00c\x00d",
    "\x01\x1b\x7f\x85end",
    "\u202eleft\u200d\ufeffjoined\u2028line",
    "{{7*7}} ${x} $(x) `x` \\u0041 \\n",
    "\u1e9b\u0323\u212b\ufb01",
    "\u200b\u200e\u2060\ufe0f\u00ad \u2019\u201c\u201d\u2013\u2014 \ue000 :) $1 $& %s %d {0} 100% \\",
    "a\r\nb\n\nc",
    "two  spaces,   three",
    "x" * 240,
    "y" * 300,
    "\U0001f43e" * 140,
    "z" * 1100,
    "w" * 1200,
    "v" * 4200,
    "u" * 4300,
)
# Texts that loosely typed code takes for something else; a number stands for the braces.
LOOKALIKES: Final = (
    "00{}",
    "0{}",
    "{}",
    "{}e1",
    "{}.0",
    "true",
    "null",
    "{}.50",
    '"{}"',
    "={}",
    "2024-01-05T10:20:30Z",
    "2024-01-05",
    "__proto__",
    "constructor",
)
OUTER_SPACE: Final = (" {} inner  space ", "\t{}name\n")

CATEGORIES: Final = (
    2**53 + 1,
    2**63 - 1,
    -(2**63),
    2**31,
    -(2**53) - 1,
    2**32 + 1,
    0,
    -1,
    2**31 - 1,
    -(2**31) - 1,
    2**63 - 2,
    10**18 + 1,
    2**15,
    2**24 + 1,
)

LIMITS: Final = (1, 2, 5, 10, 19, 20, 21, 50, 100)
FILTERED_LIMITS: Final = (1, 10, 20, 21)
INVALID_LIMITS: Final = (
    "101",
    "0",
    "abc",
    "1000",
    "-1",
    "1.5",
    "-100",
    "102",
    "2147483648",
    "9223372036854775808",
    "1" * 40,
    "true",
    "1a",
    "null",
    "-9223372036854775809",
    "a%22b",
    "%C2%B2",
    # Left open.
    "",
    "%2B5",
    "05",
    "5.0",
    "%205",
    "1e1",
)
INVALID_STATUSES: Final = (
    "lost",
    "unknown",
    "available,sold",
    "0",
    "*",
    "so%22ld",
    "constructor",
    # Left open.
    "",
    "SOLD",
    "Available",
)
OTHER_QUERIES: Final = (
    "limit=5&limit=200",
    "limit=200&limit=5",
    "status=sold&status=available",
    "limit=100&status=lost",
    "colour=brown",
    "status%5B%5D=sold&limit%5B%5D=5",
)

# With each field what it must not be; what stands twice counts once it was seen of two animals.
WRONG: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    ("name", (..., ..., 7, 1.5, True, None, [], {}, ["x"], {"a": 1})),
    (
        "categoryId",
        (..., ..., "12", 1.5, True, None, [], {}, "abc", "", [1], {"id": 3}, False, 0.1, " 12"),
    ),
    ("categoryId", (2**63, -(2**63) - 1, 2**64 + 5, 10**30, 2**64)),
    ("status", (None, None, 1, True, [], {}, ["sold"], 0)),
    ("status", ("lost", "SOLD", "", " sold", "Available", "sold ", "available,sold", "soldout", "null")),
    ("status", ("constructor", "sold\n", "x\nsold", "1", "Pending", 'so"ld')),
)
# In place of the braces a name that nothing else has.
BODIES: Final = (
    b"",
    b"  \n",
    b'{"name": "{}", "categoryId": 1',
    b"name={}&categoryId=1",
    b"not json at all",
    b'{name: "{}", categoryId: 1}',
    b"{'name': '{}', 'categoryId': 1}",
    b'{"name": "{}", "categoryId": }',
    b'{"name": "{}", "categoryId": 1,}',
    b"<animal><name>{}</name></animal>",
    b"[]",
    b'"text"',
    b"5",
    b"true",
    b"null",
    b"1.5",
    b'[{"name": "{}", "categoryId": 1}]',
    b'{"name": 7, "categoryId": "x"}',
    b'{"name": "{}", "categoryId": 1e19}',
    b'{"name": "{}", "categoryId": 1e400}',
    # Left open.
    b'{"name": "{}", "categoryId": NaN}',
    b'{"name": "{}", "categoryId": 1} and more',
    b'{"name": "{}", /* dog */ "categoryId": 1}',
    b'{"name": "{}\xff", "categoryId": 1}',
    b'{"name": "{}\\ud800", "categoryId": 1}',
    b'{"name": "{}", "name": "{}", "categoryId": 1}',
    b'{"name": "{}", "categoryId": 1.0}',
    b'{"name": "{}", "categoryId": 1, "weight": NaN}',
    b'{"name": "{}", "categoryId": 1, "colour": "brown"}',
    b"[" * 20_000,
)

# Far from all ids that a deployment has given; the last within 32 bits.
WANTED_IDS: Final = (7_000_000_000_000_001, -7_000_000_000_000_002, 1_500_000_003)
UNKNOWN_IDS: Final = (
    2**63 - 1,
    -(2**63),
    2**53 + 1,
    2**40,
    -(2**40),
    10**15 + 7,
    10**18 + 1,
    -(10**17),
    2**31,
    2**32 + 5,
    0,
    -1,
)
MALFORMED_IDS: Final = (
    "abc",
    "1.5",
    "9223372036854775808",
    "-9223372036854775809",
    "1a",
    "null",
    "true",
    "99999999999999999999999999",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "18446744073709551617",
    "NaN",
    "-",
    # Left open.
    "%2B1",
    "01",
    "1.0",
    "1e0",
    "%C2%B2",
    "%FF",
)
