"""What the author wrote, back as text, for messages and explanations."""

from __future__ import annotations

from dataclasses import replace

from houserule.syntax import tree
from houserule.syntax.write.expressions import print_expr
from houserule.syntax.write.statements import print_block


def written(node: tree.Expr | tree.Block) -> str:
    """Return an expression or a block as people write it, without its margin."""
    if isinstance(node, tree.Block):
        return print_block(replace(node, notes=()))
    return print_expr(node)
