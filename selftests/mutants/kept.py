"""What need not be determined again: the changes of a module, and which tests noticed them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from selftests.mutants.changes import ROOT, Change, path_of
from selftests.mutants.running import TESTS

# What tests of the judge can depend on.
SOURCES = ("animal_conformance/interface", "animal_conformance/judge", "animal_conformance/record", "spec")


def digest_of(*paths: Path) -> str:
    """The digest of some files, and of all files in the folders among them."""
    files = sorted({file for each in paths for file in (each.rglob("*") if each.is_dir() else [each])})
    contents = (each.read_bytes() for each in files if each.is_file() and each.suffix != ".pyc")
    return sha256(b"\0".join(sha256(each).digest() for each in contents)).hexdigest()


# The changes of a module also depend on the code that makes them.
MADE_BY: Final = digest_of(*(Path(__file__).with_name(each) for each in ("changes.py", "operators.py")))


@dataclass
class Kept:
    """A file of changes and outcomes.

    An outcome holds for one state of sources and tests; the test that noticed a change is tried first ever after.
    """

    path: Path
    modules: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Kept:
        """Read the file, if there is one."""
        return cls(path, **json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else cls(path)

    def save(self) -> None:
        """Write the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        content = {"modules": self.modules, "outcomes": self.outcomes}
        self.path.write_text(json.dumps(content), encoding="utf-8")

    def changes_of(self, module: str) -> list[Change] | None:
        """The changes of a module; ``None`` if they have to be found."""
        known = self.modules.get(module)
        if known is None or known["digest"] != _digest_of_module(module):
            return None
        return [Change(**each) for each in known["changes"]]

    def learn_changes(self, module: str, found: Iterable[Change]) -> None:
        """Remember the changes of a module as it is now."""
        self.modules[module] = {
            "digest": _digest_of_module(module),
            "changes": [asdict(each) for each in found],
        }

    def outcome(self, change: Change) -> str | None:
        """The test that notices a change; ``""`` if none does, ``None`` if that has to be tried."""
        state, test = self.outcomes.get(_key(change), ("", ""))
        return test if state == self._state else None

    def noticed_before(self, change: Change) -> str:
        """The test that last noticed a change, if any did."""
        return self.outcomes.get(_key(change), ("", ""))[1]

    def learn(self, change: Change, test: str) -> None:
        """Remember which test noticed a change."""
        self.outcomes[_key(change)] = (self._state, test)

    @cached_property
    def _state(self) -> str:
        return digest_of(*(ROOT / each for each in (*SOURCES, "selftests/exchanges.py", *TESTS)))


def _key(change: Change) -> str:
    return json.dumps([*change.key, change.operator, change.occurrence])


def _digest_of_module(module: str) -> str:
    return digest_of(path_of(module)) + MADE_BY
