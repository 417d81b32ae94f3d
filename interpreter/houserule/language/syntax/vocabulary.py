"""Vocabulary: the words of the grammar, with a row for each line-opening word.

A row has everything that scanning, error recovery, messages, formatting and editors
need to know about the word; the lists below are derived from the rows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Mapping
from functools import cache
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.base.resources import data_root, own_text
from houserule.language.syntax.tree import LayerOp

_KEYWORD = re.compile(r'"([a-z]+)"|/([a-z]+)\(\?=')
_COMMENT = re.compile(r"//.*")


@cache
def grammar_text() -> str:
    return own_text(data_root() / "grammar" / "rules.lark")


@cache
def grammar_key() -> str:
    return hashlib.sha256(grammar_text().encode()).hexdigest()[:24]


@cache
def keywords() -> frozenset[str]:
    """Return every word that the grammar gives a meaning."""
    found = _KEYWORD.findall(_COMMENT.sub("", grammar_text()))
    return frozenset(always or before_of for always, before_of in found)


FREE = frozenset(
    (
        *(
            "act",
            "add",
            "adjust",
            "alike",
            "are",
            "among",
            "bottom",
            "called",
            "changes",
            "choose",
        ),
        *("count", "different", "down", "during", "ends", "faces", "first", "highest"),
        *("keep", "lower", "note", "raise"),
        *("layer", "lift", "lowest", "multiply", "normally", "number", "once", "one"),
        *("only", "over", "pairs", "pile", "plus", "reaction", "rounded", "showing"),
        *("shrinks", "slot", "starts", "sum", "this", "together", "top", "total"),
        *("bots", "deep", "drawn", "last", "same", "since", "strive", "uses", "usual"),
        "within",
    )
)
"""Keywords that may also be names: where the grammar uses them, no name is possible.
Other words would also qualify (`of`, `than`, `then`), but as names they would make
sentences ambiguous."""


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


BEFORE_OF: Mapping[str, str] = {
    "sum": "sum of score(p) for p in players",
    "count": "count of p in players where score(p) is 0",
    "highest": "highest of score(p) for p in players",
    "lowest": "lowest of score(p) for p in players",
    "total": "total of tray",
    "top": "top of deck",
    "bottom": "bottom of deck",
    "pairs": "x, y in pairs of hand(p)",
}
"""Words that are keywords only before `of`, each with its meaning."""


@cache
def reserved() -> frozenset[str]:
    """Return the words that cannot name things, phases, steps, actions or variables.

    The name of a clause is always free, since it only follows its kind or a dot.
    """
    return keywords() - FREE


def taken_keyword(word: str) -> str:
    """Return the message for a name that is a keyword."""
    return f"`{word}` is a reserved word, so nothing can have this name."


BUILT_IN_FUNCTIONS = (
    "size",
    "min",
    "max",
    "abs",
    "first_of",
    "seat",
    "clockwise",
    "reversed",
    "snaking",
    "can",
    "nth",
    "place_in",
    "next_player",
    "previous_player",
    "other_player",
)
YIELDING = frozenset(("place_in", "next_player", "previous_player", "other_player"))
"""Functions that rules may declare for themselves: they are younger than 0.1.0."""
BUILT_IN_NAMES = ("players", "everyone", "doing", "me")
BUILT_IN_TYPES = ("Player", "Action")


def taken_built_in(word: str) -> str:
    """Return the message for a declared name that is built in."""
    what = "function" if word in BUILT_IN_FUNCTIONS else "name"
    what = "type" if word in BUILT_IN_TYPES else what
    return f"`{word}` is a built-in {what}, so nothing else can have this name."


def free_name(word: str) -> str:
    """Return a name like one that is taken: `our_size`, `OurPlayer`."""
    return f"Our{word}" if word[0].isupper() else f"our_{word}"


def new_variable(taken: Container[str], wanted: str = "x") -> str:
    """Return a letter for a variable, `wanted` if nothing else is called so."""
    letters = (*wanted, *"xyzvwuabcdefghijklmnopqrst")
    return next((each for each in letters if each not in taken), free_name(wanted))


Kind: TypeAlias = Literal[
    "header", "about", "declaration", "edit", "clause", "statement", "else"
]
Beneath: TypeAlias = Literal["", "clauses", "statements"]


# ---- words that open lines


@frozen
class Opening:
    """A word that opens lines.

    Attributes:
        example: a valid line that begins with the word.
        holds: the kinds of lines allowed in its block.
        owners: for a clause, the lines whose blocks may contain it.
        alone: for a clause, whether it may also be written separately, with its
            address.
    """

    kind: Kind
    example: str
    holds: Beneath = ""
    owners: str = "an action, an effect or a reaction"
    alone: bool = False


OPENINGS: Mapping[str, Opening] = {
    # headers
    "game": Opening("header", 'game pig "Pig"'),
    "variant": Opening("header", 'variant late_hold for pig "Hold late"'),
    "bridge": Opening("header", "bridge one_variant, another for pig"),
    "preset": Opening("header", 'preset quick for pig "A quick game"'),
    # lines about the file
    "players": Opening("about", "players 2..6"),
    "source": Opening("about", 'source rules "The printed rules, second edition"'),
    "requires": Opening("about", "requires another_variant"),
    "implies": Opening("about", "implies another_variant"),
    "excludes": Opening("about", "excludes another_variant"),
    "exactly": Opening("about", "exactly one of edition: german, french"),
    "at": Opening("about", "at most one of speed: blitz, slow_game"),
    "suggests": Opening("about", "suggests another_variant"),
    "sealed": Opening("about", "sealed throw.roll, target"),
    "extends": Opening("about", "extends official"),
    "with": Opening("about", "with another_variant:"),
    "set": Opening("about", "set target: 150"),
    "note": Opening("about", 'note "A true remark that needs no clause" ["Heading" 3]'),
    # declarations
    "type": Opening("declaration", "type Suit = red | black"),
    "component": Opening(
        "declaration", "component Cell for each row: 1..5, column: 1..5"
    ),
    "dice": Opening("declaration", "dice Die: red, green showing 1..6"),
    "tokens": Opening(
        "declaration", "tokens chip(p: Player): 20 in supply(p), stake(p)"
    ),
    "zone": Opening(
        "declaration", "zone hand(p: Player): set of Card at most 5 seen only by p"
    ),
    "state": Opening(
        "declaration", "state score(p: Player): 0..205 each round starts as 0"
    ),
    "value": Opening(
        "declaration", "value rich(p: Player): yes or no = score(p) at least 100"
    ),
    "multiply": Opening("declaration", "multiply income.doubled(c) called bonus: 2"),
    "add": Opening("declaration", "add to income.joined(c) called partner: 2"),
    "keep": Opening("declaration", "keep income.floor(c) called relief: at least 1"),
    "option": Opening("declaration", "option target: 20..200 step 10 normally 100"),
    "always": Opening(
        "declaration", "always no_debt: every p in players has score(p) at least 0"
    ),
    "warn": Opening(
        "declaration",
        'warn dead_ends "No way home from here": those n in 1..9 where lost(n)',
    ),
    "winners": Opening("declaration", "winners: those p in players with most score(p)"),
    "drawn": Opening(
        "declaration",
        'drawn by standstill "Nobody passed for too long": quiet at least 50',
    ),
    "bots": Opening(
        "declaration", "bots strive for: those p in players with most progress(p)"
    ),
    "effect": Opening("declaration", "effect lose_die(p: Player)", holds="clauses"),
    "phase": Opening("declaration", "phase round until over, at most 400 times"),
    "step": Opening("declaration", "step deciding: at most once", holds="statements"),
    "order": Opening("declaration", "order dealing then playing then scoring"),
    "action": Opening(
        "declaration", "action take(r in Row, n in 1..7) during taking", holds="clauses"
    ),
    "reaction": Opening(
        "declaration",
        "reaction crowning when leader changes from old to new",
        holds="clauses",
    ),
    # edits
    "change": Opening("edit", "change hand_limit from 5 to 6"),
    "default": Opening("edit", "default target: 150"),
    "raise": Opening("edit", "raise hand_limit by 1"),
    "lower": Opening("edit", "lower hand_limit by 1"),
    "remove": Opening("edit", "remove throw.bust"),
    "release": Opening("edit", "release order among drawing, playing"),
    "or": Opening("edit", "or place.match.joker: size(use) is 5"),
    "extend": Opening("edit", "extend Suit with green"),
    "mute": Opening("edit", "mute other_variant at draw.room"),
    "assert": Opening(
        "edit", 'assert "Nobody starts ahead": every p in players has score(p) is 0'
    ),
    # clauses
    "needs": Opening(
        "clause", 'needs something "Nothing to bank yet": pot at least 1', alone=True
    ),
    "unwise": Opening(
        "clause",
        'unwise early "Too little to stop": pot less than 5',
        owners="an action",
        alone=True,
    ),
    "usual": Opening(
        "clause", 'usual all "All in": n is cash(me)', owners="an action", alone=True
    ),
    "cost": Opening(
        "clause", "cost die(d in tray): spend({d})", holds="statements", alone=True
    ),
    "limit": Opening("clause", "limit offers: at most 3 times each turn"),
    "does": Opening(
        "clause", "does bank: score(me) gains pot", holds="statements", alone=True
    ),
    "asks": Opening("clause", 'asks partner "Do you accept?": q'),
    "ends": Opening(
        "clause",
        "ends as this shrinks: sum of chips(p) for p in players",
        owners="a reaction",
    ),
    # statements
    "move": Opening("statement", "move 3 from deck to hand(p)"),
    "roll": Opening("statement", "roll Die"),
    "shuffle": Opening("statement", "shuffle deck"),
    "let": Opening("statement", "let n = size(hand(p))"),
    "again": Opening("statement", "again turn"),
    "end": Opening("statement", "end turn"),
    "show": Opening("statement", "show lot to partner"),
    "must": Opening(
        "statement",
        "must choose c in hand(p) by p: move c to discard",
        holds="statements",
    ),
    "may": Opening(
        "statement",
        "may choose c in hand(p) by p: move c to discard",
        holds="statements",
    ),
    "random": Opening(
        "statement", "random p in players: first becomes p", holds="statements"
    ),
    "share": Opening(
        "statement", "share 5 over c in row as n: put(me, n, c)", holds="statements"
    ),
    "for": Opening(
        "statement", "for p in players: move 3 from deck to hand(p)", holds="statements"
    ),
    "until": Opening(
        "statement", "until pot is 0, at most 40 times: pay(me)", holds="statements"
    ),
    "if": Opening("statement", "if die.face is 1: pot becomes 0", holds="statements"),
    "else": Opening("else", "else: pot gains die.face", holds="statements"),
    # these open no line, but authors often begin with them
    **dict.fromkeys(
        ("when", "before", "after", "instead"),
        Opening("declaration", "reaction saving before lose_die.out", holds="clauses"),
    ),
}

LAYER_VERBS: Mapping[LayerOp, str] = {
    "times": "multiply",
    "plus": "add to",
    "at least": "keep",
    "at most": "keep",
}
"""The verb of a contribution to a layer, by the layer's operation."""


