"""The parts of a game: lines about the file, types, zones, state, definitions."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.language.syntax.tree.expressions import Expr
from houserule.language.syntax.tree.statements import Params
from houserule.language.syntax.tree.terms import Node, Notes, Text, Type, Word

# ---- about the file


@frozen
class Players(Node):
    """`players 3..6`."""

    low: int
    high: int
    notes: Notes = ()


@frozen
class SourceText(Node):
    """`source book "The printed rules, …"`: a register of sentences by that name."""

    name: Word
    title: Text


@frozen
class Relates(Node):
    """`requires a, b`, `implies a`, `excludes a`."""

    kind: Literal["requires", "implies", "excludes"]
    names: tuple[Word, ...]
    notes: Notes = ()


@frozen
class OneOf(Node):
    """`exactly one of edition: german, french normally german`.

    `normally` names the default of tables that choose none of them. `at most one of` is
    the same with `or_none`: a table may also have none of them.
    """

    name: Word
    names: tuple[Word, ...]
    normally: Word | None = None
    or_none: bool = False
    notes: Notes = ()


@frozen
class Suggests(Node):
    """`suggests a, b`: a hint for choosing a table; it switches nothing on."""

    names: tuple[Word, ...]
    notes: Notes = ()


@frozen
class Sealed(Node):
    """`sealed spend.away`, in a game; one node for each address written."""

    target: Word
    notes: Notes = ()


@frozen
class NeedsPlayers(Node):
    """`needs players 4..6`: the variant requires this number of seats."""

    low: int
    high: int
    notes: Notes = ()


@frozen
class Extends(Node):
    """`extends official`, in a preset."""

    name: Word


@frozen
class PresetWith(Node):
    """`with a, b`, in a preset."""

    names: tuple[Word, ...]


@frozen
class PresetSet(Node):
    """`set winning_score: 150`, in a preset."""

    name: Word
    value: Expr


@frozen
class Remark(Node):
    """`note "…" [cite]`: a true remark without a clause; covers its sentence."""

    caption: Text
    notes: Notes = ()


# ---- declarations


@frozen
class ValuedMember(Word):
    """`ones(1)`: a member of an enumeration, with the values of its fields in order.

    A member without brackets is a plain word.
    """

    values: tuple[Expr, ...]


@frozen
class Field(Node):
    """`income: 0..9` of a component, `pips: 1..6 or none` of an enumeration.

    `rent(houses: 0..5): 0..2000` of a component has a value for each key.
    """

    name: Word
    type: Type
    notes: Notes = ()
    params: Params = ()  # at most one, the key


@frozen
class TypeDecl(Node):
    """`type Face = 1..6`, `type Suit = suns | moons`, `type Box = ones(1) | rest`."""

    name: Word
    members: tuple[Word, ...]  # of an enumeration, else empty
    type: Type | None  # of a named range, else None
    notes: Notes = ()
    caption: Text | None = None
    fields: tuple[Field, ...] = ()  # of an enumeration


@frozen
class AlikeLine(Node):
    """`those with the same kind and trade are alike` below things or dice."""

    names: tuple[Word, ...]
    notes: Notes = ()


@frozen
class TableCell(Node):
    """A cell of a row in a table; not part of a rules file.

    Its name is its address: `Card.guard.rank`.
    """

    name: Word
    value: Expr


@frozen
class Component(Node):
    """`component Card from "x.yaml"`, `component Cell for each row: 1..4, …`.

    With `where`, a product has only the combinations that fulfil it. `called` is the
    pattern of its members' names: `"{rank}_of_{suit}"`.
    """

    name: Word
    rows: Text | None
    each: Params
    fields: tuple[Field, ...]
    notes: Notes = ()
    where: Expr | None = None
    called: Text | None = None
    alike: AlikeLine | None = None


@frozen
class DiceDecl(Node):
    """`dice Die: red, green showing 1..6 read by pips`, `dice Die for each …`."""

    name: Word
    members: tuple[Word, ...]
    each: Params
    faces: tuple[Expr, ...]
    read_by: Word | None
    seen: Expr | None
    notes: Notes = ()
    where: Expr | None = None  # as of components
    called: Text | None = None
    alike: AlikeLine | None = None


@frozen
class SlotKey(Node):
    """`p` (a key of the family) or `c: Card` (a further key)."""

    name: Word
    type: Word | None


@frozen
class Slot(Node):
    """`markers(p, c: Card)`: a place where tokens of a family may lie."""

    name: Word
    keys: tuple[SlotKey, ...]


@frozen
class Tokens(Node):
    """`tokens marker(p: Player): 34 in supply(p), markers(p, c: Card)`."""

    name: Word
    params: Params
    caption: Text | None
    amount: Expr
    slots: tuple[Slot, ...]
    notes: Notes = ()


@frozen
class Zone(Node):
    """`zone hand(p: Player): set of Card at most 5 seen only by p`; one per name."""

    name: Word
    params: Params
    caption: Text | None
    kind: Literal["set", "pile", "slot"]
    member: Word
    at_most: Expr | None
    showing: tuple[Word, ...]
    starts: Expr | None
    seen: Expr | None
    notes: Notes = ()


@frozen
class State(Node):
    """`state owed: 0..60 each turn starts as 0`."""

    name: Word
    params: Params
    caption: Text | None
    type: Type
    each: Word | None
    starts: Expr
    seen: Expr | None
    notes: Notes = ()


LayerOp: TypeAlias = Literal["times", "plus", "at least", "at most"]


@frozen
class ValueLayer(Node):
    """`then times doubled, if any`, below a value."""

    op: LayerOp
    name: Word
    notes: Notes = ()


@frozen
class Value(Node):
    """`value income(c: Card): 0..99 = c.income`.

    With `asks itself, at most 20 deep` it may use itself.
    """

    name: Word
    params: Params
    caption: Text | None
    type: Type
    definition: Expr
    layers: tuple[ValueLayer, ...]
    notes: Notes = ()
    deep: int | Word | None = None


@frozen
class Layer(Node):
    """`extend income with plus joined, if any, after printed, before doubled`."""

    name: Word
    op: LayerOp
    after: Word | None
    before: Word | None
    notes: Notes = ()


@frozen
class Adjust(Node):
    """`add to income.managed(c) called manager_bonus: circles(c)`.

    `op` is set by the verb. It must be the operation of the layer, so comparisons of
    contributions ignore it.
    """

    target: Word
    params: tuple[Word, ...]
    name: Word
    caption: Text | None
    amount: Expr
    notes: Notes
    op: LayerOp = field(compare=False)


@frozen
class Option(Node):
    """`option winning_score: 60..300 step 10 normally 120`."""

    name: Word
    caption: Text | None
    type: Type
    step: int | None
    normally: Expr
    notes: Notes = ()


@frozen
class Always(Node):
    """`always visible_heads: …`: an invariant, checked at every decision."""

    name: Word
    params: Params
    caption: Text | None
    condition: Expr
    notes: Notes = ()


@frozen
class Warn(Node):
    """`warn dead_ends "caption": C`: a warning about a table before play, if C holds.

    C is yes or no, or a set: the members of a set are listed.
    """

    name: Word
    caption: Text | None
    condition: Expr
    notes: Notes = ()


@frozen
class Winners(Node):
    """`winners "…": those p in players with most score(p)`."""

    caption: Text | None
    who: Expr
    notes: Notes = ()


@frozen
class DrawnBy(Node):
    """`drawn by standstill "caption": C`: if C holds, the game ends as a draw."""

    name: Word
    caption: Text | None
    condition: Expr
    notes: Notes


@frozen
class Striving(Node):
    """`bots strive for "…": those p in players with most progress(p)`."""

    caption: Text | None
    who: Expr
    notes: Notes


About: TypeAlias = (
    Players
    | SourceText
    | Relates
    | OneOf
    | Suggests
    | Sealed
    | NeedsPlayers
    | Extends
    | PresetWith
    | PresetSet
    | Remark
)
ThingDecl: TypeAlias = (
    TypeDecl
    | Component
    | DiceDecl
    | Tokens
    | Zone
    | State
    | Value
    | Layer
    | Adjust
    | Option
    | Always
    | Warn
    | Winners
    | DrawnBy
    | Striving
)
