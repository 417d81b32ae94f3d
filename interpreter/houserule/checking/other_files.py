"""Files that cannot be checked, or not wholly, and what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.files import read_source
from houserule.manifest.kinds.kinds import is_table
from houserule.manifest.yaml.read import read_document
from houserule.resources import no_such_ruleset
from houserule.scenario.files import RULES
from houserule.source import Span, name_of

if TYPE_CHECKING:
    from pathlib import Path

    from houserule.syntax.tree import Unit

NOT_LOOKED_AT = "not looked at"


def is_other(path: Path) -> bool:
    """Say whether a file in no ruleset is neither rules nor scenarios.

    A YAML file that has the keys of a table, and no others, is one.
    """
    if path.suffix != ".yaml":
        return path.suffix != RULES
    document, _ = read_document(read_source(path))
    return is_table(document.data)


def not_looked_at(path: Path) -> Diagnostic:
    """Return E040, with the command that looks at such a file."""
    message = "`check` does not look at this file: no ruleset reads it."
    if path.suffix == ".jsonl":
        fixes = [f"play a record again:  houserule replay {path}"]
    elif path.suffix == ".yaml":
        fixes = [f"check a table:  houserule check --table {path}"]
    else:
        fixes = ["name rules `*.rules`, and let `rules:` in ruleset.yaml list them"]
    return fault("E040", message, Span.at(name_of(path)), fixes=fixes)


def without_game(unit: Unit) -> Diagnostic:
    """Return what is said of a rules file whose game is not known here."""
    if unit.kind == "game":
        message = f"There is no ruleset.yaml for {unit.id} in the folder of this file."
        fixes = (f"houserule new game {unit.id}  shows what such a folder holds",)
        return fault("E033", message, unit.names[0].span, fixes=fixes)
    message = f"{no_such_ruleset(unit.game.text)} Only how this is written was checked."
    fixes = ("name its folder:  houserule check FOLDER --rules FILE",)
    return fault("E039", message, unit.game.span, fixes=fixes)
