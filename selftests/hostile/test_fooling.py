"""What a server could fool a client with: redirects, cookies, and answers that nobody asked for."""

from __future__ import annotations

from pathlib import Path

from selftests.loopback.command import against, smoke
from selftests.loopback.server import KEY, Answer, RawServer, Visit, only, response


def test_a_redirect_elsewhere_is_never_followed_and_the_key_never_goes_there(tmp_path: Path) -> None:
    """Not where everything is redirected, and not where one operation is."""
    with RawServer() as trap:
        for number, redirected in enumerate((("list", "create", "get"), ("get",))):

            def away(visit: Visit, status: int = 301 + number) -> Answer:
                return response(status, b"", ("Location", f"{trap.url}{visit.caught.path}"))

            with RawServer(only(*redirected, behaviour=away)) as server:
                ended = smoke(server.url, cwd=tmp_path / f"reports{number}")
            assert ended.code == (3, 1)[number], ended.said
            if number == 0:
                assert "redirects to another host" in ended.report["reason"]
        assert trap.connections == 0


def test_no_redirect_in_a_circle_is_followed(tmp_path: Path) -> None:
    """Each request is sent once, however it is redirected."""

    def circle(visit: Visit) -> Answer:
        return response(307, b"", ("Location", visit.caught.target))

    ended, server = against(only("get", behaviour=circle), "--clause", "get", cwd=tmp_path, code=1)
    assert ended.report["run"]["requests"] == len(server.log)


def test_a_cookie_is_never_kept(tmp_path: Path) -> None:
    """No request carries one, so that no exchange depends on those before."""

    def baking(visit: Visit) -> Answer:
        head, _, body = visit.honest().partition(b"\r\n\r\n")
        return (
            head
            + b"\r\nSet-Cookie: session=1; Path=/\r\nSet-Cookie: open=yes; Domain=127.0.0.1\r\n\r\n"
            + body
        )

    _, server = against(baking, cwd=tmp_path)
    assert [] == [each for each in server.log if "cookie" in each.headers]


def test_an_answer_that_nobody_asked_for_is_not_taken_for_one_to_the_next_request(tmp_path: Path) -> None:
    """Whatever stands behind an answer is dropped with its connection."""

    def twice(visit: Visit) -> Answer:
        return visit.honest() + response(500, {"smuggled": True})

    ended, _ = against(twice, cwd=tmp_path)
    assert b"smuggled" not in b"".join(ended.everything.values())


def test_no_credential_of_this_machine_takes_the_place_of_the_key(tmp_path: Path) -> None:
    """A .netrc, which clients look into unasked, is not read."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login somebody password secret\n", encoding="utf-8")
    (tmp_path / ".netrc").chmod(0o600)
    _, server = against(None, "--clause", "list", cwd=tmp_path, env={"HOME": str(tmp_path)})
    sent = {each.headers.get("authorization", "") for each in server.log}
    assert f"Bearer {KEY}" in sent
    assert not any("c29tZWJvZHk6c2VjcmV0" in each for each in sent)
