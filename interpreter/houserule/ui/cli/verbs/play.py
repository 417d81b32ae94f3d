"""`houserule play`: people and bots play a game on this computer."""

from __future__ import annotations

import gc
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path

import click

from houserule.base.files import is_there
from houserule.base.resources import Phrases
from houserule.base.source import visible
from houserule.engine.bots.bot import HOW, NAMES
from houserule.play.seat.rules import TableRules
from houserule.play.seat.session import Sitting
from houserule.ui.cli.arguments import (
    FROM_FLAG,
    GAME,
    SEED,
    AskedTable,
    NamesParameter,
    TableFlags,
    chosen_language,
    forewarn,
    need_input,
    reported,
    table_flags,
)
from houserule.ui.cli.output import UnusableFile, clear_screen, say, tell

EPILOG = f"""\b
Examples:
  houserule play pig --seats ann,greedy     ann against a bot
  houserule play pig --seats ann,bob --lang de   two people at one keyboard
  houserule play pig-2026-11-20.jsonl       continue a game

A seat is a person's name, or a bot: {", ".join(NAMES)}, or a search with
a limit ({HOW}). `play` saves the game after every decision.
"""
LUCK = 2**31


@click.command(epilog=EPILOG)
@click.argument("what", metavar="[GAME|FILE]", required=False)
@click.option(
    "--seats",
    "--bots",
    "seats",
    type=NamesParameter(),
    metavar="A,B",
    help=(
        "The players, by seat: names of people, or bots. Without it, `play` asks you."
    ),
)
@click.option("--seed", type=SEED, help="The random seed; normally a secret one.")
@click.option(
    "--lang",
    metavar="LANGUAGE",
    help="Language; normally English, or that of the file.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save the game in this file; normally GAME-DATE.jsonl in this folder.",
)
@click.option("--plain", is_flag=True, help="Print lines instead of a full screen.")
@click.option(
    "--anyway",
    is_flag=True,
    help=(
        "Continue a file although its rules have changed, from the last choice that"
        " fits."
    ),
)
@FROM_FLAG
@table_flags
def command(
    what: str | None,
    seats: tuple[str, ...] | None,
    seed: int | None,
    lang: str | None,
    record_file: Path | None,
    plain: bool,
    anyway: bool,
    flags: TableFlags,
) -> None:
    """Play a GAME, or resume the game in a FILE."""
    need_input("`play`")
    path = None if what is None else Path(what)
    with _as_messages():
        if path and is_there(path) and path.name != "ruleset.yaml":
            sitting = Sitting.resume(path, anyway=anyway)
            for note in sitting.notes:
                tell(f"note: {note.message}")
        else:
            luck = secrets.randbelow(LUCK) if seed is None else seed
            game = (
                None
                if what is None
                else GAME.convert(what, None, click.get_current_context())
            )
            asked = flags.asked(game, lang)
            sitting = _begin(asked, seats, luck, lang, record_file)
        known = sitting.rules.ruleset.manifest.languages
        language = chosen_language(lang or sitting.seated.languages[0], known)
        folder = sitting.file.parent if sitting.file else Path()
        title = sitting.rules.program.game
        from houserule.ui.terminal.keyboard import SharedKeyboard

        gc.freeze()  # the rules stay: scanning them again would delay keys
        another = partial(_free_file, folder, title)
        keyboard = SharedKeyboard(sitting, language, another)
        try:
            on_screen = sys.stdin.isatty() and sys.stdout.isatty()
            if plain or not on_screen or os.environ.get("TERM", "dumb") == "dumb":
                from houserule.ui.terminal.line_mode import LineMode

                LineMode(keyboard, language, say, _ask_line, clear_screen).play()
            else:
                from houserule.ui.terminal import full_screen
                from houserule.ui.terminal.face import Face

                full_screen.play(Face(keyboard, language))
        finally:
            sitting = keyboard.latest.sitting
            sitting.close()
            words = Phrases("terminal", language)
            say(words.say("leave", file=str(sitting.file)))


def _begin(
    asked: AskedTable,
    seats: tuple[str, ...] | None,
    seed: int,
    lang: str | None,
    file: Path | None,
) -> Sitting:
    ruleset, choice = asked.open(), asked.choice
    language = chosen_language(lang, ruleset.manifest.languages)
    names = seats
    if not names:  # one line has all names
        said = click.prompt(Phrases("terminal", language).say("who_plays"))
        names = NamesParameter().convert(said, None, None)
    if choice.players is None:
        asked = replace(asked, choice=replace(choice, players=len(names)))
    table, program = asked.set(ruleset)
    forewarn(program, ruleset, language)
    kept = file or _free_file(Path(), program.game)
    rules = TableRules(ruleset, table, program)
    try:
        return Sitting.begin(rules, names, seed, kept, (language,))
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _free_file(folder: Path, game: str) -> Path:
    """Return the path of a new file, named after the game and the day."""
    start = f"{game}-{date.today().isoformat()}"
    names = (f"{start}{f'-{n}' if n > 1 else ''}.jsonl" for n in count(1))
    return next(folder / name for name in names if not (folder / name).exists())


@contextmanager
def _as_messages() -> Iterator[None]:
    """Report errors of rules, files and records like every verb."""
    try:
        with reported():
            yield
    except BrokenPipeError:
        raise  # the reader has gone; the file is complete
    except FileExistsError as error:
        raise click.BadParameter(f"`{error.filename}` already exists.") from None
    except OSError as error:
        about = "" if error.filename is None else f"`{error.filename}`: "
        raise UnusableFile(f"{about}{error.strerror or error}") from None


# ---- a front end


def _ask_line(prompt: str) -> str | None:
    """Return the typed line; None at the end of the input."""
    if not sys.stdin.isatty():
        say(prompt)
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None
    try:
        return input(visible(prompt))
    except EOFError:
        return None
