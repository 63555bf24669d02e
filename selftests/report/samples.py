"""Reports to test with, made by judging hand-made exchanges: they say what a run would say."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import jsonschema_rs

from animal_conformance.interface.clauses import Circumstance, Level
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.verdicts import Judgement, judge
from animal_conformance.record.exchange import (
    Credential,
    Exchange,
    Failure,
    FailureKind,
    Request,
    Response,
    Terms,
)
from animal_conformance.report.html import html_page
from animal_conformance.report.report import RunFacts, build_report

BASE_URL = "https://animals.example.org/v1"
JSON = (("Content-Type", "application/json"),)
HOSTILE = (
    "\x1b]0;owned\x07\x1b[31m\x00\x7f\x9b2J\u202eevil\u2066\u200b\ufeff\u2028\ufffe"
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "[bold red]rich[/] :smile: ]]> &amp; '\"><svg onload=document.title='owned'> javascript:document.title='owned'"
    " ::error::owned\r\n::error file=x::owned | `code` </details> {{ 7*7 }} {% raw %}"
)
ANY_EXCUSE = Circumstance("sample.small", "There were only a handful of requests.")
DAY = 1_790_000_000.0
# The MUST clauses that the bad deployment breaks.
BROKEN = [
    "http.server-error", "list.limit.respected", "auth.missing.list", "error.code", "error.message",
    "error.status",
]  # fmt: skip


@dataclass
class Maker:
    """Makes exchanges, one after another."""

    exchanges: list[Exchange]

    def add(
        self, method: str, target: str, status: int | None, value: object = None, **options: Any
    ) -> Exchange:
        """Add an exchange; `value` is the JSON of its answer, or its bytes."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        sent = options.pop("sent", None)
        number = len(self.exchanges) + 1
        at = number * 0.05 if sent is None else sent
        payload = options.pop("payload", None)
        request = Request(
            method,
            target,
            JSON if payload is not None else (),
            None
            if payload is None
            else payload
            if isinstance(payload, bytes)
            else json.dumps(payload).encode(),
            options.pop("credential", Credential.VALID),
        )
        took = options.pop("took", 0.003 + (number * 7 % 11) / 1000)
        exchange = Exchange(
            request,
            None
            if status is None
            else Response(status, options.pop("headers", JSON), body, options.pop("reason", "")),
            Failure(FailureKind.TIMEOUT, options.pop("detail", "no response in 10 s"))
            if status is None
            else None,
            sequence=number,
            driver=options.pop("driver", "tests/test_listing.py::test_limit"),
            sent_s=at,
            answered_s=at + took,
        )
        assert not options, options
        self.exchanges.append(exchange)
        return exchange


def animals(number: int, first: int = 1) -> list[dict[str, Any]]:
    """So many animals, as a list shows them."""
    statuses = ("available", "pending", "sold")
    return [
        {"id": each, "name": f"animal {each}", "categoryId": each % 4 + 1, "status": statuses[each % 3]}
        for each in range(first, first + number)
    ]


def error(status: int, message: str = "no") -> dict[str, Any]:
    """An Error body."""
    return {"code": "refused", "message": message, "status": status}


def good_exchanges() -> list[Exchange]:
    """A handful of requests, and the answers of a conforming deployment."""
    make = Maker([])
    make.add("GET", "/pets", 200, animals(20))
    make.add("GET", "/pets?limit=100", 200, animals(100))
    make.add("GET", "/pets?limit=5", 200, animals(5))
    make.add("GET", "/pets?limit=101", 400, error(400))
    make.add("GET", "/pets?limit=0", 400, error(400))
    make.add("GET", "/pets?status=sold", 200, [each for each in animals(60) if each["status"] == "sold"])
    for credential in (Credential.ABSENT, Credential.WRONG):
        make.add(
            "GET",
            "/pets",
            401,
            error(401),
            credential=credential,
            headers=(*JSON, ("WWW-Authenticate", "Bearer")),
        )
    ids = count(501)
    for status in ("available", "pending", "sold"):
        payload = {"name": f"made by the run {status}", "categoryId": 3, "status": status}
        made = {"id": next(ids), **payload}
        make.add("POST", "/pets", 201, made, payload=payload)
        make.add("GET", f"/pets/{made['id']}", 200, made)
    make.add("POST", "/pets", 400, error(400), payload={"categoryId": 3})
    make.add("GET", "/pets/123456789", 404, error(404))
    return make.exchanges


def bad_exchanges() -> list[Exchange]:
    """The same requests, and the answers of a deployment that breaks a few clauses."""
    make = Maker(good_exchanges())
    make.add("GET", "/pets?limit=3", 200, animals(9))
    make.add("GET", "/pets?limit=4", 200, animals(9))
    make.add("GET", "/pets", 200, animals(20), credential=Credential.ABSENT)
    make.add("GET", "/pets/99999999999", 404, {"code": 7, "message": None})
    make.add("GET", "/pets?limit=-1", 200, animals(20))
    make.add(
        "GET",
        "/pets?status=pending",
        500,
        b"<html>500 Internal Server Error</html>",
        headers=(("Content-Type", "text/html"),),
    )
    make.add("GET", "/pets/abc", None)
    return make.exchanges


