"""`houserule why`: why a move is possible or not, and how a value comes about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli import FINDINGS
from houserule.cli.arguments import GAME, give_up, open_ruleset, reported, ruleset_for
from houserule.cli.output import say, say_json, tell
from houserule.engine.choices import Done
from houserule.prepare import Programs, playable
from houserule.record.reading import read_record
from houserule.record.records import recorded_rules, replay, seat_names
from houserule.resources import Phrases
from houserule.scenario.files import read_examples, ruleset_folder, trials
from houserule.scenario.moves import choice_of, read_move
from houserule.scenario.run import ask_trial
from houserule.scenario.words import Misread, ScenarioWords
from houserule.seat.reasons import SaidTaking, why, why_value
from houserule.seat.reasons.reading_words import PHRASES
from houserule.seat.rules import TableRules
from houserule.source import Source, read_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.engine.play.game import ReferenceGame
    from houserule.ir.types import Data
    from houserule.manifest.yaml.document import Document
    from houserule.scenario.files import Trial
    from houserule.seat.model import MoveReason, Quantity, WhyMove
    from houserule.seat.reasons import SaidMove

EPILOG = """\b
Examples:
  houserule why evening.jsonl --at 12 done
  houserule why evening.jsonl --at 12 "{sell: {c: salt}}" --lang de
  houserule why my-game/scenarios/rolls.yaml --at "a second roll" roll
  houserule why evening.jsonl "income(salt)"

