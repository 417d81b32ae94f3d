"""Messages of several modules of `manifest`: manifests, tables and texts."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode

E011 = MessageCode("E011", "name already defined")
"""A name is declared twice, a variable has the name of something else, or a declared
name is built in, such as `size` or `max`.

**Why.** There is no shadowing: a name means the same thing everywhere. So you can read
a rule on its own.

**For example**

```rules
state score(p: Player): 0..99 starts as 0
value best: Player or none = the one score in players with most coins(score), none on a tie
```

**Fix.** Choose another name for the second one.
"""  # noqa: E501

E020 = MessageCode("E020", "empty range")
"""A range contains nothing, because its lower end is above its upper end. Or it
contains no number of players, or an option has steps of 0.

**Why.** A type without values, or an option with nothing to choose, is a mistake.

**For example**

```rules
state pot: 10..1 starts as 1      # `1..10`
```

**Fix.** Swap the ends, or check whether an option in the range can be that small.
"""

E025 = MessageCode("E025", "incomplete game")
"""The game lacks something: the number of players, a phase, a winner, something inside
a phase. Or a phase has two things of which it may have one.

**Why.** A game needs phases in which something happens, and must state who wins.

**For example**

```text
game quiet "Quiet"
players 2..2      # no phase, no winners
```

**Fix.** Add what the message names, for example
`winners: those p in players with most score(p)`.
"""

E032 = MessageCode("E032", "invalid value")
"""A value in a file is not possible in its place.

**Why.** The form of files is checked before anything else happens.

**For example**

```text
players: three      # a number
```

**Fix.** Write what the message asks for.
"""

E033 = MessageCode("E033", "missing key")
"""A file lacks a required key.

**Why.** Nothing is guessed if two people could guess differently.

**For example**

```text
- {name: an early hold is refused}      # and what is expected?
```

**Fix.** Add the key that the message names.
"""

E035 = MessageCode("E035", "file not found")
"""A file that the ruleset names does not exist.

**Why.** File names are relative to the ruleset's folder, with `/` between folders.

**For example**

```text
component Card from "component/cards.yaml"      # `components/`
```

**Fix.** Correct the name or add the file. The register of a book is [written from its
text](../from-a-book.md).
"""

E045 = MessageCode("E045", "no source declared")
"""A source note cites a source, but the game names none.

**Why.** A citation without a source could refer to any book.

**For example**

```text
needs room: size(hand(me)) at most 4      ["Player Turns" 3]
```

**Fix.** Add a line such as `source book "Author, title, date"` to the game, and list
`book` under `sources` in `ruleset.yaml`: both are needed.
"""

E101 = MessageCode("E101", "edit target not found")
"""An edit names a clause that does not exist, at some table.

**Why.** An edit without a target would have no effect, unnoticed. Often the clause
exists only if another variant is on.

**For example**

```rules
variant calm for pig
remove throw.bust_twice      # no such clause
```

**Fix.** Put the edit under `with OTHER:`, write `requires OTHER`, or use the nearest
name.
"""

E205 = MessageCode("E205", "conflicting declarations")
"""Two files declare one name, or one row, with different meanings. Or a preset has the
name of a variant, or sets one option twice; or a game declares the number of players
twice.

**Why.** The same id twice is never merged silently, and never "beside the original".

**For example**

```rules
state heat: 0..3 starts as 0      # in one variant
state heat: 0..9 starts as 0      # in another
```

**Fix.** Rename one of them; or use the same words for both if they mean the same.
"""
