"""HTTP Archives: write a run as trace.har, and read recorded traffic as exchanges."""

from __future__ import annotations

import base64
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

import harfile

from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind, Request, Response
from animal_conformance.record.inputs import ARCHIVE_BYTES, json_problem, read_at_most
from animal_conformance.record.redaction import Redactor

# Headers that may contain a key; none of them leaves this module.
SECRET_HEADERS: Final = frozenset(
    {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"}
)

SHORTEST_SECRET_COOKIE: Final = 16

KEYLESS: Final = (
    "No request in the archive has an Authorization header, although some succeeded: it was sanitized on export, or the "
    "session was signed in by other means, such as a cookie. So it shows nothing of authentication. Chrome and Edge export "
    "the header (with sensitive data) if the settings of their developer tools, under Preferences and Network, allow it; "
    "the key is dropped on reading."
)

REQUIRED: Final = (
    ("startedDateTime",),
    ("request", "method"),
    ("request", "url"),
    ("request", "headers"),
    ("response", "status"),
    ("response", "headers"),
)

_PETS = re.compile(r"(?P<base>.*)/pets(/[^/]*)?/?", re.DOTALL)
_OURS = "animal-conformance "


class HarError(Exception):
    """A file that is not a usable HAR file; the message is a sentence."""


def write_har(report: dict[str, Any], exchanges: Iterable[Exchange], file: BinaryIO) -> None:
    """Write a run as an archive for browser tools, one exchange at a time since a run may be long."""
    text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="\n")
    base_url = report["target"]["base_url"].rstrip("/")
    started = datetime.fromisoformat(report["run"]["started"])
    creator = harfile.Creator(name="animal-conformance", version=report["suite"]["version"])
    with harfile.HarFile.open(text, creator=creator) as archive:
        for exchange in exchanges:
            taken = max(0.0, exchange.answered_s - exchange.sent_s) * 1000
            archive.add_entry(
                startedDateTime=started + timedelta(seconds=exchange.sent_s),
                time=round(taken, 3),
                request=_har_request(exchange.request, base_url),
                response=_har_response(exchange),
                timings=harfile.Timings(send=0, wait=round(taken, 3), receive=0),
                connection=exchange.reference,
            )
    text.detach()  # which flushes the buffer and leaves the file open


def _har_request(request: Request, base_url: str) -> harfile.Request:
    data = None
    if request.body is not None:
        text, encoding = _text(request.body)
        # The format has no encoding for request bodies, so a comment marks bytes that are not text.
        data = harfile.PostData(mimeType=request.header("content-type") or "", text=text, comment=encoding)
    return harfile.Request(
        method=request.method,
        url=f"{base_url}{request.target}",
        httpVersion="HTTP/1.1",
        headers=[harfile.Record(name, value) for name, value in request.headers],
        queryString=[harfile.Record(name, value) for name, value in request.query],
        postData=data,
        bodySize=len(request.body or b""),
        comment=f"{_OURS}credential {request.credential.value}",
    )


def _har_response(exchange: Exchange) -> harfile.Response:
    response = exchange.response
    if response is None:
        failure = exchange.failure or Failure(FailureKind.RESET, "")
        return harfile.Response(0, "", "", comment=f"{_OURS}failure {failure.kind.value} {failure.detail}")
    text, encoding = _text(response.body)
    return harfile.Response(
        status=response.status,
        statusText=response.reason,
        httpVersion=f"HTTP/{response.version}",
        headers=[harfile.Record(name, value) for name, value in response.headers],
        content=harfile.Content(
            size=len(response.body),
            mimeType=response.header("content-type") or "",
            text=text,
            encoding=encoding,
        ),
        redirectURL=response.header("location") or "",
        bodySize=len(response.body),
    )


def _text(body: bytes) -> tuple[str, str | None]:
    try:
        return body.decode("utf-8"), None
    except UnicodeDecodeError:
        return base64.b64encode(body).decode("ascii"), "base64"


