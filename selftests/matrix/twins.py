"""Twins: for each lawful explanation, a deployment that it explains and a fault that looks like it until an experiment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from selftests.matrix.cases import MatrixCase
from selftests.matrix.result import Result
from selftests.matrix.table import complaint


class Twins(NamedTuple):
    """An id of spec/explanations.yaml, and the names of a permitted variant and of a fault."""

    explanation: str
    variant: str
    fault: str


TWINS: Final = tuple(
    Twins(explanation, *names)
    for explanation, pairs in {
        "lagging": (
            ("lag.list", "list.behind"),
            ("lag.get", "get.lost.created"),
            ("lag.replica", "gone.one-replica"),
        ),
        "withdrawn": (
            ("gone.kept-forty", "gone.listed-first"),
            ("gone.archived", "get.lost.sold"),
            ("gone.fixtures", "gone.listed"),
            ("gone.kept-five", "create.lost-now-and-then"),
            ("gone.held", "get.lost.seldom"),
        ),
        "edited": (
            ("edited.names", "changed.got-old"),
            ("edited.indexed", "changed.listed-old"),
            ("edited.categories", "changed.replica"),
            ("edited.now-and-then", "changed.cleaned"),
            ("edited.aged", "changed.aged"),
            ("edited.undone", "changed.now-and-then"),
            ("index.composed", "index.lower-case"),
        ),
        "moved": (
            ("moved.soon", "changed.listed-available"),
            ("moved.indexed", "status.old-node"),
            ("moved.young", "changed.read.omitted"),
        ),
        "cached": (
            ("cached.said", "cached.outlived"),
            ("lists.stored", "list.stored.forever"),
            ("lists.stored.hour", "list.lost.dated"),
            ("answers.stored.day", "get.lost.stored-sold"),
        ),
        "capped": (
            ("pages.fifty", "list.lost.later"),
            ("pages.pending-five", "filter.pending.empty"),
            ("pages.oldest", "list.lost.newest"),
            ("pages.scan-then-filter", "filter.lost.later"),
            ("pages.selected", "list.lost.full"),
            ("order.popular.newest", "list.lost.full.random"),
            ("order.stated-first.forty", "list.lost.unstated"),
            ("pages.lowered", "list.lost.rebuilt"),
            ("pages.thinned", "list.lost.thinned"),
            ("pages.default-ten", "list.bare.pending"),
        ),
        "sampled": (("pages.chosen", "list.stored.workers"), ("pages.timeboxed", "list.blank")),
        "unlisted": (("unlisted.corners", "unlisted.large"), ("ids.signed", "unlisted.below-zero")),
        "copied": (
            ("copied.import", "create.twice"),
            ("copied.elsewhere", "create.twice.upper"),
            ("copied.pending", "create.twice.draft"),
        ),
        "taken": (("names.unique", "quota.sold-none"), ("names.near-duplicates", "create.once-more")),
        "unwelcome": (
            ("quota.second", "create.one-of-three"),
            ("quota.all", "quota.sold-never"),
            ("categories.closed", "create.after-missing"),
            ("names.no-attacks", "away.403-markup"),
            ("names.16-bit", "client.escaped-pair"),
        ),
        "outage": (
            ("outage.502", "away.502-limit"),
            ("outage.504", "away.504-sometimes"),
            ("outage.rolling", "away.502-crash"),
        ),
        "throttled": (
            ("shed.invalid", "away.503-limit"),
            ("idle.408", "away.408-limit"),
            ("locked-out.429", "auth.scheme.503"),
        ),
        "oversized": (
            ("fields.history", "http.history.sometimes"),
            ("fields.history", "http.log.sometimes"),
        ),
    }.items()
    for names in pairs
)

NAMES: Final = frozenset(name for each in TWINS for name in each[1:])


def table(cases: Iterable[MatrixCase], results: Sequence[Result]) -> str:
    """The twins as part of a page: in how many runs each was judged rightly, and whether findings exclude the explanation."""
    by_name: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_name[result.name].append(result)
    of = {each.name: each for each in cases}
    lines = [
        "",
        "# Twins",
        "",
        "| explanation | lawful | right | fault | right | findings exclude it |",
        "|---|---|---|---|---|---|",
    ]
    for explanation, *names in TWINS:
        if not all(name in of and by_name[name] for name in names):
            continue
        variant, fault = names
        right = {name: _right(of[name], by_name[name]) for name in names}
        excluded = any(explanation in each.excluded for each in by_name[fault])
        lines.append(
            f"| {explanation} | {variant} | {right[variant]} | {fault} | {right[fault]} | {'yes' if excluded else 'no'} |"
        )
    return "\n".join([*lines, ""])


def _right(case: MatrixCase, results: Sequence[Result]) -> str:
    return f"{sum(not complaint(case, each) for each in results)}/{len(results)}"
