"""The simulated clock: waiting takes no time, and everything that asks is told the same."""

from __future__ import annotations

import asyncio
import time

import pytest

from selftests.catalogue.clock import BEGINNING, simulated


def test_who_waits_for_an_hour_is_told_that_an_hour_has_passed() -> None:
    """By the loop, by the monotonic clock and by the wall clock."""

    async def wait() -> list[float]:
        clocks = (asyncio.get_running_loop().time, time.monotonic, time.time)
        before = [clock() for clock in clocks]
        await asyncio.sleep(3600)
        return [clock() - earlier for clock, earlier in zip(clocks, before, strict=True)]

    before = time.monotonic()
    assert simulated(wait()) == pytest.approx([3600] * 3, abs=0.001)
    assert time.monotonic() - before < 60


def test_work_that_waits_at_the_same_time_goes_on_in_the_order_of_its_ends() -> None:
    """As on a real clock, and at the time that it was to go on."""
    ended = []

    async def wait(seconds: float) -> None:
        await asyncio.sleep(seconds)
        ended.append((seconds, time.time() - BEGINNING))

    async def together() -> None:
        await asyncio.gather(*map(wait, (3, 1, 2)))

    simulated(together())
    assert [seconds for seconds, _ in ended] == [1, 2, 3]
    assert [at for _, at in ended] == pytest.approx([1, 2, 3], abs=0.001)


def test_two_readings_are_never_the_same() -> None:
    """What is asked after an answer is known to be so."""

    async def read() -> tuple[float, float]:
        return time.monotonic(), time.monotonic()

    first, second = simulated(read())
    assert first < second


def test_waiting_for_what_never_happens_is_an_error() -> None:
    """Where a real loop would wait for ever."""

    async def wait() -> None:
        await asyncio.Event().wait()

    with pytest.raises(RuntimeError, match="nothing will ever happen"):
        simulated(wait())


def test_the_clocks_of_the_process_are_its_own_again() -> None:
    """Also where the work has failed."""
    clocks = time.time, time.monotonic

    async def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        simulated(fail())
    assert (time.time, time.monotonic) == clocks