def _of_kind(kind: Kind) -> tuple[str, ...]:
    return tuple(word for word, row in OPENINGS.items() if row.kind == kind)


def _holding(what: Beneath) -> tuple[str, ...]:
    return tuple(word for word, row in OPENINGS.items() if row.holds == what)


HEADERS = _of_kind("header")
ABOUT = _of_kind("about")
DECLARATIONS = _of_kind("declaration")
EDITS = _of_kind("edit")
CLAUSES = _of_kind("clause")
STATEMENTS = _of_kind("statement")
ITEMS = (*ABOUT, *DECLARATIONS, *EDITS, *CLAUSES)

# Those followed directly by a declared name.
NAMING = (
    *("type", "component", "dice", "tokens", "zone", "state", "value", "option"),
    *("effect", "action", "phase", "step"),
)

# Names of statements in other languages, and in speech.
STATEMENTS_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("deal", "draw", "put", "take", "place", "discard"), "move"),
    **dict.fromkeys(("give", "pass"), "move"),
    **dict.fromkeys(("throw", "reroll"), "roll"),
    "foreach": "for",
    **dict.fromkeys(("repeat", "loop"), "until"),
    **dict.fromkeys(("stop", "finish", "return", "exit"), "end"),
}

HOLD_CLAUSES = _holding("clauses")
HOLD_STATEMENTS = _holding("statements")

EXAMPLES: Mapping[str, str] = {
    **{word: row.example for word, row in OPENINGS.items()},
    # expressions, by their first word
    "the": "the one p in players with most score(p), none on a tie",
    "sum": "sum of score(p) for p in players",
    "count": "count of p in players where score(p) is 0",
    "some": "some p in players has score(p) is 0",
    "every": "every p in players has score(p) is 0",
}
