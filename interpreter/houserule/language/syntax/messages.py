"""Messages that several modules of `syntax` raise: the layout of rules files."""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import MessageCode

E001 = MessageCode("E001", "syntax error")
"""The parser cannot read the line from the marked place on. The message shows what to
write there, if a small change makes the line readable; otherwise it lists what could
come there.

**Why.** The language has one form for each thing. Every change that a message suggests
was tested: with it, the line can be read.

**For example**

```rules wrong
action throw during deciding
  does roll: Die roll      # `roll Die`
```

**Fix.** Paste the corrected line if it means what you want. Otherwise compare your line
with the syntax in the message, or with a similar line in a built-in game. An expression
that continues on the next line needs brackets around all of it.
"""

E002 = MessageCode("E002", "bad indentation")
"""A line is indented too far, not far enough, or with a tab.

**Why.** Indentation shows what belongs to what. A line that fits no level above it
could belong to several things.

**For example**

```rules wrong
action throw during deciding
    does roll: roll Die
   does keep: pot gains die.face      # one space short
```

**Fix.** Indent with two spaces for each level. `houserule fmt FILE` does it for a whole
file.
"""

E005 = MessageCode("E005", "reserved word")
"""A keyword is used as a name.

**Why.** `round` and `number` are allowed as names. Words such as `the`, `at` and `with`
are not, because a line would then be ambiguous. The reference [lists them
all](../language/keywords.md).

**For example**

```rules
state most: 0..20 starts as 0      # `most` belongs to `with most`
```

**Fix.** Choose another name, such as `most_points`. The name of a clause, after `needs`
or a dot, may be any word.
"""

E006 = MessageCode("E006", "unknown keyword")
"""A line, or a part of it, begins with a word that is not possible here.

**Why.** Every line begins with a keyword: `state`, `action`, `needs`, `does` and so on.

**For example**

```rules wrong
acton throw at deciding      # `action`
```

**Fix.** Use the nearest word that the message suggests.
"""

E008 = MessageCode("E008", "misplaced line")
"""A line is in a place where lines of its kind are not allowed.

**Why.** Each kind of line has its place: `needs` below an action, `field: type` below a
component.

**For example**

```rules wrong
state pot: 0..20 starts as 0
  needs something: pot at least 1      # belongs beneath an action
```

**Fix.** Move the line, or give it its full address (`needs hold.something: …`) if an
address is allowed there.
"""