def hostile_exchanges() -> list[Exchange]:
    """Answers that attack whoever reads the reports, in every place that a server can fill."""
    make = Maker(good_exchanges())
    text = HOSTILE
    headers = (
        ("Content-Type", f"application/json; x={text}"),
        (text, text),
        ("Location", "javascript:document.title='owned'"),
    )
    raw = text.encode("utf-8", "surrogatepass")
    make.add(
        "GET",
        "/pets?limit=3",
        200,
        [{**each, "name": text} for each in animals(9)],
        headers=headers,
        reason=text,
    )
    make.add("GET", "/pets?limit=8", 200, raw, headers=headers)
    make.add("GET", "/pets?limit=9", 200, b"\xff\xfe\x00" + raw, headers=headers)
    make.add(
        "GET",
        "/pets?limit=10",
        200,
        [{"id": text, "name": ["\ud800"], "categoryId": text, "status": text}],
        headers=headers,
    )
    make.add("GET", "/pets?limit=101", 418, {"code": text, "message": text, "status": 418}, headers=headers)
    make.add(
        "GET", "/pets?limit=11", 401, {"code": "\ud800", "message": "\udfff", "status": text}, headers=headers
    )
    make.add("GET", "/pets?limit=12", None, detail=text)
    make.add("GET", f"/pets?limit=13&x={text}", 500, raw, headers=headers)
    payload = {"name": text, "categoryId": 1}
    make.add(
        "POST", "/pets", 201, {**payload, "id": 900, "name": text.upper()}, payload=payload, headers=headers
    )
    make.add("GET", "/pets", 200, animals(2), credential=Credential.ABSENT, headers=headers, driver=text)
    return make.exchanges


def report_of(exchanges: list[Exchange], terms: Terms | None = None, **facts: Any) -> dict[str, Any]:
    """The report of a run with these exchanges, checked against the schema."""
    terms = terms or Terms(base_url=BASE_URL)
    known: dict[str, Any] = {
        "run_id": "20260921T123640-1",
        "base_url": BASE_URL,
        "name": "Example store, staging",
        "started": DAY,
        "finished": DAY + 6.1,
        "profile": "standard",
        "seed": 1,
        "connections": 1,
        "options": {"settle": 2.0, "category_id": [3]},
    }
    judgement = judge(exchanges, terms)
    return build_report(_excused(judgement) if exchanges else judgement, RunFacts(**{**known, **facts}))


def load_of(bins: int) -> dict[str, Any]:
    """The `load` section of a soak with so many bins, which became slower towards its end."""

    def times(at: int) -> dict[str, float]:
        slow = 10 if at > bins * 0.8 else 1
        return {"count": 40, "p50_ms": 4.0 * slow, "p95_ms": (9.0 + at % 5) * slow, "p99_ms": 20.0 * slow}

    each = [
        {
            "served": 80 + at % 7,
            "refused": at % 11,
            "trouble": 3 * (at % 29 == 0),
            "errors": {},
            "operations": {"listPets": times(at), "createPet": times(at + 3)} if at % 13 else {},
        }
        for at in range(bins)
    ]
    return {
        "users": 50,
        "processes": 2,
        "lost_workers_s": [],
        "step_s": 1,
        "errors": {"503": 9},
        "operations": {"createPet": times(1), "listPets": times(1)},
        "bins": each,
        "thresholds": [],
        "guarantees": [],
    }


def _excused(judgement: Judgement) -> Judgement:
    """The judgement with an excuse for every clause that a handful of requests does not tell."""
    verdicts = (
        replace(each, excuse=ANY_EXCUSE, remedy="")
        if each.untold and each.clause.level is Level.MUST
        else each
        for each in judgement.verdicts
    )
    return replace(judgement, verdicts=tuple(verdicts))


def schema_problems(report: object) -> list[str]:
    """Where a report violates spec/report.schema.json."""
    schema = json.loads(spec_file("report.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return [f"{each.instance_path}: {each.message}" for each in validator.iter_errors(report)]


def many_exchanges(number: int) -> list[Exchange]:
    """A run of so many requests against a deployment that breaks a few clauses, at the pace of a real run."""
    make = Maker(bad_exchanges())
    pace = 6.0 / number
    while len(make.exchanges) < number:
        at = len(make.exchanges)
        spread = 1 + (at * 37 % 101) / 20 + (12 if at % 97 == 0 else 0)
        times = {"sent": at * pace, "took": spread / 1000}
        limit = at * 13 % 100 + 1
        match at % 7:
            case 0 | 1:
                make.add("GET", f"/pets?limit={limit}", 200, animals(limit), **times)
            case 2:
                make.add("GET", f"/pets?limit={-limit}", 400, error(400), **times)
            case 3:
                payload = {"name": f"animal {at:05}", "categoryId": 3}
                make.add(
                    "POST",
                    "/pets",
                    201,
                    {"id": 1000 + at, **payload, "status": "available"},
                    payload=payload,
                    **{**times, "took": spread * 0.003},
                )
            case 4:
                make.add("GET", f"/pets/{limit}", 200, animals(1, limit)[0], **times)
            case 5:
                make.add("POST", "/pets", 400, error(400), payload={"name": at}, **times)
            case _:
                bare = (*JSON, ("WWW-Authenticate", "Bearer"))
                make.add("GET", "/pets", 401, error(401), credential=Credential.WRONG, headers=bare, **times)
    return make.exchanges


def bad_page(bad: dict[str, Any]) -> bytes:
    """The page of the run with findings."""
    return html_page(bad, bad_exchanges())
