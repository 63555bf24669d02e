"""Faults that the script cannot show, because they need a real connection: real deployments and the matrix show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ON_THE_WIRE: Final[Mapping[str, frozenset[str]]] = {
    "The answer is whole in this process, and is broken or cut where it is written to a connection.": frozenset(
        {
            "http.drop.nul-name",
            "http.drop.backend",
            "http.drop.created",
            "http.cut.long-list",
            "http.cut.created",
            "http.chunk-size",
            "http.status-line",
        }
    ),
    "What is too large to be read is told where it is read from a connection.": frozenset(
        {"http.history.sometimes", "http.log.sometimes"}
    ),
    "The label of a body and its coding are told apart where it is decoded.": frozenset(
        {"client.brotli-label"}
    ),
    "It depends on which process answers, or on what was read on a connection.": frozenset(
        {
            "list.stored.workers",
            "filter.stored.worker",
            "connection.snapshot",
            "connection.filter",
            "worker.older",
        }
    ),
    "It shows after more requests than the script sends, or with larger ones.": frozenset(
        {
            "create.once-more",
            "get.lost.beginning",
            "create.status-required-later",
            "limit.exponent",
            "list.lost.long",
            "name.cut-at-64-kilobyte",
        }
    ),
    "It is put to the test with a list whose limit is its length, for which the script does not ask.": frozenset(
        {"filter.stale.plain"}
    ),
    "It shows in lists without parameters while they have room, which the script does not audit.": frozenset(
        {"list.bare.pending", "list.bare.kept"}
    ),
    "It shows in the list of available animals while that has room, which the script audits only when it is full.": frozenset(
        {"filter.lost.assumed"}
    ),
    "It shows where nothing is created for as long as lists may lag.": frozenset({"client.tag-of-length"}),
    "It shows where a request that got no answer is sent again.": frozenset({"away.502-crash"}),
    "It shows in large values with another status than the script's.": frozenset(
        {"category.listed-24-bit", "name.got-cut"}
    ),
    "It shows in a request that the script does not send: a filtered list with a wrong key, getPet at the ends of lists.": frozenset(
        {"auth.remembered", "gone.listed-first"}
    ),
    "It shows where a list is requested while a creation is under way.": frozenset({"list.stored.early"}),
    "It shows where more animals are created at once than by the script.": frozenset({"burst.lost"}),
    "It shows where a request with a wrong key arrives while others are under way.": frozenset(
        {"crowd.vouched"}
    ),
    "It shows where animals are created at once, and not all with the same status.": frozenset(
        {"burst.status.mixed"}
    ),
    "It shows where a creation has the name of one that was rejected.": frozenset(
        {"crash.corrected", "create.409.unauthorised"}
    ),
    "It shows where an animal with a long name or a large category is read again.": frozenset(
        {"name.kept-cut", "category.kept-double"}
    ),
    "It shows in creations of a client that the script does not let speak for long.": frozenset(
        {"key.origin.create", "client.crash.quoted"}
    ),
    "The reason phrase stands in the status line alone.": frozenset({"http.reason"}),
}
"""The names of faults and variants by the reason."""

OF_THE_WIRE: Final = frozenset[str]().union(*ON_THE_WIRE.values())
