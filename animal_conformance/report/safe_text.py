"""Text of a server, made harmless for a terminal, a log, XML or Markdown: invisible characters become escapes."""

from __future__ import annotations

from typing import Any, Final

ELLIPSIS: Final = "…"


def safe_text(text: object, *, lines: bool = False, length: int | None = None) -> str:
    r"""A text in which every character is visible and unambiguous.

    Control characters, terminal escapes, bidirectional overrides, characters without width, lone surrogates
    and all other unprintable characters become escapes such as ``\x1b`` or ``\u202e``.

    :param lines: whether line feeds and tabs are kept.
    :param length: the maximum length; a longer text is truncated and marked with an ellipsis.
    """
    shown = str(text)
    if length is not None:
        # Escapes only lengthen a text, so no more than this of a huge text is needed.
        shown = shown[: length + 1]
    if not shown.isprintable():
        shown = "".join(
            each if each.isprintable() or (lines and each in "\n\t") else _escape(each) for each in shown
        )
    if length is not None and len(shown) > length:
        return f"{shown[: length - 1]}{ELLIPSIS}"
    return shown


def well_formed(value: Any) -> Any:
    """A JSON value without lone surrogates, which UTF-8 cannot encode: they are escaped."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return "".join(_escape(each) if "\ud800" <= each <= "\udfff" else each for each in value)
        return value
    if isinstance(value, dict):
        return {well_formed(key): well_formed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [well_formed(each) for each in value]
    return value


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
