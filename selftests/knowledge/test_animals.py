"""animals.py: what is known of single animals."""

from __future__ import annotations

import json

from selftests.exchanges import animal, ledger_of, payload, posted
from selftests.tables import cases


@cases(
    ("sent", "omits"),
    {
        "no status": (payload(status=...), True),
        "a status": (payload(status="sold"), False),
        "a status after a byte order mark": (
            b"\xef\xbb\xbf" + json.dumps(payload(status="sold")).encode(),
            False,
        ),
    },
)
def test_what_a_body_that_is_no_payload_states_nobody_knows(sent: object, *, omits: bool) -> None:
    """So it is not one without a status."""
    [creation] = ledger_of(posted(sent, 201, animal(5, status="sold"))).creations
    assert omits is creation.omits_status
