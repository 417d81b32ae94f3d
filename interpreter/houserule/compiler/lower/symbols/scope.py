"""Scopes: the names visible at one place, and the expressions known not to be none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from houserule import ir
from houserule.base.diagnostics.diagnostic import Label
from houserule.base.frozen import slotted
from houserule.base.source import NOWHERE
from houserule.compiler.lower.symbols.symbol_table import SymbolTable, Uses
from houserule.compiler.lower.types import BROKEN, may_be_none
from houserule.ir.types import Maybe, Set, Type, members
from houserule.language.manifest.messages import E011
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import every_name_bound
from houserule.language.syntax.vocabulary import new_variable

Elaborate: TypeAlias = Callable[["Scope", tree.Expr, Type | None], ir.Expr]


@slotted
class Frame:
    """The slots of one procedure; slot 0 is `me`."""

    size: int = 1

    def take(self) -> int:
        """Return an unused slot."""
        self.size += 1
        return self.size - 1


def key_locals(keys: Sequence[ir.Param], first: int = 1) -> tuple[ir.Local, ...]:
    """Return the variables of keys, in consecutive slots."""
    return tuple(
        ir.Local(slot, key.name, key.type) for slot, key in enumerate(keys, first)
    )


def key_binds(keys: Sequence[ir.Param], first: int = 1) -> tuple[ir.Bind, ...]:
    """Return binders over all values of keys, in consecutive slots."""
    binds: list[ir.Bind] = []
    for slot, key in enumerate(keys, first):
        type_ = key.type
        assert not isinstance(type_, Set)
        every = ir.Const(tuple(members(type_)), Set(type_))  # type: ignore[arg-type]
        binds.append(ir.Bind((slot,), (key.name,), "member", type_, every, 1, None))
    return tuple(binds)


@slotted
class Scope:
    """One place in the rules.

    Attributes:
        elaborate: lowers an expression of the tree to the core.
        uses: the dependencies recorded here.
        frame: allocates slots.
        names: binders, parameters, variables.
        no_actor: why `me` is not allowed here; empty if a seat acts.
        phases: the enclosing phases, innermost first; None if unknown.
        present: expressions that a condition showed to be not none.
        may_ask_can: whether `can(step)` is allowed here.
        deciding: comparisons without which a phase or the game never ends.
        root: the whole clause, searched for tests of none.
        address: the clause's address, for streams and decisions.
    """

    symbols: SymbolTable
    elaborate: Elaborate
    uses: Uses
    frame: Frame = field(default_factory=Frame)
    names: dict[str, ir.Expr] = field(default_factory=dict)
    no_actor: str = ""
    phases: tuple[str, ...] | None = ()
    present: frozenset[tree.Expr] = frozenset()
    may_ask_can: bool = False
    root: tree.Node | None = None
    address: str = ""
    deciding: frozenset[tree.Expr] = frozenset()
    sites: int = 0
    reserved: list[int] = field(default_factory=list)

    # ---- expressions

    def read(self, expr: tree.Expr, wanted: Type | None = None) -> ir.Expr:
        """Lower an expression; `wanted` is only a hint."""
        return self.elaborate(self, expr, wanted)

    # ---- names

    def open(self) -> tuple[dict[str, ir.Expr], frozenset[tree.Expr]]:
        """Begin an inner scope; `close` takes what this returns."""
        kept = self.names, self.present
        self.names = dict(self.names)
        return kept

    def close(self, kept: tuple[dict[str, ir.Expr], frozenset[tree.Expr]]) -> None:
        """Leave an inner scope: drop its names and facts."""
        self.names, self.present = kept

    def bind(self, word: tree.Word, type_: Type) -> int:
        """Declare a variable and return its slot."""
        self.check_fresh(word)
        slot = self.reserved.pop(0) if self.reserved else self.frame.take()
        self.names[word.text] = ir.Local(slot, word.text, type_, span=word.span)
        return slot

    def bind_all(self, params: Sequence[ir.Param]) -> None:
        """Declare parameters in new slots; duplicates were reported before.

        A reaction's inherited names have no place: errors are reported at the event.
        """
        own: set[str] = set()
        for param in params:
            if param.name not in own and param.span != NOWHERE:
                self.check_fresh(tree.Word(param.name, span=param.span))
            own.add(param.name)
            slot = self.frame.take()
            self.names[param.name] = ir.Local(
                slot, param.name, param.type, span=param.span
            )

    def reserve(self, count: int) -> None:
        """Reserve the next slots for the next variables."""
        self.reserved = [self.frame.take() for _ in range(count)]

    def check_fresh(self, word: tree.Word) -> None:
        """Report a variable whose name means something else here."""
        taken = self.symbols.declared.get(word.text)
        if taken is not None:
            self.symbols.report(
                E011,
                f"`{word.text}` is {taken.noun}, so nothing else can have this name.",
                word.span,
                "choose another name",
                others=self.symbols.declared_at(taken),
            )
        elif word.text in self.names:
            span = self.names[word.text].span
            known = span.line and span != word.span
            self.symbols.report(
                E011,
                f"`{word.text}` is already named here.",
                word.span,
                "choose another name",
                others=(Label(span, f"`{word.text}` is named here"),) if known else (),
            )
        else:
            self.symbols.check_keyword(word)

    def new_variable(self, wanted: str = "x") -> str:
        """Return a name for a new variable that nothing in the clause has."""
        inside = every_name_bound(self.root) if self.root is not None else ()
        taken = {*self.names, *self.symbols.declared, *(each.text for each in inside)}
        return new_variable(taken, wanted)

    def know_variables(self, around: Sequence[str]) -> None:
        """Declare the variables of the enclosing phases, inner ones first."""
        for phase in around:
            variable = self.symbols.variables.get(phase)
            if variable is not None:
                self.names.setdefault(variable.name, variable)

    # ---- none

    def learn(self, condition: tree.Expr, *, holds: bool = True) -> None:
        """Record expressions that cannot be none if a condition holds (or fails)."""
        found: list[tree.Expr] = []
        _learn(condition, holds, found)
        if found:
            self.present = self.present.union(found)

    def narrowed(self, expr: tree.Expr, node: ir.Expr) -> ir.Expr:
        """Return the node with a type without none, if a condition showed that."""
        if not self.present or not may_be_none(node.type) or expr not in self.present:
            return node
        assert isinstance(node.type, Maybe)
        return replace(node, type=node.type.inner)

    def forget_state(self) -> None:
        """Drop the facts about everything that a statement can change."""
        if self.present:
            fixed = (each for each in self.present if self._is_fixed(each))
            self.present = frozenset(fixed)

    def _is_fixed(self, expr: tree.Expr) -> bool:
        match expr:
            case tree.Name(name):
                return name in self.names
            case tree.Dot(subject, field):
                return field != "face" and self._is_fixed(subject)
            case tree.DotAt(field, key):
                return self._is_fixed(field) and self._is_fixed(key)
            case _:
                return False

    # ---- places

    def site(self) -> str:
        """Return the next address of a decision in this clause."""
        self.sites += 1
        return self.address if self.sites == 1 else f"{self.address}.{self.sites}"


def broken(expr: tree.Expr | tree.Node) -> ir.Expr:
    """Return a placeholder for an expression whose error was reported."""
    return ir.Const(None, BROKEN, span=expr.span)


def _learn(condition: tree.Expr, holds: bool, found: list[tree.Expr]) -> None:
    """Collect the expressions that cannot be none if a condition holds, or fails.

    If either side is none, comparisons and memberships fail; `is not` negates `is`, so
    it holds with none, and shows something only if it fails.
    """
    match condition:
        case tree.Logic(op, left, right) if (op == "and") == holds:
            _learn(left, holds, found)
            _learn(right, holds, found)
        case tree.Not(operand):
            _learn(operand, not holds, found)
        case tree.Compare("is not", left, tree.NoneValue()) if holds:
            _note(left, found)
        case tree.Compare("is not", tree.NoneValue(), right) if holds:
            _note(right, found)
        case tree.Compare("is", left, tree.NoneValue()) if not holds:
            _note(left, found)
        case tree.Compare("is", tree.NoneValue(), right) if not holds:
            _note(right, found)
        case tree.Compare(_, _, tree.NoneValue()) | tree.Compare(_, tree.NoneValue()):
            pass
        case tree.Compare("is not", left, right):
            if not holds:
                _note(left, found)
                _note(right, found)
        case tree.Compare(_, left, right) if holds:
            _note(left, found)
            _note(right, found)
        case tree.Member(left, _, negated) if negated != holds:
            _note(left, found)
        case _:
            pass


def _note(expr: tree.Expr, found: list[tree.Expr]) -> None:
    match expr:
        case tree.Name() | tree.Apply():
            found.append(expr)
        case tree.Dot(subject) | tree.DotAt(tree.Dot(subject)):
            found.append(expr)
            _note(subject, found)
        case _:
            pass
