"""Readings: expected, actual and visible values in the same notation.

`reading_of` reads states, zones, tokens and values. `unmet_views` reads `sees`, the
view of one seat. A state or a face has its value, or `hidden`. A zone has a number,
`hidden` (nothing in it is known), or a list of names, `hidden`, and blocks of the
visible fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility
from houserule.ir import Param
from houserule.ir.types import Data
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import KeyPath
from houserule.play.positions.given import located, number, read_faces, seats_of
from houserule.play.positions.messages import E072
from houserule.play.positions.words import ScenarioWords, listed

HIDDEN = "hidden"

Keys: TypeAlias = tuple[Data, ...]
Complaint: TypeAlias = tuple[str, "KeyPath"]
# A seat's view of one cell or zone; and the expected text, with a function to compare.
Seen: TypeAlias = "Callable[[Visibility, int], str]"
Leaf: TypeAlias = "Callable[[YamlData, KeyPath], tuple[str, Seen]]"


@frozen
class Reading:
    """The reading of one name: its keys, its expected text and its actual text.

    `actual` takes the expected text: it counts a zone if a number is expected.
    """

    params: tuple[Param, ...]
    wanted: Callable[[YamlData, KeyPath], str]
    actual: Callable[[ReferenceGame, Keys, str], str]


def reading_of(words: ScenarioWords, name: str) -> Reading | None:
    """Return the reading of a state, zone, slot of tokens or value."""
    program = words.program
    if name in program.states:
        state = program.states[name]
        return Reading(
            state.keys,
            lambda said, path: words.shown(
                words.value(state.type, said, path), state.type
            ),
            lambda game, keys, _: words.shown(game.cell(name, *keys), state.type),
        )
    if name in program.values:
        value = program.values[name]
        return Reading(
            value.params,
            lambda said, path: words.shown(
                words.value(value.type, said, path), value.type
            ),
            lambda game, keys, _: words.shown(game.value(name, *keys), value.type),
        )
    if name in program.zones:
        zone = program.zones[name]
        labels = words.labels[zone.member.name]
        pile = zone.kind == "pile"

        def wanted(said: YamlData, path: KeyPath) -> str:
            if isinstance(said, int) and not isinstance(said, bool):
                return str(number(words, said, path))
            things: list[int] = []
            for each, where in () if said is None else listed(said, path):
                value = words.value(zone.member, each, where)
                if isinstance(value, int):
                    things.append(value)
            return shown(things if pile else sorted(things))

        def actual(game: ReferenceGame, keys: Keys, said: str) -> str:
            lying = game.contents(zone.name, *keys)
            if said.isdigit():
                return str(len(lying))
            return shown(list(reversed(lying)) if pile else sorted(lying))

        def shown(things: list[int]) -> str:
            return "[" + ", ".join(labels[thing] for thing in things) + "]"

        return Reading(zone.keys, wanted, actual)
    for tokens in program.tokens.values():
        if name in tokens.slots:
            return Reading(
                tokens.slots[name],
                lambda said, path: str(number(words, said, path)),
                lambda game, keys, _: str(game.tokens(name, *keys)),
            )
    return None


# ---- `sees`: a seat's view


def unmet_views(
    words: ScenarioWords, game: ReferenceGame | None, said: YamlData, path: KeyPath
) -> Iterator[Complaint]:
    """Yield the unmet expectations about seats' views; without a game, none.

    Raises:
        Misread: invalid words.
    """
    for name, inner, place in _block(words, said, path):
        seat = words.value(seats_of(words), name, place, key=True)
        assert isinstance(seat, int), "a seat is a number"
        visibility = None
        if game is not None:
            store, evaluator = game.machine.store, game.engine.evaluator
            visibility = Visibility(game.program, evaluator, store, seat)
        for thing, expected, where in _block(words, inner, place):
            yield from _unmet(words, visibility, name, thing, expected, where)


def _block(
    words: ScenarioWords, said: YamlData, path: KeyPath
) -> Iterator[tuple[str, YamlData, KeyPath]]:
    if not isinstance(said, dict):
        raise words.misread(E072, "Expected a block.", path)
    for key, value in said.items():
        yield key, value, (*path, key)


def _unmet(
    words: ScenarioWords,
    visibility: Visibility | None,
    who: str,
    key: str,
    said: YamlData,
    path: KeyPath,
) -> Iterator[Complaint]:
    program = words.program
    if key == "faces":
        if not isinstance(said, dict):
            raise words.misread(E072, "Expected `die: face`.", path)
        dice = {
            label: (kind, die)
            for kind, component in words.program.components.items()
            if component.faces
            for die, label in enumerate(component.labels)
        }
        for label, face in said.items():
            where = (*path, label)
            if label not in dice:
                raise words.unknown("die", label, dice, where, key=True)
            kind, die = dice[label]
            if face != HIDDEN:
                read_faces(words, {label: face}, path)
            if visibility is None:
                continue
            seen = (
                visibility.store.faces[kind][die]
                if visibility.face(kind, die)
                else HIDDEN
            )
            if str(face) != str(seen):
                yield f"Of `{label}` {who} should see {face}, but sees {seen}.", where
        return
    name, inside = words.call(key, path)
    if name in program.states:
        params, leaf = program.states[name].keys, _cell_seen(words, name)
    elif name in program.zones:
        params, leaf = program.zones[name].keys, _zone_seen(words, name)
    else:
        known = (*program.states, *program.zones, "faces")
        raise words.unknown("state or zone", name, known, path, key=True)
    plain: Callable[[YamlData, KeyPath], YamlData] = lambda each, _: each  # noqa: E731
    for keys, expected, where in located(words, params, inside, said, path, plain):
        wanted, actual = leaf(expected, where)
        if visibility is None:
            continue
        index = visibility.store.layout.index(name, keys)
        is_ = actual(visibility, index)
        if wanted != is_:
            title = visibility.store.layout.title(name, index)
            yield f"Of `{title}` {who} should see {wanted}, but sees {is_}.", where


def _cell_seen(words: ScenarioWords, name: str) -> Leaf:
    type_ = words.program.states[name].type

    def actual(visibility: Visibility, index: int) -> str:
        if not visibility.cell(name, index):
            return HIDDEN
        return words.shown(visibility.store.cells[name][index], type_)

    def leaf(said: YamlData, path: KeyPath) -> tuple[str, Seen]:
        if said == HIDDEN:
            return HIDDEN, actual
        return words.shown(words.value(type_, said, path), type_), actual

    return leaf


def _zone_seen(words: ScenarioWords, name: str) -> Leaf:
    pile = words.program.zones[name].kind == "pile"
    kind = words.program.zones[name].member
    fields = words.program.components[kind.name].fields

    def row(names: list[str]) -> str:
        return "[" + ", ".join(names) + "]"

    def block(shown: Mapping[str, str]) -> str:
        return "{" + ", ".join(f"{n}: {shown[n]}" for n in sorted(shown)) + "}"

    def seen(visibility: Visibility, thing: int) -> str:
        if visibility.thing(kind.name, thing):
            return words.labels[kind.name][thing]
        shown = {
            field: words.shown(value, fields[field][0])
            for field, value in visibility.shown(name, thing)
        }
        return block(shown) if shown else HIDDEN

    def expected(said: YamlData, path: KeyPath) -> str:
        if said == HIDDEN:
            return HIDDEN
        if not isinstance(said, dict):
            return words.shown(words.value(kind, said, path), kind)
        shown: dict[str, str] = {}
        for field, value in said.items():
            if field not in fields:
                raise words.unknown("field", field, fields, (*path, field), key=True)
            type_ = fields[field][0]
            read = words.value(type_, value, (*path, field))
            shown[field] = words.shown(read, type_)
        return block(shown)

    def lying(visibility: Visibility, index: int) -> list[str]:
        return [seen(visibility, each) for each in visibility.store.zones[name][index]]

    def counted(visibility: Visibility, index: int) -> str:
        return str(len(visibility.store.zones[name][index]))

    def unknown(visibility: Visibility, index: int) -> str:
        known = [each for each in lying(visibility, index) if each != HIDDEN]
        return ", ".join(known) or HIDDEN

    def row_of(visibility: Visibility, index: int) -> str:
        things = lying(visibility, index)
        return row(things[::-1] if pile else sorted(things))

    def leaf(said: YamlData, path: KeyPath) -> tuple[str, Seen]:
        if isinstance(said, int) and not isinstance(said, bool):
            return str(number(words, said, path)), counted
        if said == HIDDEN:
            return HIDDEN, unknown
        wanted = [expected(each, where) for each, where in listed(said, path)]
        return row(wanted if pile else sorted(wanted)), row_of

    return leaf
