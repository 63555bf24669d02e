"""Lists that look as if they left something out, and do not: they end early, are a choice, or are as old as they say."""

from __future__ import annotations

from animal_conformance.reference.changes import own, varies
from animal_conformance.reference.mechanisms import listed, lists

VARIANTS = [
    *varies(listed.in_bytes).rows(
        ("pages.bytes", "A page never has more than 4,000 bytes.", 4000)),
    *varies(listed.capped_in_turns).rows(
        ("pages.alternating", "Every other two seconds, as under load, a page never has more than 20 animals.", 20, 2.0)),
    *varies(listed.scanned).rows(
        ("pages.scan-sixty", "A list looks at the 60 newest animals, and filters those.", 60)),
    *varies(lists.selected).rows(
        ("pages.fifty", "A page never has more than 50 animals.", lambda limit, _: min(limit, 50)),
        ("pages.pending-five", "A page of pending animals never has more than 5.",
         lambda limit, status: min(limit, 5) if status == "pending" else limit)),
    *varies(lists.arranged).rows(
        ("pages.oldest", "A list holds the 90 oldest animals at most, oldest first.",
         lambda animals: animals[::-1][:90])),
    *varies(own).rows(
        ("pages.chosen", "Each list is a choice of nine in ten animals.", listed.chosen)),
    *varies(listed.stored).rows(
        ("lists.stored", "Lists are cached for 30 s, and say so.",
         30.0, lambda lasts, _: {"Cache-Control": f"private, max-age={lasts:.0f}"}),
        ("lists.stored.age", "Lists are cached for 5 s, and say how old they are.",
         5.0, lambda _, age: {"Age": f"{age + 1:.0f}"}),
        ("lists.stored.hour", "Lists are cached for an hour, and say so.",
         3600.0, lambda lasts, _: {"Cache-Control": f"max-age={lasts:.0f}"})),
    *varies(listed.behind).rows(
        ("lag.list.long", "Lists show an animal only after 1.5 s.", 1.5, "lists")),
]  # fmt: skip
