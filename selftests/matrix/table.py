"""The matrix as a table, and what is wrong in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from selftests.matrix.cases import MatrixCase
from selftests.matrix.kept import REASONS
from selftests.matrix.result import Result

# A fault that shows only now and then need not be found by every seed.
FOUND_AT_LEAST = {1: 1.0, 2: 1.0, 3: 1.0, 4: 0.9}


def complaint(case: MatrixCase, result: Result) -> str:
    """What is wrong with a result; empty if nothing is."""
    if result.outcome in {"crashed", "no-report", "not-started"} or result.suite_faults:
        return f"{result.outcome}: {result.reason} {' '.join(result.suite_faults)[:300]}"
    if result.judged_again:
        return f"judged again from its trace, it differs: {result.judged_again}"
    failed = frozenset(result.failed)
    if case.kind == "null":
        return "green" if result.outcome == "conforms" else ""
    if not case.must:
        wrong = failed - case.may
        lawful = {"conforms", "could-not-judge"} if case.kind == "oddity" else {"conforms"}
        if wrong or result.outcome not in lawful:
            return f"false alarm: {result.outcome}: {', '.join(sorted(wrong)) or result.reason}"
        return ""
    missing, extra = case.must - failed, failed - case.must - case.may
    parts = []
    if missing and result.profile != "smoke":
        parts.append(f"not found: {', '.join(sorted(missing))}")
    if extra:
        parts.append(f"wrong clause: {', '.join(sorted(extra))}")
    return "; ".join(parts)


def verdicts(cases: Iterable[MatrixCase], results: Iterable[Result]) -> dict[str, list[str]]:
    """The complaints by case, without those on faults that were missed no more often than their depth allows."""
    by_name: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_name[result.name].append(result)
    found: dict[str, list[str]] = {}
    for case in cases:
        mine = [each for each in by_name[case.name] if each.profile == case.profile or complaint(case, each)]
        complaints = [text for each in mine if (text := complaint(case, each))]
        missed = [text for text in complaints if text.startswith("not found") and "wrong" not in text]
        if (
            len(missed) == len(complaints)
            and mine
            and 1 - len(missed) / len(mine) >= FOUND_AT_LEAST.get(case.depth, 1.0)
        ):
            complaints = []
        if complaints or not mine:
            found[case.name] = complaints or ["never ran"]
    return found


def alone(cases: Iterable[MatrixCase], results: Iterable[Result]) -> list[tuple[str, int]]:
    """The drivers of runs against faults, except smoke runs, with how many faults each found alone; the most useful first."""
    broken = {case.name for case in cases if case.must}
    of_faults = [each for each in results if each.name in broken and each.profile != "smoke"]
    count = Counter(driver for each in of_faults for driver in each.alone)
    drivers = {driver for each in of_faults for driver in each.drivers}
    return sorted(((each, count[each]) for each in drivers), key=lambda each: (-each[1], each[0]))


def reason_of(driver: str) -> str:
    """Why a driver is kept that finds nothing alone; empty if there is no reason."""
    return REASONS.get(driver.partition("[")[0], "")


def markdown(cases: Sequence[MatrixCase], results: Sequence[Result], how: str) -> str:
    """The matrix as a page: how every fault was found, which drivers alone found one, and that nothing lawful failed.

    :param how: a sentence on how the matrix was made.
    """
    by_name: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_name[result.name].append(result)
    lines = ["# The kill matrix", "", how, ""]
    broken = [case for case in cases if case.must]
    if broken:
        lines += [
            "| fault or program | breaks | depth | found | in smoke | all as it has to be |",
            "|---|---|---|---|---|---|",
        ]
    for case in broken:
        mine = by_name[case.name]
        standard = [each for each in mine if each.profile == case.profile]
        smoke = [each for each in mine if each.profile != case.profile]
        found = sum(case.must <= set(each.failed) for each in standard)
        in_smoke = "" if not smoke else "yes" if case.must <= set(smoke[0].failed) else "no"
        wrong = "; ".join(dict.fromkeys(text for each in mine if (text := complaint(case, each))))
        lines.append(
            f"| {case.name} | {', '.join(sorted(case.must))} | {case.depth} | {found}/{len(standard)} | {in_smoke} | {wrong or 'yes'} |"
        )
    lines += [
        "",
        "| driver | faults that it alone finds | why it stays nevertheless |",
        "|---|---|---|",
        *(
            f"| {each} | {count} | {'' if count else reason_of(each)} |"
            for each, count in alone(cases, results)
        ),
    ]
    lines += [
        "",
        "| deployment | kind | outcome | MUST passed | cannot be told | false alarms |",
        "|---|---|---|---|---|---|",
    ]
    for case in (case for case in cases if not case.must):
        for each in by_name[case.name][:1]:
            alarms = (
                "none"
                if case.kind == "null"
                else "; ".join(filter(None, (complaint(case, r) for r in by_name[case.name]))) or "none"
            )
            lines.append(
                f"| {case.name} | {case.kind} | {each.outcome} | {len(each.passed)} | {', '.join(each.untold) or 'none'} | {alarms} |"
            )
    return "\n".join([*lines, ""])
