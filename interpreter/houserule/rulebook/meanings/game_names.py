"""The names of a game: everything that an edit can change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from houserule.base.plain import Plain
from houserule.compiler.items.index import Declaration, family_of
from houserule.compiler.items.seals import seals_of
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import MAIN
from houserule.rulebook.meanings.table_in_words import Speech, caption_of, under

# Groups in output order, with the kinds of their top-level names; names below one of
# these follow it.
GROUPS = {
    "flow": ("phase", "step"),
    "actions": ("action",),
    "effects": ("effect",),
    "reactions": ("reaction",),
    "values": ("value", "contribution"),
    "options": ("option",),
    "things": ("type", "component", "dice", "tokens", "zone", "state"),
    "whole": ("players", "always", "warn", "winners", "drawn by", "bots strive for"),
}


class NamedAddress(Plain):
    """One address of a game.

    Example:
        >>> name = houserule.load("pig").names("hold.win").groups[0].names[0]
        >>> name.kind, name.caption, name.above
        ('does', 'A player who reaches the target wins at once', 'hold')
    """

    name: str
    """The address, as edits write it."""
    kind: str
    """Its kind, as the language calls it."""
    caption: str
    """Its caption or name; '' if it has neither."""
    parts: tuple[str, ...]
    """Parts that a variant may change as well: `during` for `NAME.during`."""
    unit: str
    """The variant or bridge that adds it; '' for the base game."""
    sealed: bool
    """Whether variants must not edit it."""
    above: str
    """The address that it belongs to, '' if it is a top-level name."""


class NameGroup(Plain):
    """Addresses of one sort.

    Example:
        >>> [group.title for group in houserule.load("pig").names("pot").groups]
        ['Actions', 'Things on the table']
    """

    about: str
    """The sort, such as "flow", "actions" or "effects"."""
    title: str
    """Its heading."""
    names: tuple[NamedAddress, ...]


class GameNames(Plain):
    """Everything that an edit of a game can take hold of, in groups.

    Example:
        >>> len(houserule.load("pig").names().groups)
        5
    """

    game: str
    groups: tuple[NameGroup, ...]


def game_names(
    ruleset: LoadedRuleset, word: str = "", language: str = "en"
) -> GameNames:
    """Return the addresses of a game, including those of its variants.

    They are in the order of the files: the base game, then variants by name; each
    address is followed by those below it.

    Args:
        word: only addresses that contain it, or whose caption does.
    """
    every, asked = _Names(ruleset, language), word.casefold()
    groups = []
    for about, kinds in GROUPS.items():
        names = [each for kind in kinds for each in every.of_kind(kind)]
        found = tuple(
            each
            for each in names
            if asked in each.name.casefold() or asked in each.caption.casefold()
        )
        if found:
            title = every.speech.words.say(f"names {about}")
            groups.append(NameGroup(about=about, title=title, names=found))
    return GameNames(game=ruleset.id, groups=tuple(groups))


class _Names:
    """The declarations of a product line, by their parents."""

    def __init__(self, ruleset: LoadedRuleset, language: str) -> None:
        self.speech = Speech(ruleset, language)
        self._seals = seals_of(ruleset).lines
        self._under: dict[str, list[Declaration]] = defaultdict(list)
        self._parts: dict[str, dict[str, None]] = defaultdict(dict)
        family = family_of(ruleset)
        for every in family.clauses.values():
            first = every[0]
            if isinstance(first.one.node, tree.Remark | tree.Assert):
                continue
            match first.one.node:
                case tree.Adjust(target=target):
                    owner = target.parts[0]
                case tree.Phase() | tree.Step():
                    owner = first.placed.phase
                case _:
                    owner = first.one.owner
            self._under[owner if owner in family.clauses else ""].append(first)
        for address, every in family.declared.items():
            if every[0].one.word != MAIN and not self._sealed(every[0]):
                owner, _, part = address.rpartition(".")
                self._parts[owner][part] = None

    def _sealed(self, declaration: Declaration) -> bool:
        """Return whether the game seals a declaration, or its parent."""
        address = declaration.one.address
        return not declaration.origin.unit and any(
            under(address, sealed) for sealed in self._seals
        )

    def of_kind(self, kind: str) -> Iterator[NamedAddress]:
        """Yield the top-level names of a kind, each with everything below it."""
        for each in self._under[""]:
            if each.one.kind == kind:
                yield from self._with_all(each, "")

    def _with_all(self, declaration: Declaration, above: str) -> Iterator[NamedAddress]:
        one = declaration.one
        caption = caption_of(one.node)
        if one.kind in {"member", "slot"}:
            caption = self.speech.thing(one.name)
        yield NamedAddress(
            name=one.address,
            kind=one.kind,
            caption=self.speech.caption(one.address, one.kind, caption),
            parts=tuple(self._parts[one.address]),
            unit=declaration.origin.unit,
            sealed=self._sealed(declaration),
            above=above,
        )
        for each in self._under[one.address]:
            yield from self._with_all(each, one.address)
