"""The core: the only meaning of the language, for one table (variants, options, seats).

A `Program` has no names left to resolve and nothing left to merge: options are
constants, captions and citations hang on clauses by address, every local variable is
a slot of its procedure's frame. Slot 0 of every frame is `me`, the acting seat (None
where no seat acts). `docs/language/semantics.md` says what each node means.
"""

from houserule.ir.declarations import *
from houserule.ir.expressions import *
from houserule.ir.statements import *
