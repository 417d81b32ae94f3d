"""Symbols, the meanings of names; and the symbol table, which holds all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal, TypeAlias, TypeVar

from houserule import ir
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    fault,
    too_large,
)
from houserule.base.diagnostics.wording import did_you_mean, figures
from houserule.base.frozen import frozen, slotted
from houserule.base.limits import limit
from houserule.base.source import NOWHERE, Span
from houserule.compiler.lower.messages import E010, E012, E017
from houserule.compiler.lower.types import BROKEN, SEATS
from houserule.compiler.rules import Rules
from houserule.ir.types import Data, Kind, Type
from houserule.language.manifest.messages import E011
from houserule.language.syntax import tree
from houserule.language.syntax.messages import E005
from houserule.language.syntax.vocabulary import (
    BUILT_IN_TYPES,
    free_name,
    reserved,
    taken_built_in,
    taken_keyword,
)

KEY = TypeVar("KEY")
VALUE = TypeVar("VALUE")
MADE = TypeVar("MADE")


@frozen
class TypeSymbol:
    """A type: an enumeration, a named range, components, dice, `Player`."""

    name: str
    span: Span
    noun = "a type"


@frozen
class MemberSymbol:
    """A member of an enumeration, or a die."""

    name: str
    value: int
    kind: Kind
    span: Span
    noun = "a member"


@frozen
class OptionSymbol:
    """An option, with the value that the table chose."""

    name: str
    value: Data
    type: Type
    span: Span
    noun = "an option"


@frozen
class StateSymbol:
    """A state and its keys; `life` is the phase of `each`, or ''."""

    name: str
    keys: tuple[ir.Param, ...]
    type: Type
    life: str
    span: Span
    noun = "a state"


@frozen
class ZoneSymbol:
    """A zone and its keys."""

    name: str
    keys: tuple[ir.Param, ...]
    form: Literal["set", "pile", "slot"]
    member: Kind
    span: Span
    at_most: int | None = None
    noun = "a zone"

    @property
    def room(self) -> int:
        """How many things it can hold."""
        most = 1 if self.form == "slot" else self.member.size
        return most if self.at_most is None else min(most, self.at_most)


@frozen
class SlotSymbol:
    """A place where tokens of a family may lie."""

    name: str
    keys: tuple[ir.Param, ...]
    family: str
    span: Span
    amount: int = 0
    noun = "a place of tokens"


@frozen
class ValueSymbol:
    """A declared value."""

    name: str
    keys: tuple[ir.Param, ...]
    type: Type
    span: Span
    noun = "a value"


@frozen
class BuiltIn:
    """A name of the language itself; `taken` if the rules declare it, too."""

    name: str
    span: Span = NOWHERE
    taken: bool = False
    noun = "a built-in name"


Symbol: TypeAlias = (
    TypeSymbol
    | MemberSymbol
    | OptionSymbol
    | StateSymbol
    | ZoneSymbol
    | SlotSymbol
    | ValueSymbol
    | BuiltIn
)


@frozen
class FlowSymbol:
    """A phase, a step, an action, an effect, a reaction and the like."""

    name: str
    what: str
    span: Span

    @property
    def noun(self) -> str:
        """Its kind, with an article."""
        return f"{'an' if self.what[0] in 'aei' else 'a'} {self.what}"


# ---- the symbol table


@slotted
class Uses:
    """The dependencies of one part of the rules, each with the place of its first use.

    Attributes:
        owner: the part's owner: `value x`, `effect x`, `state x` or ''.
        phases: the enclosing phases, innermost first; None if unknown.
        histories: its counts of earlier items of phases.
        changing: whether it reads anything except states that changes during the game.
        imagining: whether it looks ahead to a position after an action.
    """

    owner: str
    phases: tuple[str, ...] | None
    states: dict[str, Span] = field(default_factory=dict)
    values: dict[str, Span] = field(default_factory=dict)
    effects: dict[str, Span] = field(default_factory=dict)
    histories: dict[object, Span] = field(default_factory=dict)
    changing: bool = False
    imagining: bool = False


Rows: TypeAlias = tuple[tuple[Data, ...], ...]


@frozen
class Question:
    """An expression that must be constant, with rows of arguments for it."""

    expr: tree.Expr
    type: Type
    params: tuple[ir.Param, ...] = ()
    rows: Rows = ((),)


@frozen
class Answer:
    """The results of the expression by row; if it is not constant, why, and where."""

    results: tuple[Data, ...] | None = None
    why: str = ""
    span: Span = NOWHERE


@slotted
class Listed:
    """The enumerated members of ranges and kinds, and their total number.

    Lowering does not depend on them, so this is not a mapping, which would be watched.
    """

    made: dict[range, tuple[int, ...]] = field(default_factory=dict)
    many: int = 0


@slotted
class SymbolTable:
    """The declarations of the composed rules, and the diagnostics found so far.

    Attributes:
        declared: symbols by name.
        flow: by name; a name may be in both.
        types: named types that are not kinds, resolved on demand.
        kinds, labels: of every closed set of named things.
        fields: kind -> field -> type.
        rows: kind -> field -> value of each member.
        keyed: kind -> field with a key, which is in neither of these two.
        faces: of dice kinds.
        read_by: dice kind -> value.
        hooks: event and moment -> the names of the reactions there, by alphabet.
        uses: the dependencies of each part of the rules, with the enclosing phases.
        variables: phase -> its variable, for phases whose variable is not `me`.
        unclear: product -> code, message and place of an error in its condition, unless
            its type is wrong.
        asked, answers: the constants needed during declaration (`lower.constants`).
    """

    rules: Rules
    declared: dict[str, Symbol] = field(default_factory=dict)
    flow: dict[str, FlowSymbol] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ids: dict[str, dict[str, int]] = field(default_factory=dict)
    fields: dict[str, dict[str, Type]] = field(default_factory=dict)
    rows: dict[str, dict[str, tuple[Data, ...]]] = field(default_factory=dict)
    keyed: dict[str, dict[str, ir.KeyedField]] = field(default_factory=dict)
    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)
    read_by: dict[str, str] = field(default_factory=dict)
    effects: dict[str, tuple[ir.Param, ...]] = field(default_factory=dict)
    variables: dict[str, ir.PhaseVar] = field(default_factory=dict)
    resolving: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    hooks: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    unclear: dict[str, tuple[MessageCode, str, Span]] = field(default_factory=dict)
    listed: Listed = field(default_factory=Listed)
    uses: list[Uses] = field(default_factory=list)
    asked: dict[str, Question] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)

    def answer(self, key: str, question: Question) -> Answer | None:
        """Return the answer to a question; if there is none, ask it and return None."""
        answer = self.answers.get(key)
        if answer is None:
            self.asked[key] = question
        return answer

    def report(
        self,
        code: MessageCode,
        message: str,
        span: Span,
        label: str = "",
        *,
        others: Iterable[Label] = (),
        details: Iterable[str] = (),
        fixes: Iterable[str] = (),
    ) -> None:
        """Record a diagnostic."""
        self.diagnostics.append(
            fault(
                code, message, span, label, others=others, details=details, fixes=fixes
            )
        )

    def is_within(
        self, name: str, many: int, what: str, span: Span, fixes: Iterable[str] = ()
    ) -> bool:
        """Return whether a number is within a limit; report E050 if not.

        Args:
            what: the message, with `{many}` for the number.
        """
        if many <= limit(name):
            return True
        message = what.format(many=figures(many))
        self.diagnostics.append(too_large(name, message, span, fixes=fixes))
        return False

    def clause_at(self, span: Span) -> str:
        """Return the address of the clause around a place of the rules."""
        begun = [
            (each.span.line, each.span.column, each.address)
            for each in self.rules.clauses.values()
            if each.span.file == span.file
        ]
        here = [each for each in begun if each[:2] <= (span.line, span.column)]
        return max(here)[2] if here else ""

    def nobody_acts(
        self,
        around: Iterable[str],
        message: str,
        span: Span,
        label: str = "",
        *,
        wanted: str = "",
        fixes: Iterable[str] = (),
    ) -> None:
        """Record E017: no acting seat where one is needed.

        If an enclosing phase iterates over the seats with a variable that is not `me`,
        that is the error, and it is the same error wherever it shows.

        Args:
            message: the error, if no phase iterates over the seats.
        """
        for phase in around:
            variable = self.variables.get(phase)
            if variable is not None and variable.type == self.seats:
                message = (
                    f"Nobody acts in `{phase}`: the player who acts is always called "
                    "`me`."
                )
                span, label, wanted = variable.span, "did you mean `me`?", ""
                break
        details = (wanted,) if wanted else ()
        self.report(E017, message, span, label, details=details, fixes=fixes)

    def add_kind(self, kind: Kind, labels: tuple[str, ...]) -> None:
        """Declare a closed set of named things."""
        self.kinds[kind.name] = kind
        self.labels[kind.name] = labels
        self.ids[kind.name] = {label: place for place, label in enumerate(labels)}

    def check_keyword(self, word: tree.Word, *, of_type: bool = False) -> None:
        """Report a reserved word; `position` is reserved for types."""
        if word.text in reserved() or (of_type and word.text == "position"):
            fixes = (free_name(word.text),)
            self.report(E005, taken_keyword(word.text), word.span, fixes=fixes)

    def check_free(
        self, symbol: Symbol | FlowSymbol, other: Symbol | FlowSymbol, span: Span
    ) -> None:
        """Report a name that `other` has already, unless both are the same symbol."""
        if other is symbol:
            return
        if isinstance(other, BuiltIn) or symbol.name in BUILT_IN_TYPES:
            self.declared[symbol.name] = BuiltIn(symbol.name, taken=True)
            fixes = (free_name(symbol.name),)
            self.report(E011, taken_built_in(symbol.name), span, fixes=fixes)
            return
        self.report(
            E011,
            f"`{symbol.name}` is declared twice.",
            span,
            f"here it is {symbol.noun}",
            others=self.declared_at(other),
        )

    def not_a(
        self,
        word: tree.Word,
        wanted: str,
        what: str,
        known: Iterable[str],
        code: MessageCode = E012,
        *,
        fixes: Iterable[str] = (),
    ) -> None:
        """Report a name of something else, or an unknown name as E010.

        Args:
            wanted: what to use in its place, the end of the sentence.
            fixes: what to write in place of that name.
        """
        name = word.text
        other = self.flow.get(name) or self.declared.get(name)
        if other is not None:
            message = f"`{name}` is {other.noun}; {wanted}."
            others = self.declared_at(other)
            self.report(code, message, word.span, others=others, fixes=fixes)
        else:
            hint = did_you_mean(name, known)
            self.report(E010, f"There is {what} called `{name}`.", word.span, hint)

    @staticmethod
    def declared_at(symbol: Symbol | FlowSymbol) -> tuple[Label, ...]:
        """Return the place of a declaration, for a message."""
        if not symbol.span.line:
            return ()
        return (Label(symbol.span, f"`{symbol.name}` is {symbol.noun}"),)

    @property
    def somewhere(self) -> Span:
        """A place in the rules, for errors about something missing everywhere."""
        spans = [each.span for each in self.rules.clauses.values()]
        return min(spans, default=NOWHERE)

    @property
    def seats(self) -> Kind:
        return self.kinds.get(SEATS, BROKEN)

    def parent(self, phase: str) -> str:
        """Return the enclosing phase of a phase, or ''."""
        placed = self.rules.phases.get(phase)
        return "" if placed is None else placed.phase

    def around(self, phase: str) -> tuple[str, ...]:
        """Return a phase and its enclosing ones, innermost first, without the game."""
        found: list[str] = []
        while phase in self.rules.phases and phase not in found:
            found.append(phase)
            phase = self.parent(phase)
        return tuple(found)

    def children(self, phase: str) -> frozenset[str]:
        """Return the names of the steps and phases in a phase."""
        phases = self.rules.phases.items()
        steps = self.rules.steps.items()
        return frozenset(
            [name for name, placed in phases if placed.phase == phase]
            + [name for name, placed in steps if placed.phase == phase]
        )
