"""States, zones, tokens and values as a scenario expects them, in the same words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.ir.types import Data
from houserule.scenario.position import number

if TYPE_CHECKING:
    from houserule.engine.play.game import ReferenceGame
    from houserule.ir import Param, ZoneDef
    from houserule.manifest.yaml.document import Data as Said
    from houserule.manifest.yaml.document import KeyPath
    from houserule.scenario.words import ScenarioWords

Keys = tuple[Data, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """How one name is read: its keys, what was said as a text, how it is as a text.

    `actual` is told what was wanted: a zone is counted where a number was wanted.
    """

    params: tuple[Param, ...]
    wanted: Callable[[Said, KeyPath], str]
    actual: Callable[[Keys, str], str]


def reading_of(words: ScenarioWords, game: ReferenceGame, name: str) -> Reading | None:
    """Return how a state, zone, slot of tokens or value is read."""
    program = words.program
    if name in program.states:
        state = program.states[name]
        return Reading(
            state.keys,
            lambda said, path: words.shown(
                words.value(state.type, said, path), state.type
            ),
            lambda keys, _: words.shown(game.cell(name, *keys), state.type),
        )
    if name in program.values:
        value = program.values[name]
        return Reading(
            value.params,
            lambda said, path: words.shown(
                words.value(value.type, said, path), value.type
            ),
            lambda keys, _: words.shown(game.value(name, *keys), value.type),
        )
    if name in program.zones:
        return _zone(words, game, program.zones[name])
    for tokens in program.tokens.values():
        if name in tokens.slots:
            return Reading(
                tokens.slots[name],
                lambda said, path: str(number(words, said, path)),
                lambda keys, _: str(game.tokens(name, *keys)),
            )
    return None


def _zone(words: ScenarioWords, game: ReferenceGame, zone: ZoneDef) -> Reading:
    labels = words.labels[zone.member.name]
    pile = zone.kind == "pile"

    def wanted(said: Said, path: KeyPath) -> str:
        if isinstance(said, int) and not isinstance(said, bool):
            return str(number(words, said, path))
        listed = said if isinstance(said, list) else [] if said is None else [said]
        things: list[int] = []
        for place, each in enumerate(listed):
            where = (*path, place) if isinstance(said, list) else path
            value = words.value(zone.member, each, where)
            if isinstance(value, int):
                things.append(value)
        return shown(things if pile else sorted(things))

    def actual(keys: Keys, said: str) -> str:
        lying = game.contents(zone.name, *keys)
        if said.isdigit():
            return str(len(lying))
        return shown(list(reversed(lying)) if pile else sorted(lying))

    def shown(things: list[int]) -> str:
        return "[" + ", ".join(labels[thing] for thing in things) + "]"

    return Reading(zone.keys, wanted, actual)
