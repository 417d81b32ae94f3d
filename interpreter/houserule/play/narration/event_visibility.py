"""Visibility of each event of a game for a viewer, as it happens.

A move is reported when it is complete. A viewer may know what it saw before or after
the move, so this module remembers what was hidden at the previous event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from houserule import ir
from houserule.engine.reference.choices import Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility
from houserule.ir.types import Data
from houserule.play.narration.visibility import (
    AllKnowing,
    Viewer,
    ViewerVisibility,
    access_of,
    secretly_seen,
)

Knows: TypeAlias = Callable[[str, int], bool]
"""Whether a component, by kind and number, may be named."""
_Item: TypeAlias = tuple[str, int]
_Lying: TypeAlias = tuple[str, int]
_Hidden: TypeAlias = list[frozenset[_Item]]


class EventVisibility:
    """A viewer's sight of a game, event by event.

    Until it attends a game, everything that may ever be hidden is hidden.

    Attributes:
        learned: whether the viewer, but not every seat, sees which component just
            moved; False if the viewer saw it before the move, or saw it go to its
            earlier place.
    """

    def __init__(self, program: ir.Program, viewer: Viewer) -> None:
        self.viewer: Viewer = viewer
        self._program = program
        self._hiding = [zone for zone in program.zones.values() if zone.seen]
        self._kinds = {zone.member.name for zone in self._hiding}
        reads = access_of(program).reads
        self._fixed = {z.name for z in self._hiding if z.seen and not reads(z.seen)}
        self._varying = [z.name for z in self._hiding if z.name not in self._fixed]
        self._seen: dict[tuple[int, str, int], bool] = {}
        self._game: ReferenceGame | None = None
        self._knowledge: ViewerVisibility | None = None
        self._followed: set[_Item] = set()
        self._left: dict[_Item, _Lying | None] = {}  # former places
        self._before: _Hidden = []
        self._now: _Hidden = []
        self.learned = False
        self._basis: object = None  # the basis of `_now`

    def attend(self, game: ReferenceGame) -> None:
        """Follow a game from now on."""
        self._game = game
        if not isinstance(self.viewer, AllKnowing):
            self._knowledge = ViewerVisibility(game, self.viewer)
        self._before = self._now = self._hidden()
        self.rest()

    def forget(self) -> None:
        """Follow no game: the next events happened before anybody looked."""
        self._game = self._knowledge = None
        self._before = self._now = []
        self._basis = None
        self.rest()

    @property
    def knowledge(self) -> ViewerVisibility | None:
        """The viewer's knowledge; None if it is complete."""
        return self._knowledge

    def look(self, event: Event) -> None:
        """Update the view after an event, and remember what was hidden before.

        A component that the viewer saw moving is tracked even while it is hidden.
        """
        self._before = self._now
        self._now = self._hidden()
        self.learned = False
        if event.kind == "move":
            kind, item, before, to = cast(
                "tuple[str, int, _Lying | None, _Lying]", event.data[:4]
            )
            self._left[kind, item] = before
            if isinstance(self.viewer, int) and self._game is not None:
                self.learned = (
                    (kind, item) in self._before[0]
                    and (kind, item) not in self._followed
                    and (kind, item) not in self._now[0]
                    and self._program.zones[to[0]].seen is not None
                )
            self._followed.discard((kind, item))
            if self.thing(kind, item):
                self._followed.add((kind, item))
        elif event.kind == "shuffle" and self._game is not None:
            zone, index = cast("tuple[str, int]", event.data[:2])
            kind = self._program.zones[zone].member.name
            things = self._game.machine.store.zones[zone][index]
            self._followed.difference_update((kind, thing) for thing in things)
            for thing in things:
                self._left.pop((kind, thing), None)

    def rest(self) -> None:
        """Stop tracking components: a seat decides, and may choose among many."""
        self._followed.clear()
        self._left.clear()

    def is_news(self, event: Event) -> bool:
        """Return whether a player is shown a component it did not see moving there."""
        kind, things, seats = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        if self._game is None or self._program.components[kind].faces:
            return True
        store, evaluator = self._game.machine.store, self._game.engine.evaluator
        eyes = [Visibility(self._program, evaluator, store, seat) for seat in seats]
        places = {self._left.get((kind, thing)) for thing in things}
        return any(
            place is None or not all(eye.zone(*place) for eye in eyes)
            for place in places
        )

    # ---- what the viewer may know

    def thing(self, kind: str, item: int) -> bool:
        """Return whether the viewer sees a component, just saw it, or saw it go."""
        if isinstance(self.viewer, AllKnowing) or kind not in self._kinds:
            return True
        if (kind, item) in self._followed:
            return True
        if self._game is None:
            return False
        pairs = zip(self._before, self._now, strict=True)
        return not any(
            (kind, item) in before and (kind, item) in now for before, now in pairs
        )

    def cell(self, state: str, index: int) -> bool:
        """Return whether the viewer sees a cell."""
        if isinstance(self.viewer, AllKnowing):
            return True
        if self._knowledge is None:
            return self._program.states[state].seen is None
        return self._knowledge.cell(state, index)

    def face(self, kind: str, die: int) -> bool:
        """Return whether the viewer sees the face of a die."""
        if isinstance(self.viewer, AllKnowing):
            return True
        if self._knowledge is None:
            return self._program.components[kind].seen is None
        return self._knowledge.face(kind, die)

    def place(self, sort: str, name: str) -> bool:
        """Return whether the viewer sees all of a zone, a state or some dice."""
        if isinstance(self.viewer, AllKnowing):
            return True
        if self._game is None:
            return False
        store = self._game.machine.store
        if sort == "state":
            return all(
                self.cell(name, index) for index in range(len(store.cells[name]))
            )
        if sort == "face":
            return all(self.face(name, die) for die in range(len(store.faces[name])))
        kind = self._program.zones[name].member.name
        return all(self.thing(kind, i) for things in store.zones[name] for i in things)

    def faces(self, kind: str, dice: Sequence[int]) -> list[tuple[int, int]] | None:
        """Return the current faces of dice; None if the viewer may not see them all."""
        if self._game is None or not all(self.face(kind, die) for die in dice):
            return None
        shown = self._game.machine.store.faces[kind]
        return [(die, shown[die]) for die in dice]

    def value(self, name: str, keys: Sequence[Data]) -> bool:
        """Return whether the viewer may know a declared value."""
        if isinstance(self.viewer, AllKnowing):
            return True
        return self._knowledge is not None and self._knowledge.value(name, keys)

    def expression(self, node: ir.Expr) -> bool:
        """Return whether an expression shows the viewer nothing hidden."""
        if isinstance(self.viewer, AllKnowing):
            return True
        return self._knowledge is not None and self._knowledge.expression(node)

    def is_seat(self, seat: object) -> bool:
        """Return whether the viewer has this seat, or sees everything."""
        return isinstance(self.viewer, AllKnowing) or self.viewer == seat

    # ---- what is hidden

    def _hidden(self) -> _Hidden:
        """Return, for each viewing seat, the components that it does not see."""
        if self._game is None or isinstance(self.viewer, AllKnowing):
            return []
        everybody = range(self._program.seats)
        seats = everybody if self.viewer is None else (self.viewer,)
        store, evaluator = self._game.machine.store, self._game.engine.evaluator
        eyes = [Visibility(self._program, evaluator, store, seat) for seat in seats]
        # Everything that decides which components some seats cannot see.
        lying = [(tuple(store.where[k]), tuple(store.known[k])) for k in self._kinds]
        into = [
            eye.zone(zone, index)
            for eye in eyes
            for zone in self._varying
            for index in range(len(store.zones[zone]))
        ]
        basis = lying, into
        if basis != self._basis:  # most events change no visibility
            self._basis = basis
            self._now = [
                frozenset(
                    (zone.member.name, thing)
                    for zone in self._hiding
                    for index, things in enumerate(store.zones[zone.name])
                    if things and not self._sees_into(eye, zone.name, index)
                    for thing in things
                    if not eye.was_shown(zone.member.name, thing)
                )
                for eye in eyes
            ]
        return self._now

    def _sees_into(self, eye: Visibility, zone: str, index: int) -> bool:
        """Return whether a seat sees into a zone; constant answers are cached."""
        if self.viewer is None and zone in secretly_seen(self._program):
            return False
        if zone not in self._fixed:
            return eye.zone(zone, index)
        key = eye.seat, zone, index
        if key not in self._seen:
            self._seen[key] = eye.zone(zone, index)
        return self._seen[key]
