"""Records of requests and responses: immutable, serialisable, without any key."""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from animal_conformance.record.jsontext import DEEPEST_SENT, JsonText, parse

Headers: TypeAlias = tuple[tuple[str, str], ...]

# A parsed body takes up to fifty times its size: only the latest ones are kept, so that a run of
# any length needs memory for its bodies, but not for their values.
VALUES_KEPT = 150_000
FEWEST_KEPT = 3
LONGEST_SHARED_HEADER = 200


class _Readings:
    """A cache of parsed bodies: at most some ``VALUES_KEPT`` values in total, but always the last few bodies.

    Lanes share it, so that each step of it is one that no other lane can interrupt.
    """

    def __init__(self) -> None:
        self._read: OrderedDict[bytes, tuple[JsonText, int]] = OrderedDict()
        self._values = 0

    def of(self, body: bytes) -> JsonText:
        """A body as JSON."""
        known = self._read.get(body)
        if known is None:
            new = parse(body), 1 + sum(map(body.count, (b",", b"[", b"{")))
            known = self._read.setdefault(body, new)
            if known is new:
                self._values += known[1]
        with suppress(KeyError):  # another lane has dropped it
            self._read.move_to_end(body)
        while self._values > VALUES_KEPT and len(self._read) > FEWEST_KEPT:
            with suppress(KeyError):  # other lanes have dropped them all
                self._values -= self._read.popitem(last=False)[1][1]
        return known[0]


_READINGS = _Readings()


@lru_cache(maxsize=4096)
def _pair(name: str, value: str) -> tuple[str, str]:
    """A header; most responses have the same ones, which are stored only once."""
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
    """The kind of Authorization header of a request, in place of the header itself."""

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
        """Whether it is known to be invalid, so that 401 is required.

        A non-ASCII token is invalid too, but servers and proxies may reject it before authentication.
        """
        return self not in {
            Credential.VALID,
            Credential.LOWER_CASE_SCHEME,
            Credential.NOT_ASCII,
            Credential.UNKNOWN,
        }

    @property
    def counts_as_valid(self) -> bool:
        """Whether it is judged as the valid key: nobody knows whether a key that others have recorded was valid."""
        return self in {Credential.VALID, Credential.UNKNOWN}


class FailureKind(StrEnum):
    """Why a request has no response that could be judged."""

    REFUSED = "refused"
    RESET = "reset"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    TOO_LARGE = "too-large"
    TLS = "tls"


@dataclass(frozen=True)
class Failure:
    """Why a request got no response: the kind of failure, and the library's message."""

    kind: FailureKind
    detail: str


@dataclass(frozen=True)
class Request:
    """A request as sent.

    ``target`` is relative to the base address (``/pets?limit=5``), ``headers`` are without Authorization,
    ``body`` is ``None`` if none was sent. ``form`` says which of its kind's headers the credential was
    (see :func:`animal_conformance.send.keys.authorizations`). ``voice`` names the client whose headers and
    framing these are; empty for the suite's own, to which the transport adds a few headers.
    """

    method: str
    target: str
    headers: Headers = ()
    body: bytes | None = None
    credential: Credential = Credential.VALID
    form: int = 0
    voice: str = ""

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
        return parse(self.body or b"", DEEPEST_SENT)

    def header(self, name: str) -> str | None:
        """The first value of a header, by case-insensitive name; ``None`` if it is absent."""
        return _header(self.headers, name)


