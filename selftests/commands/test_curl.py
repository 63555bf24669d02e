"""The curl line of a finding, pasted into a shell, shows what was observed."""

from __future__ import annotations

import json
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import trustme

from animal_conformance.drive.voices import VOICES, Voice
from animal_conformance.record.credentials import NEVER_ISSUED
from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind, Request, Response
from animal_conformance.report.curl import AUTHORIZATION, commands, curl
from animal_conformance.send.keys import authorizations
from selftests.loopback.command import Ended, command, smoke
from selftests.loopback.deployment import Counted, counted, serving
from selftests.loopback.server import KEY, RawServer, error, only

pytestmark = pytest.mark.skipif(
    shutil.which("curl") is None or shutil.which("bash") is None, reason="Needs curl and bash."
)


@pytest.fixture(scope="module")
def broken() -> Iterator[Counted]:
    """Limits one too high, getPet open to everybody, keys accepted when shorter or in another case, names mangled."""
    with counted("limit.one-more", "auth.open.get", "auth.shorter.last", "crash.name.quote") as server:
        yield server


@pytest.fixture(scope="module")
def ended(broken: Counted, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A run against it."""
    done = smoke(cwd=tmp_path_factory.mktemp("curl"), env=broken.env)
    assert 1 == done.code, done.said
    return done


def shell(line: str, env: Mapping[str, str], encoding: str = "utf-8") -> str:
    """What a shell prints that runs a line."""
    return subprocess.run(
        ["bash", "-c", line],  # noqa: S607 - the one on the path
        capture_output=True,
        encoding=encoding,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", **env},
        timeout=20,
        check=True,
    ).stdout


def pasted(lines: str, env: Mapping[str, str]) -> list[tuple[int, str]]:
    """The status and the body of each answer that a shell gets that runs the lines."""
    answers = []
    for line in lines.splitlines():
        for answer in re.split(r"(?=HTTP/1\.1 )", shell(line, env).replace("\r\n", "\n"))[1:]:
            head, _, body = answer.partition("\n\n")
            answers.append((int(head.split(" ", 2)[1]), body))
    return answers


def test_every_finding_shows_again(ended: Ended, broken: Counted) -> None:
    """Whatever its credential and its body; and the clauses are those of the faults."""
    failed = [each for each in ended.report["clauses"] if each["outcome"] == "failed"]
    assert {"list.limit.respected", "auth.missing.get", "auth.key.shorter", "http.server-error"} <= {
        each["id"] for each in failed
    }
    for clause in failed:
        for finding in clause["findings"]:
            answers = [each["response"] for each in finding["exchanges"] if each["response"] is not None]
            shown = [status for status, _ in pasted(finding["curl"], broken.env)]
            assert [each["status"] for each in answers] == shown, finding["curl"]


def test_a_finding_of_the_embedded_deployment_shows_again_when_that_is_restarted(tmp_path: Path) -> None:
    """By the command that the run prints, at the address of the lines; a replay in vain names it."""
    ended = smoke("--fault", "limit.one-more", "--clause", "list.limit.respected", cwd=tmp_path)
    [restart] = [line for line in ended.output.splitlines() if line.startswith("animal-conformance serve ")]
    [finding, *_] = ended.clause("list.limit.respected")["findings"]
    away = command("replay", ended.directory, "list.limit.respected", cwd=tmp_path)
    assert (3, True) == (away.code, f"Start it again: {restart}" in away.said)
    with serving(*restart.split()[2:], cwd=tmp_path) as env:
        [(status, body)] = pasted(finding["curl"], env)
    assert 200 == status
    assert f"{len(json.loads(body))} animals" == finding["observed"]


@pytest.mark.parametrize(
    ("targets", "shown"),
    [
        ("a", ["a"]),
        ("ab", ["a", "b"]),
        ("abbb", ["a", "for turn in 1 2 3; do b; done"]),
        ("ababc", ["for turn in 1 2; do a; b; done", "c"]),
        ("aabaab", ["for turn in 1 2; do a; a; b; done"]),
        ("abba", ["a", "for turn in 1 2; do b; done", "a"]),
    ],
)
def test_requests_that_were_repeated_are_a_loop(targets: str, shown: list[str]) -> None:
    """So that nobody wonders why the same line stands there again, and one paste sends all of them in turns."""
    exchanges = {each: Exchange(Request("GET", f"/{each}")) for each in targets}
    lines = commands([exchanges[each] for each in targets], "http://h")
    for target, one in exchanges.items():
        lines = lines.replace(curl(one, "http://h"), target)
    assert shown == lines.splitlines()


def test_a_loop_sends_every_request(correct: Counted) -> None:
    """Two in turns, one of them with a body that a pipe brings."""
    body = b'{"name": "\\u0000", "categoryId": 1}\n'
    sent = [
        Request("POST", "/pets", (("Content-Type", "application/json"),), body),
        Request("GET", "/pets/0"),
    ]
    line = commands([Exchange(each) for each in [*sent, *sent]], correct.url)
    assert [201, 404, 201, 404] == [status for status, _ in pasted(line, correct.env)]


def test_no_line_holds_the_key(ended: Ended) -> None:
    """It is taken from the environment."""
    assert KEY not in json.dumps(ended.report)
    assert "$ANIMAL_STORE_API_KEY" in ended.clause("list.limit.respected")["findings"][0]["curl"]


@pytest.mark.parametrize(
    ("credential", "form"), [(kind, form) for kind, forms in authorizations(KEY).items() for form in forms]
)
def test_every_credential_is_sent_as_it_was(credential: Credential, form: int) -> None:
    """To the character, but for the wrong keys that would tell something of the valid one."""
    line = curl(Exchange(Request("GET", "/pets", credential=credential, form=form)), "http://h")
    env = {"ANIMAL_STORE_API_KEY": KEY}
    words = shell(line.replace("curl", "printf '%s\\n'", 1), env, "latin-1").splitlines()
    # curl takes a semicolon for a header without a value.
    sent = [each.removeprefix("Authorization")[2:] for each in words if each.startswith("Authorization")]
    header = authorizations(KEY)[credential][form]
    assert header is None or form < len(AUTHORIZATION[credential]), "no line of its own"
    if credential is Credential.WRONG and form >= len(NEVER_ISSUED):
        assert sent != [f"Bearer {KEY}"]
        assert len(sent) == 1
    else:
        assert ([] if header is None else [header]) == sent


@pytest.mark.parametrize(
    "name",
    [
        "Rex", 'say "sit"', "it's $HOME `id` $(id) \\n !! %s %41 *",
        "\U0001f415\u200d\U0001f9ba \U00010348", "e\u0301 \u00e9", "@/etc/hostname",
        "tab\tand\nline\x00and\x7f", "\u202eright to left\ufeff", "&;|<>()#~",
    ],
)  # fmt: skip
@pytest.mark.parametrize("ascii_only", [True, False])
def test_every_body_arrives_as_it_was(name: str, correct: Counted, *, ascii_only: bool) -> None:
    """Quotes, expansions, astral characters, and what moves the cursor."""
    body = json.dumps({"name": name, "categoryId": 1}, ensure_ascii=ascii_only).encode()
    exchange = Exchange(
        Request("POST", "/pets", (("Content-Type", "application/json"),), body), Response(201)
    )
    [(status, answer)] = pasted(curl(exchange, correct.url), correct.env)
    assert 201 == status
    assert name == json.loads(answer)["name"]


def test_a_body_that_begins_with_an_at_sign_is_no_file(tmp_path: Path, correct: Counted) -> None:
    """As curl takes it, unless it is told otherwise."""
    (tmp_path / "secret").write_text('{"name": "secret", "categoryId": 1}', encoding="utf-8")
    exchange = Exchange(
        Request("POST", "/pets", (("Content-Type", "application/json"),), f"@{tmp_path}/secret".encode()),
        Response(400),
    )
    [(status, _)] = pasted(curl(exchange, correct.url), correct.env)
    assert 400 == status


@pytest.mark.parametrize(
    "target", ["/pets?status=%27%22&limit=1", "/pets/[1]", "/pets/{1,2}", "/pets/../pets", "/pets/%00", "/pets/$HOME"]
)  # fmt: skip
def test_every_target_arrives_as_it_was(target: str, broken: Counted) -> None:
    """Neither expanded nor tidied up."""
    pasted(curl(Exchange(Request("GET", target), Response(404)), broken.url), broken.env)
    assert ("GET", target) == broken.requests[-1]


def test_a_line_goes_the_way_of_the_run(tmp_path: Path) -> None:
    """Over TLS, by the authorities and with the header that the run was given; the header's value is the reader's."""
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    env = {"ANIMAL_STORE_API_KEY": KEY}
    broken = only("list", behaviour=lambda _: error(404))
    with RawServer(broken, tls=context) as server:
        for way in (("--ca-bundle", str(tmp_path / "ca.pem")), ("--insecure",)):
            options = (*way, "--header", "X-Tenant.1: seven", "--clause", "list.answer")
            ended = smoke(server.url, *options, cwd=tmp_path)
            line = ended.clause("list.answer")["findings"][0]["curl"]
            assert 404 == pasted(line, {**env, "HEADER_X_TENANT_1": "seven"})[-1][0], line
            assert "seven" == server.log[-1].headers["x-tenant.1"]
            with pytest.raises(subprocess.CalledProcessError):
                pasted(line, env)


@pytest.mark.parametrize("voice", VOICES, ids=lambda voice: voice.name)
def test_every_voice_is_the_one_that_was_heard(voice: Voice) -> None:
    """Its headers arrive, and no others of curl's own; so does its body, in the same framing."""
    body = voice.write({"name": "Ünal / Söhne", "categoryId": 7})
    requests = [
        Request("GET", "/pets", voice.headers_for(None), voice=voice.name),
        Request("POST", "/pets", voice.headers_for(body), body, voice=voice.name),
    ]
    with RawServer() as server:
        for each in requests:
            pasted(curl(Exchange(each, Response(200)), server.url), {"ANIMAL_STORE_API_KEY": KEY})
        log = server.log
    for request, caught in zip(requests, log, strict=True):
        sent = {name.lower(): value for name, value in request.headers}
        of_curl = {"host", "authorization", *(() if "transfer-encoding" in sent else ("content-length",))}
        assert sent == {name: value for name, value in caught.headers.items() if name not in of_curl}
        assert caught.body == (b"" if "transfer-encoding" in sent else request.body or b"")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ca_bundle": "my ca.pem"}, "--cacert 'my ca.pem'"),
        ({"ca_bundle": "certs/"}, "--capath certs/"),
        ({"client_certificate": ["client.pem"]}, "--cert client.pem"),
        ({"client_certificate": ["client.pem", "key.pem"]}, "--cert client.pem --key key.pem"),
        ({"headers": ["Accept"]}, '-H "Accept: ${HEADER_ACCEPT:?}"'),
    ],
)
def test_settings_of_the_way_are_options_of_curl(options: dict[str, Any], words: str) -> None:
    """Directories and files of authorities, certificates with and without their key, and headers by their names."""
    line = curl(Exchange(Request("GET", "/pets"), Response(200)), "https://h/v1", options)
    assert f" {words} " in f"{line} "
    assert ("Accept:'" in line) == ("headers" not in options)


