"""certificate.json: an in-toto Statement that a deployment passed, which others can recompute.

Statement: https://in-toto.io/Statement/v1; predicate: https://in-toto.io/attestation/test-result/v0.1.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.interface.clauses import Level, load_clauses
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.again import NothingProvedError, judged_again
from animal_conformance.judge.outcome import CONFORMS, WHOLE
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.trace import TraceError, read_trace
from animal_conformance.report.compare import read_report
from animal_conformance.report.files import ReportError, json_bytes, write_whole
from animal_conformance.report.report import sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "https://in-toto.io/attestation/test-result/v0.1"
FILE: Final = "certificate.json"
TRACE: Final = "trace.ndjson"
REPORT: Final = "conformance.json"
# The documents that a verdict depends on, and where the suite keeps them.
DOCUMENTS: Final = ("openapi.yaml", "clauses.yaml")
SETTINGS: Final = "settings"


class CertificateError(Exception):
    """No certificate can be issued or verified; the message is a sentence."""


def write_certificate(report: dict[str, Any], directory: Path) -> Path:
    """Write the certificate of a run next to its report and trace.

    :raises CertificateError: if a MUST clause did not pass, or the report or trace is missing.
    :raises ReportError: if it cannot be written.
    """
    return write_whole(directory / FILE, json_bytes(statement(report, directory)))


def statement(report: dict[str, Any], directory: Path) -> dict[str, Any]:
    """The statement about a run whose report and trace are in a directory.

    :raises CertificateError: as :func:`write_certificate`.
    """
    short = [
        each["id"]
        for each in report["clauses"]
        if each["level"] == Level.MUST and each["outcome"] != ClauseOutcome.PASSED
    ]
    if short:
        more = f" and {len(short) - 5} more" if len(short) > 5 else ""
        raise CertificateError(
            f"No certificate: every MUST clause must pass, and these did not: {', '.join(short[:5])}{more}."
        )
    if report["scope"] != WHOLE:
        raise CertificateError("No certificate: the run left clauses out.")
    if report["outcome"] != CONFORMS or report["suite_faults"]:
        raise CertificateError("No certificate: the run does not conform, or the suite itself failed.")
    suite, run = report["suite"], report["run"]
    documents = [
        _descriptor("openapi.yaml", suite["contract_sha256"]),
        _descriptor("clauses.yaml", suite["clauses_sha256"]),
    ]
    files = [_descriptor(name, sha256(_content(directory / name))) for name in (REPORT, TRACE)]
    lists = _lists({each["id"]: each["outcome"] for each in report["clauses"]})
    settings = json_bytes({"suite": suite, "target": report["target"], "run": run})
    return {
        "_type": STATEMENT,
        "subject": [*files, *documents],
        "predicateType": PREDICATE,
        "predicate": {
            "result": _result(lists),
            "configuration": [
                {
                    **_descriptor(SETTINGS, sha256(settings)),
                    "mediaType": "application/json",
                    "content": base64.b64encode(settings).decode("ascii"),
                    "annotations": {
                        "target": report["target"]["base_url"],
                        "suiteVersion": suite["version"],
                        "profile": run["profile"],
                        "seed": run["seed"],
                        "finished": run["finished"],
                    },
                },
                *documents,
            ],
            **lists,
        },
    }


def rejudge(path: Path) -> tuple[Mapping[str, str], str]:
    """The outcome of each clause derived from a trace alone, and the trace's digest.

    :raises CertificateError: if the trace is incomplete or altered, or covers only a part of the clauses.
    """
    try:
        trace = read_trace(path)
        return judged_again(trace), trace.digest
    except (TraceError, NothingProvedError) as error:
        raise CertificateError(str(error)) from error


def verify(path: Path, again: Callable[[Path], tuple[Mapping[str, str], str]] = rejudge) -> list[str]:
    """The problems of a certificate, as sentences; empty if it is valid.

    Everything is recomputed from the files next to it and from this installation's contract and clauses. Who
    issued it can be established only by a signature.

    :param again: judges the trace, as :func:`rejudge` does.
    """
    try:
        document = json.loads(path.read_bytes())
        if (document["_type"], document["predicateType"]) != (STATEMENT, PREDICATE):
            return [f"{path.name} is not an in-toto Statement v1 with a test-result predicate."]
        digests = {str(each["name"]): str(each["digest"]["sha256"]) for each in document["subject"]}
        predicate = document["predicate"]
        [settings] = [each for each in predicate["configuration"] if each.get("name") == SETTINGS]
        content = base64.b64decode(settings["content"], validate=True)
        claims = {
            "settings": dict(json.loads(content)),
            "trace_digest": dict(json.loads(content))["run"]["trace_digest"],
            "settings_sha256": settings["digest"]["sha256"],
            "result": predicate["result"],
            "lists": {each: sorted(predicate[each]) for each in _lists({})},
        }
    except OSError as error:
        return [f"Cannot read {path}: {error.strerror or error}."]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return [f"{path.name} is not a certificate of this suite: it is not valid JSON, or incomplete."]
    problems = _digests(digests, path.parent)
    if claims["settings_sha256"] != sha256(content):
        problems.append("The settings do not match their digest.")
    return problems + _report(claims, path.parent) + _trace(claims, path.parent, again)


def _digests(digests: dict[str, str], directory: Path) -> list[str]:
    problems = []
    for name in (REPORT, TRACE, *DOCUMENTS):
        document = name in DOCUMENTS
        if name not in digests:
            problems.append(f"The certificate does not contain a digest of {name}.")
            continue
        try:
            actual = sha256(spec_file(name).read_bytes() if document else _content(directory / name))
        except CertificateError as error:
            problems.append(str(error))
            continue
        if digests[name] != actual:
            where = (
                "that of this installation: install the version of the suite that issued it"
                if document
                else "the one next to it"
            )
            problems.append(f"The {name} of the certificate is not {where}.")
    return problems


def _report(claims: dict[str, Any], directory: Path) -> list[str]:
    try:
        report = read_report(directory / REPORT)
    except ReportError as error:
        return [str(error)]
    problems = [
        f"The {part} in the certificate differs from {REPORT}."
        for part in ("suite", "target", "run")
        if claims["settings"].get(part) != report.get(part)
    ]
    return problems + _verdict({each["id"]: each["outcome"] for each in report["clauses"]}, claims, REPORT)


def _trace(
    claims: dict[str, Any], directory: Path, again: Callable[[Path], tuple[Mapping[str, str], str]]
) -> list[str]:
    try:
        outcomes, digest = again(directory / TRACE)
    except CertificateError as error:
        return [str(error)]
    problems = []
    if digest != claims["trace_digest"]:
        problems.append("The trace is not from this run: its last digest differs from the report.")
    return problems + _verdict(outcomes, claims, "the re-judged trace")


def _verdict(outcomes: Mapping[str, str], claims: dict[str, Any], source: str) -> list[str]:
    """Compare the outcomes of a source with those in the certificate."""
    problems = [
        f"According to {source}, the MUST clause {each.id} is {outcomes.get(each.id, 'missing')}, not passed."
        for each in load_clauses().clauses
        if each.level is Level.MUST and outcomes.get(each.id) != ClauseOutcome.PASSED
    ]
    lists = _lists(outcomes)
    problems += [
        f"The {each} differ from those of {source}."
        for each in lists
        if sorted(lists[each]) != claims["lists"][each]
    ]
    if claims["result"] != _result(lists):
        problems.append(
            f"The result is {claims['result']}, but according to {source} it is {_result(lists)}."
        )
    return problems


def _lists(outcomes: Mapping[str, str]) -> dict[str, list[str]]:
    """The clauses that passed, and those that failed by severity, in the predicate's terms."""
    should = {each.id for each in load_clauses().clauses if each.level is Level.SHOULD}
    failed = [name for name, outcome in outcomes.items() if outcome == ClauseOutcome.FAILED]
    return {
        "passedTests": [name for name, outcome in outcomes.items() if outcome == ClauseOutcome.PASSED],
        "warnedTests": [name for name in failed if name in should],
        "failedTests": [name for name in failed if name not in should],
    }


def _result(lists: dict[str, list[str]]) -> str:
    return "FAILED" if lists["failedTests"] else "WARNED" if lists["warnedTests"] else "PASSED"


def _descriptor(name: str, digest: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": digest}}


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateError(
            f"Cannot read {path.name} next to the certificate: {error.strerror or error}."
        ) from error
