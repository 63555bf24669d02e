"""The animal store in Flask, with repairs of everything that its defaults break."""

import hmac
import itertools
import os
from typing import Any

from flask import Flask, Response, abort, jsonify, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import BadRequest, HTTPException, Unauthorized

API_KEY = os.environ["API_KEY"].encode()
STATUSES = ("available", "pending", "sold")

app = Flask(__name__)
pets: dict[int, dict[str, Any]] = {}
ids = itertools.count(1)


@app.errorhandler(HTTPException)
def answer_exception(problem: HTTPException) -> Response:
    """The Error of the interface for any refusal, with the headers that belong to it."""
    status = problem.code or 500
    response = jsonify(
        code=problem.name.lower().replace(" ", "_"), message=problem.description, status=status
    )
    response.status_code = status
    for name, value in problem.get_headers():
        if name not in {"Content-Type", "Content-Length"}:
            response.headers[name] = value
    return response


@app.before_request
def require_key() -> None:
    """Let only the key in."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(key.encode(), API_KEY):
        raise Unauthorized("A valid API key is required.", www_authenticate=WWWAuthenticate("bearer"))


@app.get("/v1/pets")
def list_pets() -> list[dict[str, Any]]:
    """List animals."""
    text = request.args.get("limit", "20")
    if not text.isdecimal() or not 1 <= int(text[:10]) <= 100:
        raise BadRequest("limit is an integer from 1 to 100.")
    status = request.args.get("status")
    if status is not None and status not in STATUSES:
        raise BadRequest(f"status is one of {', '.join(STATUSES)}.")
    return [pet for pet in list(pets.values()) if status is None or pet["status"] == status][: int(text[:10])]


@app.post("/v1/pets")
def create_pet() -> tuple[dict[str, Any], int]:
    """Add an animal."""
    try:
        data = request.get_json(force=True)
    except RecursionError:
        raise BadRequest("The body is nested too deeply.") from None
    if not isinstance(data, dict):
        raise BadRequest("The body is an object.")
    name, category, status = data.get("name"), data.get("categoryId"), data.get("status", "available")
    if not isinstance(name, str):
        raise BadRequest("name is a string.")
    if not isinstance(category, int) or isinstance(category, bool) or not -(2**63) <= category < 2**63:
        raise BadRequest("categoryId is an integer of 64 bits.")
    if status not in STATUSES:
        raise BadRequest(f"status is one of {', '.join(STATUSES)}.")
    pet = {"id": next(ids), "name": name, "categoryId": category, "status": status}
    pets[pet["id"]] = pet
    return pet, 201


@app.get("/v1/pets/<pet_id>")
def get_pet(pet_id: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Get an animal."""
    pet = pets.get(int(pet_id[:20])) if pet_id.isascii() and pet_id.isdecimal() else None
    if pet is None:
        abort(404, "No animal has this identifier.")
    return pet, {"Deprecation": "@1763596800", "Sunset": "Thu, 05 Dec 2030 00:00:00 GMT"}


if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]))
