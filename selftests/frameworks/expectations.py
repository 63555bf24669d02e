"""What each program breaks, worked out by hand from the interface document and the code of the program alone.

A program whose list is empty keeps the interface.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Expectation:
    """The clauses that a program breaks, each with why.

    ``hidden`` are clauses that it breaks as well, but only for requests that a run need not send: those that are
    not generated with every seed, and those that come too late, when the program has accepted so many invalid
    animals that the run may not create any more.
    """

    program: str
    breaks: dict[str, str] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)


NOT_ANNOUNCED = {"get.deprecation-header": "nobody thinks of it unasked", "get.sunset-header": "the same"}
UNTYPED = {
    "create.name.type": "whatever JSON value is stored",
    "create.category-id.type": "the same",
    "create.category-id.int64": "integers have no bounds",
    "create.status.type": "whatever JSON value is stored",
    "create.status.null": "a default is for what is absent",
    "create.status.enumeration": "any word is stored",
    "animal.name": "what was stored is returned",
    "animal.category-id": "the same",
    "animal.status": "the same",
}
UNCHECKED_LISTS = {
    "list.limit.below-refused": "a slice takes any integer",
    "list.limit.above-refused": "the same",
    "list.limit.maximum": "the same: 1000 yields all that there are, and -1 all but one",
    "list.status.unknown-refused": "no animal has that status, so that the list is empty",
}

EXPECTATIONS = (
    Expectation(
        "fastapi_defaults.py",
        {
            "error.body": 'errors are {"detail": …}',
            "create.refusal.status": "validation refuses with 422",
            "create.status.null": "Status | None = None takes null",
            "animal.status": "an animal without a status is returned with null",
            "create.category-id.type": "pydantic takes '12' and true for integers",
            "create.category-id.int64": "int has no bounds",
            "animal.category-id": "what was stored is returned",
            "auth.first": "the body is parsed before dependencies run, and malformed JSON is answered with 422",
            "auth.challenge": "an HTTPException has no headers unless it is given some",
            **NOT_ANNOUNCED,
        },
        hidden={
            "http.server-error": "the 422 repeats the value that it refuses: 1e400 or half a surrogate pair cannot be written as JSON"
        },
    ),
    Expectation("fastapi_repaired.py"),
    Expectation(
        "flask_defaults.py",
        {
            "error.body": "abort answers with HTML",
            "http.server-error": '"name" not in 5 is a TypeError',
            "auth.challenge": "abort(401) has no challenge",
            "list.limit.non-integer-refused": "type=int falls back to the default",
            **UNCHECKED_LISTS,
            **UNTYPED,
            **NOT_ANNOUNCED,
        },
        hidden={"http.json.body": "a categoryId of 1e400 is returned as Infinity"},
    ),
    Expectation("flask_repaired.py"),
    Expectation(
        "stdlib_defaults.py",
        {
            "error.body": "send_error answers with HTML",
            "http.answer": "an exception closes the connection without an answer",
            "auth.challenge": "send_error has no challenge",
            "auth.scheme.missing": "removeprefix leaves what has no prefix as it is",
            "list.limit.non-integer-refused": "what has no digits only is taken for the default",
            "create.name.required": "what is missing stays missing",
            "create.category-id.required": "the same",
            **UNCHECKED_LISTS,
            **UNTYPED,
            **NOT_ANNOUNCED,
        },
        hidden={"http.json.body": "a categoryId of 1e400 is returned as Infinity"},
    ),
    Expectation("stdlib_repaired.py"),
    Expectation(
        "express/defaults.js",
        {
            "error.body": 'errors are {"error": …}, or HTML',
            "http.server-error": "a body that is not labelled as JSON leaves nothing to take apart",
            "auth.challenge": "nobody thinks of it unasked",
            "create.category-id.exact": "numbers of JavaScript are exact up to 2**53 only",
            "list.limit.non-integer-refused": "NaN || 20",
            **UNCHECKED_LISTS,
            **UNTYPED,
            **NOT_ANNOUNCED,
        },
        hidden={
            "auth.first": "the body is parsed before the key is looked at, and malformed JSON is answered with 400",
            "auth.key.longer": "what stands behind a second space is dropped",
        },
    ),
    Expectation("express/repaired.js"),
)

ODDITIES = {
    "assorted": "standard",
    "closing": "standard",
    "compressed": "standard",
    # A run has to wait after each wrong key that is one too many.
    "locking-out": "smoke",
    "names-of-ten": "standard",
    "one-connection": "standard",
    "read-only-key": "standard",
    "early-hints": "standard",
}
"""The lawful oddities of oddities.py, each with the profile of its run."""
