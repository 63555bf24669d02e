"""A certificate is had for a run that passed alone, and everybody can recompute it."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy as copy_of
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from animal_conformance.cli import main
from animal_conformance.record.trace import read_trace
from animal_conformance.report.certificate import CertificateError, statement, verify
from animal_conformance.report.compare import read_report
from animal_conformance.report.files import json_bytes
from selftests.loopback.command import smoke
from selftests.record.traces import header_of, write_trace


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a run against the reference deployment, with its certificate."""
    ended = smoke("--certify", "--settle", "0.1", cwd=tmp_path_factory.mktemp("certified"))
    assert 0 == ended.code, ended.said
    return ended.directory


@pytest.fixture
def copy(certified: Path, tmp_path: Path) -> Path:
    """A copy to spoil."""
    return Path(shutil.copytree(certified, tmp_path / "copy"))


def change(path: Path, edit: Callable[[Any], None]) -> None:
    """Edit a JSON file."""
    document = json.loads(path.read_bytes())
    edit(document)
    path.write_bytes(json_bytes(document))


def problems(directory: Path) -> str:
    """What is said of the certificate in a directory."""
    return "\n".join(verify(directory / "certificate.json"))


def test_a_certificate_of_a_passed_run_holds(certified: Path) -> None:
    """By its digests, by its report, and by its trace judged again."""
    assert "" == problems(certified)


@pytest.mark.parametrize("name", ["certificate.json", ""])
def test_the_command_verifies_a_file_or_the_directory_of_a_run(name: str, certified: Path) -> None:
    """And says that it holds; of a directory without one it says what is missing."""
    held = CliRunner().invoke(main, ["verify", str(certified / name)])
    assert (0, True) == (held.exit_code, "The certificate is valid" in held.output)
    missing = CliRunner().invoke(main, ["verify", str(certified.parent)])
    assert (3, True) == (
        missing.exit_code,
        "Cannot read " in missing.output and "certificate.json" in missing.output,
    )


def test_it_is_an_in_toto_statement_with_the_test_result_predicate(certified: Path) -> None:
    """With the fields that the specification asks for."""
    document = json.loads((certified / "certificate.json").read_bytes())
    assert "https://in-toto.io/Statement/v1" == document["_type"]
    assert "https://in-toto.io/attestation/test-result/v0.1" == document["predicateType"]
    assert ["conformance.json", "trace.ndjson", "report.html", "openapi.yaml", "clauses.yaml"] == [
        each["name"] for each in document["subject"]
    ]
    assert all(len(each["digest"]["sha256"]) == 64 for each in document["subject"])
    predicate = document["predicate"]
    assert "PASSED" == predicate["result"]
    assert [] == predicate["failedTests"] == predicate["warnedTests"]
    assert "list.limit.maximum" in predicate["passedTests"]
    settings = json.loads(base64.b64decode(predicate["configuration"][0]["content"]))
    assert {"suite", "target", "run"} == settings.keys()


@pytest.mark.parametrize("sample", ["bad", "unjudged"])
def test_no_certificate_without_every_must_told(
    sample: str, request: pytest.FixtureRequest, certified: Path
) -> None:
    """What could not be told is not enough, unless it is excused."""
    with pytest.raises(CertificateError, match="be inapplicable or be excused, and these did not"):
        statement(request.getfixturevalue(sample), certified)


def test_no_certificate_for_a_partial_run(certified: Path) -> None:
    """Although nothing failed."""
    report = read_report(certified / "conformance.json")
    with pytest.raises(CertificateError, match="the run left clauses out or undetermined"):
        statement({**report, "scope": "partial"}, certified)


def test_a_certificate_lists_what_was_excused_and_why(good: dict[str, Any], certified: Path) -> None:
    """With the circumstance, beside what passed."""
    predicate = statement(good, certified)["predicate"]
    wanted = {
        "name": "list.complete",
        "circumstance": "sample.small",
        "why": "There were only a handful of requests.",
    }
    assert wanted in predicate["excusedTests"]
    assert "list.complete" not in predicate["passedTests"]
    assert {each["name"] for each in predicate["excusedTests"]} == {
        each["id"] for each in good["clauses"] if each["excuse"]
    }


