"""strategies.py: the strategies reach the corners, and give nothing but what they promise."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from animal_conformance.drive import strategies
from animal_conformance.interface.contract import load_contract
from animal_conformance.interface.reading import read_request
from animal_conformance.record.exchange import Request
from selftests.exchanges import JSON, payload

CONTRACT = load_contract()
LOOKING = settings(
    max_examples=3000,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    deadline=None,
)
SAMPLE = settings(max_examples=80, derandomize=True, database=None, deadline=None)


@pytest.mark.parametrize(
    ("strategy", "corner"),
    [
        *(
            (strategies.category_ids(), each)
            for each in (2**53 + 1, 2**63 - 1, -(2**63), 0, -1, 2**31, 2**32 + 1)
        ),
        *((strategies.limits(), each) for each in (1, 20, 21, 99, 100)),
        *((strategies.statuses(), each) for each in ("available", "pending", "sold", None)),
    ],
)
def test_a_corner_is_found(strategy: Any, corner: object) -> None:
    """By the strategy itself, not only because it stands in a list of corners."""
    assert corner == find(strategy, lambda example: bool(example == corner), settings=LOOKING)


@pytest.mark.parametrize(
    "has",
    [
        pytest.param(lambda name: any(ord(each) > 0xFFFF for each in name), id="astral"),
        pytest.param(lambda name: any(unicodedata.combining(each) for each in name), id="combining"),
        pytest.param(lambda name: "\x00" in name, id="NUL"),
        pytest.param(lambda name: '"' in name or "'" in name, id="quotes"),
        pytest.param(lambda name: "<" in name, id="markup"),
        pytest.param(lambda name: "\\" in name, id="backslash"),
        pytest.param(lambda name: "\u200d" in name, id="joiner"),
        pytest.param(lambda name: len(name) > 30, id="long"),
        pytest.param(lambda name: name.isascii() and name.isalnum(), id="plain"),
    ],
)
def test_names_reach_what_storage_loses(has: Callable[[str], bool]) -> None:
    """Within what a deep run looks at."""
    assert has(find(strategies.names(), has, settings=LOOKING))


def test_corners_hold_what_every_run_visits() -> None:
    """Limits, both ends of int64, and each kind of character."""
    assert {1, 20, 21, 99, 100} <= set(strategies.LIMIT_CORNERS)
    assert {2**53 + 1, 2**63 - 1, -(2**63)} <= set(strategies.CATEGORY_ID_CORNERS)
    whole = "".join((*strategies.NAME_CORNERS, *strategies.LONG_NAME_CORNERS))
    assert {"\x00", '"', "'", "\\", "<", "&", "\u0301", "\U0010ffff"} <= set(whole)
    assert max(map(len, (*strategies.NAME_CORNERS, *strategies.LONG_NAME_CORNERS))) > 1000


@given(strategies.names(20), strategies.category_ids(), strategies.statuses(), strategies.limits())
@SAMPLE
def test_what_is_called_valid_is_valid(name: str, category_id: int, status: str | None, limit: int) -> None:
    """By the contract."""
    sent = {"name": name, "categoryId": category_id, **({} if status is None else {"status": status})}
    assert read_request(Request("POST", "/pets", JSON, json.dumps(sent).encode())).valid
    assert read_request(Request("GET", f"/pets?limit={limit}")).valid


@given(
    strategies.not_strings(), strategies.not_integers(), strategies.not_statuses(), strategies.beyond_int64()
)
@SAMPLE
def test_what_is_called_invalid_is_invalid(name: Any, category_id: Any, status: Any, beyond: int) -> None:
    """In one thing only, and nothing is left open."""
    for field, value in (
        ("name", name),
        ("categoryId", category_id),
        ("status", status),
        ("categoryId", beyond),
    ):
        body = json.dumps(payload(**{field: value})).encode()
        problem = read_request(Request("POST", "/pets", JSON, body)).only_problem()
        assert problem is not None, (field, value)
        assert problem.startswith(field)


@given(strategies.far_ids())
@SAMPLE
def test_far_ids_are_int64(animal_id: int) -> None:
    """And far from what is counted."""
    assert CONTRACT.is_int64(animal_id)
    assert abs(animal_id) >= 2**40


@pytest.mark.parametrize(
    ("texts", "target"),
    [
        (strategies.INVALID_LIMITS, "/pets?limit={}"),
        (strategies.INVALID_STATUSES, "/pets?status={}"),
        (strategies.MALFORMED_PET_IDS, "/pets/{}"),
    ],
)
def test_invalid_texts_have_one_problem(texts: tuple[str, ...], target: str) -> None:
    """One fault a request."""
    assert [] == [
        each for each in texts if read_request(Request("GET", target.format(each))).only_problem() is None
    ]


@pytest.mark.parametrize(
    ("texts", "target"),
    [
        (strategies.OPEN_LIMITS, "/pets?limit={}"),
        (strategies.OPEN_STATUSES, "/pets?status={}"),
        (strategies.OPEN_PET_IDS, "/pets/{}"),
    ],
)
def test_open_texts_are_open(texts: tuple[str, ...], target: str) -> None:
    """No rule may judge them."""
    assert [] == [each for each in texts if not read_request(Request("GET", target.format(each))).open_points]
