"""Completion: accepted keywords and forms, names that fit, and keys of YAML files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, zip_longest
from json import loads
from typing import Any, TypeAlias

from houserule.authoring.renaming.targets import fields_of
from houserule.authoring.renaming.variables import Bound
from houserule.base.frozen import frozen
from houserule.base.resources import known_rulesets
from houserule.base.source import Source, parts_of
from houserule.compiler.items.index import family_of
from houserule.compiler.merge.rows import rows_named
from houserule.language.manifest.declared_names import declared_names
from houserule.language.manifest.kinds.schemas import schema_text
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.texts import SECTIONS
from houserule.language.syntax.forms import PLACE, forms
from houserule.language.syntax.read.parser import accepted_after
from houserule.language.syntax.tree.constructs import CLAUSE_KINDS
from houserule.language.syntax.vocabulary import (
    ABOUT,
    BEFORE_OF,
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    BUILT_IN_TYPES,
    DECLARATIONS,
    EDITS,
    EXAMPLES,
    HEADERS,
    NAMING,
)
from houserule.rulebook.meanings.game_names import game_names

CHAIN = re.compile(r"(?:[A-Za-z][A-Za-z0-9_]*\.)*[A-Za-z0-9_]*$")
BOUND = re.compile(r"\b(\w+)(?:, (\w+))?(?=:? in |: \w)|\blet (\w+)|\bas (\w+)")
THINGS = ("state", "zone", "slot", "value", "option", "member", "row", "component")
TYPES = ("type", "component", "dice", "tokens")
ANY = "any"  # every address, with its parts
# What the words before the cursor ask for: kinds of names, by the end of the line.
WANTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"^(variant|preset) \w+ for$|^bridge .* for$", ("game",)),
    (
        r"^(requires|implies|excludes|suggests|with|bridge|mute)\b(?!.* at$)",
        ("variant",),
    ),
    (r"^(exactly|at most) one of \w+:", ("variant",)),
    (r"^extends$", ("preset",)),
    (r"^(set|default|raise|lower)$", ("option", "state", "value")),
    (r"^(change|remove|sealed|or)\b(?!.*[:\"])(?!.* from )|^mute \w+ at$", (ANY,)),
    (r"^extend$", (*TYPES, "value")),
    (r"^(multiply|add to|keep)$", ("layer",)),
    (r"\bduring$", ("step", "phase")),
    (r"^(order|release)\b", ("step", "phase")),
    (r"(^|[:;] )(again|end)$|^limit .* each$", ("phase", "step")),
    (r"^reaction \w+ (when|before|after|instead of)$", (ANY,)),
    (r"\broll$", ("dice",)),
    (r"\bruling$", ("ruling",)),
    (r"\[$", ("source",)),
)
Json: TypeAlias = dict[str, Any]
KEY = re.compile(r"([ -]*)([^\W\d][\w.+]*):(?=\s|$)")
DASHES = re.compile(r"^[ -]*")
NEW_NAME = re.compile(rf"^({'|'.join(NAMING)}|{'|'.join(HEADERS)}|let)$")
CLAUSE = re.compile(rf"^({'|'.join(sorted(CLAUSE_KINDS))})$")


@frozen
class Completion:
    """One word, name or form that fits at the cursor.

    Attributes:
        label: the text that it begins with, and is found by.
        kind: `keyword`, `form`, or the kind of a name, such as `state`.
        insert: the text to insert; in a form, `${1:…}` are places to fill in.
        start: the column where the text before the cursor that it replaces begins.
    """

    label: str
    kind: str
    detail: str
    about: str
    insert: str
    start: int


def complete(
    source: Source, line: int, column: int, ruleset: LoadedRuleset | None
) -> list[Completion]:
    """Return what fits at a place of a rules file.

    Args:
        source: the text, as far as it is written.
        line: of the cursor, from 1.
        column: of the cursor, from 1.
        ruleset: the game of the file, the last time that it could be read.
    """
    rules, appendix = parts_of(source)
    row = rules.line(line)[: column - 1]
    quoted = row.count('"') % 2 or "#" in re.sub(r'"[^"]*"', "", row)
    if appendix and line > len(rules.lines):
        return complete_yaml(appendix, line, column, ruleset, "appendix")
    if quoted or line > len(rules.lines):
        return []
    found = CHAIN.search(row)
    assert found is not None, "it matches nothing as well"
    typed = found[0]
    start = column - len(typed)
    head, _, _ = typed.rpartition(".")
    accepted, item = _accepted(rules, line, row[: start - 1])
    before = " ".join(item.rpartition("\n")[2].split())
    owner = re.search(r"^\w+ (?:\w+ )?(\w+)", item)
    made: list[Completion] = []
    if not head:
        made += _words(accepted, item, bool(before), start)
    if "NAME" in accepted or head:
        kinds = _wanted(before, accepted, row)
        if head and not {ANY, "layer"} & {*kinds}:
            own = () if CLAUSE.search(before) else (f"in {head.rpartition('.')[2]}",)
            start, kinds = column - len(typed.rpartition(".")[2]), own
        known = {each.label for each in made}
        named: Iterable[tuple[str, str, str]] = ()
        if kinds:
            named = _names(ruleset, kinds, owner[1] if owner else "")
        if "variable" in kinds:
            bound = dict.fromkeys(
                filter(None, chain.from_iterable(BOUND.findall(item)))
            )
            named = (*((each, "variable", "") for each in bound), *named)
        for label, kind, detail in named:
            whole = not head or start > column - len(typed)
            if label not in known and (whole or label.startswith(f"{head}.")):
                known.add(label)
                made.append(Completion(label, kind, detail, "", label, start))
    return made


def complete_yaml(
    source: Source, line: int, column: int, ruleset: LoadedRuleset | None, schema: str
) -> list[Completion]:
    """Return the keys that a YAML file lacks at a place, or the values of a key.

    Args:
        schema: the name of the schema of the file.
    """
    row = source.line(line)[: column - 1]
    *above, last = _in_blocks(row)
    if last != row:  # inside of brackets
        blocks = *source.lines[: line - 1], *_in_blocks(source.line(line))
        text = "\n".join((*blocks, *source.lines[line:]))
        at = line + len(above), len(last) + 1
        moved = complete_yaml(Source(source.name, text), *at, ruleset, schema)
        return [replace(each, start=each.start + column - at[1]) for each in moved]
    if re.search("[#{'\"\\[]", row):
        return []
    key = KEY.match(row)
    typed = row[key.end() :].lstrip() if key else DASHES.sub("", row)
    start = column - len(typed)
    indent = len(row) - len(typed) if key is None else len(key[1])
    path, known = _path(source, line, indent)
    places = [loads(schema_text(schema))]
    whole = places[0]
    for each in (*path, *([key[2]] if key else [])):
        places = [found for at in places for found in _below(at, each, whole)]
    if key:
        values = {
            each: at
            for at in _each(places, whole)
            for each in (*at.get("enum", ()), at.get("const"))
        }
        return [
            Completion(each, "value", "", at.get("description", ""), each, start)
            for each, at in values.items()
            if isinstance(each, str)
        ]
    keys: dict[str, tuple[str, str]] = {}
    for shape in _each(places, whole):
        for name, below in shape.get("properties", {}).items():
            keys.setdefault(name, ("key", below.get("description", "")))
    if schema == "text" and ruleset and path and path[0] in SECTIONS:
        names = declared_names(ruleset.units, ruleset.tables).in_section(path[0])
        keys = dict.fromkeys(sorted(names), (path[0], ""))
    return [
        Completion(name, kind, "", about, f"{name}: ", start)
        for name, (kind, about) in keys.items()
        if name not in known
    ]


def _in_blocks(row: str) -> list[str]:
    """Return the lines of block style for a line of YAML in flow style."""
    lines, leads, quote = [""], list[str](), ""
    for sign in row:
        line = lines[-1]
        is_empty = not line.strip(" -")
        begins = is_empty or line.rstrip().endswith(":")  # where a value may begin
        if begins and sign in "{[" and not quote:
            lead = line if is_empty else " " * (len(line) - len(line.lstrip(" -")) + 2)
            dash = "- " * (sign == "[")
            leads.append(" " * len(lead) + dash)
            if is_empty:
                lines.pop()
            lines.append(lead + dash)
        elif sign == "," and leads and not quote:
            lines.append(leads[-1])
        elif sign in "}]" and leads and not quote:
            leads.pop()
        elif not (sign == " " and leads and is_empty):
            lines[-1] += sign
            if quote or (begins and sign in "'\""):
                quote = "" if sign == quote else quote or sign
    return lines


def _path(source: Source, line: int, indent: int) -> tuple[list[str], set[str]]:
    """Return the keys above a place with less indent, and those beside it."""
    path, known = list[str](), set[str]()
    dash = source.line(line)[:indent].rfind("-")  # here, an item of a list begins
    least = indent if dash < 0 else dash
    for number in range(line - 1, 0, -1):
        key = KEY.match(source.line(number))
        if key and len(key[1]) < least:
            least = len(key[1])
            path.insert(0, key[2])
        elif key and len(key[1]) == least == indent:
            known.add(key[2])
            if "-" in key[1]:  # the item begins here
                least = key[1].rindex("-")
    for number in range(line + 1, len(source.lines) + 1):
        key = KEY.match(source.line(number))
        if key and (len(key[1]) < indent or "-" in key[1]):
            break
        if key and len(key[1]) == indent:
            known.add(key[2])
    return path, known


def _below(at: Json, key: str, whole: Json) -> Iterator[Json]:
    """Yield what a schema has for the value of a key."""
    for each in _each([at], whole):
        found = each.get("properties", {}).get(key, each.get("additionalProperties"))
        if isinstance(found, dict):
            yield found


def _each(places: Iterable[Json], whole: Json) -> Iterator[Json]:
    """Yield the schemas that a value may have; of a list, those of its items."""
    for at in places:
        if "$ref" in at:
            yield from _each([whole["$defs"][at["$ref"].rpartition("/")[2]]], whole)
        yield from _each([*at.get("anyOf", ()), *at.get("oneOf", ())], whole)
        yield from _each([at["items"]] if "items" in at else [], whole)
        yield at


def _accepted(rules: Source, line: int, row: str) -> tuple[frozenset[str], str]:
    """Return what may follow in an item, and its text before the cursor."""
    lines = [*rules.lines[: line - 1], row]
    first = line - 1
    while row and first and (not lines[first].strip() or lines[first][:1] in " \t#"):
        first -= 1
    above = any(each.split(" ")[0] in HEADERS for each in lines[:first])
    item = "\n".join(lines[first:])
    if not item:
        starts = ("item", "header") if above else ("header",)
        return frozenset().union(*(accepted_after("", each) for each in starts)), ""
    begins = (*item.split(), "")[0]
    return accepted_after(item, "header" if begins in HEADERS else "item"), item


def _words(
    accepted: Iterable[str], item: str, inside: bool, start: int
) -> Iterator[Completion]:
    """Yield the accepted keywords, and the forms that begin with one of them.

    Inside a line, a form fits if its second word does as well.
    """
    for word in sorted(accepted):
        if not word.isalpha() or word.isupper():
            continue
        example = EXAMPLES.get(word, "")
        yield Completion(word, "keyword", "", example, word, start)
        for text, snippet in filled_forms().get(word, ()):
            second = text.split(" ")[1]
            if inside and word in (*ABOUT, *DECLARATIONS, *EDITS):
                continue
            is_word = second.islower() and second.isalpha() and word not in BEFORE_OF
            if inside and is_word:
                after = accepted_after(f"{item}{word} ", "item")
                if second not in after:
                    continue
            yield Completion(word, "form", text, example, snippet, start)


@cache
def filled_forms() -> dict[str, list[tuple[str, str]]]:
    """Return the forms by first word: as text, and with places to fill in."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in forms().values():
        # Optional parts are left out, except captions.
        text = re.sub(r"\[(?! \{caption\})[^\[\]]*\]", "", row.text)
        text = text.replace("[ {caption}]", ' "{caption}"')
        text = re.sub(r"\{\w+:beneath\}", "", text).strip()
        word = text.split(" ")[0]
        if word.isalpha() and " " in text:
            places = (f"${{{n}:{e[1]}}}" for n, e in enumerate(PLACE.finditer(text), 1))
            snippet = "".join(
                chain(*zip_longest(PLACE.split(text)[::3], places, fillvalue=""))
            )
            shown = PLACE.sub(lambda each: each[1].upper(), text)
            found.setdefault(word, []).append((shown, snippet))
    return found


