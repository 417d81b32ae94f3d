"""Houserule: a rules language for tabletop games, and the tools around it.

The parts, in the order in which a text passes through them: `syntax` and `manifest`
read, `compose` applies the variants of a table, `check` makes an `ir` program of it,
`engine` plays it. `prepare` runs them in that order. Around them stand `scenario`,
`record`, `bots`, `simulate`, `narrate` and the command line in `cli`.

Importing this package loads none of them.
"""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
