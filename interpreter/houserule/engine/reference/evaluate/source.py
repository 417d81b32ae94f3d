"""Expressions as Python source, compiled once per program.

The core says what a rule means as a tree (`ir.expressions`). To play, the engine writes
each expression of the tree as Python source, and Python compiles that once. An
expression such as `score(p) + 2 >= target`, with p in slot 3 of the frame, becomes

    lambda k0, k1: lambda ctx, f: (
        (ctx.store.cells[k0][f[3]] + 2) >= ctx.store.cells[k1][0]
    )

A function for each node would spend most of its time in calls. Here one function
evaluates the whole expression, and games take up to a quarter less time. `ctx`
is the running game and `f` the frame, the list of local values. A query is a function
with loops, such as

    def made(k0, k1, k2):
     def q0(ctx, f):
      n = 0
      for f[4] in counted(ctx, k0, k1):
       if (k2[f[4]] == 2):
        n += 1
      return n
     return q0

The variables of a query are slots of the frame, as everywhere in the core. So every
function has the same two arguments, and a part of an expression can always move into a
function of its own. `Writer` uses that for queries, and in three places where Python
has a limit: after `DEEP` levels of brackets, after `MANY_LOOPS` loops in each other,
and for many rows of cases, which become statements.

Rules come from strangers, and none of their text gets into the source. A source is made
of the templates below, of generated names (`k0`, `q1`, `v2`), of whole numbers, `True`,
`False` and `None`, and of the names in `CALLED`. All else is a prepared object: a name
of a state, a set, a span, a column of fields. It gets a name `k…`, and is an argument
of the outer function. The operators of a rule select templates from tables. The source
runs without Python's built-in functions, except those in `CALLED`.

A source does not depend on these objects, so that expressions of the same form have the
same source: `score(p)` and `lives(p)`, or one expression at two tables of a game.
`_factory` keeps the compiled ones, because compiling takes longer than most expressions
run in one game. For the same reason the evaluator writes an expression only when it is
first evaluated.

Operands are evaluated from left to right, and only those that matter. A fault has the
span of its node: the source calls an operation that raises, with the span as an
argument. Work counts where a set is visited: `counted` and other operations subtract it
from `ctx.left`, and raise F11 below 0. Queries with little to visit do not count
(`Costs.bound`, `FEW`). Calls of values go through `Values`, which remembers results.

Some Python is needed to read the templates. `(v := x)` stores an operand that is used
twice. `A if C else B` evaluates C first: `(v if (v := x) is not None else missing(k))`
is x, or a fault if x is `none`. Each template is closed by brackets or is a single
term, so templates combine without a table of precedence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from houserule import ir
from houserule.base.algebra.arithmetic import DIVISIONS, OPERATIONS
from houserule.base.source import Span
from houserule.engine.reference.evaluate.context import Code
from houserule.engine.reference.evaluate.operations import CALLED
from houserule.engine.reference.evaluate.work import FEW
from houserule.engine.state.domains import fits
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import BOTTOM, TOP
from houserule.ir import types
from houserule.ir.walk import conjuncts, none_for_none, option_binds, slots_read

if TYPE_CHECKING:
    from houserule.engine.reference.evaluate.expressions import Evaluator

DEEP = 16
"""Levels of nodes in one function; each has up to 4 brackets, and Python allows 200."""

MANY_LOOPS = 8
"""Loops in one function; Python allows 20."""

PLAIN_NUMBERS = range(-(1 << 31), 1 << 31)
"""Whole numbers that a source may contain."""

Query: TypeAlias = ir.Aggregate | ir.CountOf | ir.Quantifier | ir.Pick
Loop: TypeAlias = tuple[int, str, str, list[str]]
"""A slot, the name of what its loops share or '', what to visit or '', the tests."""

BINARY: Final[Mapping[str, str]] = {
    "+": "({} + {})",
    "-": "({} - {})",
    "*": "({} * {})",
    "min": "min({}, {})",
    "max": "max({}, {})",
}
UNARY: Final[Mapping[str, str]] = {"-": "(-{})", "abs": "abs({})", "seat": "abs({})"}
PRESENT: Final[Mapping[str, str]] = {
    "==": "({} == {})",
    "!=": "({} != {})",
    ">=": "({} >= {})",
    "<=": "({} <= {})",
    ">": "({} > {})",
    "<": "({} < {})",
}
WITH_NONE: Final[Mapping[str, str]] = {
    "==": "(({v} := {0}) == {1} and {v} is not None)",
    "!=": "(not (({v} := {0}) == {1} and {v} is not None))",
    ">=": "ordered(ge, {0}, {1})",
    "<=": "ordered(le, {0}, {1})",
    ">": "ordered(gt, {0}, {1})",
    "<": "ordered(lt, {0}, {1})",
}
LOGIC: Final[Mapping[str, str]] = {"and": "({} and {})", "or": "({} or {})"}
FOLDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "sum": ("n = 0", "n += {}", "return n"),
    "highest": (
        "n = None",
        "v = {}\nif v is not None and (n is None or v > n): n = v",
        "return n",
    ),
    "lowest": (
        "n = None",
        "v = {}\nif v is not None and (n is None or v < n): n = v",
        "return n",
    ),
    "some": ("", "if {}: return True", "return False"),
    "no": ("", "if {}: return True", "return False"),
    "every": ("", "if not {}: return False", "return True"),
}
"""By the kind of a query, what is before its loops, innermost in them, and at the end.

