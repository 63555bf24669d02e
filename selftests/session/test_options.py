"""options.py: a setting that cannot be is a UsageError, whose message is a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import click
import pytest

from animal_conformance.cli import main
from animal_conformance.session.flags import CLAUSE, OPTIONS, options_from_texts
from animal_conformance.session.options import (
    KEY_VARIABLE,
    RunOptions,
    UsageError,
    checked,
    checked_key,
    checked_url,
    find_key,
)


def refusal_of(**settings: Any) -> str:
    """What is said of a setting."""
    with pytest.raises(UsageError) as refused:
        checked(replace(RunOptions(), **settings))
    return str(refused.value)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"base_url": "https://a.example/v1", "faults": ("x",)}, "apply to the reference deployment"),
        ({"report_dir": Path("/dev/null/reports")}, "Cannot write reports to /dev/null/reports"),
        ({"base_url": "a.example/v1"}, "has no scheme"),
        (
            {"client_certificate": ("a", "b", "c")},
            "at most twice, for a certificate and for its key, and not 3",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_a_sentence(
    settings: dict[str, Any], words: str, tmp_path: Path
) -> None:
    """With what is wrong and what to do."""
    message = refusal_of(**{"report_dir": tmp_path, **settings})
    assert words in message
    assert message.endswith(".")


@pytest.mark.parametrize(
    "address",
    [
        "", "a.example", "ftp://a.example/v1", "https://", "https:///v1", "https://a:b@a.example/v1",
        "http://user:a:b/foo@host/v1", "user:a:b/foo@host/v1", "http://user:a:b?x/foo@host/v1",
        "http://user:a:b#x@host/v1", "https://a.example:99999/v1", "https://[::1/v1",
        "https://a.example/v1?key=5", "https://a.example/v1/pets", "https://a.example/v1/pets/7",
        "https://a.example/v1#x", "https://a.ex\nample/v1", "https://a.example/v\r1", "https://a.example/\x00v1",
        "https://a.example/v\udcff1", "https://a.example/v1%", "https://a.example/%zz/v1",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(address: str) -> None:
    """Whatever is wrong with it; and no password is ever shown."""
    with pytest.raises(UsageError, match=r"[.?]$") as refused:
        checked_url(address)
    assert "a:b" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://a.example/v1/", "https://a.example/v1"),
        (" http://localhost:8080/v1 ", "http://localhost:8080/v1"),
        ("https://[::1]:5/api/v1//", "https://[::1]:5/api/v1"),
    ],
)
def test_an_address_is_kept_without_slashes_at_its_end(address: str, kept: str) -> None:
    """The paths are appended to it."""
    assert kept == checked_url(address)


@pytest.mark.parametrize("text", ["", " \n", "sch\u00fcssel", "two\nlines", "bell\x07"])
def test_a_key_that_cannot_stand_in_a_header_is_refused(text: str) -> None:
    """And is not shown."""
    with pytest.raises(UsageError, match=r"the file k.*\.$") as refused:
        checked_key(text, "the file k")
    assert not text.strip() or text not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abc\ndef\n", "character 4 is a line break."),
        (" cl\u00e9", "character 3 is not ASCII."),
        ("bell\x07", "character 5 is a control character."),
    ],
)
def test_it_is_told_which_character_of_a_key_is_not_allowed(text: str, said: str) -> None:
    """As the key is not shown: by its place, and its kind."""
    with pytest.raises(UsageError) as refused:
        checked_key(text, "the file k")
    assert str(refused.value).endswith(said)


def test_a_key_is_found_in_a_file_or_in_the_environment(tmp_path: Path) -> None:
    """The file first, without its line break."""
    file = tmp_path / "key"
    file.write_text("from-file\n", encoding="utf-8")
    assert "from-file" == find_key(str(file), {KEY_VARIABLE: "from-environment"})
    assert "from-environment" == find_key(None, {KEY_VARIABLE: "from-environment"})


def test_a_key_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    """With what to do."""
    with pytest.raises(UsageError, match=f"Set {KEY_VARIABLE}"):
        find_key(None, {})
    with pytest.raises(UsageError, match=r"Cannot read .*: No such file"):
        find_key(str(tmp_path / "none"), {})
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="it is not text"):
        find_key(str(tmp_path / "binary"), {})


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("profile", "thorough"),
        ("seed", "x"),
        ("clauses", ["lists"]),
        ("max_creates", "1.5"),
        ("rate", "nan"),
        ("settle_s", "inf"),
        ("timeout_s", "0s"),
        ("timeout_s", "0.00001"),
        ("connections", "65"),
        ("today", "tomorrow"),
        ("headers", ["Host: a.example"]),
        ("category_ids", ["1", str(2**63)]),
        ("ca_bundle", "/no/such/file"),
    ],
)
def test_a_text_that_is_no_such_value_is_refused(field: str, text: Any) -> None:
    """In a sentence, with the option that it was given for."""
    [flag] = [option.opts[0] for option in OPTIONS if option.name == field]
    with pytest.raises(UsageError, match=rf"^Invalid value for '{flag}': .+\.$"):
        options_from_texts({field: text})


def test_texts_become_settings() -> None:
    """What was not given keeps its default."""
    given = {
        "rate": "5/s",
        "settle_s": "1.5s",
        "today": "2031-01-01",
        "headers": ["X-Tenant: 7"],
        "category_ids": ["3", "-4"],
    }
    options = options_from_texts({**given, "strict": True, "seed": None, "connections": 2})
    assert RunOptions(
        rate=5, settle_s=1.5, today=date(2031, 1, 1), headers=(("X-Tenant", "7"),), category_ids=(3, -4), strict=True, connections=2
    ) == options  # fmt: skip


def test_random_is_another_seed_each_time() -> None:
    """Of 2**32."""
    assert 3 == len({options_from_texts({"seed": "random"}).seed for _ in range(3)})


def test_a_shell_completes_clauses() -> None:
    """By what was typed of them."""
    found = CLAUSE.shell_complete(click.Context(main), click.Option(["--clause"]), "auth.missing")
    assert {"auth.missing.create", "auth.missing.get", "auth.missing.list"} == {each.value for each in found}


def test_settings_travel_as_json_values() -> None:
    """Into reports."""
    options = replace(
        RunOptions(), headers=(("X", "1"),), today=date(2026, 11, 20), expect=Path("known.yaml")
    )
    values = json.loads(json.dumps(options.as_values()))
    assert ("2026-11-20", "known.yaml") == (values["today"], values["expect"])


def test_checked_settings_are_complete(tmp_path: Path) -> None:
    """A date, and an address that paths can be appended to."""
    options = checked(RunOptions(base_url="https://a.example/v1/", report_dir=tmp_path / "new"))
    assert "https://a.example/v1" == options.base_url
    assert options.today > date(2020, 1, 1)
    assert (tmp_path / "new").is_dir()
