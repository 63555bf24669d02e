"""The values of an animal's fields, in a form in which equal values are equal."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable
from typing import Any, Final, Literal

from animal_conformance.interface.contract import Contract

# What the trimming functions of common languages remove: white space, control characters up to U+0020
# (Java, PHP), and the byte order mark (JavaScript).
OUTER: Final = "".join(map(chr, range(33))) + (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
FORMS: Final[tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...]] = ("NFC", "NFD", "NFKC", "NFKD")
# The value of a status that is omitted.
OMITTED: Final = ""


def normal_name(name: str) -> str:
    """A name without outer white space, and normalised, since both are open.

    Names that are equal in any normalisation form are equal in this one. Normalisation turns some characters into white
    space, so it comes first.
    """
    return unicodedata.normalize("NFKC", name).strip(OUTER)


def is_normalised(sent: str, told: str) -> bool:
    """Whether a name that is equal to the one sent, by :func:`normal_name`, is that one or one of its normalisation forms.

    As a whole, but for outer white space that is lost.
    """
    forms = (sent, *(unicodedata.normalize(form, sent) for form in FORMS))
    return any(told in each for each in forms)


def value_of(animal: dict[str, Any], name: str, contract: Contract) -> Hashable | None:
    """A field in a form in which equal values are equal; ``None`` if it is missing or broken (covered by animal.*)."""
    value = animal.get(name)
    if name == "name":
        return normal_name(value) if isinstance(value, str) else None
    if name == "categoryId":
        return int(value) if contract.is_int64(value) else None
    if name not in animal:
        return OMITTED
    return value if value in contract.statuses else None


def reads_alike(name: Hashable, other: Hashable) -> bool:
    """Whether an editor may have made one name out of the other by changing its case or removing marks."""
    plain, plain_other = (
        "".join(filter(str.isalnum, unicodedata.normalize("NFKD", str(each)))).casefold()
        for each in (name, other)
    )
    return plain == plain_other
