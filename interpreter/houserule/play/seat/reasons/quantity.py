"""How a declared value gets its value: the base, then each layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from houserule import ir
from houserule.engine.reference.evaluate.operations import applied
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import F03, RuleFault
from houserule.ir.types import Data, Flag, core
from houserule.play.narration.wording import Wording
from houserule.play.seat.reasons.clause_reasons import caption_of, printed_of, title_of
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
    # The base of the value, before its layers.
    number = inside.value(value.definition)
    read = ConditionReader(rules.program, own.named).read(value.definition, inside)
    seen = [each for each in read if isinstance(each, SeenQuantity)]
    only = seen[0] if len(seen) == 1 else None  # the only thing it reads
    if only and only.value != number and not isinstance(core(value.type), Flag):
        only = None
    unit = clause.changed_by[-1] if clause and clause.changed_by else ""
    layers = [
        QuantityLayer(
            says=own.what(only) if only else own.say("at_first"),
            by=title_of(unit, rules, words) if unit else "",
            value=words.value(only.value, only.type)
            if only
            else words.value(number, value.type),
        )
    ]
    for address, lift in value.lifts:
        if inside.value(lift):
            says = own.say("lifted", why=caption_of(address, words))
            by = _by(address, rules, words)
            layers.append(QuantityLayer(says=says, by=by, value=own.say("yes")))
    for need in value.needs:
        if not inside.value(need.whole):
            says = own.say("narrowed", why=caption_of(need.address, words))
            by = _by(need.address, rules, words)
            layers.append(QuantityLayer(says=says, by=by, value=own.say("no")))
    # Each step that changes the number, with the new number.
    for layer in value.layers:
        for address, adjust in layer.adjusts:
            if not isinstance(number, int):
                break
            amount = inside.value(adjust)
            if not isinstance(amount, int):
                raise RuleFault(F03, f"`{address}` is none.", adjust.span, address)
            before, number = number, applied(number, layer.op, amount)
            if before == number and amount == NEUTRAL.get(layer.op, amount):
                continue
            if layer.op == "plus" and amount < 0:
                says = own.say("minus", number=-amount)
            elif layer.op == "times" and amount in {2, 3}:
                says = own.say(f"times {amount}")  # "tripled"
            else:
                says = own.say(layer.op, number=amount)
            by = _by(address, rules, words)
            layers.append(QuantityLayer(says=says, by=by, value=str(number)))
    now = words.value(scope.value(call), value.type)
    return Quantity(what=what, value=now, layers=tuple(layers), printed=printed)


def _by(address: str, rules: TableRules, words: Wording) -> str:
    """Return the title of a clause's house rule; '' for the base game."""
    clause = rules.program.clauses.get(address)
    return title_of(clause.origin, rules, words) if clause and clause.origin else ""
