"""The table of constructs: what each kind is called, and what others may edit of it.

One row a node. All that composing rules asks about a kind of clause stands in its row:
a new kind of clause is a new row, and no list elsewhere.

A declaration has a main part, addressed by its own name (the condition of a `needs`,
the definition of a value), and further parts with a word: `exchange.at`, `turn.if`,
`deck.starts`, `slide.target` for the domain of a parameter. A part can be read, and put
back with another payload.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias, cast, get_args

from houserule.syntax import tree

MAIN = ""  # the word of the main part

Parts: TypeAlias = dict[str, tree.Payload]
NameSpace: TypeAlias = Literal["thing", "flow", ""]

EXPRESSIONS: tuple[type[tree.Node], ...] = get_args(tree.Expr)


# ---- parts


class Part(Protocol):
    """How one part of a declaration (or one for each parameter) is read and put."""

    @property
    def field(self) -> str:
        """The field of the node that holds it."""

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the parts that are there, each with its word."""

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Return the node with another payload; None where that cannot stand there.

        `word` is one that `read` yields for this node.
        """


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression in a field, which may be absent."""

    word: str
    field: str

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the expression, if there is one."""
        value = getattr(node, self.field)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put an expression; a block or the word of a mode is none."""
        if isinstance(new, str | tree.Block):
            return None
        return cast("tree.Node", replace(node, **{self.field: new}))


@dataclass(frozen=True, slots=True)
class Inner:
    """An expression in a node that the declaration holds, both may be absent."""

    word: str
    field: str
    inner: str

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the expression, if there is one."""
        value = getattr(getattr(node, self.field), self.inner, None)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put an expression into the inner node."""
        if isinstance(new, str | tree.Block):
            return None
        held = replace(getattr(node, self.field), **{self.inner: new})
        return cast("tree.Node", replace(node, **{self.field: held}))


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a body, the main part of what happens."""

    word: str = MAIN
    field: str = "body"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the block, if there is one."""
        value = getattr(node, self.field)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put statements; a single call may have been read as an expression."""
        block = None if isinstance(new, str) else as_block(new)
        return None if block is None else cast("tree.Node", replace(node, body=block))


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode of a step (`once`, `any number` …), a word."""

    word: str = "mode"
    field: str = "mode"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the word, if there is one."""
        value = getattr(node, self.field)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put another mode."""
        ok = isinstance(new, str)
        return cast("tree.Node", replace(node, mode=new)) if ok else None


