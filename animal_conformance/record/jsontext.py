"""Parse JSON strictly by RFC 8259: integers exact, no extensions, safe for input of any depth and length."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NoReturn, TypeGuard

# Longer numerals become a number of this many digits: outside every range that the interface defines,
# and cheap to compare and to print (CPython refuses to convert more than 4300 digits at all).
LONGEST_NUMERAL: Final = 400
# How deep arrays and objects may be nested in each other: no body of a mebibyte, the longest that a run reads as a whole,
# is nested more deeply.
DEEPEST_JSON: Final = 2**20
# The same of a request: a server may read less than a run reads of its responses (RFC 8259 section 9).
DEEPEST_SENT: Final = 500
# How many levels are read at once: json's own limit differs from one version of Python to the next, and is never less
# than a thousand.
LEVELS_AT_ONCE: Final = 500
TOO_DEEP: Final = "nested too deeply"
UNENDED: Final = "an array or object has no end"
EMPTY: Final = {"[": "[]", "{": "{}"}
_STRING_OR_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{\]}]', re.DOTALL)


class IntegralFloat(int):
    """An integer that the text wrote with a fraction or an exponent, such as ``5.0`` or ``1e3``."""


class Ambiguous(dict[str, Any]):
    """An object in which properties occur more than once, with different values: parsers differ in which value they read.

    ``earlier`` has, for each such property, the first value that differs from the last one; the object has the last one.
    """

    earlier: dict[str, Any]


@dataclass(frozen=True, slots=True)
class JsonText:
    """The result of parsing a text.

    ``value`` is the parsed value (``None`` if ``problem`` is set), ``problem`` says why the text is not
    JSON, ``duplicate_keys`` whether an object has a duplicate property (the last one counts). Arrays and objects that are
    nested more deeply than is read at once are empty in the value.
    """

    value: Any = None
    problem: str | None = None
    duplicate_keys: bool = False

    @property
    def valid(self) -> bool:
        """Whether the text is valid JSON."""
        return self.problem is None


def parse(text: bytes, deepest: int = DEEPEST_JSON) -> JsonText:
    """Parse a body.

    :param text: the body as it was on the wire, after content decoding.
    :param deepest: how deep it may be nested.
    :returns: the value, or the problem in words; never raises.
    """
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError as error:
        return JsonText(problem=f"not UTF-8 at byte {error.start}")
    if not decoded.strip():
        return JsonText(problem="empty body")
    if decoded.startswith("\ufeff"):
        # RFC 8259 section 8.1: implementations MUST NOT add a byte order mark.
        return JsonText(problem="starts with a byte order mark")
    repeated = False

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        read = dict(pairs)
        if len(read) == len(pairs):
            return read
        repeated = True
        return _unless_ambiguous(pairs, read)

    def read(part: str) -> Any:
        return json.loads(
            part,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_refuse_constant,
            object_pairs_hook=read_object,
        )

    try:
        value = read(_shallow(decoded, read, deepest))
    except json.JSONDecodeError as error:
        return JsonText(problem=f"{error.msg} at character {error.pos}")
    except ValueError as error:
        return JsonText(problem=str(error))
    except RecursionError:  # the caller's own calls count as well
        return JsonText(problem=TOO_DEEP)
    return JsonText(value, duplicate_keys=repeated)


def _unless_ambiguous(pairs: list[tuple[str, Any]], read: dict[str, Any]) -> dict[str, Any]:
    """An object that has some property more than once."""
    earlier: dict[str, Any] = {}
    for name, value in pairs:
        if value != read[name] or isinstance(value, bool) is not isinstance(read[name], bool):
            earlier.setdefault(name, value)
    if not earlier:
        return read
    ambiguous = Ambiguous(read)
    ambiguous.earlier = earlier
    return ambiguous


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a parsed value is an integer in the sense of JSON Schema: ``5`` and ``5.0``, not ``true``."""
    return isinstance(value, int) and not isinstance(value, bool)


def type_name(value: object) -> str:
    """The JSON type of a parsed value, in words."""
    if value is None:
        return "null"
    for types, name in (
        (bool, "a boolean"),
        (int, "an integer"),
        ((float, Decimal), "a number with a fraction"),
        (str, "a string"),
        (list, "an array"),
    ):
        if isinstance(value, types):
            return name
    return "an object"


def _shallow(text: str, read: Callable[[str], object], deepest: int) -> str:
    """A text shortened to what can be read at once: what is nested more deeply is read on its own, and left out.

    :raises ValueError: if what is left out is not JSON, or is nested too deeply.
    """
    if text.count("[") + text.count("{") <= LEVELS_AT_ONCE:
        return text
    # The parts of the text as a whole, and those of each nested text that was begun.
    begun: list[list[str]] = [[]]
    at = depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        if found[0] in "[{":
            if depth and depth % LEVELS_AT_ONCE == 0:
                begun[-1].append(text[at : found.start()])
                begun.append([])
                at = found.start()
            depth += 1
            if depth > deepest:
                raise ValueError(TOO_DEEP)
        elif found[0] in "]}":
            depth -= 1
            if depth > 0 and depth % LEVELS_AT_ONCE == 0:
                nested = "".join(begun.pop()) + text[at : found.end()]
                at = found.end()
                _read_nested(nested, read)
                begun[-1].append(EMPTY[nested[0]])
    if len(begun) > 1:
        raise ValueError(UNENDED)
    return "".join(begun[0]) + text[at:]


def _read_nested(nested: str, read: Callable[[str], object]) -> None:
    try:
        read(nested)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at {LEVELS_AT_ONCE} levels and more") from error


def _integer(numeral: str) -> int:
    if len(numeral) <= LONGEST_NUMERAL:
        return int(numeral)
    longest: int = 10**LONGEST_NUMERAL
    return -longest if numeral.startswith("-") else longest


def _number(numeral: str) -> int | float:
    approximate = float(numeral)
    if len(numeral) > LONGEST_NUMERAL or not approximate.is_integer():
        return approximate
    if approximate == 0:
        # Decimal rejects exponents as large as this one may be.
        mantissa = numeral.lower().partition("e")[0]
        return approximate if mantissa.strip("-0.") else IntegralFloat(0)
    exact = Decimal(numeral)
    return IntegralFloat(exact) if exact == exact.to_integral_value() else approximate


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
