"""Parsing `do` and `try`: a seat's moves as choices of the engine.

A move is a word (`done`, or an action without parameters) or a block: the action with
its parameters by name, the seat (`by`), and random outcomes (`rolls`, `draws`). `until`
means as many moves as necessary: all open decisions are declined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from houserule import ir
from houserule.authoring.scenarios.messages import E074
from houserule.base.frozen import frozen
from houserule.engine.reference.choices import (
    Act,
    Answered,
    Choice,
    Done,
    Picked,
    Shared,
)
from houserule.engine.reference.options.options import Decision
from houserule.ir.types import Data, Kind, Set, Whole
from houserule.ir.walk import asking_statements, factors
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import KeyPath
from houserule.play.positions.given import number, numbers, seats_of
from houserule.play.positions.luck import Luck
from houserule.play.positions.words import Misread, ScenarioWords, flag_of, spoken

MoveKind: TypeAlias = Literal[
    "act", "done", "choose", "share", "answer", "expect", "until"
]
BESIDE = ("by", "rolls", "draws")
WORDS = ("done", "choose", "share", "answer", "expect", "until")


@frozen
class WrittenMove:
    """One entry of `do`: its kind, its action, its arguments, and its place.

    `by` is None if no seat is named; `args` has the explicit parameters.
    """

    kind: MoveKind
    name: str
    said: YamlData
    args: Mapping[str, Data]
    by: int | None
    luck: Luck
    path: KeyPath


def read_move(words: ScenarioWords, said: YamlData, path: KeyPath) -> WrittenMove:
    """Read one move.

    Raises:
        Misread: an unknown action, parameter or value.
    """
    if isinstance(said, str):
        said, inner = {said: None}, path
    elif isinstance(said, dict):
        heads = [key for key in said if key not in BESIDE]
        if len(heads) != 1:
            raise words.misread(
                E074,
                "A move names one action; this one names "
                f"{' and '.join(f'`{head}`' for head in heads) or 'none'}.",
                path,
            )
        inner = (*path, heads[0])
    else:
        raise words.misread(E074, f"This is not a move: {spoken(said)}.", path)
    head = next(key for key in said if key not in BESIDE)
    by = None
    if "by" in said:
        by = words.value(seats_of(words), said["by"], (*path, "by"))
    rolls = numbers(words, said.get("rolls", []), (*path, "rolls"))
    draws = numbers(words, said.get("draws", []), (*path, "draws"))
    luck = Luck(rolls, [each - 1 for each in draws])
    kind: MoveKind
    args: Mapping[str, Data] = {}
    match head:
        case "done" | "choose" | "share" | "answer" | "expect":
            kind = head
        case "until":
            kind, step = head, said[head]
            steps = words.program.steps
            acted = [name for name, each in steps.items() if each.actions]
            if step in steps and step not in acted:
                message = f"`{step}` runs by itself: no action is ever open there."
                raise words.misread(E074, message, inner)
            if step not in acted:
                raise words.unknown("step", spoken(step).strip("`"), acted, inner)
        case _ if head in words.program.actions:
            kind, args = "act", read_arguments(words, head, said[head], inner)
        case _:
            known = (*words.program.actions, *WORDS)
            raise words.unknown("action", head, known, inner, key=True)
    seat = by if isinstance(by, int) else None
    return WrittenMove(kind, head, said[head], args, seat, luck, inner)


def read_arguments(
    words: ScenarioWords, action: str, said: YamlData, path: KeyPath
) -> dict[str, Data]:
    """Return the explicit arguments of an action, by name.

    A value that is not a block is the only parameter.

    Raises:
        Misread: an unknown parameter, or a value that does not fit.
    """
    types = dict(factors(words.program.actions[action]))
    if said is None:
        return {}
    if not isinstance(said, dict):
        if len(types) != 1:
            names = ", ".join(types)
            message = f"`{action}` has no parameters: write only its name."
            if types:
                message = f"Name the parameters of `{action}`: {names}."
            raise words.misread(E074, message, path)
        (only,) = types
        return {only: words.value(types[only], said, path)}
    found: dict[str, Data] = {}
    for name, value in said.items():
        if name not in types:
            what = f"parameter of `{action}`"
            raise words.unknown(what, name, types, (*path, name), key=True)
        found[name] = words.value(types[name], value, (*path, name))
    return found


def choice_of(words: ScenarioWords, move: WrittenMove, decision: Decision) -> Choice:
    """Return the choice that a move means at a decision.

    Missing parameters are filled in if exactly one option fits, or if none fits and
    they have one possible value.

    Raises:
        Misread: several options fit, or the words do not fit the decision.
    """
    match move.kind:
        case "act":
            from houserule.engine.reference.options.options import ActOptions

            names = [name for name, _ in factors(words.program.actions[move.name])]
            missing = [name for name in names if name not in move.args]
            if not missing:
                return Act(move.name, tuple(move.args[name] for name in names))
            fitting: list[Choice] = []
            for option in matching(words, move, decision):
                fitting.append(option)
                if len(fitting) > 1:
                    break
            if len(fitting) == 1:
                return fitting[0]
            if not fitting and isinstance(decision.options, ActOptions):
                args = decision.options.filled_in(move.name, move.args)
                missing = [name for name in names if name not in args]
                if not missing:
                    return Act(move.name, tuple(args[name] for name in names))
            what = ", ".join(f"`{name}`" for name in missing)
            found = "several options fit" if fitting else "no option fits"
            raise words.misread(
                E074, f"Say {what} of `{move.name}`: without it, {found}.", move.path
            )
        case "done":
            return Done()
        case "answer":
            answer = flag_of(move.said)
            if answer is None:
                raise words.misread(E074, "The answer is yes or no.", move.path)
            return Answered(answer)
        case "choose":
            asking = asking_statements(words.program).get(decision.site)
            if decision.kind != "choose" or not isinstance(asking, ir.ChooseOption):
                raise _other(words, move, decision)
            if move.said is None:
                return Picked(None)
            bind = asking.bind
            listed = move.said if len(bind.slots) > 1 else [move.said]
            if not isinstance(listed, list) or len(listed) != len(bind.slots):
                asked = ", ".join(bind.names)
                raise words.misread(E074, f"Choose {asked}.", move.path)
            values = [words.value(bind.type, each, move.path) for each in listed]
            return Picked(tuple(values))
        case _:
            asking = asking_statements(words.program).get(decision.site)
            if decision.kind != "share" or not isinstance(asking, ir.ShareOut):
                raise _other(words, move, decision)
            if not isinstance(move.said, dict):
                raise words.misread(E074, "Expected `name: how many`.", move.path)
            amounts: list[tuple[int, int]] = []
            for name, count in move.said.items():
                member = words.value(
                    asking.bind.type, name, (*move.path, name), key=True
                )
                if isinstance(member, int):
                    amounts.append((member, number(words, count, (*move.path, name))))
            return Shared(tuple(sorted(each for each in amounts if each[1])))


def matching(
    words: ScenarioWords, move: WrittenMove, decision: Decision
) -> Iterator[Choice]:
    if move.kind != "act":
        wanted = choice_of(words, move, decision)
        if not decision.options.refusals(wanted):
            yield wanted
        return
    names = [name for name, _ in factors(words.program.actions[move.name])]
    if len(move.args) == len(names):
        whole = Act(move.name, tuple(move.args[name] for name in names))
        if not decision.options.refusals(whole):
            yield whole
        return
    for option in decision.options:
        if isinstance(option, Act) and option.action == move.name:
            values = dict(zip(names, option.args, strict=True))
            if all(values[name] == value for name, value in move.args.items()):
                yield option


def _other(words: ScenarioWords, move: WrittenMove, decision: Decision) -> Misread:
    return words.misread(E074, f"{due(words, decision)}.", move.path, key=True)


def due(words: ScenarioWords, decision: Decision | None) -> str:
    """Return who decides what, as a sentence without a full stop."""
    if decision is None:
        return "The game is over"
    who = words.shown(decision.seat, seats_of(words))
    asking = asking_statements(words.program).get(decision.site)
    match decision.kind:
        case "act":
            steps = ", ".join(decision.open_steps)
            open_now = f"{steps} open" if steps else f"an action of {decision.site}"
            return f"Here {who} is to take an action, with {open_now}"
        case "ask":
            return f"{who} has to answer a question first (`answer`, {decision.site})"
        case "share":
            return f"{who} has to share out first (`share`, {decision.site})"
        case _:
            match asking.bind.type if asking else None:
                case Kind(name):
                    what = f"a {name}"
                case Set(member=Kind(name)):
                    what = f"some {name}"
                case Whole():
                    what = "a number"
                case _:
                    what = "something"
            must = (
                "has to choose"
                if (isinstance(asking, ir.ChooseOption) and asking.must)
                else "may choose"
            )
            return f"{who} {must} {what} first (`choose`, {decision.site})"
