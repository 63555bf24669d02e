"""certificate.json: an in-toto Statement that a deployment passed, which others can recompute.

Statement: https://in-toto.io/Statement/v1; predicate: https://in-toto.io/attestation/test-result/v0.1.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from animal_conformance.interface.clauses import Level
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.outcome import CONFORMS, SUFFICIENT, WHOLE, few
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.inputs import REPORT_BYTES, digest_of, json_problem, read_at_most
from animal_conformance.record.trace import TraceError, read_trace
from animal_conformance.report.again import report_of_trace
from animal_conformance.report.compare import REPORT, read_report
from animal_conformance.report.files import ReportError, json_bytes, write_whole
from animal_conformance.report.report import FORMAT, sha256
from animal_conformance.report.templating import asset, policy, render
from animal_conformance.report.words import OUTCOME_WORDS, VERDICT_WORDS, levels_kept

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "https://in-toto.io/attestation/test-result/v0.1"
FILE: Final = "certificate.json"
TRACE: Final = "trace.ndjson"
PAGE: Final = "report.html"
FILES: Final = (REPORT, TRACE, PAGE)
# The documents that a verdict rests on, and where the suite has them.
DOCUMENTS: Final = ("openapi.yaml", "clauses.yaml")
SETTINGS: Final = "settings"
# The position of a value in a list, at the end of its path.
PLACE: Final = re.compile(r"\.\d+$")


class CertificateError(Exception):
    """No certificate can be issued or verified; the message is a sentence."""


def write_certificate(report: dict[str, Any], directory: Path) -> Path:
    """Write the certificate of a run next to its report and trace.

    :raises CertificateError: if a MUST clause neither passed nor was inapplicable or excused, or the report or trace is
        missing.
    :raises ReportError: if it cannot be written.
    """
    return write_whole(directory / FILE, json_bytes(statement(report, directory)))


def statement(report: dict[str, Any], directory: Path) -> dict[str, Any]:
    """The statement about a run whose report and trace are in a directory.

    :raises CertificateError: as :func:`write_certificate`.
    """
    short = [each["id"] for each in report["clauses"] if each["level"] == Level.MUST and not _suffices(each)]
    if short:
        raise CertificateError(
            "No certificate: every MUST clause must pass, be inapplicable or be excused, and these did not: "
            f"{few(short)}."
        )
    if report["scope"] != WHOLE:
        raise CertificateError(
            "No certificate: by its user's choice, the run left clauses out or undetermined."
        )
    if report["outcome"] != CONFORMS or report["suite_faults"]:
        raise CertificateError("No certificate: the run does not conform, or the suite itself failed.")
    suite, run = report["suite"], report["run"]
    documents = [
        _descriptor("openapi.yaml", suite["contract_sha256"]),
        _descriptor("clauses.yaml", suite["clauses_sha256"]),
    ]
    files = [_descriptor(name, _digest(directory / name)) for name in FILES]
    lists = _lists(report["clauses"])
    settings = json_bytes({"suite": suite, "target": report["target"], "run": run})
    return {
        "_type": STATEMENT,
        "subject": [*files, *documents],
        "predicateType": PREDICATE,
        "predicate": {
            "result": "FAILED" if lists["failedTests"] else "WARNED" if lists["warnedTests"] else "PASSED",
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
            "excusedTests": _untold(report["clauses"]),
        },
    }


def verify(path: Path) -> list[str]:
    """What is wrong with a certificate, in sentences; empty if it is valid.

    Judging the trace beside it again has to give the report, and the report and the other files have to give every
    field of the certificate. Only a signature can show who made it.
    """
    try:
        document = json.loads(read_at_most(path, REPORT_BYTES))
    except OSError as error:
        return [f"Cannot read {path}: {error.strerror or error}."]
    except (ValueError, RecursionError) as error:
        return [f"{path.name} is not a certificate: {json_problem(error)}."]
    if isinstance(document, dict) and document.get("format") == FORMAT:
        return [f"{path.name} is a report: a certificate is in {FILE} beside it, if the run was certified."]
    try:
        kinds = document["_type"], document["predicateType"]
        digests = {str(each["name"]): str(each["digest"]["sha256"]) for each in document["subject"]}
    except KeyError as error:
        return [f"{path.name} is not a certificate of this suite: it lacks {error.args[0]}."]
    except TypeError:
        return [f"{path.name} is not a certificate of this suite: it is not an object as a run writes it."]
    if kinds != (STATEMENT, PREDICATE):
        return [f"{path.name} is not an in-toto Statement v1 with a test-result predicate."]
    actual, unread = _digests_of_files(path.parent)
    if unread:
        return unread
    problems = _digests(digests, actual)
    try:
        problems += _fields(document, path.parent)
    except RecursionError:
        return [f"{path.name} is not a certificate of this suite: it is nested too deeply."]
    try:
        return problems + _trace(path.parent)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return [*problems, f"{TRACE} next to {path.name} is not a trace as a run writes it."]


def shown(path: Path) -> list[tuple[str, str]]:
    """What a valid certificate says: each statement with its label."""
    report = read_report(path.parent / REPORT)
    target, run = report["target"], report["run"]
    lists = _lists(report["clauses"])
    must = [
        each["id"]
        for each in report["clauses"]
        if each["level"] == Level.MUST and each["outcome"] == ClauseOutcome.PASSED
    ]
    return [
        ("deployment", ", ".join(filter(None, (target["name"], target["base_url"])))),
        ("judged", f"{run['started']} to {run['finished']}, {run['profile']} profile, seed {run['seed']}"),
        ("verdict", f"{VERDICT_WORDS[report['outcome']]}: {report['reason']}"),
        ("passed", ", ".join(must)),
        ("warnings", ", ".join(lists["warnedTests"]) or "none"),
        *(
            [("excused", f"{each['name']}: {each['why']}") for each in _untold(report["clauses"])]
            or [("excused", "nothing")]
        ),
    ]


@dataclass(frozen=True)
class Certified:
    """A certificate of a list: its place, relative to the list, and what is wrong with it, or else its report."""

    place: str
    problems: tuple[str, ...]
    report: dict[str, Any] | None

    @property
    def name(self) -> str:
        """The deployment; for a certificate that is not valid, its place."""
        target = self.report["target"] if self.report else {}
        return target.get("name") or target.get("base_url") or self.place


def certificates(directory: Path) -> list[Certified]:
    """Every certificate in a directory and below it, verified; sorted by name, and for each name the latest first."""
    found = []
    for path in sorted(directory.rglob(FILE)):
        problems = tuple(verify(path))
        report = None if problems else read_report(path.with_name(REPORT))
        found.append(Certified(path.parent.relative_to(directory).as_posix(), problems, report))
    found.sort(key=lambda each: each.report["run"]["finished"] if each.report else "", reverse=True)
    return sorted(found, key=lambda each: each.name)


def index_page(found: list[Certified]) -> bytes:
    """A list of certificates as a page, under the same rules as report.html."""
    style = asset("report.css")
    page = render(
        "certificates.html.j2",
        valid=[each for each in found if not each.problems],
        invalid=[each for each in found if each.problems],
        levels={each.place: levels_kept(each.report) for each in found if each.report},
        link=quote,
        style=style,
        policy=policy(style),
    )
    return page.encode("utf-8", "backslashreplace")


def _digests_of_files(directory: Path) -> tuple[dict[str, str], list[str]]:
    """The digest of each file next to a certificate, and a sentence for each file that cannot be read."""
    actual, unread = {}, []
    for name in FILES:
        try:
            actual[name] = _digest(directory / name)
        except CertificateError as error:
            unread.append(str(error))
    return actual, unread


def _digests(digests: dict[str, str], actual: dict[str, str]) -> list[str]:
    """A sentence for each digest of a certificate that does not match the file next to it, or the document of this installation."""
    problems = []
    for name in (*FILES, *DOCUMENTS):
        document = name in DOCUMENTS
        if name not in digests:
            problems.append(f"The certificate does not contain a digest of {name}.")
            continue
        if digests[name] != (sha256(spec_file(name).read_bytes()) if document else actual[name]):
            where = (
                "that of this installation: install the version of the suite that issued it"
                if document
                else "the one next to it"
            )
            problems.append(f"The {name} of the certificate is not {where}.")
    return problems


def _fields(document: dict[str, Any], directory: Path) -> list[str]:
    """A sentence for each field of a certificate that differs from what the report and the other files give."""
    try:
        right = statement(read_report(directory / REPORT), directory)
    except (CertificateError, ReportError) as error:
        return [str(error)]
    claimed, computed = dict(_leaves(document)), dict(_leaves(right))
    # A wrong digest of a file has already been reported.
    names = {
        name
        for name in claimed.keys() | computed.keys()
        if not (name.startswith("subject.") and name.endswith(".sha256"))
    }
    wrong = [name for name in sorted(names) if claimed.get(name) != computed.get(name)]
    # An additional or missing entry moves all entries after it, so only the list is named.
    parts = dict.fromkeys(PLACE.sub("", name) for name in wrong)
    return [f"Its {name} is not what {REPORT} gives." for name in parts]


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Each value of a document with its path; an empty list or object is a value too."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, each in members:
        yield from _leaves(each, f"{name}.{key}".removeprefix("."))
    if not members:
        yield name, json.dumps(value)


def _trace(directory: Path) -> list[str]:
    """A sentence for each part of the report that differs from what judging its trace again gives."""
    try:
        report, trace = read_report(directory / REPORT), read_trace(directory / TRACE)
    except (ReportError, TraceError) as error:
        return [str(error)]
    if trace.damage or not trace.whole:
        return [trace.damage or "The trace is truncated: its closing record is missing."]
    # The trace says which installation judged; this is another one, with the same contract and clauses.
    # Known failures are not a part of the verdict.
    again = {**report_of_trace(trace), "suite": trace.header.get("suite"), "gate": report.get("gate")}
    given = json.loads(json_bytes(again))
    short = [
        f"Judged again from its trace, the MUST clause {each['id']} is: {OUTCOME_WORDS[ClauseOutcome(each['outcome'])]}, not: passed."
        for each in given["clauses"]
        if each["level"] == Level.MUST and not _suffices(each)
    ]
    return short + [
        f"The field {part} of {REPORT} is not what its trace gives."
        for part in sorted(report.keys() | given.keys())
        if report.get(part) != given.get(part)
    ]


def _suffices(clause: dict[str, Any]) -> bool:
    """Whether a MUST clause allows a certificate: it passed, was inapplicable, or is excused."""
    return clause["outcome"] in SUFFICIENT or clause.get("excuse") is not None


def _lists(clauses: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The clauses that passed, and those that failed by severity, in the predicate's terms."""

    def ids(outcome: ClauseOutcome, *levels: Level) -> list[str]:
        return [each["id"] for each in clauses if each["outcome"] == outcome and each["level"] in levels]

    return {
        "passedTests": ids(ClauseOutcome.PASSED, *Level),
        "warnedTests": ids(ClauseOutcome.FAILED, Level.SHOULD),
        "failedTests": ids(ClauseOutcome.FAILED, Level.MUST),
    }


def _untold(clauses: list[dict[str, Any]]) -> list[dict[str, str]]:
    """The MUST clauses that did not pass and did not need to, each with the circumstance and why."""
    return [
        {
            "name": each["id"],
            "circumstance": each["excuse"]["id"] if each.get("excuse") else each["outcome"],
            "why": each["excuse"]["sentence"] if each.get("excuse") else each["why"],
        }
        for each in clauses
        if each["level"] == Level.MUST and each["outcome"] != ClauseOutcome.PASSED and _suffices(each)
    ]


def _descriptor(name: str, digest: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": digest}}


def _digest(path: Path) -> str:
    try:
        return digest_of(path)
    except OSError as error:
        raise CertificateError(
            f"Cannot read {path.name} next to the certificate: {error.strerror or error}."
        ) from error
