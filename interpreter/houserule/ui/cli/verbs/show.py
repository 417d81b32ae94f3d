"""`houserule show`: a diagram of the turn, or the compiled text of the rules."""

from __future__ import annotations

from pathlib import Path

import click

from houserule.base.diagnostics.wording import nearest
from houserule.compiler.compose.compose import compose
from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.module import emit
from houserule.rulebook.diagram.build import draw
from houserule.rulebook.diagram.forms import FORMS
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import (
    GAME,
    TableFlags,
    chosen_language,
    language_flag,
    set_table,
    table_flags,
)
from houserule.ui.cli.output import (
    EndingPath,
    columns,
    say,
    say_content,
    tell,
    write_file,
)

EPILOG = """\b
Examples:
  houserule show pig                          in the terminal
  houserule show pig --names                  with the names that rules use
  houserule show pig --phase turn --lang de
  houserule show pig --output turn.svg        a picture; .mmd and .md are Mermaid
  houserule show ./my-game --preset ours --json
  houserule show pig --wat                    the compiled rules

\b
`+` marks additions of a house rule, `~` its changes; its title follows.
"""
ENDINGS = {".svg": "svg", ".mmd": "mermaid", ".md": "markdown"}
TEXT = ".wat"


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@click.option(
    "--output",
    "-o",
    type=EndingPath(*ENDINGS, TEXT),
    metavar="FILE",
    help=(
        "Write a file: .svg (picture), .mmd (Mermaid flowchart), .md (page with a "
        "flowchart) or .wat (the output of --wat)."
    ),
)
@click.option("--phase", metavar="NAME", help="Draw only this phase.")
@click.option(
    "--names", is_flag=True, help="Also print the names of phases, steps and actions."
)
@language_flag("Language of captions.")
@click.option(
    "--wat", is_flag=True, help="Print the compiled rules as WebAssembly text."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@table_flags
def command(
    game: Path | None,
    output: Path | None,
    phase: str | None,
    names: bool,
    lang: str | None,
    wat: bool,
    as_json: bool,
    flags: TableFlags,
) -> None:
    """Draw the turn of a GAME as the chosen table plays it."""
    of_text = wat or (output is not None and output.suffix == TEXT)
    if of_text:
        if output is not None and output.suffix != TEXT:
            raise click.UsageError(
                f"`--wat` is written to a file that ends with {TEXT}."
            )
        if as_json or phase is not None:
            raise click.UsageError(
                "`--phase` and `--json` are for drawings, not for `--wat`."
            )
    asked = flags.asked(game, lang)
    ruleset = asked.open()
    language = chosen_language(lang, ruleset.manifest.languages)
    table, program = set_table(ruleset, asked.choice)
    if of_text:
        try:
            text = emit(program).text
        except Unsupported as error:
            tell(f"These rules cannot be compiled yet: {error.placed}.")
            tell("The reference engine plays them: see docs/internals/compiled.md.")
            raise click.exceptions.Exit(FINDINGS) from None
        if output is None:
            say_content(text)
        else:
            write_file(output, text)
        return
    rules = compose(ruleset, table)[0]
    assert rules is not None, "the table was composed before"
    if phase is not None and phase not in rules.phases:
        near = nearest(phase, rules.phases)
        hint = f" Did you mean `{near}`?" if near else ""
        known = ", ".join(rules.phases)
        raise click.UsageError(f"There is no phase `{phase}`.{hint} Phases: {known}.")
    diagram = draw(ruleset, rules, program, language, phase, names=names)
    if output is not None:
        write_file(output, FORMS[ENDINGS[output.suffix]](diagram, columns()))
    if as_json:
        say(FORMS["json"](diagram, columns()))
    elif output is None:
        say(FORMS["text"](diagram, columns()), end="")
