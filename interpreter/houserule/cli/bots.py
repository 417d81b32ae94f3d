"""The argument that names bots by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from houserule.bots.bot import bot_names

if TYPE_CHECKING:
    NamesType = click.ParamType[tuple[str, ...]]
else:  # older versions of click know no such brackets
    NamesType = click.ParamType


class BotsParameter(NamesType):
    """Names of bots with commas between them."""

    name = "bots"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split at commas; a name that is no bot is wrong usage."""
        if isinstance(value, tuple):
            return value
        try:
            return bot_names(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


BOTS = BotsParameter()
