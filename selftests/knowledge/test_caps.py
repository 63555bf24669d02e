"""caps.py: whether the cap of a query was lowered in the course of a trace."""

from __future__ import annotations

from typing import Any

from animal_conformance.judge.knowledge.caps import Cap, cap_since, unasked
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, got, ledger_of, listing, lost
from selftests.knowledge.pages import made
from selftests.tables import cases

OTHERS = animals(30, 100)
CUT = [animal(2), *OTHERS[:19]]


def whole(shown: list[dict[str, Any]], at: float, limit: int = 100) -> Exchange:
    """A list."""
    return listing(shown, limit=limit, at=at)


def cut(at: float) -> Exchange:
    """What a list shows from a time on: 20, the second of the run among them and not the first."""
    return whole(CUT, at)


def there(animal_id: int, at: float) -> Exchange:
    """GetPet finds an animal."""
    return got(animal_id, animal(animal_id), at=at)


LONG, MADE, MORE = whole(OTHERS, 0.1), [made(1, 0.5), made(2, 0.6)], made(3, 6.0)
TRACE = [LONG, *MADE, cut(5.0), MORE, there(129, 6.5), cut(10.0)]
OLD = [animal(1), *OTHERS[:10]]


def cap_of(trace: list[Exchange], at: int = -1) -> Cap:
    """What is known of the cap before one of the largest lists of a trace."""
    ledger = ledger_of(*trace)
    pages = [each for each in ledger.completeness.pages if each.limit == 100 and each.status is None]
    return cap_since(ledger, pages[at])


def test_a_query_that_stays_shorter_than_it_was_whatever_is_added_is_cut_from_then_on() -> None:
    """Pages from before then are not."""
    assert [Cap.SAME, Cap.LOWERED, Cap.LOWERED] == [cap_of(TRACE, at) for at in range(3)]


@cases(
    ("trace", "cap"),
    {
        "nothing was added": ([*TRACE[:4], *TRACE[5:]], Cap.MAYBE),
        "what it shows no longer may be gone": ([*TRACE[:5], *TRACE[6:]], Cap.MAYBE),
        "what was added may be late": ([*TRACE[:-1], cut(8.0)], Cap.MAYBE),
        "it was never longer": ([*MADE, *TRACE[3:]], Cap.SAME),
        "it has grown": ([*TRACE, whole([*CUT, animal(3)], 11.0)], Cap.SAME),
        "it is longer again": ([*TRACE, whole(OTHERS, 11.0)], Cap.SAME),
        "it is shorter still": ([*TRACE, whole([animal(2), *OTHERS[:9]], 11.0)], Cap.MAYBE),
        "a smaller limit shows more": ([*TRACE, whole(OTHERS[:25], 11.0, 99)], Cap.SAME),
        "a smaller limit shows as many": ([*TRACE, whole(OTHERS[:20], 11.0, 99)], Cap.LOWERED),
        "what it shows no longer is gone": (
            [*TRACE[:5], *(lost(each, at=6.5) for each in (129, 128, 127)), *TRACE[6:]],
            Cap.SAME,
        ),
    },
)
def test_what_tells_whether_a_cap_was_lowered(trace: list[Exchange], cap: Cap) -> None:
    """Growth, and what becomes of the animals that it shows no longer."""
    assert cap is cap_of(trace)


@cases(
    ("later", "cap"),
    {
        "nothing newer": ([], Cap.SAME),
        "a new animal in another list": ([whole([animal(3)], 11.0, 1)], Cap.LOWERED),
        "an old one in another list": ([whole([animal(1)], 11.0, 1)], Cap.SAME),
    },
)
def test_a_page_that_shows_nothing_newer_than_what_it_lacks_may_be_of_the_past(
    later: list[Exchange], cap: Cap
) -> None:
    """It is no page that was cut, unless another list has shown newer ones since."""
    before = [made(1, 0.1), whole([animal(1), *OTHERS], 0.2)]
    kept = [whole(OLD, 5.0), made(3, 6.0), there(129, 6.5), whole(OLD, 10.0)]
    assert cap is cap_of([*before, *kept, *later])
    assert Cap.SAME is cap_of([before[0], whole(OLD, 0.15), before[1], *kept, *later])


def test_of_what_a_query_shows_no_longer_a_few_are_asked_for() -> None:
    """The last ones, unless they have been."""
    ledger = ledger_of(*TRACE)
    assert [128, 127, 126] == unasked(ledger, ledger.completeness.pages[-1])
