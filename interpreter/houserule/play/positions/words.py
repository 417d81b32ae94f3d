"""Parses the words of scenarios and positions as values of a program's types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import TypeVar, assert_never

from houserule.base.diagnostics.characters import advice_on
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import did_you_mean
from houserule.base.diagnostics.wording import listed as in_a_row
from houserule.base.source import Span
from houserule.compiler.merge.resolve import resolution_of
from houserule.engine.state.domains import printed
from houserule.engine.state.layout import Layout
from houserule.ir import Param, Program, is_kept
from houserule.ir.types import Data, Flag, Kind, Maybe, Position, Set, Type, Whole
from houserule.ir.types import members as members_of
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import Document, KeyPath
from houserule.play.positions.messages import E071, E072

LEAF = TypeVar("LEAF")
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")
CALL = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*(?:\((.*)\))?\s*")
END = re.compile(r"\s*(top|bottom)\s+of\s+(.+)")
LIKE_FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "on"), "yes"),
    **dict.fromkeys(("no", "n", "false", "off"), "no"),
}
FLAGS: dict[object, bool] = {True: True, False: False, "yes": True, "no": False}


class Misread(Exception):
    """Invalid words in a scenario file; carries the diagnostic."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(diagnostic.message)

    def at(self, span: Span) -> Misread:
        """Return the same error at a place inside that of its value."""
        first, *others = self.diagnostic.labels or (Label(span),)
        labels = (replace(first, span=span), *others)
        return Misread(replace(self.diagnostic, labels=labels))


@lru_cache(maxsize=32)
def _after_players(
    program: Program, seats: tuple[str, ...]
) -> tuple[tuple[str, int, list[str]], ...]:
    """Return the kind and number of each thing named after seats, and its words."""
    return tuple(
        (kind, thing, parts)
        for kind in program.components
        for thing, label in enumerate(program.labels[kind])
        if not set(seats).isdisjoint(parts := label.split("-"))
    )


