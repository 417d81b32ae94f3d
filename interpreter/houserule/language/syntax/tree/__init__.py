"""The syntax tree of a rules file: nodes as written, each with its place.

Nodes are frozen values. Comparisons ignore spans, so a tree can be compared with that
of another text of the same meaning (`change … from …`, `fmt`).

Other packages import the nodes from this module. `visitor` walks a tree and knows which
node binds which name.
"""

from houserule.language.syntax.tree.expressions import *
from houserule.language.syntax.tree.statements import *
from houserule.language.syntax.tree.terms import *
from houserule.language.syntax.tree.things import *
from houserule.language.syntax.tree.units import *
