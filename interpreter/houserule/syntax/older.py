"""Older forms: words of the language before they explained themselves.

They are read as ever. Which forms there are, what is said now, and where a text has
them: one row a form, by the rule of the grammar that reads it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import Diagnostic, Label
from houserule.diagnostics.wording import counted
from houserule.frozen import frozen
from houserule.syntax.read.cst import OLDER
from houserule.syntax.tree import Older

if TYPE_CHECKING:
    from houserule.source import Span
    from houserule.syntax.read.cst import CstNode
    from houserule.syntax.tree import LayerOp, Unit


@frozen
class OlderForm:
    """An older form and what is said now, each as it is written."""

    was: str
    now: str


_REACTION = "{0} EVENT as NAME", "reaction NAME {0} EVENT"
FORMS: Mapping[str, OlderForm] = {
    "old_value_layer": OlderForm("then times NAME", "then times NAME, if any"),
    "old_layer": OlderForm(
        "layer VALUE.NAME: times after OTHER",
        "extend VALUE with times NAME, if any, after OTHER",
    ),
    "old_adjust": OlderForm(
        "adjust VALUE.LAYER as NAME: …",
        "multiply VALUE.LAYER called NAME: …",
    ),
    "old_lift": OlderForm("lift ADDRESS: …", "or ADDRESS: …"),
    "old_uses_up": OlderForm("uses up: …", "ends as this shrinks: …"),
    "old_when": OlderForm(
        "when VALUE changes as NAME", "reaction NAME when VALUE changes"
    ),
    "old_before": OlderForm(*(each.format("before") for each in _REACTION)),
    "old_after": OlderForm(*(each.format("after") for each in _REACTION)),
    "old_instead": OlderForm(*(each.format("instead of") for each in _REACTION)),
    "old_action": OlderForm("action NAME at STEP", "action NAME during STEP"),
    "seen_by": OlderForm("seen by SEATS", "seen only by SEATS"),
    "old_limit": OlderForm(
        "limit NAME: 3 each PHASE", "limit NAME: at most 3 times each PHASE"
    ),
    "old_mode": OlderForm("exactly once", "must act once, if possible"),
}

# Words that one may ask for: the heading of the reference about what is said now.
OLDER_WORDS: Mapping[str, str] = {
    "adjust": "Layers",
    "layer": "Layers",
    "lift": "`or`",
    "uses": "`ends as this shrinks`",
    "uses up": "`ends as this shrinks`",
    "exactly once": "`step`",
}

# The last words of older addresses of parts, each with the one that it has now.
PARTS: Mapping[str, str] = {"at": "during", "uses_up": "shrinks"}

VERBS: Mapping[LayerOp, str] = {
    "times": "multiply",
    "plus": "add to",
    "at least": "keep",
    "at most": "keep",
}

# Of these `seen by` is said as ever.
_ALL_OR_NONE = frozenset(("everyone", "nobody", "players"))


def older_in(cst: CstNode) -> Iterator[Older]:
    """Yield the older forms in what the grammar found, in reading order."""
    if cst.rule.startswith(OLDER) or (cst.rule == "seen_by" and _some_see(cst)):
        yield Older(cst.rule, cst.span)
    for part in cst.nodes():
        yield from older_in(part)


def _some_see(cst: CstNode) -> bool:
    who = cst.node(0)
    return who.rule != "name" or who.leaf(0).text not in _ALL_OR_NONE


def current(address: str, known: Container[str]) -> str:
    """Return an address in the words of today, if it is known only by these."""
    owner, _, word = address.rpartition(".")
    said = f"{owner}.{PARTS[word]}" if word in PARTS else address
    return said if address not in known and said in known else address


def older_words(units: Iterable[Unit]) -> Iterator[Diagnostic]:
    """Yield W005 for each file that is written in older words: all its forms once."""
    files: dict[str, dict[OlderForm, list[Span]]] = {}
    for unit in units:
        for each in unit.older:
            forms = files.setdefault(each.span.file, {})
            forms.setdefault(FORMS[each.form], []).append(each.span)
    for file, forms in files.items():
        width = max(len(form.was) for form in forms)
        rows = (f"{form.was:<{width}}  is now  {form.now}" for form in forms)
        places = counted(sum(map(len, forms.values())), "place")
        first = min(span for spans in forms.values() for span in spans)
        yield Diagnostic(
            "W005",
            f"This file has older words, in {places}. They mean what they meant.",
            (Label(first, "here first"),),
            tuple(rows),
            (f"houserule fmt --upgrade {file}",),
        )
