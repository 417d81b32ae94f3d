"""What `show` tells of a table's compiled rules: their text, and where things lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from houserule.cli.output import tell, write_file
from houserule.compiled.module import emit
from houserule.compiled.readable import readable
from houserule.compiled.writer.functions import Unsupported

if TYPE_CHECKING:
    from pathlib import Path

    from houserule.compiled.module import Module
    from houserule.ir import Program


def compiled(program: Program) -> Module:
    """Return a table's compiled rules; what cannot be compiled ends the verb."""
    try:
        return emit(program)
    except Unsupported as error:
        tell(f"These rules cannot be compiled yet: {error}.")
        tell("The reference engine plays them; see docs/compiled.md for the limits.")
        raise click.exceptions.Exit(1) from None


def show_text(program: Program, output: Path | None) -> None:
    """Show the WebAssembly text of a table's rules, as people read it.

    Into a file, the layout of the state goes beside it: `x.wat` has `x.layout.json`.
    """
    module = compiled(program)
    if output is None:
        click.echo(readable(module), nl=False)
    else:
        write_file(output, readable(module))
        write_file(output.with_suffix(".layout.json"), _layout(module))


def show_layout(program: Program) -> None:
    """Show where everything of a game lies, as one JSON object."""
    click.echo(_layout(compiled(program)), nl=False)


def _layout(module: Module) -> str:
    return module.layout().model_dump_json(indent=2) + "\n"
