"""Comparisons and membership, and their results for none."""

from __future__ import annotations

from typing import Final, Literal

from houserule import ir
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.diagnostics.wording import sentence
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E010, E014, W502
from houserule.compiler.lower.symbols.kinds import type_of
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import OptionSymbol
from houserule.compiler.lower.types import (
    BROKEN,
    FLAG,
    comparable,
    in_words,
    is_broken,
    may_be_none,
    same_members,
)
from houserule.ir.types import Flag, Kind, Position, Set, Type, Whole, core
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import children
from houserule.language.syntax.write.expressions import print_expr

_SIGNS: Final[dict[str, Literal["==", "!=", ">=", "<=", ">", "<"]]] = {
    "is": "==",
    "is not": "!=",
    "at least": ">=",
    "at most": "<=",
    "more than": ">",
    "less than": "<",
}


def compare(scope: Scope, expr: tree.Compare) -> ir.Expr:
    """Return a comparison; with none it is false, but `is none` asks for it."""
    if expr.op in {"is", "is not"}:
        if isinstance(expr.right, tree.NoneValue):
            return _is_none(scope, expr, expr.left)
        if isinstance(expr.left, tree.NoneValue):
            return _is_none(scope, expr, expr.right)
        if isinstance(expr.right, tree.Name) and expr.right.name == "doing":
            right = scope.read(expr.right)
            left = scope.read(expr.left, right.type)
        else:
            left = scope.read(expr.left)
            word, subject = print_expr(expr.right), print_expr(expr.left)
            odd = {"even": 0, "odd": 1}.get(word)
            fix = ""
            if word in {*scope.names, *scope.symbols.declared}:
                pass
            elif odd is not None and isinstance(core(left.type), Whole):
                rest = odd if expr.op == "is" else 1 - odd
                fix = f"{subject} mod 2 is {rest}"
            elif word == "empty" and isinstance(core(left.type), Set):
                fix = f"size({subject}) {'is 0' if expr.op == 'is' else 'at least 1'}"
            if fix:
                message = f"There is nothing called `{word}`."
                scope.symbols.report(E010, message, expr.span, fixes=(fix,))
                return broken(expr)
            right = scope.read(expr.right, left.type)
        if is_broken(left.type) or is_broken(right.type):
            return broken(expr)
        place = isinstance(core(left.type), Position)
        if place or not comparable(left.type, right.type):
            message = (
                f"These can never be the same: {in_words(left.type)} and "
                f"{in_words(right.type)}."
            )
            hint = _field_meant(scope, expr.left, left.type, right.type)
            hint = hint or _field_meant(scope, expr.right, right.type, left.type)
            scope.symbols.report(E014, message, expr.span, hint)
            return broken(expr)
        if expr.op == "is not":
            # If one side may be none, `is not` silently gives yes.
            for node, side, other in (
                (left, expr.left, right),
                (right, expr.right, left),
            ):
                bare = isinstance(node, ir.ReadCell | ir.Local | ir.PhaseVar)
                bare = bare and not any(
                    may_be_none(k.type) for k in getattr(node, "keys", ())
                )
                harmless = (
                    isinstance(other, ir.Const) or isinstance(node, ir.Doing) or bare
                )
                if not may_be_none(node.type) or harmless or core(node.type) is BROKEN:
                    continue
                if scope.root is not None and tests_none(scope.root, side):
                    continue
                text = print_expr(side)
                scope.symbols.report(
                    W012,
                    "If this is none, `is not` is true.",
                    side.span,
                    in_words(node.type),
                    details=("Nothing in this clause asks whether it is none.",),
                    fixes=(
                        f"If none counts as no:   {text} is not none and "
                        f"{print_expr(expr)}",
                        f"If none counts as yes:  ({text} is none or "
                        f"{print_expr(expr)})",
                    ),
                )
        _warn_of_never(scope, expr, left, right)
        return ir.CompareValues(_SIGNS[expr.op], left, right, FLAG, span=expr.span)
    left, right = scope.read(expr.left), scope.read(expr.right)
    if not _is_number(scope, left, expr.left):
        return broken(expr)
    if not _is_number(scope, right, expr.right):
        return broken(expr)
    _warn_of_never(scope, expr, left, right)
    return ir.CompareValues(_SIGNS[expr.op], left, right, FLAG, span=expr.span)


