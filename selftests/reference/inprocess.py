"""Requests to a deployment in this process, without a socket, and a script of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp, Message

from animal_conformance.reference import catalogue
from animal_conformance.reference.changes import Change
from animal_conformance.reference.server import Options, assemble, stack
from animal_conformance.reference.service import Service

KEY = "aB3dEf7hJ9kLmN2pQr5sTu8vWx1yZ046"


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the headers in lower case, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        """The body read as JSON, None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def id(self) -> Any:
        """The id of the animal in the body, None where there is none."""
        return self.value.get("id") if isinstance(self.value, dict) else None


class Local:
    """A deployment in this process; request() sends with the valid key unless told otherwise."""

    def __init__(self, *changes: Change, **options: Any) -> None:
        self.service: Service = assemble(Options(**{"api_key": KEY, **options}), changes)
        self.service.open(list(catalogue.animals(self.service.settings.catalogue)))
        self.app: ASGIApp = stack(self.service, changes)
        self.answers: list[Answer] = []
        self.connection = 1

    async def request(
        self,
        method: str,
        path: str,
        body: object = None,
        authorization: str | None = "valid",
        **headers: str,
    ) -> Answer:
        """Send a request; body is sent as it is where it is bytes, else as JSON."""
        path, _, query = path.partition("?")
        raw = (self.service.settings.base_path + path).encode()
        if authorization == "valid":
            authorization = f"Bearer {self.service.key}"
        lines = {"host": "localhost", "content-type": "application/json", **headers}
        if authorization is not None:
            lines["authorization"] = authorization
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": raw,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in lines.items()],
            "client": ("127.0.0.1", self.connection),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "state": {},
        }
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": data, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        head = {name.decode(): value.decode() for name, value in sent[0].get("headers", [])}
        answer = Answer(sent[0]["status"], head, b"".join(part.get("body", b"") for part in sent[1:]))
        self.answers.append(answer)
        return answer

    async def create(self, name: str, **fields: Any) -> Answer:
        """Add an animal."""
        return await self.request("POST", "/pets", {"name": name, "categoryId": 3, **fields})


NAMES = (
    "Rex",
    "",
    "0042",
    "42",
    "a\0b",
    "tab\there\nand\r\nthere",
    "cafe\u0301 é",
    "🐕 dog",
    "日本",
    "zero\u200bwidth",
    "<b>bold</b> & 'quoted' \"double\" &amp; back\\slash",
    "two  spaces",
    " padded ",
    "per%20cent + plus",
    "l" * 300,
    "m" * 1100,
    "a\n\nb",
    "left\u2028right",
    "selected\ufe0f soft\u00adhyphen",
    "\u201cquoted\u201d \u2014 dashed",
    "%s and %d",
    "2024-01-05T10:20:30Z",
    '"quoted"',
    "=1+1",
    "1.50",
    "rex",
    "R\u00e9x",
)
CATEGORIES = (0, -1, 1, 7, 2**15, 2**24 + 1, 2**31, -(2**31) - 1, 2**53 + 1, 2**63 - 1, -(2**63))
LIMITS = (
    "",
    "0",
    "-1",
    "-5",
    "1",
    "5",
    "7",
    "19",
    "20",
    "21",
    "50",
    "51",
    "99",
    "100",
    "101",
    "1000",
    "abc",
    "1.5",
)
BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"true",
    b"7",
    b'"Rex"',
    b'[{"name": "Rex", "categoryId": 3}]',
    b'{"name": "Rex", "categoryId": 3',
    b'{"name": "Rex", "categoryId": 3,}',
    b'{"name": "Rex", "categoryId": 3} and more',
    b"{'name': 'Rex', 'categoryId': 3}",
    b'{name: "Rex", categoryId: 3}',
    b'{"name": "Rex", /* dog */ "categoryId": 3}',
    b'{"name": "Rex", "categoryId": 3, "weight": NaN}',
    b'{"name": "\xff", "categoryId": 3}',
    b"[" * 20_000,
    b'{"name": "Rex", "categoryId": ' + b"1" * 10_000 + b"}",
    b'{"name": "\\ud800", "categoryId": 3}',
    b'{"name": "\\ud83d\\udc15", "categoryId": 3}',
    b'{"name": "Rex", "categoryId": 1e19}',
    b'{"name": 7, "categoryId": "x"}',
)
WRONG: dict[str, Sequence[object]] = {
    "name": (None, True, 7, 1.5, ["a", "b"], {"a": 1}),
    "categoryId": (None, True, "12", " 12", "x", "", 1.5, [3], {"id": 3}, 2**63, -(2**63) - 1, 2**70),
    "status": (
        None,
        True,
        1,
        ["sold"],
        {"a": 1},
        "lost",
        "",
        "SOLD",
        " sold ",
        "sold\n",
        "x\nsold",
        "1",
        "Pending",
    ),
}
IDS = (
    "0",
    "-1",
    "-5",
    "99999",
    str(2**31),
    str(2**63 - 1),
    str(2**63),
    str(2**64 + 1),
    "abc",
    "1.5",
    "12abc",
    "1e3",
    "%FF",
)


