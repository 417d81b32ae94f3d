"""Kinds of files: their schemas and models, and the paths where they apply.

Models are loaded on demand; `schemas` makes JSON Schemas of them.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from typing import Final

from pydantic import BaseModel

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import listed
from houserule.base.files import MANIFEST
from houserule.base.frozen import frozen
from houserule.base.source import Source, Span
from houserule.language.manifest.yaml.document import Data

SCHEMAS: dict[str, str] = {
    "ruleset": "houserule.language.manifest.ruleset_models:Manifest",
    "components": "houserule.language.manifest.ruleset_models:ComponentTable",
    "rulings": "houserule.language.manifest.ruleset_models:RulingsFile",
    "text": "houserule.language.manifest.ruleset_models:TextFile",
    "register": "houserule.language.manifest.ruleset_models:Register",
    "table": "houserule.language.manifest.ruleset_models:TableFile",
    "position": "houserule.play.positions.files:PositionFile",
    "scenarios": "houserule.authoring.scenarios.scenario_model:ScenarioFile",
    "appendix": "houserule.authoring.scenarios.scenario_model:WholeAppendix",
    "record": "houserule.play.records.lines:RecordLine",
    "diagnostic": "houserule.base.diagnostics.report:DiagnosticReport",
    "simulation": "houserule.study.simulate.statistics.summary:Simulation",
    "comparison": "houserule.study.simulate.comparison:Comparison",
    "analysis": "houserule.study.analysis.analysis_model:Analysis",
    "diagram": "houserule.rulebook.diagram.forms:DiagramReport",
    "seat": "houserule.play.seat.seat_model:Moment",
    "why": "houserule.play.seat.seat_model:WhyMove",
    "menu": "houserule.ui.configurator.menu_model:Menu",
    "meanings": "houserule.rulebook.meanings.meaning_model:Meanings",
    "names": "houserule.rulebook.meanings.game_names:GameNames",
    "coverage": "houserule.authoring.coverage.coverage_model:Coverage",
    "rulebook": "houserule.rulebook.book.book_model:Book",
}
PARTS: dict[str, str] = {
    "houserule.language.manifest.ruleset_models:Appendix": "appendix"
}
"""Models of a part of a schema: another package reads examples."""


def model_of(schema: str) -> type[BaseModel]:
    """Return the model of a schema.

    Raises:
        KeyError: there is no such schema.
    """
    module, _, attribute = SCHEMAS[schema].partition(":")
    model = getattr(import_module(module), attribute)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise TypeError(f"{SCHEMAS[schema]} is no model")
    return model


def schema_of(model: type[BaseModel]) -> str | None:
    """Return the name of a model's schema, if it has one."""
    called = f"{model.__module__}:{model.__qualname__}"
    models = {each: name for name, each in SCHEMAS.items()}
    return (models | PARTS).get(called)


@cache
def keys_of(schema: str) -> frozenset[str]:
    """Return the top-level keys of a schema."""
    fields = model_of(schema).model_fields
    return frozenset(info.alias or name for name, info in fields.items())


# ---- the files of a ruleset's folder

DEFAULT_TABLE = "houserule.yaml"  # the table of a folder, and of its subfolders


@frozen
class FileKind:
    """A kind of YAML file.

    Attributes:
        place: pattern of their paths in a ruleset's folder; `**` are folders.
        holds: the contents of such a file.
        asked: what refers to such a file, if its name alone is not enough.
    """

    schema: str
    place: str
    holds: str
    asked: str = ""


KINDS: Final = (
    FileKind("ruleset", MANIFEST, "what the folder is"),
    FileKind("rulings", "rulings.yaml", "rulings"),
    FileKind(
        "components",
        "components/**/*.yaml",
        "rows of a component",
        "let a rules file name it, behind `from`",
    ),
    FileKind(
        "text",
        "text/*.yaml",
        "the words of a language",
        f"list its language in `languages` of {MANIFEST}",
    ),
    FileKind(
        "register",
        "sources/*.yaml",
        "the sentences of a book",
        f"name the book in `sources` of {MANIFEST}",
    ),
    FileKind("scenarios", "scenarios/**/*.yaml", "worked examples"),
    FileKind("position", "positions/*.yaml", "a position to begin at"),
    FileKind("table", DEFAULT_TABLE, "a table"),
)
PLACES: Final = {each.schema: each.place for each in KINDS}
ASKED: Final = tuple(each.place for each in KINDS if each.asked)
"""Files that are unused unless something refers to them."""

