"""The ruleset of a game, and its state by the names of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.diagnostics.render import RulesetError
from houserule.base.resources import find_ruleset, nothing_called
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.domains import Json, plain
from houserule.engine.state.view import view
from houserule.ir.types import Data, Kind, Type
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import open_ruleset as open_folder
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.play.records.choice_words import value_of
from houserule.play.records.records import seat_names

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules


Tell: TypeAlias = Callable[[str], object]


def open_ruleset(
    name_or_path: str | Path, rules: Sequence[str | Path] = ()
) -> LoadedRuleset:
    """Load a ruleset; `check` reports warnings.

    Args:
        name_or_path: a shipped game by name, or the path of a ruleset's folder.
        rules: files and folders with rules beside it.

    Raises:
        RulesetError: the ruleset is missing or unreadable.
    """
    folder = find_ruleset(name_or_path)
    if folder is None:
        raise RulesetError((), message=nothing_called(str(name_or_path)))
    return open_folder(folder, rules_beside(map(Path, rules)))


def with_rules(ruleset: LoadedRuleset, rules: Iterable[Path]) -> LoadedRuleset:
    """Return a ruleset with more rules beside it; itself if it has them all.

    Raises:
        RulesetError: they cannot be read.
    """
    known = [each.path for each in ruleset.beside]
    beside = rules_beside((*known, *rules))
    return open_folder(ruleset.folder, beside) if len(beside) > len(known) else ruleset


# ---- what lies on the table


class GameState:
    """The part of a `Game` that reads: states, zones, tokens, dice, values, views."""

    def __init__(self, rules: TableRules, reference: ReferenceGame) -> None:
        self._rules, self._reference = rules, reference

    @property
    def reference(self) -> ReferenceGame:
        """The game of the reference engine; internal, may change."""
        return self._reference

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in order."""
        return seat_names(self._rules.program)

    def state(self, name: str, *keys: Json) -> Json:
        """Return a state of the rules at its keys.

        Args:
            name: as the rules declare it.
            keys: a key for each that the declaration has, by name or number.

        Raises:
            KeyError: the rules declare no such state.
            ValueError: a key of the wrong type, or a wrong number of keys.

        Example:
            >>> game = houserule.load("hex_board").table().start()
            >>> game.choose({"put": {"x": "2-5"}})
            >>> game.state("stone", "2-5"), game.state("stone", "1-1")
            ('p1', None)
        """
        program = self._rules.program
        value = self._reference.cell(name, *self._keys(name, keys))
        return plain(value, program.states[name].type, program.labels)

    def zone(self, name: str, *keys: Json) -> tuple[str, ...]:
        """Return the names of the things in a zone; a pile from the bottom up.

        Args:
            name: as the rules declare it.
            keys: a key for each that the declaration has, by name or number.

        Raises:
            KeyError: the rules declare no such zone.
            ValueError: a key of the wrong type, or a wrong number of keys.

        Example:
            >>> game = houserule.load("guild_street").table().start(seed=1)
            >>> len(game.zone("hand", "p1"))
            3
        """
        program = self._rules.program
        names = program.labels[program.zones[name].member.name]
        things = self._reference.contents(name, *self._keys(name, keys))
        return tuple(names[each] for each in things)

    def tokens(self, name: str, *keys: Json) -> int:
        """Return how many tokens lie in a place of the rules.

        Args:
            name: as the rules declare it.
            keys: a key for each that the declaration has, by name or number.

        Raises:
            KeyError: the rules declare no such place.
            ValueError: a key of the wrong type, or a wrong number of keys.

        Example:
            >>> game = houserule.load("x_pasch").table().start()
            >>> game.tokens("supply", "p1")
            34
        """
        return self._reference.tokens(name, *self._keys(name, keys))

    def face(self, kind: str, die: str | int = 0) -> int:
        """Return the face that a die shows.

        Args:
            kind: the kind of dice.
            die: which of them, by name or number.

        Raises:
            KeyError: the rules have no such dice.
            ValueError: they have no such die.

        Example:
            >>> game = houserule.load("pig").table().start(faces=[4])
            >>> game.choose("throw")
            >>> game.face("Die")
            4
        """
        names = self._rules.program.components[kind].labels
        at = names.index(die) if isinstance(die, str) else die
        if not 0 <= at < len(names):
            raise ValueError(f"there is no {kind} {die}")
        return self._reference.face(kind, at)

    def value(self, name: str, *arguments: Json) -> Json:
        """Return a declared value of the rules, as it is now.

        Args:
            name: as the rules declare it.
            arguments: one for each parameter, by name or number.

        Raises:
            KeyError: the rules declare no such value.
            ValueError: an argument of the wrong type, or a wrong number of arguments.
            RuleFault: the value cannot be computed now.

        Example:
            >>> game = houserule.load("hex_board").table().start()
            >>> game.value("across", "2-5", "p1")
            2
        """
        program = self._rules.program
        declared = program.values[name]
        types = [each.type for each in declared.params]
        found = self._reference.value(name, *self._data(name, arguments, types))
        return plain(found, declared.type, program.labels)

    def view(self, seat: str | int) -> dict[str, Json]:
        """Return a seat's view, as plain data; hidden values are marked.

        A pile is listed from the bottom up.

        Args:
            seat: by name or number.

        Raises:
            ValueError: unknown seat.

        Example:
            >>> game = houserule.load("guild_street").table().start()
            >>> sorted(game.view("p1"))
            ['dice', 'game', 'seat', 'states', 'tokens', 'zones']
        """
        at = self.seats.index(seat) if isinstance(seat, str) else seat
        if not 0 <= at < len(self.seats):
            raise ValueError(f"there is no seat {seat}")
        machine, program = self._reference.machine, self._rules.program
        return view(program, machine.engine.evaluator, machine.store, at)

    def lying(self) -> dict[str, frozenset[str]]:
        """Return the things of each kind that lie in some zone, by name.

        Example:
            >>> game = houserule.load("guild_street").table().start()
            >>> {kind: len(things) for kind, things in game.lying().items()}
            {'House': 12, 'Card': 31}
        """
        components = self._rules.program.components
        return {
            kind: frozenset(
                name
                for name, place in zip(components[kind].labels, places, strict=True)
                if place is not None
            )
            for kind, places in self._reference.machine.store.where.items()
        }

    def _keys(self, name: str, keys: Sequence[Json]) -> tuple[Data, ...]:
        families = self._reference.engine.layout.families
        return self._data(name, keys, [axis.type for axis in families[name].axes])

    def _data(
        self, name: str, said: Sequence[Json], types: Sequence[Type]
    ) -> tuple[Data, ...]:
        if len(said) != len(types):
            raise ValueError(f"`{name}` takes {len(types)} keys, not {len(said)}")
        found: list[Data] = []
        for each, type_ in zip(said, types, strict=True):
            if isinstance(type_, Kind) and type(each) is int and 0 <= each < type_.size:
                found.append(each)
            else:
                found.append(value_of(each, type_, self._rules.program))
        return tuple(found)
