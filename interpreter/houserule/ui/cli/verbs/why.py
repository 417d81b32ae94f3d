"""`houserule why`: explain why a move is legal or not, and how a value arises."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from houserule.authoring.scenarios.files import (
    Trial,
    folder_for,
    read_examples,
    rules_for,
    trials,
)
from houserule.authoring.scenarios.moves import choice_of, read_move
from houserule.authoring.scenarios.run import ask_trial
from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.base.source import Source
from houserule.compiler.prepare import Programs, playable
from houserule.engine.reference.choices import Done
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.yaml.document import Document
from houserule.play.narration.wording import Wording
from houserule.play.positions.words import Misread, ScenarioWords
from houserule.play.records.choice_words import choice_of as recorded_choice
from houserule.play.records.reading import read_record, record_text
from houserule.play.records.records import recorded_rules, replay
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.choosing.keys import SIMPLE
from houserule.play.seat.choosing.matching import plain_words
from houserule.play.seat.reasons import SaidMove, SaidTaking, why, why_value
from houserule.play.seat.reasons.move_labels import as_said, label, said_of
from houserule.play.seat.reasons.reading_words import ReadingWords
from houserule.play.seat.reasons.written import MeantMoves, agrees
from houserule.play.seat.rules import TableRules
from houserule.play.seat.scores import ended
from houserule.play.seat.seat_model import MoveReason, Quantity, WhyMove
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import (
    GAME,
    RULES_FLAG,
    chosen_language,
    give_up,
    language_flag,
    open_ruleset,
    reported,
    ruleset_for,
)
from houserule.ui.cli.output import say, say_json, tell
from houserule.ui.cli.viewers import seat_of

EPILOG = """\b
Examples:
  houserule why evening.jsonl --at 12 done
  houserule why evening.jsonl --at 12 "{sell: {c: salt}}" --lang de
  houserule why my-game/scenarios/rolls.yaml --at "a second roll" roll
  houserule why evening.jsonl --at 12 "sell the salt"
  houserule why evening.jsonl "income(salt)"
  houserule why evening.jsonl

