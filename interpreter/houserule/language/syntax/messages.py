"""Messages that several modules of `syntax` raise: the layout of rules files."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode

E001 = MessageCode("E001", "syntax error")
"""The line cannot be read from the marked place on. The message says what to write
there, if a small change makes the line readable; else it lists what could come there.

**Why.** The language has one form for each thing. Every change that a message offers
was tried: with it, the line can be read.

**For example**

```rules wrong
action throw during deciding
  does roll: Die roll      # `roll Die`
```

**Fix.** Paste the corrected line if it means what you want. Else compare your line
with the form that the message shows, or with a line like it in a shipped game. An
expression that continues on the next line needs brackets around all of it.
"""

E002 = MessageCode("E002", "out of line")
"""A line stands too far in, not far enough, or is indented with a tab.

**Why.** Indentation is how the rules say what belongs to what. A line that fits no
level above it could belong to several things.

**For example**

```rules wrong
action throw during deciding
    does roll: roll Die
   does keep: pot gains die.face      # one space short
```

**Fix.** Indent with two spaces for each level. `houserule fmt FILE` does it for a
whole file.
"""

E005 = MessageCode("E005", "reserved word")
"""A word of the language is used as a name.

**Why.** `round` and `number` are allowed as names. Words such as `the`, `at` and `with`
are not, because a line could then be read in two ways. The reference
[lists them all](../language/reference.md#keywords).

**For example**

```rules
state most: 0..20 starts as 0      # `most` belongs to `with most`
```

**Fix.** Choose another name, such as `most_points`. The name of a clause, after
`needs` or a dot, may be any word.
"""

E006 = MessageCode("E006", "an unknown word")
"""A line, or a part of it, begins with a word that the language does not have here.

**Why.** Every line begins with a word that says what it is: `state`, `action`, `needs`,
`does` and so on.

**For example**

```rules wrong
acton throw at deciding      # `action`
```

**Fix.** Use the nearest word that the message offers.
"""

E008 = MessageCode("E008", "in the wrong place")
"""A line stands where a line of its kind cannot stand.

**Why.** Each kind of line has its place: `needs` beneath an action, `field: type`
beneath a component.

**For example**

```rules wrong
state pot: 0..20 starts as 0
  needs something: pot at least 1      # belongs beneath an action
```

**Fix.** Move the line, or give it its full address (`needs hold.something: …`)
where an address is allowed.
"""
