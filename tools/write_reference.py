"""Write the parts of the reference that the program knows: flags and keys.

The tables of flags in `docs/commands.md`, and of verbs there and in `README.md`, come
from the parser of the command line; `docs/keys.md` comes from the JSON Schemas. Run it
after a change of either:  python tools/write_reference.py
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

import houserule

# Inside: flags and verbs are described where the command line declares them.
from houserule.ui.cli.arguments import TABLE_FLAGS
from houserule.ui.cli.main import houserule as program
from houserule.ui.cli.verbs import VERBS

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = Path("docs/commands.md")
KEYS = Path("docs/keys.md")
BLOCK = re.compile(r"(<!-- written: (\w+) ?([\w ]*) -->\n).*?(<!-- end -->)", re.DOTALL)
FILES = {
    "ruleset": "`ruleset.yaml`",
    "components": "`components/*.yaml`",
    "text": "`text/<language>.yaml`",
    "rulings": "`rulings.yaml`",
    "scenarios": "`scenarios/*.yaml`",
    "position": "`positions/*.yaml`",
    "appendix": "`*.rules`, below `---`",
    "table": "`houserule.yaml`",
    "register": "`sources/*.yaml`",
}
OUTPUTS = {
    "simulation": "`simulate --json`",
    "comparison": "`compare --json`",
    "analysis": "`analyse --json`",
    "why": "`why --json`",
}
HEAD = """\
# Keys of files and outputs

All keys of every YAML file, and of the largest objects that verbs print with `--json`.
The JSON Schemas are the source; `houserule schema NAME` prints one. [A ruleset's
folder](rulesets.md) and [Scenarios](scenarios.md) show keys in use. Keys in bold are
required in files; outputs always have all their keys.
"""
Schema = Mapping[str, Any]


# ---- flags


def verb_rows(prefix: str, links: bool) -> str:
    """Return the table of verbs, with links to their sections or without."""
    rows = ["| command | does |", "|---|---|"]
    for name, verb in VERBS.items():
        shown = f"[`{name}`](#{name})" if links else f"`{prefix}{name}`"
        rows.append(f"| {shown} | {verb.says} |")
    return "\n".join(rows) + "\n"


def flag_rows(path: list[str]) -> str:
    """Return the table of a verb's flags, without those that choose a table."""
    command: click.Command = program
    context = click.Context(program)
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(context, name)
        assert found is not None, name
        command, context = found, click.Context(found, parent=context, info_name=name)
    shared = names_of_table_flags()
    options = [each for each in command.params if isinstance(each, click.Option)]
    own = [each for each in options if each.opts[-1] not in shared]
    chooses = len(options) - len(own) == len(shared)
    rows = [flag_row(each, context) for each in (own if chooses else options)]
    more = "\nIt also takes the [flags that choose a table](tables.md).\n"
    return "\n".join(
        ["| flag | does |", "|---|---|", *rows, *([more] if chooses else [""])]
    )


def names_of_table_flags() -> frozenset[str]:
    """Return the flags that choose a table."""

    @click.command()
    def nothing() -> None: ...

    for flag in TABLE_FLAGS:
        flag(nothing)
    return frozenset(each.opts[-1] for each in nothing.params)


def flag_row(option: click.Option, context: click.Context) -> str:
    """Return the row of a flag: its names, value, meaning, default and range."""
    record = option.get_help_record(context)
    assert record is not None, option.opts
    assert option.help, option.opts
    names, meaning = record
    value = re.sub(r"^.*--?[a-z-]+ ?", "", names).replace("INTEGER RANGE", "N")
    said = re.sub(r"  \[(.+)\]$", r" (\1)", meaning.replace("|", "\\|"))
    said = re.sub(r" ?\((?:x|\d)[^)]*\)$|; \d*<?=?x[^)]*(?=\)$)", "", said)
    flags = ", ".join(f"`{each}`" for each in (*option.opts, *option.secondary_opts))
    shown = f" `{value}`".replace("|", "\\|") if value else ""
    return f"| {flags}{shown} | {said} |"


# ---- keys


def keys_page() -> str:
    """Return the page of all keys of files and outputs."""
    parts, homes = [HEAD], dict[str, str]()
    for title, names, level in (("", FILES, 2), ("Outputs", OUTPUTS, 3)):
        if title:
            parts.append(f"\n## {title}\n")
        for name, heading in names.items():
            parts += schema_parts(name, heading, "#" * level, homes)
    return "\n".join(parts)


