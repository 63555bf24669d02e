"""What the README promises is there."""

import re
from configparser import ConfigParser
from pathlib import Path

from click.testing import CliRunner

from animal_conformance.cli import main
from animal_conformance.drive.profiles import PROFILES
from animal_conformance.report.files import write_reports
from animal_conformance.session.options import RunOptions
from selftests.report.samples import good_exchanges, report_of

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def rows(first_cell: str) -> list[str]:
    """Return the first cells of the table whose head begins with that cell."""
    table = README.partition(f"\n| {first_cell} | ")[2].partition("\n\n")[0]
    return re.findall(r"^\| (.*?) \|", table, flags=re.MULTILINE)


def help_of(*command: str) -> str:
    """Return what the command says of itself, on a wide terminal."""
    done = CliRunner().invoke(main, [*command, "--help"], terminal_width=200, prog_name="animal-conformance")
    assert 0 == done.exit_code, done.output
    return done.output


def test_the_options_of_run_are_those_of_the_table() -> None:
    """Neither side names one that the other does not know."""
    described = {option for cell in rows("option of `run`") for option in re.findall(r"--[a-z][a-z-]*", cell)}
    assert described
    assert described == set(re.findall(r"--[a-z][a-z-]*", help_of("run"))) - {"--help", "--list"}


def test_the_defaults_and_sizes_are_those_of_the_code() -> None:
    """Each number that the table of options gives."""
    told = dict(re.findall(r"^\| `--([a-z-]+) .*\(([0-9.]+) by default", README, flags=re.MULTILINE))
    defaults = {
        "settle": RunOptions.settle_s,
        "timeout": RunOptions.timeout_s,
        "max-time": PROFILES["deep"].max_time_s,
    }
    assert defaults == {name: float(number) for name, number in told.items()}
    smoke, standard, deep = PROFILES.values()
    for words in (
        f"`smoke`: at most {smoke.requests - smoke.kept_requests} requests and {smoke.creates} animals",
        f" animals, and {smoke.kept_requests} more requests to test suspicions",
        f"`standard`: {standard.requests:,} requests and {standard.creates} animals in all",
        f"with at most {deep.creates:,} animals",
    ):
        assert words in README


def test_the_files_of_a_run_are_those_of_the_table(tmp_path: Path) -> None:
    """With the trace, and the certificate of a run that asks for one."""
    written = write_reports(report_of(good_exchanges()), good_exchanges(), tmp_path)
    told = re.findall(r"`([^`]+)`", " ".join(rows("file")))
    assert {*told} == {each.name for each in written} | {"trace.ndjson", "certificate.json"}


def test_the_commands_are_those_of_the_table() -> None:
    """Each can be asked for its help."""
    commands = [re.sub(r"`animal-conformance (\w+).*", r"\1", cell) for cell in rows("command")]
    assert commands
    for command in commands:
        assert re.search(rf"animal.conformance {command}\b", help_of(command))


def test_no_help_is_cut() -> None:
    """At the usual width."""
    for command in ((), ("run",), ("serve",)):
        done = CliRunner().invoke(main, [*command, "--help"], terminal_width=80)
        assert "..." not in re.sub(r"\[ARGS\]\.\.\.", "", done.output)


def test_the_two_commands_are_environments_of_tox() -> None:
    """And the continuous integration calls the second one, then the first."""
    tox = ConfigParser()
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    commands = re.findall(r"^\$ \./dev (\w+) +#", README, flags=re.MULTILINE)
    assert [] == [command for command in commands if f"testenv:{command}" not in tox]
    integration = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert commands[::-1] == re.findall(r"^\./dev (\w+)$", integration, flags=re.MULTILINE)


def test_the_files_of_the_layout_exist() -> None:
    """Every path that the README names, in its table or as a link."""
    paths = [path for cell in rows("path") for path in re.findall(r"`([^`]+)`", cell)]
    paths += re.findall(r"\]\(([^):]+)\)", README)
    assert paths
    assert [] == [path for path in paths if not (ROOT / path).exists()]


def test_the_readings_that_are_cited_are_in_the_list() -> None:
    """By number, in the package and in its tests."""
    listed = re.findall(
        r"^(\d+)\. ", (ROOT / "docs" / "readings.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    sources = [
        each for folder in ("animal_conformance", "selftests") for each in (ROOT / folder).rglob("*.py")
    ]
    texts = (each.read_text(encoding="utf-8") for each in sources)
    cited = {number for text in texts for number in re.findall(r"\b[Rr]eading (\d+)", text)}
    assert cited
    assert cited <= set(listed)
