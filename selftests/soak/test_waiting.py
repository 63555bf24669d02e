"""Users wait as long as the deployment asks for, and not for more time than there is."""

from __future__ import annotations

import pytest

from animal_conformance.record.exchange import Exchange, Response
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone
from animal_conformance.soak.patience import Patience
from selftests.exchanges import answered, created, listing


def put_off(of: Exchange, seconds: int, *, status: int = 429) -> Exchange:
    """A request that was answered with how long to wait."""
    return answered(of, status, wait=str(seconds))


def patience(end_s: float, told: list[float] | None = None) -> Patience:
    """That of a soak of so many seconds."""
    client = Client("http://127.0.0.1:9/v1", "a key", lambda _: None)
    return Patience(client, 10.0, end_s, (told if told is not None else []).append)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("end_s", "seconds"), [(60.0, 86_400), (60.0, 80), (3600.0, 86_400)])
def test_a_deployment_that_asks_for_more_time_than_there_is_ends_the_soak(
    end_s: float, seconds: int, status: int
) -> None:
    """Nothing would be judged while everybody waits for the end."""
    with pytest.raises(Gone, match=f"a wait of {seconds} s"):
        patience(end_s).heed(put_off(listing(), seconds, status=status))


def test_a_wait_of_a_minute_at_the_end_of_an_hour_is_just_its_end() -> None:
    """What was judged before stays judged."""
    told: list[float] = []
    patient = patience(3600.0, told)
    patient._end_s = 30.0  # noqa: SLF001 - the hour is nearly over
    patient.heed(put_off(listing(), 60))
    assert [True] == [59 < each < 61 for each in told]


def test_a_quota_on_creations_keeps_nobody_from_reading() -> None:
    """No more are created; others do not wait."""
    told: list[float] = []
    patient = patience(60.0, told)
    patient.heed(put_off(created(), 86_400))
    assert ([], 60.0) == (told, patient.create_from_s)


def refused(sent_s: float) -> Exchange:
    """A request that was sent away without being told how long to wait."""
    return answered(listing(), 429, at=sent_s)


def test_a_deployment_that_says_429_without_a_time_is_given_more_of_it_until_it_serves_more_than_it_refuses() -> (
    None
):
    """It must not be hammered; what one moment sends away is one reason to wait, however many it was."""
    told: list[float] = []
    patient = patience(60.0, told)
    now_s = patient._client.now_s()  # noqa: SLF001 - told are times on this clock
    for each in (1.0, 1.0, 1.0, 2.0, 3.0):
        patient.heed(refused(each))
    waits = [each - now_s for each in told]
    assert [0.1, 0.1, 0.1, 0.2, 0.4] == [round(each, 1) for each in waits]
    for _ in range(9):
        patient.hear(Response(200, (), b"[]"))
    patient.heed(refused(4.0))
    assert patient._until_s <= told[-2] + 0.3  # noqa: SLF001 - as above
    assert round(told[-1] - now_s, 1) == pytest.approx(0.2)
