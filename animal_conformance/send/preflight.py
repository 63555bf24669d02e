"""Before anything else: is the deployment reachable, does it speak HTTP, does the key work."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from requests.utils import select_proxy

from animal_conformance.interface.waiting import KEY_REFUSED
from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind
from animal_conformance.send.encrypted import speaks_tls
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.failures import NO_PROXY
from animal_conformance.send.sender import Sender

# What may be wrong with just one list: that it was not HTTP, or was too large.
OF_A_LIST = frozenset({FailureKind.MALFORMED, FailureKind.RESET, FailureKind.TOO_LARGE})
# What the libraries say of a host name that does not resolve.
OF_A_NAME = ("name", "getaddrinfo", "address associated")
# What the detail of a failure names where a body cannot be decoded.
CODING = "Content-Encoding"
# Why there is no answer, and what to do about it.
OBSTACLES = {
    FailureKind.TLS: (
        "The TLS connection to {host} failed: {detail}.",
        "Check the certificate; trust your own CA with --ca-bundle, or disable verification with --insecure.",
    ),
    FailureKind.REFUSED: (
        "Nothing is listening at {base_url}: {detail}.", "Start the deployment, or check host and port.",
    ),
    FailureKind.TIMEOUT: (
        "{base_url} does not respond: {detail}.",
        "Check that it is running; allow more time per request with --timeout.",
    ),
    FailureKind.TOO_LARGE: (
        "The response from {base_url} is too large for this interface: {detail}.", "Check host, port and path.",
    ),
    FailureKind.MALFORMED: (
        "The server at {base_url} does not speak HTTP: {detail}.", "Check host, port and scheme (http or https).",
    ),
    FailureKind.RESET: (
        "{base_url} closes the connection without a response: {detail}.",
        "Check host, port and scheme (http or https).",
    ),
}  # fmt: skip
RESET = (
    "{base_url} accepts the connection and resets it, without a response: {detail}.",
    "Check host, port and scheme (http or https).",
)
OF_A_PROXY = "Check {variable}; list hosts to reach directly in NO_PROXY."
REFUSED_BY_PROXY = ("The connection to {host} was refused by the proxy {proxy}: {detail}.", OF_A_PROXY)
SILENT_PROXY = ("Nothing is listening at the proxy {proxy}: {detail}.", OF_A_PROXY)
UNUSABLE_PROXY = (
    "The address in {variable} cannot be used for a proxy: it has to be http://, a host, a colon and a port.",
    OF_A_PROXY,
)
UNKNOWN_PROXY = ("The host name of this proxy does not resolve: {proxy}.", OF_A_PROXY)
# What OpenSSL reports if the first bytes of an answer are not TLS.
OF_PLAIN_HTTP = ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE")
NO_TLS = (
    "The port of {base_url} does not speak TLS: {detail}.",
    "Use the same address with http, or the port that speaks TLS.",
)
UNDECODABLE = (
    "The responses of {base_url} cannot be read: {detail}.",
    "Correct the header, or what encodes bodies, in the deployment or in a proxy before it.",
)
UNKNOWN_HOST = (
    "The host name {host} does not resolve.", "Check the address for typing errors, and your DNS or VPN.",
)  # fmt: skip


@dataclass(frozen=True)
class Obstacle:
    """Why a run cannot start, in one sentence, and what to do about it, in another."""

    reason: str
    remedy: str


def preflight(sender: Sender) -> Obstacle | None:
    """Send a plain list request with the key, and one without.

    If the first is not answered, or the key is refused, a list of one animal is requested; if there is no list, a create
    request tells whether the address is wrong. Lists that end too early are a finding, not an obstacle, if a request
    without the key is rejected; so is a list for a client without a key, even if the key is refused.

    :returns: the obstacle; ``None`` if the deployment can be judged. An operation that is open
        without a key is not an obstacle but a finding, which the rules derive from the exchange.
    """
    base_url = sender.client.base_url
    try:
        plain = sender.send("GET", "/pets")
        failure = plain.failure
        if failure is not None and failure.kind in OF_A_LIST:
            # If that fails as well, the first failure says more about what is wrong.
            plain = sender.send("GET", "/pets?limit=1")
        if failure is not None and plain.failure is not None:
            return None if _is_broken_off(sender, plain.failure) else _unreachable(sender, failure)
        can_be_judged = _is_accepted_now(sender, plain) or _is_empty_store(sender, plain)
        obstacle = None if can_be_judged else _of_answer(sender, plain) or _of_scheme(sender, plain)
        if obstacle is None or plain.status in KEY_REFUSED:
            without_key = sender.send("GET", "/pets", credential=Credential.ABSENT)
            # Whatever is wrong with the key, a list for a client without one is a finding.
            if without_key.status == 200 and isinstance(without_key.value, list):
                return None
    except (Gone, Spent) as reason:
        last = sender.client.health.last_failure
        if last is not None:
            return _unreachable(sender, last)
        return Obstacle(
            f"The deployment at {base_url} cannot be judged: {reason}",
            "Try again later, or with a higher --max-time.",
        )
    return obstacle


def _is_broken_off(sender: Sender, failure: Failure) -> bool:
    """Whether only responses with animals cannot be read completely: a request without the key is rejected in proper HTTP."""
    if failure.kind is not FailureKind.MALFORMED:
        return False
    return sender.send("GET", "/pets", credential=Credential.ABSENT).status in KEY_REFUSED


def _is_accepted_now(sender: Sender, plain: Exchange) -> bool:
    """Whether a key that was refused is accepted when it is sent once more."""
    if plain.status not in KEY_REFUSED:
        return False
    again = sender.send("GET", "/pets?limit=1")
    return again.status != 0 and again.status not in KEY_REFUSED


def _is_empty_store(sender: Sender, plain: Exchange) -> bool:
    """Whether only the list is not found: a store may answer so while it has no animals.

    A create request without any field is sent. It adds nothing, and createPet rejects it with an Error; at a wrong address
    it is not found either.
    """
    if plain.status != 404 or sender.client.read_only:
        return False
    rejected = sender.send("POST", "/pets", json={})
    return rejected.status == 400 and isinstance(rejected.value, dict) and "code" in rejected.value


def _unreachable(sender: Sender, failure: Failure) -> Obstacle:
    base_url = sender.client.base_url
    obstacle = OBSTACLES[failure.kind]
    if failure.kind is FailureKind.REFUSED and failure.detail.startswith("the proxy: "):
        return _of_proxy(sender, failure.detail.removeprefix("the proxy: "))
    if failure.kind is FailureKind.REFUSED and any(each in failure.detail.lower() for each in OF_A_NAME):
        obstacle = UNKNOWN_HOST
    elif failure.kind is FailureKind.TLS and any(
        each in failure.detail.upper().replace(" ", "_") for each in OF_PLAIN_HTTP
    ):
        obstacle = NO_TLS
    elif failure.kind is FailureKind.RESET and failure.detail.startswith("ConnectionReset"):
        obstacle = RESET
    elif CODING in failure.detail:
        obstacle = UNDECODABLE
    reason, remedy = obstacle
    host = urlsplit(base_url).hostname or ""
    return Obstacle(reason.format(base_url=base_url, host=host, detail=failure.detail), remedy)


def _of_proxy(sender: Sender, detail: str) -> Obstacle:
    """What is wrong with the proxy, which is named without its user and password, and with the variable that it comes from."""
    base_url = sender.client.base_url
    parts = urlsplit(base_url)
    url = select_proxy(base_url, sender.client.settings.proxies) or ""
    variables = [
        name
        for name, value in os.environ.items()
        if value == url and name.lower() in {f"{parts.scheme}_proxy", "all_proxy"}
    ]
    # Of two, the one in lower case counts.
    variable = max(variables, default="")
    proxy = url.rpartition("://")[2].rpartition("@")[2].rstrip("/")
    if detail == NO_PROXY:
        reason, remedy = UNUSABLE_PROXY
    elif "ConnectionRefused" in detail:
        reason, remedy = SILENT_PROXY
    elif "Tunnel" not in detail and any(each in detail.lower() for each in OF_A_NAME):
        reason, remedy = UNKNOWN_PROXY
    else:
        reason, remedy = REFUSED_BY_PROXY
    named = f"{proxy}, which {variable} names" if variable else proxy
    told = variable or "the proxy setting of this machine"
    return Obstacle(
        reason.format(proxy=named, host=parts.hostname or "", detail=detail, variable=told),
        remedy.format(variable=told),
    )


def _slip_in(sender: Sender) -> str:
    """What seems not to belong in the key, in a sentence that does not show the key; empty if there is nothing."""
    key = (sender.client.authorizations[Credential.VALID][0] or "").removeprefix("Bearer ")
    if len(key) > 1 and key[0] == key[-1] and key[0] in "'\"":
        return " The key is in quotes: give it without them."
    if key.lower().startswith("bearer "):
        return " The key begins with 'Bearer ': give it without."
    return ""


def _of_answer(sender: Sender, exchange: Exchange) -> Obstacle | None:
    base_url, response = sender.client.base_url, exchange.response
    if response is None:
        return None
    if response.status in KEY_REFUSED:
        return Obstacle(
            f"The deployment rejects the key: GET {base_url}/pets returns {response.status}.",
            f"Set ANIMAL_STORE_API_KEY (or --api-key-file) to a key of this deployment.{_slip_in(sender)}",
        )
    if response.status in {404, 405, 410}:
        return Obstacle(
            f"There is no animal store at {base_url}: GET {base_url}/pets returns {response.status}.",
            "Check the base address; it ends with /v1, and /pets is appended to it.",
        )
    location = response.header("location") or ""
    if 300 <= response.status < 400 and _elsewhere(base_url, location):
        return Obstacle(
            f"{base_url} redirects to another host: {response.status} to {location[:200]}.",
            "Redirects are never followed; use the target address instead, if you trust it.",
        )
    return None


def _of_scheme(sender: Sender, exchange: Exchange) -> Obstacle | None:
    """The obstacle if the answer is the page of a server for requests without TLS, or without the certificate it asks for."""
    base_url, settings = sender.client.base_url, sender.client.settings
    if exchange.status != 400 or isinstance(exchange.value, dict | list) or settings.proxies:
        return None
    if urlsplit(base_url).scheme == "http":
        if not speaks_tls(base_url):
            return None
        return Obstacle(
            f"The server at {base_url} speaks TLS: GET {base_url}/pets returns 400 to plain HTTP.",
            "Use the same address with https.",
        )
    response = exchange.response
    says = b"" if response is None else response.body.lower()
    if settings.certificate is not None or b"certificate" not in says:
        return None
    return Obstacle(
        f"The server at {base_url} asks for a client certificate: GET {base_url}/pets returns 400.",
        "Pass the certificate with --client-cert, and its key by a second --client-cert.",
    )


def _elsewhere(base_url: str, location: str) -> bool:
    here = urlsplit(base_url)
    try:
        there = urlsplit(location)
    except ValueError:
        return True
    return bool(there.netloc) and (there.scheme or here.scheme, there.netloc) != (here.scheme, here.netloc)
