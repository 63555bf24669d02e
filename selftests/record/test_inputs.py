"""inputs.py: whatever is named as an input, no more of it is read than one of its kind can have."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from animal_conformance.record import inputs
from animal_conformance.record.inputs import TooLargeError, digest_of, lines_of, read_at_most

ENDLESS = Path("/dev/zero")


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    """And one byte more is too much."""
    path = tmp_path / "x"
    path.write_bytes(b"1234")
    assert b"1234" == read_at_most(path, 4)
    with pytest.raises(TooLargeError, match="longer than 0 KB"):
        read_at_most(path, 3)


def test_a_pipe_may_be_named_too() -> None:
    """As shells pass secrets without a file of them."""
    reading, writing = os.pipe()
    os.write(writing, b"secret")
    os.close(writing)
    assert b"secret" == read_at_most(Path(f"/dev/fd/{reading}"), inputs.KEY_BYTES)
    os.close(reading)


@pytest.mark.skipif(not ENDLESS.exists(), reason="There is no endless device.")
@pytest.mark.parametrize(
    "read",
    [lambda path: read_at_most(path, inputs.KEY_BYTES), lambda path: next(lines_of(path)), digest_of],
    ids=("whole", "lines", "digest"),
)
def test_what_has_no_end_is_refused(read: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sentence of the system's kind, so that it stands where others do."""
    monkeypatch.setattr(inputs, "BESIDE_BYTES", 4 * inputs.CHUNK_BYTES)
    with pytest.raises(OSError, match="longer than") as refused:
        read(ENDLESS)
    assert str(refused.value.strerror).startswith("it is longer than")
