"""The latest exchanges of a run are in memory, the others are read from the trace again."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange
from animal_conformance.record.shelf import BYTES_OF_AN_EXCHANGE, Shelf
from animal_conformance.record.trace import TraceWriter
from selftests.exchanges import TERMS, created, got, listing, unanswered

EXCHANGES = [listing(at=0.1), created(at=0.2), got(1, at=1 / 3), unanswered(listing(), at=0.4)]


def kept(path: Path, bytes_in_memory: int) -> list[Exchange]:
    """Some exchanges, as a run keeps them."""
    with TraceWriter(path, TERMS, {}) as writer:
        shelf = Shelf(path, bytes_in_memory)
        return [shelf.keep(each, writer.write(each)) for each in EXCHANGES]


def test_what_is_read_again_is_what_was_recorded(tmp_path: Path) -> None:
    """Request, response, failure, number and times."""
    for each, was in zip(kept(tmp_path / "trace", 0), EXCHANGES, strict=True):
        assert (was.request, was.response, was.failure) == (each.request, each.response, each.failure)
        assert (was.sequence, was.step, was.sent_s, was.answered_s) == (
            each.sequence,
            each.step,
            each.sent_s,
            each.answered_s,
        )
        assert was.as_record() == each.as_record()


def test_only_what_no_longer_has_room_is_read_again(tmp_path: Path) -> None:
    """The earliest ones."""
    exchanges = kept(tmp_path / "trace", 3 * 2048)
    (tmp_path / "trace").write_text("nothing")
    assert [each.response for each in EXCHANGES[-2:]] == [each.response for each in exchanges[-2:]]


def test_large_exchanges_that_are_read_again_do_not_pile_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as fit stay in memory, whatever their number."""
    monkeypatch.setattr("animal_conformance.record.shelf.BYTES_READ_AGAIN", 2 * 2048 + 500)
    exchanges = kept(tmp_path / "trace", 0)
    for each in exchanges:
        assert each.response == each.response, "read twice, or once and kept"
    (tmp_path / "trace").write_text("")
    with pytest.raises(ValueError):  # noqa: PT011 - of the JSON parser, whatever it says
        _ = exchanges[0].response
    assert exchanges[-1].failure is not None, "the last one is still there"


def test_a_list_that_was_learned_takes_no_memory_for_its_response(tmp_path: Path) -> None:
    """A deep run has tens of thousands of them."""
    with TraceWriter(tmp_path / "trace", TERMS, {}) as writer:
        exchange, ledger = listing(at=0.1), Ledger(TERMS)
        assert exchange.response is not None
        response = weakref.ref(exchange.response)
        shelf = Shelf(tmp_path / "trace", BYTES_OF_AN_EXCHANGE + len(exchange.response.body))
        ledger.learn(shelf.keep(exchange, writer.write(exchange)))
        shelf.keep(other := got(1, at=0.2), writer.write(other))
        del exchange
        gc.collect()
        assert response() is None
        (page,) = ledger.pages
        assert page.animals.keys() == page.id_set, "read again"
