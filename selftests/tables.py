"""Tables of test cases, each row with a name of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest


def cases(names: str | tuple[str, ...], rows: Mapping[str, Any]) -> pytest.MarkDecorator:
    """Try each row under its name: one value, or a tuple of as many as there are names."""
    return pytest.mark.parametrize(names, list(rows.values()), ids=list(rows))
