"""The files of a run, each written atomically."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from animal_conformance.judge.outcome import PARTIAL
from animal_conformance.record.exchange import Exchange
from animal_conformance.report.safe_text import well_formed

# Characters that JSON may contain verbatim, but that would affect a terminal when the file is printed: the second
# set of control characters, and everything that is invisible or changes the text direction.
ACTIVE: Final = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")


LONGEST_FAULT: Final = 500


class ReportError(Exception):
    """A report cannot be written or read; the message is a sentence for the user."""


def write_reports(report: dict[str, Any], exchanges: Sequence[Exchange], directory: Path) -> list[Path]:
    """Write every report of a run next to its trace.

    A report that cannot be generated is a fault in the suite, recorded in conformance.json; the others are
    still written.

    :returns: the files, in the order in which they were written.
    :raises ReportError: if one cannot be written; the others still are.
    """
    from animal_conformance.report import formats  # noqa: PLC0415 - nothing waits for them before a run begins

    clean = well_formed(report)
    renderings: dict[str, Callable[[BinaryIO], object]] = {
        "junit.xml": lambda file: file.write(formats.junit_xml(clean)),
        "report.html": lambda file: file.write(formats.html_page(clean, exchanges)),
        "summary.md": lambda file: file.write(formats.summary(clean).encode("utf-8")),
        "badge.svg": lambda file: file.write(formats.badge_svg(clean)),
        "trace.har": lambda file: formats.write_har(clean, exchanges, file),
        "ctrf-report.json": lambda file: file.write(json_bytes(formats.ctrf_report(clean))),
        "conformance.json": lambda file: file.write(json_bytes(clean)),
    }
    if clean["scope"] == PARTIAL:
        # A badge could not say what was left out; and the badge of an earlier run must not remain either.
        del renderings["badge.svg"]
    written: list[Path] = []
    problems: list[ReportError] = []
    outdated = [] if "badge.svg" in renderings else ["badge.svg"]
    for name, render in renderings.items():
        try:
            written.append(_write(directory / name, render))
        except ReportError as error:
            problems.append(error)
        except Exception as error:  # noqa: BLE001 - any exception here is a fault in the suite
            for faulty in (report, clean):
                faulty["suite_faults"].append(
                    f"report {name}: {type(error).__name__}: {error}"[:LONGEST_FAULT]
                )
            outdated.append(name)  # the file of an earlier run must not remain
    for name in outdated:
        try:
            remove(directory / name)
        except ReportError as error:
            problems.append(error)
    if problems:
        raise ReportError(f"{problems[0]} {written_words(written)}".strip())
    return written


def written_words(written: Sequence[Path]) -> str:
    """A sentence that names the reports that were written although another one was not; empty if there are none."""
    return f"These were written: {', '.join(map(str, written))}." if written else ""


def json_bytes(value: Any) -> bytes:
    """A JSON value as the bytes of a file that is also safe for people to print."""
    text = json.dumps(well_formed(value), indent=2, ensure_ascii=False)
    safe = ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f"{safe}\n".encode()


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file so that a partial file never exists under its name.

    :raises ReportError: if it cannot be written; an existing file is then unchanged.
    """
    return _write(path, lambda file: file.write(content))


def remove(path: Path) -> None:
    """Remove a file, if there is one.

    :raises ReportError: if it cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ReportError(
            f"Cannot remove {path.name} from {path.parent}: {reason}. Remove it, or choose another directory with --report-dir."
        ) from error


def _write(path: Path, render: Callable[[BinaryIO], object]) -> Path:
    # Not created with tempfile, since only their owner can read its files.
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            # A device or a pipe is written to directly: replacing it would put a file in its place.
            with path.open("wb") as file:
                render(file)
            return path
        try:
            with beside.open("wb") as file:
                render(file)
            os.replace(beside, path)  # noqa: PTH105 - as documented to be atomic
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ReportError(
            f"Cannot write {path.name} to {path.parent}: {reason}. Choose another directory with --report-dir."
        ) from error
    return path
