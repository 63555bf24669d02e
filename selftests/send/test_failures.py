"""transport.py: what an exception of the libraries is said to be."""

from __future__ import annotations

import pytest
import requests
from urllib3.connection import HTTPConnection
from urllib3.exceptions import MaxRetryError, NewConnectionError

from animal_conformance.record.exchange import FailureKind
from animal_conformance.send.failures import failure_of


def in_connecting(cause: OSError) -> requests.ConnectionError:
    """What requests raises where a connection could not be made."""
    refused = NewConnectionError(HTTPConnection("animals.example"), f"Failed to establish it: {cause}")
    refused.__cause__ = cause
    return requests.ConnectionError(MaxRetryError(None, "/pets", refused))  # type: ignore[arg-type] # the pool is not shown


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (ConnectionRefusedError("nobody"), FailureKind.REFUSED),
        (ConnectionResetError("at once"), FailureKind.RESET),
        (ConnectionAbortedError("at once"), FailureKind.RESET),
        (OSError("no route"), FailureKind.REFUSED),
    ],
)
def test_a_connection_that_is_reset_at_once_was_accepted(cause: OSError, kind: FailureKind) -> None:
    """Something listens there: it may be so soon that connecting itself fails."""
    failure = failure_of(in_connecting(cause), 10.0, expired=False)
    assert (kind, f"{type(cause).__name__}: {cause}") == (failure.kind, failure.detail)
