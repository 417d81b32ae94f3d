"""`houserule explain`: explain a name of a game, a keyword, a topic or a code."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from houserule.base.diagnostics.wording import nearest_few
from houserule.rulebook.meanings.meaning_model import Meaning, PageMeaning
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import (
    GAME,
    AskedTable,
    TableFlags,
    chosen_language,
    language_flag,
    table_flags,
)
from houserule.ui.cli.output import columns, say, say_json, say_page, tell

CODE = re.compile(r"\b[EWFN]\d{2,3}\b", re.IGNORECASE)
EPILOG = """\b
Examples:
  houserule explain throw --game pig         an action: conditions, effects
  houserule explain throw.short --game pig   a clause, as composed
  houserule explain target --game pig        an option: its values, who sets it
  houserule explain together                 a word of the rules language
  houserule explain scenarios                a page of the documentation
  houserule explain E201                     a code
  houserule explain extra turn               a search in all pages
  houserule explain --all                    every code with its title
"""


@click.command(epilog=EPILOG)
@click.argument("words", metavar="[WHAT]", nargs=-1)
@click.option("--game", type=GAME, help="The game that has the name.")
@click.option(
    "--all", "every", is_flag=True, help="List every message code with its title."
)
@language_flag("Language of captions and texts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@table_flags
def command(
    words: tuple[str, ...],
    game: Path | None,
    every: bool,
    lang: str | None,
    as_json: bool,
    flags: TableFlags,
) -> None:
    """Explain WHAT, which may be any name.

    In a game, that is a card, an action, a clause, a value, a variant or anything else
    in the rules of the chosen table. Without a game, it is a message code, a word of
    the rules language or a topic of the documentation; a name that only one known game
    has is found too. If nothing has the name, the pages that mention it are listed.
    """
    what = " ".join(words)
    if every:
        from houserule.rulebook.meanings.pages import codes

        if as_json:
            say_json(codes())
            return
        for code, title in codes().items():
            say(f"{code}  {title}")
    elif not what:
        raise click.UsageError("Give a name and its --game, a word, or a code.")
    elif game is None and flags.file is None:
        from houserule.rulebook.meanings.pages import (
            codes,
            indexed,
            names_on_pages,
            pages_about,
            search,
        )

        if found := pages_about(what):
            _tell_all(found, as_json)
            shown = {place for each in found for place in each.places}
            more = [each for each in indexed(what) if each[1] not in shown]
            if more and not as_json:
                tell("See also:")
                _list(more)
            return
        if within := CODE.search(what):
            if found := pages_about(within[0]):
                _tell_all(found, as_json)
                return
            code = within[0].upper()
            raise click.UsageError(f"There is no code {code}.{_hint(code, codes())}")
        if flags.has_default:
            _in_game(what, flags.asked(None, lang), lang, as_json)
            return
        from houserule.base.resources import known_rulesets
        from houserule.rulebook.meanings.explain import games_with, near_in_games

        games = list(games_with(what))
        if len(games) == 1:
            tell(f"note: `{what}` is a name in {games[0].id}")
            _in_game(what, flags.asked(games[0].folder, lang), lang, as_json)
            if not as_json and (mentioned := search(what, 3)):
                tell("Pages that mention it:")
                _list(mentioned)
            return
        if (named := what.lower().replace(" ", "_")) in known_rulesets():
            say(f"{named} is a game. Its house rules:  houserule list {named}")
            say(f"Its rules in words:  houserule rulebook {named}")
        names = ", ".join(game.id for game in games)
        if mentioned := [] if re.search(r"[._]", what) else search(what):
            tell(f"Pages about `{what}`:")
            _list(mentioned)
            if names:
                tell(f"It is also a name in {names}: give --game.")
            return
        if names:
            raise click.UsageError(f"Give --game; `{what}` is a name in {names}.")
        here = [f"{name} (--game {game})" for name, game in near_in_games(what)]
        raise click.UsageError(
            f"No page and no known game has `{what}`; for another game give --game."
            + (_did_you_mean(here) or _hint(what, names_on_pages()))
        )
    else:
        _in_game(what, flags.asked(game, lang), lang, as_json)


def _list(mentioned: Iterable[tuple[str, str]]) -> None:
    for title, place in mentioned:
        say(f"  {title}  ({place})")


def _hint(what: str, names: Iterable[str]) -> str:
    return _did_you_mean(nearest_few(what, names, cutoff=0.25))


def _did_you_mean(near: Sequence[str]) -> str:
    return f" Did you mean {', '.join(near)}?" if near else ""


def _in_game(what: str, asked: AskedTable, lang: str | None, as_json: bool) -> None:
    """Print the meaning of a name at the chosen table, else of a language word."""
    from houserule.rulebook.meanings.explain import NoNameError, meanings_of
    from houserule.rulebook.meanings.pages import pages_about
    from houserule.rulebook.meanings.table_in_words import TableInWords
    from houserule.ui.cli.arguments import set_table

    ruleset = asked.open()
    language = chosen_language(lang, ruleset.manifest.languages)
    table, program = set_table(ruleset, asked.choice)
    try:
        found = meanings_of(TableInWords(ruleset, table, program, language), what)
    except NoNameError as error:
        if pages := pages_about(what):
            _tell_all(pages, as_json)
            return
        tell(f"Nothing is called `{what}` in {ruleset.id}.")
        if error.near:
            tell(f"Did you mean {', '.join(error.near)}?")
        else:
            tell("`houserule list GAME --names` tells which names there are.")
        raise click.exceptions.Exit(FINDINGS) from None
    _tell_all(found, as_json)


def _tell_all(found: Sequence[Meaning | PageMeaning], as_json: bool) -> None:
    """Print meanings as text, one below the other, or as one object."""
    from houserule.rulebook.meanings.meaning_model import (
        WIDTH,
        Meaning,
        Meanings,
        as_text,
    )

    if as_json:
        report = Meanings(meanings=tuple(found))
        say_json(report.model_dump(mode="json"))
        return
    for number, each in enumerate(found):
        if number:
            say()
        if isinstance(each, Meaning):
            say(as_text(each, min(columns(), WIDTH)))
        else:
            if sys.stdout.isatty():
                say_page(each.page)
            else:
                say(str(each))
            if each.kind == "word":
                say(f"\n({', '.join(each.places)})")