ENDING = re.compile(r"\.(rules|ya?ml)(?:[. ][^/~]*)?$")
NAMED = re.compile(
    r"#[ \t]*(?:yaml-language-server[ \t]*:[ \t]*\$schema=|\$schema:[ \t]*)(\S+)"
)


def kind_of(file: str) -> str | None:
    """Return the schema of a file in a ruleset's folder by its path, or None.

    Example:
        >>> kind_of("text/de.yaml"), kind_of("text/old/de.yaml")
        ('text', None)
    """
    for each in KINDS:
        folders, deep, name = each.place.partition("**/")
        if deep and file.startswith(folders):
            fits = fnmatchcase(file.rpartition("/")[2], name)
        else:
            same_depth = file.count("/") == each.place.count("/")
            fits = not deep and same_depth and fnmatchcase(file, each.place)
        if fits:
            return each.schema
    return None


def right_ending(file: str) -> str | None:
    """Return what a name should end in: `.rules` for `a.Rules` and `a.rules.txt`.

    None if the ending is right, or that of other files.
    """
    found = ENDING.search(file.lower())
    if found is None or file.endswith((".rules", ".yaml")):
        return None
    return ".rules" if found[1] == "rules" else ".yaml"


def is_table(data: Data) -> bool:
    """Return whether data has only the keys of a table file."""
    return isinstance(data, dict) and {*data} <= keys_of("table")


def nearest_kind(data: Data) -> FileKind | None:
    """Return the kind of file that shares the most keys with some data, if any."""
    keys = {*data} if isinstance(data, dict) else set()
    found = max(KINDS, key=lambda each: len(keys & keys_of(each.schema)))
    return found if keys & keys_of(found.schema) else None


W035 = MessageCode("W035", "unused file")
"""A file is in the ruleset's folder, and nothing uses it. It can be a rules file, or a
YAML file at any place.

**Why.** It may be left over, or its name may be misspelt in the file that should name
it. Or it is in a place where no file of its kind is expected, such as `text_de.yaml`
instead of `text/de.yaml`, or its name ends in `.yml`, `.RULES` or `.rules.txt`. Its
contents are not checked.

**For example**

```text
components/cards_old.yaml
```

**Fix.** Use it, or remove it. The message shows how to use it: which file has to name
it, or, judging by its keys, where such a file belongs.
"""


def unread(file: str, place: Span, data: Data = None) -> Diagnostic:
    """Return W035 for an unused file, with suggestions how to use it.

    Args:
        place: where the message points.
        data: its contents, for a file whose path determines no kind.
    """
    message = "Nothing in this ruleset asks for this file."
    own = kind_of(file)
    if file.endswith(".rules"):
        fix = f"let `rules` in {MANIFEST} list it"
    elif (ending := right_ending(file)) is not None:
        fix = f"end its name in {ending}"
    elif own is not None:
        fix = next(each.asked for each in KINDS if each.schema == own)
    elif near := nearest_kind(data):
        fix = f"if it holds {near.holds}, its place is `{near.place}`"
    else:
        places = listed([f"`{each.place}`" for each in KINDS])
        fix = f"files that are read lie in {places}"
    return fault(W035, message, place, fixes=(fix,))


# ---- the schema that a file names for editors

FIRST_LINE = "# yaml-language-server: $schema={path}"


def named_schema(source: Source) -> tuple[str, Span] | None:
    """Return the schema that the first comments of a file name, and where."""
    for number, line in enumerate(source.text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            break
        if found := NAMED.match(line):
            start = found.start(1)
            return found[1], Span.at(source.name, number, start + 1, len(found[1]))
    return None
