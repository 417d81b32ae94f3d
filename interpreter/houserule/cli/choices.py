"""What a game lets a table choose: variants, groups, options and presets.

Read from the rules files as they stand; nothing is composed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from houserule.compose.items.items import placed_items
from houserule.syntax import tree
from houserule.syntax.write.expressions import print_expr

if TYPE_CHECKING:
    from houserule.compose.items.items import Placed
    from houserule.manifest.ruleset import LoadedRuleset

Word: TypeAlias = Literal["requires", "implies", "excludes", "suggests"]
WORDS: Mapping[Word, str] = {
    "requires": "needs {}",
    "implies": "brings {}",
    "excludes": "not with {}",
    "suggests": "goes well with {}",
}


@dataclass(frozen=True, slots=True)
class Link:
    """One variant has to do with others, where all of `given` are on as well."""

    word: Word
    names: tuple[str, ...]
    given: tuple[str, ...] = ()


@dataclass(slots=True)
class Choice:
    """A variant, option or preset: what it is called, and lines about it.

    `links`, `groups` and `players` (lowest and highest) are of variants only.
    """

    id: str
    title: str
    links: list[Link] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    players: tuple[int, int] | None = None
    remarks: tuple[str, ...] = ()

    def about(self) -> tuple[str, ...]:
        """Return what there is to know, in short parts."""
        links = (_spoken(link) for link in self.links)
        groups = (f"one of {group}" for group in self.groups)
        seats = () if self.players is None else (f"for {span(*self.players)} players",)
        return (*links, *groups, *seats, *self.remarks)

    def names(self, word: Word) -> list[str]:
        """Return whom a link of this kind names, whatever else is on."""
        return [
            name
            for link in self.links
            if link.word == word and not link.given
            for name in link.names
        ]


@dataclass(frozen=True, slots=True)
class Group:
    """Variants of which one is on, or one at most."""

    id: str
    variants: tuple[str, ...]
    or_none: bool
    normally: str

    def about(self) -> str:
        """Say which they are, and which of them is on if nobody chooses."""
        how = "at most one of" if self.or_none else "exactly one of"
        usual = f", normally {self.normally}" if self.normally else ""
        return f"{how} {', '.join(self.variants)}{usual}"


def _spoken(link: Link) -> str:
    words = WORDS[link.word].format(", ".join(link.names))
    return f"with {', '.join(link.given)}: {words}" if link.given else words


def span(low: int, high: int) -> str:
    """Return numbers of players in words: "2 to 4", "3"."""
    return f"{low} to {high}" if low < high else str(low)


# ---- variants


def variants_of(ruleset: LoadedRuleset, titles: Mapping[str, str]) -> list[Choice]:
    """Return the variants by name, each with all that other units say of it too."""
    found = {
        unit.id: Choice(unit.id, _title(unit, titles))
        for unit in ruleset.units_of("variant")
    }
    for placed in placed_items(ruleset):
        _note(placed, found)
    for group in groups_of(ruleset):
        for name in group.variants:
            if name in found:
                found[name].groups.append(group.id)
    return [found[name] for name in sorted(found)]


def groups_of(ruleset: LoadedRuleset) -> list[Group]:
    """Return the groups by name."""
    items = (placed.item for placed in placed_items(ruleset))
    groups = (
        Group(
            item.name.text,
            _texts(item.names),
            item.or_none,
            item.normally.text if item.normally else "",
        )
        for item in items
        if isinstance(item, tree.OneOf)
    )
    return sorted(groups, key=lambda group: group.id)


def _note(placed: Placed, found: Mapping[str, Choice]) -> None:
    """Note what one item says, with every variant that it speaks of."""
    item = placed.item
    word: Word
    match item:
        case tree.Relates(kind=kind):
            word = kind
        case tree.Suggests():
            word = "suggests"
        case tree.NeedsPlayers(low=low, high=high):
            for name in placed.members & found.keys():
                found[name].players = _both(found[name].players, (low, high))
            return
        case _:
            return
    for name in sorted(set(placed.origin.unit.split("+")) & found.keys()):
        given = tuple(sorted(placed.members - {name}))
        found[name].links.append(Link(word, _texts(item.names), given))
        if word == "excludes":
            _note_excluded(name, item.names, given, found)


def _note_excluded(
    by: str,
    names: Iterable[tree.Word],
    given: tuple[str, ...],
    found: Mapping[str, Choice],
) -> None:
    """Note with the other ones too that they exclude each other, unless they say it."""
    back = Link("excludes", (by,), given)
    for each in names:
        other = found.get(each.text)
        if other is not None and by not in other.names("excludes"):
            other.links.append(back)


def _both(one: tuple[int, int] | None, other: tuple[int, int]) -> tuple[int, int]:
    if one is None:
        return other
    return max(one[0], other[0]), min(one[1], other[1])


# ---- presets and options


def presets_of(ruleset: LoadedRuleset, titles: Mapping[str, str]) -> list[Choice]:
    """Return the presets, as written."""
    return [
        Choice(unit.id, _title(unit, titles), remarks=tuple(_of_preset(unit)))
        for unit in ruleset.units_of("preset")
    ]


def _of_preset(unit: tree.Unit) -> Iterator[str]:
    for item in unit.items:
        match item:
            case tree.Extends(name=word):
                yield f"extends {word.text}"
            case tree.PresetWith(names=words):
                yield f"with {', '.join(_texts(words))}"
            case tree.PresetSet(name=word, value=value):
                yield f"{word.text} = {print_expr(value)}"
            case _:
                continue


def options_of(ruleset: LoadedRuleset, titles: Mapping[str, str]) -> list[Choice]:
    """Return the options: those of the base game as written, then those of variants."""
    types = {
        placed.item.name.text: placed.item
        for placed in placed_items(ruleset)
        if isinstance(placed.item, tree.TypeDecl)
    }
    return [
        _option(placed, placed.item, types, titles)
        for placed in placed_items(ruleset)
        if isinstance(placed.item, tree.Option)
    ]


def _option(
    placed: Placed,
    item: tree.Option,
    types: Mapping[str, tree.TypeDecl],
    titles: Mapping[str, str],
) -> Choice:
    name = item.name.text
    caption = item.caption.text if item.caption else ""
    step = f" step {item.step}" if item.step else ""
    parts = [f"{_scale(item.type, types)}{step}"]
    parts.append(f"normally {print_expr(item.normally)}")
    if placed.members:
        parts.append(f"with {', '.join(sorted(placed.members))}")
    return Choice(
        name, titles.get(f"titles/{name}") or caption, remarks=(", ".join(parts),)
    )


def _scale(kind: tree.Type, types: Mapping[str, tree.TypeDecl]) -> str:
    """Return what may be chosen, in words."""
    match kind:
        case tree.RangeType(low=low, high=high):
            return f"{_bound(low)}..{_bound(high)}"
        case tree.FlagType():
            return "yes or no"
        case tree.NamedType(name):
            return " or ".join(_members(name, types))
        case tree.SetType(member) | tree.PartType(member):
            some = "some" if isinstance(kind, tree.PartType) else "any"
            return f"{some} of {', '.join(_members(member, types))}"
        case tree.MaybeType(inner):
            return f"{_scale(inner, types)} or none"


def _members(name: str, types: Mapping[str, tree.TypeDecl]) -> Sequence[str]:
    declared = types.get(name)
    if declared is None:
        return (name,)
    if isinstance(declared.type, tree.RangeType):
        return (_scale(declared.type, types),)
    return _texts(declared.members) or (name,)


def _bound(bound: int | tree.Word) -> str:
    return bound.text if isinstance(bound, tree.Word) else str(bound)


def _title(unit: tree.Unit, titles: Mapping[str, str]) -> str:
    own = unit.caption.text if unit.caption else ""
    return titles.get(f"titles/{unit.id}") or own


def _texts(words: Iterable[tree.Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words)
