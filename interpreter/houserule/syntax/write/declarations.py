"""Declarations, clauses and flow back to lines of text.

Every function takes a node and the indentation, and returns whole lines.
"""

from __future__ import annotations

from typing import assert_never

from houserule.syntax import tree as t
from houserule.syntax.tree.constructs import CONSTRUCTS
from houserule.syntax.vocabulary import LAYER_VERBS
from houserule.syntax.write.expressions import (
    binder,
    caption,
    closed,
    listed,
    member,
    names,
    notes,
    operand,
    param_list,
    params,
    print_expr,
    row,
    type_of,
    where,
)
from houserule.syntax.write.statements import INDENT, LONGEST, beside, with_body


def with_expression(head: str, node: t.Expr, margin: t.Notes, indent: int) -> list[str]:
    """Return a line that ends in an expression, which may stand beneath it."""
    lead, text = " " * indent, notes(margin)
    if isinstance(node, t.Rows):
        return beside(lead + head, text) + rows(node, indent + INDENT)
    body = print_expr(node)
    if indent + len(head) + len(body) < LONGEST:
        return beside(f"{lead}{head} {body}", text)
    return [*beside(lead + head, text), " " * (indent + INDENT) + body]


def rows(node: t.Rows, indent: int) -> list[str]:
    """Return the cases of a definition, one a line."""
    lines: list[str] = []
    for each in node.rows:
        lines += beside(" " * indent + row(each), notes(each.notes))
    return lines


# ---- about the file


def about(node: t.About) -> str:
    """Return a line about the file, without its margin."""
    match node:
        case t.Players():
            return f"players {node.low}..{node.high}"
        case t.SourceText():
            return f"source {node.name.text}{caption(node.title)}"
        case t.Relates():
            return f"{node.kind} {names(node.names)}"
        case t.OneOf():
            usual = f" normally {node.normally.text}" if node.normally else ""
            how = "at most" if node.or_none else "exactly"
            return f"{how} one of {node.name.text}: {names(node.names)}{usual}"
        case t.Suggests():
            return f"suggests {names(node.names)}"
        case t.Sealed():
            return f"sealed {node.target.text}"
        case t.NeedsPlayers():
            return f"needs players {node.low}..{node.high}"
        case t.Extends():
            return f"extends {node.name.text}"
        case t.PresetWith():
            return f"with {names(node.names)}"
        case t.PresetSet():
            return f"set {node.name.text}: {print_expr(node.value)}"
        case t.Remark():
            return f"note{caption(node.caption)}"
        case _:
            assert_never(node)


# ---- things


def fields(found: tuple[t.Field, ...], indent: int) -> list[str]:
    """Return the fields of a component or an enumeration, one a line."""
    lines: list[str] = []
    for each in found:
        code = f"{' ' * indent}{each.name.text}: {type_of(each.type)}"
        lines += beside(code, notes(each.notes))
    return lines


def component(node: t.Component, indent: int) -> list[str]:
    """Return a component and its fields."""
    made = ""
    if node.rows is not None:
        made = f" from{caption(node.rows)}"
    elif node.each:
        made = f" for each {param_list(node.each)}{where(node.where)}"
    head = f"{' ' * indent}component {node.name.text}{made}"
    inner = indent + INDENT
    beneath = fields(node.fields, inner) + alike(node.alike, inner)
    return beside(head, notes(node.notes)) + beneath


def alike(node: t.AlikeLine | None, indent: int) -> list[str]:
    """Return the line that says which things are alike, if there is one."""
    if node is None:
        return []
    same = " and ".join(each.text for each in node.names)
    code = f"{' ' * indent}those with the same {same} are alike"
    return beside(code, notes(node.notes))


def type_decl(node: t.TypeDecl, indent: int) -> list[str]:
    """Return an enumeration with its fields, or a named range."""
    members = " | ".join(map(member, node.members))
    made = members if node.type is None else type_of(node.type)
    head = f"{' ' * indent}type {node.name.text}{caption(node.caption)} = {made}"
    return beside(head, notes(node.notes)) + fields(node.fields, indent + INDENT)


