"""Targets of a renaming: find a declaration or row, check whether it can be renamed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from houserule.authoring.renaming.variables import ME, Bound
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import nearest_few, with_article
from houserule.base.files import MANIFEST
from houserule.base.source import NOWHERE, Span
from houserule.compiler.items.index import Declaration, Family, family_of
from houserule.compiler.lower.types import ACTIONS, SEATS
from houserule.compiler.merge.rows import rows_named
from houserule.language.manifest.declared_names import called_members
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import CLAUSE_KINDS, NOUNS
from houserule.language.syntax.tree.parts import MAIN
from houserule.language.syntax.tree.visitor import names_bound, walk
from houserule.language.syntax.vocabulary import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    is_name,
    reserved,
)

BARE = frozenset({"member", "slot", "row"})  # written without their owner
BENEATH = CLAUSE_KINDS | {"layer", "lift"}  # written after their owner and a dot
LEFT = frozenset({"note", "assert", "winners", "bots strive for", "uses up", "players"})
UNITS = frozenset({"variant", "preset"})
RULING, FIELD, VARIABLE = "ruling", "field", "variable"
KINDS = UNITS | {RULING, FIELD, VARIABLE}  # these may precede a name
APART = UNITS | {RULING}  # these have namespaces of their own
NAMING_UNITS: Mapping[type[tree.Node], tuple[str, ...]] = {
    tree.Unit: ("names",),
    tree.Relates: ("names",),
    tree.OneOf: ("names", "normally"),
    tree.Suggests: ("names",),
    tree.WithGuard: ("names",),
    tree.PresetWith: ("names",),
    tree.Extends: ("name",),
    tree.Mute: ("variant",),
}
"""The parts of nodes that name variants and presets."""
BUILT_IN = frozenset((*BUILT_IN_FUNCTIONS, *BUILT_IN_NAMES, SEATS, ACTIONS, "position"))


class CannotRename(Exception):
    """The renaming is refused and changes nothing; `diagnostic` has the reason."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


E108 = MessageCode("E108", "cannot be renamed")
"""[`houserule rename`](../commands.md#rename) did not rename a name; nothing was
changed.

**Why.** A name is in rules, tables, texts, examples and records. It is renamed in all
of them or in none, and afterwards the game must be the same. So the new name must be
free: no other thing, row, variable or field has it. And if files use the old name
alone, it must mean one thing only.

**For example**

```text
houserule rename my-game pot score        # `score` is taken
houserule rename my-game misere last      # a variant and a ruling are called so: say `variant misere`
```

**Fix.** Choose another name, or first rename whatever has it. If a name means several
things, write the kind before it: `variant`, `preset`, `ruling`, `field`, `variable`. If
files are ambiguous, rename by hand; `check` reports what you forgot.
"""  # noqa: E501


def refused(
    message: str, span: Span | None = None, label: str = "", *details: str
) -> CannotRename:
    """Return E108, at a place if one is given."""
    labels = (Label(span, label),) if span is not None and span.line else ()
    return CannotRename(fault(E108, message, others=labels, details=details))


@dataclass(frozen=True)
class Target:
    """The declaration, row, field, variable, ruling or unit to rename.

    Attributes:
        address: such as `hold.enough`. A member has its type before its name, a row
            its component, a field its kind, a variable its owner.
        kind: the keyword of the declaration, or "row", "variable", "ruling",
            "variant" or "preset".
        new: its new name, the last part of the address.
        places: the names of all zones and places of tokens: a text may name two of
            them, a move's destination and origin.
        shared: for a field, whether another kind has one of that name.
        is_thing: for a field, whether a name without an owner is the same.
        products: for a member of an enumeration, the products whose members' names have
            it within them, each with the regular expression of these.
    """

    address: str
    kind: str
    new: str
    places: frozenset[str] = frozenset()
    shared: bool = False
    is_thing: bool = False
    products: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The current name: the last part of the address."""
        return self.address.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The address without the name, or ''."""
        return self.address.rpartition(".")[0]

    @property
    def place(self) -> int:
        """The index of the renamed part of the address."""
        return self.address.count(".")

    @property
    def renamed(self) -> str:
        return f"{self.owner}.{self.new}" if self.owner else self.new

    @property
    def called(self) -> str:
        """The argument that refers to it after the renaming: kind and address."""
        return f"{self.kind} {self.renamed}" if self.kind in KINDS else self.renamed

    def within(self, word: str, product: str = "") -> Iterator[tuple[int, int]]:
        """Yield where the name is a part of the name of a product's member."""
        for of, pattern in self.products:
            found = re.fullmatch(pattern, word) if product in ("", of) else None
            if found is not None:
                yield from map(found.span, range(1, found.re.groups + 1))

    @property
    def stands_alone(self) -> bool:
        """Whether the name is written without an owner."""
        return not self.owner or self.kind in BARE


