"""The closed sets of named things: seats, enumerations, dice, components, actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Type,
    Whole,
    members,
)
from houserule.lower.symbols.symbol_table import World
from houserule.lower.symbols.symbols import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    BuiltIn,
    MemberThing,
    Thing,
    TypeThing,
)
from houserule.lower.types.domains import named, type_of
from houserule.lower.types.types import (
    ACTIONS,
    BROKEN,
    SEATS,
    is_broken,
)
from houserule.source import NOWHERE
from houserule.syntax import tree


def declare_kinds(world: World) -> None:
    """Declare every type, and the members that have names of their own.

    A product of others is labelled by their labels with hyphens between: `p1-3`.
    """
    _declare_built_in(world)
    rules = world.rules
    for name, enum in rules.types.items():
        declare(world, TypeThing(name, enum.name.span), enum.name)
        if enum.type is None:
            _declare_members(world, name, enum.members, "enum")
    for name, dice in rules.dice.items():
        declare(world, TypeThing(name, dice.name.span), dice.name)
        if not dice.each:
            _declare_members(world, name, dice.members, "die")
    for name, component in rules.components.items():
        declare(world, TypeThing(name, component.name.span), component.name)
        if not component.each:
            _declare_rows(world, name)
    for name in rules.types:
        named(world, name, NOWHERE)
    _declare_products(world)
    actions = tuple(sorted(rules.actions))
    world.add_kind(Kind(ACTIONS, len(actions), "action"), actions)


def declare(world: World, thing: Thing, word: tree.Word) -> None:
    """Declare a thing, reporting a name that is taken or a word of the language."""
    world.check_keyword(word)
    other = world.things.setdefault(thing.name, thing)
    if other is not thing:
        world.report(
            "E011",
            f"`{thing.name}` is declared twice.",
            word.span,
            f"here it is {thing.said}",
            others=world.declared_at(other),
        )


def _declare_built_in(world: World) -> None:
    for name in (*BUILT_IN_FUNCTIONS, *BUILT_IN_NAMES):
        world.things[name] = BuiltIn(name)
    for name in (SEATS, ACTIONS):
        world.things[name] = TypeThing(name, NOWHERE)
    seats = world.rules.table.players
    labels = tuple(f"p{number}" for number in range(1, seats + 1))
    world.add_kind(Kind(SEATS, seats, "seat"), labels)


def _declare_members(
    world: World, name: str, words: Sequence[tree.Word], sort: str
) -> None:
    kind = Kind(name, len(words), sort)
    world.add_kind(kind, tuple(word.text for word in words))
    for number, word in enumerate(words):
        declare(world, MemberThing(word.text, number, kind, word.span), word)


def _declare_rows(world: World, name: str) -> None:
    labels = tuple(row.id for row in world.rules.rows.get(name, ()))
    world.add_kind(Kind(name, len(labels), "component"), labels)


# ---- products


def _declare_products(world: World) -> None:
    """Declare `for each` components and dice, whatever they are products of first."""
    rules = world.rules
    waiting: dict[str, tuple[tree.Params, str, tree.Word]] = {}
    for name, component in rules.components.items():
        if component.each:
            waiting[name] = component.each, "component", component.name
    for name, dice in rules.dice.items():
        if dice.each:
            waiting[name] = dice.each, "die", dice.name
    while waiting:
        ready = [name for name in waiting if not _needs(waiting[name][0]) & {*waiting}]
        for name in ready:
            params, sort, _ = waiting.pop(name)
            _declare_product(world, name, params, sort)
        if not ready:
            break
    for name, (_, sort, word) in waiting.items():
        message = f"`{name}` is a product that needs itself."
        world.report("E019", message, word.span, f"among {', '.join(waiting)}")
        world.add_kind(Kind(name, 0, sort), ())


def _needs(params: tree.Params) -> set[str]:
    found = set()
    for param in params:
        if isinstance(param, tree.Typed) and isinstance(param.type, tree.NamedType):
            found.add(param.type.name)
    return found


def _declare_product(world: World, name: str, params: tree.Params, sort: str) -> None:
    columns: list[tuple[str, Type, range]] = []
    for param in params:
        if isinstance(param, tree.Binder):
            message = "`for each` takes `name: Type`."
            world.report("E027", message, param.span)
            continue
        type_ = type_of(world, param.type)
        for word in param.names:
            columns.append((word.text, type_, _members(world, type_, word)))
    _check_columns(world, name, params)
    combined = list(product(*(values for _, _, values in columns)))
    types = [type_ for _, type_, _ in columns]
    labels = tuple(_label(world, types, values) for values in combined)
    world.add_kind(Kind(name, len(labels), sort), labels)
    world.fields[name] = {field: type_ for field, type_, _ in columns}
    world.rows[name] = {
        field: tuple(_as_data(type_, values[place]) for values in combined)
        for place, (field, type_, _) in enumerate(columns)
    }


def _check_columns(world: World, name: str, params: tree.Params) -> None:
    words = [w for param in params for w in param.names]
    seen: set[str] = set()
    for word in words:
        if word.text in seen or (word.text == "face" and name in world.rules.dice):
            message = f"`{name}` has a field `{word.text}` already."
            world.report("E011", message, word.span)
        seen.add(word.text)


def _members(world: World, type_: Type, word: tree.Word) -> range:
    if isinstance(type_, Whole | Kind | Flag) and not is_broken(type_):
        return members(type_)
    if type_ is not BROKEN:
        message = f"`for each` runs over named things and numbers, not over {type_}."
        world.report("E014", message, word.span)
    return range(0)


def _as_data(type_: Type, value: int) -> Data:
    return bool(value) if isinstance(type_, Flag) else value


def _label(world: World, types: Iterable[Type], values: Iterable[int]) -> str:
    parts = []
    for type_, value in zip(types, values, strict=True):
        parts.append(label_of(world, type_, value))
    return "-".join(parts)


def label_of(world: World, type_: Type, value: int) -> str:
    """Return what people call a member of a type."""
    match type_:
        case Kind(name):
            return world.labels[name][value]
        case Flag():
            return "yes" if value else "no"
        case _:
            return str(value)
