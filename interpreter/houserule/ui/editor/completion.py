"""Completion in rules files: accepted keywords and forms, and names that fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, zip_longest

from houserule.authoring.renaming.targets import fields_of
from houserule.authoring.renaming.variables import Bound
from houserule.base.frozen import frozen
from houserule.base.resources import known_rulesets
from houserule.base.source import Source, parts_of
from houserule.compiler.items.index import family_of
from houserule.compiler.merge.rows import rows_named
from houserule.language.manifest.declared_names import declared_names
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import TextFile
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
    rules, _ = parts_of(source)
    row = rules.line(line)[: column - 1]
    quoted = row.count('"') % 2 or "#" in re.sub(r'"[^"]*"', "", row)
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


def complete_text(
    source: Source, line: int, column: int, ruleset: LoadedRuleset | None
) -> list[Completion]:
    """Return the sections, or the names of a section, that a file of texts lacks."""
    above, row = source.lines[: line - 1], source.line(line)[: column - 1]
    if ":" in row or "#" in row:
        return []
    typed = row.lstrip()
    start = column - len(typed)
    if typed == row:
        every: dict[str, str] = dict.fromkeys(TextFile.model_fields, "section")
        first, last = 0, len(source.lines)
    else:
        heads = [n for n, each in enumerate(above) if each[:1].isalpha()]
        first = heads[-1] if heads else 0
        section = source.lines[first].partition(":")[0]
        if ruleset is None or section not in SECTIONS:
            return []
        names = declared_names(ruleset.units, ruleset.tables).in_section(section)
        every = dict.fromkeys(sorted(names), section)
        below = (
            n for n in range(line, len(source.lines)) if source.lines[n][:1].isalpha()
        )
        last = next(below, len(source.lines))
    known = {each.partition(":")[0].strip() for each in source.lines[first:last]}
    return [
        Completion(name, kind, "", "", f"{name}: ", start)
        for name, kind in every.items()
        if name not in known
    ]


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
