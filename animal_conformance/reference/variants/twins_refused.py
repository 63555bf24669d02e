"""Variants that look like a fault until an experiment: animals that go, fixtures, outages, quotas, a removal."""

from __future__ import annotations

from animal_conformance.reference.changes import varies
from animal_conformance.reference.mechanisms import creations, refused
from animal_conformance.reference.mechanisms.common import every

_FULL = "There is no room for more."
_CORNERS = {2**63 - 1, -(2**63), 2**53 + 1, 0, -1}

VARIANTS = [
    *varies(refused.withdrawn).rows(
        ("gone.kept-forty", "Of the animals created by clients, only the latest forty are kept.",
         refused.beyond_latest(40)),
        ("gone.kept-five", "Of the animals created by clients, only the latest five are kept.",
         refused.beyond_latest(5)),
        ("gone.archived", "A sold animal is archived a second after its creation.",
         lambda _, animal, age_s: animal.status == "sold" and age_s > 1.0),
        ("gone.fixtures", "Half of the catalogue is withdrawn half a second after the start.",
         lambda _, animal, age_s: animal.id in range(2, 85, 2) and age_s > 0.5)),
    *varies(refused.unlisted).rows(
        ("unlisted.corners", "Animals with ids at the ends of the integer types are in no list.",
         lambda animal_id: animal_id in _CORNERS),
        ("unlisted.negative", "An animal with the lowest id is in no list.",
         lambda animal_id: animal_id == -(2**63))),
    *varies(refused.outage).rows(
        ("outage.502", "A restart behind a proxy makes every request return 502 for a while.", 502, 0.2, 300),
        ("outage.504", "A restart behind a proxy makes every request return 504 for a while.", 504, 0.1, 500),
        ("outage.rolling", "Three restarts behind a proxy make every request return 503 for a while.",
         503, 1.0, 200, 400, 600)),
    *varies(refused.now_and_then).rows(
        ("idle.408", "A proxy returns 408 to a single request.", 300, 408)),
    *varies(refused.told_to_wait).rows(
        ("shed.invalid", "Every other invalid list returns 503 with Retry-After: load is shed.",
         lambda call: call.parameters("limit") == ["0"], lambda: every(2))),
    *varies(refused.quotas).rows(
        ("quota.pending", "At most five animals with the status pending are accepted.", {"pending": 5}, _FULL),
        ("quota.all", "At most a hundred animals are accepted.", {None: 100}, _FULL)),
    *varies(creations.copied_once).rows(
        ("copied.import", "An import adds every animal once more that was created until then.", 20)),
    *varies(refused.quota_per_period).rows(
        ("quota.second", "At most twelve animals are accepted in a second.", 12, 1.0, _FULL)),
    *varies(refused.removed, today="2030-12-06").rows(
        ("get.removed-meanwhile", "getPet is removed, as announced, while it is used.", 410, lambda: refused.after(60)),
        ("get.removed-on-half", "getPet is removed, as announced, on one of two nodes.", 404, lambda: every(2))),
]  # fmt: skip
