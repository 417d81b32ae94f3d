"""Statements and blocks back to text, and the column of a margin beside its line."""

from __future__ import annotations

import re
from typing import assert_never

from houserule.syntax import tree as t
from houserule.syntax.write.expressions import (
    best,
    binder,
    binder_list,
    listed,
    notes,
    operand,
    print_expr,
    where,
)

COLUMN = 79  # where margins begin
EDGE = 132  # how far a margin at that column may reach
WIDTH = 124  # how far any other may reach
INDENT = 2  # spaces for each level


def beside(code: str, notes: str) -> list[str]:
    """Return a line with its margin.

    The margin begins at its column if code and margin leave room for that, else two
    spaces behind the code, else it stands on a line of its own.
    """
    if not notes:
        return [code]
    if len(code) + 2 < COLUMN and COLUMN - 1 + len(notes) <= EDGE:
        return [f"{code:<{COLUMN - 1}}{notes}"]
    if len(code) + 2 + len(notes) <= WIDTH:
        return [f"{code}  {notes}"]
    return [code, *below(code, notes)]


def below(code: str, notes: str) -> list[str]:
    """Return a margin on lines of its own, beneath this line, as far right as it can.

    One that is wider than the page is broken between its notes.
    """
    least = len(code) - len(code.lstrip(" ")) + INDENT
    rows = [""]
    for piece in _PIECE.findall(notes):
        if rows[-1] and least + len(rows[-1]) + len(piece.rstrip()) > WIDTH:
            rows.append(" ")
        rows[-1] += piece
    rows = [row.rstrip() for row in rows]
    column = max(least, min(COLUMN - 1, WIDTH - max(map(len, rows))))
    return [" " * column + row for row in rows]


# A note with the comma or bracket behind it; commas in quotation marks do not count.
_PIECE = re.compile(r'(?:"[^"]*"|[^",\]])+[],]* *')


# ---- statements and blocks

LONGEST = 100  # columns of code on one line, if it can be helped


def print_statement(node: t.Statement) -> str:
    """Return a statement as its author would write it, maybe on several lines."""
    return "\n".join(statement_lines(node, 0))


def print_block(node: t.Block) -> str:
    """Return statements in order: on one line if they can stand so, else as lines."""
    line = one_line(node)
    if line is not None and len(line) <= LONGEST and not node.notes:
        return line
    return "\n".join(block_lines(node, 0))


def one_line(node: t.Block) -> str | None:
    """Return a block for the end of a line, or None if it cannot stand there.

    Its own margin does not count; margins deeper inside want lines of their own.
    """
    if all(isinstance(each, t.SimpleStatement) for each in node.statements):
        return "; ".join(map(print_statement, node.statements))
    if len(node.statements) > 1:
        return None
    only = node.statements[0]
    if isinstance(only, t.SimpleStatement):
        return None
    inner = only.body
    if inner.notes or (
        isinstance(only, t.If | t.Choose | t.LetIfAny) and _goes_on(only)
    ):
        return None
    rest = one_line(inner)
    return None if rest is None else f"{_head(only)} {rest}"


def block_lines(node: t.Block, indent: int) -> list[str]:
    """Return each statement of a block, its margin beside the first simple one."""
    lines: list[str] = []
    margin = notes(node.notes)
    for each in node.statements:
        found = statement_lines(each, indent)
        if margin and isinstance(each, t.SimpleStatement):
            found, margin = beside(found[0], margin), ""
        lines.extend(found)
    return lines


def with_body(head: str, margin: str, body: t.Block, indent: int) -> list[str]:
    """Return a line that opens a block, the block behind or beneath it."""
    lead = " " * indent
    rest = None if body.notes else one_line(body)
    if rest is not None and len(lead) + len(head) + len(rest) < LONGEST:
        return beside(f"{lead}{head} {rest}", margin)
    return [*beside(lead + head, margin), *block_lines(body, indent + INDENT)]


def statement_lines(node: t.Statement, indent: int) -> list[str]:
    """Return the lines of one statement."""
    if isinstance(node, t.SimpleStatement):
        return [" " * indent + _simple(node)]
    if isinstance(node, t.If):
        return _if_lines(node, indent)
    lines = _opened(_head(node), node.body, indent)
    return [
        *lines,
        *_else_lines(
            node.otherwise if isinstance(node, t.Choose | t.LetIfAny) else None, indent
        ),
    ]


def _if_lines(node: t.If, indent: int, word: str = "") -> list[str]:
    lines = _opened(word + _head(node), node.body, indent)
    for each in node.others:
        head = f"else if {print_expr(each.condition)}:"
        lines += _opened(head, each.body, indent)
    return [*lines, *_else_lines(node.otherwise, indent)]


def _else_lines(body: t.Block | None, indent: int) -> list[str]:
    if body is None:
        return []
    only = body.statements[0] if len(body.statements) == 1 else None
    if isinstance(only, t.If) and not body.notes:
        return _if_lines(only, indent, "else ")
    return _opened("else:", body, indent)


def _goes_on(node: t.If | t.Choose | t.LetIfAny) -> bool:
    """Tell whether there is an `else`."""
    return bool(node.otherwise or (isinstance(node, t.If) and node.others))


def _opened(head: str, body: t.Block, indent: int) -> list[str]:
    bare = t.Block(body.statements)
    margin = notes(body.notes)
    return with_body(head, margin, bare, indent)


def _head(node: t.BlockStatement) -> str:
    match node:
        case t.Choose():
            word = "must" if node.must else "may"
            by = "" if node.by is None else f" by {operand(node.by)}"
            return f"{word} choose {binder(node.binder)}{where(node.where)}{by}:"
        case t.Random():
            return f"random {binder(node.binder)}{where(node.where)}:"
        case t.Share():
            over = f"{binder(node.binder)}{where(node.where)}"
            return f"share {operand(node.amount)} over {over} as {node.count.text}:"
        case t.For():
            order = "" if node.order is None else f" {best(node.order, 'by')}"
            return f"for {binder_list(node.binders)}{where(node.where)}{order}:"
        case t.LetIfAny():
            return f"let {node.name.text} = {print_expr(node.value)}, if any:"
        case t.If():
            return f"if {print_expr(node.condition)}:"
        case _:
            assert_never(node)


def _simple(node: t.SimpleStatement) -> str:
    match node:
        case t.Move():
            return f"move {operand(node.what)} to {operand(node.to)}"
        case t.MoveCount():
            count = "all" if node.count is None else print_expr(node.count)
            much = f"up to {count}" if node.up_to else count
            return f"move {much} from {operand(node.source)} to {operand(node.to)}"
        case t.Becomes():
            return f"{operand(node.target)} becomes {print_expr(node.value)}"
        case t.Gains():
            word = "gains" if node.sign == 1 else "loses"
            return f"{operand(node.target)} {word} {print_expr(node.value)}"
        case t.Roll():
            return f"roll {operand(node.dice)}"
        case t.Shuffle():
            return f"shuffle {operand(node.pile)}"
        case t.Let():
            return f"let {node.name.text} = {print_expr(node.value)}"
        case t.Again():
            return f"again {node.name.text}"
        case t.End():
            return f"end {node.name.text}"
        case t.Show():
            return f"show {operand(node.what)} to {operand(node.to)}"
        case t.Call():
            return f"{node.name}({listed(node.args)})" if node.args else node.name
        case _:
            assert_never(node)
