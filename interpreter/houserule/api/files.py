"""Single files: rules brought into the usual form, schemas of every file and output."""

from __future__ import annotations

import json

from houserule.diagnostics.diagnostic import has_errors
from houserule.diagnostics.render import RulesetError
from houserule.manifest.schemas import SCHEMAS, schema_text
from houserule.source import Source
from houserule.syntax.write.format import format_text


def format_rules(text: str, name: str = "rules") -> str:
    r"""Return the text of a rules file in the usual form, comments kept.

    Args:
        text: of a whole file.
        name: what messages call it.

    Raises:
        RulesetError: it cannot be read; `diagnostics` say why.

    Example:
        >>> print(houserule.format_rules("game   g\nplayers 2 .. 3"))
        game g
        players 2..3
        <BLANKLINE>
    """
    source = Source(name, text)
    formatted, found = format_text(source)
    if has_errors(found):
        raise RulesetError(found, {name: source})
    return formatted


def schemas() -> tuple[str, ...]:
    """Return the names of all JSON Schemas: of files and of outputs.

    Example:
        >>> "record" in houserule.schemas()
        True
    """
    return tuple(SCHEMAS)


def schema(name: str) -> dict[str, object]:
    """Return the JSON Schema of a kind of file or output.

    Args:
        name: one of `schemas`.

    Raises:
        KeyError: there is no such schema.

    Example:
        >>> houserule.schema("table")["title"]
        'TableFile'
    """
    found: dict[str, object] = json.loads(schema_text(name))
    return found
