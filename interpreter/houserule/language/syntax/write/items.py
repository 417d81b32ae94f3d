"""Print items: declarations, clauses, edits, and whole phases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from houserule.language.syntax import tree as t
from houserule.language.syntax.write.expressions import (
    caption,
    closed,
    fill,
    form_of,
    how_many,
    member,
    mode,
    notes,
    print_expr,
    print_node,
    seen,
)
from houserule.language.syntax.write.statements import (
    INDENT,
    LAYOUT,
    LONGEST,
    beside,
    block_lines,
    head_of,
    one_line,
    with_body,
)


def print_item(node: t.Item) -> str:
    """Return one item in its usual form."""
    return "\n".join(item_lines(node, 0))


def item_lines(node: t.Node, indent: int) -> list[str]:
    """Return the lines of one item, or of a line in its block."""
    match node:
        case t.Change():
            head = f"{' ' * indent}change {node.target.text}{caption(node.caption)}"
            before, after = short_payload(node.before), short_payload(node.after)
            if before is not None and after is not None:
                line = f"{head} from {before} to {after}"
                if len(line) <= LONGEST:
                    return beside(line, notes(node.notes))
            return [
                *beside(head, notes(node.notes)),
                *_payload("from", node.before, indent + INDENT),
                *_payload("to", node.after, indent + INDENT),
            ]
        case t.State():
            # A state; a long first value is on lines below.
            head = " " * indent + head_of(node)
            if not isinstance(node.starts, t.AtRandom):
                head += " as"
            value = print_expr(node.starts)
            if node.seen is not None:
                value += f" {seen(node.seen)}"
            if len(head) + len(value) < LONGEST:
                return beside(f"{head} {value}", notes(node.notes))
            return [*beside(head, notes(node.notes)), " " * (indent + INDENT) + value]
        case t.Component() | t.DiceDecl() | t.TypeDecl() | t.Layer() | t.ExtendTokens():
            inside = (*getattr(node, "fields", ()), getattr(node, "alike", None))
            lines = beside(" " * indent + _first_line(node), notes(node.notes))
            return lines + _beneath(filter(None, inside), indent)
        case _:
            head, *layout = LAYOUT.split(form_of(node))
            code, margin = fill(head, node), getattr(node, "notes", ())
            lines = beside(" " * indent + code, notes(margin))
            for name, how in zip(layout[::3], layout[1::3], strict=True):
                found = getattr(node, name)
                if how == "long":
                    # An expression at the end may be on lines below.
                    body = "" if isinstance(found, t.Rows) else print_expr(found)
                    if isinstance(found, t.Rows):
                        lines += _beneath(found.rows, indent)
                    elif indent + len(code) + len(body) < LONGEST:
                        lines = beside(f"{' ' * indent}{code} {body}", notes(margin))
                    else:
                        lines.append(" " * (indent + INDENT) + body)
                elif how == "block":
                    lines = with_body(code, notes(margin), found, indent)
                else:
                    lines += _beneath(found, indent)
            return lines


def _beneath(found: Iterable[t.Node], indent: int) -> list[str]:
    return [line for each in found for line in item_lines(each, indent + INDENT)]


# ---- nodes without a row, or with several lines


def _first_line(
    node: t.Component | t.DiceDecl | t.TypeDecl | t.Layer | t.ExtendTokens,
) -> str:
    kept = "[ where {where:or_test}][ called {called}]"
    match node:
        case t.TypeDecl():
            made = " | ".join(map(member, node.members))
            made = made if node.type is None else print_node(node.type)
            return f"{fill('type {name}[ {caption}]', node)} = {made}"
        case t.Layer():
            value, _, name = node.name.text.rpartition(".")
            rest = fill("[, after {after}][, before {before}]", node)
            return f"extend {value} with {node.op} {name}, if any{rest}"
        case t.ExtendTokens():
            return fill("extend {target} with {slot}", node)
        case t.Component():
            made = " from {rows}" if node.rows else " for each {each}"
            made = made if node.rows or node.each else ""
            return fill(f"component {{name}}{made}{kept}", node)
        case t.DiceDecl():
            made = " for each {each}" if node.each else ": {members}"
            rest = " showing {faces}[ read by {read_by}][ {seen:seen}]"
            return fill(f"dice {{name}}{made}{kept}{rest}", node)
        case _:
            assert_never(node)


def short_payload(found: t.Payload) -> str | None:
    """Return a payload that may be on the line of its `change`."""
    if isinstance(found, str):
        return mode(found)
    if isinstance(found, t.HowMany):
        return how_many(found)
    return None if isinstance(found, t.Block | t.Rows) else closed(found)


def _payload(word: str, found: t.Payload, indent: int) -> list[str]:
    lead = " " * indent
    if isinstance(found, t.Rows):
        return [lead + word, *_beneath(found.rows, indent)]
    if isinstance(found, t.Block):
        line = one_line(found)
        if line is not None and len(lead) + len(word) + len(line) < LONGEST:
            return [f"{lead}{word} {line}"]
        return [lead + word, *block_lines(found, indent + INDENT)]
    if isinstance(found, t.HowMany):
        return [f"{lead}{word} {how_many(found)}"]
    code = mode(found) if isinstance(found, str) else print_expr(found)
    return [f"{lead}{word} {code}"]
