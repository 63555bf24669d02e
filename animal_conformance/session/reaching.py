"""How a deployment is reached, from the options and the environment."""

from __future__ import annotations

import requests

from animal_conformance.send.transport import TransportSettings
from animal_conformance.session.options import RunOptions


def transport_settings(base_url: str, options: RunOptions) -> TransportSettings:
    """How to reach a deployment: the options, and the proxies and CA bundle of the environment."""
    proxies, verify = _environment_settings(base_url)
    return TransportSettings(
        timeout_s=options.timeout_s,
        verify=False if options.insecure else options.ca_bundle or verify,
        certificate=_certificate(options),
        proxies=proxies,
        headers=options.headers,
    )


def _environment_settings(base_url: str) -> tuple[dict[str, str], str | bool]:
    """The proxies and the CA bundle that requests would use for a base address, read from the environment once."""
    merged = requests.Session().merge_environment_settings(base_url, {}, stream=False, verify=None, cert=None)
    verify = merged["verify"]
    return dict(merged["proxies"]), True if verify is None else verify


def _certificate(options: RunOptions) -> str | tuple[str, str] | None:
    paths = options.client_certificate
    if len(paths) > 1:
        return paths[0], paths[1]
    return paths[0] if paths else None