def dice(node: t.DiceDecl) -> str:
    """Return a kind of dice."""
    made = f": {names(node.members)}"
    if node.each:
        made = f" for each {param_list(node.each)}{where(node.where)}"
    read = "" if node.read_by is None else f" read by {node.read_by.text}"
    return (
        f"dice {node.name.text}{made} showing {listed(node.faces)}{read}"
        f"{_seen(node.seen)}"
    )


def tokens(node: t.Tokens) -> str:
    """Return a family of tokens."""
    head = f"tokens {node.name.text}{params(node.params)}{caption(node.caption)}"
    return f"{head}: {operand(node.amount)} in {', '.join(map(slot, node.slots))}"


def slot(node: t.Slot) -> str:
    """Return a place where tokens may lie."""
    if not node.keys:
        return node.name.text
    keys = (
        each.name.text if each.type is None else f"{each.name.text}: {each.type.text}"
        for each in node.keys
    )
    return f"{node.name.text}({', '.join(keys)})"


def zone(node: t.Zone) -> str:
    """Return a zone."""
    head = f"zone {node.name.text}{params(node.params)}{caption(node.caption)}"
    return "".join(
        (
            f"{head}: {node.kind} of {node.member.text}",
            "" if node.at_most is None else f" at most {operand(node.at_most)}",
            f" showing {names(node.showing)}" if node.showing else "",
            "" if node.starts is None else f" starts as {operand(node.starts)}",
            _seen(node.seen),
        )
    )


def _seen(who: t.Expr | None) -> str:
    match who:
        case None:
            return ""
        case t.Name("everyone" | "players" as all_):
            return f" seen by {all_}"
        case t.SetOf(()):
            return " seen by nobody"
        case _:
            return f" seen only by {operand(who)}"


def state(node: t.State, indent: int) -> list[str]:
    """Return a state; a long first value stands beneath."""
    head = f"state {node.name.text}{params(node.params)}{caption(node.caption)}"
    each = "" if node.each is None else f" each {node.each.text}"
    head = f"{' ' * indent}{head}: {type_of(node.type)}{each} starts"
    if not isinstance(node.starts, t.AtRandom):
        head += " as"
    value = print_expr(node.starts) + _seen(node.seen)
    if len(head) + len(value) < LONGEST:
        return beside(f"{head} {value}", notes(node.notes))
    return [*beside(head, notes(node.notes)), " " * (indent + INDENT) + value]


# ---- meanings


def value(node: t.Value, indent: int) -> list[str]:
    """Return a value and its layers."""
    head = f"value {node.name.text}{params(node.params)}{caption(node.caption)}"
    head = f"{head}: {type_of(node.type)} ="
    lines = with_expression(head, node.definition, node.notes, indent)
    for each in node.layers:
        code = f"{' ' * (indent + INDENT)}then {each.op} {each.name.text}, if any"
        lines += beside(code, notes(each.notes))
    return lines


def layer(node: t.Layer) -> str:
    """Return a further layer of a value."""
    value, _, name = node.name.text.rpartition(".")
    after = "" if node.after is None else f", after {node.after.text}"
    before = "" if node.before is None else f", before {node.before.text}"
    return f"extend {value} with {node.op} {name}, if any{after}{before}"


def adjust(node: t.Adjust, indent: int) -> list[str]:
    """Return a contribution to a layer."""
    verb = LAYER_VERBS[node.op]
    keys = f"({names(node.params)})" if node.params else ""
    head = f"{verb} {node.target.text}{keys} called {node.name.text}"
    bound = f" {node.op}" if verb == "keep" else ""
    return with_expression(
        f"{head}{caption(node.caption)}:{bound}", node.amount, node.notes, indent
    )


