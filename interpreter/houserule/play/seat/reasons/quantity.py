"""How a declared value gets its value: the base, then each layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from houserule import ir
from houserule.engine.reference.evaluate.operations import applied
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import F03, RuleFault
from houserule.ir.types import Data
from houserule.play.narration.wording import Wording
from houserule.play.seat.reasons.clauses import (
    caption_of,
    printed_of,
    title_of,
)
from houserule.play.seat.reasons.reading_words import ReadingWords
from houserule.play.seat.reasons.readings import ConditionReader, SeenQuantity
from houserule.play.seat.reasons.viewer_frame import ViewerFrame
from houserule.play.seat.seat_model import Quantity, QuantityLayer

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules

NEUTRAL = {"times": 1, "plus": 0}
"""The neutral number of each operation that has one."""


def why_value(
    rules: TableRules,
    game: ReferenceGame,
    words: Wording,
    seat: int,
    name: str,
    arguments: Sequence[Data] = (),
) -> Quantity:
    """Return how a declared value gets its value, as a seat may know it.

    Layers that change nothing now are omitted. If the value reads something hidden from
    the seat, there is neither a value nor a layer.

    Raises:
        LookupError: there is no such value, or it has different arguments.
        RuleFault: it has no value.
    """
    value = rules.program.values.get(name)
    if value is None:
        raise LookupError(f"there is no value `{name}`")
    if len(arguments) != len(value.params):
        wanted = ", ".join(param.name for param in value.params) or "nothing"
        raise LookupError(f"`{name}` takes: {wanted}")
    outside = {0: seat, **dict(enumerate(arguments, 1))}
    scope = ViewerFrame(game.engine, game.machine, outside, seat)
    own = ReadingWords(words)
    args = tuple(
        ir.Const(argument, param.type)
        for argument, param in zip(arguments, value.params, strict=True)
    )
    call = ir.CallValue(value.name, args, value.type)
    clause = rules.program.clauses.get(name)
    printed = printed_of(clause, rules, own, words.language)
    what = words.call(name, arguments)
    if scope.hides(call):
        hidden = own.say("hidden_value")
        return Quantity(what=what, value=hidden, layers=(), printed=printed)
    inside = scope.inside(tuple(arguments))
    layers = (
        *_start(value, inside, rules, words),
        *_layers(value, inside, rules, words),
    )
    now = words.value(scope.value(call), value.type)
    return Quantity(what=what, value=now, layers=layers, printed=printed)


def _start(
    value: ir.ValueDef, scope: ViewerFrame, rules: TableRules, words: Wording
) -> Iterator[QuantityLayer]:
    """Yield the base of a value, before its layers."""
    own = ReadingWords(words)
    reader = ConditionReader(rules.program, own.named)
    clause = rules.program.clauses.get(value.name)
    unit = clause.changed_by[-1] if clause and clause.changed_by else ""
    by = title_of(unit, rules, words) if unit else ""
    found = scope.value(value.definition)
    shown = words.value(found, value.type)
    made_of = reader.read(value.definition, scope)
    quantities = [each for each in made_of if isinstance(each, SeenQuantity)]
    single = len(quantities) == 1 and quantities[0].value == found
    says = own.what(quantities[0]) if single else own.say("at_first")
    yield QuantityLayer(says=says, by=by, value=shown)
    for address, lift in value.lifts:
        if scope.value(lift):
            why = caption_of(address, words)
            yield QuantityLayer(
                says=own.say("lifted", why=why),
                by=_by(address, rules, words),
                value=own.say("yes"),
            )
    for need in value.needs:
        if not scope.value(need.whole):
            why = caption_of(need.address, words)
            yield QuantityLayer(
                says=own.say("narrowed", why=why),
                by=_by(need.address, rules, words),
                value=own.say("no"),
            )


def _layers(
    value: ir.ValueDef, scope: ViewerFrame, rules: TableRules, words: Wording
) -> Iterator[QuantityLayer]:
    """Yield each step of a layer that changes the number, with the new number."""
    number = scope.value(value.definition)
    for layer in value.layers:
        for address, adjust in layer.adjusts:
            if not isinstance(number, int):
                return
            by = scope.value(adjust)
            if not isinstance(by, int):
                raise RuleFault(F03, f"`{address}` is none.", adjust.span, address)
            before, number = number, applied(number, layer.op, by)
            if before == number and by == NEUTRAL.get(layer.op, by):
                continue
            yield QuantityLayer(
                says=_operation(layer.op, by, ReadingWords(words)),
                by=_by(address, rules, words),
                value=str(number),
            )


def _operation(op: str, by: int, own: ReadingWords) -> str:
    """Return a layer's operation in words: "tripled"."""
    if op == "plus" and by < 0:
        return own.say("minus", number=-by)
    if op == "times" and by in {2, 3}:
        return own.say(f"times {by}")
    return own.say(op, number=by)


def _by(address: str, rules: TableRules, words: Wording) -> str:
    """Return the title of a clause's house rule; '' for the base game."""
    clause = rules.program.clauses.get(address)
    return title_of(clause.origin, rules, words) if clause and clause.origin else ""
