"""What Schemathesis generates from the contract, as requests for the recording client."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import requests
from hypothesis import strategies as st

from animal_conformance.drive.examples import drawn
from animal_conformance.drive.profiles import DEFAULT_SEED, PROFILES
from animal_conformance.interface.resources import spec_file

if TYPE_CHECKING:
    from schemathesis import Case

OPERATIONS: Final = ("listPets", "createPet", "getPet")
HOST: Final = "http://contract.invalid"
ROUNDS_KEPT: Final = 24
KEPT: Final = "cases.json"
# Of the default seed, as many as the standard profile sends.
FUZZING_KEPT: Final = PROFILES["standard"].fuzzing
OWN_HEADERS: Final = frozenset(
    {
        "user-agent",
        "accept-encoding",
        "connection",
        "content-length",
        "x-schemathesis-testcaseid",
        "authorization",
    }
)


@dataclass(frozen=True)
class Generated:
    """A request that was generated: everything but the credential."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None


@cache
def _schema() -> Any:
    # Imported here, since a smoke run generates nothing and should not wait for it.
    import schemathesis  # noqa: PLC0415
    from schemathesis.config import SchemathesisConfig  # noqa: PLC0415

    config = SchemathesisConfig.from_dict(
        {
            "generation": {"with-security-parameters": False, "database": "none"},
            # Methods that the contract does not have might do something on a deployment that has them.
            "phases": {"coverage": {"unexpected-methods": []}},
        }
    )
    return schemathesis.openapi.from_path(str(spec_file("openapi.yaml")), config=config)


@cache
def coverage(operation_id: str) -> tuple[Generated, ...]:
    """The cases of Schemathesis' coverage phase, positive and negative, in its order.

    They are kept beside the contract, since deriving them takes longer than sending them; they are derived where the
    contract or Schemathesis is another than when they were kept.
    """
    kept = _kept("coverage", operation_id)
    return derived(operation_id) if kept is None else kept


def _kept(phase: str, operation_id: str) -> tuple[Generated, ...] | None:
    """What is kept of a phase; ``None`` where it was derived from something else than what is here."""
    kept = json.loads(spec_file(KEPT).read_bytes())
    if kept["derived_from"] != derived_from():
        return None
    return tuple(_from_record(each) for each in kept[phase][operation_id])


@cache
def derived_from() -> dict[str, str]:
    """What the kept cases depend on."""
    contract = hashlib.sha256(spec_file("openapi.yaml").read_bytes()).hexdigest()
    return {
        "contract_sha256": contract,
        "schemathesis": metadata.version("schemathesis"),
        "hypothesis": metadata.version("hypothesis"),
    }


def derived(operation_id: str) -> tuple[Generated, ...]:
    """The cases of an operation, as Schemathesis derives them from the contract."""
    schema = _schema()
    operation = schema.find_operation_by_id(operation_id)
    cases = schema.iter_coverage_cases(
        operation,
        generation_modes=_modes(),
        generation_config=schema.config.generation_for(operation=operation, phase="coverage"),
    )
    return tuple(as_request(case) for case in cases if case.method.upper() == operation.method.upper())


def kept_cases() -> str:
    """What is kept beside the contract: the text of spec/cases.json."""
    phases = {
        "coverage": {each: derived(each) for each in OPERATIONS},
        "fuzzing": {each: fuzzed(each, FUZZING_KEPT, DEFAULT_SEED, 0) for each in OPERATIONS},
    }
    records = {
        phase: {operation_id: [_as_record(each) for each in cases] for operation_id, cases in of.items()}
        for phase, of in phases.items()
    }
    return json.dumps({"derived_from": derived_from(), **records}, indent=1) + "\n"


def _as_record(case: Generated) -> dict[str, Any]:
    body = None if case.body is None else base64.b64encode(case.body).decode("ascii")
    return {"method": case.method, "target": case.target, "headers": case.headers, "body_base64": body}


def _from_record(record: dict[str, Any]) -> Generated:
    body = record["body_base64"]
    headers = tuple((str(name), str(value)) for name, value in record["headers"])
    return Generated(
        record["method"], record["target"], headers, None if body is None else base64.b64decode(body)
    )


@lru_cache(maxsize=ROUNDS_KEPT)
def fuzzing(operation_id: str, count: int, seed_number: int, round_number: int = 0) -> tuple[Generated, ...]:
    """So many cases of Schemathesis' fuzzing, positive and negative; the same for the same seed and round."""
    if (count, seed_number, round_number) == (FUZZING_KEPT, DEFAULT_SEED, 0):
        kept = _kept("fuzzing", operation_id)
        if kept is not None:
            return kept
    return fuzzed(operation_id, count, seed_number, round_number)


def fuzzed(operation_id: str, count: int, seed_number: int, round_number: int) -> tuple[Generated, ...]:
    """The cases of an operation, as Schemathesis generates them."""
    operation = _schema().find_operation_by_id(operation_id)
    strategies = [operation.as_strategy(generation_mode=mode) for mode in _modes()]
    return tuple(drawn(st.one_of(*strategies).map(as_request), count, f"{seed_number} {round_number}"))


def _modes() -> list[Any]:
    from schemathesis import GenerationMode  # noqa: PLC0415 - as above

    return [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


def as_request(case: Case[Any]) -> Generated:
    """What Schemathesis would send for a case."""
    prepared = requests.Request(**_arguments(case)).prepare()
    parts = urlsplit(prepared.url or "")
    body = prepared.body
    return Generated(
        method=prepared.method or case.method,
        target=f"{parts.path}?{parts.query}" if parts.query else parts.path,
        headers=tuple(
            (name, value) for name, value in prepared.headers.items() if name.lower() not in OWN_HEADERS
        ),
        body=body.encode() if isinstance(body, str) else body,
    )


def _arguments(case: Case[Any]) -> dict[str, Any]:
    arguments = case.as_transport_kwargs(base_url=HOST)
    return {
        name: value
        for name, value in arguments.items()
        if name in {"method", "url", "headers", "params", "data", "json", "cookies", "files"}
    }


def renamed(request: Generated, name: str) -> Generated:
    """The request with a name of the run's own in front of the generated one, where it carries one."""
    try:
        payload = json.loads(request.body or b"")
    except (ValueError, RecursionError):
        return request
    if not isinstance(payload, dict) or not isinstance(payload.get("name"), str):
        return request
    body = json.dumps({**payload, "name": name + payload["name"]}, ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )
    return Generated(request.method, request.target, request.headers, body)


if __name__ == "__main__":
    # In a process of its own, since Hypothesis generates from what else is imported: … > spec/cases.json
    sys.stdout.write(kept_cases())
