"""Check look-ahead: is the position after an action determined (E602)?

The outcome of a look-ahead must follow from the position alone: no chance, choice or
question. It must not look ahead to itself, and works only during a game. Requests to
end or restart something do not count, because they take effect after the action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule import ir
from houserule.base.algebra.graph import shortest_path
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.source import Span
from houserule.ir.access import Access
from houserule.ir.walk import beneath


def beforehand(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E602 for every look-ahead whose outcome is not determined."""
    asked: dict[str, Span] = {}
    roots: list[ir.CoreNode] = [
        *program.values.values(),
        *program.actions.values(),
        *program.effects.values(),
        *program.steps.values(),
        *program.phases.values(),
        *program.reactions.values(),
        *program.always,
        *program.draws,
        program.winners,
        *program.winning_keys,
        *program.bot_ranking.keys,
    ]
    for root in roots:
        for after in access.facts.reads(root).imagined:
            asked.setdefault(after.action, after.span)
    for name in sorted(asked):
        told: set[Span] = set()
        for node in beneath(*access.imagined(name)):
            match node:
                case _ if isinstance(node, ir.ChanceStatement):
                    what = "chance has a hand in it"
                case ir.ChooseOption() | ir.ShareOut():
                    what = "somebody decides something"
                case ir.ReactionDef(asks=asks) if asks:
                    what = "somebody is asked something"
                case _:
                    continue
            if node.span not in told:
                told.add(node.span)
                yield _fault(name, asked[name], f"{what} there", node.span)
        if program.actions[name].asks:
            span = program.actions[name].asks[0].span
            yield _fault(name, asked[name], "somebody is asked first", span)
    if asked:
        # Actions whose look-ahead leads to itself.
        values = program.values.items()
        calls = {f"value {name}": _uses((value,), access) for name, value in values}
        calls |= {
            f"action {name}": _uses(access.imagined(name), access) for name in asked
        }
        for name in sorted(asked):
            circle = shortest_path(calls, f"action {name}", f"action {name}")
            if circle:
                through = " -> ".join(f"`{each.partition(' ')[2]}`" for each in circle)
                what = f"what it does asks for that again: {through}"
                yield _fault(name, asked[name], what, program.actions[name].span)
    # Look-aheads where no action can be taken.
    seen = [
        ("who sees something", each.seen)
        for kind in (program.zones, program.states, program.components)
        for each in kind.values()
    ]
    firsts = [("a first value", each.first) for each in program.states.values()]
    begun = [
        ("what a zone begins with", each.starts) for each in program.zones.values()
    ]
    before = [("a warning", each.test) for each in program.warns]
    asserted = [("what is asserted", each.test) for each in program.asserts]
    always = [("what always holds", each) for each in program.always]
    watched = [
        ("a value that reactions watch", program.values[each.event])
        for each in program.reactions.values()
        if each.moment == "when"
    ]
    for what, asking in (*seen, *firsts, *begun, *before, *asserted, *always, *watched):
        if asking is not None and access.imagines(asking):
            yield fault(
                E602,
                f"This is {what}, where you cannot look ahead.",
                asking.span,
                "it asks what would be after an action",
                details=(
                    "You can look ahead in conditions, in advice, and in values that "
                    "are evaluated during play.",
                ),
            )


E602 = MessageCode("E602", "unpredictable look-ahead")
"""The rules look ahead to the position after an action, and that position does not
follow from the present one alone.

**Why.** `after ACTION: …` is evaluated before anyone acts, often for every possible
move. So the action, with all its consequences, may contain no chance (`roll`,
`shuffle`, `random`), no decision and no question (`must choose`, `may choose`, `share`,
`asks`). Nor may it lead back to the same look-ahead, which would never end. And there
must be a game in which the action could be taken. So you cannot use it in initial
values, in `always`, `assert` and `warn`, in who sees something, or in values that
reactions watch.

**For example**

```rules
action draw_one during deciding
  needs room: after draw_one: size(hand(me)) at most 7
  does take: move 1 from deck to hand(me)
  does turn: roll die
```

**Fix.** Put the unpredictable part into an automatic step after the action; the
look-ahead ends with the action itself. Here the die can be rolled in a step. Often you
can also ask about the present position: `size(hand(me)) at most 6`.
"""


def _fault(action: str, asked: Span, what: str, at: Span) -> Diagnostic:
    return fault(
        E602,
        f"This looks ahead to the position after `{action}`, but {what}.",
        asked,
        f"`{action}` is imagined here",
        others=(Label(at, what.removesuffix(" there")),),
        details=(
            "A look-ahead action must follow from the position alone: no chance, "
            "choices or questions.",
        ),
        fixes=(
            "move what does that into a step behind the action, and imagine the rest",
        ),
    )


def _uses(roots: Sequence[ir.CoreNode], access: Access) -> list[str]:
    own = [access.facts.reads(root) for root in roots]
    values = {name for each in own for name in each.values}
    actions = {node.action for each in own for node in each.imagined}
    return [
        *(f"value {name}" for name in sorted(values)),
        *(f"action {name}" for name in sorted(actions)),
    ]
