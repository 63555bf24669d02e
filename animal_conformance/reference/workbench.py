"""What a mock server needs beside the interface: a documentation page, a health path, a reset, and access for browsers.

The paths are outside the base path, and only requests from browsers are answered differently: otherwise the interface is unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import jinja2
import yaml
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from animal_conformance.reference.errors import DeploymentError
from animal_conformance.reference.model import Json, Payload, Refusal
from animal_conformance.reference.service import Service

# The longest file of animals.
_MOST_BYTES: Final = 64 * 1024 * 1024
_HERE = Path(__file__).resolve().parent
# A checkout has the contract beside the package, an installation within it.
_CONTRACTS: Final = (
    _HERE.parents[1] / "spec" / "openapi.yaml",
    _HERE.parent / "suite" / "spec" / "openapi.yaml",
)


def workbench(app: ASGIApp, service: Service) -> ASGIApp:
    """Return the application with the paths of a mock server beside the interface, for browsers of any origin."""
    pages: dict[tuple[str, str], Callable[[Request], Response]] = {
        ("GET", "/"): lambda request: _documentation(_contract(request, service)),
        ("GET", "/openapi.json"): lambda request: JSONResponse(_contract(request, service)),
        ("GET", "/health"): lambda _: JSONResponse({"status": "ok", "animals": service.store.count()}),
        ("POST", "/reset"): lambda request: _reset(request, service),
    }

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        page = pages.get((scope["method"], scope["path"])) if scope["type"] == "http" else None
        await (page(Request(scope, receive)) if page else app)(scope, receive, send)

    return CORSMiddleware(
        answer,
        allow_origins=["*"],
        allow_methods=["GET", "HEAD", "POST"],
        allow_headers=["*"],
        expose_headers=["Allow", "Deprecation", "Sunset", "WWW-Authenticate"],
    )


def animals_of(file: str, service: Service) -> list[Payload]:
    """Read the animals of a JSON file, each as in a create request; DeploymentError if they are not."""
    try:
        with Path(file).open("rb") as content:
            text = content.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise DeploymentError(f"Cannot read the animals of {file}: it is longer than 64 MB.")
        values = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "it is not JSON"
        if isinstance(error, json.JSONDecodeError):
            reason = f"it is not JSON (line {error.lineno}, column {error.colno}: {error.msg})"
        raise DeploymentError(f"Cannot read the animals of {file}: {reason}.") from None
    if not isinstance(values, list):
        raise DeploymentError(
            f'{file} must hold an array of animals, such as [{{"name": "Rex", "categoryId": 3}}].'
        )
    animals = []
    for number, value in enumerate(values, 1):
        if isinstance(value, dict) and "id" in value:
            raise DeploymentError(
                f"Animal {number} of {file} has an id: leave it out, since ids are assigned in the order of the file, from 1."
            )
        try:
            animals.append(service.read_payload(value))
        except Refusal as refusal:
            raise DeploymentError(f"Animal {number} of {file} is not valid: {refusal.message}") from None
    return animals


def _reset(request: Request, service: Service) -> Response:
    credential = service.read_credential(request.headers.get("authorization", ""))
    if credential is None or not service.compare_keys(credential, service.key):
        return PlainTextResponse("A reset needs the API key.\n", 401, {"WWW-Authenticate": "Bearer"})
    service.reset()
    return Response(status_code=204)


@cache
def _document() -> Json:
    return yaml.safe_load(next(each for each in _CONTRACTS if each.is_file()).read_bytes())


def _contract(request: Request, service: Service) -> Json:
    """The contract, with the address at which it was requested as its server."""
    address = f"{str(request.base_url).rstrip('/')}{service.settings.base_path}"
    return {**_document(), "servers": [{"url": address}]}


def _documentation(contract: Json) -> Response:
    environment = jinja2.Environment(autoescape=True, trim_blocks=True)
    template = environment.from_string((_HERE / "documentation.html.j2").read_text(encoding="utf-8"))

    def resolved(value: Json) -> Json:
        """The part of the contract to which a reference points, with its name; any other value as it is."""
        if "$ref" not in value:
            return value
        name, kind = value["$ref"].split("/")[:-3:-1]
        return {"called": name, **contract["components"][kind][name], **value}

    page = template.render(contract=contract, address=contract["servers"][0]["url"], resolved=resolved)
    return HTMLResponse(
        page, headers={"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    )
