"""The store: animals in SQLite, in memory or in a file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable

from animal_conformance.reference.model import Animal, Payload

_SCHEMA = """
CREATE TABLE IF NOT EXISTS animals (
    number INTEGER PRIMARY KEY,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL,
    status TEXT
);
CREATE INDEX IF NOT EXISTS animals_by_id ON animals (id);
CREATE INDEX IF NOT EXISTS animals_by_status ON animals (status, number);
"""
_COLUMNS = "SELECT id, name, category_id, status FROM animals"
_ADD = "INSERT INTO animals (number, id, name, category_id, status) VALUES (?, ?, ?, ?, ?)"


class Store:
    """The animals of one deployment. All methods may be called from any thread.

    Animals are numbered in the order of their creation; identify turns that number into the id that clients
    see. Opening raises sqlite3.Error if it fails. SQLite's INTEGER is an int64, and its
    TEXT, written and read through parameters, keeps every Unicode scalar value, NUL included.
    """

    def __init__(self, database: str, identify: Callable[[int], int]) -> None:
        self.identify = identify
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(database, isolation_level=None, check_same_thread=False, timeout=5)
        # With a write-ahead log, a process that is killed leaves a database that opens again, and
        # a creation does not wait for the disk.
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_SCHEMA)

    def add(self, payloads: Iterable[Payload]) -> list[Animal]:
        """Store the animals, all or none, and return them with their ids."""
        added = []
        with self._lock, self._connection as connection:
            # IMMEDIATE: no other process may take the same number between reading and writing it.
            connection.execute("BEGIN IMMEDIATE")
            (number,) = connection.execute("SELECT max(number) FROM animals").fetchone()
            for number_, payload in enumerate(payloads, (number or 0) + 1):
                animal = Animal(self.identify(number_), *payload)
                connection.execute(_ADD, (number_, *animal))
                added.append(animal)
        return added

    def find(self, animal_id: int) -> Animal | None:
        """Return the animal with this id, or None."""
        rows = self.query(f"{_COLUMNS} WHERE id = ? ORDER BY number DESC LIMIT 1", animal_id)
        return rows[0] if rows else None

    def newest(self, limit: int, status: str | None) -> list[Animal]:
        """At most limit animals, newest first; with a status, those that have it."""
        if status is None:
            return self.query(f"{_COLUMNS} ORDER BY number DESC LIMIT ?", limit)
        return self.query(f"{_COLUMNS} WHERE status = ? ORDER BY number DESC LIMIT ?", status, limit)

    def everything(self) -> list[Animal]:
        """Every animal, newest first."""
        return self.newest(-1, None)

    def put(self, animal: Animal) -> Animal:
        """Store an animal under its own id, in place of any animal that has this id."""
        with self._lock, self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM animals WHERE id = ?", (animal.id,))
            (number,) = connection.execute("SELECT max(number) FROM animals").fetchone()
            connection.execute(_ADD, ((number or 0) + 1, *animal))
        return animal

    def replace(self, animal: Animal) -> None:
        """Overwrite the name, category and status of the animal with the same id."""
        with self._lock:
            self._connection.execute(
                "UPDATE animals SET name = ?, category_id = ?, status = ? WHERE id = ?",
                (animal.name, animal.category_id, animal.status, animal.id),
            )

    def remove_namesakes(self, animal: Animal) -> None:
        """Remove every other animal with the same name."""
        with self._lock:
            self._connection.execute(
                "DELETE FROM animals WHERE name = ? AND id <> ?", (animal.name, animal.id)
            )

    def remove(self, animal: Animal) -> None:
        """Remove the animal with the same id."""
        with self._lock:
            self._connection.execute("DELETE FROM animals WHERE id = ?", (animal.id,))

    def clear(self) -> None:
        """Remove every animal; numbers begin at 1 again."""
        with self._lock:
            self._connection.execute("DELETE FROM animals")

    def highest(self) -> int:
        """Return the highest id, or 0 if there are no animals."""
        with self._lock:
            (highest,) = self._connection.execute("SELECT max(id) FROM animals").fetchone()
        return int(highest or 0)

    def count(self) -> int:
        """Return how many animals there are."""
        with self._lock:
            (count,) = self._connection.execute("SELECT count(*) FROM animals").fetchone()
        return int(count)

    def query(self, statement: str, *values: int | str) -> list[Animal]:
        """Return the animals that a SELECT of id, name, category_id and status yields."""
        with self._lock:
            rows = self._connection.execute(statement, values).fetchall()
        return [Animal._make(row) for row in rows]

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._connection.close()
