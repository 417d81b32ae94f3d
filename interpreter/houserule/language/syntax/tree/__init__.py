"""The tree of a rules file: what the author wrote, node by node, each with its place.

Nodes are frozen values. Spans do not count when two trees are compared, so a tree
can be checked against another text that says the same (`change … from …`, `fmt`).

The rest of the package takes the nodes from this module. `visitor` walks a tree and
knows which node binds which name.
"""

from houserule.language.syntax.tree.expressions import *
from houserule.language.syntax.tree.statements import *
from houserule.language.syntax.tree.terms import *
from houserule.language.syntax.tree.things import *
from houserule.language.syntax.tree.units import *
