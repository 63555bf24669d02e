"""The life of a certificate: prepared, signed, and listed, as docs/vendors.md has it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from selftests.loopback.command import ROOT, Ended, command, smoke
from selftests.loopback.deployment import counted

VENDORS = (ROOT / "docs" / "vendors.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A run with a certificate."""
    ended = smoke("--certify", "--name", "Store & Sons 4.2", cwd=tmp_path_factory.mktemp("certified"))
    assert 0 == ended.code, ended.said
    return ended


@pytest.mark.parametrize("tool", ["openssl", "ssh-keygen"])
def test_a_signature_of_the_certificate_holds_until_it_is_altered(
    tool: str, certified: Ended, tmp_path: Path
) -> None:
    """By the commands of the document, pasted; what they print is what it says."""
    if shutil.which(tool) is None:
        pytest.skip(f"Needs {tool}.")
    block = next(
        each for each in re.findall(r"```console\n(.*?)```", VENDORS, re.DOTALL) if f"$ {tool}" in each
    )
    *lines, said = block.strip().splitlines()
    commands = [each.removeprefix("$ ") for each in lines]
    claim = Path(shutil.copytree(certified.directory, tmp_path / "claim"))

    def paste(text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-ec", text],  # noqa: S607 - the one on the path
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
            timeout=20,
        )

    done = paste("\n".join(commands))
    assert 0 == done.returncode, done.stderr
    assert said.partition("…")[0] in done.stdout
    with (claim / "certificate.json").open("a", encoding="utf-8") as file:
        file.write(" ")
    assert 0 != paste(commands[-1]).returncode


def test_a_directory_of_certificates_becomes_a_list(certified: Ended, tmp_path: Path) -> None:
    """With links that hold; one that was altered is listed as not valid, and the exit code says so."""
    shutil.copytree(certified.directory, tmp_path / "list" / "store 4.2")
    valid = command("verify", "--index", "list", cwd=tmp_path)
    assert (0, True) == (valid.code, "valid    Store & Sons 4.2 (store 4.2)" in valid.output)
    page = (tmp_path / "list" / "index.html").read_text(encoding="utf-8")
    assert "<b>Store &amp; Sons 4.2</b>" in page
    assert 'href="store%204.2/report.html"' in page
    assert "Not valid" not in page
    altered = Path(shutil.copytree(certified.directory, tmp_path / "list" / "altered"))
    (altered / "report.html").write_text("<html>", encoding="utf-8")
    for name, part in (("broken", "_type"), ("lacking", "")):
        # Whoever made them, they may lack what every run of the suite writes.
        place = Path(shutil.copytree(certified.directory, tmp_path / "list" / name))
        for file in ("certificate.json", "conformance.json"):
            document = json.loads((place / file).read_bytes())
            document.pop(part, None)
            document.get("run", {}).pop("finished", None)
            (place / file).write_text(json.dumps(document), encoding="utf-8")
    invalid = command("verify", "--index", "list", cwd=tmp_path)
    assert 3 == invalid.code
    assert "The report.html of the certificate is not the one next to it." in invalid.said
    assert 1 == invalid.said.count("certificate.json is not a certificate of this suite: it lacks _type.")
    assert 'conformance.json is not a complete report: run: "finished" is a required' in invalid.said
    page = (tmp_path / "list" / "index.html").read_text(encoding="utf-8")
    assert {"altered", "broken", "lacking"} == set(re.findall("<p><b>(.*?)</b>", page))


def test_a_directory_without_certificates_is_told_in_a_sentence(tmp_path: Path) -> None:
    """And so is a call that names nothing, or both."""
    assert "There is no certificate.json in" in command("verify", "--index", ".", cwd=tmp_path).said
    for arguments in ((), ("--index", ".", ".")):
        ended = command("verify", *arguments, cwd=tmp_path)
        assert (2, True) == (ended.code, "Name a certificate, or with --index a directory" in ended.said)


def test_what_to_prepare_is_a_checklist(tmp_path: Path) -> None:
    """What the options settle is ticked, what they do not says what to do."""
    bare = command("run", "--certify", "--plan", "--profile", "smoke", "--insecure", cwd=tmp_path)
    assert 0 == bare.code, bare.said
    for asked in ("Give the address", "with --name", "too few for two clauses", "Omit --insecure"):
        assert re.search(rf"^  \[ \] .*{asked}", bare.output, re.MULTILINE), asked
    settled = command("run", "--certify", "--plan", "--name", "Store 4.2", "--category-id", "3", cwd=tmp_path)
    assert 4 == settled.output.count("[x]")
    assert "Before certifying" not in command("run", "--plan", cwd=tmp_path).output


@pytest.mark.parametrize(
    "partial", [("--clause", "list."), ("--read-only",), ("--max-creates", "0")], ids=" ".join
)
def test_a_partial_run_is_not_begun_for_a_certificate(partial: tuple[str, ...], tmp_path: Path) -> None:
    """It could not give one, however long it took."""
    for more in ((), ("--plan",)):
        with counted() as deployment:
            ended = command("run", "--certify", *partial, *more, cwd=tmp_path, env=deployment.env)
        assert (2, []) == (ended.code, deployment.requests), ended.said
        told = f"A certificate requires a whole run, and {' '.join(partial)}"
        assert told.removesuffix(" list.") in ended.said
        assert "leaves clauses out: omit it, or --certify." in ended.said


def test_the_plan_counts_the_time_after_which_the_first_animals_are_asked_for_again(tmp_path: Path) -> None:
    """Ten times that for which replicas may lag, where the run lasts less."""
    for options, expected in (
        ((), "a run would take about 30 s"),
        (("--settle", "2"), "a run would take about 20 s"),
        (("--max-time", "20"), "a run would take about 1 s"),
    ):
        planned = command("run", "--certify", "--plan", "--profile", "smoke", *options, cwd=tmp_path)
        assert (0, True) == (planned.code, expected in planned.said), planned.said


def test_a_later_run_leaves_no_certificate_of_an_earlier_one(certified: Ended, tmp_path: Path) -> None:
    """In the same directory: it is of a trace that is no longer there."""
    shutil.copytree(certified.directory, tmp_path / certified.directory.name)
    later = smoke("--clause", "list.array", cwd=tmp_path)
    assert certified.directory.name == later.directory.name
    assert not (later.directory / "certificate.json").exists()
