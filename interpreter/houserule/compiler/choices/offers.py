"""Offers: the variants, groups, options and presets that a table can choose.

They are read from the rules files; nothing is composed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.items.items import placed_items
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import in_language
from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import print_expr, print_node

LinkWord: TypeAlias = Literal["requires", "implies", "excludes", "suggests"]


@frozen
class Link:
    """A relation to other variants; it applies if all of `given` are on, too."""

    word: LinkWord
    names: tuple[str, ...]
    given: tuple[str, ...] = ()


@frozen
class Offer:
    """A variant, option or preset that a table can choose.

    Attributes:
        id: its name for `--with`, `--set` or `--preset`.
        title: its title, or ''.
        links: of a variant: its relations.
        groups: of a variant: the groups it belongs to.
        players: of a variant: the lowest and highest number of players that it allows;
            None for all numbers of the game.
        remarks: of options and presets: short sentences about them.
        language: of its texts.

    Example:
        >>> houserule.load("nim").variants[2].about()
        ('brings one_heap', 'not with ring')
    """

    id: str
    title: str
    links: tuple[Link, ...] = ()
    groups: tuple[str, ...] = ()
    players: tuple[int, int] | None = None
    remarks: tuple[str, ...] = ()
    language: str = "en"

    def about(self) -> tuple[str, ...]:
        """Return a description as short phrases."""
        words = Phrases("compose", self.language)
        links: list[str] = []
        for link in self.links:
            what = words.say(link.word, names=", ".join(link.names))
            if link.given:
                what = words.say("given", names=", ".join(link.given), what=what)
            links.append(what)
        groups = (words.say("one of", group=group) for group in self.groups)
        seats: tuple[str, ...] = ()
        if self.players is not None:
            number = span(*self.players, self.language)
            seats = (words.say("players", number=number),)
        return (*links, *groups, *seats, *self.remarks)

    def names(self, word: LinkWord) -> list[str]:
        """Return the variants of unconditional links of this kind."""
        return [*_named_by(self.links, word)]


@frozen
class VariantGroup:
    """Variants of which exactly one is on, or at most one.

    Attributes:
        id: its name.
        variants: the names of its variants, as written.
        or_none: whether none of them may be on.
        normally: the default, or ''.
        language: of its texts.

    Example:
        >>> houserule.load("nim").groups[0].about()
        'at most one of one_heap, higher_heaps'
    """

    id: str
    variants: tuple[str, ...]
    or_none: bool
    normally: str
    language: str = "en"

    def about(self) -> str:
        """Return a phrase with the variants and the default."""
        words = Phrases("compose", self.language)
        how = "at most one" if self.or_none else "exactly one"
        what = words.say(how, names=", ".join(self.variants))
        if not self.normally:
            return what
        return words.say("usual", what=what, name=self.normally)


@frozen
class Offers:
    """Everything that a table of a game can choose, with titles in one language.

    Attributes:
        id: the game's name.
        title: its title.
        players: the lowest and highest number of players.
        variants: by name.
        groups: by name.
        options: those of the base game as written, then those of variants.
        presets: as written.

    Example:
        >>> offers = houserule.load("nim").offers()
        >>> offers.title, len(offers.variants), len(offers.options)
        ('Nim', 10, 5)
    """

    id: str
    title: str
    players: tuple[int, int]
    variants: tuple[Offer, ...]
    groups: tuple[VariantGroup, ...]
    options: tuple[Offer, ...]
    presets: tuple[Offer, ...]


def offers_of(ruleset: LoadedRuleset, language: str = "en") -> Offers:
    """Return the offers of a ruleset; titles fall back to those in the rules files."""
    titles, words = ruleset.texts.get(language, {}), Phrases("compose", language)

    def title(name: str, caption: tree.Text | None) -> str:
        return titles.get(f"titles/{name}") or (caption.text if caption else "")

    features, items = features_of(ruleset), placed_items(ruleset)
    units = {unit.id: unit for unit in ruleset.units_of("variant")}
    groups = [
        VariantGroup(
            item.name.text,
            _texts(item.names),
            item.or_none,
            item.normally.text if item.normally else "",
            language,
        )
        for item in (placed.item for placed in items)
        if isinstance(item, tree.OneOf)
    ]
    groups.sort(key=lambda group: group.id)
    # Relations of variants, their own and those from bridges.
    links: dict[str, list[Link]] = {name: [] for name in units}
    word: LinkWord
    for placed in items:
        match placed.item:
            case tree.Relates(kind=kind, names=names):
                word = kind
            case tree.Suggests(names=names):
                word = "suggests"
            case _:
                continue
        for name in sorted(set(placed.origin.unit.split("+")) & links.keys()):
            given = tuple(sorted(placed.members - {name}))
            links[name].append(Link(word, _texts(names), given))
            if word != "excludes":
                continue
            # Exclusion is symmetric: add it to the other variant, unless it has it.
            for other in _texts(names):
                if other in links and name not in _named_by(links[other], word):
                    links[other].append(Link(word, (name,), given))
    # Numbers of players of variants that restrict or change them.
    seats = {
        each.unit: (each.low, each.high)
        for each in features.changed
        if each.members == {each.unit}
    }
    for placed in items:
        if isinstance(placed.item, tree.NeedsPlayers):
            least, most = placed.item.low, placed.item.high
            for name in placed.members:
                low, high = seats.get(name, (least, most))
                seats[name] = max(low, least), min(high, most)
    variants = [
        Offer(
            name,
            title(name, units[name].caption),
            tuple(links[name]),
            tuple(group.id for group in groups if name in group.variants),
            seats.get(name),
            language=language,
        )
        for name in sorted(units)
    ]
    types = {
        placed.item.name.text: placed.item
        for placed in items
        if isinstance(placed.item, tree.TypeDecl)
    }
    options: list[Offer] = []
    for placed in items:
        if isinstance(placed.item, tree.Option):
            option = placed.item
            scale = _scale(option.type, types, words)
            if option.step:
                scale = words.say("step", scale=scale, step=option.step)
            match option.normally:
                case tree.Bool(flag):
                    normal = words.say("yes" if flag else "no")
                case tree.NoneValue():
                    normal = words.say("none")
                case value:
                    normal = print_expr(value)
            remark = f"{scale}, {words.say('normally', value=normal)}"
            if placed.members:
                owners = ", ".join(sorted(placed.members))
                remark = f"{remark}, {words.say('with names', names=owners)}"
            name = option.name.text
            caption = title(name, option.caption)
            options.append(Offer(name, caption, remarks=(remark,), language=language))
    presets: list[Offer] = []
    for unit in ruleset.units_of("preset"):
        remarks: list[str] = []
        for item in unit.items:
            match item:
                case tree.Extends(name=base):
                    remarks.append(words.say("extends", name=base.text))
                case tree.PresetWith(names=names):
                    on = ", ".join(_texts(names))
                    remarks.append(words.say("with names", names=on))
                case tree.PresetSet(name=set_, value=value):
                    remarks.append(f"{set_.text} = {print_expr(value)}")
                case _:
                    pass
        caption, said = title(unit.id, unit.caption), tuple(remarks)
        presets.append(Offer(unit.id, caption, remarks=said, language=language))
    return Offers(
        id=ruleset.id,
        title=in_language(ruleset.manifest.title, language),
        players=features.players,
        variants=tuple(variants),
        groups=tuple(groups),
        options=tuple(options),
        presets=tuple(presets),
    )


def _named_by(links: Iterable[Link], word: LinkWord) -> Iterator[str]:
    for link in links:
        if link.word == word and not link.given:
            yield from link.names


def span(low: int, high: int, language: str = "en") -> str:
    """Return numbers of players in words: "2 to 4", "3"."""
    if low == high:
        return str(low)
    return Phrases("compose", language).say("span", low=low, high=high)


def _scale(kind: tree.Type, types: Mapping[str, tree.TypeDecl], words: Phrases) -> str:
    match kind:
        case tree.RangeType():
            return print_node(kind)
        case tree.FlagType():
            return words.say("yes_or_no")
        case tree.NamedType(name):
            *before, last = _members(name, types, words)
            if not before:
                return last
            return words.say("joined_or", before=", ".join(before), last=last)
        case tree.SetType(member) | tree.PartType(member):
            some = "some" if isinstance(kind, tree.PartType) else "any"
            return words.say(some, names=", ".join(_members(member, types, words)))
        case tree.MaybeType(inner):
            return words.say("or none", what=_scale(inner, types, words))


def _members(
    name: str, types: Mapping[str, tree.TypeDecl], words: Phrases
) -> Sequence[str]:
    declared = types.get(name)
    if declared is None:
        return (name,)
    if isinstance(declared.type, tree.RangeType):
        return (_scale(declared.type, types, words),)
    return _texts(declared.members) or (name,)


def _texts(words: Iterable[tree.Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words)
