"""The chooser: the next step for a path of keys, and the choice at its end.

Forced values are filled in and shown with the values already chosen: nobody is asked
for them, and no path needs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from houserule.engine.reference.choices import Act, Choice, Picked, Shared
from houserule.engine.reference.options.options import (
    ActOptions,
    AskOptions,
    PickOptions,
    ShareOptions,
)
from houserule.engine.reference.options.steps import Exactly, Holding
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility
from houserule.ir.types import Data, Kind, Type, Whole, core
from houserule.ir.walk import asking_statements, factors, option_binds
from houserule.play.narration.boards.usual import boards_of
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.choosing.keys import (
    DECLINE,
    DONE,
    NO,
    SIMPLE,
    YES,
    NoSuchChoice,
    Variable,
    member_key,
    member_type,
    read,
    single,
    value_in,
    value_key,
)
from houserule.play.seat.choosing.labels import EndedByDone, Labels
from houserule.play.seat.choosing.matching import Matching
from houserule.play.seat.choosing.parts import (
    ChoicePart,
    DisplayValue,
    Place,
    act_part,
    actions_of,
    common_sets,
    next_place,
    open_variables,
    pick_part,
    rows_of,
    settled,
    share_part,
    whole_choices,
)
from houserule.play.seat.faces import marks_within
from houserule.play.seat.layout import PositionPlans, board_key, place_key
from houserule.play.seat.looks import LookPlans
from houserule.play.seat.seat_model import (
    COUNTED,
    SHOWN,
    AmountRange,
    ChoiceStep,
    OptionGroup,
    PieceMark,
    StepOption,
)

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules

FLAT = 12  # a step lists at most this many options of steps behind it
FLAT_WHOLE = 6  # with at most this many choices in all, each is listed
FEW_NAMED = 4  # up to this many members of a set are named one by one
FEW_WAYS = 3  # up to this many ways to use a component are drawn on it
MOST_IN_HEAP = 60  # each number that may be taken from a heap is a way to use it

Touched: TypeAlias = tuple[str, tuple[str, ...]]
"""The key of an area, and of components that were touched there as one."""


class Chooser:
    """Builds a seat's choice step by step.

    Args:
        game: the game, at a decision of the seat; it must not change during use.
        words: texts in the player's language.

    Attributes:
        words: texts of the rules in the player's language.

    Raises:
        ValueError: the seat has nothing to decide.
    """

    def __init__(
        self, rules: TableRules, game: ReferenceGame, words: Wording, seat: int
    ) -> None:
        decision = game.decision
        if decision is None or decision.seat != seat:
            raise ValueError(f"seat {seat} has nothing to decide")
        self._program, self._game, self._seat = rules.program, game, seat
        self.decision, self._options = decision, decision.options
        act, flow = game.machine.stack[-1], game.engine.flow
        closed, following = list[str](), list[str]()  # by `done`, and after it
        if isinstance(self._options, ActOptions) and self._options.done:
            closed = [*flow.closed_by_done(act)]
            following = [
                name
                for name in flow.waiting(act)
                if closed
                and name not in closed
                and name in flow.open_steps
                and game.machine.can(name)
            ]
        done = EndedByDone(
            tuple(decision.open_steps),
            (act.phase,),
            tuple(closed),
            tuple(following),
            game.claimed,
        )
        self.words, self._labels = words, Labels(words, seat, done)
        self._plan = rules.ruleset.derived(PositionPlans).of(rules.program)
        manifest = rules.ruleset.manifest
        self._moves = manifest.looks.moves
        self._boards = [
            board_key(number)
            for number, board in enumerate(boards_of(rules.ruleset))
            if any(layer.place is not None for layer in board.draw)
        ]
        looks = rules.ruleset.derived(LookPlans).of(rules.program)
        self._heaps = [a.key for a in self._plan.areas if looks.heap(a.name)]
        self._steps: dict[tuple[tuple[str, ...], int], ChoiceStep] = {}
        self._onward: dict[
            tuple[tuple[str, ...], int, tuple[Touched, ...]], ChoiceStep
        ] = {}
        self._seen = Visibility(
            game.program, game.engine.evaluator, game.machine.store, seat
        )

    # ---- steps

    def step(self, path: Sequence[str] = (), first: int = 0) -> ChoiceStep:
        """Return the step after a path, with the options that still lead to a choice.

        After a complete path, the step asks nothing. `first` is the index of the first
        listed option, from 0.

        Raises:
            NoSuchChoice: the path leads to no legal option.
        """
        path = single(path)
        if (path, first) not in self._steps:
            self._steps[path, first] = self._step(path, first)
        return self._steps[path, first]

    def onward(
        self, path: Sequence[str] = (), first: int = 0, touched: Sequence[Touched] = ()
    ) -> ChoiceStep:
        """Return the first step from a path that has more than one option.

        It keeps the closed options of the steps that it passes, and lists the options
        of small later steps with its own. It also has shortcuts: all ways to go on by
        touching one component, in any order. `touched` are components touched after
        the path; if they can be used in several ways, the options are these ways. A
        touch without a way is ignored.

        Raises:
            NoSuchChoice: the path leads to no legal option.
        """
        asked = tuple(path), first, tuple(touched)
        if asked in self._onward:
            return self._onward[asked]
        step = self._passing(path, first)
        ways = self._using(step.path, touched) if touched else []
        if len(ways) == 1 and self.choice((*step.path, *ways[0])) is None:
            step = self._passing((*step.path, " ".join(ways[0])), first)
        elif ways:
            self._onward[asked] = self._among(step, ways)
            return self._onward[asked]
        shortcuts = tuple(self._touchable(step.path))
        place = self._place(step.path)
        if isinstance(place, Place):
            asks = self._with_missing(place, step.asks, exact=True)
            step = step.model_copy(update={"asks": asks})
        step = self._beside(step, {each.key.split()[0] for each in shortcuts})
        options, closed = step.options, step.closed
        if step.total <= FLAT:
            options, closed = self._flat(step)
        # The visible components of the kinds that are asked for.
        refused = list[PieceMark]()
        for _, variable in self._askable(step.path):
            kind = member_type(variable.type)
            if isinstance(kind, Kind) and kind.name in self._program.components:
                for thing in range(len(self._program.labels[kind.name])):
                    refused += self._pieces(kind, thing)
        update = {
            "options": options,
            "closed": closed,
            "total": max(step.total, len(options)),
            "shortcuts": shortcuts,
            "held": tuple(self._held(step.path)),
            "refused": tuple(dict.fromkeys(refused)),
            "usual": self._usual(options, shortcuts),
        }
        self._onward[asked] = step.model_copy(update=update)
        return self._onward[asked]

    def _passing(self, path: Sequence[str], first: int = 0) -> ChoiceStep:
        """Return the first step from a path that leaves a choice.

        Its path is the given one, with the steps that were passed.
        """
        step = self.step(path, first)
        closed, given = step.closed, tuple(path)
        while _leaves_no_choice(step):
            given = *given, step.options[0].key
            step = self.step(given)
            closed += step.closed
        return step.model_copy(update={"closed": closed, "path": given})

    def before(self, path: Sequence[str]) -> tuple[str, ...] | None:
        """Return the path to the last step before a path that left a choice."""
        while path:
            path = path[:-1]
            if not _leaves_no_choice(self.step(path)):
                return tuple(path)
        return None

    # ---- components as a way into a choice

    def _touchable(self, path: Sequence[str]) -> Iterator[StepOption]:
        """Yield every way to go on from a path with one component.

        It may be of any variable of any action. A component that fits several
        variables of an action is about the first of them.
        """
        number = 0
        for part, said in self._parts(path):
            if part.members:
                yield from (each for each in self.step(path).options if each.marks)
                continue
            taken: set[PieceMark] = set()
            head = () if path else part.head
            # One touch gives each variable, or those of a target: the place where a
            # move ends may depend on several.
            every = range(len(part.variables))
            given: list[tuple[int, ...]] = [(asked,) for asked in every]
            move = self._moves.get(part.subject)
            value = self._program.values.get((move and move.target) or "")
            if value is not None and part.head:
                names = [param.name for param in value.params]
                given.append(tuple(n for n in every if part.variables[n].name in names))
            for asked in given:
                fresh: set[PieceMark] = set()
                for wanted, keys, found in self._combined(part, said, asked):
                    marks = tuple(each for each in found if each not in taken)
                    if not marks or number == SHOWN:
                        continue
                    number += 1
                    fresh.update(marks)
                    ways = part.steps.count(wanted, 2)
                    if ways == 1:
                        only = part.steps.first(wanted)
                        assert only is not None
                        label = self._labels.whole(part.make(only), part)
                    else:
                        label = self._labels.partly(part, wanted)
                    key = " ".join((*head, *keys))
                    option = self._option(part, wanted, key, number, label, ways, marks)
                    yield self._with_ways(part, wanted, option)
                taken |= fresh

    def _parts(self, path: Sequence[str]) -> list[tuple[ChoicePart, DisplayValue]]:
        """Return the parts that go on from a path, with the values chosen so far."""
        place, options = self._place(path), self._options
        if isinstance(place, Place):
            return [(place.part, place.said)]
        if place is None and isinstance(options, ActOptions):
            actions = [n for n in self._actions(options) if n in options.actions]
            return [(act_part(self._program, options, n), {}) for n in actions]
        return []

    # ---- whole choices side by side

    def _whole(
        self,
        part: ChoicePart,
        said: DisplayValue,
        values: Sequence[Data],
        short: str,
        head: Sequence[str] = (),
    ) -> StepOption:
        """Return a complete choice with the chosen values, as an option.

        `head` are the keys before those of the open variables.
        """
        named = zip(part.variables, values, strict=True)
        keys = [
            value_key(variable, value, self._program)
            for n, (variable, value) in enumerate(named)
            if not isinstance(said.get(n), Exactly)
        ]
        label = self._labels.whole(part.make(values), part)
        key = " ".join((*head, *keys))
        return StepOption(
            key=key, number=0, label=label, count=1, complete=True, short=short
        )

    def _with_ways(
        self, part: ChoicePart, said: DisplayValue, option: StepOption
    ) -> StepOption:
        """Return an option with the few complete choices that it leads to."""
        action = self._labels.action(part.subject) if part.head else ""
        heap = any(mark.area in self._heaps for mark in option.marks)
        if option.complete and not heap:
            return option.model_copy(update={"short": action})
        few = MOST_IN_HEAP if heap else FEW_WAYS
        every = whole_choices(part, said, few) if option.count <= few else ()
        ways = []
        for values in every or ():
            told = [
                self._labels.value(part, n, values[n])
                for n in open_variables(part, said)
            ]
            own = self._whole(part, said, values, ", ".join(told))
            ways.append(own.model_copy(update={"key": f"{option.key} {own.key}"}))
        return option.model_copy(update={"short": action, "ways": tuple(ways)})

    def _beside(self, step: ChoiceStep, begun: Collection[str]) -> ChoiceStep:
        """Return a step with numbers as a grid, and with common sets.

        An action with a few values becomes a row of them, and is not listed again.
        `begun` are the keys of choices that begin by touching a component.
        """
        groups: list[OptionGroup] = []
        listed, asks = list(step.options), step.asks
        for part, said in self._parts(step.path):
            head, others = () if step.path else part.head, len(groups)
            touched = bool(begun) if step.path else part.subject in begun
            if not touched:
                for title, row in rows_of(part, said).items():
                    first, second = open_variables(part, said)
                    number = isinstance(part.variables[second].type, Whole)
                    if step.path:
                        other = self._labels.question(part, second, {})
                        asks = f"{step.asks} {other}"
                    groups.append(
                        OptionGroup(
                            title=self._labels.value(part, first, title),
                            options=tuple(
                                self._whole(
                                    part,
                                    said,
                                    values,
                                    str(values[second])
                                    if number
                                    else self._labels.value(
                                        part, second, values[second]
                                    ),
                                    head,
                                )
                                for values in row
                            ),
                        )
                    )
                    listed = [
                        e for e in listed if e.key not in head and "=" not in e.key
                    ]
            groups += self._common_sets(part, said, head)
            if len(groups) == others:
                groups += self._usual_choices(part, said, head)
            asked = open_variables(part, said)
            if not step.path and len(step.options) > 1 and len(asked) == 1:
                every = whole_choices(part, said, FEW_WAYS) or []
                few = [
                    self._whole(
                        part, said, each, self._labels.value(part, 0, each[0]), head
                    )
                    for each in every
                ]
                if len(few) > 1 and not part.steps.is_set(0):
                    named = self._labels.action(part.subject)
                    groups.append(OptionGroup(title=named, options=tuple(few)))
                    listed = [each for each in listed if each.key not in head]
        update = {"groups": tuple(groups), "options": tuple(listed), "asks": asks}
        total = step.total - len(step.options) + len(listed)
        return step.model_copy(update={**update, "total": total})

    def _usual_choices(
        self, part: ChoicePart, said: DisplayValue, head: Sequence[str]
    ) -> Iterator[OptionGroup]:
        """Yield the usual ones of many choices, each by its captions.

        While more than one of several things may still be meant, they are not yielded:
        each would have all captions.
        """
        options, asked = self._options, open_variables(part, said)
        if not isinstance(options, ActOptions) or not (usually := self._usual_of(part)):
            return
        if part.steps.count(said, FLAT) < FLAT:
            return
        usual = replace(part, steps=options.steps(part.subject, "usual"))
        found: list[StepOption] = []
        most = FLAT if len(asked) == 1 else usually
        for values in whole_choices(usual, said, most) or ():
            told = [self._labels.value(part, n, values[n]) for n in asked]
            short = f"{self._usually(part.make(values))} ({', '.join(told)})"
            found.append(self._whole(part, said, values, short, head))
        if found:
            title = self._labels.action(part.subject) if head else ""
            yield OptionGroup(title=title, options=tuple(found))

    def _usual_of(self, part: ChoicePart) -> int:
        """Return how many kinds of options of a part the rules call usual."""
        action = self._program.actions.get(part.subject) if part.head else None
        return sum(each.usual for each in action.advice) if action is not None else 0

    def _usually(self, choice: Choice) -> str:
        """Return the captions by which a choice is usual; '' if it is not."""
        found = (each for each in self._options.advice(choice) if each.usual)
        return ", ".join(self.words.caption(each.address) for each in found)

    def _common_sets(
        self, part: ChoicePart, said: DisplayValue, head: Sequence[str]
    ) -> Iterator[OptionGroup]:
        """Yield the common sets of a choice that is only one set, still empty."""
        asked = open_variables(part, said)
        place = next_place(part, said)
        if len(asked) != 1 or not place.adding or asked[0] in said:
            return
        kind = member_type(part.variables[asked[0]].type)
        ways = [way.value for way in place.ways if isinstance(way.value, int)]
        members = sorted({e for way in ways for e in (way, *self._alike(place, way))})
        if not isinstance(kind, Kind) or kind.name not in self._program.components:
            return
        found: list[StepOption] = []
        for how, words, chosen in common_sets(members, self._group_word(kind, members)):
            wanted = {**said, asked[0]: Exactly(chosen)}
            legal = part.steps.count(wanted, 2) == 1
            only = part.steps.first(wanted) if legal else None
            if only is None and how == "all":
                return  # the number of members is limited: sets of groups are odd
            if only is not None:
                what = str(self.words.several(words))
                short = self._labels.say(f"set_{how}", what=what)
                found.append(self._whole(part, said, only, short, head))
        if found:
            title = self._labels.action(part.subject) if head else ""
            yield OptionGroup(title=title, options=tuple(found))

    def _group_word(self, kind: Kind, members: Sequence[int]) -> Callable[[int], str]:
        """Return what groups some components: the faces of dice, a name, a suit."""
        name, component = kind.name, self._program.components[kind.name]
        if component.faces:
            shown = all(self._seen.face(name, each) for each in members)
            return lambda each: str(self._game.face(name, each)) if shown else ""
        if all(self._seen.thing(name, each) for each in members):
            if len(members) <= FEW_NAMED:
                return lambda each: self.words.value(each, kind, self._seat)
            for type_, column in component.fields.values():
                if isinstance(type_, Kind) and type_.sort == "enum":
                    return lambda each: self.words.value(
                        column[each], type_, self._seat
                    )
        return lambda _: ""

    def _combined(
        self, part: ChoicePart, said: DisplayValue, asked: Sequence[int]
    ) -> Iterator[tuple[DisplayValue, tuple[str, ...], tuple[PieceMark, ...]]]:
        """Yield all values of some variables: with their keys, and their components."""
        asked = [n for n in asked if not isinstance(said.get(n), Exactly)]
        if not asked:
            return
        number, *others = asked
        variable = part.variables[number]
        kind = member_type(variable.type)
        if not isinstance(kind, Kind) and part.subject not in self._moves:
            return
        held = said.get(number)
        members = held.members if isinstance(held, Holding) else ()
        for way in part.steps.within(said, number, 2):
            want: Exactly | Holding = Exactly(way.value)
            key = value_key(variable, way.value, self._program)
            if part.steps.is_set(number) and isinstance(way.value, int):
                want = Holding(tuple(sorted((*members, way.value))))
                key = member_key(variable, way.value, self._program)
            now = {**said, number: want}
            if others:
                for wanted, keys, marks in self._combined(part, now, others):
                    yield wanted, (key, *keys), marks
                continue
            known = {n: e.value for n, e in now.items() if isinstance(e, Exactly)}
            marks = self._marks_of_alike(part, said, number, way.value)
            yield now, (key,), marks + self._move_marks(part, number, known)

    def _marks_of_alike(
        self, part: ChoicePart, said: DisplayValue, asked: int, value: Data
    ) -> tuple[PieceMark, ...]:
        alike: tuple[int, ...] = ()
        before = all(isinstance(said.get(n), Exactly) for n in range(asked))
        if before and isinstance(value, int) and part.steps.has_alike(asked):
            alike = part.steps.alike(said, asked, value)
        own = (value, *alike) if alike and isinstance(value, int) else value
        return self._marks(part, asked, own)

    def _using(
        self, path: Sequence[str], touched: Sequence[Touched]
    ) -> list[tuple[str, ...]]:
        """Return the different ways on from a path that use all touched components."""
        ways: list[tuple[str, ...]] = [()]
        for area, pieces in touched:
            ways = [
                (*way, option.key)
                for way in ways
                for option in self._touchable((*path, *way))
                if any(
                    mark.piece in pieces and marks_within(mark, area)
                    for mark in option.marks
                )
            ] or ways
        found: dict[object, tuple[str, ...]] = {}
        for way in filter(None, ways):
            place = self._place((*path, *way))
            assert isinstance(place, Place)
            said = frozenset(place.said.items())
            found.setdefault((place.part.subject, said), way)
        return list(found.values())

    def _among(self, step: ChoiceStep, ways: Sequence[tuple[str, ...]]) -> ChoiceStep:
        """Return a step between several ways to use what was touched."""
        options, shortcuts = list[StepOption](), dict[frozenset[str], StepOption]()
        for number, way in enumerate(ways, 1):
            place = self._place((*step.path, *way))
            assert isinstance(place, Place)
            part, said, key = place.part, place.said, " ".join(way)
            count = part.steps.count(said, COUNTED + 1)
            label = self._labels.partly(part, said)
            if count == 1:
                label = self._label_at((*step.path, *way))
            option = self._option(part, said, key, number, label, count)
            option = self._with_ways(part, said, option)
            options += option.ways or [option]
            for each in self._touchable((*step.path, *way)):
                keys = f"{key} {each.key}"
                further = each.model_copy(update={"key": keys})
                shortcuts.setdefault(frozenset(keys.split()), further)
        options = [
            each.model_copy(update={"number": number})
            for number, each in enumerate(options, 1)
        ]
        among = _step(self._labels.say("which_other"), (), step.said, options, 0)
        update = {"path": step.path, "shortcuts": tuple(shortcuts.values())}
        return among.model_copy(update=update)

    def _held(self, path: Sequence[str]) -> Iterator[StepOption]:
        """Yield the values that the keys of a path give; their keys are in the path."""
        place = self._place(path)
        if not isinstance(place, Place) or place.part.members:
            return
        part = place.part
        numbers = {variable.key: n for n, variable in enumerate(part.variables)}
        for key in single(path):
            (said,) = read([key])
            asked = numbers.get(said.name)
            if asked is None:
                continue
            variable = part.variables[asked]
            value = value_in(said, variable, self._program)
            member = said.sign == "+"
            label = (
                self._labels.member(variable, value)
                if member
                else self._labels.value(part, asked, value)
            )
            marks = self._marks(part, asked, value)
            yield StepOption(key=key, number=0, label=label, count=1, marks=marks)

    def _askable(self, path: Sequence[str]) -> Iterator[tuple[str, Variable]]:
        """Yield the open variables after a path, each with its action.

        Without a path, these are all variables of the actions that are listed.
        """
        place, options = self._place(path), self._options
        if isinstance(place, Place):
            for asked, variable in enumerate(place.part.variables):
                if not isinstance(place.said.get(asked), Exactly):
                    yield "", variable
        elif place is None and isinstance(options, ActOptions):
            for action in self._actions(options):
                if action in options.actions or self._passed(action):
                    for name, type_ in factors(self._program.actions[action]):
                        yield action, Variable(name, name, type_)

    def asking(self, path: Sequence[str], touched: Touched) -> tuple[str, ...]:
        """Return the path that asks for a component after a path, legal or not.

        It is the first action that asks for a component of this kind.

        Raises:
            NoSuchChoice: nothing asks for it.
        """
        for action, variable in self._askable(path):
            kind = member_type(variable.type)
            if isinstance(kind, Kind):
                for key in touched[1]:
                    if key in self._program.labels[kind.name]:
                        adds = f"{variable.key}+"
                        held = [e for e in single(path) if e.startswith(adds)]
                        members = "+".join((*(e[len(adds) :] for e in held), key))
                        before = [e for e in single(path) if e not in held]
                        said = f"{variable.key}={members}"
                        return (*before, *filter(None, (action, said)))
        raise NoSuchChoice(f"`{' '.join(touched[1])}` is not asked here")

    def _flat(
        self, step: ChoiceStep
    ) -> tuple[tuple[StepOption, ...], tuple[StepOption, ...]]:
        """Return the options of a step, with those of small steps behind it.

        An option that leads on is replaced by the options behind it, if all fit into
        one list: always in a very small choice, else if no component is a way into it.
        The closed options are numbered after them.
        """
        options: list[tuple[StepOption, tuple[str, ...]]] = [
            (each, (each.key,)) for each in step.options
        ]
        small = not any(each.more for each in step.options) and (
            sum(each.count for each in step.options) <= FLAT_WHOLE
        )
        at, changed = 0, False
        while at < len(options):
            option, keys = options[at]
            at += 1
            if option.complete:
                continue
            inner = self._passing((*step.path, *keys))
            if len(options) - 1 + inner.total > FLAT:
                continue
            touched = option.marks or any(each.marks for each in inner.options)
            adds = any("+" in each.key.partition("=")[0] for each in inner.options)
            if adds or (touched and not small):
                continue
            keys = tuple(inner.path[len(step.path) :])
            changed, at = True, at - 1
            options[at : at + 1] = [
                (self._matched(step.path, (*keys, each.key), 0), (*keys, each.key))
                for each in inner.options
            ]
        if not changed:
            return step.options, step.closed
        shown, numbers = [], count(1)
        for option, _ in options:
            number = 0 if option.number == 0 and option.key == DONE else next(numbers)
            shown.append(option.model_copy(update={"number": number}))
        closed = (
            each.model_copy(update={"number": next(numbers)}) for each in step.closed
        )
        return tuple(shown), tuple(closed)

    def _usual(
        self, options: Sequence[StepOption], shortcuts: Sequence[StepOption]
    ) -> str:
        """Return the key of the usual option: the only one that is about nothing.

        An action about a side or a number is about something, even if only one is left.
        If there are several, an action of the base game comes first, then `done`, then
        an action of a house rule. For a set that may be complete, it is that.
        """
        begun = {each.key.split()[0] for each in shortcuts}
        plain = [e for e in options if not e.marks and e.key not in begun]
        whole = [each.key for each in plain if each.complete]
        if any("+" in each.key.partition("=")[0] for each in options):
            return next((key for key in whole if "=" in key), "")
        if len(options) < 2 or len(whole) < len(plain) or any("=" in k for k in whole):
            return ""
        clauses = self._program.clauses
        every = self._program.actions
        whole = [key for key in whole if key not in every or not every[key].params]
        acts = [key for key in whole if key in every]
        own = [key for key in acts if key not in clauses or not clauses[key].origin]
        found = own or [key for key in whole if key == DONE] or acts or whole
        return found[0] if len(found) == 1 else ""

    def _step(self, path: tuple[str, ...], first: int) -> ChoiceStep:
        place = self._place(path)
        if place is None:
            # first in the list wherever it is possible
            if not isinstance(self._options, ActOptions):
                asks = self.words.caption(self.decision.site)
                return _step(asks, path, (), [*self._simple(1)], first)
            options, closed = [], []
            for number, action in enumerate(self._actions(self._options), 1):
                label, part, count = self._labels.action(action), None, 0
                if action in self._options.actions:
                    part = act_part(self._program, self._options, action)
                    count = part.steps.count({}, COUNTED + 1)
                elif not self._passed(action):
                    continue  # it is not available yet
                if part is None or not count:
                    none = StepOption(key=action, number=number, label=label, count=0)
                    closed.append(none)
                    continue
                only = part.steps.first({}) if count == 1 else None
                marks: tuple[PieceMark, ...] = ()
                if only is not None:
                    label = self._labels.whole(part.make(only), part)
                    marks = self.marks(part.make(only))
                options.append(
                    self._option(part, {}, action, number, label, count, marks)
                )
            options += self._simple(0)
            return _step(self._labels.say("what"), path, (), options, first, closed)
        if isinstance(place, Place):
            said = tuple(self._labels.said(place.part, place.said))
            if place.asked is None:
                return _step("", path, said, [], first)
            asks = self._labels.question(place.part, place.asked, place.said)
            step = _step(asks, path, said, list(self._ways(place)), first)
            return step.model_copy(update={"amount": self._amount(place)})
        return _step("", path, (self.label(place),), [], first)

    def _amount(self, place: Place) -> AmountRange | None:
        """Return the range of a number that ends the choice, if none is left out."""
        assert place.asked is not None
        variable, values = place.part.variables[place.asked], set[int]()
        for way in place.ways:
            if place.adding or way.count > 1 or not isinstance(variable.type, Whole):
                return None
            assert isinstance(way.value, int), "it is a number"
            values.add(way.value)
        if not values or max(values) - min(values) != len(values) - 1:
            return None
        key = value_key(variable, min(values), self._program).rpartition("=")[0]
        return AmountRange(key=key, low=min(values), high=max(values))

    def _place(self, path: Sequence[str]) -> Place | Choice | None:
        """Return the position after a path; None before the first step.

        Raises:
            NoSuchChoice: it leads to no legal option.
        """
        said = list(read(path))
        word = said[0].name if said and not said[0].sign else ""
        if word in self._simple_words():
            if len(said) > 1:
                raise NoSuchChoice(f"nothing comes after `{word}`")
            return SIMPLE[word]
        if not said:
            # The first step asks for no variable, unless it is a choice or a share.
            if isinstance(self._options, PickOptions):
                if not self._options.steps().count({}, 1):
                    return None
            elif not isinstance(self._options, ShareOptions):
                return None
        if isinstance(self._options, ActOptions):
            part, values = act_part(self._program, self._options, word), said[1:]
        elif isinstance(self._options, AskOptions):
            raise NoSuchChoice(f"`{path[0]}` is not an answer")
        else:
            part, values = self._answer_part(), said
        wanted = part.said(values)
        if not part.steps.count(wanted, 1):
            raise NoSuchChoice(f"`{' '.join(path)}` is not possible")
        return settled(part, wanted) if said else next_place(part, wanted)

    def _simple_words(self) -> tuple[str, ...]:
        """Return the words that are a whole choice here."""
        match self._options:
            case ActOptions(done=True):
                return (DONE,)
            case PickOptions(decline=True):
                return (DECLINE,)
            case AskOptions():
                return (YES, NO)
            case _:
                return ()

    def _answer_part(self) -> ChoicePart:
        if isinstance(self._options, PickOptions):
            return pick_part(self._program, self._options, self.decision)
        assert isinstance(self._options, ShareOptions)
        return share_part(self._program, self._options, self.decision)

    # ---- options

    def _actions(self, options: ActOptions) -> Iterator[str]:
        """Yield the actions that have a number here, open or not, in order.

        These are all actions of the current phase, then those of enclosing phases with
        an open action, so the list is stable within a phase.
        """
        for depth, act in enumerate(reversed(self._game.machine.stack)):
            actions = actions_of(self._program, act.phase)
            if depth == 0 or not set(actions).isdisjoint(options.actions):
                yield from actions

    def _simple(self, number: int) -> Iterator[StepOption]:
        """Yield the one-word choices, numbered from `number` on."""
        for at, word in enumerate(self._simple_words(), number):
            label = self._labels.whole(SIMPLE[word], None)
            yield StepOption(key=word, number=at, label=label, count=1, complete=True)

    def _passed(self, action: str) -> bool:
        """Return whether an action was open in this phase and is optional."""
        step = self._program.steps.get(self._program.actions[action].at)
        over = self._game.machine.stack[-1].over
        return step is not None and step.name in over and step.mode != "exactly once"

    def _ways(self, place: Place) -> Iterator[StepOption]:
        """Yield the options of a step that asks for a variable."""
        part, asked = place.part, place.asked
        assert asked is not None
        variable = part.variables[asked]
        told = set(self._advice(part, place.said)) if part.head else set()
        named, number = self._usual_of(part), 0
        for number, way in enumerate(place.ways, 1):
            if place.adding:
                key = member_key(variable, way.value, self._program)
                want = Place(part, place.said, asked, (way,), adding=True).only
            else:
                key = value_key(variable, way.value, self._program)
                want = Exactly(way.value)
            said = {**place.said, asked: want}
            # The label includes the values that the option forces.
            if place.adding:
                label = self._labels.member(variable, way.value)
            else:
                label = self._labels.value(part, asked, way.value)
            if way.count == 1:
                only = part.steps.first(said)
                assert only is not None
                forced = any(n not in said for n in range(len(only)))
                if forced and not part.members:
                    label = self._labels.whole(part.make(only), part)
                elif place.adding and Holding(only[asked]) != want:  # type: ignore[arg-type]  # a set
                    label = f"{label}: {self._labels.words(variable, only[asked])}"
                why = self._usually(part.make(only)) if named else ""
                label = f"{label} ({why})" if why else label
            alike = self._alike(place, way.value)
            known = {n: e.value for n, e in said.items() if isinstance(e, Exactly)}
            marks = self._marks_of_alike(part, place.said, asked, way.value)
            marks += self._move_marks(part, asked, known)
            option = self._option(
                part, said, key, number, label, way.count, marks, told
            )
            names = (self._labels.member(variable, each) for each in alike)
            yield option.model_copy(update={"also": tuple(names)}) if alike else option
        if place.enough:
            number += 1
            want = place.only
            assert isinstance(want, Exactly)
            label = self._labels.enough(variable, want.value)
            key = value_key(variable, want.value, self._program)
            said = {**place.said, asked: want}
            count = place.enough
            yield self._option(part, said, key, number, label, count, (), told)
        if not part.head and not place.said:
            yield from self._simple(number + 1)

    def _alike(self, place: Place, value: Data) -> tuple[int, ...]:
        """Return the components that are interchangeable with a value's."""
        asked, steps = place.asked, place.part.steps
        if asked is None or not isinstance(value, int) or not steps.has_alike(asked):
            return ()
        return steps.alike(place.said, asked, value)

    def _option(
        self,
        part: ChoicePart,
        said: DisplayValue,
        key: str,
        number: int,
        label: str,
        count: int,
        marks: tuple[PieceMark, ...] = (),
        told: Collection[str] = (),
    ) -> StepOption:
        advice = (each for each in self._advice(part, said) if each not in told)
        return StepOption(
            key=key,
            number=number,
            label=label,
            count=min(count, COUNTED),
            more=count > COUNTED,
            complete=count == 1,
            advice=tuple(advice),
            marks=marks,
        )

    def _advice(self, part: ChoicePart, said: DisplayValue) -> Iterator[str]:
        """Yield advice that applies to all options with the chosen values."""
        if not isinstance(self._options, ActOptions):
            return
        action = self._program.actions[part.subject]
        if not action.advice:
            return
        if self._options.steps(action.name, "sensible").count(said, 1):
            return
        first = part.steps.first(said)
        if first is not None:
            for each in self._options.advice(part.make(first)):
                if not each.usual:
                    yield self._labels.advice(each.address)

    def _marks(
        self, part: ChoicePart, asked: int, value: Data
    ) -> tuple[PieceMark, ...]:
        """Return the visible components that a value is or has."""
        kind: Type | None = member_type(part.variables[asked].type)
        if part.members:
            kind, value = part.over, part.members[asked]
        return self._pieces(kind, value) if isinstance(kind, Kind) else ()

    def _pieces(self, kind: Kind, value: Data) -> tuple[PieceMark, ...]:
        """Return the visible components that a value is or has, where they lie."""
        name, found = kind.name, []
        where = self._game.machine.store.where.get(name)
        for thing in value if isinstance(value, tuple) else (value,):
            if not isinstance(thing, int) or not self._seen.thing(name, thing):
                continue
            lying = where[thing] if where is not None else None
            areas = [area.key for area in self._plan.areas if name in area.holds]
            piece = self._program.labels[name][thing]
            for area in areas if lying is None else (lying[0],):
                found.append(PieceMark(area=area, piece=piece))
        return tuple(found)

    def _move_marks(
        self, part: ChoicePart, asked: int, known: Mapping[int, Data]
    ) -> tuple[PieceMark, ...]:
        """Return the place on a board where a move begins or ends, as in its look.

        `known` are the values of the variables so far, including the asked one.
        """
        move = self._moves.get(part.subject)
        if move is None or not part.head:
            return ()
        names = {part.variables[n].name: value for n, value in known.items()}
        began = part.variables[asked].name == move.origin
        name = move.origin if began else move.target
        if name is None:
            return ()
        value, type_ = self._program.values.get(name), part.variables[asked].type
        if name in names:
            found = names[name]
            type_ = next(v.type for v in part.variables if v.name == name)
        elif value is not None and {p.name for p in value.params} <= names.keys():
            args = tuple(names[param.name] for param in value.params)
            if not ViewerVisibility(self._game, self._seat).value(name, args):
                return ()
            found, type_ = self._game.value(name, *args), value.type
        else:
            return ()
        inner = core(type_)
        if isinstance(inner, Kind) and inner.sort != "enum":
            return self._pieces(inner, found)
        areas = self._heaps if isinstance(inner, Kind) else self._boards + self._heaps
        return tuple(PieceMark(area=key, piece=place_key(found)) for key in areas)

    def still_open(self, path: Sequence[str]) -> str:
        """Return the next question after a path and the number of missing members.

        It is '' at the end of a path.

        Raises:
            NoSuchChoice: the path leads to no legal option.
        """
        place = self._place(single(path))
        if not isinstance(place, Place) or place.asked is None:
            return self.step(path).asks
        part = place.part
        asks = self._labels.question(part, place.asked, place.said)
        name = part.variables[place.asked].name
        every = range(len(part.variables))
        if [self._labels.question(part, n, place.said) for n in every].count(asks) > 1:
            asks = f"{asks} ({name})"
        return self._with_missing(place, asks)

    def _with_missing(self, place: Place, asks: str, *, exact: bool = False) -> str:
        """Return a question with the number of missing members of a set.

        If `exact`, only if the action says one number; a condition may limit others.
        """
        if not place.adding or place.asked is None:
            return asks
        part, held = place.part, place.said.get(place.asked)
        name = part.variables[place.asked].name
        if part.head:
            binds = option_binds(self._program.actions[part.subject])
        else:
            binds = (asking_statements(self._program)[self.decision.site].bind,)
        bind = next(each for each in binds if name in each.names)
        count = len(held.members) if isinstance(held, Holding) else 0
        low = max(bind.low - count, 0)
        if exact and bind.low != bind.high:
            return asks
        if bind.high is None:
            return self._labels.say("asks_more", asks=asks, low=low) if low else asks
        high = bind.high - count
        phrase = "asks_exactly" if low == high else "asks_between"
        return self._labels.say(phrase, asks=asks, low=low, high=high)

    # ---- whole choices

    def choice(self, path: Sequence[str]) -> Choice | None:
        """Return the choice that a path makes; None if the path is incomplete.

        Raises:
            NoSuchChoice: the path leads to no legal option.
        """
        path = single(path)
        place = self._place(path)
        if not isinstance(place, Place):
            return place
        if not path or place.part.steps.count(place.said, 2) != 1:
            return None
        only = place.part.steps.first(place.said)
        assert only is not None
        return place.part.make(only)

    def answer(self, path: Sequence[str]) -> Choice | None:
        """Return the answer that a path gives, legal or not; None for all others."""
        said = list(read(path))
        if not isinstance(self._options, PickOptions) or not all(k.sign for k in said):
            return None
        part = self._answer_part()
        found = part.said(said)
        values = [found.get(number) for number in range(len(part.variables))]
        whole = [each.value for each in values if isinstance(each, Exactly)]
        return part.make(whole) if len(whole) == len(values) else None

    def path(self, choice: Choice) -> tuple[str, ...]:
        """Return the path of a choice at this decision, with every value explicit."""
        for word, simple in SIMPLE.items():
            if choice == simple:
                return (word,)
        part = self._part_of(choice)
        values = zip(part.variables, part.values(choice), strict=True)
        said = (
            value_key(variable, value, self._program)
            for variable, value in values
            if value or not part.members
        )
        return (*part.head, *said)

    def label(self, choice: Choice) -> str:
        """Return the label of a complete choice at this decision.

        Raises:
            NoSuchChoice: the choice is not an answer to this decision.
        """
        simple = choice in SIMPLE.values()
        return self._labels.whole(choice, None if simple else self._part_of(choice))

    def described(self, choice: Choice) -> str:
        """Return the label of a complete choice, with its captions if it is usual."""
        label, why = self.label(choice), self._usually(choice)
        return f"{label} ({why})" if why else label

    def marks(self, choice: Choice) -> tuple[PieceMark, ...]:
        """Return the components and places that a complete choice is about.

        Raises:
            NoSuchChoice: the choice is not an answer to this decision.
        """
        if choice in SIMPLE.values():
            return ()
        part = self._part_of(choice)
        values = part.values(choice)
        found: tuple[PieceMark, ...] = ()
        for asked, value in enumerate(values):
            if value or not part.members:
                found += self._marks(part, asked, value)
                found += self._move_marks(part, asked, dict(enumerate(values)))
        return tuple(dict.fromkeys(found))

    def _part_of(self, choice: Choice) -> ChoicePart:
        if isinstance(choice, Act) and isinstance(self._options, ActOptions):
            return act_part(self._program, self._options, choice.action)
        picked = isinstance(choice, Picked) and isinstance(self._options, PickOptions)
        shared = isinstance(choice, Shared) and isinstance(self._options, ShareOptions)
        if not picked and not shared:
            raise NoSuchChoice("something else is asked now")
        return self._answer_part()

    # ---- free text

    def narrow(self, text: str, path: Sequence[str] = ()) -> ChoiceStep:
        """Return the options that a text may mean after a path, best first.

        If the text means an action that is not possible now, there are no options and
        the action is in `closed`. The key of an option may be several keys separated by
        spaces; a path accepts it as it is.

        Raises:
            NoSuchChoice: the path leads to no legal option.
        """
        base = self.step(path)
        found, closed = self._matching().find(text, base)
        options = [
            self._matched(base.path, keys, number)
            for number, keys in enumerate(found, 1)
        ]
        return _step(base.asks, base.path, base.said, options, 0, closed)

    def left_over(self, text: str, label: str) -> tuple[str, ...]:
        """Return the words of a text that are not in a label, without fillers."""
        return self._matching().left_over(text, label)

    def in_order(self, text: str, label: str) -> bool:
        """Return whether the words of a text appear in order in a label."""
        return self._matching().in_order(text, label)

    def _matching(self) -> Matching:
        labels = self._labels
        return Matching(self.step, self._label_at, labels.also, labels.say)

    def _label_at(self, path: Sequence[str]) -> str:
        """Return the label of the choice at the end of a complete path."""
        choice = self.choice(path)
        assert choice is not None
        return self.label(choice)

    def _matched(
        self, path: Sequence[str], found: tuple[str, ...], number: int
    ) -> StepOption:
        """Return the option made of several keys after a path."""
        whole = (*path, *found)
        step = self.step(whole[:-1])
        last = next(each for each in step.options if each.key == found[-1])
        if len(found) == 1 and not last.complete:
            return last.model_copy(update={"number": number})
        place = self._place(whole)
        label, advice = last.label, last.advice
        if isinstance(place, Place):  # the labels of skipped steps were not shown
            label = self._labels.partly(place.part, place.said)
            advice = tuple(self._advice(place.part, place.said))
        if last.complete:
            label = self._label_at(whole)
        said = {"key": " ".join(found), "label": label, "advice": advice}
        return last.model_copy(update={**said, "number": number})

    def completions(self, text: str, path: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the words that may come next in a text, or complete its last word.

        Raises:
            NoSuchChoice: the path leads to no legal option.
        """
        matching = self._matching()
        return tuple(matching.complete(text, self.step(path)))


def _leaves_no_choice(step: ChoiceStep) -> bool:
    """Return whether a step has only one option, which does not end the choice."""
    return step.total == 1 and not step.options[0].complete


def _step(
    asks: str,
    path: tuple[str, ...],
    said: Iterable[str],
    options: Sequence[StepOption],
    first: int,
    closed: Iterable[StepOption] = (),
) -> ChoiceStep:
    """Return a step; options with the same label are numbered."""
    often = Counter(option.label for option in options)
    seen: Counter[str] = Counter()
    shown: list[StepOption] = []
    for option in options:
        seen[option.label] += 1
        if often[option.label] > 1:
            label = f"{option.label} ({seen[option.label]})"
            shown.append(option.model_copy(update={"label": label}))
        else:
            shown.append(option)
    areas = dict.fromkeys(mark.area for option in shown for mark in option.marks)
    return ChoiceStep(
        asks=asks,
        path=path,
        said=tuple(said),
        options=tuple(shown[first : first + SHOWN]),
        total=len(shown),
        closed=tuple(closed),
        about=tuple(areas),
    )
