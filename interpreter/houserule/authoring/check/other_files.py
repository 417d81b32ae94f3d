"""Files that cannot be checked, or not wholly, and what is said of them."""

from __future__ import annotations

from pathlib import Path

from houserule.authoring.scenarios.files import RULES
from houserule.base.diagnostics.diagnostic import Diagnostic, fault
from houserule.base.files import read_source
from houserule.base.source import Span, name_of
from houserule.language.manifest.kinds.kinds import is_table
from houserule.language.manifest.yaml.read import read_document
from houserule.language.syntax.read.scan import E040

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
    return fault(E040, message, Span.at(name_of(path)), fixes=fixes)