def place_at(span: Span, column: int, target: Target) -> Span:
    return Span.at(span.file, span.line, column, len(target.name))


def first_of(span: Span, target: Target) -> Span:
    return place_at(span, span.column, target)


def last_of(span: Span, target: Target) -> Span:
    start = span.end_column - len(target.name)
    return Span.at(span.file, span.end_line, start, len(target.name))


def find_target(ruleset: LoadedRuleset, old: str, new: str) -> Target:
    """Return the target that a name refers to.

    Args:
        old: an address, or the bare name of a member, a place of tokens or a row. If
            it is ambiguous, the kind precedes it: `variant long_game`.
        new: the new name, with or without its owner.

    Raises:
        CannotRename: the name is unknown, its kind cannot be renamed, or the new name
            is taken or not allowed.
    """
    names = ruleset.derived(_KnownNames)
    address, kind, span = names.meant(old)
    if kind in LEFT:
        what = NOUNS.get(kind, with_article(kind))
        raise refused(f"`{address}` is {what}, which cannot be renamed.", span)
    owner = address.rpartition(".")[0]
    bare = new.removeprefix(f"{owner}.") if owner else new
    target = names.target(address, kind, bare)
    if bare == target.name:
        raise refused(f"`{address}` has that name already.", span)
    if not is_name(bare) or (target.kind == "row" and bare != bare.lower()):
        forms = "letters, figures and `_`, a letter first"
        small = "small " if target.kind == "row" else ""
        raise refused(f"`{bare}` is not a name: a name has {small}{forms}.", span)
    of_language = bare in reserved() or bare in BUILT_IN
    if target.kind not in BENEATH | {"row"} and of_language:
        raise refused(f"`{bare}` is a reserved word.", span, "not this name")
    names.check_free(target)
    names.check_alone(target)
    return target


def targets_called(ruleset: LoadedRuleset, word: str) -> list[tuple[Target, Span]]:
    """Return everything whose address ends with a word, with its first declaration."""
    names = ruleset.derived(_KnownNames)
    ends = (*names.family.clauses, *names.bound.addresses)
    rows = (f"{component}.{row}" for component, row in names.rows)
    fields = (f"{of}.{field}" for of, field in names.fields_of)
    every = (each for each in (*ends, *rows, *fields) if each.endswith(f".{word}"))
    found = {
        (address, kind): span
        for each in (word, *every)
        for address, kind, span in names.called(each)
    }
    return [
        (names.target(address, kind, ""), span)
        for (address, kind), span in found.items()
    ]


def fields_of(ruleset: LoadedRuleset) -> frozenset[tuple[str, str]]:
    """Return every field of a ruleset, as its kind and its name."""
    return frozenset(ruleset.derived(_KnownNames).fields_of)


