"""Endpoints and Versioning: methods that the interface does not define, and the version in the base address."""

from __future__ import annotations

from urllib.parse import urlsplit

from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion


def allow(case: Case) -> Opinion:
    """methods.allow: RFC 9110 section 15.5.6, an Allow header in a 405."""
    response = case.exchange.response
    if response is None or response.status != 405 or not case.exchange.request.path.startswith("/pets"):
        return None
    if response.header("allow") is not None:
        return EVIDENCE
    return Finding("A 405 response has no Allow header.", "an Allow header", "no Allow header")


def version_path(case: Case) -> Opinion:
    """version.path: the base address ends with the path segment /v1."""
    if case.status == 0 or not case.ledger.terms.base_url:
        return None
    path = urlsplit(case.ledger.terms.base_url).path
    if path.rstrip("/").endswith("/v1"):
        return EVIDENCE
    return Finding(
        "The base address does not end with /v1.",
        "a base address whose path ends with /v1",
        path or "no path",
    )


RULES = {"methods.allow": allow, "version.path": version_path}