def _is_none(scope: Scope, expr: tree.Compare, tested: tree.Expr) -> ir.Expr:
    kept, scope.present = scope.present, scope.present - {tested}
    node = scope.read(tested)
    scope.present = kept
    if is_broken(node.type):
        return broken(expr)
    test = ir.IsNone(node, FLAG, span=expr.span)
    return test if expr.op == "is" else ir.Unary("not", test, FLAG, span=expr.span)


def _is_number(scope: Scope, node: ir.Expr, expr: tree.Expr) -> bool:
    """Return whether this can be compared by size: a number, or none."""
    if is_broken(node.type) or isinstance(core(node.type), Whole):
        return not is_broken(node.type)
    message = f"Only numbers can be compared by size; this is {in_words(node.type)}."
    fix, text = expect.number_of(scope, node.type), print_expr(expr)
    scope.symbols.report(
        E014,
        message,
        expr.span,
        "a number is expected here",
        fixes=(fix % text,) if fix and text else (),
    )
    return False


def _field_meant(scope: Scope, side: tree.Expr, type_: Type, other: Type) -> str:
    """Return the label that names a field of one side that fits the other, or ''."""
    kind = core(type_)
    if isinstance(side, tree.Name) and isinstance(kind, Kind):
        fields = dict(scope.symbols.fields.get(kind.name, {}))
        if faces := scope.symbols.faces.get(kind.name):
            fields["face"] = Whole(min(faces), max(faces))
        for field, there in fields.items():
            if comparable(there, other):
                return f"did you mean `{side.name}.{field}`?"
    return ""


def member(scope: Scope, expr: tree.Member) -> ir.Expr:
    """Return `is in` or `is not in`; none is in no set."""
    left = scope.read(expr.left)
    found = core(left.type)
    hint = Set(found) if isinstance(found, Whole | Kind) else None
    right = expect.some_set(scope, expr.right, hint)
    if is_broken(left.type) or is_broken(right.type):
        return broken(expr)
    set_ = right.type
    assert isinstance(set_, Set)
    if not isinstance(found, Whole | Kind) or not same_members(found, set_.member):
        message = sentence(f"{in_words(left.type)} cannot be in {in_words(set_)}.")
        scope.symbols.report(E014, message, expr.left.span)
        return broken(expr)
    test = ir.In(left, right, FLAG, span=expr.span)
    return ir.Unary("not", test, FLAG, span=expr.span) if expr.negated else test


# ---- the warning about conditions that never hold

# The same comparison with its sides swapped.
_TURNED: Final = {
    "at least": "at most",
    "at most": "at least",
    "more than": "less than",
    "less than": "more than",
}


def deciding(condition: tree.Expr) -> frozenset[tree.Expr]:
    """Return the comparisons of a condition without which it never holds."""
    match condition:
        case tree.Compare():
            return frozenset({condition})
        case tree.Logic("and", left, right):
            return deciding(left) | deciding(right)
        case tree.Quantified("some", body=body):
            return deciding(body)
        case _:
            return frozenset()


