"""All who look at a game: each holds one law at a decision, and changes nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from tests.environments.test_encoding import changed
from tests.narrate.test_nothing_raw import raw_lines
from tests.support.compare import Pair
from tools.bench.clicks import fits

from houserule.engine.bots.imagined import imagine
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import (
    StateBlock,
    read_store,
    write_store,
)
from houserule.engine.compiled.memory.layout import START
from houserule.engine.reference.choices import Act, Choice
from houserule.engine.reference.options.nearest import nearest_takings
from houserule.engine.reference.options.options import ActOptions, Decision
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.state_model import state_model
from houserule.engine.state.view import view
from houserule.environments.actions import StableActions, most_options
from houserule.environments.encoding import encoding_of
from houserule.ir import Program
from houserule.ir.types import Data, Kind, Set, Type, Whole
from houserule.ir.walk import factors
from houserule.play.narration.wording import Wording
from houserule.play.records.choice_words import choice_of, words_of
from houserule.play.seat.choosing import Chooser, Touched
from houserule.play.seat.position import position
from houserule.play.seat.reasons import SaidTaking, why
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import COUNTED, ChoiceStep, StepOption

MANY = 2000  # options: of more, some are looked at
FEW = 8  # of what takes long to look at


@dataclass
class Kept:
    """What watchers keep from one decision to the next.

    Attributes:
        numbers: the number of each action, by its phase.
        means: the option that each stable number stands for.
        seen: how often each law had something to look at.
    """

    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    means: dict[int, tuple[str, Choice]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class At:
    """A decision of a game on both engines.

    Attributes:
        number: how many decisions were before it, those of games before included.
        english: the words of reasons.
        clicker: offers choices in one language; at the next decision it is another.
        choice: what is chosen next, clicked together in these steps.
    """

    rules: TableRules
    pair: Pair
    number: int
    english: Wording
    clicker: Chooser
    steps: list[ChoiceStep]
    choice: Choice
    kept: Kept
    luck: Random

    @property
    def game(self) -> ReferenceGame:
        assert self.pair.game is not None
        return self.pair.game

    @property
    def decision(self) -> Decision:
        assert self.game.decision is not None
        return self.game.decision

    def some(self, most: int) -> list[Choice]:
        """Return all options, or so many of them at random."""
        options = self.decision.options
        count = options.count()
        if count <= most:
            return list(options)
        return [options[self.luck.randrange(count)] for _ in range(most)]


# ---- what is offered


def steps_are_in_words(at: At) -> None:
    """Labels are words of the language, and tell the options of a step apart."""
    for step in at.steps:
        labels = [option.label for option in step.options]
        assert len(set(labels)) == len(labels)
        advice = [why for option in step.options for why in option.advice]
        closed = [option.label for option in step.closed]
        texts = [step.asks, *step.said, *labels, *closed, *advice]
        assert raw_lines(texts, at.clicker.words.language) == []
        for text in texts:
            square = re.match(r"[a-z]+-?\d\b", text)  # is called as on the board
            assert text[0] == text[0].upper() or square, text
        for option in step.options:
            assert option.marks or not option.label.isdigit(), "a number of what?"
            assert 0 < option.count <= COUNTED
            assert option.complete == (option.count == 1 and not option.more)
        assert all(option.count == 0 for option in step.closed)


def actions_keep_their_numbers(at: At) -> None:
    for step in at.steps:
        every = [*step.options, *step.closed]
        assert len({each.number for each in every}) == len(every)
        for row in (step.options, step.closed):
            in_order = [each.number for each in row if each.key != "done"]
            assert in_order == sorted(in_order)
        if at.decision.kind == "act" and not step.path:
            for each in every:
                known = at.kept.numbers.setdefault(
                    (at.decision.site, each.key), each.number
                )
                assert each.number == known


def options_can_be_built(at: At) -> None:
    """A path of clicks leads to each option; it is found by its label, and recorded."""
    if at.number % 7:
        return
    program, site = at.rules.program, at.decision.site
    for choice in at.some(20 if at.number else MANY):
        path = at.clicker.path(choice)
        assert at.clicker.choice(path) == choice
        assert reached(at.clicker, path), path
        said = json.loads(json.dumps(words_of(choice, site, program)))
        assert choice_of(said, site, program) == choice
    options = at.decision.options
    choice = options[at.luck.randrange(min(options.count(), 500))]
    # The parts of the names of several coins in Takeover also mean one coin more.
    if program.game != "takeover" or isinstance(choice, Act):
        found = at.clicker.narrow(at.clicker.label(choice)).options
        assert choice in [at.clicker.choice((each.key,)) for each in found]


def reached(clicker: Chooser, path: tuple[str, ...]) -> bool:
    """Say whether every step on the way to a path offers a way on."""
    wanted = {key.partition("=")[0]: key for key in path}
    at: tuple[str, ...] = ()
    for _ in range(200):
        on = [each for each in clicker.step(at).options if leads(each.key, wanted)]
        if not on:
            return False
        at = (*at, on[0].key)
        if on[0].complete:
            return clicker.choice(at) == clicker.choice(path)
    return False


def leads(key: str, wanted: dict[str, str]) -> bool:
    """Say whether a key is on the way: a value that is wanted, or a member of it."""
    name, plus, member = key.partition("+") if "=" not in key else (key, "", "")
    if plus:
        return member in wanted.get(name, "").partition("=")[2].split("+")
    if name.startswith("share:") and name.endswith("=0"):
        return name.partition("=")[0] not in wanted
    return wanted.get(key.partition("=")[0]) == key


def components_can_be_touched(at: At) -> None:
    """What later steps offer on components the first one does, in any order."""
    if at.number % 8 != 2:
        return
    step = at.clicker.onward()
    beside = [each for group in step.groups for each in group.options]
    ways = [way for each in step.shortcuts for way in each.ways]
    begin = [*step.shortcuts, *beside, *ways]
    for each in at.luck.sample(begin, min(len(begin), FEW)):
        path = (*step.path, each.key)
        made = at.clicker.choice(path)
        assert (made is not None) == each.complete
        if made is not None:
            assert at.clicker.label(made) == each.label
        else:
            assert at.clicker.onward(path).options
    for choice in at.some(FEW):
        goal = at.clicker.path(choice)
        begun = [e for e in step.shortcuts if fits([*step.path, e.key], goal)]
        assert begun or not marked_on_the_way(at.clicker, goal), goal
        own = [each for each in begun if not each.complete]
        if len({each.key.split()[-1] for each in own}) > 1:
            for touched in ([own[0], own[-1]], [own[-1], own[0]]):
                found = at.clicker.onward(touched=[touch(each) for each in touched])
                after = [[*found.path, each.key] for each in found.options]
                assert any(fits(each, goal) for each in after), (goal, after)
            return


def marked_on_the_way(clicker: Chooser, goal: tuple[str, ...]) -> bool:
    path: tuple[str, ...] = ()
    while True:
        step = clicker.step(path)
        found = [e for e in step.options if fits([*step.path, e.key], goal)]
        if not found:
            return False
        if found[0].marks:
            return True
        if found[0].complete:
            return False
        path = (*step.path, found[0].key)


def touch(option: StepOption) -> Touched:
    return option.marks[0].area, (option.marks[0].piece,)


def everything_has_a_name(at: At) -> None:
    """No identifier stands in a text, and whatever is titled has a title of its own."""
    if at.number % 8 != 4:
        return
    words = at.clicker.words
    seen = position(at.rules, at.game, words, 0)
    assert not [text for text in texts_of(seen.model_dump()) if "_" in text]
    for area in seen.areas:
        key = area.key.partition("(")[0]
        if key not in ("players", "facts") and area.kind != "board":
            assert at.rules.ruleset.text("things", key, words.language), key


def texts_of(value: object, name: str = "") -> Iterator[str]:
    """Yield every text for people in a position: keys are none."""
    if isinstance(value, dict):
        for each, inner in value.items():
            if each not in ("key", "keys", "kind"):
                yield from texts_of(inner, each)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner, name)
    elif isinstance(value, str):
        yield value


# ---- what is refused


def what_is_offered_is_possible(at: At) -> None:
    """Each step on the way to a choice may be asked about, also amid an effect."""
    for step in at.steps:
        for option in {e.key: e for e in (step.options[0], step.options[-1])}.values():
            path = [*step.path, *option.key.split()]
            found = why(at.rules, at.game, at.english, at.decision.seat, path)
            assert found.sentence.startswith("Possible"), (path, found.sentence)
            assert found.legal or found.asks, path
            assert found.legal or at.clicker.choice(path) is None, path
            assert all(reason.holds for reason in found.reasons)


def actions_are_possible_if_some_taking_is_legal(at: At) -> None:
    """With many house rules, to say what holds without each of them takes long."""
    options = at.decision.options
    if not isinstance(options, ActOptions) or options.count() > MANY:
        return
    if at.rules.chosen.variants:
        return
    legal = {each.action for each in options if isinstance(each, Act)}
    for action in at.rules.program.actions.values():
        if action.at in at.decision.open_steps:
            said = SaidTaking(action.name, {})
            answer = why(at.rules, at.game, at.english, at.decision.seat, said)
            possible = answer.legal or answer.sentence.startswith("Possible")
            assert possible is (action.name in legal), answer.sentence
            assert possible or any(not each.holds for each in answer.reasons)
            at.kept.seen["refused"] += not possible


def some_value(type_: Type, size: int, luck: Random) -> Data:
    match type_:
        case Whole(low, high):
            return luck.randint(low, min(high, low + 40))
        case Kind(size=many):
            return luck.randrange(many)
        case Set(member):
            picked = {some_value(member, size, luck) for _ in range(size)}
            return tuple(sorted(each for each in picked if isinstance(each, int)))
        case _:
            return luck.random() < 0.5


def some_taking(program: Program, near: Act, luck: Random) -> Act:
    """Return a taking like another one, with some of its values changed at random."""
    types = [type_ for _, type_ in factors(program.actions[near.action])]
    args = list(near.args)
    for place, type_ in enumerate(types):
        if luck.random() < 0.5:
            args[place] = some_value(type_, luck.randint(1, 3), luck)
    return Act(near.action, tuple(args))


def judgements_are_those_of_the_engine(at: At) -> None:
    options, chosen = at.decision.options, at.choice
    if not isinstance(options, ActOptions) or not isinstance(chosen, Act):
        return
    program = at.rules.program
    names = [name for name, _ in factors(program.actions[chosen.action])]
    for taking in [chosen, *(some_taking(program, chosen, at.luck) for _ in range(2))]:
        found = options.consider(
            taking.action, dict(zip(names, taking.args, strict=True))
        )
        assert found is not None
        against = {j.address for j in found.judgements if j.holds is False}
        wanted = {each.address for each in at.game.refusals(taking)}
        # what depends on a value that is not possible is not decided
        unsaid = {j.address for j in found.judgements if j.holds is None}
        assert wanted <= against | unsaid
        assert bool(wanted) == bool(against)
        assert len(found.settled) < len(names) or against == wanted
        at.kept.seen["judged"] += bool(wanted)
        if at.number % 5 == 0:
            for near in nearest_takings(found):
                assert not at.game.refusals(near)


# ---- what is hidden


def options_tell_nothing(at: At) -> None:
    """In a world that looks the same a seat is asked the same, among the same."""
    if at.number % 4:
        return
    here, luck = at.decision, Stream.seeded(at.number, 3, "worlds")
    world = imagine(at.game, here.seat, luck).game.machine
    there = turns.advance(world)
    assert there is not None
    shapes = [
        (e.seat, e.kind, e.site, sorted(e.open_steps), e.options.count())
        for e in (here, there)
    ]
    assert shapes[0] == shapes[1]
    for option in at.some(20):
        assert not there.options.refusals(option), option
    for number in range(min(there.options.count(), 20)):
        assert not here.options.refusals(there.options[number])


def rows_are_what_is_seen(at: At) -> None:
    """Two states have one row exactly if they look the same, within its bounds."""
    if at.number % 3:
        return
    game, seat, encoding = at.game, at.decision.seat, encoding_of(at.rules.program)
    for each in range(at.rules.program.seats):
        row = encoding.observe(game, each)
        for found, entry in zip(row, encoding.entries, strict=True):
            assert entry.low <= found <= entry.high, entry
    row, luck = encoding.observe(game, seat), Stream.seeded(at.number, 3, "imagined")
    assert encoding.observe(imagine(game, seat, luck).game, seat) == row
    machine, evaluator = game.machine, game.engine.evaluator
    store, seen = (
        machine.store,
        view(game.program, evaluator, machine.store, seat),
    )
    for _ in range(3):
        machine.store = changed(store, at.luck)
        differs = view(game.program, evaluator, machine.store, seat) != seen
        other = encoding.observe(game, seat) != row
        assert other == differs or (other and machine.frames)
        at.kept.seen["looks different"] += differs
    machine.store = store


@lru_cache(maxsize=4)
def stable(program: Program) -> StableActions | None:
    """Return stable numbers of actions; None where they would be too many."""
    try:
        return StableActions(program)
    except ValueError:
        assert most_options(program) > 1000
        return None


def stable_numbers_mean_one_thing(at: At) -> None:
    space = stable(at.rules.program)
    if space is None:
        return
    legal, options = space.legal(at.decision), at.decision.options
    assert len({*legal}) == options.count()
    site = "" if at.decision.kind == "act" else at.decision.site
    for number, choice in zip(legal, options, strict=True):
        assert at.kept.means.setdefault(number, (site, choice)) == (site, choice)
        assert space.choice(at.decision, number) == choice


# ---- what is kept


def games_are_saved_and_copied(at: At) -> None:
    """Restored and copied games go on alike; a trial leaves the game as it was."""
    if at.number % 5:
        return
    saved = json.dumps(at.game.save())
    restored = ReferenceGame.restore(at.rules.program, json.loads(saved))
    for one in (restored.decision, at.game.clone().decision):
        assert one is not None
        assert one.open_steps == at.decision.open_steps
        assert one.options.count() == at.decision.options.count()
        assert one.options.first(5) == at.decision.options.first(5)
    assert json.dumps(restored.save()) == saved
    trial = at.game.clone()
    trial.choose(at.choice)
    assert json.dumps(at.game.save()) == saved
    restored.choose(at.choice)
    assert restored.save() == trial.save()


def blocks_are_states(at: At) -> None:
    """A state goes from the module's block to a store, a model, and back."""
    if at.number % 12 != 10:
        return
    machine: CompiledMachine = at.pair.machine
    memory, block = machine.module.memory, machine.block()
    kept, store = bytes(block.content), read_store(block, memory)
    write_store(block, memory, store)
    assert bytes(block.content) == kept
    data = store.to_data()
    state_model(at.rules.program).model_validate_json(json.dumps(data))
    empty = StateBlock(bytearray(len(kept)))
    write_store(empty, memory, store)
    assert read_store(empty, memory).to_data() == data
    written = list(memory.cells.items())
    for groups in (memory.where, memory.known, memory.faces, memory.tokens):
        written += groups.items()
    for name, zone in memory.zones.items():
        written += [(name, each) for each in (zone.masks, zone.order) if each]
    for name, cells in written:
        at_ = slice(cells.at - START, cells.end - START)
        assert empty.content[at_] == block.content[at_], name


WATCHERS: tuple[Callable[[At], None], ...] = (
    steps_are_in_words,
    actions_keep_their_numbers,
    options_can_be_built,
    components_can_be_touched,
    everything_has_a_name,
    what_is_offered_is_possible,
    actions_are_possible_if_some_taking_is_legal,
    judgements_are_those_of_the_engine,
    options_tell_nothing,
    rows_are_what_is_seen,
    stable_numbers_mean_one_thing,
    games_are_saved_and_copied,
    blocks_are_states,
)
