"""settings.py: what stands in a file counts where the command line says nothing, and --plan says where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from animal_conformance.cli import main
from animal_conformance.session.options import UsageError
from animal_conformance.session.settings import read_settings

GOOD = """
profile = "smoke"
rate = "50/s"
expect = "known.yaml"
[deployments.staging]
url = "https://staging.example/v1"
api-key-file = "staging.key"
category-id = 7
profile = "standard"
today = 2026-11-20
header = ["X-Tenant: 7"]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A directory with settings, and one below it."""
    (tmp_path / "below").mkdir()
    (tmp_path / "animal-conformance.toml").write_text(GOOD, encoding="utf-8")
    for name in ("known.yaml", "staging.key"):
        (tmp_path / name).write_text("[]", encoding="utf-8")
    return tmp_path


def test_a_deployment_has_its_address_and_its_settings_before_the_common_ones(home: Path) -> None:
    """Each with where it stands; files are named from where the settings are."""
    settings = read_settings("staging", home / "below", {})
    assert "https://staging.example/v1" == settings.url
    assert ("standard", "50/s", ["7"]) == tuple(
        settings.values[each] for each in ("profile", "rate", "category_ids")
    )
    assert str(home / "staging.key") == settings.values["api_key_file"]
    assert str(home / "known.yaml") == settings.values["expect"]
    assert "animal-conformance.toml, deployments.staging" == settings.origins["profile"]
    assert "animal-conformance.toml" == settings.origins["rate"]


def test_an_address_takes_the_common_settings_alone(home: Path) -> None:
    """And so does a run without one."""
    for deployment in ("https://other.example/v1", ""):
        settings = read_settings(deployment, home, {})
        assert ("", "smoke") == (settings.url, settings.values["profile"])


def test_a_key_in_the_environment_comes_before_a_file_in_the_settings(home: Path) -> None:
    """Which need not even exist where a job sets the variable."""
    (home / "staging.key").unlink()
    assert "api_key_file" not in read_settings("staging", home, {"ANIMAL_STORE_API_KEY": "x"}).values


def test_a_project_file_is_read_where_it_has_a_part_for_it(tmp_path: Path) -> None:
    """Others are passed over."""
    (tmp_path / "below").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.animal-conformance]\nstrict = true\n", encoding="utf-8")
    for text in ("[tool.other]\nx = 1\n", "tool = 1\n"):
        (tmp_path / "below" / "pyproject.toml").write_text(text, encoding="utf-8")
        assert {"strict": True} == read_settings("", tmp_path / "below", {}).values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("profile = ", "are not valid TOML"),
        ('profil = "smoke"', "there is no option 'profil'. Did you mean profile?"),
        ('profile = "quick"', "profile: 'quick' is not one of"),
        ('profile = ["smoke"]', "profile has to be a single value"),
        ('strict = "yes"', "strict has to be true or false"),
        ('expect = "missing.yaml"', "missing.yaml' does not exist"),
        ('api-key = "k"', "a key does not belong in a settings file: set ANIMAL_STORE_API_KEY"),
        ("deployments = 1", "has to be a table of tables"),
        ("[deployments.staging]\nseed = 1", "[deployments.staging] has no url"),
        (
            '[deployments.staging]\nurl = "127.0.0.1:8/v1"',
            "[deployments.staging] url: The address '127.0.0.1:8/v1' has no",
        ),
        (
            '[deployments.staging]\nurl = "http://a b/v1"',
            "[deployments.staging] url: 'http://a b/v1' is not a valid",
        ),
        ('[deployments.stage]\nurl = "http://a/v1"', "'staging' is neither an address nor a deployment of"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    """In a sentence."""
    (tmp_path / "animal-conformance.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        read_settings("staging", tmp_path, {})
    assert said in str(refused.value)
    assert str(tmp_path / "animal-conformance.toml") in str(refused.value)


def test_plan_says_where_each_value_came_from(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line, the file, or the default; of a header only the name is shown."""
    monkeypatch.chdir(home)
    settings = (home / "animal-conformance.toml").read_text(encoding="utf-8")
    (home / "animal-conformance.toml").write_text(
        settings.replace("https://staging.example", "http://127.0.0.1:9"), encoding="utf-8"
    )
    monkeypatch.delenv("ANIMAL_STORE_API_KEY", raising=False)
    done = CliRunner().invoke(main, ["run", "staging", "--plan", "--seed", "3", "--report-dir", "out"])
    assert 0 == done.exit_code, done.output
    rows = [" ".join(each.split()) for each in done.output.splitlines()]
    own = "animal-conformance.toml, deployments.staging"
    for row in (
        f"address http://127.0.0.1:9/v1 {own}",
        f"api-key-file {home / 'staging.key'} {own}",
        "seed 3 the command line",
        "rate 50/s animal-conformance.toml",
        f"profile standard {own}",
        f"header X-Tenant {own}",
        "settle 3 s default",
    ):
        assert row in rows


def test_a_shell_completes_deployments(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the settings file, beside profiles, clauses, faults and variants."""

    def completed(words: str) -> list[str]:
        variables = {
            "_ANIMAL_CONFORMANCE_COMPLETE": "bash_complete",
            "COMP_WORDS": f"animal-conformance {words}",
            "COMP_CWORD": str(len(words.split())),
        }
        return CliRunner().invoke(main, env=variables, prog_name="animal-conformance").output.splitlines()

    monkeypatch.chdir(home)
    for words, expected in (
        ("run st", "staging"),
        ("run --profile sm", "smoke"),
        ("run --clause list.limit.de", "list.limit.default"),
        ("run --fault limit.one-m", "limit.one-more"),
        ("run --variant order.sh", "order.shuffled"),
    ):
        assert f"plain,{expected}" in completed(words)
    (home / "animal-conformance.toml").write_text("profile = ", encoding="utf-8")
    assert [""] == completed("run st")
