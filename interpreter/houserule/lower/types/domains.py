"""Types as written, resolved to the types of the core."""

from __future__ import annotations

from houserule.diagnostics.wording import did_you_mean
from houserule.ir.types import (
    Flag,
    Kind,
    Set,
    Type,
    Whole,
)
from houserule.lower.symbols.symbol_table import World
from houserule.lower.types.types import (
    BROKEN,
    core,
    is_broken,
    optional,
)
from houserule.source import Span
from houserule.syntax import tree


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
