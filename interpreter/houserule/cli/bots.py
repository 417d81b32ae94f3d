"""The argument that names bots by seat."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from houserule.bots.bot import KINDS
from houserule.diagnostics.suggest import nearest

if TYPE_CHECKING:
    NamesType = click.ParamType[tuple[str, ...]]
else:  # older versions of click know no such brackets
    NamesType = click.ParamType


class Bots(NamesType):
    """Names of bots with commas between them."""

    name = "bots"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split at commas; a name that is no bot is wrong usage."""
        if isinstance(value, tuple):
            return value
        names = tuple(word for word in re.split(r"[,\s]+", str(value)) if word)
        for name in names:
            if name not in KINDS:
                near = nearest(name, KINDS)
                hint = f" Did you mean `{near}`?" if near else ""
                known = ", ".join(KINDS)
                self.fail(f"There is no bot `{name}`.{hint} Bots: {known}.", param, ctx)
        if not names:
            self.fail("Name at least one bot.", param, ctx)
        return names


BOTS = Bots()
