"""What `show` tells of a table's compiled rules: their text, and where things lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from houserule.cli.output import tell
from houserule.compiled.module import emit
from houserule.compiled.readable import readable
from houserule.compiled.text import Unsupported

if TYPE_CHECKING:
    from houserule.compiled.module import Module
    from houserule.ir.nodes import Program


def compiled(program: Program) -> Module:
    """Return a table's compiled rules; what cannot be compiled ends the verb."""
    try:
        return emit(program)
    except Unsupported as error:
        tell(f"These rules cannot be compiled yet: {error}.")
        tell("The reference engine plays them; see docs/compiled.md for the limits.")
        raise click.exceptions.Exit(1) from None


def module_text(program: Program) -> str:
    """Return the WebAssembly text of a table's rules, as people read it."""
    return readable(compiled(program))
