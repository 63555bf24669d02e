"""A deployment that others share, that lags and that changes while it is judged: no alarm for any of it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from selftests.loopback.command import run
from selftests.loopback.server import STATUSES, Answer, Behaviour, RawServer, Visit, error

SETTLE_S = 0.5


def crowded(visit: Visit) -> Answer:
    """Somebody else adds an animal before each request."""
    with visit.shop.lock:
        number = 5000 + visit.caught.number
        visit.shop.animals.insert(
            0, {"id": number, "name": f"Other {number}", "categoryId": 2, "status": "sold"}
        )
    return visit.honest()


def large(visit: Visit) -> Answer:
    """There are 5,000 animals."""
    with visit.shop.lock:
        have = len(visit.shop.animals)
        visit.shop.animals += [
            {"id": at, "name": f"Animal {at}", "categoryId": 1 + at % 3, "status": STATUSES[at % 3]}
            for at in range(10_000 + have, 15_000)
            if have < 5000
        ]
    return visit.honest()


def closed(visit: Visit) -> Answer:
    """Only the categories that there are can be used."""
    if visit.caught.operation == "create":
        try:
            payload = json.loads(visit.caught.body)
            if payload["categoryId"] not in {1, 2, 3} and isinstance(payload["categoryId"], int):
                return visit.honest() if "authorization" not in visit.caught.headers else _refused(visit)
        except (ValueError, KeyError, TypeError):
            pass
    return visit.honest()


def _refused(visit: Visit) -> bytes:
    valid = visit.caught.headers["authorization"] == f"Bearer {visit.shop.key}"
    return error(400, "There is no such category.") if valid else error(401)


def moving() -> Behaviour:
    """Statuses of animals move on a second after they were created."""
    born: dict[int, float] = {}

    def behave(visit: Visit) -> Answer:
        now_s = time.monotonic()
        with visit.shop.lock:
            for animal in visit.shop.animals:
                if animal["id"] > 1000 and now_s - born.setdefault(animal["id"], now_s) > 1:
                    animal["status"] = "sold"
        return visit.honest()

    return behave


def lagging() -> Behaviour:
    """Lists show an animal a little after it was created."""
    born: dict[int, float] = {}

    def behave(visit: Visit) -> Answer:
        answer = visit.honest()
        now_s = time.monotonic()
        if visit.caught.operation == "create":
            with visit.shop.lock:
                for animal in visit.shop.animals:
                    born.setdefault(animal["id"], now_s if animal["id"] > 1000 else 0.0)
        if visit.caught.operation != "list":
            return answer
        with visit.shop.lock:
            everything = visit.shop.animals
            late = [each for each in everything if now_s - born.get(each["id"], 0.0) < SETTLE_S / 2]
            visit.shop.animals = [each for each in everything if each not in late]
        try:
            return visit.honest()
        finally:
            with visit.shop.lock:
                visit.shop.animals = everything

    return behave


@pytest.mark.parametrize(
    "behaviour",
    [crowded, large, closed, moving(), lagging()],
    ids=("others-write", "5000-animals", "closed-categories", "statuses-move", "lists-lag"),
)
def test_a_deployment_in_use_gives_no_false_alarm(behaviour: Behaviour, tmp_path: Path) -> None:
    """No clause that is a MUST has failed, and what everything rests on has passed."""
    with RawServer(behaviour) as server:
        ended = run(server.url, tmp_path / "reports", "--settle", str(SETTLE_S), "--timeout", "5")
    assert set() == ended.failed_musts, ended.said
    assert ended.report["suite_faults"] == []
    assert {"list.answer", "create.answer", "get.found", "auth.missing.list"} <= ended.ids("passed")
