"""Links of a choice: addresses of steps, and clickable components on the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from urllib.parse import urlencode

from houserule.base.frozen import frozen
from houserule.play.seat.choosing import Touched
from houserule.play.seat.faces import marks_within
from houserule.play.seat.layout import is_place
from houserule.play.seat.seat_model import (
    SHOWN,
    AmountRange,
    ChoiceStep,
    PieceMark,
    StepOption,
)

FEW = 12  # the maximum number of options with their own link to `why`
SEARCHED, SEARCHED_SHORT = 8, 16  # with more options, there is a search field
FEW_CHIPS = 4  # more ways to use a component are not drawn on it
SHORT = 22  # labels up to this length share a row
BETWEEN = "|"  # between the keys of touched things, in an address


@frozen
class OfferedOption:
    """An option with its addresses.

    Attributes:
        address: the step that it leads to; empty if it is complete.
        plain: whether it is about no component, so that only its button begins it.
    """

    option: StepOption
    id: str
    address: str
    why: str
    plain: bool


@frozen
class Chip:
    """A complete way to use a component, as a button on it: a way to pay, a die.

    Attributes:
        label: the whole choice in words.
        key: the value that the button sends.
    """

    text: str
    label: str
    key: str


@frozen
class PointedAt:
    """The effect of a click on a component.

    Attributes:
        label: the label of the only option about it; empty if there are several.
        address: its target, for several options the list of these; empty if a button
            must send the key.
        key: the value that the button sends.
        ids: the listed options about it, separated by spaces.
        count: the number of ways to use it; 0 if a click puts it back, or explains why
            it cannot be used.
        style: its CSS class: `held`, `refused`, or `soft` if the question is not about
            it.
        chips: the complete ways to use it, if they are few.
        taken: for a heap, each number of tokens that may be taken, with its choice.
    """

    label: str
    address: str
    key: str
    ids: str
    count: int
    style: str = ""
    chips: tuple[Chip, ...] = ()
    taken: tuple[Chip, ...] = ()

    def taking(self, number: int) -> Chip | None:
        """Return the choice that takes a number of tokens; None if there is none."""
        ways = (each for each in self.taken if each.key.endswith(f"={number}"))
        return next(ways, None)


def touched_in(text: str) -> Touched:
    area, *keys = text.split(BETWEEN)
    return area, tuple(keys)


class Pointing:
    """The step of a choice as links and buttons.

    Args:
        base: the page's address.
        step: the current step; None if the viewer need not decide.
        about: touched components that can be used in several ways: the options are
            these ways.
        before: the path one step back; None if there is no choice to go back to.
        hinted: the things and places that a hint is about.

    Attributes:
        options: the options, without the usual one.
        usual: the option that is the large button; None if there is none.
        toggles: the members of the set that is being built, each with the address
            without it.
    """

    def __init__(
        self,
        base: str,
        step: ChoiceStep | None,
        about: Sequence[Touched] = (),
        before: Sequence[str] | None = None,
        hinted: Sequence[PieceMark] = (),
    ) -> None:
        self._hinted = hinted
        self.base, self.step, self._before = base, step, before
        self.about = tuple(about)
        self.path = step.path if step else ()
        shortcuts = step.shortcuts if step else ()
        self._begun = {each.key.split()[0] for each in shortcuts}
        offered = [
            self._offered(each, f"o{n}")
            for n, each in enumerate(step.options if step else ())
        ]
        usual = step.usual if step else ""
        self.usual = next((o for o in offered if o.option.key == usual), None)
        self.options = [each for each in offered if each is not self.usual]
        closed = step.closed if step else ()
        self.closed = [self._offered(each, f"c{n}") for n, each in enumerate(closed)]
        self._listed: dict[str, list[tuple[PieceMark, str]]] = {}
        for each in offered:
            for mark in each.option.marks:
                self._listed.setdefault(mark.piece, []).append((mark, each.id))
        self._marks: dict[str, list[tuple[PieceMark, StepOption]]] = {}
        for option in shortcuts:
            for mark in option.marks:
                self._marks.setdefault(mark.piece, []).append((mark, option))
        self._held: dict[str, list[tuple[PieceMark, StepOption]]] = {}
        held = step.held if step else ()
        for option in held:
            for mark in option.marks:
                self._held.setdefault(mark.piece, []).append((mark, option))
        self._refused: dict[str, list[PieceMark]] = {}
        for mark in step.refused if step else ():
            self._refused.setdefault(mark.piece, []).append(mark)
        shown = (*self._marks.values(), *self._held.values())
        self._every = {mark for some in shown for mark, _ in some}
        self._every.update(step.refused if step else ())
        adding = any("+" in each.option.key.partition("=")[0] for each in offered)
        members = [each for each in held if "+" in each.key.partition("=")[0]]
        self.toggles = [(each, self._without(each.key)) for each in members if adding]

    def _offered(self, option: StepOption, name: str) -> OfferedOption:
        path = (*self.path, option.key)
        address = "" if option.complete else self.at(path)
        plain = not option.marks and option.key not in self._begun
        return OfferedOption(option, name, address, self.at(path, why=1), plain)

    def at(
        self, path: Sequence[str], about: Sequence[Touched] = (), **asked: int
    ) -> str:
        """Return the address of a step, with its query."""
        things = [("about", BETWEEN.join((area, *keys))) for area, keys in about]
        query = urlencode([*asked.items(), *things, *(("path", key) for key in path)])
        return f"{self.base}?{query}" if query else self.base

    def _without(self, key: str) -> str:
        """Return the address of the step without a key of its path."""
        split = (" ".join(k for k in e.split() if k != key) for e in self.path)
        return self.at([each for each in split if each])

    # ---- the step itself

    @property
    def here(self) -> str:
        """The address of this step."""
        return self.at(self.path, self.about)

    @property
    def back(self) -> str:
        """The address one step back; empty at the first step."""
        if self.about:
            return self.at(self.path, self.about[:-1])
        return "" if self._before is None else self.at(self._before)

    @property
    def amount(self) -> AmountRange | None:
        """The range of a field for a number; None if the options are few."""
        marked = any(each.option.marks for each in self.options)
        few = len(self.options) <= FEW
        return None if self.step is None or few or marked else self.step.amount

    @property
    def why_asked(self) -> bool:
        """Whether every option has a link to its explanation."""
        return len(self.options) <= FEW

    @property
    def searched(self) -> bool:
        """Whether there is a search field for options."""
        return len(self.options) > (SEARCHED_SHORT if self.compact else SEARCHED)

    @property
    def compact(self) -> bool:
        """Whether several options share a row."""
        return len(self.options) > 1 and all(
            len(each.option.label) <= SHORT and not each.option.advice
            for each in self.options
        )

    @property
    def numbers(self) -> tuple[int, int, int] | None:
        """The range of the listed options, and their total; None if all are listed."""
        step = self.step
        if step is None or len(step.options) >= step.total or not step.options:
            return None
        first = step.options[0].number
        return first, first + len(step.options) - 1, step.total

    @property
    def earlier(self) -> str:
        """The address of the previous options; empty if there are none."""
        first = self.numbers[0] - 1 if self.numbers else 0
        return self.at(self.path, first=max(0, first - SHOWN)) if first else ""

    @property
    def later(self) -> str:
        """The address of the next options; empty if there are none."""
        if not self.numbers or self.numbers[1] >= self.numbers[2]:
            return ""
        return self.at(self.path, first=self.numbers[1])

    # ---- components on the table

    def folded(self, areas: Collection[str]) -> list[OfferedOption]:
        """Return the options that are folded, because they are on the table itself.

        `areas` are the keys of the areas that are drawn. A list of several options
        about one thing is open.
        """
        begins: dict[str, list[PieceMark]] = {}
        for marked in self._marks.values():
            for mark, option in marked:
                begins.setdefault(option.key.split()[0], []).append(mark)
        found = [
            (each, marks)
            for each in self.options
            if (marks := each.option.marks or begins.get(each.option.key, ()))
            and any(marks_within(mark, area) for mark in marks for area in areas)
        ]
        taken = {
            each.key
            for piece, marked in self._marks.items()
            for mark, option in marked
            if is_place(piece) and any(marks_within(mark, area) for area in areas)
            for each in (option, *option.ways)
        }
        if len(taken) > 1 and taken.issuperset(
            each.option.key for each in self.options
        ):
            return self.options
        things = {mark.piece for _, marks in found for mark in marks}
        if len(found) < 2 or len(things) < len(found) or self.about:
            return []
        return [each for each, _ in found]

    def points_into(self, area: str) -> bool:
        """Return whether something in an area can be clicked, or is hinted at."""
        return any(marks_within(mark, area) for mark in (*self._hinted, *self._every))

    def points_at(self, area: str, keys: Iterable[str | None]) -> bool:
        """Return whether one of some components can be clicked, or is hinted at."""
        named = [key for key in keys if key]
        return self.hints_at(area, named) or self.thing(area, named) is not None

    def offers(self, area: str, keys: Iterable[str]) -> bool:
        """Return whether a click on one of some components of an area leads on."""
        return any(_about(self._marks, area, (key,)) for key in keys)

    def hints_at(self, area: str, keys: Iterable[str | None]) -> bool:
        """Return whether a hint is about one of some components of an area."""
        keys = [*keys]
        return any(
            mark.piece in keys and marks_within(mark, area) for mark in self._hinted
        )

    def thing(self, area: str, keys: Iterable[str | None]) -> PointedAt | None:
        """Return the effect of a click on components of an area; None without one."""
        own = tuple(key for key in keys if key)
        if (area, own) in self.about:
            others = [each for each in self.about if each != (area, own)]
            put_back = self.at(self.path, others)
            return PointedAt("put_back", put_back, "", "", 0, " held")
        about = _about(self._marks, area, own)
        ids = " ".join(
            id
            for key in own
            for mark, id in self._listed.get(key, ())
            if marks_within(mark, area)
        )
        style = " soft" if self._listed and not ids else ""
        # The complete ways to use a component; none if they are many
        actions = {each.key.split()[0] for each in about}
        found = []
        for option in about:
            for way in option.ways or ((option,) if option.complete else ()):
                words = [option.short] if len(actions) > 1 or way is option else []
                words += [way.short] if way is not option else []
                found.append(Chip(": ".join(words), way.label, way.key))
        taken = tuple(found) if any(is_place(key) for key in own) else ()
        few = len(found) <= FEW_CHIPS and (len(about) > 1 or len(found) > 1)
        chips = tuple(found) if few and all(each.text for each in found) else ()
        if len(about) > 1:
            address = self.at(self.path, (*self.about, (area, own)))
            return PointedAt("", address, "", ids, len(about), style, chips, taken)
        if about:
            only = about[0]
            address = "" if only.complete else self.at((*self.path, only.key))
            name = only.label, address, only.key
            return PointedAt(*name, ids, 1, style, chips, taken)
        held = _about(self._held, area, own)
        if held:
            without = self._without(held[0].key)
            return PointedAt("put_back", without, "", ids, 0, " held")
        refused = [
            key
            for key in own
            if any(marks_within(mark, area) for mark in self._refused.get(key, ()))
        ]
        if refused:
            touched = (*self.about, (area, tuple(refused)))
            why = self.at(self.path, touched, why=1)
            return PointedAt("why_not", why, "", "", 0, " refused")
        return None


def _about(
    marked: dict[str, list[tuple[PieceMark, StepOption]]],
    area: str,
    keys: Sequence[str],
) -> list[StepOption]:
    """Return the options about any of some components of an area."""
    found = {
        option.key: option
        for key in keys
        for mark, option in marked.get(key, ())
        if marks_within(mark, area)
    }
    return list(found.values())
