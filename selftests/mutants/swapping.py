"""Replaces the code of a function by its changed code, in a process in which everything is already imported."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterable, Iterator
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType
from typing import Final

from selftests.mutants.changes import ROOT, Change, path_of

# What has to be imported again if a whole module is changed.
DEPENDENT: Final = ("animal_conformance.judge", "animal_conformance.report", "selftests.")
OWN: Final = "selftests.mutants"


def import_all(folders: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Import every test module and what it imports; return the functions that were called for it, as in a Watch."""
    codes: set[CodeType] = set()
    sys.setprofile(lambda frame, event, _: codes.add(frame.f_code) if event == "call" else None)
    try:
        for path in sorted(path for each in folders for path in (ROOT / each).rglob("test_*.py")):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    finally:
        sys.setprofile(None)
    return frozenset(map(place_of, codes))


def place_of(code: CodeType) -> tuple[str, str]:
    """The file of a function, and the qualified name of the outermost one around it."""
    return code.co_filename, code.co_qualname.split(".<locals>")[0]


def forget() -> None:
    """Cause whatever depends on the judge to be imported again."""
    for each in [name for name in sys.modules if name.startswith(DEPENDENT) and not name.startswith(OWN)]:
        del sys.modules[each]


def swap(change: Change) -> bool:
    """Change the existing functions; return whether that was possible.

    It is not possible if the change affects what the module does when it is imported, or which functions it has.
    """
    path = path_of(change.module)
    sources = path.read_text(encoding="utf-8"), change.source()
    before, after = ([*_codes(compile(each, path, "exec"))] for each in sources)
    if [*map(_shape, before)] != [*map(_shape, after)]:
        return False
    if [*map(_at_import, before)] != [*map(_at_import, after)]:
        return False
    new = {old: new for old, new in zip(before[1:], after[1:], strict=True) if old != new}
    functions = [each for each in gc.get_objects() if isinstance(each, FunctionType) and each.__code__ in new]
    for each in functions:
        each.__code__ = new[each.__code__]
    return bool(functions)


def _shape(code: CodeType) -> tuple[str, tuple[str, ...]]:
    return code.co_qualname, code.co_freevars


def _at_import(code: CodeType) -> tuple[object, ...]:
    """What a module or the body of a class does when it is imported; empty for a function, which is called later."""
    if code.co_flags & CO_OPTIMIZED:
        return ()
    constants = [each for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, code.co_names, repr(constants)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)
