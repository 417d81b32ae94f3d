"""The table of constructs: each kind's name, and the parts that other units may edit.

One row per node. All that composition needs to know about a kind of clause is in its
row, so a new kind of clause needs only a new row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast, get_args

from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import (
    CELL_VALUE,
    DOMAINS,
    FACES,
    MAIN,
    MODE,
    PRODUCT,
    SEATS,
    STATEMENTS,
    STEP_NAME,
    Domains,
    Part,
    inner,
    range_part,
)

Parts: TypeAlias = dict[str, tree.Payload]
NameSpace: TypeAlias = Literal["thing", "flow", ""]

EXPRESSIONS: tuple[type[tree.Node], ...] = get_args(tree.Expr)


@dataclass(frozen=True, slots=True)
class Construct:
    """One kind of declaration or clause.

    Attributes:
        kind: its keyword, which messages and records use as its name.
        space: the name space of its bare name; '' if its address has a dot.
        parts: the parts that `change` may replace.
        owners: the kinds that may contain it as a clause, written inside or under their
            address; empty if it is not a clause.
        captioned: whether its caption describes its main part, so that changing only
            the part leaves an outdated caption.
        outside: whether it may be written separately, under the address of its owner.
        noun: its name in messages, with an article; '' for "a KIND".
        address: its address, if it has no name and is unique in a game.
    """

    kind: str
    space: NameSpace = ""
    parts: tuple[Part, ...] = ()
    owners: frozenset[str] = frozenset()
    captioned: bool = False
    outside: bool = False
    noun: str = ""
    address: str = ""
    # the first part of each field, for iterating over fields
    words: Mapping[str, str] = field(init=False, default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        """Record the part of each field."""
        for part in self.parts:
            if not isinstance(part, Domains):
                cast("dict[str, str]", self.words).setdefault(part.field, part.word)


def _thing(
    kind: str, *parts: Part, noun: str = "", captioned: bool = False
) -> Construct:
    return Construct(kind, "thing", parts, noun=noun, captioned=captioned)


def _flow(
    kind: str, *parts: Part, noun: str = "", captioned: bool = False
) -> Construct:
    return Construct(kind, "flow", parts, noun=noun, captioned=captioned)


def _only(kind: str, address: str, *, noun: str) -> Construct:
    """Return the row of a line about players that is unique in a game."""
    who = (Part(MAIN, "who"),)
    return Construct(kind, "flow", who, captioned=True, noun=noun, address=address)


def _clause(
    kind: str,
    *parts: Part,
    owners: tuple[str, ...],
    noun: str = "",
    outside: bool = True,
) -> Construct:
    return Construct(kind, "", parts, frozenset(owners), True, outside, noun)


CONDITION, AMOUNT = Part(MAIN, "condition"), Part(MAIN, "amount")
STARTS, SEEN = Part("starts", "starts"), Part("seen", "seen")
GUARD, WHERE = Part("if", "guard"), Part("where", "where")

CONSTRUCTS: Mapping[type[tree.Node], Construct] = {
    tree.Players: Construct("players", parts=(SEATS,), noun="how many can play"),
    # things
    tree.TypeDecl: _thing("type", range_part(MAIN)),
    tree.Component: _thing("component", WHERE, PRODUCT),
    tree.DiceDecl: _thing("dice", FACES, WHERE, SEEN, PRODUCT, noun="a family of dice"),
    tree.Tokens: _thing("tokens", AMOUNT, noun="a family of tokens"),
    tree.Zone: _thing("zone", Part("limit", "at_most"), STARTS, SEEN),
    tree.State: _thing("state", STARTS, SEEN, range_part()),
    tree.Value: _thing(
        "value", Part(MAIN, "definition"), range_part(), DOMAINS, captioned=True
    ),
    tree.Option: _thing("option", Part(MAIN, "normally"), range_part()),
    # the flow of the game
    tree.Phase: Construct(
        "phase",
        "flow",
        (
            GUARD,
            inner("for", "for_whom", "source"),
            inner("until", "until", "condition"),
            inner("times", "until", "times"),
        ),
        frozenset({"phase"}),
    ),
    tree.Step: Construct(
        "step",
        "flow",
        (STATEMENTS, MODE, GUARD),
        frozenset({"phase"}),
        captioned=True,
    ),
    tree.Action: _flow("action", STEP_NAME, DOMAINS),
    tree.Effect: _flow("effect", DOMAINS),
    tree.Reaction: _flow("reaction"),
    tree.Adjust: _flow("contribution", AMOUNT, captioned=True),
    tree.Always: _flow("always", CONDITION, captioned=True),
    tree.Warn: _flow("warn", CONDITION, captioned=True, noun="a warning"),
    tree.DrawnBy: _flow("drawn by", CONDITION, captioned=True, noun="a way to draw"),
    tree.Winners: _only("winners", "winners", noun="the line of winners"),
    tree.Striving: _only("bots strive for", "bots", noun="what bots strive for"),
    # clauses
    tree.Needs: _clause(
        "needs",
        CONDITION,
        owners=("action", "effect", "reaction", "step", "value"),
        noun="a condition",
    ),
    tree.Advice: _clause(
        "advice", CONDITION, owners=("action",), noun="a piece of advice"
    ),
    tree.Cost: _clause("cost", STATEMENTS, DOMAINS, owners=("action",)),
    tree.Limit: _clause("limit", Part(MAIN, "count"), owners=("action",)),
    tree.Does: _clause(
        "does",
        STATEMENTS,
        owners=("action", "effect", "reaction"),
        noun="an effect's clause",
    ),
    tree.Asks: _clause(
        "asks",
        Part(MAIN, "who"),
        owners=("action", "reaction"),
        noun="a question",
    ),
    tree.UsesUp: _clause(
        "shrinks",
        Part(MAIN, "measure"),
        owners=("action",),
        noun="a line of what shrinks",
        outside=False,
    ),
    # inside a declaration, or next to all
    tree.Layer: Construct("layer"),
    tree.ValueLayer: Construct("layer"),
    tree.Lift: Construct("or", parts=(CONDITION,), captioned=True, noun="an exception"),
    tree.Assert: Construct("assert", parts=(CONDITION,)),
    tree.Remark: Construct("note"),
    tree.Field: Construct("field", parts=(range_part(MAIN),)),
    tree.TableCell: Construct("cell", parts=(CELL_VALUE,), noun="what a row says"),
    tree.Slot: Construct("slot"),
    tree.Word: Construct("member"),
    tree.ValuedMember: Construct("member"),
}

CLAUSES = tuple(node for node, row in CONSTRUCTS.items() if row.outside)
CLAUSE_KINDS = frozenset(
    row.kind for row in CONSTRUCTS.values() if row.owners and not row.space
)
OWNERS = frozenset().union(*(CONSTRUCTS[node].owners for node in CLAUSES))
NOUNS: Mapping[str, str] = {
    row.kind: row.noun for row in CONSTRUCTS.values() if row.noun
}


def kind_of(node: tree.Node) -> str:
    """Return the keyword of a declaration."""
    return CONSTRUCTS[type(node)].kind


def parts_of(node: tree.Node) -> Parts:
    """Return every part of a declaration that `change` may replace, by keyword.

    Clauses inside an action are not parts of it.
    """
    row = CONSTRUCTS.get(type(node))
    every = row.parts if row else ()
    return {word: payload for part in every for word, payload in part.read(node)}


def main_part(clause: tree.Clause) -> tree.Expr | tree.Block:
    """Return the content of a clause: an expression, or statements."""
    main = parts_of(clause)[MAIN]
    # only steps have modes, and only parameters say how many
    assert not isinstance(main, str | tree.HowMany)
    return main


def with_part(node: tree.Node, word: str, new: tree.Payload) -> tree.Node | None:
    """Return the declaration with one part replaced; None if `new` does not fit.

    `word` must be one that `parts_of` returns for this node.
    """
    for part in CONSTRUCTS[type(node)].parts:
        if any(known == word for known, _ in part.read(node)):
            return part.replaced(node, word, new)
    return None


def has_caption(node: tree.Node) -> bool:
    """Return whether a declaration may have a caption that other units can change."""
    return hasattr(node, "caption") and not isinstance(node, tree.Remark | tree.Assert)


def clause_address(owner: str, clause: tree.Clause) -> str:
    """Return the full address of a clause written inside its owner."""
    if isinstance(clause, tree.UsesUp):
        return f"{owner}.shrinks"
    return f"{owner}.{clause.name.text.removeprefix(owner + '.')}"
