"""Ways to a deployment: TLS with authorities and client certificates of one's own, and proxies of the environment."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

from selftests.loopback.command import smoke
from selftests.loopback.harmless import harm
from selftests.loopback.server import KEY, Answer, RawServer, Visit, response

FEW = ("--clause", "list.limit")


@dataclass(frozen=True)
class Certificates:
    """An authority that nobody knows, the deployment's certificate, and a client's: one file, and in two."""

    authority: trustme.CA
    bundle: str
    client: str
    client_chain: str
    client_key: str

    def context(self, *, host: str = "127.0.0.1") -> ssl.SSLContext:
        """The TLS settings of a server."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(host).configure_cert(context)
        return context


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Made for this test run."""
    directory = tmp_path_factory.mktemp("certificates")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(directory / "ca.pem"))
    client = authority.issue_cert("client@example.org")
    client.private_key_and_cert_chain_pem.write_to_path(str(directory / "client.pem"))
    client.cert_chain_pems[0].write_to_path(str(directory / "chain.pem"))
    client.private_key_pem.write_to_path(str(directory / "key.pem"))
    names = ("ca.pem", "client.pem", "chain.pem", "key.pem")
    return Certificates(authority, *(str(directory / name) for name in names))


def test_a_certificate_of_an_unknown_authority_stops_a_run_before_the_key_is_sent(
    certificates: Certificates, tmp_path: Path
) -> None:
    """The run says what is wrong and which options there are."""
    with RawServer(tls=certificates.context()) as server:
        ended = smoke(server.url, *FEW, cwd=tmp_path)
        assert [] == server.log
    assert ended.code == 3, ended.said
    assert "TLS" in ended.report["reason"]
    assert "--ca-bundle" in ended.report["remedy"]


def test_a_certificate_of_another_name_is_refused_although_the_authority_is_known(
    certificates: Certificates, tmp_path: Path
) -> None:
    """Trusting an authority is not trusting whoever it vouches for."""
    with RawServer(tls=certificates.context(host="other.example")) as server:
        ended = smoke(server.url, "--ca-bundle", certificates.bundle, *FEW, cwd=tmp_path)
        assert [] == server.log
    assert ended.code == 3, ended.said
    assert "TLS" in ended.report["reason"]


@pytest.mark.parametrize("variable", ["", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_an_authority_of_ones_own_is_trusted(
    variable: str, certificates: Certificates, tmp_path: Path
) -> None:
    """By the option, or by the variables that requests has."""
    options = () if variable else ("--ca-bundle", certificates.bundle)
    environment = {variable: certificates.bundle} if variable else {}
    with RawServer(tls=certificates.context()) as server:
        ended = smoke(server.url, *options, *FEW, cwd=tmp_path, env=environment)
    assert ended.code == 0, ended.said


def test_without_verification_the_report_says_so(certificates: Certificates, tmp_path: Path) -> None:
    """A verdict on whoever answered is worth less, which its reader has to know."""
    with RawServer(tls=certificates.context()) as server:
        ended = smoke(server.url, "--insecure", *FEW, cwd=tmp_path)
    assert ended.code == 0, ended.said
    assert ended.report["run"]["options"]["insecure"] is True
    assert "InsecureRequestWarning" not in ended.complaints
    assert "not verified" in ended.said
    assert b"not verified" in ended.files["summary.md"]
    assert b"not verified" in ended.files["report.html"]


@pytest.mark.parametrize("files", [1, 2])
def test_a_client_certificate_is_shown_to_a_deployment_that_asks(
    files: int, certificates: Certificates, tmp_path: Path
) -> None:
    """In one file with its key, or in two; without one the run cannot judge."""
    context = certificates.context()
    context.verify_mode = ssl.CERT_REQUIRED
    certificates.authority.configure_trust(context)
    shown: tuple[str, ...] = ("--client-cert", certificates.client)
    if files == 2:
        shown = ("--client-cert", certificates.client_chain, "--client-cert", certificates.client_key)
    with RawServer(tls=context) as server:
        without = smoke(server.url, "--ca-bundle", certificates.bundle, *FEW, cwd=tmp_path / "without")
        ended = smoke(server.url, "--ca-bundle", certificates.bundle, *shown, *FEW, cwd=tmp_path)
    assert without.code == 3, without.said
    assert [] == harm(without)
    assert ended.code == 0, ended.said


def test_a_page_that_asks_for_a_client_certificate_is_an_obstacle(
    certificates: Certificates, tmp_path: Path
) -> None:
    """A server may let everybody in, and then say what is missing."""
    page = b"<html><h1>400 Bad Request</h1>No required SSL certificate was sent</html>"
    with RawServer(lambda _: response(400, page), tls=certificates.context()) as server:
        ended = smoke(server.url, "--ca-bundle", certificates.bundle, *FEW, cwd=tmp_path)
    assert ended.code == 3, ended.said
    assert "--client-cert" in ended.said


def test_a_port_that_speaks_tls_is_an_obstacle_for_plain_http(
    certificates: Certificates, tmp_path: Path
) -> None:
    """It answers with a page, as any server may that is broken: a handshake tells them apart."""
    context = certificates.context()

    def answer(connection: socket.socket) -> None:
        with connection:
            if connection.recv(1, socket.MSG_PEEK) == b"\x16":
                context.wrap_socket(connection, server_side=True).close()
            elif connection.recv(65536):
                connection.sendall(
                    response(400, b"<html>The plain HTTP request was sent to HTTPS port</html>")
                )

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):  # it is closed at the end
            while True:
                answer(listener.accept()[0])

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        ended = smoke(url, *FEW, cwd=tmp_path / "encrypted")
    assert ended.code == 3, ended.said
    assert "with https" in ended.said
    with RawServer(lambda _: response(400, b"<html>no</html>")) as server:
        assert "with https" not in smoke(server.url, *FEW, cwd=tmp_path / "broken").said


@pytest.fixture
def tunnel() -> Iterator[tuple[str, list[bytes]]]:
    """A proxy that opens tunnels: its address, and what it was asked."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def pump(source: socket.socket, target: socket.socket) -> None:
            try:
                while content := source.recv(65536):
                    target.sendall(content)
                target.shutdown(socket.SHUT_WR)
            except OSError:
                return

        def serve(client: socket.socket) -> None:
            head = b""
            while b"\r\n\r\n" not in head:
                head += client.recv(65536)
            asked.append(head)
            host, _, port = head.split(b" ")[1].decode().rpartition(":")
            with client, socket.create_connection((host, int(port)), 5) as target:
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                back = threading.Thread(target=pump, args=(target, client), daemon=True)
                back.start()
                pump(client, target)
                back.join(5)

        def accept() -> None:
            while True:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=(client,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked
        listener.shutdown(socket.SHUT_RDWR)


def test_a_proxy_of_the_environment_is_used(tmp_path: Path) -> None:
    """The request goes to it with the whole address in its first line."""
    with RawServer() as proxy:
        # It answers itself: whoever asks it for another host does not see the difference.
        ended = smoke("http://staging.invalid/v1", *FEW, cwd=tmp_path, env={"http_proxy": proxy.url})
        assert proxy.log
        assert all(each.target.startswith("http://staging.invalid/v1/pets") for each in proxy.log)
        assert {"staging.invalid"} == {each.headers["host"] for each in proxy.log}
    assert ended.report["run"]["requests"] == len(proxy.log)


def test_a_host_that_needs_no_proxy_is_reached_without(tmp_path: Path) -> None:
    """As NO_PROXY says."""
    with RawServer() as proxy, RawServer() as server:
        environment = {"http_proxy": proxy.url, "no_proxy": "127.0.0.1"}
        ended = smoke(server.url, *FEW, cwd=tmp_path, env=environment)
        assert proxy.connections == 0
    assert ended.code == 0, ended.said


def test_a_proxy_sees_nothing_of_what_goes_through_its_tunnel(
    certificates: Certificates, tunnel: tuple[str, list[bytes]], tmp_path: Path
) -> None:
    """Not the key, which goes to the deployment alone."""
    address, asked = tunnel
    with RawServer(tls=certificates.context()) as server:
        options = ("--ca-bundle", certificates.bundle, *FEW)
        ended = smoke(server.url, *options, cwd=tmp_path, env={"https_proxy": address})
        assert server.log
        assert all(each.startswith(f"CONNECT 127.0.0.1:{server.port} ".encode()) for each in asked)
    assert ended.code == 0, ended.said
    assert asked
    assert not any(KEY.encode() in each for each in asked)


def test_a_proxy_that_is_not_there_is_named_as_the_obstacle(tmp_path: Path) -> None:
    """And its password is in nothing that the run writes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
        proxy = f"http://someone:pr0xy-passw0rd@{place}"
        variables = {"http_proxy": proxy, "HTTP_PROXY": proxy, "https_proxy": proxy}
        ended = smoke("http://staging.invalid/v1", cwd=tmp_path, env=variables)
    assert ended.code == 3, ended.said
    said = f"Nothing is listening at the proxy {place}, which http_proxy names: ConnectionRefusedError"
    assert ended.report["reason"].startswith(said)
    assert "Check http_proxy; list hosts to reach directly in NO_PROXY." == ended.report["remedy"]
    assert not any(b"pr0xy-passw0rd" in content for content in ended.everything.values())


@pytest.mark.parametrize(
    "address", ["socks5://127.0.0.1:9", "http://someone:pr0xy@/", "http://someone:pr0xy/x@127.0.0.1:9"]
)
def test_an_address_that_is_that_of_no_proxy_is_named_by_its_variable_alone(
    tmp_path: Path, address: str
) -> None:
    """The libraries quote a part of it, which may be the password."""
    ended = smoke("http://staging.invalid/v1", cwd=tmp_path, env={"http_proxy": address})
    assert 3 == ended.code
    assert "The address in http_proxy cannot be used for a proxy" in ended.report["reason"]
    assert not any(b"pr0xy" in content for content in ended.files.values())
    assert "pr0xy" not in ended.said


def test_a_proxy_that_opens_no_tunnel_is_named_as_the_obstacle(tmp_path: Path) -> None:
    """With what it answered, and with the variable that names it; and so is one whose name nobody knows."""
    with RawServer(lambda _: response(403, b"Forbidden")) as proxy:
        ended = smoke("https://staging.invalid/v1", cwd=tmp_path, env={"ALL_PROXY": proxy.url})
    place = f"127.0.0.1:{proxy.port}"
    assert f"refused by the proxy {place}" in ended.report["reason"]
    assert "which ALL_PROXY names: OSError: Tunnel connection failed: 403" in ended.report["reason"]
    ended = smoke("http://127.0.0.1:9/v1", cwd=tmp_path, env={"HTTP_PROXY": "http://proxy.invalid:8"})
    assert (
        "The host name of this proxy does not resolve: proxy.invalid:8, which HTTP_PROXY names."
        == ended.report["reason"]
    )


def test_a_proxy_that_hangs_in_its_tunnel_is_bounded_by_the_timeout(tmp_path: Path) -> None:
    """A byte now and then is no answer either."""

    def dripping(visit: Visit) -> Answer:
        visit.wire.drip(b"HTTP/1.1 200 Connection established" + b" " * 100, 0.2)
        return None

    with RawServer(dripping) as proxy:
        options = ("--timeout", "0.5", "--max-time", "6")
        ended = smoke("https://staging.invalid/v1", *options, cwd=tmp_path, env={"https_proxy": proxy.url})
    assert ended.code == 3, ended.said
    assert ended.report["run"]["seconds"] < 15  # the drip alone would take 20
