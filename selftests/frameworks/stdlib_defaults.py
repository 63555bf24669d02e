"""The animal store on Python's own http.server, with all defaults."""

import itertools
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

API_KEY = os.environ["API_KEY"]
pets: dict[int, dict[str, Any]] = {}
ids = itertools.count(1)


class Handler(BaseHTTPRequestHandler):
    """The three operations."""

    def reply(self, status: int, value: object) -> None:
        """Answer with JSON."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

    def authorised(self) -> bool:
        """Let only the key in."""
        if self.headers.get("Authorization", "").removeprefix("Bearer ") == API_KEY:
            return True
        self.send_error(401)
        return False

    def do_GET(self) -> None:
        """List animals, or get one."""
        if not self.authorised():
            return
        address = urlsplit(self.path)
        query = parse_qs(address.query)
        if address.path == "/v1/pets":
            text = query.get("limit", ["20"])[0]
            limit = int(text) if text.lstrip("-").isdigit() else 20
            wanted = query.get("status")
            self.reply(
                200, [pet for pet in list(pets.values()) if not wanted or pet["status"] == wanted[0]][:limit]
            )
            return
        number = int(address.path.removeprefix("/v1/pets/"))
        if number in pets:
            self.reply(200, pets[number])
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """Add an animal."""
        if not self.authorised():
            return
        try:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        except ValueError:
            self.send_error(400)
            return
        pet = {"status": "available", **sent, "id": next(ids)}
        pets[pet["id"]] = pet
        self.reply(201, pet)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
