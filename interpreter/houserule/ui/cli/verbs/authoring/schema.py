"""`houserule schema`: the JSON Schemas, printed or written into a folder."""

from __future__ import annotations

from pathlib import Path

import click

from houserule.base.diagnostics.wording import nearest
from houserule.language.manifest.kinds.schemas import SCHEMAS, schema_text
from houserule.ui.cli.output import say, say_content, writable, write_file

EPILOG = """\b
Examples:
  houserule schema                    which there are
  houserule schema scenarios          print one
  houserule schema --all schemas      write them all into a folder

\b
In a YAML file, editors find the schema by a first line such as
  # yaml-language-server: $schema=../schemas/scenarios.json
"""


@click.command(epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "--all",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write every schema into this folder.",
)
def command(name: str | None, folder: Path | None) -> None:
    """Print the JSON Schema of a kind of file or output."""
    if folder is not None:
        with writable(folder):
            folder.mkdir(parents=True, exist_ok=True)
        for each in SCHEMAS:
            write_file(folder / f"{each}.json", schema_text(each))
    elif name is None:
        for each in SCHEMAS:
            say(each)
    elif name in SCHEMAS:
        say_content(schema_text(name))
    else:
        near = nearest(name, SCHEMAS)
        hint = f" Did you mean `{near}`?" if near else ""
        raise click.UsageError(f"There is no schema `{name}`.{hint}")
