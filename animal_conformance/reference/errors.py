"""Why a deployment cannot be started."""

from __future__ import annotations


class DeploymentError(Exception):
    """A deployment cannot be started; the message is a sentence."""
