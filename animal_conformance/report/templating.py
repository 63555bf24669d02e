"""The templates of the reports, in which every value is rendered as harmless text.

Every value passes through ``finalize``, so that no place can be forgotten.
"""

from __future__ import annotations

import base64
import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import jinja2
from markupsafe import Markup, escape

from animal_conformance.judge.case import plural
from animal_conformance.report import words
from animal_conformance.report.drawings import LEFT, RIGHT, milliseconds
from animal_conformance.report.markdown import code, code_block, plain
from animal_conformance.report.pretty import shown
from animal_conformance.report.safe_text import safe_text

# Beside the templates, as Python keeps compiled modules beside their sources.
COMPILED: Final = Path(__file__).parent / "templates" / "__pycache__"


def render(name: str, **values: Any) -> str:
    """A rendered template; its name gives its format: HTML, XML or SVG, or Markdown."""
    return _environment(markdown=name.endswith(".md.j2")).get_template(name).render(values)


@cache
def _environment(*, markdown: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("animal_conformance.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_compiled_templates(),
        finalize=_unless_markup(
            # Markdown is escaped here, not as HTML.
            (lambda value: Markup(plain(value))) if markdown else (lambda value: safe_text(value, lines=True))  # noqa: S704
        ),
    )
    environment.filters["cut"] = lambda text, length: safe_text(text, length=length)
    environment.filters["ticked"] = _ticked
    environment.globals.update(
        LEFT=LEFT,
        RIGHT=RIGHT,
        RECORDED=words.RECORDED,
        shown=shown,
        OUTCOME_WORDS=words.OUTCOME_WORDS,
        OUTCOME_SYMBOLS=words.OUTCOME_SYMBOLS,
        milliseconds=milliseconds,
        excluded_of=words.excluded_of,
        plural=plural,
        reason_of=words.reason_of,
        code=lambda text: Markup(code(text)),  # noqa: S704 - nothing in it ends it
        code_block=lambda text: Markup(code_block(text)),  # noqa: S704 - its fence holds
    )
    return environment


def _compiled_templates() -> jinja2.BytecodeCache | None:
    """Where compiled templates are kept, as long as Python may keep compiled modules there: compiling takes 0.15 s."""
    if sys.dont_write_bytecode:
        return None
    try:
        COMPILED.mkdir(exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(COMPILED)) if os.access(COMPILED, os.W_OK) else None


def _unless_markup(harmless: Callable[[object], str]) -> Callable[[object], str]:
    return lambda value: value if isinstance(value, Markup) else harmless(value)


def _ticked(text: str) -> Markup:
    """A text for HTML, in which what stands in a pair of backticks is rendered as code."""
    parts = safe_text(text, lines=True).split("`")
    if len(parts) % 2 == 0:
        return escape(safe_text(text, lines=True))
    return Markup().join(
        Markup("<code>{}</code>").format(each) if number % 2 else each for number, each in enumerate(parts)
    )


@cache
def asset(name: str) -> Markup:
    """A trusted file next to the templates."""
    directory = resources.files("animal_conformance.report").joinpath("templates")
    return Markup(directory.joinpath(name).read_text(encoding="utf-8"))  # noqa: S704


def policy(style: str, script: str | None = None) -> str:
    """A policy that allows only the page's own style and script, identified by their digests."""
    runs = "'none'" if script is None else f"'{_digest(script)}'"
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src {runs}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