The innermost lines get a value: of the body, or of a function with further loops.
"""


@lru_cache(maxsize=1024)
def _factory(source: str) -> Callable[..., Any]:
    """Return the function that makes an expression's code from its objects."""
    found: dict[str, Any] = {}
    if source.startswith("lambda"):  # a third quicker
        found["made"] = eval(compile(source, "<expression>", "eval"), _NAMES)
    else:
        exec(compile(source, "<expression>", "exec"), _NAMES, found)
    made: Callable[..., Any] = found["made"]
    return made


_NAMES: Final[dict[str, object]] = {**CALLED, "__builtins__": {}}


class Writer:
    """The source of one expression, and the objects that it needs."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._c, self._program = evaluator, evaluator.program
        self._objects: dict[int, tuple[str, object]] = {}
        self._functions: list[str] = []
        self._names: set[str] = set()
        self._depth, self._fresh = 0, count()

    def code(self, text: str) -> Code:
        objects = [value for _, value in self._objects.values()]
        made: Code = _factory(self.source(text))(*objects)
        return made

    def source(self, text: str) -> str:
        objects = ", ".join([name for name, _ in self._objects.values()])
        name = text.removesuffix("(ctx, f)")
        code = name if name in self._names else f"lambda ctx, f: {text}"
        if not self._functions:
            return f"lambda {objects}: {code}"
        lines = [f"def made({objects}):", *self._functions, f" return {code}"]
        return "\n".join(lines)

    # ---- names

    def _known(self, value: object) -> str:
        """Return a number, or the name of any other object."""
        if value is None or isinstance(value, bool):
            return repr(value)
        if type(value) is int and value in PLAIN_NUMBERS:
            return f"{value:d}"
        number = len(self._objects)
        name, _ = self._objects.setdefault(id(value), (f"k{number:d}", value))
        return name

    def _name(self, letter: str) -> str:
        return f"{letter}{next(self._fresh)}"

    def _function(self, lines: Sequence[str], *more: str) -> str:
        name = self._name("q")
        self._names.add(name)
        self._functions.append(f" def {name}({', '.join(('ctx', 'f', *more))}):")
        self._functions += [f"  {line}" for line in lines]
        return name

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """Count brackets from 0, for a separate function."""
        before, self._depth = self._depth, 0
        yield
        self._depth = before

    def _apart(self, write: Callable[[ir.Expr], str], node: ir.Expr) -> str:
        with self._inside():
            text = write(node)
        return self._function([f"return {text}"])

    # ---- what a node must be

    def any(self, node: ir.Expr) -> str:
        constant = self._c.constant(node)
        if constant is not None:
            return self._known(constant.value)
        if self._depth >= DEEP:
            return f"{self._apart(self.node, node)}(ctx, f)"
        self._depth += 1
        text = self.node(node)
        self._depth -= 1
        return text

    def present(self, node: ir.Expr) -> str:
        """Return the text of a value that must be present, else F03."""
        text = self.any(node)
        if not isinstance(node.type, types.Maybe):
            return text
        return self._or_fault(text, "missing", node.span)

    def truth(self, node: ir.Expr) -> str:
        """Return the text of a condition; none counts as no."""
        text = self.any(node)
        return f"({text} is True)" if isinstance(node.type, types.Maybe) else text

    def _or_fault(self, text: str, fault: str, span: Span) -> str:
        v = self._name("v")
        return f"({v} if ({v} := {text}) is not None else {fault}({self._known(span)}))"

    # ---- nodes

    def node(self, node: ir.Expr) -> str:
        """Return the text of an expression that is not a known constant."""
        k = self._known
        maybe = isinstance(node.type, types.Maybe)
        match node:
            case ir.Const(value):
                return k(value)
            case ir.Local(0) if not maybe:
                return self._or_fault("f[0]", "nobody", node.span)
            case ir.Local(slot):
                return f"f[{slot:d}]"
            case ir.PhaseVar(phase):
                text = f"ctx.phase_items.get({k(phase)})"
                return text if maybe else self._or_fault(text, "missing", node.span)
            case ir.Can(step):
                return f"ctx.can({k(step)})"
            case ir.Doing():
                return "ctx.doing"
            case ir.ReadCell() | ir.TokenCount() if cases := none_for_none(node):
                return self.any(cases)
            case ir.ReadCell(state, keys):
                index = self.index(state, keys, node.span)
                return f"ctx.store.cells[{k(state)}][{index}]"
            case ir.TokenCount(slot, keys):
                index = self.index(slot, keys, node.span)
                return f"ctx.store.tokens[{k(slot)}][{index}]"
            case ir.ReadFace(die, kind):
                return self._column(f"ctx.store.faces[{k(kind.name)}]", die)
            case ir.ReadField(subject, kind, field):
                _, column = self._program.components[kind.name].fields[field]
                return self._column(k(column), subject)
            case ir.ReadEntry(subject, kind, field, key):
                keyed = self._program.components[kind.name].keyed[field]
                entries = [dict(zip(keyed.keys, e, strict=True)) for e in keyed.rows]
                at = self.argument(key, keyed.key)
                return f"entry({k(entries)}, {self.any(subject)}, {at})"
            case ir.MemberAt(kind, parts):
                members = self._program.components[kind.name].parts(len(parts))
                table = {row: number for number, row in enumerate(members)}
                return f"{k(table)}.get({self._tuple(map(self.any, parts))})"
            case ir.Contents(zone) if self._program.zones[zone].kind == "pile":
                return f"tuple(sorted({self._zone(node)}))"
            case ir.Contents():
                return self._zone(node)
            case ir.ZoneSize():
                return f"len({self._zone(node)})"
            case ir.PileTop(end=end, index=None):
                return f"end_of({self._zone(node)}, {-1 if end == 'top' else 0})"
            case ir.PileTop(end=end, index=deep) if deep is not None:
                of = f"{self._zone(node)}, {self.present(deep)}"
                return f"deep_in({of}, {end == 'top'})"
            case ir.PositionOf(zone, keys, end):
                first = k(self._c.layout.place(zone, 0))
                index = self.index(zone, keys, node.span)
                return f"({first} + {index}, {TOP if end == 'top' else BOTTOM})"
            case ir.CallValue():
                params = self._program.values[node.value].params
                pairs = [*zip(node.args, params, strict=True)]
                args = self._tuple(self.argument(arg, param) for arg, param in pairs)
                call = self._known(self._c.call(node.value))
                if not any(
                    isinstance(arg.type, types.Maybe)
                    and not isinstance(param.type, types.Maybe)
                    for arg, param in pairs
                ):
                    return f"{call}(ctx, {args})"
                wanted = tuple(
                    not isinstance(param.type, types.Maybe) for param in params
                )
                return f"call_present({call}, ctx, {args}, {self._known(wanted)})"
            case ir.PositionAfter():
                binds = option_binds(self._program.actions[node.action])
                names = [ir.Param(n, bind.type) for bind in binds for n in bind.names]
                who = self.present(node.by)
                args = self._tuple(
                    self.argument(arg, param)
                    for arg, param in zip(node.args, names, strict=True)
                )
                taken = f"({self._known(node.action)}, {who}, {args})"
                body = self._apart(self.any, node.body)
                return f"imagined(ctx, f, {taken}, {body}, {self._known(node.span)})"
            case ir.Unary("not", operand):
                return f"(not {self.truth(operand)})"
            case ir.Unary(op, operand):
                return UNARY[op].format(self.present(operand))
            case ir.Binary(op, left, right):
                a, b = self.present(left), self.present(right)
                if op in DIVISIONS:
                    return f"divided({a}, {b}, {k(OPERATIONS[op])}, {k(node.span)})"
                return BINARY[op].format(a, b)
            case ir.CompareValues():
                fixed = self._c.constant(node.right)
                maybe = any(
                    isinstance(x.type, types.Maybe) for x in (node.left, node.right)
                )
                if node.op in ("==", "!=") and fixed is not None:
                    maybe = fixed.value is None
                form = (WITH_NONE if maybe else PRESENT)[node.op]
                v = self._name("v") if "{v}" in form else ""
                return form.format(self.any(node.left), self.any(node.right), v=v)
            case ir.IsNone(ir.Const(value)):
                return k(value is None)
            case ir.IsNone(operand):
                return f"({self.any(operand)} is None)"
            case ir.In():
                looked_for, within = self.any(node.left), self._c.constant(node.right)
                if within is not None and isinstance(within.value, tuple):
                    return f"({looked_for} in {k(frozenset(within.value))})"
                match node.right:
                    case ir.Contents() as zone:
                        return f"({looked_for} in {self._zone(zone)})"
                    case ir.MakeRange(low, high):
                        a, b = self.present(low), self.present(high)
                        return f"between({looked_for}, {a}, {b})"
                    case other:
                        of = f"{self.any(other)}, {k(node.span)}"
                        return f"among(ctx, {looked_for}, {of})"
            case ir.Connective(op, left, right):
                return LOGIC[op].format(self.truth(left), self.truth(right))
            case ir.Cases():
                if len(node.rows) <= 3:
                    rows = [
                        f"{self.any(v)} if {self.truth(c)} else " for c, v in node.rows
                    ]
                    return f"({''.join(rows)}{self.any(node.otherwise)})"
                with self._inside():
                    lines = [
                        f"if {self.truth(condition)}: return {self.any(value)}"
                        for condition, value in node.rows
                    ]
                    lines.append(f"return {self.any(node.otherwise)}")
                return f"{self._function(lines)}(ctx, f)"
            case ir.OrElse(value, otherwise):
                v = self._name("v")
                first, second = self.any(value), self.any(otherwise)
                return f"({second} if ({v} := {first}) is None else {v})"
            case ir.MakeSet((only,)):
                v = self._name("v")
                return f"(() if ({v} := {self.any(only)}) is None else ({v},))"
            case ir.MakeSet(items):
                return f"set_of({self._tuple(map(self.any, items))})"
            case ir.MakeRange(low, high):
                a, b = self.present(low), self.present(high)
                return f"range_set(ctx, {a}, {b}, {k(node.span)})"
            case ir.CombineSets(op, left, right):
                a, b = self.present(left), self.any(right)
                return f"combined(ctx, {k(op)}, {a}, {b}, {k(node.span)})"
            case ir.Size(ir.Contents() as zone) if self._c.constant(zone) is None:
                return f"len({self._zone(zone)})"
            case ir.Size(operand):
                return f"len({self.present(operand)})"
            case ir.FirstOf(operand):
                return f"min({self.present(operand)}, default=None)"
            case ir.DiceTest(what, dice, slot, read):
                test = "all_equal" if what == "equal" else "all_different"
                over, each = self.present(dice), self._apart(self.any, read)
                return f"{test}(readings(ctx, f, {over}, {slot:d}, {each}))"
            case ir.Seats():
                many, sign = self._program.seats, -1 if node.how == "reversed" else 1
                orders = tuple(
                    tuple((leader + sign * lap) % many for lap in range(many))
                    for leader in range(many)
                )
                order = f"{k(orders)}[{self.present(node.start)}]"
                if node.how != "snaking":
                    return order
                assert node.lap is not None
                return f"{order}[::1 if {self.present(node.lap)} % 2 else -1]"
            case ir.TooDeep():
                return f"beyond({k(node.span)})"
            case ir.ReachedCells(start, slot, by, where):
                kept = None if where is None else self._apart(self.truth, where)
                steps = f"({self._apart(self.any, by)}, {kept})"
                of = f"{self.any(start)}, {slot:d}, {steps}, {k(node.span)}"
                return f"reached(ctx, f, {of})"
            case ir.Alike(left, right, kind, place, known):
                zones = self._program.zones
                sets = {name for name, zone in zones.items() if zone.kind == "set"}
                alike = self._program.components[kind.name].alike
                pair = f"({self.present(left)}, {self.present(right)})"
                of = f"{k(kind.name)}, {k(alike)}, {k(known)}"
                return f"are_alike(ctx, {pair}, {of}, {k(sets if place else None)})"
            case ir.Distinct():
                return f"firsts({self.classes(node)})"
            case ir.AnyOf(operand, count, up_to, same):
                test = self._apart(self.truth, same)
                of = f"{self.present(operand)}, {self.present(count)}, {up_to}"
                return f"any_of(ctx, f, {of}, {test}, {k(node.span)})"
            case ir.CountOf():
                return f"{self._query(node, 'sum')}(ctx, f)"
            case ir.Quantifier(kind, body=body):
                found = f"{self._query(node, kind, self.truth, body)}(ctx, f)"
                return f"(not {found})" if kind == "no" else found
            case ir.Aggregate(kind, body=body, empty=empty):
                found = f"{self._query(node, kind, self.present, body)}(ctx, f)"
                if kind == "sum" or empty is None:
                    return found
                v = self._name("v")
                return f"({v} if ({v} := {found}) is not None else {k(empty)})"
            case ir.Pick():
                with self._inside():
                    loops = self._loops(node)
                    minus = "" if node.direction == "most" else "-"
                    ranks = [f"{minus}{self.present(key)}" for key in node.keys]
                inner, picked = f"found.append(f[{loops[0][0]:d}])", "found"
                if ranks:
                    rank = ranks[0] if len(ranks) == 1 else f"({', '.join(ranks)})"
                    inner = f"ranks.append({rank})\n{inner}"
                    picked = "best(ranks, found)"
                last = f"return {'tuple' if node.many else 'only'}({picked})"
                name = self._nested(loops, "found, ranks = [], []", inner, last)
                return f"{name}(ctx, f)"
            case _:
                raise AssertionError(f"{type(node).__name__} is no expression")

    def _tuple(self, texts: Iterator[str]) -> str:
        return f"({''.join([f'{text}, ' for text in texts])})"

    # ---- places

    def index(self, name: str, keys: Sequence[ir.Expr], span: Span) -> str:
        """Return the text of the number of a family's member at these keys.

        It raises F03 if a key is `none`, and F01 if it is out of range.
        """
        family = self._c.layout.families[name]
        constants = [self._c.constant(key) for key in keys]
        known = [each.value for each in constants if each is not None]
        if len(known) == len(keys):
            try:
                return self._known(family.index(known))
            except RuleFault:
                pass  # the fault is found in play
        pairs = [*zip(family.axes, keys, strict=True)]
        if all(
            isinstance(axis.type, types.Kind | types.Flag)
            and not isinstance(key.type, types.Maybe)
            for axis, key in pairs
        ):
            parts = [
                f"{self.present(key)}" + f" * {axis.stride:d}" * (axis.stride != 1)
                for axis, key in pairs
            ]
            return f"({' + '.join(parts)})" if len(parts) > 1 else parts[0]
        match pairs:
            case [(axis, key)] if not axis.of_sets:
                v, text = self._name("v"), self.present(key)
                if axis.low:
                    text = f"{text} - {axis.low:d}"
                fault = f"off({v}, {self._known(axis)}, {self._known(span)})"
                return f"({v} if 0 <= ({v} := {text}) < {axis.size:d} else {fault})"
            case _:
                values = self._tuple(map(self.any, keys))
                of = f"{self._known(family)}, {values}, {self._known(span)}"
                return f"number_of({of})"

    def _zone(self, node: ir.Contents | ir.ZoneSize | ir.PileTop) -> str:
        index = self.index(node.zone, node.keys, node.span)
        return f"ctx.store.zones[{self._known(node.zone)}][{index}]"

    def _column(self, column: str, of: ir.Expr) -> str:
        if not isinstance(of.type, types.Maybe):
            return f"{column}[{self.any(of)}]"
        v = self._name("v")
        return f"(None if ({v} := {self.any(of)}) is None else {column}[{v}])"

    # ---- calls: a call on none gives none, an argument keeps its range

    def argument(self, arg: ir.Expr, param: ir.Param) -> str:
        """Return the text of an argument; outside of its parameter's range it is F01.

        A set is tested only if it may have other numbers than the parameter takes. One
        that may be empty is never given for a part: the check refuses it.
        """
        text, constant = self.any(arg), self._c.constant(arg)
        wanted, given = types.core(param.type), types.core(arg.type)
        match wanted, given:
            case types.Whole(low, high), _:
                value = None if constant is None else constant.value
                if isinstance(value, int) and low <= value <= high:
                    return text
            case types.Set(types.Whole(low, high)), types.Set(types.Whole(least, most)):
                if low <= least and most <= high:
                    return text
            case _:
                return text
        k = self._known
        of = f"{k(param.name)}, {k(param.type)}, {k(arg.span)}"
        if isinstance(wanted, types.Set):
            return f"ranged({text}, {k(fits(wanted))}, {of})"
        v = self._name("v")
        inside = f"{k(low)} <= ({v} := {text}) <= {k(high)}"
        if isinstance(arg.type, types.Maybe):
            inside = f"({v} := {text}) is None or {k(low)} <= {v} <= {k(high)}"
        return f"({v} if {inside} else outside({v}, {of}))"

    def definition(self, value: ir.ValueDef) -> str:
        """Return the text of a declared value, with all that variants add."""
        k, text = self._known, self.any(value.whole)
        steps = [(x.op, change) for x in value.layers for _, change in x.adjusts]
        if not steps:
            return text
        lines = [f"n = layered({text}, {k(value.name)}, {k(value.span)})"]
        for op, change in steps:
            lines.append(f"n = applied(n, {k(op)}, {self.present(change)})")
        return f"{self._function([*lines, 'return n'])}(ctx, f)"

    # ---- comparison: with none it is false, but `!=` is the negation of `==`

    # ---- queries: loops over variables, from left to right, one in the other

    def classes(self, node: ir.Distinct) -> str:
        """Return the text of the classes of alike members of a set."""
        (one, other), test = node.slots, self._apart(self.truth, node.alike)
        slots = f"({one:d}, {other:d})"
        things = self.present(node.operand)
        return f"classes(ctx, f, {things}, {slots}, {test}, {self._known(node.span)})"

    def items(self, bind: ir.Bind, *, counts: bool = True, again: bool = False) -> str:
        """Return the text of the domain of each variable of a binder, in order.

        Without `counts` it does not count: the query is short however it goes. With
        `again` it is visited more than once, and counts each time.
        """
        source, k = bind.source, self._known
        sizes = f"{k(bind.low)}, {k(bind.high)}"
        if bind.how == "subset" and isinstance(source, ir.Distinct):
            return f"parts_of(ctx, {self.classes(source)}, {sizes}, {k(source.span)})"
        if bind.how == "subset":
            of = f"{self.present(source)}, {sizes}"
            if counts:
                return f"counted_parts(ctx, {of}, {k(source.span)})"
            return f"subsets({of})"
        if isinstance(source, ir.MakeRange) and self._c.constant(source) is None:
            low, high = self.present(source.low), self.present(source.high)
            things = f"range({low}, {high} + 1)"
        else:
            things = self.present(source)
        if not counts:
            return things
        more = ", True" if again else ""
        return f"counted(ctx, {things}, {k(source.span)}{more})"

    def _loops(self, node: Query) -> list[Loop]:
        """Return the loops of a query.

        The condition is split at its `and`s. Each part is tested, in order, as soon as
        its variables and those of the parts before it are bound. The domain of a binder
        is evaluated once for all its variables.
        """
        binds = (node.bind,) if isinstance(node, ir.Pick) else node.binds
        counts = self._c.costs.bound(node) > FEW
        found: list[Loop] = []
        for bind in binds:
            shared = self._name("t") if len(bind.slots) > 1 else ""
            things = self.items(bind, counts=counts, again=bool(shared))
            for number, slot in enumerate(bind.slots):
                found.append((slot, shared, "" if number else things, []))
        place = {loop[0]: number for number, loop in enumerate(found)}
        at = 0
        for condition in conjuncts(node.where):
            at = max([at, *(place[s] for s in slots_read(condition) if s in place)])
            found[at][3].append(self.truth(condition))
        return found

    def _query(
        self,
        node: Query,
        kind: str,
        write: Callable[[ir.Expr], str] | None = None,
        body: ir.Expr | None = None,
    ) -> str:
        """Return the name of the function of a query; without a body it counts."""
        with self._inside():
            loops = self._loops(node)
            value = "1" if write is None or body is None else write(body)
        begin, step, end = FOLDS[kind]
        while len(loops) > MANY_LOOPS:
            (_, shared, things, _), *_ = inner = loops[-MANY_LOOPS:]
            loops = loops[:-MANY_LOOPS]
            more = () if things else (shared,)
            name = self._nested(inner, begin, step.format(value), end, *more)
            value = f"{name}({', '.join(('ctx', 'f', *more))})"
        return self._nested(loops, begin, step.format(value), end)

    def _nested(
        self, loops: Sequence[Loop], begin: str, step: str, end: str, *more: str
    ) -> str:
        lines, indent = [begin] if begin else [], ""
        for slot, shared, things, tests in loops:
            if shared and things:
                lines.append(f"{indent}{shared} = {things}")
            lines.append(f"{indent}for f[{slot:d}] in {shared or things}:")
            indent += " "
            if tests:
                lines.append(f"{indent}if {' and '.join(tests)}:")
                indent += " "
        lines += [indent + line for line in step.splitlines()]
        return self._function([*lines, end], *more)
