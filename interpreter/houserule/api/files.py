"""Check and format rules files; the JSON Schemas of every file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from houserule.authoring.check.check import check_path
from houserule.authoring.check.checked import Checked
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Severity,
    has_errors,
    in_reading_order,
)
from houserule.base.diagnostics.render import Renderer, RulesetError
from houserule.base.files import is_there
from houserule.base.frozen import frozen
from houserule.base.resources import find_ruleset, nothing_called
from houserule.base.source import Source
from houserule.language.manifest.kinds.schemas import SCHEMAS, schema_text
from houserule.language.syntax.write.format import format_text


def format_rules(text: str, name: str = "rules") -> str:
    r"""Return the formatted text of a rules file, with its comments.

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
        KeyError: unknown schema.

    Example:
        >>> houserule.schema("table")["title"]
        'TableFile'
    """
    found: dict[str, object] = json.loads(schema_text(name))
    return found


# ---- checks


@frozen
class CheckReport:
    """The findings of a check of a ruleset, a file or a table.

    `str()` gives all messages as the command prints them.

    Attributes:
        name: of the game, or the path of the file.
        summary: the extent of the check, in a few words.
        numbers: the same as numbers: `variants`, `valid_tables`, `conflicts` and
            `composed`, for a whole game whose files are in order.
        diagnostics: errors, warnings and notes, in reading order.
        sources: the texts that they point into, by name.

    Example:
        >>> report = houserule.check("pig")
        >>> report.ok, report.numbers["valid_tables"], report.diagnostics
        (True, 2, ())
    """

    name: str
    summary: str
    numbers: Mapping[str, int]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, Source] = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether there are no errors; warnings do not count."""
        return not has_errors(self.diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors alone."""
        every = self.diagnostics
        return tuple(each for each in every if each.severity is Severity.ERROR)

    def __str__(self) -> str:
        return Renderer(self.sources).all(self.diagnostics)


def check(
    name_or_path: str | Path, *, pairs: bool = False, ranges: bool = False
) -> CheckReport:
    r"""Return all errors and warnings of a ruleset or of one of its files.

    Authors' errors are returned, never raised, even if a file cannot be parsed.

    Args:
        name_or_path: a shipped game, a ruleset's folder, a file in one, or a rules
            file by itself.
        pairs: whether tables with every pair of variants are composed as well.
        ranges: whether each range that is not proved is noted (N501).

    Raises:
        RulesetError: nothing has this name.
        OSError: the file cannot be read.

    Example:
        >>> import pathlib
        >>> written = pathlib.Path("odd.rules").write_text("game odd\nplayers many")
        >>> report = houserule.check("odd.rules")
        >>> report.ok, report.errors[0].span.line
        (False, 2)
    """
    path = Path(name_or_path)
    found = path if is_there(path) else find_ruleset(name_or_path)
    if found is None:
        raise RulesetError((), message=nothing_called(str(name_or_path)))
    return report_of(check_path(found, pairs=pairs, ranges=ranges))


def report_of(checked: Checked) -> CheckReport:
    """Return what a check found, in reading order."""
    return CheckReport(
        checked.name,
        checked.summary,
        dict(checked.numbers),
        tuple(in_reading_order(checked.diagnostics)),
        dict(checked.sources),
    )