@dataclass(frozen=True, slots=True)
class StepName:
    """The step at which an action stands: a bare name."""

    word: str = "at"
    field: str = "at"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the name as an expression."""
        at = getattr(node, self.field)
        yield self.word, tree.Name(at.text, span=at.span)

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put another name."""
        if not isinstance(new, tree.Name):
            return None
        return cast("tree.Node", replace(node, at=tree.Word(new.name, span=new.span)))


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of dice: one expression, or several in a set."""

    word: str = "showing"
    field: str = "faces"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the faces as one expression."""
        faces = getattr(node, self.field)
        yield self.word, faces[0] if len(faces) == 1 else tree.SetOf(faces)

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put other faces."""
        if isinstance(new, str | tree.Block):
            return None
        faces = new.items if isinstance(new, tree.SetOf) else (new,)
        return cast("tree.Node", replace(node, faces=faces))


@dataclass(frozen=True, slots=True)
class Range:
    """The range of a numeric type, `low..high`; other types have none."""

    word: str = "range"
    field: str = "type"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the range, if the type has one."""
        found = range_of(getattr(node, self.field))
        if found is not None:
            yield self.word, found

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put another range; `or none` stays."""
        kind = _with_range(getattr(node, self.field), new)
        return None if kind is None else cast("tree.Node", replace(node, type=kind))


@dataclass(frozen=True, slots=True)
class Domains:
    """The domains of parameters, each by the name of its parameter."""

    field: str = "params"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the domain of every parameter that has one."""
        for param in getattr(node, self.field):
            domain = (
                param.source if isinstance(param, tree.Binder) else range_of(param.type)
            )
            if domain is not None:
                yield from ((word.text, domain) for word in param.names)

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Put another domain for one parameter.

        `a, b in S` is split first, so that the other names keep theirs.
        """
        if isinstance(new, str | tree.Block):
            return None
        done: list[tree.Param] = []
        for param in node.params:
            for name in param.names:
                alone: tree.Param = replace(param, names=(name,))
                changed = _with_domain(alone, new) if name.text == word else alone
                if changed is None:
                    return None
                done.append(changed)
        return cast("tree.Node", replace(node, params=tuple(done)))


def _with_domain(param: tree.Param, new: tree.Expr) -> tree.Param | None:
    if isinstance(param, tree.Binder):
        return replace(param, source=new)
    kind = _with_range(param.type, new)
    return None if kind is None else replace(param, type=kind)


# ---- ranges and blocks


def range_of(kind: tree.Type) -> tree.RangeSet | None:
    """Return the range of a numeric type, as an expression; None for other types."""
    if isinstance(kind, tree.MaybeType):
        kind = kind.inner
    if not isinstance(kind, tree.RangeType):
        return None
    return tree.RangeSet(_bound(kind.low), _bound(kind.high), span=kind.span)


def _bound(bound: int | tree.Word) -> tree.Expr:
    if isinstance(bound, tree.Word):
        return tree.Name(bound.text, span=bound.span)
    return tree.Int(bound) if bound >= 0 else tree.Negative(tree.Int(-bound))


def _with_range(kind: tree.Type, new: tree.Payload) -> tree.Type | None:
    if not isinstance(new, tree.RangeSet):
        return None
    low, high = _as_bound(new.low), _as_bound(new.high)
    if low is None or high is None:
        return None
    known = tree.RangeType(low, high, span=new.span)
    return replace(kind, inner=known) if isinstance(kind, tree.MaybeType) else known


def _as_bound(expr: tree.Expr) -> int | tree.Word | None:
    match expr:
        case tree.Int(value):
            return value
        case tree.Negative(tree.Int(value)):
            return -value
        case tree.Name(name):
            return tree.Word(name, span=expr.span)
        case _:
            return None


def as_block(payload: tree.Payload) -> tree.Block | None:
    """Read a payload as statements: a call may look like an expression."""
    match payload:
        case tree.Block():
            return payload
        case tree.Apply(name, args):
            call = tree.Call(name, args, span=payload.span)
            return tree.Block((call,), span=payload.span)
        case tree.Name(name):
            call = tree.Call(name, (), span=payload.span)
            return tree.Block((call,), span=payload.span)
        case _:
            return None


# ---- the table


@dataclass(frozen=True, slots=True)
class Construct:
    """One kind of declaration or clause.

    Attributes:
        kind: the word of the language, by which messages and records name the kind.
        space: the name space that its bare name enters; '' where its address has a dot.
        parts: what `change` may replace.
        owners: the kinds that may hold it as a clause, written inside or under their
            address; empty for what is no clause.
        captioned: a caption stands over its main part, so that a change of that
            leaves old words behind.
        outside: it may be written by itself, under the address of its owner.
        noun: how messages name one of it; "a KIND" where this is ''.
    """

    kind: str
    space: NameSpace = ""
    parts: tuple[Part, ...] = ()
    owners: frozenset[str] = frozenset()
    captioned: bool = False
    outside: bool = False
    noun: str = ""
    # the first part of each field, for those who walk over fields
    words: Mapping[str, str] = field(init=False, default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        """Note which part each field holds."""
        for part in self.parts:
            if not isinstance(part, Domains):
                word = cast("Expression", part).word
                cast("dict[str, str]", self.words).setdefault(part.field, word)


def _thing(
    kind: str, *parts: Part, noun: str = "", captioned: bool = False
) -> Construct:
    return Construct(kind, "thing", parts, noun=noun, captioned=captioned)


def _flow(
    kind: str, *parts: Part, noun: str = "", captioned: bool = False
) -> Construct:
    return Construct(kind, "flow", parts, noun=noun, captioned=captioned)


def _clause(
    kind: str,
    *parts: Part,
    owners: tuple[str, ...],
    noun: str = "",
    outside: bool = True,
) -> Construct:
    return Construct(kind, "", parts, frozenset(owners), True, outside, noun)


CONDITION, AMOUNT = Expression(MAIN, "condition"), Expression(MAIN, "amount")
STARTS, SEEN = Expression("starts", "starts"), Expression("seen", "seen")
GUARD, WHERE = Expression("if", "guard"), Expression("where", "where")

CONSTRUCTS: Mapping[type[tree.Node], Construct] = {
    # things
    tree.TypeDecl: _thing("type", Range(MAIN)),
    tree.Component: _thing("component", WHERE),
    tree.DiceDecl: _thing("dice", Faces(), WHERE, SEEN, noun="a family of dice"),
    tree.Tokens: _thing("tokens", AMOUNT, noun="a family of tokens"),
    tree.Zone: _thing("zone", Expression("limit", "at_most"), STARTS, SEEN),
    tree.State: _thing("state", STARTS, SEEN, Range()),
    tree.Value: _thing(
        "value", Expression(MAIN, "definition"), Range(), Domains(), captioned=True
    ),
    tree.Option: _thing("option", Expression(MAIN, "normally"), Range()),
    # the flow of the game
    tree.Phase: Construct(
        "phase",
        "flow",
        (
            GUARD,
            Inner("for", "for_whom", "source"),
            Inner("until", "until", "condition"),
            Inner("times", "until", "times"),
        ),
        frozenset({"phase"}),
    ),
    tree.Step: Construct(
        "step",
        "flow",
        (Statements(), Mode(), GUARD),
        frozenset({"phase"}),
        captioned=True,
    ),
    tree.Action: _flow("action", StepName(), Inner("by", "by", "source"), Domains()),
    tree.Effect: _flow("effect", Domains()),
    tree.Reaction: _flow("reaction"),
    tree.Adjust: _flow("adjust", AMOUNT, captioned=True),
    tree.Always: _flow("always", CONDITION, captioned=True),
    tree.Warn: _flow("warn", CONDITION, captioned=True, noun="a warning"),
    tree.Winners: _flow(
        "winners", Expression(MAIN, "who"), captioned=True, noun="the line of winners"
    ),
    # clauses
    tree.Needs: _clause(
        "needs",
        CONDITION,
        owners=("action", "effect", "reaction", "step"),
        noun="a condition",
    ),
    tree.Unwise: _clause(
        "unwise", CONDITION, owners=("action",), noun="a piece of advice"
    ),
    tree.Cost: _clause("cost", Statements(), Domains(), owners=("action",)),
    tree.Limit: _clause("limit", Expression(MAIN, "count"), owners=("action",)),
    tree.Does: _clause(
        "does",
        Statements(),
        owners=("action", "effect", "reaction"),
        noun="an effect's clause",
    ),
    tree.Asks: _clause(
        "asks",
        Expression(MAIN, "who"),
        owners=("action", "reaction"),
        noun="a question",
    ),
    tree.UsesUp: _clause(
        "uses up", Expression(MAIN, "measure"), owners=("action",), outside=False
    ),
    # what stands inside a declaration, or beside all
    tree.Layer: Construct("layer"),
    tree.ValueLayer: Construct("layer"),
    tree.Lift: Construct("lift", parts=(CONDITION,), captioned=True),
    tree.Assert: Construct("assert", parts=(CONDITION,)),
    tree.Remark: Construct("note"),
    tree.Field: Construct("field"),
    tree.Slot: Construct("slot"),
    tree.Word: Construct("member"),
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
    """Return the word of the language for a declaration."""
    return CONSTRUCTS[type(node)].kind


def parts_of(node: tree.Node) -> Parts:
    """Return every part of a declaration that `change` may replace, by its word.

    Clauses inside an action are not parts of it.
    """
    row = CONSTRUCTS.get(type(node))
    every = row.parts if row else ()
    return {word: payload for part in every for word, payload in part.read(node)}


def main_part(clause: tree.Clause) -> tree.Expr | tree.Block:
    """Return what a clause says: an expression, or statements."""
    main = parts_of(clause)[MAIN]
    assert not isinstance(main, str)  # only steps have modes
    return main


def with_part(node: tree.Node, word: str, new: tree.Payload) -> tree.Node | None:
    """Return the declaration with one part replaced; None where `new` cannot stand.

    `word` must be one that `parts_of` gives for this node.
    """
    for part in CONSTRUCTS[type(node)].parts:
        if any(known == word for known, _ in part.read(node)):
            return part.put(node, word, new)
    return None


def has_caption(node: tree.Node) -> bool:
    """Say whether a declaration may have a caption that other units can change."""
    return hasattr(node, "caption") and not isinstance(node, tree.Remark | tree.Assert)


def clause_address(owner: str, clause: tree.Clause) -> str:
    """Return the full address of a clause written inside its owner."""
    if isinstance(clause, tree.UsesUp):
        return f"{owner}.uses_up"
    return f"{owner}.{clause.name.text.removeprefix(owner + '.')}"