class ScenarioWords:
    """Parses a scenario's words for one program.

    `seats` are the scenario's names for the players, in order. The program's own names
    also work, and in the names of things too. The `ruleset` has the boards and signs of
    pictures.
    """

    def __init__(
        self,
        program: Program,
        document: Document,
        seats: Sequence[str] = (),
        ruleset: LoadedRuleset | None = None,
    ) -> None:
        self.program, self.ruleset = program, ruleset
        self.document = document
        self.labels = dict(program.labels)
        self._also: dict[str, dict[str, int]] = {}
        for kind in program.kinds.values():
            if kind.sort == "seat" and len(seats) == kind.size:
                seat_of = {name: n for n, name in enumerate(self.labels[kind.name])}
                self._also[kind.name] = seat_of
                self.labels[kind.name] = tuple(seats)
                # Things of each player carry the player's own name: `ann-1`.
                for of, thing, parts in _after_players(program, tuple(seat_of)):
                    own = [seats[seat_of[e]] if e in seat_of else e for e in parts]
                    if own != parts:
                        self._also.setdefault(of, {}).setdefault("-".join(own), thing)

    # ---- errors

    def misread(
        self,
        code: MessageCode,
        message: str,
        path: KeyPath,
        label: str = "",
        *,
        key: bool = False,
        others: Iterable[Label] = (),
        details: Iterable[str] = (),
        fixes: Iterable[str] = (),
    ) -> Misread:
        """Return an error at a place of the file: at a value, or at its key."""
        document = self.document
        span = document.key_span(*path) if key else document.span(*path)
        with suppress(KeyError):  # a position from Python has no file
            if not key and not label and isinstance(said := document.at(*path), str):
                label = advice_on(said)
        found = fault(
            code, message, span, label, others=others, details=details, fixes=fixes
        )
        return Misread(found)

    def unknown(
        self,
        what: str,
        word: str,
        known: Iterable[str],
        path: KeyPath,
        *,
        key: bool = False,
        also: Mapping[str, str] | None = None,
    ) -> Misread:
        """Return the error for an unknown name: its variant, else the nearest name.

        `also` is as for `did_you_mean`.
        """
        names = [name for name in known if not is_kept(name)]
        whole = {name.rpartition(".")[2]: name for name in names if "." in name}
        few = ", ".join(names)
        message, fixes = f"There is no {what} `{word}`", list[str]()
        if self.ruleset is not None:
            resolution, on = (
                resolution_of(self.ruleset),
                frozenset(self.program.variants),
            )
            meant = resolution.family.meant_by(word)
            missing, verb, switch = {e.placed.members - on for e in meant}, "adds", "on"
            if frozenset() in missing:  # this table declares it
                clauses = {(each.one.clause, each.one.word) for each in meant}
                hits = (hit for e in clauses for hit, _ in resolution.removals(*e))
                missing = {e.placed.members for e in hits if e.placed.members <= on}
                verb, switch = "removes", "off"
            units = sorted(in_a_row(sorted(f"`{e}`" for e in each)) for each in missing)
            fixes = [f"Switch {each} {switch}." for each in units]
            message += f": {in_a_row(units, 'or')} {verb} it" if units else ""
        first, brace, rest = word.partition(" {")
        if brace and first in names:
            fixes.append(f"{first}: {{{rest}")
        details = (f"There is: {few}.",) if names and len(few) < 300 else ()
        return self.misread(
            E071,
            f"{message}.",
            path,
            "" if fixes else did_you_mean(word, names, also={**whole, **(also or {})}),
            key=key,
            details=details,
            fixes=fixes,
        )

    def reasons(self, addresses: Iterable[str]) -> str:
        """Return the clauses that forbid a move, each with its caption."""
        clauses = self.program.clauses
        known = ((each, clauses.get(each)) for each in addresses)
        return "; ".join(
            f"{address} ({clause.caption})" if clause and clause.caption else address
            for address, clause in known
        )

    # ---- values

    def value(
        self, type_: Type, said: YamlData, path: KeyPath, key: bool = False
    ) -> Data:
        """Parse a value of a type.

        Raises:
            Misread: not a value of the type.
        """
        match type_:
            case Maybe(inner):
                return None if said is None else self.value(inner, said, path, key)
            case Set(member):
                if isinstance(said, str):
                    said = [each for each in re.split(r"[\s,+{}]+", said) if each]
                    paths = [path for _ in said]
                elif isinstance(said, list):
                    paths = [(*path, number) for number in range(len(said))]
                elif said is None:
                    said, paths = [], []
                else:
                    raise self._not("a list", said, path, key)
                found: set[Data] = set()
                for each, place in zip(said, paths, strict=True):
                    value = self.value(member, each, place, key)
                    if value in found:
                        message = f"{spoken(each)} is named twice."
                        raise self.misread(E072, message, place, key=key)
                    found.add(value)
                return tuple(sorted(each for each in found if isinstance(each, int)))
            case Flag():
                return self.flag(said, path, key)
            case Whole(low, high):
                number = said
                if isinstance(said, str) and WHOLE.fullmatch(said):
                    number = int(said)
                if isinstance(number, bool) or not isinstance(number, int):
                    raise self._not(f"a number from {low} to {high}", said, path, key)
                if not low <= number <= high:
                    raise self._not(f"from {low} to {high}", said, path, key)
                return number
            case Kind():
                names = self.labels[type_.name]
                if not isinstance(said, int | str):
                    raise self._not(f"a name ({type_.name})", said, path, key)
                # It may look like a number, or like `no`.
                word = "yes" if said is True else "no" if said is False else str(said)
                if word in names:
                    return names.index(word)
                also = self._also.get(type_.name, {})
                if word in also:
                    return also[word]
                raise self.unknown(type_.name, word, names, path, key=key)
            case Position():
                match = END.fullmatch(said) if isinstance(said, str) else None
                text = match[2] if match else said
                if not isinstance(text, str):
                    raise self._not("a place, such as `top of deck`", said, path, key)
                name, inside = self.call(text, path)
                if name not in self.program.zones:
                    raise self.unknown("zone", name, self.program.zones, path, key=key)
                keys = self.arguments(self.program.zones[name].keys, inside, path)
                layout = Layout(self.program)
                bottom = match is not None and match[1] == "bottom"
                return layout.place(name, layout.index(name, keys)), int(bottom)
            case _:
                assert_never(type_)

    def flag(self, said: YamlData, path: KeyPath, key: bool = False) -> bool:
        """Parse a yes or no.

        Raises:
            Misread: neither, or not as it is written here.
        """
        flag = flag_of(said)
        if flag is None:
            meant = LIKE_FLAGS.get(str(said).casefold())
            raise self.misread(
                E072,
                f"This must be yes or no, not {spoken(said)}.",
                path,
                f"write `{meant}`" if meant else "",
                key=key,
            )
        return flag

    def shown(self, value: Data, type_: Type) -> str:
        return printed(value, type_, self.labels)

    def _not(self, wanted: str, said: YamlData, path: KeyPath, key: bool) -> Misread:
        return self.misread(
            E072, f"This must be {wanted}, not {spoken(said)}.", path, key=key
        )

    # ---- names with keys

    def call(self, text: str, path: KeyPath) -> tuple[str, list[str] | None]:
        """Split `name(a, b)` into the name and the text in the brackets."""
        match = CALL.fullmatch(text)
        if match is None:
            raise self.misread(E071, f"`{text}` is no name.", path, key=True)
        if match[2] is None:
            return match[1], None
        parts, depth = [""], 0  # between commas outside of braces
        for letter in match[2]:
            depth += (letter == "{") - (letter == "}")
            if letter == "," and not depth:
                parts.append("")
            else:
                parts[-1] += letter
        return match[1], [each.strip() for each in parts] if match[2].strip() else []

    def arguments(
        self,
        params: Sequence[Param],
        inside: list[str] | None,
        path: KeyPath,
        *,
        some: bool = False,
    ) -> tuple[Data, ...]:
        """Parse the text in brackets as keys: all of them, or the first `some`."""
        words = inside or []
        if len(params) == 1 and isinstance(params[0].type, Set) and words:
            words = [" ".join(words)]  # members of a set need no braces there
        enough = len(words) == len(params) or (some and len(words) < len(params))
        if not enough:
            wanted = ", ".join(param.name for param in params) or "nothing"
            raise self.misread(
                E072, f"Expected in the brackets: {wanted}.", path, key=True
            )
        return tuple(
            self.value(param.type, _plain(word), path, key=True)
            for param, word in zip(params, words, strict=False)
        )

    def entries(
        self,
        params: Sequence[Param],
        said: YamlData,
        path: KeyPath,
        leaf: Callable[[YamlData, KeyPath], LEAF],
        keys: tuple[Data, ...] = (),
    ) -> Iterator[tuple[tuple[Data, ...], LEAF, KeyPath]]:
        """Yield keys, value and place of every entry of a family.

        A block has a key in each line, level by level; a value without keys is for all
        of them.
        """
        rest = params[len(keys) :]
        if not rest:
            yield keys, leaf(said, path), path
        elif isinstance(said, dict):
            for word, inner in said.items():
                place = (*path, word)
                key = self.value(rest[0].type, _plain(word), place, key=True)
                yield from self.entries(params, inner, place, leaf, (*keys, key))
        else:
            found = leaf(said, path)
            for more in product(*(every_key(param.type) for param in rest)):
                yield (*keys, *more), found, path


def every_key(type_: Type) -> list[Data]:
    """Return every value of the type of a key, except sets, which are too many."""
    if isinstance(type_, Whole | Kind):
        return list(members_of(type_))
    return [False, True] if isinstance(type_, Flag) else []


def listed(said: YamlData, path: KeyPath) -> list[tuple[YamlData, KeyPath]]:
    """Return each value of a list with its place; any other value is the only one."""
    if isinstance(said, list):
        return [(each, (*path, place)) for place, each in enumerate(said)]
    return [(said, path)]


def spoken(said: YamlData) -> str:
    """Return a value of a file as part of a sentence."""
    match said:
        case None:
            return "none"
        case bool():
            return "yes" if said else "no"
        case dict():
            return "a block"
        case list():
            return "a list"
        case _:
            return f"`{said}`"


def flag_of(said: YamlData) -> bool | None:
    """Return a yes or no, with or without quotes; else None."""
    return FLAGS.get(said) if isinstance(said, bool | str) else None


def _plain(word: str) -> YamlData:
    """Parse the text of a key like a value elsewhere in the file."""
    return {"yes": True, "no": False, "none": None}.get(word, word)
