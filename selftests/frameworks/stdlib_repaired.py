"""The animal store on Python's own http.server, with repairs of everything that its defaults break."""

import hmac
import itertools
import json
import os
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

API_KEY = os.environ["API_KEY"].encode()
STATUSES = ("available", "pending", "sold")
DEPRECATED = {"Deprecation": "@1763596800", "Sunset": "Thu, 05 Dec 2030 00:00:00 GMT"}
pets: dict[int, dict[str, Any]] = {}
ids = itertools.count(1)


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """A request that is answered with an Error."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        code = HTTPStatus(status).name.lower()
        self.answer = status, {"code": code, "message": message, "status": status}, headers


def read_integer(text: str, least: int, most: int) -> int:
    """An integer within bounds; 400 for anything else."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 19 or not least <= int(text) <= most:
        raise Refused(400, f"An integer from {least} to {most} is expected.")
    return int(text)


def read_pet(body: bytes) -> dict[str, Any]:
    """The animal in a body; 400 if there is none."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "The body is not JSON.") from None
    if not isinstance(sent, dict):
        raise Refused(400, "The body is not an object.")
    pet = {"status": "available", **sent}
    pet = {field: pet.get(field) for field in ("name", "categoryId", "status")}
    if not isinstance(pet["name"], str):
        raise Refused(400, "name is not a string.")
    if type(pet["categoryId"]) is not int or not -(2**63) <= pet["categoryId"] < 2**63:
        raise Refused(400, "categoryId is not an integer of 64 bits.")
    if pet["status"] not in STATUSES:
        raise Refused(400, f"status is none of {', '.join(STATUSES)}.")
    return pet


class Handler(BaseHTTPRequestHandler):
    """The three operations."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle_request(self) -> None:
        """Read the whole request, and answer it."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            answer = self.answer(body)
        except Refused as refused:
            answer = refused.answer
        self.reply(*answer)

    do_GET = do_POST = do_HEAD = do_OPTIONS = do_PROPFIND = handle_request  # noqa: N815 - http.server's names

    def reply(self, status: int, value: object, headers: dict[str, str]) -> None:
        """Answer with JSON."""
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else content)

    def answer(self, body: bytes) -> tuple[int, object, dict[str, str]]:
        """Status, body and headers of the answer."""
        scheme, _, key = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(key.encode(), API_KEY):
            raise Refused(401, "A valid API key is required.", **{"WWW-Authenticate": "Bearer"})
        address = urlsplit(self.path)
        if address.path == "/v1/pets" and self.command == "POST":
            pet = {**read_pet(body), "id": next(ids)}
            pets[pet["id"]] = pet
            return 201, pet, {}
        if address.path == "/v1/pets" and self.command == "GET":
            return 200, self.list(parse_qs(address.query, keep_blank_values=True)), {}
        if address.path.startswith("/v1/pets/") and self.command == "GET":
            number = read_integer(unquote(address.path.removeprefix("/v1/pets/")), -(2**63), 2**63 - 1)
            if number not in pets:
                raise Refused(404, "No animal has this identifier.")
            return 200, pets[number], DEPRECATED
        if address.path == "/v1/pets":
            raise Refused(405, "There is no such method.", Allow="GET, POST")
        raise Refused(404, "There is nothing here.")

    def list(self, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        """A page of animals."""
        limit = read_integer(query.get("limit", ["20"])[0], 1, 100)
        wanted = query.get("status", [None])[0]
        if wanted is not None and wanted not in STATUSES:
            raise Refused(400, f"status is none of {', '.join(STATUSES)}.")
        return [pet for pet in list(pets.values()) if wanted in {None, pet["status"]}][:limit]

    def log_message(self, *_: object) -> None:
        """Log nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
