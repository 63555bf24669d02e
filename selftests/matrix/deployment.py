"""The deployment of a matrix case: the embedded one in a process forked from this one, so that the web server is imported once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Never

# Loaded here, so that no fork has to.
import animal_conformance.reference.faults
import animal_conformance.reference.nulls
import animal_conformance.reference.server
import animal_conformance.reference.variants  # noqa: F401 - as above
from animal_conformance.reference.command import KEY_VARIABLE, serve
from selftests.frameworks.programs import API_KEY, listening
from selftests.matrix.cases import MatrixCase


class NotStarted(Exception):  # noqa: N818 - it says what happened
    """The deployment ended before it answered."""


@contextmanager
def deployed(case: MatrixCase) -> Iterator[tuple[str, str]]:
    """A running deployment of the case: its base address and its API key.

    :raises NotStarted: if it does not start; the reason is on standard error.
    """
    if case.program:
        with listening(case.program, **dict(case.settings)) as base_url:
            yield base_url, API_KEY
        return
    arguments = ["--json", "--exit-with-stdin"]
    arguments += [f"--fault={name}" for name in case.faults]
    arguments += [f"--variant={name}" for name in case.variants]
    arguments += [f"--null={case.null}"] if case.null else []
    lifeline, ours = os.pipe()
    announced, announcing = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        _serve(arguments, lifeline, announcing)
    os.close(lifeline)
    os.close(announcing)
    try:
        with open(announced, encoding="utf-8") as lines:  # noqa: PTH123 - a pipe
            line = lines.readline()
        if not line:
            raise NotStarted
        ready = json.loads(line)
        yield ready["base_url"], ready["api_key"]
    finally:
        os.close(ours)  # the deployment ends with its standard input
        os.waitpid(child, 0)


def _serve(arguments: list[str], lifeline: int, announcing: int) -> Never:
    try:
        os.environ.pop(KEY_VARIABLE, None)
        os.dup2(lifeline, 0)
        os.dup2(announcing, 1)
        serve.main(arguments, "serve", standalone_mode=False)
    finally:
        os._exit(0)
