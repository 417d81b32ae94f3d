"""What expressions may ask of a running game, besides the state."""

from __future__ import annotations

from houserule.engine.evaluate.expressions import Context


class Scene(Context):
    """A context that also knows how often limited actions were taken."""

    __slots__ = ("taken",)

    taken: dict[str, int]