async def script(local: Local) -> None:
    """Send some 500 requests, among them one that shows each fault."""
    await _listings(local)
    await _creations(local)
    await _refusals(local)
    await _readings(local)
    await _credentials(local)
    await _listings(local)


async def _listings(local: Local) -> None:
    await local.request("GET", "/pets")
    for status in ("available", "pending", "sold", "AVAILABLE", "lost", ""):
        await local.request("GET", f"/pets?status={status}")
        await local.request("GET", f"/pets?status={status}&limit=10")
        await local.request("GET", f"/pets?status={status}&limit=100")
        await local.request("GET", f"/pets?status={status}&limit=1000")
    for limit in LIMITS:
        await local.request("GET", f"/pets?limit={limit}")
    await local.request("GET", f"/pets?limit={2**40}")
    await local.request("GET", f"/pets?limit={2**70}")
    for _ in range(12):
        await local.request("GET", "/pets?limit=30")


async def _creations(local: Local) -> None:
    for name in NAMES:
        await local.create(name)
    for category in CATEGORIES:
        await local.create("Mia", categoryId=category)
    for status in ("available", "pending", "sold"):
        for _ in range(6):
            await local.create("Bello", status=status)
    await local.create("Luna", id=7_000_000)
    await local.create("Luna", id="8000000")
    await local.create("Luna", id=1)


async def _refusals(local: Local) -> None:
    for body in BODIES:
        await local.request("POST", "/pets", body)
    await local.request("POST", "/pets", {"name": "Refused"})
    await local.request("POST", "/pets", {"categoryId": 3})
    for field, values in WRONG.items():
        for value in values:
            await local.create("Refused", **{field: value}) if field != "name" else await local.request(
                "POST", "/pets", {"name": value, "categoryId": 3}
            )
    await local.request("POST", "/pets", b'{"name": "Rex", "categoryId": 3, "name": "Mia"}')
    await local.request("POST", "/pets", b'{"name": "Rex", "categoryId": 5.0}')
    for method, path in (
        ("DELETE", "/pets"),
        ("OPTIONS", "/pets"),
        ("HEAD", "/pets"),
        ("GET", "/pets/"),
        ("GET", "/pets?page=2"),
        ("GET", "/pets?status[]=sold"),
        ("GET", "/nowhere"),
    ):
        await local.request(method, path)
    await local.request("GET", "/pets", accept="text/html")


async def _readings(local: Local) -> None:
    created = [answer.id for answer in local.answers if answer.status == 201]
    for animal_id in [*range(1, 31), *created]:
        if animal_id is not None:
            await local.request("GET", f"/pets/{quote(str(animal_id))}")
    for text in IDS:
        await local.request("GET", f"/pets/{text}")


async def _credentials(local: Local) -> None:
    key = local.service.key
    headers = (
        None,
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {'x' * len(key)}",
        "Bearer wrong-key",
        f"Bearer {key}x",
        f"Bearer {key[:-1]}x",
        f"Bearer x{key[1:]}",
        f"Bearer {key[:-1]}",
        f"Bearer {key[1:]}",
        f"Bearer {key.swapcase()}",
        f"Basic {key}",
        f"Token {key}",
        f"Digest {key}",
        f"Basic {base64.b64encode(f'{key}:'.encode()).decode()}",
        key,
        f"bearer {key}",
        "Bearer cl\u00e9",
    )
    for header in headers:
        local.connection += 1
        await local.request("GET", "/pets?limit=1", authorization=header)
        await local.request("GET", "/pets?limit=0", authorization=header)
        await local.request("GET", "/pets?status=sold&limit=1", authorization=header)
        await local.request("GET", "/pets/1", authorization=header)
        await local.request("GET", "/pets/abc", authorization=header)
        await local.request("GET", "/pets/99999", authorization=header)
        await local.request("POST", "/pets", {"name": "Unasked", "categoryId": 1}, authorization=header)
        await local.request("POST", "/pets", {}, authorization=header)
    # On one connection, behind the valid key.
    for header in headers:
        await local.request("GET", "/pets?limit=1")
        await local.request("GET", "/pets?limit=1", authorization=header)
        await local.request("POST", "/pets", {"name": "Unasked", "categoryId": 1}, authorization=header)
