"""Why nothing more can be sent."""

from __future__ import annotations


class Spent(Exception):  # noqa: N818 - not an error: the driver must end here
    """A limit of the run is reached; the message says which."""


class NoRequestsLeft(Spent):
    """The run's limit of requests is reached."""


class Gone(Exception):  # noqa: N818 - as above
    """The deployment no longer responds, or only with 429; the message is a sentence."""


class InVain(Gone):
    """Too many requests got no answer, while others did: drivers end, and experiments may still be performed."""
