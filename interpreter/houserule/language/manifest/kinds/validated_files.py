"""Validate every YAML file of a ruleset's folder against its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.files import MANIFEST
from houserule.base.frozen import frozen
from houserule.base.source import Source, Span, parts_of
from houserule.language.manifest.folder import Folder
from houserule.language.manifest.kinds.kinds import (
    FIRST_LINE,
    SCHEMAS,
    is_table,
    kind_of,
    model_of,
    named_schema,
    unread,
)
from houserule.language.manifest.yaml.read import read_document, read_model

if TYPE_CHECKING:
    from houserule.language.manifest.ruleset import LoadedRuleset

YAML_FILES = ("**/*.yaml", "**/*.yml")
RULES = ".rules"


@frozen
class ValidatedFile:
    """A validated file.

    Attributes:
        schema: the name of its schema; for a rules file, that of its appendix.
        named: the schema that its first line names for editors, verbatim.
        faults: the errors by this schema.
    """

    file: str
    schema: str
    named: str | None
    faults: tuple[Diagnostic, ...]


@frozen
class ValidatedFiles:
    """The YAML files of a folder, validated against their schemas.

    Attributes:
        files: those that have a kind, and the appendices of rules files.
        faults: errors in them, unused files, and first lines that name the wrong
            schema.
        sources: their texts, by their names in messages.
    """

    files: tuple[ValidatedFile, ...]
    faults: tuple[Diagnostic, ...]
    sources: Mapping[str, Source]


def validate_folder(path: Path, ruleset: LoadedRuleset | None) -> ValidatedFiles:
    """Validate the YAML files and appendices of a folder against their schemas.

    Hidden files, and those of rulesets inside the folder, are skipped.

    Args:
        ruleset: the loaded ruleset; without it, only paths determine kinds of files.
    """
    folder = Folder(path)
    if folder.is_too_large(YAML_FILES):
        return ValidatedFiles((), tuple(folder.faults), {})
    every = sorted({each for one in YAML_FILES for each in folder.files(one)})
    inner = (PurePosixPath(each).parent for each in folder.files(f"*/**/{MANIFEST}"))
    within = tuple(f"{each}/" for each in inner)
    found: list[ValidatedFile] = []
    for file in every:
        if not file.startswith(within):
            found += _file(folder, file, ruleset)
    for source in ruleset.files.values() if ruleset else ():
        _, below = parts_of(source)
        if below is None or not source.name.endswith(RULES):
            continue
        document, wrong = read_document(below)
        if wrong or document.data is not None:  # something is below the line
            found.append(held_to("appendix", below))
    faults = [fault for each in found for fault in each.faults]
    sources = {source.name: source for source in folder.sources.values()}
    return ValidatedFiles(tuple(found), (*folder.faults, *faults), sources)


def _file(
    folder: Folder, file: str, ruleset: LoadedRuleset | None
) -> list[ValidatedFile]:
    """Validate a file against its schema; report a file without one as unused."""
    source = folder.read(file)
    if source is None:
        return []
    # The schema of a file: by its path, by references to it, by its keys.
    schema = None if file.endswith(".yml") else kind_of(file)
    if schema is None and not file.endswith(".yml"):
        manifest = ruleset.manifest if ruleset is not None else None
        if manifest and file in map(manifest.register_of, manifest.sources):
            schema = "register"
        elif is_table(read_document(source)[0].data):
            schema = "table"
    if schema is None:
        del folder.sources[file]
        if not file.endswith(".yml"):  # loading the ruleset reports those
            data = read_document(source)[0].data
            folder.faults.append(unread(file, Span.at(source.name), data))
        return []
    folder.faults.extend(misnamed(source, schema))
    return [held_to(schema, source)]


def validate_file(schema: str, source: Source) -> ValidatedFiles:
    """Validate one file against a schema, and check its first line."""
    held = held_to(schema, source)
    faults = (*held.faults, *misnamed(source, schema))
    return ValidatedFiles((held,), faults, {source.name: source})


def held_to(schema: str, source: Source) -> ValidatedFile:
    _, _, faults = read_model(source, model_of(schema))
    return ValidatedFile(source.name, schema, _named(source), tuple(faults))


def _named(source: Source) -> str | None:
    named = named_schema(source)
    return named[0] if named else None


def in_words(files: Sequence[ValidatedFile]) -> str:
    """Return how many files fit their schemas, in words; '' for no files."""
    below = [each for each in files if each.schema == "appendix"]
    plain = [each for each in files if each.schema != "appendix"]
    parts = []
    for some, one, many in (
        (plain, "YAML file", "YAML files"),
        (below, "appendix", "appendices"),
    ):
        number = f"{len(some)} {one if len(some) == 1 else many}"
        fit = sum(not each.faults for each in some)
        if some:
            parts.append(number if fit == len(some) else f"{fit} of {number}")
    fits = "fits its schema" if len(files) == 1 else "fit their schemas"
    return f"{' and '.join(parts)} {fits}" if parts else ""


# ---- the first line, which names a schema for editors


W036 = MessageCode("W036", "wrong schema for editors")
"""The first line of a YAML file names a schema for editors, and it is the schema of
another kind of file.

**Why.** An editor would mark correct lines, and accept wrong ones. `check` uses the
kind of the file, whatever the line says.

**For example**

```text
# yaml-language-server: $schema=../schemas/scenarios.json
language: en
titles: {pig: Pig}
```

**Fix.** Name the schema of the file's kind: `text.json` for words of a language.
`houserule schema --all FOLDER` writes all schemas. [YAML and rules in an
editor](../editors.md) has more.
"""


def misnamed(source: Source, schema: str) -> Iterator[Diagnostic]:
    """Yield W036 if a file names a schema that is not its own."""
    said, place = named_schema(source) or ("", None)
    around, slash, file = said.rpartition("/")
    other = file.removesuffix(".json")
    if file.endswith(".json") and other in SCHEMAS and other != schema:
        message = (
            f"This names the schema `{other}`, but the file is validated against "
            f"`{schema}`: an editor shows the errors of a file of another kind."
        )
        right = f"write  {around}{slash}{schema}.json"
        yield fault(W036, message, place, fixes=(right,))


def without_schema(source: Source) -> str:
    """Return the text of a file without the line that names a schema for editors."""
    named = named_schema(source)
    lines = source.text.split("\n")
    if named is not None:
        del lines[named[1].line - 1]
    return "\n".join(lines)


def first_line_like(manifest: Source, file: str, schema: str) -> str:
    """Return a first line that names a schema, if the manifest names its own.

    Args:
        manifest: the text of `ruleset.yaml`; if it names no schema, the result is ''.
        file: the path of the file in the folder.
    """
    named = named_schema(manifest)
    if named is None:
        return ""
    schemas = named[0].rpartition("/")[0]
    absolute = schemas.startswith("/") or ":" in schemas
    up = "" if absolute else "../" * file.count("/")
    return FIRST_LINE.format(path=f"{up}{schemas}/{schema}.json")