@dataclass(frozen=True)
class Response:
    """A response as received: ``body`` after content decoding, ``version`` such as ``1.1``.

    If an array is too long to be kept, ``body`` is an array of its first elements, each with only the fields that animals
    have in the interface, and ``elements`` says how many were counted until its end, or until there were more than any
    list may have; otherwise ``elements`` is ``None``.
    """

    status: int
    headers: Headers = ()
    body: bytes = b""
    reason: str = ""
    version: str = "1.1"
    elements: int | None = None

    @property
    def json(self) -> JsonText:
        """The body as JSON."""
        return _READINGS.of(self.body)

    def header(self, name: str) -> str | None:
        """The first value of a header, by case-insensitive name; ``None`` if it is absent."""
        return _header(self.headers, name)

    @cached_property
    def media_type(self) -> str | None:
        """The media type of Content-Type in lower case and without parameters; ``None`` if there is none."""
        value = self.header("content-type")
        return None if value is None else value.split(";", 1)[0].strip().lower()


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response or failure.

    ``sequence`` is the number of the item of the run that sent it, ``step`` the position among that item's requests.
    ``sent_s`` and ``answered_s`` are seconds since the start of the run, on one clock for all lanes.
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
    def status(self) -> int:
        """The status code of the response; 0 if there is none."""
        return 0 if self.response is None else self.response.status

    @property
    def failure_kind(self) -> FailureKind | None:
        """Why there is no response; ``None`` if there is one."""
        return None if self.failure is None else self.failure.kind

    @property
    def value(self) -> Any:
        """The parsed body of the response; ``None`` if there is none or it is not JSON."""
        return None if self.response is None else self.response.json.value

    @property
    def reference(self) -> str:
        """The name of this exchange within its trace, such as ``12``, or ``12.2`` for the second request of an item."""
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
                **({"voice": request.voice} if request.voice else {}),
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
            if response.elements is not None:
                record["response"]["elements"] = response.elements
        if failure is not None:
            record["failure"] = {"kind": failure.kind.value, "detail": failure.detail}
        return record

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Exchange:
        """The exchange that :meth:`as_record` wrote.

        :raises KeyError, TypeError, ValueError: if the record is malformed.
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
                voice=str(request.get("voice", "")),
            ),
            response=None
            if response is None
            else Response(
                status=int(response["status"]),
                headers=headers_of(response["headers"]),
                body=_body_from_record(response["body"]),
                reason=str(response["reason"]),
                version=str(response["version"]),
                elements=None if response.get("elements") is None else int(response["elements"]),
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
    """The name of an exchange in reports: the number of its item, and its step if not the first."""
    return f"{sequence}" if step == 1 else f"{sequence}.{step}"


class Timed:
    """Something that came with an exchange, and has its times."""

    __slots__ = ()
    exchange: Exchange

    @property
    def sent_s(self) -> float:
        """When the request was sent."""
        return self.exchange.sent_s

    @property
    def answered_s(self) -> float:
        """When it was answered."""
        return self.exchange.answered_s

    def beside(self, *others: Exchange) -> tuple[Exchange, ...]:
        """Other exchanges, each once, without its own."""
        return tuple(each for each in dict.fromkeys(others) if each is not self.exchange)


# The profile of a soak, in its terms.
SOAK: Final = "soak"


@dataclass(frozen=True)
class Terms:
    """The terms of a run: the settings that a verdict depends on, stored in the first line of the trace.

    ``settle_s``: how long reads may lag behind creations. ``today``: the date that decides whether getPet
    may have been removed (ISO 8601). ``base_url`` is without credentials. ``profile``, and ``creates``, which is how many
    animals the run may create, are known only of a run, and not of other traffic.
    """

    base_url: str = ""
    today: str = "2026-01-01"
    settle_s: float = 2.0
    read_only: bool = False
    selected: tuple[str, ...] = field(default=())
    profile: str = ""
    creates: int | None = None

    @property
    def crowded(self) -> bool:
        """Whether animals were created by many at once, so that what happened to two of them is a coincidence."""
        return self.profile == SOAK


def _header(headers: Headers, name: str) -> str | None:
    return by_name(headers).get(name.lower())


@lru_cache(maxsize=256)
def by_name(headers: Headers) -> dict[str, str]:
    """The first value of each header; the headers that most messages have are looked through once."""
    return {name.lower(): value for name, value in reversed(headers)}


def _body_as_record(body: bytes) -> str | dict[str, str]:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode("ascii")}


def _body_from_record(body: str | dict[str, str]) -> bytes:
    return body.encode("utf-8") if isinstance(body, str) else base64.b64decode(body["base64"])
