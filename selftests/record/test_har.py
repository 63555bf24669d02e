"""HTTP Archives, written and read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Credential, Terms
from animal_conformance.record.har import KEYLESS, HarError, read_har, write_har
from selftests.report.samples import BASE_URL, bad_exchanges, hostile_exchanges, report_of

ARCHIVES = Path(__file__).parent / "archives"
STARTED = "2026-09-21T14:13:20.123Z"


def entry(
    method: str = "GET", url: str = f"{BASE_URL}/pets", status: int = 200, **changes: Any
) -> dict[str, Any]:
    """An entry as a browser writes it; `request` and `response` change parts of it."""
    return {
        "startedDateTime": STARTED,
        "time": 12.5,
        "request": {
            "method": method,
            "url": url,
            "httpVersion": "h2",
            "headers": [
                {"name": ":authority", "value": "x"},
                {"name": "Authorization", "value": "Bearer s3cret"},
            ],
            "bodySize": 0,
            **changes.pop("request", {}),
        },
        "response": {
            "status": status,
            "statusText": "OK",
            "httpVersion": "h2",
            "headers": [
                {"name": "Content-Type", "value": "application/json"},
                {"name": "Set-Cookie", "value": "s3cret"},
            ],
            "content": {"size": 2, "mimeType": "application/json", "text": "[]"},
            **changes.pop("response", {}),
        },
        **changes,
    }


def archive(path: Path, *entries: dict[str, Any]) -> Path:
    """A file with these entries."""
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}), encoding="utf-8")
    return path


def test_a_run_that_is_written_and_read_again_has_the_same_verdicts(tmp_path: Path) -> None:
    """With the kind of each credential, since this suite notes it, and bodies that are no text."""
    for exchanges in (bad_exchanges(), hostile_exchanges()):
        path = tmp_path / "trace.har"
        with path.open("wb") as file:
            write_har(report_of(exchanges), exchanges, file)
            assert not file.closed
        recording = read_har(path)
        read = recording.exchanges
        assert (BASE_URL, ()) == (recording.base_url, recording.notes)
        terms = Terms(base_url=BASE_URL)
        before, after = judge(exchanges, terms), judge(read, terms)
        assert [(each.clause.id, each.outcome) for each in before.verdicts] == [
            (each.clause.id, each.outcome) for each in after.verdicts
        ]


def test_no_key_survives_the_reading(tmp_path: Path) -> None:
    """Whether it was valid is not known."""
    [exchange], *_ = read_har(archive(tmp_path / "a.har", entry()))
    assert "s3cret" not in repr(exchange)
    assert Credential.UNKNOWN is exchange.request.credential
    assert "2" == exchange.response.version if exchange.response else False


def test_a_request_without_the_header_had_no_key(tmp_path: Path) -> None:
    """Where others in the archive have one."""
    bare = entry(status=401, request={"headers": []})
    exchanges, *_ = read_har(archive(tmp_path / "a.har", entry(), bare))
    assert [Credential.UNKNOWN, Credential.ABSENT] == [each.request.credential for each in exchanges]


def test_an_archive_whose_headers_were_taken_out_says_nothing_of_keys(tmp_path: Path) -> None:
    """Browsers do so; otherwise each success would look like a missing authentication."""
    bare = entry(request={"headers": []})
    [exchange], *_ = read_har(archive(tmp_path / "a.har", bare))
    assert Credential.UNKNOWN is exchange.request.credential
    [refused], *_ = read_har(archive(tmp_path / "b.har", entry(status=401, request={"headers": []})))
    assert Credential.ABSENT is refused.request.credential


@pytest.mark.parametrize(
    ("urls", "base_url"),
    [
        (["https://h/pets?limit=3"], "https://h"),
        (["https://user:pass@h:8443/a/b/pets/7"], "https://h:8443/a/b"),
        (["https://h/pets/v1/pets", "https://h/pets/v1/pets/1"], "https://h/pets/v1"),
        (["https://h/index.html", "https://h/v1/pets/x?y=/pets"], "https://h/v1"),
    ],
)
def test_the_base_address_is_what_stands_before_pets(tmp_path: Path, urls: list[str], base_url: str) -> None:
    """Without credentials in it; other addresses are left out."""
    exchanges, found, *_ = read_har(archive(tmp_path / "a.har", *(entry(url=url) for url in urls)))
    assert base_url == found
    assert {"pets"} == {each.request.path.split("/")[1] for each in exchanges}


def test_bodies_in_base64_are_decoded(tmp_path: Path) -> None:
    """As browsers write what is no text."""
    content = {"size": 2, "text": "/wA=", "encoding": "base64"}
    [exchange], *_ = read_har(archive(tmp_path / "a.har", entry(response={"content": content})))
    assert exchange.response is not None
    assert b"\xff\x00" == exchange.response.body


def test_times_are_seconds_since_the_first_request(tmp_path: Path) -> None:
    """Whatever the order of the entries and the notation of the zone."""
    later = entry(startedDateTime="2026-09-21T16:13:21.623+02:00")
    exchanges, *_ = read_har(archive(tmp_path / "a.har", later, entry()))
    assert [0, 1.5] == [round(each.sent_s, 3) for each in exchanges]
    assert 0.0125 == pytest.approx(exchanges[0].answered_s)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"log": {}}', '{"log": {"entries": 5}}', '{"log": {"entries": [{}]}}',
        '{"log": {"entries": [{"request": {"url": null}, "response": {}, "startedDateTime": "x"}]}}',
        "\udcff", "[" * 10_000,
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    """With the name of the file."""
    path = tmp_path / "a.har"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(HarError, match=r"a\.har is not a HAR file") as refused:
        read_har(path)
    assert ("not valid JSON" in str(refused.value)) == (text[-1:] not in {"]", "}"})


@pytest.mark.parametrize(
    ("part", "change", "says"),
    [
        ("request", {"url": None}, "lacks request.url"),
        (
            "request",
            {"headers": [{"name": "X"}]},
            "has request.headers that are not a list of names and values",
        ),
        ("response", {"status": "x"}, "has a response.status that is not a number"),
        ("request", {"url": "http://[::1/pets"}, "has a request.url that cannot be read"),
        ("request", {"url": 1}, "has a request.url that cannot be read"),
        ("", {"startedDateTime": "yesterday"}, "has a startedDateTime that is not a date and time"),
        ("", {"startedDateTime": "0001-01-01T00:00:00+14:00"}, "has a startedDateTime that is not a date"),
        ("", {"startedDateTime": "9999-12-31T23:59:59-14:00"}, "has a startedDateTime that is not a date"),
        ("", {"time": 1e308}, "has a time that is not a number of milliseconds"),
        ("", {"time": 10**400}, "has a time that is not a number of milliseconds"),
    ],
)
def test_what_an_entry_lacks_is_named_with_the_entry(
    part: str, change: dict[str, Any], says: str, tmp_path: Path
) -> None:
    """In an archive of thousands, nobody finds it otherwise."""
    broken = entry()
    (broken[part] if part else broken).update(change)
    for name in [name for name, value in change.items() if value is None]:
        del broken[part][name]
    with pytest.raises(HarError, match=rf"a\.har is not a HAR file: its entry 2 {says}"):
        read_har(archive(tmp_path / "a.har", entry(), broken))


def test_an_archive_of_other_traffic_and_a_missing_one_are_told_apart(tmp_path: Path) -> None:
    """Each in a sentence."""
    with pytest.raises(HarError, match="contains no request to /pets with a response"):
        read_har(archive(tmp_path / "a.har", entry(url="https://h/other")))
    with pytest.raises(HarError, match="Cannot read"):
        read_har(tmp_path / "missing.har")


def test_white_space_around_the_value_of_a_header_is_none_of_it(tmp_path: Path) -> None:
    """Some recorders keep it; nor does a token end with it that is echoed."""
    headers = [{"name": "Authorization", "value": "Bearer brw/9f3+Kq77zz \t"}]
    response = {
        "headers": [{"name": "Content-Type", "value": "\tapplication/json "}],
        "content": {"text": '{"message": "brw/9f3+Kq77zz"}', "size": 9},
    }
    [exchange], *_ = read_har(
        archive(tmp_path / "a.har", entry(request={"headers": headers}, response=response))
    )
    assert exchange.response is not None
    assert "application/json" == exchange.response.header("content-type")
    assert b'{"message": "[api-key]"}' == exchange.response.body


def test_the_token_of_an_archive_is_taken_out_where_it_is_echoed(tmp_path: Path) -> None:
    """As a run takes out its key: in bodies, headers and targets, also where some of its characters are escaped."""
    token = "brw/9f3+Kq77zz"
    headers = [
        {"name": "Authorization", "value": f"Bearer {token}"},
        {"name": "Cookie", "value": "a=1; s=0123456789abcdef-Q"},
    ]
    echo = {"text": '{"message": "brw\\/9f3\\u002bKq77zz, 0123456789abcdef-Q, a=1"}', "size": 9}
    echoed = entry(request={"headers": headers}, response={"content": echo, "statusText": f"for {token}"})
    [exchange], *_ = read_har(archive(tmp_path / "a.har", echoed))
    assert exchange.response is not None
    assert b'{"message": "[api-key], [api-key], a=1"}' == exchange.response.body
    assert "for [api-key]" == exchange.response.reason


@pytest.mark.parametrize(
    ("name", "exchanges", "notes", "credentials"),
    [
        (
            "chromium-full",
            6,
            ("Of 8 entries, 6 are judged; left out: 2 to other addresses or paths.",),
            {"unknown", "absent"},
        ),
        (
            "chromium-sanitized",
            5,
            ("Of 7 entries, 5 are judged; left out: 2 to other addresses or paths.", KEYLESS),
            {"unknown"},
        ),
        ("mitmproxy", 7, (), {"unknown", "absent"}),
    ],
)
def test_the_exports_of_other_tools_are_read(
    name: str, exchanges: int, notes: tuple[str, ...], credentials: set[str]
) -> None:
    """Made by Chromium's developer tools with and without sensitive data, and by mitmproxy of curl and Newman."""
    recording = read_har(ARCHIVES / f"{name}.har")
    assert (exchanges, notes) == (len(recording.exchanges), recording.notes)
    assert credentials == {each.request.credential.value for each in recording.exchanges}
    judgement = judge(recording.exchanges, Terms(base_url=recording.base_url, today="2026-11-22"))
    outcomes = {each.clause.id: each.outcome.value for each in judgement.verdicts}
    assert "failed" not in outcomes.values()
    assert {"passed"} == {outcomes[each] for each in ("list.array", "create.answer")}
    assert ("passed" if "absent" in credentials else "cant-tell") == outcomes["auth.missing.list"]