def _wanted(before: str, accepted: frozenset[str], row: str) -> tuple[str, ...]:
    """Return the kinds of names that fit after the words of a line."""
    for pattern, kinds in WANTED:
        if re.search(pattern, before):
            return kinds
    if NEW_NAME.search(before):
        return ()
    if CLAUSE.search(before):
        return () if row[:1].isspace() else ("action", "effect", "reaction")
    if "set" in accepted and "count" not in accepted:
        return (*TYPES, "built-in type")
    if "move" in accepted:
        return ("variable", "effect", "state", "slot", "zone")
    return ("variable", *THINGS, "built-in")


def _names(
    ruleset: LoadedRuleset | None, kinds: tuple[str, ...], owner: str
) -> Iterator[tuple[str, str, str]]:
    """Yield the names of some kinds: name, kind, caption."""
    if "built-in" in kinds:
        for name in (*BUILT_IN_NAMES, *BUILT_IN_FUNCTIONS):
            yield name, "built-in", ""
    if "built-in type" in kinds:
        for name in BUILT_IN_TYPES:
            yield name, "built-in type", ""
    if "game" in kinds:
        yield from ((name, "game", "") for name in sorted(known_rulesets()))
    if ruleset is None:
        return
    if "variable" in kinds:
        for name in ruleset.derived(_bound).by_owner.get(owner, ()):
            yield name, "variable", ""
    for unit in ruleset.units:
        if unit.kind in kinds:
            yield unit.id, unit.kind, unit.title
    if "source" in kinds:
        yield from ((e, "source", s.title) for e, s in ruleset.manifest.sources.items())
    if "ruling" in kinds:
        for name, ruling in ruleset.rulings.items():
            yield name, "ruling", next(iter(ruling.says.values()), "")
    inside = [each.removeprefix("in ") for each in kinds if each.startswith("in ")]
    if inside:
        yield from _inside(ruleset, inside[0])
        return
    for group in ruleset.derived(game_names).groups:
        for each in group.names:
            if each.kind in kinds or ANY in kinds:
                bare = each.kind in ("member", "slot") and ANY not in kinds
                name = each.name.rpartition(".")[2] if bare else each.name
                yield name, each.kind, each.caption
            for part in each.parts if ANY in kinds else ():
                yield f"{each.name}.{part}", "part", each.caption
    if "row" in kinds:
        for rows in ruleset.tables.values():
            yield from ((row.id, "row", "") for row in rows)


def _inside(ruleset: LoadedRuleset, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the members and fields of a name; of a variable, all fields."""
    family = family_of(ruleset)
    every = sorted((*fields_of(ruleset), *_faces(ruleset)))
    own = [(field, "field", of) for of, field in every if of == name]
    own += [
        (first.one.name, "member", name)
        for first, *_ in family.clauses.values()
        if first.one.owner == name and first.one.kind == "member"
    ]
    own += [(row, "row", name) for of, row in rows_named(family) if of == name]
    yield from own or ((field, "field", of) for of, field in every)


def _faces(ruleset: LoadedRuleset) -> Iterator[tuple[str, str]]:
    """Yield the built-in field of each kind of dice."""
    for address, (first, *_) in family_of(ruleset).clauses.items():
        if first.one.kind == "dice":
            yield address, "face"


def _bound(ruleset: LoadedRuleset) -> Bound:
    return Bound(ruleset.units)