class Recording(NamedTuple):
    """What an archive holds: exchanges with one base address, and when the first of them was sent.

    ``left_out`` counts the other entries, by the reason why they are left out; ``keyless`` is whether no request has an
    Authorization header although some succeeded, so that nothing is known of keys.
    """

    exchanges: list[Exchange]
    base_url: str
    began: datetime
    left_out: Counter[str]
    keyless: bool

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the verdict has to know of the archive, in sentences."""
        entries = len(self.exchanges) + self.left_out.total()
        reasons = ", ".join(f"{count} {reason}" for reason, count in self.left_out.most_common())
        counted = (
            f"Of {entries} entries, {len(self.exchanges)} are judged; left out: {reasons}." if reasons else ""
        )
        return tuple(filter(None, (counted, KEYLESS if self.keyless else "")))


def read_har(path: Path) -> Recording:
    """The exchanges with the interface in an archive, and the base address that they went to.

    Entries that prove nothing about a server are left out, and counted by reason: other addresses or paths, answers from a
    cache, requests that the browser gave up, and bodies that the archive does not hold. No key is kept, nor its echo in a
    body. A request with an Authorization header becomes one with an unknown credential, since nobody knows whether the key
    was valid. A request without that header becomes one without a key, unless no request of the archive has the header
    although some succeeded: then the recorder has removed it, as browsers do, and nothing is known.

    :raises HarError: if the file cannot be read, is not a HAR file, or contains no request to /pets.
    """
    try:
        document = json.loads(read_at_most(path, ARCHIVE_BYTES))
    except OSError as error:
        raise HarError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise HarError(f"{path} is not a HAR file: {json_problem(error)}.") from error
    try:
        return _read(document, path)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise HarError(f"{path} is not a HAR file: it lacks fields that HAR 1.2 requires.") from error


def _read(document: dict[str, Any], path: Path) -> Recording:
    entries, left_out = [], Counter[str]()
    for number, each in enumerate(document["log"]["entries"], start=1):
        if misfit := _misfit(each):
            raise HarError(f"{path} is not a HAR file: its entry {number} {misfit}.")
        if reason := _unusable(each):
            left_out[reason] += 1
        else:
            entries.append(each)
    bases = Counter(base for base in map(_base, entries) if base is not None)
    if not bases:
        raise HarError(f"{path} contains no request to /pets with a response.")
    base_url = bases.most_common(1)[0][0]
    ours = sorted((each for each in entries if _target(each, base_url) is not None), key=_started)
    if len(ours) < len(entries):
        left_out["to other addresses or paths"] = len(entries) - len(ours)
    keyless = _stripped(ours)
    without = Credential.UNKNOWN if keyless else Credential.ABSENT
    began = _moment(ours[0])
    redactor = Redactor("", _secrets(document["log"]["entries"]))
    exchanges = [
        _redacted(_exchange(each, base_url, number, began.timestamp(), without), redactor)
        for number, each in enumerate(ours, start=1)
    ]
    return Recording(exchanges, base_url, began, left_out, keyless)


def _misfit(entry: Any) -> str:
    """What an entry lacks that HAR 1.2 requires, or has that cannot be read; empty if nothing."""
    for names in REQUIRED:
        value = entry
        for name in names:
            if not isinstance(value, dict) or name not in value:
                return f"lacks {'.'.join(names)}"
            value = value[name]
    for part in ("request", "response"):
        headers = entry[part]["headers"]
        if not isinstance(headers, list) or not all(
            isinstance(each, dict) and {"name", "value"} <= each.keys() for each in headers
        ):
            return f"has {part}.headers that are not a list of names and values"
    try:
        urlsplit(entry["request"]["url"])
    except (TypeError, ValueError, AttributeError):
        return "has a request.url that cannot be read"
    try:
        began = _moment(entry).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return "has a startedDateTime that is not a date and time"
    try:
        # The moment at which it ended has to be a date and time as well.
        _ = began + timedelta(milliseconds=float(entry.get("time") or 0))
    except (TypeError, ValueError, OverflowError):
        return "has a time that is not a number of milliseconds that a request may take"
    try:
        int(entry["response"]["status"])
    except (TypeError, ValueError, OverflowError):
        return "has a response.status that is not a number"
    return ""


def _unusable(entry: dict[str, Any]) -> str:
    """Why an entry proves nothing of a server; empty if it may."""
    request, response = entry["request"], entry["response"]
    if _comment(response, "failure"):
        return ""
    content, posted = response["content"], request.get("postData")
    sent = request.get("bodySize", -1) != 0
    if response["status"] == 304 or entry.get("_fromCache"):
        return "answered from a cache"
    if response["status"] < 100:
        return "given up by the client"
    if content.get("size", 0) > 0 and content.get("text") is None:
        return "whose response body the archive lacks"
    if sent and (request["method"] == "POST" if posted is None else not {"text", "params"} & posted.keys()):
        return "whose request body the archive lacks"
    return ""


def _base(entry: dict[str, Any]) -> str | None:
    parts = urlsplit(entry["request"]["url"])
    match = _PETS.fullmatch(parts.path)
    return f"{parts.scheme}://{_host(parts.netloc)}{match['base']}" if match and parts.netloc else None


def _host(netloc: str) -> str:
    return netloc.rpartition("@")[2]


def _target(entry: dict[str, Any], base_url: str) -> str | None:
    parts = urlsplit(entry["request"]["url"])
    address = f"{parts.scheme}://{_host(parts.netloc)}{parts.path}"
    target = address.removeprefix(base_url)
    if not address.startswith(base_url) or not (target == "/pets" or target.startswith("/pets/")):
        return None
    return f"{target}?{parts.query}" if parts.query else target


def _started(entry: dict[str, Any]) -> float:
    return _moment(entry).timestamp()


def _moment(entry: dict[str, Any]) -> datetime:
    moment = datetime.fromisoformat(entry["startedDateTime"])
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _stripped(entries: list[dict[str, Any]]) -> bool:
    """Whether the recorder seems to have removed the Authorization headers, and does not say what they were."""
    if any(_comment(each["request"], "credential") for each in entries):
        return False
    names = {header["name"].lower() for each in entries for header in each["request"]["headers"]}
    return "authorization" not in names and any(200 <= each["response"]["status"] < 300 for each in entries)


def _exchange(
    entry: dict[str, Any], base_url: str, number: int, began: float, without: Credential
) -> Exchange:
    request, response = entry["request"], entry["response"]
    names = {header["name"].lower() for header in request["headers"]}
    known = _comment(request, "credential")
    sent = _started(entry) - began
    failure = _comment(response, "failure")
    return Exchange(
        Request(
            method=str(request["method"]),
            target=_target(entry, base_url) or "",
            headers=_headers(request["headers"]),
            body=_posted(request.get("postData")),
            credential=Credential(known)
            if known
            else Credential.UNKNOWN
            if "authorization" in names
            else without,
        ),
        None if failure else _response(response),
        Failure(FailureKind(failure.partition(" ")[0]), failure.partition(" ")[2]) if failure else None,
        sequence=number,
        driver="har",
        sent_s=sent,
        answered_s=sent + max(0.0, float(entry.get("time") or 0)) / 1000,
    )


def _response(response: dict[str, Any]) -> Response:
    content = response["content"]
    text = content.get("text") or ""
    return Response(
        status=int(response["status"]),
        headers=_headers(response["headers"]),
        body=base64.b64decode(text, validate=True) if content.get("encoding") == "base64" else _bytes(text),
        reason=str(response.get("statusText", "")),
        version=_version(str(response.get("httpVersion", ""))),
    )


def _posted(data: dict[str, Any] | None) -> bytes | None:
    if data is None:
        return None
    if data.get("text") is None:
        return urlencode([(each["name"], each.get("value", "")) for each in data["params"]]).encode()
    encoded = "base64" in (data.get("comment"), data.get("encoding"))
    return base64.b64decode(data["text"], validate=True) if encoded else _bytes(data["text"])


def _headers(records: list[dict[str, Any]]) -> tuple[tuple[str, str], ...]:
    pairs = [(str(each["name"]), _value(each)) for each in records]
    return tuple(
        (name, value)
        for name, value in pairs
        if name.lower() not in SECRET_HEADERS and not name.startswith(":")
    )


def _value(header: dict[str, Any]) -> str:
    """The value of a header without white space around it, which is not part of it (RFC 9112 section 5.1), but which some recorders keep."""
    return str(header["value"]).strip(" \t")


def _secrets(entries: list[dict[str, Any]]) -> set[str]:
    """What the dropped headers carry: tokens, and the values of cookies that are too long to be mere settings."""
    headers = [
        header for each in entries for part in ("request", "response") for header in each[part]["headers"]
    ]
    values = [(str(each["name"]).lower(), _value(each)) for each in headers]
    tokens = {
        value.split(" ")[-1] for name, value in values if name in SECRET_HEADERS and "cookie" not in name
    }
    cookies = {
        part.partition("=")[2].strip()
        for name, value in values
        if "cookie" in name
        for part in value.split(";")
    }
    return tokens | {each for each in cookies if len(each) >= SHORTEST_SECRET_COOKIE}


def _redacted(exchange: Exchange, redactor: Redactor) -> Exchange:
    request, response = exchange.request, exchange.response
    return replace(
        exchange,
        request=replace(
            request,
            target=redactor.text(request.target),
            headers=redactor.pairs(request.headers),
            body=None if request.body is None else redactor.bytes(request.body),
        ),
        response=response and redactor.response(response),
    )


def _version(text: str) -> str:
    """`1.1` of `HTTP/1.1`, `2` of `h2`."""
    match = re.search(r"\d(\.\d)?", text)
    return match[0] if match else "1.1"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _comment(part: dict[str, Any], kind: str) -> str:
    """What this suite recorded in the comment of a request or response."""
    comment = part.get("comment")
    mark = f"{_OURS}{kind} "
    return comment.removeprefix(mark) if isinstance(comment, str) and comment.startswith(mark) else ""