Write a MOVE as in a record or a scenario, or in your own words. You may leave parts of
it open. For a value with its keys in brackets, `why` lists where its parts come from.
"""


MEANINGS = 6
"""At most this many possible moves or examples are listed."""


@frozen
class Asking:
    """A game at a moment, and the names of its seats."""

    rules: TableRules
    game: ReferenceGame
    players: tuple[str, ...]


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("move", required=False)
@click.option(
    "--at",
    "at",
    metavar="N",
    help=(
        "In a record, the moment after choice N. In a scenario file, the name or "
        "number of an example; 3.1 is the first case below `under` of example 3."
    ),
)
@click.option(
    "--seat", metavar="NAME", help="The seat that asks; normally the seat in turn."
)
@language_flag("Language of the answer.")
@click.option(
    "--game", type=GAME, help="Path to the ruleset, if it is not a built-in game."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@RULES_FLAG
def command(
    file: Path,
    move: str | None,
    at: str | None,
    seat: str | None,
    lang: str | None,
    game: Path | None,
    as_json: bool,
    rules: tuple[Path, ...],
) -> None:
    """Explain why a MOVE is legal or not, at a moment of the game in FILE.

    Without a MOVE, explain why the game is over: what ended it, and who won.

    FILE is a record or a scenario file. In a record, the moment is after choice N, or
    after the last choice. In a scenario file, it is where an example asks about a move.
    """
    if file.suffix == ".jsonl":
        source = record_text(file)
        record, faults = read_record(source)
        if record is None:
            give_up(faults, {source.name: source})
        ruleset = ruleset_for(record, game, rules)
        compiled, faults = recorded_rules(record, ruleset)
        if compiled is None:
            give_up(faults, {**ruleset.sources, source.name: source})
        most = len(record.taken)
        if at is not None and (not at.isdigit() or int(at) > most):
            raise click.UsageError(f"--at is a number from 0 to {most} here.")
        made = record.until(most if at is None else int(at))
        position, difference = replay(made, compiled, listen=True)
        if position is None or difference is not None:
            why_not = difference and difference.message
            tell(f"The game differs from its record: {why_not}")
            raise click.exceptions.Exit(FINDINGS)
        at_table = TableRules(ruleset, record.table, compiled)
        asking = Asking(at_table, position, tuple(record.head.players))
    else:
        ruleset = open_ruleset(folder_for(file), (*rules, *rules_for(file)))
        examples = read_examples(file, ruleset)
        if examples.form is None:
            give_up(examples.faults, {examples.source.name: examples.source})
        trial = _example(list(trials(examples)), at)
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
        asking = Asking(TableRules(ruleset, table, program), asked.game, trial.seats)
    language = chosen_language(lang, asking.rules.ruleset.manifest.languages)
    if move is None:
        wording = asking.rules.wording(language, asking.players)
        result = ended(asking.rules, asking.game, wording)
        if result is None:
            message = "The game is not over at that moment. Give a MOVE."
            raise click.UsageError(message)
        clauses = _reason_lines(result.clauses, language)
        if as_json:
            say_json(result.model_dump(mode="json"))
        else:
            for line in (result.why, result.result, *clauses):
                say(line)
        return
    source = Source("MOVE", move)
    try:
        with reported(asking.rules.ruleset.sources):
            _answer(asking, source, seat, language, as_json)
    except Misread as misread:
        give_up([misread.diagnostic], {source.name: source})


def _example(found: Sequence[Trial], at: str | None) -> Trial:
    """Return the example given by its number or a part of its name.

    Numbers begin at 1. For a case at another table, its number follows a dot, and its
    name contains the table.
    """
    own = [each for each in found if not each.number]
    if at is None and len(own) == 1:
        return own[0]
    fitting = [each for each in found if at and at.casefold() in each.title.casefold()]
    numbered = [
        each
        for each in found
        if at == f"{each.index + 1}" + (f".{each.number}" if each.number else "")
    ]
    exact = [each for each in fitting if at == each.title]
    bases = [each for each in fitting if not each.number]
    for some in (numbered, exact, bases or fitting):
        if len(some) == 1:
            return some[0]
    names = ", ".join(f"`{each.title}`" for each in (fitting or own)[:MEANINGS])
    raise click.UsageError(f"Which example? Give --at one of: {names}.")


# ---- the question and the answer


def _answer(
    asking: Asking, source: Source, seat: str | None, lang: str, as_json: bool
) -> None:
    from houserule.language.manifest.yaml.parser import parse_yaml

    rules, game = asking.rules, asking.game
    document, faults = parse_yaml(source)
    if faults:
        give_up(faults, {source.name: source})
    words = ScenarioWords(rules.program, document, asking.players, rules.ruleset)
    wording = rules.wording(lang, asking.players)
    if seat is not None:
        viewer = seat_of(seat, wording)
    else:  # the player whose turn it is
        viewer = game.decision.seat if game.decision else 0
    name = source.text.partition("(")[0].strip()
    if name not in words.program.values or name in words.program.actions:
        called = None
    else:
        name, inside = words.call(source.text, ())
        called = name, words.arguments(words.program.values[name].params, inside, ())
    answer: WhyMove | Quantity
    said: SaidMove | Sequence[str]
    if called is not None:
        answer = why_value(rules, game, wording, viewer, *called)
        lines = [f"{answer.what}: {answer.value}"]
        for layer in answer.layers:
            by = f" ({layer.by})" if layer.by else ""
            lines.append(f"  - {layer.says}{by}: {layer.value}")
        lines += [f"    {each}" for each in answer.printed]
    else:
        data = document.data
        as_recorded = isinstance(data, dict | list) or (
            isinstance(data, str) and (data in SIMPLE or data in rules.program.actions)
        )
        if not as_recorded:
            said = _meant(asking, wording, viewer, source.text)
        else:
            said = _said(words, document, game)
        answer = why(rules, game, wording, viewer, said)
        lines = [
            answer.sentence,
            *_reason_lines(answer.reasons, lang, known=answer.sentence),
        ]
        if answer.nearest:
            lines.append(Phrases("seat", lang).say("nearest"))
            lines += [f"  - {each}" for each in answer.nearest]
    if as_json:
        say_json(answer.model_dump(mode="json"))
    else:
        for line in lines:
            say(line)


def _meant(
    asking: Asking, wording: Wording, viewer: int, text: str
) -> SaidMove | Sequence[str]:
    """Return the move that words mean, or an action that is not possible.

    Raises:
        click.UsageError: the words mean several moves, or none.
    """
    moves = MeantMoves(asking.rules, asking.game, wording, viewer).read(text)
    decision = asking.game.decision
    if decision is None or decision.seat != viewer:
        # Another seat is in turn, or none is.
        if len(moves) == 1:
            return moves[0].taking
        for word, simple in SIMPLE.items():
            names = (word, *_labels([simple], wording))
            if plain_words(text) in map(plain_words, names):
                return simple
        if moves:
            raise _several(_labels([each.taking for each in moves], wording))
        _refuse_state(asking.rules, text)
        actions = _labels(
            [SaidTaking(each, {}) for each in asking.rules.program.actions], wording
        )
        raise click.UsageError(
            f"No move is called `{text}`. There is: {_listed(actions)}."
        )
    chooser = Chooser(asking.rules, asking.game, wording, viewer)
    step = chooser.narrow(text)
    options = step.options
    full = [each for each in options if not chooser.left_over(text, each.label)]
    written = moves[0].taking if len(moves) == 1 else None
    if written is not None and moves[0].named:  # "from 6" is not "to 6"
        program, kept = asking.rules.program, []
        for each in full:
            choice = chooser.choice((each.key,))  # with its forced values
            move = said_of((each.key,), program)
            if choice is not None:
                move = as_said(choice, program)
            if agrees(move, written):
                kept.append(each)
        full = kept
    in_order = [each for each in full if chooser.in_order(text, each.label)]
    exact = [each for each in in_order if chooser.in_order(each.label, text)]
    keys = [{*each.key.split()} for each in full]
    least = [
        e for e, own in zip(full, keys, strict=True) if all(own <= k for k in keys)
    ]
    for some in (full, in_order, exact, least):
        if len(some) == 1:
            path = some[0].key.split()
            return chooser.choice(path) or path
    if written is not None and (written.values or not full):
        return written
    if moves and not full:
        raise _several(_labels([each.taking for each in moves], wording))
    if not full and len(step.closed) == 1:
        return SaidTaking(step.closed[0].key, {})
    several = step.closed if step.closed and not full else in_order or full
    if several:
        raise _several([each.label for each in several])
    _refuse_state(asking.rules, text)
    labels = [each.label for each in options or chooser.step().options]
    raise click.UsageError(
        f"No possible move is called `{text}`. Nearest: {_listed(labels)}."
    )


def _refuse_state(rules: TableRules, text: str) -> None:
    name = text.partition("(")[0].strip()
    if name in rules.program.states:
        raise click.UsageError(
            f"`{name}` is a state: moves write it, so the log says how it came about."
            " Ask about a move, or about a value that rules work out."
        )


def _labels(moves: Sequence[SaidMove], wording: Wording) -> list[str]:
    return [label(each, wording, ReadingWords(wording)) for each in moves]


def _several(labels: Sequence[str]) -> click.UsageError:
    return click.UsageError(f"MOVE may mean several things: {_listed(labels)}.")


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(f"`{each}`" for each in labels[:MEANINGS])


def _said(words: ScenarioWords, document: Document, game: ReferenceGame) -> SaidMove:
    decision = game.decision
    if decision is not None and decision.kind != "act":
        with suppress(ValueError):  # it may be written as in a scenario
            return recorded_choice(document.data, decision.site, words.program)
    move = read_move(words, document.data, ())
    if move.kind == "act":
        return SaidTaking(move.name, move.args)
    if decision is None:  # the answer to any question is that the game is over
        return Done()
    return choice_of(words, move, decision)


def _reason_lines(
    reasons: Sequence[MoveReason], lang: str, known: str = ""
) -> list[str]:
    """Return reasons with their citations, and the house rules that changed them.

    A reason that is part of the known sentence is not repeated.
    """
    phrases = Phrases("seat", lang)
    lines: list[str] = []
    for reason in reasons:
        backing = list(reason.printed)
        if reason.changed_by:
            titles = ", ".join(reason.changed_by)
            backing.append(phrases.say("changed_by", titles=titles))
        if reason.without is not None:
            said = "without_yes" if reason.without else "without_no"
            backing.append(phrases.say(said))
        if reason.says in known:
            lines += [f"  - {each}" for each in backing]
        else:
            lines += [f"  - {reason.says}", *(f"      {each}" for each in backing)]
    return lines
