"""Messages shared by several modules of `scenarios`."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode

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
