"""The words that open lines, and what may stand beneath each of them."""

from __future__ import annotations

HEADERS = ("game", "variant", "bridge", "preset")

CLAUSES = ("needs", "unwise", "cost", "limit", "does", "asks", "uses")

ABOUT = (
    "players",
    "source",
    "requires",
    "implies",
    "excludes",
    "exactly",
    "at",
    "suggests",
    "sealed",
    "extends",
    "with",
    "set",
    "note",
)

DECLARATIONS = (
    "type",
    "component",
    "dice",
    "tokens",
    "zone",
    "state",
    "value",
    "layer",
    "adjust",
    "option",
    "always",
    "warn",
    "winners",
    "effect",
    "phase",
    "step",
    "order",
    "action",
    "when",
    "before",
    "after",
    "instead",
)

EDITS = (
    "change",
    "default",
    "raise",
    "lower",
    "remove",
    "release",
    "lift",
    "extend",
    "mute",
    "assert",
)

STATEMENTS = (
    "move",
    "roll",
    "shuffle",
    "let",
    "again",
    "end",
    "show",
    "must",
    "may",
    "random",
    "share",
    "for",
    "if",
)

ITEMS = (*ABOUT, *DECLARATIONS, *EDITS, *CLAUSES)

# Lines that hold clauses, statements or items beneath them.
HOLD_CLAUSES = ("action", "effect", "when", "before", "after", "instead")
HOLD_STATEMENTS = (
    "does",
    "cost",
    "step",
    "must",
    "may",
    "random",
    "share",
    "for",
    "if",
    "else",
)
HOLD_ITEMS = ("phase", "with")
