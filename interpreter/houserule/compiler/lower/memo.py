"""Memoized lowering: a declaration is lowered again only if something changed.

The tables of one ruleset differ in few clauses, and `check` lowers hundreds of them.
The result of lowering depends only on the declaration's tree and on its look-ups in the
symbol table. So lowering a declaration records every look-up with its answer. The old
result holds at another table if the same look-ups have the same answers. No dependency
can be forgotten, because a watched symbol table records every read.

Answers are compared by content: equal contents have one number. The next look-up
depends only on the answers so far, so the recorded look-ups of a declaration form a
decision tree with a question at each node, a branch for each answer, and results as
leaves.

A lowering that reported an error is not stored; it runs again, so that its messages
come in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, replace
from operator import is_
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from houserule.base.algebra.equality import ContentNumbers
from houserule.base.frozen import slotted

# A symbol table holds its memo: a cycle of types only.
from houserule.ir import Program
from houserule.ir.facts import NodeFacts

if TYPE_CHECKING:
    from houserule.compiler.lower.symbols.symbol_table import SymbolTable, Uses

KEY = TypeVar("KEY")
VALUE = TypeVar("VALUE")
MADE = TypeVar("MADE")
LookUp: TypeAlias = tuple[str, object]  # the name of a mapping, and a key

_ALL_KEYS = object()
_MISSING = -1


class Watched(dict[KEY, VALUE]):
    """A mapping that records reads while a declaration is lowered.

    A value that is read becomes the one object that all tables share for its content.
    `numbers` are the content numbers of the values read so far.
    """

    def __init__(self, name: str, content: Mapping[KEY, VALUE], memo: Memo) -> None:
        super().__init__(content)
        self.name, self._memo = name, memo
        self.numbers: dict[object, int] = {}

    def number(self, key: object) -> int:
        """Return the content number of a key's value, without recording a look-up."""
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = self._numbered(key)
        return number

    def _numbered(self, key: Any) -> int:  # noqa: ANN401  # as of dict
        place, contents = (self.name, key), self._memo.contents
        if key is _ALL_KEYS:
            return contents.intern(place, tuple(super().__iter__()))[0]
        if not super().__contains__(key):
            return _MISSING
        number, value = contents.intern(place, super().__getitem__(key))
        super().__setitem__(key, value)
        return number

    def __setitem__(self, key: KEY, value: VALUE) -> None:
        self.numbers.pop(_ALL_KEYS, None)
        self.numbers.pop(key, None)
        super().__setitem__(key, value)

    def _note(self, key: object) -> None:
        trace = self._memo.trace
        if trace is not None and (self.name, key) not in trace:
            trace[self.name, key] = self.number(key)

    def __getitem__(self, key: KEY) -> VALUE:
        if self._memo.trace is not None:
            self._note(key)
        return super().__getitem__(key)

    def get(self, key: KEY, default: Any = None) -> Any:  # noqa: ANN401  # as of dict
        """Return the value of a key, or the default."""
        if self._memo.trace is not None:
            self._note(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        if self._memo.trace is not None:
            self._note(key)
        return super().__contains__(key)

    def __iter__(self) -> Iterator[KEY]:
        self._note(_ALL_KEYS)
        return super().__iter__()

    def __len__(self) -> int:
        self._note(_ALL_KEYS)
        return super().__len__()

    def keys(self) -> Any:  # noqa: ANN401  # as of dict
        """Return the keys."""
        self._note(_ALL_KEYS)
        return super().keys()

    def values(self) -> Any:  # noqa: ANN401  # as of dict
        """Return the values; each counts as read."""
        if self._memo.trace is None:
            return super().values()
        return [self[key] for key in self]

    def items(self) -> Any:  # noqa: ANN401  # as of dict
        """Return keys and values; each counts as read."""
        if self._memo.trace is None:
            return super().items()
        return [(key, self[key]) for key in self]


@slotted
class _Node:
    """A question with its branches; or a leaf, which has a result and no question.

    `uses` are the dependencies that the lowering recorded for whole-program checks.
    """

    question: LookUp | None = None
    branches: dict[int, _Node] = field(default_factory=dict)
    done: bool = False
    made: object = None
    uses: tuple[Uses, ...] = ()


@slotted
class Memo:
    """Results of lowering for the tables of one ruleset; the trace of one lowering.

    `programs` has those of tables without diagnostics, by table. `made` has objects by
    the identities of their parts; it keeps the parts, so that no identity is reused.
    `equals` has one representative of equal values without places. `facts` are those
    of core nodes.
    """

    trace: dict[LookUp, int] | None = None
    programs: dict[str, Program] = field(default_factory=dict)
    made: dict[tuple[object, ...], tuple[tuple[object, ...], Any]] = field(
        default_factory=dict
    )
    equals: dict[tuple[type, object], Any] = field(default_factory=dict)
    facts: NodeFacts = field(default_factory=NodeFacts)
    _roots: dict[tuple[object, ...], _Node] = field(default_factory=dict)
    contents: ContentNumbers = field(default_factory=ContentNumbers)

    def watched(self, symbols: SymbolTable) -> SymbolTable:
        """Return a symbol table with the same content that records look-ups.

        Every mapping in it is watched, including those of the composed rules.
        """
        found: list[Watched[Any, Any]] = []

        def watch(holder: object, prefix: str = "") -> dict[str, Any]:
            values = {each.name: getattr(holder, each.name) for each in fields(holder)}  # type: ignore[arg-type]  # a dataclass
            own = {
                name: Watched(prefix + name, value, self)
                for name, value in values.items()
                if isinstance(value, Mapping)
            }
            found.extend(own.values())
            return own

        table = replace(symbols.rules.table, **watch(symbols.rules.table, "table."))
        rules = replace(symbols.rules, table=table, **watch(symbols.rules, "rules."))
        seen = replace(symbols, rules=rules, **watch(symbols))
        seen.watched = {each.name: each for each in found}
        return seen

    def recall(
        self,
        symbols: SymbolTable,
        owner: tuple[str, str],
        inputs: tuple[object, ...],
        make: Callable[[], MADE],
    ) -> MADE:
        """Return the result of `make`, or an old one if all look-ups agree."""
        root = self._root(owner, inputs)
        # The leaf that the answers of a symbol table lead to, or None.
        node: _Node | None = root
        watched = symbols.watched
        while node is not None and node.question is not None:
            name, key = node.question
            place = watched[name]
            number = place.numbers.get(key)
            node = node.branches.get(place.number(key) if number is None else number)
        leaf = node if node is not None and node.done else None
        if leaf is not None:
            symbols.uses.extend(leaf.uses)
            return cast("MADE", leaf.made)
        faults, uses = len(symbols.diagnostics), len(symbols.uses)
        self.trace = {}
        try:
            made = make()
            trace = self.trace
        finally:
            self.trace = None
        if len(symbols.diagnostics) == faults:
            # The leaf at the end of a trace; missing nodes are created.
            node = root
            for question, answer in trace.items():
                if node.question != question:
                    node.question, node.branches, node.done = question, {}, False
                found = node.branches.get(answer)
                if found is None:
                    found = node.branches[answer] = _Node()
                node = found
            leaf = node
            leaf.done, leaf.made, leaf.uses = True, made, tuple(symbols.uses[uses:])
        return made

    def _root(self, owner: tuple[str, str], inputs: tuple[object, ...]) -> _Node:
        """Return the root of a declaration's decision tree, for some inputs.

        Most inputs are identical to earlier objects.
        """
        key = (*owner, *map(id, inputs))
        known = self.made.get(key)
        if known is not None:
            found: _Node = known[1]
            return found
        given = [
            self.contents.intern((*owner, n), each) for n, each in enumerate(inputs)
        ]
        place = (*owner, *(number for number, _ in given))
        root = self._roots.get(place)
        if root is None:
            root = self._roots[place] = _Node()
        if all(map(is_, inputs, (each for _, each in given))):
            self.made[key] = (inputs, root)
        return root