def test_without_a_voice_the_line_is_short() -> None:
    """What the suite always sends is not repeated; what it sends beyond that is, also an empty header."""
    headers = (
        ("Accept", "application/json"),
        ("X-Empty", ""),
        ("Content-Type", "application/json; charset=UTF-8"),
    )
    with RawServer() as server:
        line = curl(Exchange(Request("GET", "/pets", headers), Response(200)), server.url)
        pasted(line, {"ANIMAL_STORE_API_KEY": KEY})
        [caught] = server.log
    assert "Accept" not in line
    assert ("", "application/json; charset=UTF-8") == (
        caught.headers["x-empty"],
        caught.headers["content-type"],
    )


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PROPFIND"])
def test_a_line_ends_whatever_its_method(method: str, correct: Counted) -> None:
    """A response to HEAD has no body to wait for."""
    [(status, _)] = pasted(curl(Exchange(Request(method, "/pets"), Response(200)), correct.url), correct.env)
    assert (method, "/pets") == correct.requests[-1]
    assert correct.statuses[method, status] == 1


@pytest.mark.parametrize(
    ("response", "compressed"),
    [
        (Response(200, (("Content-Encoding", "gzip"),), b"[]"), True),
        (Response(200, (("Content-Type", "application/json"),), b"[]"), False),
        (None, True),
    ],
)
def test_what_was_compressed_or_could_not_be_read_is_asked_for_compressed(
    response: Response | None, *, compressed: bool
) -> None:
    """As the suite did: a server may go wrong where it compresses."""
    failure = Failure(FailureKind.MALFORMED, "a body without its end") if response is None else None
    exchange = Exchange(Request("GET", "/pets"), response, failure=failure)
    assert compressed == ("--compressed" in curl(exchange, "http://127.0.0.1:9/v1").split())
