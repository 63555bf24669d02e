"""Servers that answer everything alike."""

from __future__ import annotations

from starlette.types import ASGIApp

NULLS: dict[str, ASGIApp] = {}
