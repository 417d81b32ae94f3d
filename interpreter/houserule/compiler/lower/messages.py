"""Messages of several modules of `lower`: names, types and meaning."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode

E010 = MessageCode("E010", "unknown name")
"""Nothing in the composed rules has this name.

**Why.** Names are strict: one declaration, and a misspelling is an error. A name may
also be missing because the variant that declares it is off at this table.

**For example**

```rules
value worth(p: Player): 0..99 = scor(p)      # `score`
```

**Fix.** Use the nearest name that the message suggests, declare the name, or guard the
line with the variant that declares it (`with other:`).
"""

E012 = MessageCode("E012", "wrong kind of name")
"""The name exists, but it is the name of something else: a step instead of a phase, an
effect instead of a value.

**Why.** Things (types, components, zones, states, values) and flow (phases, steps,
actions, effects) have two separate sets of names, and each place needs one kind.

**For example**

```rules clauses
needs ready: deciding is 3      # `deciding` is a step
```

**Fix.** Use a name of the required kind; the message states the kind.
"""

E013 = MessageCode("E013", "wrong number of arguments")
"""Something has too many or too few arguments, or a binder has the wrong number of
names for its place.

**Why.** `score(p: Player)` is one number for each player. Without a player it is not a
number.

**For example**

```rules clauses
needs enough: score at least 10      # `score(me)`
```

**Fix.** Give exactly the arguments that the message lists.
"""

E014 = MessageCode("E014", "type mismatch")
"""A value has the wrong type for its place: a set instead of a number, a card instead
of a player.

**Why.** Every value has a type, known before play, so no game stops half-way because a
rule made no sense.

**For example**

```rules clauses
needs enough: hand(me) at least 3      # `size(hand(me))`
```

**Fix.** Often `size(…)`, `.field`, `total of …` or braces `{ }` are missing.
"""

E015 = MessageCode("E015", "value may be none")
"""A value that may be `none` is used in a place that needs a value.

**Why.** A condition of `none` is no, a set of `none` is empty, and fields, values and
states of `none` are `none`. But arithmetic and statements need a value.

**For example**

```rules clauses
does pay: score(leader) gains 1      # nobody leads on a tie
```

**Fix.** State what happens then: `(x else 0)` for numbers; `let p = leader, if any: …`
does nothing if there is none.
"""

E016 = MessageCode("E016", "unknown field")
"""A component has no field of this name.

**Why.** Fields are declared under the component and filled by its table.

**For example**

```rules
component Card for each suit: Suit, rank: 1..6
value worth(c: Card): 0..9 = c.rnak      # `rank`
```

**Fix.** Use the nearest field, or declare the field and give it a column.
"""

E017 = MessageCode("E017", "no acting player")
"""`me` is used where no seat acts.

**Why.** `me` is the player whose turn it is. You can use it in actions, steps,
reactions and initial values inside a `for me` phase. Values and effects name their
player.

**For example**

```rules
value rich: yes or no = score(me) at least 50      # `rich(p: Player)`
```

**Fix.** In a phase, call the acting player `me`: `phase turn for me in players`. Give
the value or effect a parameter `p: Player` and pass `me` to it.
"""

E018 = MessageCode("E018", "not allowed here")
"""Something is well written but not allowed in its place: a `can(step)` in a condition,
a choice in a cost, a change of something that never changes.

**Why.** Costs only pay, conditions only read, and printed fields never change. These
limits make it possible to count and explain options.

**For example**

```rules clauses
cost die(d in tray): roll {d}      # a cost cannot roll
```

**Fix.** Do it in a `does` clause, or put it into a state that may change.
"""

E019 = MessageCode("E019", "circular definition")
"""A definition depends on itself, directly or through others.

**Why.** Such a value could never be computed. The message shows the circle.

**For example**

```rules
value a: 0..9 = b + 1
value b: 0..9 = a - 1
```

**Fix.** Break the circle: define one of them by states or fields alone. Initial values
of states may read each other, but not in a circle. If a value is recursive on purpose,
say how deep: `value a asks itself, at most 10 deep: 0..9 = …`.
"""

E022 = MessageCode("E022", "condition expected")
"""A condition is not a yes or no.

**Why.** `if`, `needs`, `where` and `when` need a condition.

**For example**

```rules clauses
needs cards: size(hand(me))      # `size(hand(me)) at least 1`
```

**Fix.** Compare the value with something.
"""

E026 = MessageCode("E026", "not an enclosing phase")
"""The rules name a phase or step that does not enclose this place, or one at which no
seat can act.

**Why.** An action belongs to a step or a phase; `end x` and `again x` name a phase that
is in progress there.

**For example**

```rules
action wait during deciding
  does stop: end setup      # another phase
```

**Fix.** Name a phase that encloses this place; the message lists them. `again` may also
name a step of such a phase.
"""

E027 = MessageCode("E027", "invalid key")
"""Something cannot be a key of a state, zone or token.

**Why.** Keys are numbers, named things or small sets of them, because there is one cell
for each.

**For example**

```rules
state visited(cells: set of Cell): yes or no starts as no
```

**Fix.** Use the thing that you mean as the key: a card, a player, a number.
"""

E028 = MessageCode("E028", "not a compile-time constant")
"""A number must be known when the table is set, but this one depends on play; or a
warning, or the condition of a product, reads what play changes.

**Why.** The number of faces of a die, the ends of a range, the bounds of loops, and the
combinations of a product are fixed before play. A `warn` is reported before play, so it
reads options, players, components and values made of these. A count of items that
`again` may begin any number of times remembers the number that
[`among the last`](../language/queries.md#repetition-and-history) gives.

**For example**

```rules
phase bids until finished, at most earned times
  step paying: earned loses 1
component Space for each rank: 1..4 where rank is not earned
warn rich "Somebody is rich already": some p in players has score(p) at least 9
```

**Fix.** Use a number, an option, or a value that depends only on options, enumerations
and components.
"""

E211 = MessageCode("E211", "state has no value yet")
"""A state is read when it has no value: one that restarts with each turn (or round, or
phase) is read outside it, or something reads a drawn state before it is drawn.

**Why.** A computed or drawn value exists from the moment at which its state starts.

**For example**

```rules
state earlier(p: Player): 0..999 each turn starts as score(p)
winners: those p in players with least earlier(p)
```

**Fix.** Read it inside its phase, or let it last longer. Initial values may read each
other: each is computed after those that it reads.
"""

W502 = MessageCode("W502", "condition never true")
"""A comparison asks for a number that a state, value or count never has, or a phase is
never played.

**Why.** The declared range lists the possible numbers; a count `among the last 5` is at
most 5. A test for another one is always false, so a rule never applies, or a phase
never ends.

If the range depends on an option, the check uses the widest range that the option
allows. Comparisons with an option are checked only if they end a phase or draw the
game: elsewhere a value that turns a rule off may be intended.

**For example**

```rules
state score(p: Player): 0..205 starts as 0
phase bids until some p in players has score(p) at least 206, at most 9 times
  step paying: earned gains 1
```

**Fix.** Use a number in the range, or widen the range.
"""
