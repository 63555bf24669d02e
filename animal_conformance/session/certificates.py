"""The files of certificates that a user names: whether they hold what they are named for, before anything is sent."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Final

from animal_conformance.record.inputs import CERTIFICATES_BYTES, read_at_most

NO_PASSWORD: Final = ""


def problem_of(ca_bundle: str, client_certificate: tuple[str, ...]) -> str:
    """What is wrong with the files that were named, in a sentence; empty if nothing is."""
    if ca_bundle and Path(ca_bundle).is_file():
        try:
            read_at_most(Path(ca_bundle), CERTIFICATES_BYTES)
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(ca_bundle)
        except (OSError, ValueError) as error:
            return (
                f"{ca_bundle} holds no certificate authority that can be read ({_reason(error)}): "
                "name a file of certificates in PEM with --ca-bundle."
            )
    if client_certificate:
        certificate, *key = client_certificate
        try:
            for each in client_certificate:
                read_at_most(Path(each), CERTIFICATES_BYTES)
            # Without a password, OpenSSL would ask for one.
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(
                certificate, key[0] if key else None, password=lambda: NO_PASSWORD
            )
        except (OSError, ValueError) as error:
            return (
                f"{' and '.join(client_certificate)} cannot be used as a client certificate "
                f"({_reason(error)}): name a file that holds the certificate and its key in PEM, not encrypted, or "
                "the file of its key with a second --client-cert."
            )
    return ""


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or "not in PEM").replace("_", " ").lower()
    return getattr(error, "strerror", None) or "not in PEM"
