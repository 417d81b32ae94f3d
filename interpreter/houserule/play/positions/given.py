"""Parsing `given`: the position where a scenario or a game begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.engine.reference.choices import BadPosition, NotInSet
from houserule.engine.reference.play.engine import Engine
from houserule.ir import GamePosition, Param, ZoneDef
from houserule.ir.types import Data, Kind, Set
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import KeyPath
from houserule.play.positions.luck import FALLS, Luck
from houserule.play.positions.messages import E071, E072, E073
from houserule.play.positions.pictures import picture
from houserule.play.positions.words import WHOLE, Misread, ScenarioWords, listed, spoken

LEAF = TypeVar("LEAF")
REST = "rest"
FLOW_WORDS = ("turn", "at", "items")
GIVEN_WORDS = (*FLOW_WORDS, *FALLS, "faces", "signs")

Lying = dict[tuple[Data, ...], list[int]]


@frozen
class Given:
    """A position, and the random outcomes up to its first decision."""

    position: GamePosition
    luck: Luck


@dataclass
class _Zone:
    """The entry of one zone: names in order, whether the rest, how many more."""

    things: list[int]
    rest: bool
    more: int
    path: KeyPath


@dataclass
class GivenReader:
    """Parses a `given` block; records all errors and reads the rest.

    With `lay`, the `rest` of a zone is filled from the game's setup.
    """

    words: ScenarioWords
    lay: bool = True
    faults: list[Diagnostic] = field(default_factory=list)

    def read(self, said: Mapping[str, tuple[YamlData, KeyPath]]) -> Given:
        """Return the position without its invalid parts.

        Each word has its value and its path.
        """
        self._cells: dict[str, dict[tuple[Data, ...], Data]] = {}
        self._zones: dict[str, dict[tuple[Data, ...], _Zone]] = {}
        self._tokens: dict[str, dict[tuple[Data, ...], int]] = {}
        self._entries: dict[tuple[str, tuple[Data, ...]], tuple[KeyPath, int]] = {}
        self._signs: dict[str, YamlData] = {}  # meanings of the signs in pictures
        signs, path = said.get("signs", ({}, ()))
        if isinstance(signs, dict):
            self._signs = {str(sign): meant for sign, meant in signs.items()}
        else:
            message = "Expected `sign: meaning`."
            misread = self.words.misread(E072, message, (*path, "signs"))
            self.faults.append(misread.diagnostic)
        faces: dict[str, dict[int, int]] = {}
        luck = Luck()
        for key, (value, block) in said.items():
            try:
                self._entry(key, value, (*block, key), faces, luck)
            except Misread as error:
                self.faults.append(error.diagnostic)
        try:
            zones = self._lay_zones()
            at, seat, items = self._flow(said)
        except Misread as error:
            self.faults.append(error.diagnostic)
            return Given(GamePosition(), luck)
        position = GamePosition(
            self._cells,
            zones,
            self._tokens,
            faces,
            at,
            seat,
            items,
            rolls=tuple(luck.faces),
            draws=tuple(luck.draws),
            words={key: value for key, (value, _) in said.items()},
        )
        return Given(position, luck)

    def _entry(
        self,
        key: str,
        said: YamlData,
        path: KeyPath,
        faces: dict[str, dict[int, int]],
        luck: Luck,
    ) -> None:
        program, words = self.words.program, self.words
        match key:
            case _ if key in FLOW_WORDS or key == "signs":
                return
            case "rolls":
                luck.faces = numbers(words, said, path)
                return
            case "draws":
                luck.draws = [n - 1 for n in numbers(words, said, path)]
                return
            case "faces":
                faces.update(read_faces(words, said, path))
                return
            case _:
                name, inside = words.call(key, path)

        def entries(
            params: tuple[Param, ...], leaf: Callable[[YamlData, KeyPath], LEAF]
        ) -> Iterator[tuple[tuple[Data, ...], LEAF, KeyPath]]:
            return self._located(name, params, inside, said, path, leaf)

        slots = {
            slot: params
            for each in program.tokens.values()
            for slot, params in each.slots.items()
        }
        if name in program.states:
            state = program.states[name]
            cells = self._cells.setdefault(name, {})
            for keys, value, _ in entries(
                state.keys, lambda each, place: words.value(state.type, each, place)
            ):
                cells[keys] = value
        elif name in program.zones:
            zone = program.zones[name]
            for keys, (things, rest, more), place in entries(
                zone.keys, lambda each, place: self._lying(zone, each, place)
            ):
                lying = _Zone(things, rest, more, place)
                self._zones.setdefault(name, {})[keys] = lying
        elif name in slots:
            heaps = self._tokens.setdefault(name, {})
            for keys, count, _ in entries(
                slots[name], lambda each, place: number(words, each, place)
            ):
                heaps[keys] = count
        elif name in program.values:
            message = f"`{name}` follows from the rest and cannot be given."
            raise words.misread(E071, message, path, key=True)
        else:
            known = (*GIVEN_WORDS, *program.states, *program.zones, *slots)
            raise words.unknown("state, zone or token", name, known, path, key=True)

    def _located(
        self,
        name: str,
        params: tuple[Param, ...],
        inside: list[str] | None,
        said: YamlData,
        path: KeyPath,
        leaf: Callable[[YamlData, KeyPath], LEAF],
    ) -> Iterator[tuple[tuple[Data, ...], LEAF, KeyPath]]:
        """Yield the entries of a family, which may replace only more general ones.

        A case may also replace all of its example's. A text of several lines is a
        picture of a board: its places are the keys.
        """
        words = self.words
        if isinstance(said, str) and "\n" in said.rstrip("\n") and not inside:
            said, spans = picture(words, name, params, said, self._signs, path)
            leaf = _in_picture(leaf, spans)
        for keys, value, place in located(words, params, inside, said, path, leaf):
            named = len(inside or ()) + len(place) - len(path)
            first, general = self._entries.get((name, keys), ((), 0))
            if first[: len(path) - 1] == path[:-1] and named <= general:
                shown = ", ".join(map(words.shown, keys, (e.type for e in params)))
                message = f"`{name}({shown})` is given twice."
                begun = Label(words.document.key_span(*first), "first here")
                raise words.misread(E073, message, place, key=True, others=[begun])
            self._entries[name, keys] = place, named
            yield keys, value, place

    def _lying(
        self, zone: ZoneDef, said: YamlData, path: KeyPath
    ) -> tuple[list[int], bool, int]:
        """Return the named things, whether the rest is there, and their number."""
        words = self.words
        if isinstance(said, int) and not isinstance(said, bool):
            return [], False, number(words, said, path)
        entries = [] if said is None else listed(said, path)
        things: list[int] = []
        for each, where in entries:
            value = None if each == REST else words.value(zone.member, each, where)
            if isinstance(value, int):
                things.append(value)
        return things, any(each == REST for each, _ in entries), 0

    # ---- zones

    def _lay_zones(self) -> dict[str, dict[tuple[Data, ...], list[int]]]:
        """Return the complete content of each mentioned zone, from the bottom."""
        program = self.words.program
        used: set[tuple[str, int]] = set()
        found: dict[str, Lying] = {}
        for name, places in self._zones.items():
            kind = program.zones[name].member
            for keys, zone in places.items():
                for thing in zone.things:
                    if (kind.name, thing) in used:
                        title = self.words.labels[kind.name][thing]
                        raise self.words.misread(
                            E073, f"`{title}` cannot lie in two places.", zone.path
                        )
                    used.add((kind.name, thing))
                found.setdefault(name, {})[keys] = list(reversed(zone.things))
        for name, places in self._zones.items():
            kind = program.zones[name].member
            for keys, zone in places.items():
                free = [n for n in range(kind.size) if (kind.name, n) not in used]
                if len(free) < zone.more:
                    raise self.words.misread(
                        E073,
                        f"{zone.more} are expected here, but only {len(free)} are "
                        "left.",
                        zone.path,
                    )
                more = free[: zone.more]
                used.update((kind.name, thing) for thing in more)
                found[name][keys] = [*more, *found[name][keys]]
        if self.lay:
            # Put the initial content of a zone beneath the things named there.
            from houserule.engine.reference.play.engine import engine_of

            fresh = engine_of(program)
            for name, places in self._zones.items():
                kind = program.zones[name].member
                for keys, zone in places.items():
                    things = starting_things(fresh, name, keys) if zone.rest else ()
                    left = [each for each in things if (kind.name, each) not in used]
                    found[name][keys] = [*left, *found[name][keys]]
        return found

    # ---- phases

    def _flow(
        self, said: Mapping[str, tuple[YamlData, KeyPath]]
    ) -> tuple[str, int | None, dict[str, Data]]:
        program, words = self.words.program, self.words
        at, seat = "", None
        if "at" in said:
            at, path = str(said["at"][0]), (*said["at"][1], "at")
            known = (*program.steps, *program.phases)
            if at not in known:
                raise words.unknown("step or phase", at, known, path)
        if "turn" in said:
            who, path = said["turn"][0], (*said["turn"][1], "turn")
            value = words.value(seats_of(words), who, path)
            seat = value if isinstance(value, int) else None
            if not at:
                message = "Say where play stands: `at:` and the name of a step."
                raise words.misread(E073, message, path, key=True)
        inner, path = said.get("items", ({}, ()))
        path = (*path, "items")
        if not isinstance(inner, dict):
            raise words.misread(E072, "Expected `phase: item`.", path)
        items: dict[str, Data] = {}
        over = {n: p.source for n, p in program.phases.items() if p.source is not None}
        for phase, item in inner.items():
            place = (*path, phase)
            if phase not in over:
                raise words.unknown("phase with items", phase, over, place, key=True)
            member = getattr(getattr(over[phase], "type", None), "member", None)
            items[phase] = words.value(member or seats_of(words), item, place)
        return at, seat, items


def located(
    words: ScenarioWords,
    params: tuple[Param, ...],
    inside: list[str] | None,
    said: YamlData,
    path: KeyPath,
    leaf: Callable[[YamlData, KeyPath], LEAF],
) -> Iterator[tuple[tuple[Data, ...], LEAF, KeyPath]]:
    """Yield keys, value and place of each entry of a family.

    The keys are in brackets after the name, or in nested blocks.
    """
    keys = () if inside is None else words.arguments(params, inside, path, some=True)
    return words.entries(params, said, path, leaf, keys)


def impossible(
    error: BadPosition,
    words: ScenarioWords,
    given_at: Mapping[str, KeyPath],
    whole: Span,
) -> Diagnostic:
    """Return E073 for a position that cannot be laid out.

    `given_at` has the places of its words, `whole` is that of all.
    """
    document = words.document
    if not isinstance(error, NotInSet):
        named = (key for key in given_at if key.split("(")[0] == error.about)
        path = given_at.get(next(named, ""))
        return fault(E073, f"{error}.", document.key_span(*path) if path else whole)
    phase = words.program.phases[error.phase]
    source = phase.source
    assert source is not None, "it has items"
    assert isinstance(source.type, Set), "items are of a set"
    here = words.shown(error.items, source.type) if error.items else "empty"
    message = f"In this position the set of `{phase.name}` is {here}"
    if error.items:
        wanted = words.shown(error.wanted, source.type.member)
        message += f"; {wanted} is not in it"
    path = given_at["at"]
    item = (*given_at.get("items", ()), phase.name)
    if item in document.key_spans:
        path = item
    elif phase.acts:
        path = given_at.get("turn", path)
    others = [Label(source.span, "this is the set")]
    return fault(E073, f"{message}.", document.span(*path), others=others)


def number(words: ScenarioWords, said: YamlData, path: KeyPath) -> int:
    """Return a count.

    Raises:
        Misread: not a whole number from 0.
    """
    if isinstance(said, str) and WHOLE.fullmatch(said):
        said = int(said)
    if isinstance(said, bool) or not isinstance(said, int) or said < 0:
        message = f"This must be a number, not {spoken(said)}."
        raise words.misread(E072, message, path)
    return said


def numbers(words: ScenarioWords, said: YamlData, path: KeyPath) -> list[int]:
    """Return a list of counts; a single one needs no list."""
    if not isinstance(said, list):
        return [number(words, said, path)]
    return [number(words, each, (*path, place)) for place, each in enumerate(said)]


def seats_of(words: ScenarioWords) -> Kind:
    kinds = words.program.kinds.values()
    return next(kind for kind in kinds if kind.sort == "seat")


def read_faces(
    words: ScenarioWords, said: YamlData, path: KeyPath
) -> dict[str, dict[int, int]]:
    """Return the faces of dice, by kind and die."""
    if not isinstance(said, dict):
        raise words.misread(E072, "Expected `die: face`.", path)
    dice = {
        label: (kind, die)
        for kind, component in words.program.components.items()
        if component.faces
        for die, label in enumerate(component.labels)
    }
    found: dict[str, dict[int, int]] = {}
    for name, face in said.items():
        if name not in dice:
            raise words.unknown("die", name, dice, (*path, name), key=True)
        kind, die = dice[name]
        shown = number(words, face, (*path, name))
        faces = words.program.components[kind].faces
        if shown not in faces:
            possible = ", ".join(str(each) for each in sorted(set(faces)))
            raise words.misread(
                E072, f"`{name}` has the faces {possible}.", (*path, name)
            )
        found.setdefault(kind, {})[die] = shown
    return found


def _in_picture(
    leaf: Callable[[YamlData, KeyPath], LEAF], spans: Mapping[str, Span]
) -> Callable[[YamlData, KeyPath], LEAF]:
    """Return a reader of values whose errors are at the signs of a picture."""

    def read(value: YamlData, place: KeyPath) -> LEAF:
        try:
            return leaf(value, place)
        except Misread as error:
            raise error.at(spans[str(place[-1])]) from None

    return read


def starting_things(
    engine: Engine, zone: str, keys: tuple[Data, ...]
) -> tuple[int, ...]:
    """Return the initial content of a zone, by id."""
    from houserule.engine.reference.play.setup import fresh

    machine = fresh(engine.program, 0)
    return machine.store.zones[zone][engine.layout.index(zone, keys)]
