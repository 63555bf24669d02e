"""The key is nowhere in what a run writes, not even where the deployment echoes it; other secrets neither."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from selftests.loopback.command import COMMAND, Ended, against, smoke
from selftests.loopback.server import KEY, Answer, RawServer, Visit, response

BEARER = f"Bearer {KEY}"
GATEWAY_SECRET = "gw-3f9a7c21d5e84b06"


def in_base64(text: str) -> list[bytes]:
    """What of a text's base64 is the same wherever it stands: one form for each place in a group of three."""
    forms = []
    for before in range(3):
        encoded = base64.b64encode(b"." * before + text.encode() + b"..")
        forms.append(encoded[4 if before else 0 : (before + len(text)) // 3 * 4])
    return [form for each in forms for form in (each, each.replace(b"+", b"-").replace(b"/", b"_"))]


def mixture(text: str) -> str:
    """A text of which some characters are escaped, each in a way of its own."""
    return text.replace("+", "\\u002B", 1).replace("/", "&#x2F;").replace("=", "%3d").replace("a", "%2561", 1)


def forms(text: str) -> dict[str, bytes]:
    """Every way in which a secret may be written, by what it is called."""
    return {
        "plain": text.encode(),
        "JSON": json.dumps(text).replace("/", "\\/")[1:-1].encode(),
        "JSON, every character": "".join(f"\\u{ord(each):04x}" for each in text).encode(),
        "URL": quote(text, safe="").encode(),
        "URL, path": quote(text).encode(),
        "URL, lower case": quote(text, safe="").replace("%2F", "%2f").replace("%2B", "%2b").encode(),
        "JSON, one character": text.replace("+", "\\u002B").encode(),
        "HTML": "".join(f"&#{ord(each)};" for each in text).encode(),
        "mixture": mixture(text).encode(),
        "other case": text.swapcase().encode(),
        "without its end": text[:-1].encode(),
        "without its beginning": text[1:].encode(),
        "hexadecimal": text.encode().hex().encode(),
        **{f"base64 {number}": form for number, form in enumerate(in_base64(text))},
    }


def leaks(ended: Ended, secret: str = KEY) -> list[str]:
    """Where a secret is in what a run wrote, and how."""
    return [
        f"{name}: {how}"
        for name, content in ended.everything.items()
        for how, form in forms(secret).items()
        if form in content or form.lower() in content.lower()
    ]


ECHOES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "json": lambda text: json.dumps(text).replace("/", "\\/")[1:-1],
    "json-all": lambda text: "".join(f"\\u{ord(each):04x}" for each in text),
    "json-one": lambda text: text.replace("+", "\\u002B"),
    "html": lambda text: "".join(f"&#{ord(each)};" for each in text),
    "mixture": mixture,
    "url": lambda text: quote(text, safe=""),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64-within": lambda text: base64.urlsafe_b64encode(
        f'{{"authorization": "{text}"}}'.encode()
    ).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
}


def test_a_key_that_is_echoed_is_in_nothing_that_the_run_writes(tmp_path: Path) -> None:
    """In bodies and headers, of answers that succeed and that fail; so are the wrong keys that are made of it."""

    def echoing(visit: Visit) -> Answer:
        given = visit.caught.headers.get("authorization", "nothing")
        echoes = {how: echo(given) for how, echo in ECHOES.items()}
        head, _, body = visit.honest().partition(b"\r\n\r\n")
        status, value = int(head.split(b" ", 2)[1]), json.loads(body)
        text = json.dumps(value)
        if isinstance(value, dict):
            # As they are: an echo may be escaped for JSON already.
            fields = (f'"{how}": "{echo}", "{echo}": 1' for how, echo in echoes.items())
            text = ", ".join([text[:-1], *fields]) + "}"
        headers = [(f"X-{how}", f"{echo}; {echo}") for how, echo in echoes.items()]
        return response(status, text.encode(), *headers, reason=f"For {given}")

    with RawServer(echoing) as server:
        ended = smoke(server.url, cwd=tmp_path)
        assert [] != [each for each in server.log if each.headers.get("authorization") == BEARER]
    assert ended.code in {0, 1}, ended.said
    assert len(ended.files) > 5
    assert [] == leaks(ended)
    assert b"[api-key]" in ended.files["trace.ndjson"]
    # Taking it out has changed nothing in the verdict.
    assert set() == ended.failed_musts


def test_the_key_is_in_no_process_list_and_no_report(tmp_path: Path) -> None:
    """Looked at with ps while requests are under way."""
    seen: list[str] = []
    looked = threading.Lock()

    def looking(visit: Visit) -> Answer:
        if visit.caught.number % 10 == 5 and looked.acquire(blocking=False):
            seen.append(
                subprocess.run(
                    ["/bin/ps", "axww", "-o", "args"], capture_output=True, text=True, check=True
                ).stdout
            )
            looked.release()
        return visit.honest()

    ended, _ = against(looking, "--clause", "list", "--clause", "auth.key", cwd=tmp_path, program=COMMAND)
    # Other tests may run beside this one, which give a key to curl.
    own = [line for each in seen for line in each.splitlines() if "animal_conformance" in line]
    assert own
    assert not any(KEY in line or "Quux7" in line for line in own)
    assert [] == leaks(ended)


def test_a_key_from_a_file_is_as_secret(tmp_path: Path) -> None:
    """And wins over the variable."""
    (tmp_path / "key").write_text(f"{KEY}\n", encoding="utf-8")
    with RawServer() as server:
        options = ("--api-key-file", str(tmp_path / "key"), "--clause", "list.limit")
        ended = smoke(server.url, *options, cwd=tmp_path, env={"ANIMAL_STORE_API_KEY": "another-key-1"})
    assert ended.code == 0, ended.said
    assert [] == leaks(ended)


def test_a_header_of_the_users_goes_with_every_request_and_into_no_report(tmp_path: Path) -> None:
    """Only its name is kept, also where the deployment echoes it."""

    def echoing(visit: Visit) -> Answer:
        head, _, body = visit.honest().partition(b"\r\n\r\n")
        return head + f"\r\nX-Echo: {visit.caught.headers.get('x-gateway-key')}\r\n\r\n".encode() + body

    with RawServer(echoing) as server:
        options = (
            "--header",
            f"X-Gateway-Key: {GATEWAY_SECRET}",
            "--header",
            "X-Tenant: 7",
            "--clause",
            "list",
        )
        ended = smoke(server.url, *options, cwd=tmp_path)
        assert {(each.headers["x-gateway-key"], each.headers["x-tenant"]) for each in server.log} == {
            (GATEWAY_SECRET, "7")
        }
    assert ended.code == 0, ended.said
    assert ended.report["run"]["options"]["headers"] == ["X-Gateway-Key", "X-Tenant"]
    assert [] == leaks(ended, GATEWAY_SECRET)


def test_a_network_error_does_not_show_the_key(tmp_path: Path) -> None:
    """The words of libraries go into reports too."""
    ended, _ = against(lambda _: f"HTTP/9.9 {BEARER} {KEY}\r\n\r\n".encode(), cwd=tmp_path, code=3)
    assert [] == leaks(ended)


def test_the_environment_of_a_run_is_not_in_its_reports(tmp_path: Path) -> None:
    """Nor the path of the key file's contents, nor anything else of it."""
    marker = f"SECRET-{os.getpid()}-of-the-environment"
    ended, _ = against(None, "--clause", "list.limit", cwd=tmp_path, env={"OTHER_TOKEN": marker})
    assert [] == leaks(ended, marker)
