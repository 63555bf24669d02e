"""trace.py: what was written is read back, and what was done to it since is seen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from animal_conformance.record.exchange import (
    Credential,
    Exchange,
    Failure,
    FailureKind,
    Request,
    Response,
    Terms,
)
from animal_conformance.record.trace import TraceError, TraceWriter, read_trace
from selftests.record.traces import write_trace

TERMS = Terms("https://a.example/v1", "2026-11-20", 1.5, read_only=True, selected=("list", "get.found"))
HEADER = {"suite": "1.0", "target": {"name": "staging"}}
EXCHANGES = (
    Exchange(
        Request("GET", "/pets?limit=5&status=sold", (("Accept", "*/*"),)),
        Response(200, (("Content-Type", "application/json"), ("X", "1"), ("X", "2")), b"[]", "OK", "1.0"),
        None,
        1,
        1,
        "tests/test_list.py::x",
        0.5,
        0.625,
    ),
    Exchange(
        Request("POST", "/pets", (), '{"name": "\U0001f98a\\ud800\x00"}'.encode(), Credential.WRONG),
        Response(400, (), b"\xff\x00binary"),
        sequence=2,
        sent_s=1.0,
        answered_s=2.0,
    ),
    Exchange(
        Request("GET", "/pets/1"),
        None,
        Failure(FailureKind.RESET, "closed by \u00e9"),
        3,
        1,
        sent_s=2.0,
        answered_s=3.0,
    ),
)


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "trace.ndjson"


@pytest.fixture(name="lines")
def _lines(path: Path) -> list[str]:
    """The lines of a whole trace of three exchanges, the first and the last being its own records."""
    write_trace(path, TERMS, HEADER, EXCHANGES)
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def test_what_was_written_is_read_back(path: Path) -> None:
    """Exchanges, terms, header and digest."""
    digest = write_trace(path, TERMS, HEADER, EXCHANGES)
    trace = read_trace(path)
    assert (EXCHANGES, TERMS, True, "") == (trace.exchanges, trace.terms, trace.whole, trace.damage)
    assert digest == trace.digest
    assert HEADER.items() <= trace.header.items()


def test_the_same_trace_has_the_same_digest(path: Path) -> None:
    """Another has another."""
    first, again = (write_trace(path, TERMS, HEADER, EXCHANGES) for _ in range(2))
    assert first == again
    assert first != write_trace(path, TERMS, HEADER, EXCHANGES[:2])
    assert first != write_trace(path, replace(TERMS, settle_s=9.0), HEADER, EXCHANGES)


def test_every_record_is_on_disk_at_once(path: Path) -> None:
    """A run that is killed leaves what it did."""
    with TraceWriter(path, TERMS, HEADER) as writer:
        writer.write(EXCHANGES[0])
        trace = read_trace(path)
        assert (EXCHANGES[:1], False, "") == (trace.exchanges, trace.whole, trace.damage)


def test_a_run_that_failed_leaves_no_whole_trace(path: Path) -> None:
    """The closing record says that it came to its end."""
    writer = TraceWriter(path, TERMS, HEADER)
    writer.__exit__(RuntimeError, RuntimeError(), None)
    assert not read_trace(path).whole


@pytest.mark.parametrize("kept", [1, 2, 3, 4])
@pytest.mark.parametrize("half", ["", '{"kind": "exch', "{"])
def test_a_trace_that_was_cut_off_is_not_whole(path: Path, lines: list[str], kept: int, half: str) -> None:
    """Between two lines or within one: what was complete is there, and nothing is called damaged."""
    path.write_text("".join(lines[:kept]) + half, encoding="utf-8")
    trace = read_trace(path)
    assert (EXCHANGES[: kept - 1], False, "") == (trace.exchanges, trace.whole, trace.damage)


@pytest.mark.parametrize("line", [2, 3, 4])
def test_a_line_that_was_edited_is_seen(path: Path, lines: list[str], line: int) -> None:
    """Its own digest does not follow any more."""
    record = json.loads(lines[line - 1])
    record["driver"] = "other"
    lines[line - 1] = json.dumps(record, separators=(",", ":")) + "\n"
    path.write_text("".join(lines), encoding="utf-8")
    assert f"Line {line} of the trace does not match" in read_trace(path).damage


def test_terms_that_were_edited_are_seen(path: Path, lines: list[str]) -> None:
    """They decide verdicts as well."""
    lines[0] = lines[0].replace('"settle_s":1.5', '"settle_s":9.5')
    path.write_text("".join(lines), encoding="utf-8")
    assert "Line 1 of the trace" in read_trace(path).damage


@pytest.mark.parametrize(
    ("order", "line"), [((0, 2, 1, 3, 4), 2), ((0, 1, 3, 4), 3), ((0, 2, 3, 4), 2), ((0, 1, 1, 2, 3, 4), 3)]
)
def test_lines_that_were_moved_lost_or_doubled_are_seen(
    path: Path, lines: list[str], order: tuple[int, ...], line: int
) -> None:
    """Each digest covers the one before."""
    path.write_text("".join(lines[each] for each in order), encoding="utf-8")
    assert f"Line {line} of the trace does not match" in read_trace(path).damage


def test_two_traces_in_one_file_are_seen(path: Path, lines: list[str]) -> None:
    """A trace begins once."""
    path.write_text("".join(lines + lines), encoding="utf-8")
    assert read_trace(path).damage


def test_what_follows_the_end_is_seen(path: Path) -> None:
    """Even where its digests do follow."""
    with TraceWriter(path, TERMS, HEADER) as writer:
        writer.write(EXCHANGES[0])
        writer._put({"kind": "end", "exchanges": 1})  # noqa: SLF001 - forging is what is tested
        writer.write(EXCHANGES[1])
        writer._put({"kind": "end", "exchanges": 2})  # noqa: SLF001 - the same
        writer.close(whole=False)
    assert "Line 4 of the trace follows its closing record." == read_trace(path).damage


def test_an_end_that_counts_wrong_is_seen(path: Path) -> None:
    """It says how many exchanges there were."""
    with TraceWriter(path, TERMS, HEADER) as writer:
        writer.write(EXCHANGES[0])
        writer.count = 2
    trace = read_trace(path)
    assert not trace.whole
    assert "as many exchanges" in trace.damage


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "exchange"},
        {"kind": "exchange", **EXCHANGES[0].as_record(), "request": 5},
        {"kind": "exchange", **EXCHANGES[0].as_record(), "response": None},
        {"kind": "exchange", **EXCHANGES[0].as_record(), "failure": {"kind": "reset", "detail": ""}},
        {"kind": "exchange", **EXCHANGES[0].as_record(), "sent_s": None},
        {"kind": "exchange", **EXCHANGES[2].as_record(), "failure": {"kind": "laziness", "detail": ""}},
    ],
)
def test_a_record_that_is_no_exchange_is_seen(path: Path, record: dict[str, object]) -> None:
    """Also one with neither an answer nor a failure, or with both."""
    with TraceWriter(path, TERMS, HEADER) as writer:
        writer._put(record)  # noqa: SLF001 - forging is what is tested
    trace = read_trace(path)
    assert () == trace.exchanges
    assert "Line 2 of the trace is not an exchange." == trace.damage


@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", "{}\n", "[]\n", "text", '{"format": "har"}\n', "\x00"),
        pytest.param("[" * 100_000, id="deep"),
    ],
)
def test_a_file_that_is_no_trace_is_refused(path: Path, text: str) -> None:
    """In a sentence with its name."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TraceError, match="is not a trace of this suite"):
        read_trace(path)


