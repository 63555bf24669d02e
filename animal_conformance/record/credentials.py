"""The numbered forms of credentials that do not depend on the key."""

from __future__ import annotations

from typing import Final

OTHER_SCHEMES: Final = ("Basic", "Token", "ApiKey", "Digest", "Bearers")
NOT_ASCII: Final = "clé"
NEVER_ISSUED: Final = ("never-issued", "null", "undefined", "eyJhbGciOiJub25lIn0.e30.")