A MOVE is written as in a record or a scenario; what is not said of it stays open. A
value with its keys in brackets tells how it comes to be what it is.
"""


@dataclass(frozen=True, slots=True)
class Asking:
    """A game at a moment, and the names that its seats go by."""

    rules: TableRules
    game: ReferenceGame
    players: tuple[str, ...]


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("move")
@click.option("--at", "at", metavar="N", help="After choice N; or which example.")
@click.option("--seat", metavar="NAME", help="Who asks, if not the seat in turn.")
@click.option("--lang", default="en", show_default=True, help="Language.")
@click.option("--game", type=GAME, help="The ruleset, if it is none that is shipped.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    file: Path,
    move: str,
    at: str | None,
    seat: str | None,
    lang: str,
    game: Path | None,
    as_json: bool,
) -> None:
    """Say why a MOVE is possible or not, at a moment of the game in FILE.

    FILE is a record, taken after choice N or after its last one; or a scenario file,
    taken where an example asks about a move. The example is named or numbered.
    """
    is_record = file.suffix == ".jsonl"
    asking = _of_record(file, at, game) if is_record else _of_example(file, at)
    source = Source("MOVE", move)
    try:
        _answer(asking, source, seat, lang, as_json)
    except Misread as misread:
        give_up([misread.diagnostic], {source.name: source})


# ---- the moment


def _of_record(file: Path, at: str | None, folder: Path | None) -> Asking:
    source = read_source(file)
    record, faults = read_record(source)
    if record is None:
        give_up(faults, {source.name: source})
    ruleset = ruleset_for(record, folder)
    program, faults = recorded_rules(record, ruleset)
    if program is None:
        give_up(faults, {**ruleset.sources, source.name: source})
    count = _count(at, len(record.taken))
    game, difference = replay(record.until(count), program)
    if game is None or difference is not None:
        tell(f"The game differs from its record: {difference and difference.message}")
        raise click.exceptions.Exit(FINDINGS)
    rules = TableRules(ruleset, record.table, program)
    return Asking(rules, game, tuple(record.head.players))


def _count(at: str | None, most: int) -> int:
    """Return after how many choices of a record the moment is."""
    if at is None:
        return most
    if not at.isdigit() or int(at) > most:
        raise click.UsageError(f"--at is a number from 0 to {most} here.")
    return int(at)


def _of_example(file: Path, at: str | None) -> Asking:
    folder = ruleset_folder(file)
    if folder is None:
        raise click.UsageError(f"{file} stands in no ruleset's folder.")
    ruleset = open_ruleset(folder)
    examples = read_examples(file, ruleset.id)
    if examples.form is None:
        give_up(examples.faults, {examples.source.name: examples.source})
    trial = _example([each for each in trials(examples) if not each.number], at)
    programs = Programs(ruleset)
    with reported():
        prepared = programs.prepare(trial.choice)
        table, program = playable(prepared, ruleset, trial.choice)
    asked = ask_trial(trial, program, programs)
    if asked.game is None:
        sources = {**ruleset.sources, examples.source.name: examples.source}
        for problem in asked.problems:
            tell(problem.message)
        give_up(asked.faults, sources)
    return Asking(TableRules(ruleset, table, program), asked.game, trial.seats)


def _example(found: Sequence[Trial], at: str | None) -> Trial:
    """Return the example that is named, by its number or a part of its name."""
    if at is None and len(found) == 1:
        return found[0]
    if at is not None and at.isdigit() and 0 < int(at) <= len(found):
        return found[int(at) - 1]
    fitting = [each for each in found if at and at.casefold() in each.title.casefold()]
    exact = [each for each in fitting if at == each.title]
    if len(exact or fitting) == 1:
        return (exact or fitting)[0]
    names = ", ".join(f"`{each.title}`" for each in (fitting or found)[:6])
    raise click.UsageError(f"Which example? Say --at with one of: {names}.")


# ---- the question and the answer


def _answer(
    asking: Asking, source: Source, seat: str | None, lang: str, as_json: bool
) -> None:
    rules, game = asking.rules, asking.game
    document = _document(source)
    words = ScenarioWords(rules.program, document, asking.players)
    viewer = _seat(asking, seat)
    wording = rules.wording(lang, asking.players)
    called = _value_called(source.text, words)
    answer: WhyMove | Quantity
    if called is not None:
        answer = why_value(rules, game, wording, viewer, *called)
        lines = _value_lines(answer)
    else:
        answer = why(rules, game, wording, viewer, _said(words, document, game))
        lines = _move_lines(answer, lang)
    if as_json:
        say_json(answer.model_dump(mode="json"))
    else:
        for line in lines:
            say(line)


def _document(source: Source) -> Document:
    from houserule.manifest.yaml.parser import parse_yaml

    document, faults = parse_yaml(source)
    if faults:
        give_up(faults, {source.name: source})
    return document


def _seat(asking: Asking, named: str | None) -> int:
    """Return the seat that asks: the one named, else the one in turn."""
    labels = seat_names(asking.rules.program)
    if named is None:
        decision = asking.game.decision
        return decision.seat if decision else 0
    for names in (asking.players, labels):
        if named in names:
            return list(names).index(named)
    known = ", ".join(asking.players or labels)
    raise click.UsageError(f"Nobody here is called `{named}`. There is: {known}.")


def _value_called(
    text: str, words: ScenarioWords
) -> tuple[str, tuple[Data, ...]] | None:
    """Return the value that a text names, with its keys; None if it names none."""
    name = text.partition("(")[0].strip()
    if name not in words.program.values or name in words.program.actions:
        return None
    name, inside = words.call(text, ())
    return name, words.arguments(words.program.values[name].params, inside, ())


def _said(words: ScenarioWords, document: Document, game: ReferenceGame) -> SaidMove:
    move = read_move(words, document.data, ())
    if move.kind == "act":
        return SaidTaking(move.name, move.args)
    if game.decision is None:  # whatever is said, the answer is that it is over
        return Done()
    return choice_of(words, move, game.decision)


def _move_lines(answer: WhyMove, lang: str) -> list[str]:
    phrases = Phrases(PHRASES, lang)
    lines = [answer.sentence]
    for reason in answer.reasons:
        lines += [
            f"  - {reason.says}",
            *(f"      {each}" for each in _backing(reason, phrases)),
        ]
    if answer.nearest:
        lines.append(phrases.say("nearest"))
        lines += [f"  - {each}" for each in answer.nearest]
    return lines


def _backing(reason: MoveReason, phrases: Phrases) -> list[str]:
    """Return where a reason is printed, and the house rules that changed it."""
    lines = list(reason.printed)
    if reason.changed_by:
        lines.append(phrases.say("changed_by", titles=", ".join(reason.changed_by)))
    if reason.without is not None:
        lines.append(phrases.say("without_yes" if reason.without else "without_no"))
    return lines


def _value_lines(answer: Quantity) -> list[str]:
    lines = [f"{answer.what}: {answer.value}"]
    for layer in answer.layers:
        by = f" ({layer.by})" if layer.by else ""
        lines.append(f"  - {layer.says}{by}: {layer.value}")
    return [*lines, *(f"    {each}" for each in answer.printed)]
