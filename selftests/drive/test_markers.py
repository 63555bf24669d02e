"""store.py: the names of a run begin with letters that the deployment accepts."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from selftests.loopback.command import against
from selftests.loopback.server import Answer, Visit, error, only


class Blocking:
    """Rejects every name with the second of a run's markers, as if its letters were a bad word."""

    def __init__(self) -> None:
        self.markers: Counter[bytes] = Counter()

    def __call__(self, visit: Visit) -> Answer:
        """The lawful answer to everything else."""
        marked = re.search(rb'"name": "(Ac[a-z]{4})', visit.caught.body)
        if marked is None:
            return visit.honest()
        self.markers[marked[1]] += 1
        return error(400) if marked[1] == self.blocked else visit.honest()

    @property
    def blocked(self) -> bytes:
        """The second marker, once there is one."""
        return next(iter(list(self.markers)[1:]), b"")


def test_a_run_whose_names_would_all_be_rejected_takes_other_letters(tmp_path: Path) -> None:
    """A filter of words may block any letters."""
    shop = Blocking()
    ended, _ = against(only("create", behaviour=shop), cwd=tmp_path)
    assert "create.once" in ended.ids("passed")
    assert 0 < shop.markers[shop.blocked] < shop.markers.total() / 2
