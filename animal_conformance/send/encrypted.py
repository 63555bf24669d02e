"""Whether a port that was asked in plain HTTP speaks TLS."""

from __future__ import annotations

import socket
import ssl
from typing import Final
from urllib.parse import urlsplit

HANDSHAKE_S: Final = 5.0


def speaks_tls(base_url: str) -> bool:
    """Whether the server at an ``http`` address completes a TLS handshake, with whatever certificate."""
    address = urlsplit(base_url)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # No request is sent on this connection, so that anybody's certificate will do.
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            socket.create_connection((address.hostname or "", address.port or 80), HANDSHAKE_S) as plain,
            context.wrap_socket(plain, server_hostname=address.hostname),
        ):
            return True
    except (OSError, ValueError):
        return False
