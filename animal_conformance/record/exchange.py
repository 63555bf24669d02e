"""Records of what was sent and what came back: immutable, serialisable, without any key."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from animal_conformance.record.jsontext import JsonText, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

Headers: TypeAlias = tuple[tuple[str, str], ...]

# What is read of a body takes up to fifty times its room: only what was read last is kept, so that a run of
# any length needs room for its bodies and not for their values.
VALUES_KEPT = 150_000
FEWEST_KEPT = 3
LONGEST_SHARED_HEADER = 200


class _Readings:
    """What was read of the last bodies: at most ``VALUES_KEPT`` values in all, and the last few at any rate."""

    def __init__(self) -> None:
        self._read: dict[bytes, tuple[JsonText, int]] = {}
        self._values = 0

    def of(self, body: bytes) -> JsonText:
        """A body as JSON."""
        known = self._read.pop(body, None)
        if known is None:
            known = parse(body), 1 + sum(map(body.count, (b",", b"[", b"{")))
            self._values += known[1]
        self._read[body] = known  # the latest stands last
        while self._values > VALUES_KEPT and len(self._read) > FEWEST_KEPT:
            self._values -= self._read.pop(next(iter(self._read)))[1]
        return known[0]


_READINGS = _Readings()


@lru_cache(maxsize=4096)
def _pair(name: str, value: str) -> tuple[str, str]:
    """A header; most answers have the same ones, which are then held once."""
    return name, value


def headers_of(pairs: Iterable[tuple[str, str]]) -> Headers:
    """Headers in their order."""
    return tuple(
        _pair(str(name), str(value))
        if len(name) + len(value) <= LONGEST_SHARED_HEADER
        else (str(name), str(value))
        for name, value in pairs
    )


class Credential(StrEnum):
    """What the Authorization header of a request was, in place of the header itself."""

    VALID = "valid"
    LOWER_CASE_SCHEME = "lower-case-scheme"
    ABSENT = "absent"
    EMPTY = "empty"
    WRONG = "wrong"
    LONGER = "longer"
    SHORTER = "shorter"
    RECASED = "recased"
    OTHER_SCHEME = "other-scheme"
    BARE_KEY = "bare-key"
    NOT_ASCII = "not-ascii"
    UNKNOWN = "unknown"

    @property
    def invalid(self) -> bool:
        """Whether it is known to be no valid credential, so that 401 is the answer.

        A token beyond ASCII is none either, but servers and proxies may refuse it before anything looks at it.
        """
        return self not in {
            Credential.VALID,
            Credential.LOWER_CASE_SCHEME,
            Credential.NOT_ASCII,
            Credential.UNKNOWN,
        }


class FailureKind(StrEnum):
    """Why a request has no answer that could be judged."""

    REFUSED = "refused"
    RESET = "reset"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    TOO_LARGE = "too-large"
    TLS = "tls"


@dataclass(frozen=True)
class Failure:
    """A request that was sent and not answered: its kind, and the library's words for it."""

    kind: FailureKind
    detail: str


@dataclass(frozen=True)
class Request:
    """A request as it went out.

    ``target`` is relative to the base address (``/pets?limit=5``), ``headers`` are without Authorization,
    ``body`` is ``None`` where none was sent. ``form`` says which of its kind's headers the credential was
    (see :func:`animal_conformance.record.redaction.authorizations`).
    """

    method: str
    target: str
    headers: Headers = ()
    body: bytes | None = None
    credential: Credential = Credential.VALID
    form: int = 0

    @cached_property
    def path(self) -> str:
        """The path, relative to the base address, still percent-encoded."""
        return urlsplit(f"http://h{self.target}").path

    @cached_property
    def query(self) -> tuple[tuple[str, str], ...]:
        """The query parameters in order, decoded."""
        return tuple(
            parse_qsl(urlsplit(f"http://h{self.target}").query, keep_blank_values=True, max_num_fields=None)
        )

    @cached_property
    def json(self) -> JsonText:
        """The body as JSON."""
        return parse(self.body or b"")

    def header(self, name: str) -> str | None:
        """The first value of a header, whatever the case of its name; ``None`` where it is absent."""
        return _header(self.headers, name)


