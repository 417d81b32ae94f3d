"""What bots choose from: the options against which no advice speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule.engine.options.options import Options


def sensible(options: Options) -> Options:
    """Return the options that are not unwise; all of them where there is no other."""
    advised = options.advised()
    return advised if advised is options or advised.first(1) else options