def test_what_proves_nothing_of_a_server_is_left_out_and_counted_by_reason(tmp_path: Path) -> None:
    """Evicted bodies, requests that were given up, caches, and posts that the archive does not hold."""
    nothing = [
        entry(response={"content": {"size": 900}}),
        entry(status=0),
        entry(status=304),
        entry(_fromCache="disk"),
        entry("POST", request={"bodySize": 30}),
        entry("POST", request={"bodySize": 30, "postData": {"mimeType": "application/json"}}),
        entry(url="https://elsewhere.example/pets"),
    ]
    recording = read_har(archive(tmp_path / "a.har", *nothing, entry(), entry(), entry("POST", status=400)))
    assert ["GET", "GET", "POST"] == [each.request.method for each in recording.exchanges]
    assert recording.notes == (
        (
            "Of 10 entries, 3 are judged; left out: 2 answered from a cache, 2 whose request body the archive lacks, "
            "1 whose response body the archive lacks, 1 given up by the client, 1 to other addresses or paths."
        ),
    )


def test_a_key_that_expires_during_a_session_is_no_finding(tmp_path: Path) -> None:
    """Nobody knows whether the keys of other people's traffic are valid, nor whether they are the same."""
    refused = {"content": {"size": 2, "text": '{"code": "expired", "message": "no", "status": 401}'}}
    entries = [entry(), entry(status=401, response=refused), entry()]
    exchanges, base_url, *_ = read_har(archive(tmp_path / "a.har", *entries))
    judgement = judge(exchanges, Terms(base_url=base_url))
    assert [] == [
        each.clause.id
        for each in judgement.verdicts
        if each.outcome.value == "failed" and each.clause.level == "MUST"
    ]
