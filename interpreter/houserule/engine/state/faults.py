"""Faults of rules that only play can find: a place in the rules, never a traceback."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.source import NOWHERE, Span

F01 = MessageCode("F01", "value out of range")
"""A value left its declared range during a game.

**Why.** Every number has a range, and leaving it is an error. The message shows where
the value was written.

**For example**

```text
state pot: 0..20 starts as 0      # six throws of 6 make 36
```

**Fix.** Widen the range, or keep the value inside with `min` and `max` or a condition.
`houserule check GAME --ranges` lists the [ranges that a game might leave](N501.md).
"""

F02 = MessageCode("F02", "piece not there")
"""A piece is not in the place it is taken from, or there are too few.

**Why.** Pieces are conserved: they are moved, never made.

**For example**

```text
does deal: move 3 from deck to hand(p)      # two are left
```

**Fix.** Write `move up to 3`, or test `size(deck)` first.
"""

F03 = MessageCode("F03", "value is none")
"""A rule needs a value, and there is none.

**Why.** The rule uses a thing that may be none as if it always existed.

**For example**

```text
score(leader) gains 1
```

**Fix.** Write `(x else 0)`, or `let p = leader, if any: …`.
"""

F04 = MessageCode("F04", "zone is full")
"""A zone is full.

**Why.** A zone declared `at most 5` never holds six.

**For example**

```text
zone hand(p: Player): set of Card at most 5 seen only by p
```

**Fix.** Test `size(hand(p)) less than 5` first, or raise the limit.
"""

F05 = MessageCode("F05", "invariant violated")
"""An invariant is not true: an `always`, an `assert`, or the form of the state.

**Why.** Invariants are the author's promises. They are tested at every decision.

**For example**

```text
always sane: every p in players has score(p) at most 200
```

**Fix.** Find the clause that breaks it; the message names the place.
"""

F06 = MessageCode("F06", "no player acts")
"""Something needs an acting player, but no seat acts.

**Why.** A decision or a reaction that needs `me` occurred outside of anyone's turn.

**For example**

```text
reaction prize when controller(c) changes from old to new
  does take: score(me) gains 1      # in the setup
```

**Fix.** Name the player (`by p`), or let it happen only in a turn.
"""

F07 = MessageCode("F07", "endless reactions")
"""Reactions triggered each other more often than their bound.

**Why.** `check` bounds chains of reactions; this chain went beyond.

**For example**

```text
ends as this shrinks: sum of markers(p, c) for p in players
```

**Fix.** Check that the number after `ends as this shrinks:` falls with each reaction.
If the rules are right, please report it.
"""

F08 = MessageCode("F08", "division by zero")
"""The rules divided a number by zero.

**Why.** The divisor depends on the position, and was 0 this time.

**For example**

```text
value gain: 0..99 = pot / size(left_in) rounded down
```

**Fix.** Divide by at least 1, or give the case of 0 a row of its own:

```text
value gain: 0..99 = pot / max(size(left_in), 1) rounded down

value gain: 0..99 =
  0 when size(left_in) is 0
  pot / size(left_in) rounded down otherwise
```
"""

F09 = MessageCode("F09", "no such face")
"""A die was turned to a face that it does not have.

**Why.** The faces of a die are declared.

**For example**

```text
dice Die: die showing 1..6
…
die.face becomes 7
```

**Fix.** Correct the number, or the faces.
"""

F10 = MessageCode("F10", "phase not in progress")
"""The rules end or repeat a phase that is not in progress.

**Why.** `end x` and `again x` need a phase `x` that encloses them.

**For example**

```text
end auction      # when no auction is held
```

**Fix.** Guard the statement with a condition, or name another phase.
"""

F11 = MessageCode("F11", "play limit exceeded")
"""Between two decisions the rules did more than a limit allows: they visited more
members, began more steps and turns, or had more options to list.

**Why.** A step can repeat indefinitely, and a condition over three variables can visit
a thousand million combinations. Such a game never continues. [The
limits](../trust.md#limits) are far above every game we know: a turn visits a few
thousand members, and begins a few steps.

**For example**

```text
step refill: again refill      # begins again, with nothing that ends it
always few: no a in N and b in N and c in N where a * b is c      # N has a thousand members
```

**Fix.** Let a condition end the repetition. Visit fewer things: test the condition on
the first variable before the next one is bound, or keep a count in a state. If the
rules are right and the machine can do more:
`houserule --limit work=50000000 run my-game`.
"""  # noqa: E501

F12 = MessageCode("F12", "repetition exceeds its bound")
"""A repetition was not over after the number of times that the rules give it, or a
value that asks itself was deeper than it says.

**Why.** `until C, at most 40 times: …` is a promise that 40 times are enough. The rules
do not say what happens after that, so the game cannot go on.

**For example**

```text
until cash(p) at least n, at most 40 times: must choose x in lots(p) by p: sell(x)
```

**Fix.** Raise the bound, or correct the condition. If the bound is a rule, say so:
`until C, at most 3 times, then stop: …`.
"""

F13 = MessageCode("F13", "different components")
"""`move n from` a set takes components that nobody can tell apart, and these differ:
they lie in different places, or a rule reads a difference.

**Why.** Players would want to choose which of them move.

**For example**

```text
move 2 from hand(p) to discards                               # a duke and a page
```

**Fix.** Name the ones that you mean, or let a player choose:

```text
move 2 from (those c in hand(p) where c.kind is page) to discards
must choose lot 2 of hand(p) by p: move lot to discards
```
"""

RULE_FAULTS = (F01, F02, F03, F04, F05, F06, F07, F08, F09, F10, F11, F12, F13)


BEYOND = "It is not over after that many times, and the rules do not say what then."
DIFFER = "These components differ, and the rules do not say which of them move."


class RuleFault(Exception):
    """The rules did what no rules may do; the state is not to be used any more.

    Attributes:
        code: which fault, "F01" to "F13".
        title: what the code means.
        span: where in the rules, `NOWHERE` until a caller that knows adds it.
        address: the clause that ran, '' until a caller that knows adds it.

    Example:
        >>> from houserule.engine.state.faults import F08
        >>> fault = houserule.RuleFault(F08, "Nothing can be divided by 0.")
        >>> fault.code, fault.message
        ('F08', 'Nothing can be divided by 0.')
    """

    def __init__(
        self, code: MessageCode, message: str, span: Span = NOWHERE, address: str = ""
    ) -> None:
        self.code, self.title, self.message = code.name, code.title, message
        self.span, self.address = span, address
        super().__init__(f"{code.name}: {message}")

    @property
    def told(self) -> str:
        """A complete sentence: what happened and where."""
        place = str(self.span) if self.span.line else ""
        at = ", ".join(filter(None, (self.address, place)))
        where = f" at {at}" if at else ""
        return f"A fault of the rules{where}: {self.code}, {self.message}"

    def located(self, span: Span, address: str = "") -> RuleFault:
        """Fill in the span and address where they are not known yet; return self."""
        if self.span == NOWHERE:
            self.span = span
        if not self.address:
            self.address = address
        return self