def _warn_of_never(
    scope: Scope, expr: tree.Compare, left: ir.Expr, right: ir.Expr
) -> None:
    """Warn of a number that a state or value can never reach, by its declared range.

    If an option moves the range, all its values count. The number may be an option only
    if the phase would never end, or the game never be drawn: elsewhere, an option may
    switch a rule off on purpose.
    """
    turned = _TURNED.get(expr.op, expr.op)
    for side, written, found, op in (
        (expr.left, expr.right, right, expr.op),
        (expr.right, expr.left, left, turned),
    ):
        declared = _declared_range(scope, side)
        number: int | None = None  # the compared number, if it is known before play
        if isinstance(written, tree.Int):
            number = written.value
        elif isinstance(written, tree.Name) and expr in scope.deciding:
            option = isinstance(scope.symbols.declared.get(written.name), OptionSymbol)
            if option and isinstance(core(found.type), Whole):
                number = numbers.constant(found)
        if declared is None or number is None:
            continue
        whole, moved_by = declared
        match op:
            case "is":
                may_hold = whole.low <= number <= whole.high
            case "at least":
                may_hold = whole.high >= number
            case "more than":
                may_hold = whole.high > number
            case "at most":
                may_hold = whole.low <= number
            case "less than":
                may_hold = whole.low < number
            case _:
                may_hold = True
        if not may_hold:
            text = f"`{print_expr(side)}` is {whole.low} to {whole.high}"
            if moved_by:
                names = " and ".join(moved_by)
                verb = "are" if len(moved_by) > 1 else "is"
                text = f"{text} at most, whatever {names} {verb}"
            if isinstance(written, tree.Name):
                text = f"{text}, and {written.name} is {number}"
            scope.symbols.report(W502, f"This never holds: {text}.", expr.span)


def _declared_range(
    scope: Scope, expr: tree.Expr
) -> tuple[Whole, tuple[str, ...]] | None:
    """Return the range of a state, value or count, and the options that move it.

    The range covers all values of those options.
    """
    name = expr.name if isinstance(expr, tree.Name | tree.Apply) else ""
    rules = scope.symbols.rules
    declared = rules.states.get(name) or rules.values.get(name)
    limits: tuple[int | str | tree.Word, ...]
    match expr, declared and declared.type:
        case tree.CountEach(last=tree.Int(last) | tree.Name(last)), _:
            limits = (0, last)
        case _, tree.RangeType(low, high):
            limits = (low, high)
        case _:
            return None
    ends, moved_by = [], []
    for end in limits:
        if isinstance(end, int):
            ends.append(Whole(end, end))
            continue
        name = end.text if isinstance(end, tree.Word) else end
        option = rules.options.get(name)
        values = type_of(scope.symbols, option.type) if option else None
        if not isinstance(values, Whole):
            return None
        ends.append(values)
        moved_by.append(name)
    return Whole(ends[0].low, ends[1].high), tuple(dict.fromkeys(moved_by))


# ---- the warning about none


W012 = MessageCode("W012", "comparison ignores none")
"""`not` or `is not` tests a value that may be none, and no test for none comes before
it.

**Why.** If the value is none, `not` and `is not` are true. That is often not intended
for a field or a value of something that may be none. A state or a variable by itself
is not reported: `leader is not me` is true when nobody leads.

**For example**

```rules clauses
needs behind: score(leader) is not score(me)      # also true when nobody leads
```

**Fix.** State the result for none: `leader is not none and …`, or
`(leader is none or …)`, or for a condition `not (fits(top of pile) else yes)`.
"""


def warn_of_no(scope: Scope, operand: tree.Expr, node: ir.Expr) -> None:
    """Warn of `not` before a condition that may be none, which silently gives yes."""
    if not may_be_none(node.type) or not isinstance(core(node.type), Flag):
        return
    text = print_expr(operand)
    tested = operand.args if isinstance(operand, tree.Apply) else (operand,)
    root = scope.root
    if root is not None and any(tests_none(root, each) for each in tested):
        return
    scope.symbols.report(
        W012,
        "If this is none, `not` is true.",
        operand.span,
        in_words(node.type),
        details=("Nothing in this clause asks whether it is none.",),
        fixes=(
            f"If none counts as no:   not ({text} else yes)",
            f"If none counts as yes:  not ({text} else no)",
        ),
    )


def tests_none(root: tree.Node, expr: tree.Expr) -> bool:
    """Return whether something inside `root` compares the expression with none."""
    match root:
        case tree.Compare(_, left, tree.NoneValue()) if left == expr:
            return True
        case tree.Compare(_, tree.NoneValue(), right) if right == expr:
            return True
        case _:
            return any(tests_none(each, expr) for each in children(root))
