"""Faults that depend on how a name begins, on what it looks like, on one category, on the order of things."""

from __future__ import annotations

from typing import Any

from animal_conformance.reference.changes import Before, Steps, breaks, own
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.clients import after
from animal_conformance.reference.mechanisms.common import refusing
from animal_conformance.reference.mechanisms.creations import named
from animal_conformance.reference.mechanisms.refused import turned_away
from animal_conformance.reference.model import Call

_NAME, _CRASH = "create.name.exact", "http.server-error"


def _filter_first(before: Before[[Call], Any], call: Call) -> Any:
    """A limit is read only in front of a filter."""
    names = [name for name, _ in call.query]
    if names == ["status", "limit"]:
        call.query = [pair for pair in call.query if pair[0] != "limit"]
    return before(call)


FAULTS = [
    *breaks(_NAME, 2, named).rows(
        ("name.front-at", "An @ in front of a name is taken for a mention, and lost.", lambda name: name.removeprefix("@")),
        ("name.front-plus", "A name that begins with + or - gets an apostrophe, as for a spreadsheet.",
         lambda name: f"'{name}" if name[:1] in {"+", "-"} else name),
        ("name.front-hash", "What follows a # is a comment, as in a configuration file.",
         lambda name: name.partition("#")[0] if name.startswith("#") else name),
        ("name.front-bracket", "A name that begins with a bracket gets a space, lest it is read as JSON.",
         lambda name: f" {name}x" if name[:1] in {"[", "{"} else name),
        ("name.front-letter", "Names from N on are kept in another table, which is lower-case.",
         lambda name: name.lower() if name[:1] in "NOPQRST" else name),
        ("name.undefined", "A name of undefined is taken for none.", lambda name: "" if name == "undefined" else name),
        ("name.not-a-number", "A name of NaN is taken for none, as by pandas.", lambda name: "" if name == "NaN" else name),
        ("name.brackets", "A name of [] is taken for an empty list.", lambda name: "" if name == "[]" else name),
        ("name.one-letter", "A name of one letter becomes a capital.",
         lambda name: name.upper() if len(name) == 1 else name),
        ("name.script", "What looks like a script is removed.",
         lambda name: name.replace("<script>", "").replace("</script>", "")),
        ("name.cut-at-6000", "Names are cut at 6,000 characters.", lambda name: name[:6000])),
    *breaks(_CRASH, 2, refusing).rows(
        ("crash.name.index", "A name of 8,000 characters is too large for an index (payloadcms/payload#8787).",
         "insert", 500, lambda payload, _: len(payload.name) >= 8000),
        ("crash.name.letter", "Names from M to Q are kept in a table that is missing.",
         "insert", 500, lambda payload, _: payload.name[:1] in "MNOPQ" and payload.name[:1]),
        ("crash.name.jndi", "A name with ${ is evaluated (Log4j, CVE-2021-44228).",
         "insert", 500, lambda payload, _: "${jndi" in payload.name),
        ("crash.category.listed", "An animal of category 42 cannot be created any more.",
         "insert", 500, lambda payload, _: payload.category_id == 42),
        ("crash.get.row", "Some animals of the catalogue cannot be read.", "find", 500, lambda animal_id: animal_id in {11, 12, 13, 39, 40})),
    *breaks("create.answer", 2, turned_away).rows(
        ("away.403-select", "A firewall returns 403 to UNION SELECT in a name (coreruleset/coreruleset#4342).",
         403, lambda call: b"UNION SELECT" in call.body),
        ("away.403-path", "A firewall returns 403 to ../ in a name (coreruleset/coreruleset#2607).",
         403, lambda call: b"../.." in call.body)),
    *breaks("list.limit.respected", 2, own).rows(
        ("list.filter-first", "A limit that follows a filter is ignored.", Steps(list_pets=_filter_first))),
    *breaks(_CRASH, 4, after).rows(
        ("crash.thousandth", "From the thousandth request on, lists return 500: descriptors are never closed.",
         1000, lambda: error(500, "Too many open files"))),
]  # fmt: skip
