"""Messages shared by several modules of `scenarios`."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode

E071 = MessageCode("E071", "no such name")
"""A scenario names something that the rules of its table do not have: an action, a
player, a card, a clause.

**Why.** Names in scenarios are those of the rules file. What exists may depend on the
variants that are on.

**For example**

```text
do:
  - thow      # `throw`
```

**Way out.** Use the nearest name, or give the scenario the table that has it.
"""

E072 = MessageCode("E072", "another kind of value")
"""A value in a scenario is not of the kind that belongs there.

**Why.** States and parameters have declared types and ranges.

**For example**

```text
given: {score: {p1: many}}      # a number from 0 to 205
```

**Way out.** Write a value of the kind that the message names.
"""

E073 = MessageCode("E073", "a position that cannot be")
"""The position that a scenario lays out cannot be.

**Why.** A card lies in one place; a zone has its limit; tokens are never more than
there are; a phase comes only to what is in its set. A state that starts again with a
phase (`each round`) has no value before that phase begins. Each value is given once,
except that one with more keys may follow a general one: `score: 0, score(ann): 5`.

**For example**

```text
given: {hand: {p1: [six], p2: [six]}}      # one card, two hands
```

**Way out.** Lay out a position that could stand on a real table.
"""

E074 = MessageCode("E074", "a move that does not fit")
"""A move of a scenario does not fit the decision at which it is made.

**Why.** A move names one action, or `done`, `choose`, `share`, `answer`. Parameters may
be left out only where one option fits.

**For example**

```text
do:
  - slide: {origin: six}      # to where?
```

**Way out.** Name the parameters that the message lists.
"""

E075 = MessageCode("E075", "nothing to judge")
"""A scenario judges nothing.

**Why.** `legal` and `refused` speak of the last move in `do`, or of the one in `try`.
Without any there is nothing to judge.

**For example**

```text
- {name: a hold is refused, expect: {refused: hold.something}}
```

**Way out.** Add the move, or expect something else.
"""

E076 = MessageCode("E076", "an example without a table")
"""A scenario cannot be played, because its table cannot be.

**Why.** The rules at this table have errors, the variants do not go together, or one is
not there. The message says which, and errors that stand in the rules follow.

**For example**

```text
under:
  - {with: [better_bankruptcy], expect: {legal: no}}      # requires another variant
```

**Way out.** Choose another table, or fix the rules.
"""
