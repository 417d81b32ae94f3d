"""Kinds and types: what is declared as a type, and what a written type means.

Kinds are the closed sets of named things: seats, enumerations, dice, components and
actions. Types are resolved when they are asked for, so they may stand in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from houserule.diagnostics.wording import did_you_mean
from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Set,
    Type,
    Whole,
    members,
)
from houserule.lower.symbols.symbol_table import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    BuiltIn,
    MemberThing,
    Thing,
    TypeThing,
    World,
)
from houserule.lower.types import (
    ACTIONS,
    BROKEN,
    SEATS,
    core,
    is_broken,
    optional,
)
from houserule.source import NOWHERE, Span
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


# ---- types as written


def type_of(world: World, written: tree.Type) -> Type:
    """Return the type that is written; `BROKEN`, after a report, where it is none.

    `position` is no type by itself: only values have it, and they say where.
    """
    match written:
        case tree.RangeType(low, high):
            return _range(world, low, high, written.span)
        case tree.NamedType("position"):
            world.report(
                "E014",
                "`position` can only be the type of a value.",
                written.span,
                details=("Its definition says which zones it can mean.",),
            )
            return BROKEN
        case tree.NamedType(name):
            return named(world, name, written.span)
        case tree.FlagType():
            return Flag()
        case tree.SetType(member):
            return _set(world, member, written.span, part=False)
        case tree.PartType(member):
            return _set(world, member, written.span, part=True)
        case tree.MaybeType(inner):
            return optional(type_of(world, inner))


def named(world: World, name: str, span: Span) -> Type:
    """Return the type of that name, resolving what it stands for on demand."""
    if name in world.kinds:
        return world.kinds[name]
    if name in world.types:
        return world.types[name]
    declared = world.rules.types.get(name)
    if declared is None or declared.type is None:
        return _unknown(world, name, span)
    if name in world.resolving:
        world.report(
            "E019",
            f"The type `{name}` is made of itself.",
            declared.name.span,
            details=(" -> ".join((*world.resolving, name)),),
        )
        return BROKEN
    world.resolving.append(name)
    world.types[name] = type_of(world, declared.type)
    world.resolving.pop()
    return world.types[name]


def _unknown(world: World, name: str, span: Span) -> Type:
    thing = world.things.get(name)
    if thing is not None and not _is_type(world, name):
        message = f"`{name}` is {thing.said}, not a type."
        world.report("E012", message, span, "a type is wanted here")
    elif thing is None:
        known = (*world.kinds, *type_names(world), "position")
        message = f"There is no type called `{name}`."
        world.report("E010", message, span, did_you_mean(name, known))
    return BROKEN


def type_names(world: World) -> list[str]:
    """Return every name that can stand for a type, declared or not yet resolved."""
    rules = world.rules
    return [*world.kinds, *rules.types, *rules.components, *rules.dice]


def _is_type(world: World, name: str) -> bool:
    return name in type_names(world)


def _set(world: World, name: str, span: Span, *, part: bool) -> Type:
    member = named(world, name, span)
    if isinstance(member, Whole | Kind):
        return Set(member, part)
    world.report(
        "E014",
        f"A set cannot have members of type `{name}`.",
        span,
        "numbers or named things are wanted",
    )
    return Set(BROKEN, part)


def _range(
    world: World, low: int | tree.Word, high: int | tree.Word, span: Span
) -> Type:
    least, most = bound(world, low), bound(world, high)
    if least is None or most is None:
        return BROKEN
    if least > most:
        message = f"No number lies between {least} and {most}."
        world.report("E020", message, span, "this range is empty")
        return BROKEN
    return Whole(least, most)


def bound(world: World, written: int | tree.Word) -> int | None:
    """Return the bound of a range: a number, or the number an option has."""
    if isinstance(written, int):
        return written
    name = written.text
    chosen = world.rules.table.options.get(name)
    if isinstance(chosen, int) and not isinstance(chosen, bool):
        return chosen
    if name in world.rules.options:
        message = f"The option `{name}` is not a number."
        world.report("E014", message, written.span, "a number is wanted here")
    elif name in world.things:
        message = (
            f"`{name}` is {world.things[name].said}; a bound is known before play."
        )
        world.report("E028", message, written.span, "a number or an option is wanted")
    else:
        hint = did_you_mean(name, world.rules.options)
        message = f"There is no option called `{name}`."
        world.report("E010", message, written.span, hint)
    return None


def can_key(type_: Type) -> bool:
    """Say whether values of a type can key a cell; small sets of things can too."""
    if is_broken(type_):
        return True
    if core(type_) is not type_:
        return False
    if isinstance(type_, Set):
        return isinstance(type_.member, Kind) and type_.member.size <= 16
    return isinstance(type_, Whole | Flag | Kind)
