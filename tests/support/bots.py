"""The bots that tests play with: each kind that there is, with little effort."""

from __future__ import annotations

from houserule.engine.bots.bot import PLAIN, SEARCH

SOME_SEARCH = f"{SEARCH}:40"
KINDS = (*PLAIN, SOME_SEARCH)
"""A name of each kind of bot."""
