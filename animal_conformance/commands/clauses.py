"""`animal-conformance clauses`: each clause, its rule, its drivers, and the faults that verify the rule."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from typing import Any, Final

import click

from animal_conformance.commands.output import say
from animal_conformance.interface.clauses import ClauseList, load_clauses, matches
from animal_conformance.interface.resources import tests_dir
from animal_conformance.judge.case import Rule, plural
from animal_conformance.judge.outcome import few
from animal_conformance.session.flags import CLAUSE

# At most this many drivers and faults of a clause are named.
MOST_NAMED: Final = 4


@click.command(short_help="List the clauses and open questions.")
@click.argument("prefixes", nargs=-1, metavar="[PREFIX]...", type=CLAUSE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--open",
    "with_open",
    is_flag=True,
    help="List only the questions that the interface document leaves open.",
)
def clauses(prefixes: tuple[str, ...], *, as_json: bool, with_open: bool) -> None:
    """List the clauses, or those whose id begins with PREFIX, with source, evidence, rule, drivers and faults."""
    clause_list = load_clauses()
    selected = clause_list.selected(prefixes)
    rows = clause_rows(clause_list)
    chosen = [each for each in rows if each["id"] in selected]
    questions = [
        {"id": each.id, "question": each.question, "source": each.source}
        for each in clause_list.open_questions
    ]
    if as_json:
        circumstances = [{"id": each.id, "sentence": each.sentence} for each in clause_list.circumstances]
        say(json.dumps({"clauses": chosen, "unobservable": circumstances, "open": questions}, indent=2))
        return
    if not with_open:
        for row in chosen:
            _print_clause(row)
        unproven = [each["id"] for each in chosen if not each["faults"]]
        say(
            f"{plural(len(chosen), 'clause')}; "
            + (
                f"no fault verifies: {', '.join(unproven)}."
                if unproven
                else "each is verified by at least one fault."
            )
        )
    if with_open or not prefixes:
        say("\nOpen questions, observed but never judged:\n" if not with_open else "")
        for question in questions:
            say(f"  {question['id']:32} {question['question']} ({question['source']})")


def clause_rows(clause_list: ClauseList) -> list[dict[str, Any]]:
    """Each clause with the place of its rule, its drivers, and the faults that break it."""
    from animal_conformance.judge.rules import RULES  # noqa: PLC0415 - for the sake of help and completion
    from animal_conformance.reference.faults import FAULTS  # noqa: PLC0415 - only this command lists them

    served = list(driver_marks())
    return [
        {
            "id": clause.id,
            "level": clause.level.value,
            "title": clause.title,
            "source": clause.source,
            "evidence": clause.evidence,
            "unobservable": [each.id for each in clause.unobservable],
            "rule": _place(RULES[clause.id]),
            "drivers": [
                driver for driver, prefixes in served if any(matches(clause.id, each) for each in prefixes)
            ],
            "faults": [fault.name for fault in FAULTS.values() if clause.id in fault.clauses],
        }
        for clause in clause_list.clauses
    ]


def _place(rule: Rule) -> str:
    """Where the code of a rule begins: a file of the package, and a line."""
    function = inspect.unwrap(rule)
    return f"{function.__module__.replace('.', '/')}.py:{function.__code__.co_firstlineno}"


def driver_marks() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every driver with the clauses named by its mark, read from the source of tests/."""
    for path in sorted(tests_dir().glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            target.id: ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple)
            for target in node.targets
            if isinstance(target, ast.Name)
            and all(isinstance(each, ast.Constant) for each in node.value.elts)
        }
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{path.name}::{node.name}", tuple(_marked(node, constants))


def _marked(function: ast.FunctionDef, constants: dict[str, Any]) -> Iterator[str]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.clauses":
            for argument in decorator.args:
                if isinstance(argument, ast.Starred):
                    yield from constants[ast.unparse(argument.value)]
                else:
                    yield ast.literal_eval(argument)


def _print_clause(row: dict[str, Any]) -> None:
    say(f"{click.style(row['id'], bold=True)}  {row['level']}")
    say(f"  {row['title']}")
    say(f"  source    {row['source']}")
    say(f"  evidence  {row['evidence']}")
    if row["unobservable"]:
        say(f"  excused   {', '.join(row['unobservable'])}")
    say(f"  rule      {row['rule']}")
    say(f"  drivers   {few(row['drivers'], MOST_NAMED) or 'any'}")
    say(f"  faults    {few(row['faults'], MOST_NAMED) or 'none'}\n")
