"""spec/clauses.yaml: ids that are permanent, levels, sources, and places in the contract that exist."""

import re
from collections import Counter
from pathlib import Path

import jsonschema_rs
import yaml

from animal_conformance.interface.clauses import Level, load_clauses
from animal_conformance.interface.contract_check import UniqueKeys
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.excuses import RECOGNISED

SNAPSHOT = Path(__file__).parent / "snapshots" / "clauses.txt"
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+")

LIST = load_clauses()


def test_the_file_is_yaml_without_repeated_keys() -> None:
    """Plain YAML would let the second of two equal keys win in silence."""
    document = yaml.load(spec_file("clauses.yaml").read_bytes(), Loader=UniqueKeys)  # noqa: S506 - a SafeLoader
    assert ["clauses", "unobservable", "open", "excluded"] == list(document)


def test_ids_are_unique() -> None:
    """A finding is filed under one id, which names one thing."""
    count = Counter(
        [clause.id for clause in LIST.clauses] + [question.id for question in LIST.open_questions]
    )
    assert [] == [each for each, times in count.items() if times > 1]


def test_ids_are_dotted_words() -> None:
    """Lower case, words joined by hyphens, levels by dots; open questions are told from clauses by their ids."""
    clauses = [clause.id for clause in LIST.clauses]
    questions = [question.id for question in LIST.open_questions]
    assert [] == [each for each in clauses + questions if not ID.fullmatch(each)]
    assert [] == [each for each in clauses if each.startswith("open.")]
    assert [] == [each for each in questions if not each.startswith("open.")]


def test_ids_levels_and_titles_are_those_of_the_snapshot() -> None:
    """An id keeps its meaning for good, so that a change is made here by hand as well, and seen in review."""
    lines = [f"{clause.level} {clause.id}: {clause.title}" for clause in LIST.clauses]
    lines += [f"OPEN {question.id}: {question.question}" for question in LIST.open_questions]
    assert SNAPSHOT.read_text(encoding="utf-8").splitlines() == lines


def test_clauses_are_sentences_with_source_and_evidence() -> None:
    """Each says what is required, who says so, and what would prove it."""
    assert [] == [
        clause.id
        for clause in LIST.clauses
        if not (clause.title.endswith(".") and clause.source.strip() and clause.evidence.endswith("."))
    ]


def test_circumstances_are_sentences_that_a_must_clause_names_and_the_judge_recognises() -> None:
    """Each is there for a clause, and for no other level: what is SHOULD needs no excuse."""
    assert [] == [each.id for each in LIST.circumstances if not each.sentence.endswith(".")]
    named = {each for clause in LIST.clauses for each in clause.unobservable}
    assert set(LIST.circumstances) == named
    assert RECOGNISED.keys() == {each.id for each in named}
    assert {Level.MUST} == {clause.level for clause in LIST.clauses if clause.unobservable}


def test_open_questions_are_questions_with_a_source() -> None:
    """Each says what is observed, and where the document leaves it open."""
    assert [] == [
        question.id
        for question in LIST.open_questions
        if not (question.question.endswith("?") and question.source.strip())
    ]


def test_exclusions_say_why() -> None:
    """A statement that no request can test is listed with its reason."""
    assert LIST.exclusions
    assert [] == [
        each.statement for each in LIST.exclusions if not (each.source.strip() and each.reason.strip())
    ]


def test_places_in_the_contract_exist() -> None:
    """A clause that the contract states as well says where."""
    contract = yaml.safe_load(spec_file("openapi.yaml").read_text(encoding="utf-8"))
    places = [clause.openapi for clause in LIST.clauses if clause.openapi]
    assert places
    resolver = jsonschema_rs.Registry([("urn:contract:", contract)]).resolver("urn:contract:")
    for place in places:
        resolver.lookup(place)
