"""Print nodes on one line, with only the necessary brackets.

Each kind of expression has a level of precedence; it gets brackets if a higher one is
required. A query extends as far to the right as possible, so it needs brackets if
anything of the same expression follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from houserule.language.syntax import tree as t
from houserule.language.syntax.forms import PLACE, FormRow, forms


def names(found: Iterable[t.Word]) -> str:
    """Return names separated by commas; members with their values."""
    return ", ".join(map(member, found))


def member(found: t.Word) -> str:
    """Return a member of an enumeration with its fields' values, or a plain name."""
    if not isinstance(found, t.ValuedMember):
        return found.text
    return f"{found.text}({', '.join(map(print_expr, found.values))})"


def caption(found: t.Text | None) -> str:
    """Return ` "caption"`, or nothing."""
    return "" if found is None else f' "{found.text}"'


def mode(found: str) -> str:
    return "must act once, if possible" if found == "exactly once" else found


def notes(found: t.Notes) -> str:
    """Return citations in their brackets, or nothing."""
    return f"[{', '.join(map(_note, found))}]" if found else ""


def _note(node: t.Note) -> str:
    if isinstance(node, t.Ruling):
        return f"ruling {node.name}"
    source = f"{node.source} " if node.source else ""
    place = "" if node.first is None else f" {node.first}"
    if node.words is not None:
        place = f' "{node.words}"'
    elif node.first is not None and node.last is not None:
        place += f"..{node.last}"
    return f'{source}"{node.heading}"{place}'


# ---- forms

_GROUP_OR_PLACE = re.compile(rf"\[([^\[\]]*)\]|{PLACE.pattern}")


@cache
def _by_node() -> Mapping[type[t.Node], Sequence[tuple[FormRow, frozenset[str]]]]:
    """Return the rows of each kind of node, each with the fields that it requires."""
    found: dict[type[t.Node], list[tuple[FormRow, frozenset[str]]]] = {}
    for row in forms().values():
        places = _GROUP_OR_PLACE.findall(row.text)
        needed = frozenset(name for group, name, _ in places if not group)
        found.setdefault(row.node, []).append((row, needed))
    return found


def form_of(node: t.Node) -> str:
    """Return the form of a node.

    Raises:
        LookupError: the table has no row for this node.
    """
    for row, needed in _by_node().get(type(node), ()):
        fixed = all(getattr(node, name) == value for name, value in row.fixed.items())
        if fixed and all(getattr(node, name) is not None for name in needed):
            return row.text
    raise LookupError(node)


def fill(text: str, node: t.Node, open_end: bool = True) -> str:
    """Return the text of a form, or a part of it, with the fields of a node.

    `open_end` means that nothing of the same expression follows.
    """

    def filled(found: re.Match[str]) -> str:
        group, name, how = found.groups()
        if group is None:
            return _field(getattr(node, name), how or "", open_end)
        fields = [getattr(node, each) for each, _ in PLACE.findall(group)]
        absent = all(each in (None, ()) or each is False for each in fields)
        return "" if absent else fill(group, node, open_end)

    return _GROUP_OR_PLACE.sub(filled, text)


def _field(value: object, how: str, open_end: bool) -> str:
    """Return the text of a field; `how` is its placeholder's part after the colon."""
    match value:
        case bool() if how == "then":
            return ", then stop" if value else ""
        case bool():
            yes, no = how.split("/")
            return yes if value else no
        case t.Word():
            return member(value)
        case t.Text():
            return f'"{value.text}"'
        case tuple():
            between = how if how.startswith(" ") else ", "
            return between.join(_field(each, "", True) for each in value)
        case t.Best():
            return best(value, how)
        case str() if how == "mode":
            return mode(value)
        case int() | str():
            return str(value)
        case _ if isinstance(value, t.Expr):
            match how:
                case "seen":
                    return seen(value)
                case "often":
                    return "once" if value == t.Int(1) else f"{closed(value)} times"
                case "and_open" | "not_open":  # as open as the whole
                    return _show(value, AND if how == "and_open" else NOT, open_end)
                case _:
                    return _show(value, _CLOSED.get(how, ANY), how not in _CLOSED)
        case t.Node():
            return print_node(value)
        case _:
            raise TypeError(value)


def print_node(node: t.Node) -> str:
    """Return a one-line node in its form, without its citations."""
    return fill(form_of(node), node)


# ---- expressions

ANY, AND, NOT, COMPARE, SIDE, SUM, RANGE, PLUS, TIMES, FACTOR, ATOM = range(11)

# The required precedence of an expression, by its rule in the grammar.
_CLOSED: Mapping[str, int] = {
    "or_test": ANY,
    "and_test": AND,
    "side": SIDE,
    "sum": SUM,
    "range_": RANGE,
    "arith": PLUS,
    "term": TIMES,
    "factor": FACTOR,
    "atom": ATOM,
}

_Query = (
    t.Fold
    | t.Count
    | t.CountEach
    | t.TheOne
    | t.TheOnly
    | t.TheFirst
    | t.Those
    | t.Reached
    | t.Quantified
    | t.After
)


def print_expr(node: t.Expr) -> str:
    """Return an expression in its usual form, on one line.

    A definition by cases is the exception: one line per case.
    """
    return _show(node, ANY, True)


def closed(node: t.Expr) -> str:
    """Return an expression to which the same line may add more."""
    return _show(node, ANY, False)


def operand(node: t.Expr) -> str:
    """Return an expression for a place without comparisons and queries."""
    return _show(node, SUM, False)


def how_many(node: t.Binder | t.HowMany) -> str:
    """Return a number of members of a set, without a name: `1..2 of S`."""
    if node.how in {"in", "in pairs"}:
        return operand(node.source)
    return print_node(t.HowMany(node.how, node.source, node.low, node.high))


def seen(who: t.Expr) -> str:
    """Return who sees a thing: `seen only by p`."""
    match who:
        case t.Name("everyone" | "players" as all_):
            return f"seen by {all_}"
        case t.SetOf(()):
            return "seen by nobody"
        case _:
            return f"seen only by {operand(who)}"


def best(node: t.Best, word: str) -> str:
    """Return a ranking, such as `with most E then F`."""
    level = PLUS if word == "with" else SUM
    keys = " then ".join(_show(key, level, False) for key in node.keys)
    return f"{word} {node.direction} {keys}"


def _show(node: t.Expr, level: int, open_end: bool) -> str:
    """Return an expression for a place that requires `level`.

    `open_end` means that nothing of the same expression follows.
    """
    if _level(node, open_end) < level:
        return f"({_show(node, ANY, True)})"
    if isinstance(node, t.Rows):
        return "\n".join(map(print_node, node.rows))
    return fill(form_of(node), node, open_end)


def _level(node: t.Expr, open_end: bool) -> int:
    """Return the precedence of an expression; -1 if it needs brackets."""
    match node:
        case t.Logic():
            return ANY if node.op == "or" else AND
        case t.Not():
            return NOT
        case t.Compare() | t.Member():
            return COMPARE
        case t.Bool() | t.NoneValue():
            return SIDE
        case t.SetArith():
            return SUM
        case t.RangeSet():
            return RANGE
        case t.Arith():
            return PLUS if node.op in "+-" else TIMES
        case t.Divide():
            return TIMES
        case (
            t.Name()
            | t.Dot()
            | t.DotAt()
            | t.Apply()
            | t.SetOf()
            | t.Rows()
            | t.AtRandom()
        ):
            return ATOM
        case _ if isinstance(node, _Query):
            return NOT if open_end else -1
        case _:
            return FACTOR
