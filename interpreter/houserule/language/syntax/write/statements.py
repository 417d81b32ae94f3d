"""Print statements and blocks, with the citations next to their lines."""

from __future__ import annotations

import re

from houserule.language.syntax import tree as t
from houserule.language.syntax.write.expressions import fill, form_of, notes, print_node

COLUMN = 79  # the first column of citations
EDGE = 132  # the right end of citations at that column
WIDTH = 124  # the right end of other citations
INDENT = 2  # spaces for each level


# Placeholders in a form after which the text may be on lines of its own.
LAYOUT = re.compile(r" ?\{(\w+):(block|long|first|beneath)\}")


def beside(code: str, notes: str) -> list[str]:
    """Return a line with its citations.

    They begin at their column if there is room, else two spaces after the code, else on
    a line of their own.
    """
    if not notes:
        return [code]
    if len(code) + 2 < COLUMN and COLUMN - 1 + len(notes) <= EDGE:
        return [f"{code:<{COLUMN - 1}}{notes}"]
    if len(code) + 2 + len(notes) <= WIDTH:
        return [f"{code}  {notes}"]
    return [code, *below(code, notes)]


def below(code: str, notes: str) -> list[str]:
    """Return citations on lines of their own, below this line, as far right as fits.

    Citations wider than the page are broken between notes.
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


# A note with the comma or bracket after it; commas in quotation marks do not count.
_PIECE = re.compile(r'(?:"[^"]*"|[^",\]])+[],]* *')


# ---- statements and blocks

LONGEST = 100  # preferred maximum of columns of code on one line


def print_statement(node: t.Statement) -> str:
    """Return a statement in its usual form, possibly on several lines."""
    return "\n".join(statement_lines(node, 0))


def print_block(node: t.Block) -> str:
    """Return statements in order: on one line if possible, else as lines."""
    line = one_line(node)
    if line is not None and len(line) <= LONGEST and not node.notes:
        return line
    return "\n".join(block_lines(node, 0))


def one_line(node: t.Block) -> str | None:
    """Return a block for the end of a line, or None if that is not possible.

    The caller prints the citations of the block. If an inner block has citations, it
    needs lines of its own, so the result is None.
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
        isinstance(only, t.If | t.Choose | t.LetIfAny)
        and bool(only.otherwise or (isinstance(only, t.If) and only.others))
    ):
        return None
    rest = one_line(inner)
    return None if rest is None else f"{head_of(only)} {rest}"


def block_lines(node: t.Block, indent: int) -> list[str]:
    """Return each statement of a block, its citations next to the first simple one."""
    lines: list[str] = []
    margin = notes(node.notes)
    for each in node.statements:
        found = statement_lines(each, indent)
        if margin and isinstance(each, t.SimpleStatement):
            found, margin = beside(found[0], margin), ""
        lines.extend(found)
    return lines


def with_body(head: str, margin: str, body: t.Block, indent: int) -> list[str]:
    """Return a line that opens a block, and the block on the same line or below."""
    lead = " " * indent
    rest = None if body.notes else one_line(body)
    if rest is not None and len(lead) + len(head) + len(rest) < LONGEST:
        return beside(f"{lead}{head} {rest}", margin)
    return [*beside(lead + head, margin), *block_lines(body, indent + INDENT)]


def statement_lines(node: t.Statement, indent: int) -> list[str]:
    if isinstance(node, t.SimpleStatement):
        return [" " * indent + print_node(node)]
    if isinstance(node, t.If):
        return _if_lines(node, indent)
    lines = _opened(head_of(node), node.body, indent)
    return [
        *lines,
        *_else_lines(
            node.otherwise if isinstance(node, t.Choose | t.LetIfAny) else None, indent
        ),
    ]


def _if_lines(node: t.If, indent: int, word: str = "") -> list[str]:
    lines = _opened(word + head_of(node), node.body, indent)
    for each in node.others:
        lines += _opened(head_of(each), each.body, indent)
    return [*lines, *_else_lines(node.otherwise, indent)]


def _else_lines(body: t.Block | None, indent: int) -> list[str]:
    if body is None:
        return []
    only = body.statements[0] if len(body.statements) == 1 else None
    if isinstance(only, t.If) and not body.notes:
        return _if_lines(only, indent, "else ")
    return _opened("else:", body, indent)


def _opened(head: str, body: t.Block, indent: int) -> list[str]:
    bare = t.Block(body.statements)
    margin = notes(body.notes)
    return with_body(head, margin, bare, indent)


def head_of(node: t.Node) -> str:
    """Return the first line of a node without its parts on lines below."""
    return fill(LAYOUT.split(form_of(node))[0], node)