@dataclass(frozen=True)
class Response:
    """A response as it came in: ``body`` after content decoding, ``version`` such as ``1.1``."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    reason: str = ""
    version: str = "1.1"

    @property
    def json(self) -> JsonText:
        """The body as JSON."""
        return _READINGS.of(self.body)

    def header(self, name: str) -> str | None:
        """The first value of a header, whatever the case of its name; ``None`` where it is absent."""
        return _header(self.headers, name)

    @cached_property
    def media_type(self) -> str | None:
        """The media type of Content-Type in lower case and without parameters; ``None`` where there is none."""
        value = self.header("content-type")
        return None if value is None else value.split(";", 1)[0].strip().lower()


@dataclass(frozen=True)
class Exchange:
    """One request and what came of it.

    ``sequence`` is the number of the item of the run that sent it, ``step`` which of that item's requests it is.
    ``sent_s`` and ``answered_s`` are seconds since the run began, on one clock for all lanes.
    Exactly one of ``response`` and ``failure`` is set.
    """

    request: Request
    response: Response | None = None
    failure: Failure | None = None
    sequence: int = 0
    step: int = 1
    driver: str = ""
    sent_s: float = 0.0
    answered_s: float = 0.0

    @property
    def reference(self) -> str:
        """The name of this exchange within its trace, such as ``12`` or, the second of an item's, ``12.2``."""
        return reference(self.sequence, self.step)

    def as_record(self) -> dict[str, Any]:
        """This exchange as plain JSON values, for a trace or a report."""
        request, response, failure = self.request, self.response, self.failure
        record: dict[str, Any] = {
            "sequence": self.sequence,
            "step": self.step,
            "driver": self.driver,
            "sent_s": round(self.sent_s, 6),
            "answered_s": round(self.answered_s, 6),
            "request": {
                "method": request.method,
                "target": request.target,
                "headers": [list(pair) for pair in request.headers],
                "body": None if request.body is None else _body_as_record(request.body),
                "credential": request.credential.value,
                "form": request.form,
            },
            "response": None,
            "failure": None,
        }
        if response is not None:
            record["response"] = {
                "status": response.status,
                "reason": response.reason,
                "version": response.version,
                "headers": [list(pair) for pair in response.headers],
                "body": _body_as_record(response.body),
            }
        if failure is not None:
            record["failure"] = {"kind": failure.kind.value, "detail": failure.detail}
        return record

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Exchange:
        """The exchange that :meth:`as_record` wrote.

        :raises KeyError, TypeError, ValueError: where the record is not one.
        """
        request, response, failure = record["request"], record["response"], record["failure"]
        return cls(
            request=Request(
                method=str(request["method"]),
                target=str(request["target"]),
                headers=headers_of(request["headers"]),
                body=None if request["body"] is None else _body_from_record(request["body"]),
                credential=Credential(request["credential"]),
                form=int(request.get("form", 0)),
            ),
            response=None
            if response is None
            else Response(
                status=int(response["status"]),
                headers=headers_of(response["headers"]),
                body=_body_from_record(response["body"]),
                reason=str(response["reason"]),
                version=str(response["version"]),
            ),
            failure=None
            if failure is None
            else Failure(FailureKind(failure["kind"]), str(failure["detail"])),
            sequence=int(record["sequence"]),
            step=int(record["step"]),
            driver=str(record["driver"]),
            sent_s=float(record["sent_s"]),
            answered_s=float(record["answered_s"]),
        )


def reference(sequence: int, step: int) -> str:
    """What reports call an exchange: the number of its item, and which of the item's requests it is beyond the first."""
    return f"{sequence}" if step == 1 else f"{sequence}.{step}"


@dataclass(frozen=True)
class Terms:
    """What a run was agreed to be: the settings that a verdict depends on, kept in the trace's first line.

    ``settle_s``: how long reads may lag behind creations. ``today``: the date that decides whether getPet
    may have been removed (ISO 8601). ``base_url`` is without credentials.
    """

    base_url: str = ""
    today: str = "2026-01-01"
    settle_s: float = 2.0
    read_only: bool = False
    selected: tuple[str, ...] = field(default=())


def _header(headers: Headers, name: str) -> str | None:
    return _by_name(headers).get(name.lower())


@lru_cache(maxsize=256)
def _by_name(headers: Headers) -> dict[str, str]:
    """The first value of each header; the headers that most messages have are looked through once."""
    return {name.lower(): value for name, value in reversed(headers)}


def _body_as_record(body: bytes) -> str | dict[str, str]:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode("ascii")}


def _body_from_record(body: str | dict[str, str]) -> bytes:
    return body.encode("utf-8") if isinstance(body, str) else base64.b64decode(body["base64"])