def option(node: t.Option) -> str:
    """Return an option."""
    step = "" if node.step is None else f" step {node.step}"
    head = f"option {node.name.text}{caption(node.caption)}"
    return f"{head}: {type_of(node.type)}{step} normally {print_expr(node.normally)}"


# ---- clauses and what holds them


def clause(node: t.Clause, indent: int) -> list[str]:
    """Return a clause."""
    said = caption(node.caption)
    if isinstance(node, t.ConditionClause):
        head = f"{CONSTRUCTS[type(node)].kind} {node.name.text}{said}:"
        return with_expression(head, node.condition, node.notes, indent)
    match node:
        case t.Cost():
            head = f"cost {node.name.text}{params(node.params)}{said}:"
            return with_body(head, notes(node.notes), node.body, indent)
        case t.Limit():
            once = node.count == t.Int(1)
            often = "once" if once else f"{closed(node.count)} times"
            code = f"limit {node.name.text}{said}: at most {often}"
            code = f"{' ' * indent}{code} each {node.phase.text}"
            return beside(code, notes(node.notes))
        case t.Does():
            head = f"does {node.name.text}{said}:"
            return with_body(head, notes(node.notes), node.body, indent)
        case t.Asks():
            head = f"asks {node.name.text}{said}:"
            return with_expression(head, node.who, node.notes, indent)
        case t.UsesUp():
            head = f"ends as this shrinks{said}:"
            return with_expression(head, node.measure, node.notes, indent)
        case _:
            assert_never(node)


def effect(node: t.Effect, indent: int) -> list[str]:
    """Return an effect and its clauses."""
    head = f"effect {node.name.text}{params(node.params)}{caption(node.caption)}"
    return _holder(head, node.notes, node.clauses, indent)


def action(node: t.Action, indent: int) -> list[str]:
    """Return an action and its clauses."""
    by = "" if node.by is None else f" by {binder(node.by)}"
    head = f"action {node.name.text}{params(node.params)}{by} during {node.at.text}"
    return _holder(head + caption(node.caption), node.notes, node.clauses, indent)


def reaction(node: t.Reaction, indent: int) -> list[str]:
    """Return a reaction and its clauses."""
    word = "instead of" if node.moment == "instead" else node.moment
    keys = "" if node.params is None else f"({names(node.params)})"
    head = f"reaction {node.name.text} {word} {node.event.text}{keys}"
    if node.moment == "when":
        head += " changes"
    if node.old is not None and node.new is not None:
        head += f" from {node.old.text} to {node.new.text}"
    return _holder(head + caption(node.caption), node.notes, node.clauses, indent)


def _holder(
    head: str, margin: t.Notes, clauses: tuple[t.Clause, ...], indent: int
) -> list[str]:
    lines = beside(" " * indent + head, notes(margin))
    for each in clauses:
        lines += clause(each, indent + INDENT)
    return lines


def mode(found: str | None) -> str:
    """Return how often one acts at a step."""
    return "must act once, if possible" if found == "exactly once" else f"{found}"


def step(node: t.Step, indent: int) -> list[str]:
    """Return a step."""
    head = f"step {node.name.text}{caption(node.caption)}"
    if node.guard is not None:
        head += f" if {print_expr(node.guard)}"
    if node.body is None:
        return beside(f"{' ' * indent}{head}: {mode(node.mode)}", notes(node.notes))
    return with_body(f"{head}:", notes(node.notes), node.body, indent)


def phase_head(node: t.Phase) -> str:
    """Return the first line of a phase."""
    head = f"phase {node.name.text}{caption(node.caption)}"
    if node.for_whom is not None:
        head += f" for {node.for_whom.name.text} in {operand(node.for_whom.source)}"
    if node.together:
        head += " together"
    if node.guard is not None:
        head += f" if {print_expr(node.guard)}"
    if node.until is not None:
        condition, times = closed(node.until.condition), closed(node.until.times)
        head += f" until {condition}, at most {times} times"
    return head
