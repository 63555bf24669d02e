"""What keeps a deployment from being started."""

from __future__ import annotations


class DeploymentError(Exception):
    """A deployment cannot be started; its text is a sentence for a person."""