def test_no_certificate_without_the_files(certified: Path, tmp_path: Path) -> None:
    """Nor where the suite was at fault."""
    report = read_report(certified / "conformance.json")
    with pytest.raises(CertificateError, match=r"Cannot read conformance\.json next to"):
        statement(report, tmp_path)
    with pytest.raises(CertificateError, match="the suite itself failed"):
        statement({**report, "suite_faults": ["boom"]}, certified)


def test_an_edited_trace_is_found(copy: Path) -> None:
    """By its digest, and by its chain."""
    trace = copy / "trace.ndjson"
    trace.write_text(
        trace.read_text(encoding="utf-8").replace('"status":401', '"status":400', 1), encoding="utf-8"
    )
    assert "The trace.ndjson of the certificate is not the one next to it." in problems(copy)
    assert "does not match the digest of the line before" in problems(copy)


def test_a_cut_trace_is_found(copy: Path) -> None:
    """Also where it ends with a whole line."""
    trace = copy / "trace.ndjson"
    trace.write_text(
        "".join(trace.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8"
    )
    assert "The trace is truncated" in problems(copy)


def test_a_forged_chain_and_digests_do_not_help_a_broken_deployment(copy: Path) -> None:
    """The trace is judged again: what fails, fails."""
    trace = read_trace(copy / "trace.ndjson")
    forged = [each for each in trace.exchanges if each.response is None or each.response.status != 401]
    write_trace(copy / "trace.ndjson", trace.terms, header_of(trace), forged)
    report = read_report(copy / "conformance.json")
    (copy / "certificate.json").write_bytes(json_bytes(statement(report, copy)))
    said = problems(copy)
    assert (
        "Judged again from its trace, the MUST clause auth.missing.list is: can't tell, not: passed." in said
    )
    assert "The field run of conformance.json is not what its trace gives." in said


def test_an_edited_report_is_found(copy: Path) -> None:
    """Another address would make it another's certificate."""
    change(
        copy / "conformance.json",
        lambda report: report["target"].update(base_url="https://elsewhere.example/v1"),
    )
    assert "The conformance.json of the certificate is not the one next to it." in problems(copy)
    assert "Its predicate.configuration.0.annotations.target is not what conformance.json gives." in problems(
        copy
    )
    assert "The field target of conformance.json is not what its trace gives." in problems(copy)


def test_edited_lists_and_results_are_found(copy: Path) -> None:
    """They are recomputed."""
    path = copy / "certificate.json"
    change(path, lambda document: document["predicate"]["passedTests"].append("made.up"))
    change(path, lambda document: document["predicate"].update(result="WARNED"))
    assert "Its predicate.passedTests is not what conformance.json gives." in problems(copy)
    assert "Its predicate.result is not what conformance.json gives." in problems(copy)


def test_edited_settings_are_found(copy: Path) -> None:
    """They have a digest, and stand in the report too."""

    def edit(document: dict[str, Any]) -> None:
        settings = document["predicate"]["configuration"][0]
        content = json.loads(base64.b64decode(settings["content"]))
        content["run"]["seed"] += 1
        settings["content"] = base64.b64encode(json_bytes(content)).decode()

    change(copy / "certificate.json", edit)
    assert "Its predicate.configuration.0.content is not what conformance.json gives." in problems(copy)


def test_another_contract_is_found(copy: Path) -> None:
    """With what to do about it."""
    change(
        copy / "certificate.json", lambda document: document["subject"][3]["digest"].update(sha256="0" * 64)
    )
    assert "install the version of the suite that issued it" in problems(copy)


def test_missing_files_are_found(copy: Path) -> None:
    """Each by name, and once: nothing can be said of what it would give."""
    (copy / "trace.ndjson").unlink()
    (copy / "conformance.json").unlink()
    assert [
        f"Cannot read {name} next to the certificate: No such file or directory."
        for name in ("conformance.json", "trace.ndjson")
    ] == verify(copy / "certificate.json")


def test_every_leaf_of_a_certificate_is_covered(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is changed in turn, and the certificate is refused each time, whatever its trace says."""
    monkeypatch.setattr("animal_conformance.report.certificate._trace", lambda _: [])
    path = copy / "certificate.json"
    right = json.loads(path.read_bytes())
    held = [
        way for way in leaves(right) if path.write_bytes(json_bytes(changed(right, way))) and not verify(path)
    ]
    assert len(list(leaves(right))) >= 100
    assert [] == held


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each leaf of a JSON document; an empty list is one."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, each in members:
        yield from leaves(each, (*way, key))
    if not members:
        yield way


def changed(document: Any, way: tuple[Any, ...]) -> Any:
    """The document with another value at a place."""
    document = copy_of(document)
    *before, last = way
    holder = document
    for key in before:
        holder = holder[key]
    holder[last] = (
        f"{holder[last]}0"
        if isinstance(holder[last], str)
        else ["made.up"]
        if holder[last] == []
        else holder[last] + 1
    )
    return document


def test_another_page_is_found(copy: Path) -> None:
    """People look at the page."""
    (copy / "report.html").write_text("<h1>Conforms</h1>", encoding="utf-8")
    assert "The report.html of the certificate is not the one next to it." == problems(copy)


def test_verify_says_what_was_certified(certified: Path) -> None:
    """Of whom, when, and what: the address in the certificate is nobody's word but the trace's."""
    said = CliRunner().invoke(main, ["verify", str(certified)]).output
    report = read_report(certified / "conformance.json")
    for words in (
        report["target"]["base_url"],
        report["run"]["finished"],
        "CONFORMS",
        "list.limit.maximum",
        "warnings    none",
        "excused     nothing",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "certificate: it is not valid JSON (line 1, column 1: Expecting value)."),
        ("\x00", "certificate: it is not valid JSON (line 1, column 1: Expecting value)."),
        ("[]", "certificate of this suite: it is not an object as a run writes it."),
        ("{}", "certificate of this suite: it lacks _type."),
        ('{"_type": 1, "predicateType": 2}', "certificate of this suite: it lacks subject."),
        (
            '{"_type": 1, "predicateType": 2, "subject": [{"name": 3, "digest": {}}]}',
            "certificate of this suite: it lacks sha256.",
        ),
    ],
)
def test_what_is_no_certificate_is_told_in_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    """With what it lacks; and a missing one too."""
    path = tmp_path / "certificate.json"
    assert 1 == len(verify(path))
    path.write_text(text, encoding="utf-8")
    assert [f"certificate.json is not a {said}"] == verify(path)


def test_a_trace_that_is_none_is_named(copy: Path) -> None:
    """And not the certificate, which is whole."""
    (copy / "trace.ndjson").write_text('{"format": "animal-conformance-trace/2"}\n', encoding="utf-8")
    assert ["The trace.ndjson of the certificate is not the one next to it."] == [
        each for each in verify(copy / "certificate.json") if "of the certificate" in each
    ]
    assert "trace.ndjson does not contain the terms of its run." in problems(copy)


def test_a_trace_with_a_beginning_that_no_run_writes_is_named(copy: Path) -> None:
    """Its chain holds, and it cannot be judged."""
    trace = read_trace(copy / "trace.ndjson")
    header = {**header_of(trace), "started": "in the morning"}
    write_trace(copy / "trace.ndjson", trace.terms, header, trace.exchanges)
    assert "trace.ndjson next to certificate.json is not a trace as a run writes it." in problems(copy)


def test_a_report_in_place_of_a_certificate_is_told_so(tmp_path: Path) -> None:
    """With where the certificate is."""
    path = tmp_path / "conformance.json"
    path.write_text('{"format": "animal-conformance/1"}', encoding="utf-8")
    assert verify(path) == [
        "conformance.json is a report: a certificate is in certificate.json beside it, if the run was certified."
    ]
