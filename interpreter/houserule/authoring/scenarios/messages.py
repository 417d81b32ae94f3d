"""Messages shared by several modules of `scenarios`."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode

E071 = MessageCode("E071", "unknown name in scenario")
"""A scenario names something that the rules of its table do not have: an action, a
player, a card, a clause.

**Why.** Names in scenarios are those of the rules file. Which ones exist may depend on
the variants that are on.

**For example**

```text
do:
  - thow      # `throw`
```

**Fix.** Use the nearest name, or give the scenario a table that has it.
"""

E072 = MessageCode("E072", "type mismatch in scenario")
"""A value in a scenario has the wrong type for its place.

**Why.** States and parameters have declared types and ranges.

**For example**

```text
given: {score: {p1: many}}      # a number from 0 to 205
```

**Fix.** Write a value of the type that the message names.
"""

E073 = MessageCode("E073", "impossible position")
"""The position of a scenario is impossible.

**Why.** A card is in one place; a zone has its limit; there are never more tokens than
exist; the item of a phase must be in its set. A state that starts again with a phase
(`each round`) has no value before that phase begins. A scenario gives each value once,
except that an entry with more keys may follow a general one: `score: 0, score(ann): 5`.

**For example**

```text
given: {hand: {p1: [six], p2: [six]}}      # one card, two hands
```

**Fix.** Set up a position that is possible on a real table.
"""

E074 = MessageCode("E074", "move does not fit decision")
"""A move of a scenario does not fit the decision at which it is made.

**Why.** A move names one action, or `done`, `choose`, `share`, `answer`. You may omit
parameters only if just one option fits.

**For example**

```text
do:
  - slide: {origin: six}      # to where?
```

**Fix.** Name the parameters that the message lists.
"""

E075 = MessageCode("E075", "scenario without a move")
"""A scenario expects something about a move, but has no move.

**Why.** `legal` and `refused` refer to the last move in `do`, or to the one in `try`.

**For example**

```text
- {name: a hold is refused, expect: {refused: hold.something}}
```

**Fix.** Add the move, or expect something else. An example without a move must expect
something, and `expect: {}` expects nothing.
"""

E076 = MessageCode("E076", "scenario table not playable")
"""A scenario cannot be played, because its table is not valid.

**Why.** The rules at this table have errors, the variants conflict, or one does not
exist. The message names the reason, followed by the errors in the rules.

**For example**

```text
under:
  - {with: [better_bankruptcy], expect: {legal: no}}      # requires another variant
```

**Fix.** Choose another table, or fix the rules.
"""