class _KnownNames:
    """All names of a ruleset, and the possible meanings of each."""

    def __init__(self, ruleset: LoadedRuleset) -> None:
        self.ruleset = ruleset
        self.family: Family = family_of(ruleset)
        self.rows = rows_named(self.family)

    @cached_property
    def bare(self) -> dict[str, list[tuple[str, str, Span]]]:
        """The meanings of each name: address, kind and place."""
        found: dict[str, list[tuple[str, str, Span]]] = defaultdict(list)
        for address, every in self.family.clauses.items():
            one = every[0].one
            if "." not in address or one.kind in BARE:
                found[address.rpartition(".")[2]].append((address, one.kind, one.span))
        for (component, name), rows in self.rows.items():
            found[name].append((f"{component}.{name}", "row", rows[0].span))
        return found

    @cached_property
    def places(self) -> frozenset[str]:
        """The names of zones and of places of tokens."""
        return frozenset(
            name
            for name, every in self.bare.items()
            if any(kind in {"zone", "slot"} for _, kind, _ in every)
        )

    @cached_property
    def variables(self) -> dict[str, Span]:
        """Every variable and parameter, with its first place."""
        found: dict[str, Span] = {}
        for unit in self.ruleset.units:
            for node in walk(unit):
                if not isinstance(node, tree.Component | tree.DiceDecl):
                    for word in names_bound(node):
                        found.setdefault(word.text, word.span)
        return found

    @cached_property
    def fields(self) -> dict[str, Span]:
        """Every field of a component or an enumeration, with its first place."""
        found: dict[str, Span] = {}
        for unit in self.ruleset.units:
            for node in walk(unit):
                if isinstance(node, tree.Field):
                    found.setdefault(node.name.text, node.name.span)
                elif isinstance(node, tree.Component | tree.DiceDecl):
                    for word in names_bound(node):
                        found.setdefault(word.text, word.span)
        return found

    def target(self, address: str, kind: str, new: str) -> Target:
        """Return something of this ruleset as a target."""
        target = Target(address, kind, new, self.places)
        if kind == FIELD:
            thing = bool(self.bare.get(target.name))
            target = replace(target, shared=self.is_shared(address), is_thing=thing)
        if kind == "member":
            of = called_members(self.ruleset.units, target.owner, target.name)
            target = replace(target, products=tuple(of))
        return target

    def is_shared(self, address: str) -> bool:
        """Return whether another kind has a field of the same name."""
        name = address.rpartition(".")[2]
        return len({of for of, field in self.fields_of if field == name}) > 1

    @cached_property
    def fields_of(self) -> set[tuple[str, str]]:
        """Every field, as its kind and its name."""
        found: set[tuple[str, str]] = set()
        for unit in self.ruleset.units:
            for node in walk(unit):
                match node:
                    case tree.Component() | tree.DiceDecl() | tree.TypeDecl():
                        kind = node.name.text
                    case tree.ExtendFields():
                        kind = node.target.text
                    case _:
                        continue
                if not isinstance(node, tree.DiceDecl):
                    found.update((kind, each.name.text) for each in node.fields)
                if isinstance(node, tree.Component | tree.DiceDecl):
                    found.update((kind, word.text) for word in names_bound(node))
        return found

    @cached_property
    def bound(self) -> Bound:
        """Every variable, by its owner."""
        return Bound(self.ruleset.units)

    def meant(self, old: str) -> tuple[str, str, Span]:
        """Return the address, the kind and the place that a name refers to."""
        kind, _, name = old.rpartition(" ")
        found = [each for each in self.called(name) if kind in ("", each[1])]
        if len(found) == 1:
            return found[0]
        if found:
            ways = ", ".join(
                f"`{f'{sort} ' if sort in KINDS else ''}{address}`"
                for address, sort, _ in found
            )
            raise refused(f"`{old}` may be {ways}: say which.", found[0][2])
        said = self.family.declared.get(name, ())
        if name == self.ruleset.id and kind in ("", "game"):
            message = f"`{name}` is the game: rename it by hand."
            how = (
                f"Rename its folder, and write the new name in `id:` of {MANIFEST}, in"
            )
            how += (
                f" `game {name}` and `for {name}` of its rules, and in `game:` of its"
            )
            raise refused(message, None, "", f"{how} scenarios, tables and records.")
        if said:
            of = said[0].one.clause
            raise refused(f"`{old}` is a part of `{of}`, and has no name.")
        if name.rpartition(".")[2] == ME:
            raise refused("`me` is the player who acts, and has no other name.")
        rows = (f"{component}.{row}" for component, row in self.rows)
        units = (unit.id for unit in self.ruleset.units if unit.kind in UNITS)
        known = [*rows, *self.family.clauses, *self.bare, *units]
        known += [*self.ruleset.rulings, *self.bound.addresses]
        near = ", ".join(f"`{each}`" for each in nearest_few(old, known, most=3))
        hint = (f"There is {near}.",) if near else ()
        raise refused(f"Nothing in this game is called `{old}`.", None, "", *hint)

    def called(self, name: str) -> Iterator[tuple[str, str, Span]]:
        """Yield the possible meanings of a name: address, kind and place."""
        component, _, row = name.rpartition(".")
        every: list[Declaration] = list(self.rows.get((component, row), ()))
        if not every:
            said = self.family.declared.get(name, ())
            every = [each for each in said if each.one.word == MAIN]
        if every:
            yield name, every[0].one.kind, every[0].one.span
        else:
            yield from self.bare.get(name, ())
        for unit in self.ruleset.units:
            if unit.kind in UNITS and unit.id == name:
                yield name, unit.kind, unit.names[0].span
        if name in self.ruleset.rulings:
            yield name, RULING, NOWHERE
        span = self.bound.addresses.get(name)
        if span is not None:
            yield name, VARIABLE, span
        elif (component, row) in self.fields_of and not every:  # a field of a product
            yield name, FIELD, NOWHERE

    def check_free(self, target: Target) -> None:
        """Refuse a name that is taken.

        YAML files do not distinguish kinds of names. So a name without an owner must be
        unique among rows, members, things, variables and fields.
        """
        new, here = target.new, target.renamed
        if target.kind in APART:
            if target.kind == RULING:
                if new in self.ruleset.rulings:
                    raise refused(f"The ruling `{new}` already exists.")
                return
            self._check_units(new)
            for _, kind, span in self.bare.get(new, ()):
                if kind == "option":
                    message = f"The name `{new}` is taken: it is an option."
                    raise refused(message, span, "here")
            return
        said = self.family.declared.get(here, ())
        if said:
            raise refused(f"`{here}` is taken.", said[0].span, "it is here")
        if target.kind == FIELD and (target.owner, new) in self.fields_of:
            raise refused(f"`{here}` is taken.")
        if target.kind == VARIABLE:
            taken = self.bound.taken(target.owner, target.name, new)
            if taken is not None:
                message = f"The name `{new}` is taken: it is a variable."
                raise refused(message, taken, "here")
            for address, kind, span in self.bare.get(new, ()):
                if kind != "row":
                    message = f"The name `{new}` is taken: it is `{address}`."
                    raise refused(message, span, "here")
        if not target.stands_alone:
            return
        for address, kind, span in self.bare.get(new, ()):
            what = f"`{address}`" if "." in address else NOUNS.get(kind, f"a {kind}")
            raise refused(f"The name `{new}` is taken: it is {what}.", span, "here")
        for names, what in ((self.variables, "a variable"), (self.fields, "a field")):
            if new in names:
                message = f"The name `{new}` is taken: it is {what}."
                raise refused(message, names[new], "here")
        if target.kind == "option":
            self._check_units(new)

    def _check_units(self, new: str) -> None:
        for unit in self.ruleset.units:
            if unit.id == new:
                message = f"The name `{new}` is taken: it is a {unit.kind}."
                raise refused(message, unit.span, "here")

    def check_alone(self, target: Target) -> None:
        """Refuse to rename a target that shares its name with another kind of thing.

        YAML files do not distinguish the two.
        """
        if not target.stands_alone or target.kind in APART:
            return
        name = target.name
        others: list[tuple[str, Span]] = [
            (f"`{address}`", span)
            for address, _, span in self.bare.get(name, ())
            if address != target.address
        ]
        for names, what in ((self.variables, "a variable"), (self.fields, "a field")):
            if name in names:
                others.append((what, names[name]))
        if target.kind == "option":
            others += [
                (f"a {each.kind}", each.span)
                for each in self.ruleset.units
                if each.id == name
            ]
        for what, span in others:
            message = f"`{name}` is also the name of {what}, and files do not tell the "
            raise refused(f"{message}two apart.", span, "it is here")