def schema_parts(
    name: str, heading: str, hashes: str, homes: dict[str, str]
) -> Iterator[str]:
    """Yield the sections of a schema: the whole, then each new kind of object inside.

    `homes` has the schemas that describe the kinds; equal kinds are printed once.
    """
    schema: Mapping[str, Any] = houserule.schema(name)
    yield f"{hashes} {heading}\n\n{sentence(schema)}\n"
    inner: dict[str, Schema] = {
        kind: each
        for kind, each in sorted(schema.get("$defs", {}).items())
        if each.get("properties")
    }
    new = [kind for kind in inner if kind not in homes]
    homes |= dict.fromkeys(new, name)
    yield table(schema, name, homes)
    for kind in new:
        each = inner[kind]
        yield f"{hashes}# {anchor(name, kind)}\n\n{sentence(each)}\n"
        yield table(each, name, homes)


def anchor(name: str, kind: str) -> str:
    """Return the heading of a kind of object inside a schema."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).capitalize()
    where = (FILES | OUTPUTS)[name]
    return f"{words} in {where}"


def sentence(schema: Schema) -> str:
    """Return the description of a schema, on one line."""
    return " ".join(str(schema.get("description", "")).split())


def table(schema: Schema, name: str, homes: Mapping[str, str]) -> str:
    """Return the table of an object's keys."""
    required = schema.get("required", ())
    rows = ["| key | value | meaning |", "|---|---|---|"]
    for key, value in schema.get("properties", {}).items():
        shown = f"**`{key}`**" if key in required and name in FILES else f"`{key}`"
        meaning = sentence(value).replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| {shown} | {value_words(value, name, homes)} | {meaning} |")
    return "\n".join(rows) + "\n"


def value_words(value: Schema, name: str, homes: Mapping[str, str]) -> str:
    """Return in words what a key's value may be."""
    if "$ref" in value:
        kind = value["$ref"].rpartition("/")[2]
        if kind not in homes:
            return "any value" if kind == "JsonValue" else "forms"
        heading = anchor(homes[kind], kind)
        place = re.sub(r"[^\w\s-]", "", heading.lower()).replace(" ", "-")
        return f"[{heading.partition(' in `')[0].lower()}](#{place})"
    if "anyOf" in value or "oneOf" in value:
        each = [
            value_words(v, name, homes) for v in value.get("anyOf", value.get("oneOf"))
        ]
        return ", or ".join(dict.fromkeys(filter(None, each)))
    if "const" in value:
        return f"`{value['const']}`"
    if "enum" in value:
        told = [v for v in value["enum"] if v is not None]
        if set(told) <= {"none"}:
            return "" if name in FILES else "null"
        if {True, False} <= set(told) and "yes" in told:
            return "yes or no"
        return ", ".join(f"`{v}`" for v in told)
    match str(value.get("type")):
        case "array":
            item = value_words(value.get("items", {}), name, homes)
            return f"list of {item or 'values'}"
        case "object":
            more = value.get("additionalProperties")
            item = value_words(more, name, homes) if isinstance(more, dict) else ""
            return f"names with {item or 'values'}"
        case "integer" | "number":
            return "number"
        case "boolean":
            return "yes or no" if name in FILES else "true or false"
        case "string":
            return "name" if "pattern" in value else "text"
        case _:
            return "any value"


# ---- pages


def pages() -> dict[Path, str]:
    """Return the text of each page that this tool writes, whole or in part."""

    def block(match: re.Match[str]) -> str:
        begin, kind, words, end = match.groups()
        match kind:
            case "verbs":
                text = verb_rows("houserule ", words == "linked")
            case "flags":
                text = flag_rows(words.split())
            case _:
                raise ValueError(f"no such block: {kind}")
        return f"{begin}\n{text}\n{end}"

    found = {KEYS: keys_page()}
    for path in (COMMANDS, Path("README.md")):
        text = (ROOT / path).read_text(encoding="utf-8")
        found[path] = BLOCK.sub(block, text)
    return found


def main(arguments: list[str]) -> int:
    """Write the pages; with `--check`, only report those that are out of date."""
    stale = [
        path
        for path, text in pages().items()
        if not (ROOT / path).is_file()
        or (ROOT / path).read_text(encoding="utf-8") != text
    ]
    if "--check" in arguments:
        for path in stale:
            print(f"{path} is out of date: run tools/write_reference.py")
        return 1 if stale else 0
    for path in stale:
        (ROOT / path).write_text(pages()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
