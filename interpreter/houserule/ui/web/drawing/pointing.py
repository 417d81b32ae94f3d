"""Links of a choice: addresses of steps, and clickable components on the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from urllib.parse import urlencode

from houserule.base.frozen import frozen
from houserule.play.seat.faces import marks_within
from houserule.play.seat.seat_model import SHOWN, ChoiceStep, PieceMark, StepOption

FEW = 12  # the maximum number of options with their own link to `why`
SEARCHED, SEARCHED_SHORT = 8, 16  # with more options, there is a search field
FEW_LISTED = 4  # more options are folded, if each can be clicked on the table
FEW_CLOSED = 3  # more closed actions are folded
SHORT = 22  # labels up to this length share a row


@frozen
class OfferedOption:
    """An option with its addresses.

    Attributes:
        option: the option.
        id: its id on the page.
        address: the step that it leads to; empty if it is complete.
        why: the address of its explanation.
    """

    option: StepOption
    id: str
    address: str
    why: str


@frozen
class PointedAt:
    """The effect of a click on a component.

    Attributes:
        label: the label of the only option about it; empty if there are several.
        address: its target, for several options the list of these; empty if a button
            must send the key.
        key: the value that the button sends.
        ids: the options about it, separated by spaces.
        count: the number of these options.
    """

    label: str
    address: str
    key: str
    ids: str
    count: int


class Pointing:
    """The step of a choice as links and buttons.

    Args:
        base: the page's address.
        step: the current step; None if the viewer need not decide.
        about: the key of an area, and of components there: only options about one of
            them are offered, if there are any.
        before: the path one step back; None if there is no choice to go back to.
        hinted: the things and places that a hint is about.

    Attributes:
        options: the options.
        narrowed: whether these are only the options about some components.
    """

    def __init__(
        self,
        base: str,
        step: ChoiceStep | None,
        about: Sequence[str] = (),
        before: Sequence[str] | None = None,
        hinted: Sequence[PieceMark] = (),
    ) -> None:
        self._hinted = hinted
        self.base, self.step, self._before = base, step, before
        self.path = step.path if step else ()
        listed = step.options if step else ()
        options = (*listed, *(step.shortcuts if step else ()))
        closed = step.closed if step else ()
        self._all = [self._offered(each, f"o{n}") for n, each in enumerate(options)]
        self._marks: dict[str, list[tuple[PieceMark, int]]] = {}
        for at, option in enumerate(options):
            for mark in option.marks:
                self._marks.setdefault(mark.piece, []).append((mark, at))
        some = self._about(about[0], about[1:]) if about else []
        self.narrowed = 0 < len(some) < len(self._all)
        self.options = some if self.narrowed else self._all[: len(listed)]
        self.closed = [self._offered(each, f"c{n}") for n, each in enumerate(closed)]

    def _offered(self, option: StepOption, name: str) -> OfferedOption:
        path = (*self.path, option.key)
        address = "" if option.complete else self.at(path)
        return OfferedOption(option, name, address, self.at(path, why=1))

    def at(self, path: Sequence[str], about: Sequence[str] = (), **asked: int) -> str:
        """Return the address of a step, with its query."""
        things = [("about", key) for key in about]
        query = urlencode([*asked.items(), *things, *(("path", key) for key in path)])
        return f"{self.base}?{query}" if query else self.base

    # ---- the step itself

    @property
    def back(self) -> str:
        """The address one step back; empty at the first step."""
        if self.narrowed:
            return self.at(self.path)
        return "" if self._before is None else self.at(self._before)

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
        return len(self.options) > 4 and all(
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

    @property
    def closed_open(self) -> bool:
        """Whether illegal actions are listed unfolded."""
        return len(self.closed) <= FEW_CLOSED

    # ---- components on the table

    def folded(self, areas: Collection[str]) -> bool:
        """Return whether the list is folded: all its options are on the table itself.

        `areas` are the keys of the areas that are drawn.
        """
        marks = [each.option.marks for each in self.options]
        return (len(marks) > FEW_LISTED and not self.narrowed) and all(
            any(marks_within(mark, area) for mark in some for area in areas)
            for some in marks
        )

    def points_into(self, area: str) -> bool:
        """Return whether something in an area can be clicked, or is hinted at."""
        marks = (mark for some in self._marks.values() for mark, _ in some)
        return any(marks_within(mark, area) for mark in (*self._hinted, *marks))

    def points_at(self, area: str, keys: Iterable[str | None]) -> bool:
        """Return whether one of some components can be clicked, or is hinted at."""
        named = [key for key in keys if key]
        marks = (mark for key in named for mark, _ in self._marks.get(key, ()))
        return self.hints_at(area, named) or any(
            marks_within(mark, area) for mark in marks
        )

    def hints_at(self, area: str, keys: Iterable[str | None]) -> bool:
        """Return whether a hint is about one of some components of an area."""
        keys = [*keys]
        return any(
            mark.piece in keys and marks_within(mark, area) for mark in self._hinted
        )

    def thing(self, area: str, keys: Iterable[str | None]) -> PointedAt | None:
        """Return the effect of a click on components of an area; None without one."""
        own = [key for key in keys if key]
        about = self._about(area, own)
        if not about:
            return None
        ids = " ".join(each.id for each in about)
        only = about[0]
        if len(about) > 1:
            address = f"{self.at(self.path, (area, *own))}#choice"
            return PointedAt("", address, "", ids, len(about))
        return PointedAt(only.option.label, only.address, only.option.key, ids, 1)

    def _about(self, area: str, keys: Sequence[str]) -> list[OfferedOption]:
        """Return the options about any of some components of an area."""
        found = {
            at
            for key in keys
            for mark, at in self._marks.get(key, ())
            if marks_within(mark, area)
        }
        return [self._all[at] for at in sorted(found)]