@pytest.mark.parametrize("terms", ["{}", "[]", "5", '{"selected": null}', '{"selected": [], "mood": "good"}'])
def test_a_trace_without_terms_is_refused(path: Path, terms: str) -> None:
    """Without them nothing can be judged."""
    path.write_text(f'{{"format": "animal-conformance-trace/2", "terms": {terms}}}\n', encoding="utf-8")
    with pytest.raises(TraceError, match="does not contain the terms"):
        read_trace(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """Reading and writing."""
    with pytest.raises(TraceError, match=r"Cannot read .*: No such file"):
        read_trace(tmp_path / "none")
    with pytest.raises(TraceError, match=r"Cannot write .*: No such file"):
        TraceWriter(tmp_path / "no" / "trace", TERMS, HEADER)


def test_damage_within_is_not_taken_for_a_cut(path: Path, lines: list[str]) -> None:
    """A line that is no record, and more behind it."""
    lines[2] = "oops\n"
    path.write_text("".join(lines), encoding="utf-8")
    assert "Line 3 of the trace is not a record." == read_trace(path).damage


def test_a_trace_of_another_version_is_told_as_one(path: Path) -> None:
    """It is not blamed for being no trace at all."""
    path.write_text('{"format": "animal-conformance-trace/1", "terms": {}}\n', encoding="utf-8")
    with pytest.raises(TraceError, match="by another version of this suite"):
        read_trace(path)
