"""Phases played together: one open step, and effects that touch only one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from houserule import ir
from houserule.diagnostics.diagnostic import Label
from houserule.lower.symbols.symbol_table import World
from houserule.source import Span


def check_simultaneous(
    world: World,
    actions: Mapping[str, ir.ActionDef],
    effects: Mapping[str, ir.EffectDef],
) -> None:
    """Report E212 where a phase that is played together cannot be."""
    for name, placed in world.rules.phases.items():
        if placed.node.together:
            step = _single_step(world, name)
            own = [each for each in actions.values() if step and each.at == step]
            for action in own:
                _Writes(world, effects).check(action)


def _single_step(world: World, phase: str) -> str | None:
    children = sorted(world.children(phase))
    steps = [world.rules.steps[name] for name in children if name in world.rules.steps]
    if len(children) == 1 and len(steps) == 1:
        if steps[0].node.mode in {"exactly once", "at most once"}:
            return children[0]
        span = steps[0].node.name.span
        message = f"`{children[0]}` is played together, so each acts there once."
        world.report("E212", message, span, "write `exactly once` or `at most once`")
        return None
    span = world.rules.phases[phase].node.name.span
    message = f"`{phase}` is played together, so one step stands in it, no more."
    details = ("Joint results belong in the next automatic step, outside this phase.",)
    world.report("E212", message, span, details=details)
    return None


class _Writes:
    """Looks for what an action changes that is not its own player's."""

    def __init__(self, world: World, effects: Mapping[str, ir.EffectDef]) -> None:
        self._world, self._effects = world, effects
        self._running: list[str] = []

    def check(self, action: ir.ActionDef) -> None:
        """Report every place where the action changes what all share."""
        for body in (*(cost.body for cost in action.costs), *action.does):
            self._block(body.block, frozenset({0}), None)

    def _block(
        self, block: ir.Block, mine: frozenset[int], called_at: Span | None
    ) -> None:
        """Look through a block; `mine` are the slots that hold the acting seat."""
        for statement in block:
            match statement:
                case ir.CallEffect(name, args):
                    self._call(name, args, mine, called_at or statement.span)
                case ir.When(_, body, otherwise):
                    self._block(body, mine, called_at)
                    self._block(otherwise, mine, called_at)
                case ir.ForEach(body=body) | ir.DrawOne(body=body):
                    self._block(body, mine, called_at)
                case ir.ShareOut(body=body):
                    self._block(body, mine, called_at)
                case ir.ChooseOption(body=body, otherwise=otherwise):
                    self._block(body, mine, called_at)
                    self._block(otherwise, mine, called_at)
                case _:
                    self._plain(statement, mine, called_at)

    def _call(
        self, name: str, args: Sequence[ir.Expr], mine: frozenset[int], at: Span
    ) -> None:
        effect = self._effects.get(name)
        if effect is None or name in self._running:
            return
        own = {slot for slot, arg in enumerate(args, 1) if _is_me(arg, mine)}
        self._running.append(name)
        for body in effect.does:
            self._block(body.block, frozenset(own), at)
        self._running.pop()

    def _plain(
        self, statement: ir.Statement, mine: frozenset[int], called_at: Span | None
    ) -> None:
        for keys in _changed(statement):
            if not any(_is_me(key, mine) for key in keys):
                others = () if called_at is None else (Label(statement.span, "here"),)
                self._world.report(
                    "E212",
                    "All act at once here, so one may change only what is `me`'s.",
                    called_at or statement.span,
                    "this is shared",
                    others=others,
                    details=(
                        "Joint results belong in the next automatic step, outside the "
                        "phase.",
                    ),
                )
                return


def _is_me(key: ir.Expr, mine: frozenset[int]) -> bool:
    return isinstance(key, ir.Local) and key.slot in mine


def _changed(statement: ir.Statement) -> Iterable[Sequence[ir.Expr]]:
    """Yield the keys of everything that a statement changes."""
    match statement:
        case ir.SetCell(keys=keys) | ir.AddCell(keys=keys):
            yield keys
        case ir.MoveThings(to=ir.PositionOf(keys=keys)):
            yield keys
        case ir.MoveTop(keys=keys, to=to):
            yield keys
            yield to.keys if isinstance(to, ir.PositionOf) else ()
        case ir.MoveTokens(source_keys=source, to_keys=target):
            yield source
            yield target
        case ir.LetSlot() | ir.ShowThings():
            return
        case _:  # what belongs to no seat: faces, the order of a pile, the flow
            yield ()
