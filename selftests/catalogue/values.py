"""The values that the script sends: at least one for each way in which a deployment may get values wrong."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote

from animal_conformance.drive.strategies import (
    INVALID_LIMITS,
    INVALID_STATUSES,
    LONG_NAME_CORNERS,
    LOOKALIKE_NAMES,
    MALFORMED_PET_IDS,
    NAME_CORNERS,
    OPEN_LIMITS,
    OPEN_PET_IDS,
    OPEN_STATUSES,
    STATUSES,
)
from animal_conformance.drive.voices import SPELLINGS, UNKNOWN_QUERIES

# Appended to a unique name.
ENDINGS: Final = (*NAME_CORNERS, "two  spaces,   three", *LONG_NAME_CORNERS)
# The braces are replaced by a number.
LOOKALIKES: Final = (
    *(each for each in LOOKALIKE_NAMES if "{moment" not in each and "{thousands" not in each),
    "1,234,567",
    "2024-01-05T10:20:30Z",
    "2024-01-05",
)
OUTER_SPACE: Final = (" {} inner  space ", "\t{}name\n")

LIMITS: Final = (1, 2, 5, 10, 19, 20, 21, 50, 100)
FILTERED_LIMITS: Final = (1, 10, 20, 21)
WRONG_LIMITS: Final = tuple(quote(each, safe="") for each in (*INVALID_LIMITS, *OPEN_LIMITS))
WRONG_STATUSES: Final = (
    *(quote(each, safe=",*") for each in (*INVALID_STATUSES, *OPEN_STATUSES)),
    "%FF",
    "%ZZ",
    "%00",
)
OTHER_QUERIES: Final = (
    "limit=5&limit=200", "limit=200&limit=5", "status=sold&status=available", "limit=100&status=lost",
    "status%5Bx%5D=sold", "status%5B%5D=sold&limit%5B%5D=5",
)  # fmt: skip

# Each field with invalid values; a value is listed twice if it has to be seen with two animals to count.
WRONG: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    ("name", (..., ..., 7, 1.5, True, None, [], {}, ["x"], {"a": 1})),
    ("categoryId", (..., ..., "12", 1.5, True, None, [], {}, "abc", "", [1], {"id": 3}, False, 0.1, " 12")),
    ("categoryId", (2**63, -(2**63) - 1, 2**64 + 5, 10**30, 2**64)),
    ("status", (None, None, 1, True, [], {}, ["sold"], 0)),
    ("status", ("reserved", "SOLD", "", " sold", "Available", "sold ", "available,sold", "soldout", "null")),
    ("status", ("constructor", "__class__", "sold\n", "x\nsold", "1", "Pending", 'so"ld')),
    ("status", ("sold\x00", "\uff53\uff4f\uff4c\uff44", "gr\u00f6\u00dfe\\d", "reserved" * 40)),
)
# The braces are replaced by a unique name.
BODIES: Final = (
    b"",
    b"  \n",
    b'{"name": "{}", "categoryId": 1',
    b"name={}&categoryId=1",
    b'{"name": "{}", "categoryId": 0x10}',
    b'{name: "{}", categoryId: 1}',
    b"{'name': '{}', 'categoryId': 1}",
    b'{"name": "{}", "categoryId": }',
    b'{"name": "{}", "categoryId": 1,}',
    b'{"name": "{}", "categoryId": 01}',
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
    b'{"name": "{}", "categoryId": ' + b"9" * 4301 + b"}",
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
    b'{"name": "{}", "categoryId": 1, "$colour": {}, "a.b": null, "": ' + b"[" * 40 + b"]" * 40 + b"}",
    b'\xef\xbb\xbf{"name": "{}", "categoryId": 1}',
    b"[" * 20_000,
    # A payload within an object, and within a text.
    b'{"pet": {"name": "{}", "categoryId": 1}}',
    b'{"name": "{}", "category_id": 1}',
    b'"{\\"name\\": \\"{}\\", \\"categoryId\\": 1}"',
    # A wrong value where the status is omitted, or beside a further field.
    b'{"name": 7, "categoryId": 1}',
    b'{"name": ["x"], "categoryId": 1}',
    b'{"status": "lost", "name": "{}", "categoryId": 1, "colour": "brown"}',
    b'{"status": "reserved", "name": "{}", "categoryId": 1, "colour": "brown"}',
)
# Bodies that begin with the status, and have every status in the name.
STATUS_IN_FRONT: Final = tuple(
    b'{"status": "%s", "name": "{} unsold, pending, available", "categoryId": 1}' % each.encode()
    for each in STATUSES
)

# Far from all ids that a deployment has assigned; the last one fits into 32 bits.
WANTED_IDS: Final = (7_000_000_000_000_001, -7_000_000_000_000_002, 1_500_000_003)
UNKNOWN_IDS: Final = (
    2**63 - 1, -(2**63), 2**53 + 1, 2**40, -(2**40), 10**15 + 7, 10**18 + 1, -(10**17), 2**31, 2**32 + 5,
    0, -1,
)  # fmt: skip
MALFORMED_IDS: Final = (*(quote(each, safe="") for each in (*MALFORMED_PET_IDS, *OPEN_PET_IDS)), "%FF", "%ZZ")
# The braces are replaced by a known id.
WITHOUT_A_KEY: Final = (
    *(f"/pets?{query}" for query in UNKNOWN_QUERIES),
    *SPELLINGS,
    "//pets/{}",
    "/pets/{}/",
    "/pets/{}?debug=1",
)
# Appended to a unique name, and as a name.
ALONE: Final = ("x", "\U0001f98a", "\u00e9", "-", "[]", "undefined", "NaN")
