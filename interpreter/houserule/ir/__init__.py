"""The core: the only meaning of the language, for one table (variants, options, seats).

A `Program` has resolved names and merged items: options are constants, captions and
citations belong to clauses by address, every local variable is a slot of its
procedure's frame. Slot 0 of every frame is `me`, the acting seat (None if no seat
acts). `docs/language/semantics.md` says what each node means.
"""

from houserule.ir.declarations import *
from houserule.ir.expressions import *
from houserule.ir.statements import *
