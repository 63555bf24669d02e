"""The animal store in Flask, with all defaults."""

import itertools
import os
from typing import Any

from flask import Flask, abort, request

API_KEY = os.environ["API_KEY"]

app = Flask(__name__)
pets: dict[int, dict[str, Any]] = {}
ids = itertools.count(1)


@app.before_request
def require_key() -> None:
    """Let only the key in."""
    if request.headers.get("Authorization") != f"Bearer {API_KEY}":
        abort(401)


@app.get("/v1/pets")
def list_pets() -> list[dict[str, Any]]:
    """List animals."""
    limit = request.args.get("limit", 20, type=int)
    status = request.args.get("status")
    return [pet for pet in list(pets.values()) if status is None or pet["status"] == status][:limit]


@app.post("/v1/pets")
def create_pet() -> tuple[dict[str, Any], int]:
    """Add an animal."""
    data = request.get_json()
    if "name" not in data or "categoryId" not in data:
        abort(400, "name and categoryId are required")
    pet = {
        "id": next(ids),
        "name": data["name"],
        "categoryId": data["categoryId"],
        "status": data.get("status", "available"),
    }
    pets[pet["id"]] = pet
    return pet, 201


@app.get("/v1/pets/<int:pet_id>")
def get_pet(pet_id: int) -> dict[str, Any]:
    """Get an animal."""
    if pet_id not in pets:
        abort(404)
    return pets[pet_id]


if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]))
