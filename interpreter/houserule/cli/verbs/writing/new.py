"""`houserule new`: a house rule or a game to begin with, which is whole already."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Literal

import click

from houserule.cli.arguments import GAME, open_ruleset
from houserule.cli.output import say, say_json, writable, write_file
from houserule.files import new_folder, write_whole
from houserule.lower.symbols.symbol_table import BUILT_IN_FUNCTIONS, BUILT_IN_NAMES
from houserule.manifest.names import declared_names
from houserule.resources import (
    Phrases,
    installed,
    languages,
    own_text,
    ruleset_around,
    ruleset_called,
    shipped_rulesets,
)
from houserule.source import Source
from houserule.syntax import tree
from houserule.syntax.tree.visitor import walk
from houserule.syntax.vocabulary import keywords
from houserule.syntax.write.format import format_text

if TYPE_CHECKING:
    from houserule.manifest.ruleset import LoadedRuleset

VARIANT_TEMPLATE = Path(__file__).parent / "templates" / "variant.rules"
GAME_TEMPLATE = VARIANT_TEMPLATE.parent / "game"
EPILOG = """\b
Examples:
  houserule new variant late_hold --for pig
  houserule new variant late_hold --for pig --in our-rules
  houserule new variant late_hold --for ./my-game --in my-game/variants
  houserule new game dash                     the folder dash, with a game
"""


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(("variant", "game")))
@click.argument("name")
@click.option("--for", "game", metavar="GAME", help="The game of the house rule.")
@click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="FOLDER",
    help="Where to write it. Normally here.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    what: Literal["variant", "game"],
    name: str,
    game: str | None,
    folder: Path,
    as_json: bool,
) -> None:
    """Write a house rule, or a game, that works and can be made into one's own.

    The file says in comments what to do next. Nothing is overwritten.
    """
    if what == "game":
        if game is not None:
            raise click.UsageError("`--for` goes with a variant; a game is new.")
        written, following = _new_game(name, folder)
    else:
        if game is None:
            raise click.UsageError("For which game? Say it with --for GAME.")
        written, following = _new_variant(name, game, folder)
    with writable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if what == "game":
        _write_game(folder / name, written)
    for path, text in written.items() if what == "variant" else ():
        write_file(path, text)
    if as_json:
        say_json({"written": [str(path) for path in written], "next": following})
        return
    for path in written:
        say(f"written: {path}")
    say("\nNext:")
    for line in following:
        say(f"  {line}")


# ---- a game


def _write_game(target: Path, written: Mapping[Path, str]) -> None:
    """Write the folder of a game, all of it or nothing."""
    with writable(target), new_folder(target) as new:
        for path, text in written.items():
            file = new / path.relative_to(target)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, text)


def _new_game(name: str, folder: Path) -> tuple[dict[Path, str], list[str]]:
    """Return the files of a new game, and the commands to try next."""
    known = [*shipped_rulesets(), *(each.name for each in installed().rulesets)]
    _check_name(name, dict.fromkeys(known, "the name of a game"))
    target = folder / name
    _check_free(target)
    said = shlex.quote(str(target))
    slots = {"name": name, "title": _title(name), "folder": said}
    written = {
        target / path.relative_to(GAME_TEMPLATE): _filled(path, slots)
        for path in sorted(GAME_TEMPLATE.rglob("*.*"))
    }
    return written, [f"houserule {verb} {said}" for verb in ("check", "test", "play")]


# ---- a house rule


def _new_variant(
    name: str, game: str, folder: Path
) -> tuple[dict[Path, str], list[str]]:
    """Return the file of a new house rule, and the commands to try next."""
    lies = GAME.convert(game, None, None)
    ruleset = open_ruleset(lies)
    _check_name(name, dict.fromkeys(_declared(ruleset), f"a name in {ruleset.id}"))
    path = folder / f"{name}.rules"
    _check_free(path)
    around = ruleset_around(path)
    within = around is not None and around.samefile(lies)
    by_name = ruleset_called(ruleset.id) == lies
    asked, file = shlex.quote(game), shlex.quote(str(path))
    beside = f"{asked} --rules {file}"
    slots = {
        "name": name,
        "title": _title(name),
        "game": ruleset.id,
        "game_title": ruleset.base.title,
        "asked": asked,
        "check": file if within or by_name else beside,
        "run": f"{asked if within else beside} --with {name}",
        **_words(name, ruleset, _action_of(ruleset)),
    }
    return {path: _filled(VARIANT_TEMPLATE, slots)}, [
        f"houserule check {slots['check']}",
        f"houserule test {slots['check']}",
        f"houserule run {slots['run']}",
    ]


def _action_of(ruleset: LoadedRuleset) -> tree.Action:
    """Return the first action of a game that nothing seals and no variant removes.

    Raises:
        click.UsageError: there is none.
    """
    left_alone = {
        node.target.text
        for unit in ruleset.units
        for node in walk(unit)
        if isinstance(node, tree.Remove | tree.Sealed)
    }
    for item in ruleset.base.items:
        if isinstance(item, tree.Action) and item.name.text not in left_alone:
            return item
    raise click.UsageError(f"{ruleset.id} has no action that a rule could begin with.")


def _words(name: str, ruleset: LoadedRuleset, action: tree.Action) -> dict[str, str]:
    """Return what the file says in words, in the languages of the game.

    A language that the program does not speak is left out. If it is the first one, in
    which captions stand in the rules, they are English.
    """
    first, *others = ruleset.manifest.languages
    spoken = [first, *(each for each in others if each in languages("cli"))]
    said = {}
    for language in spoken:
        words, caption = Phrases("cli", language), action.caption
        own = caption.text if caption else action.name.text
        done = ruleset.caption(action.name.text, own, (), language) or own
        said[language] = {
            part: words.say(f"new {part}", action=done)
            for part in ("option", "state", "advice", "ruling", "example")
        }
    texts = {
        language: {
            "titles": {name: _title(name), f"{name}_most": said[language]["option"]},
            "captions": {
                f"{name}_count": said[language]["state"],
                f"{action.name.text}.{name}_advice": said[language]["advice"],
            },
        }
        for language in spoken[1:]
    }
    rulings = {language: said[language]["ruling"] for language in spoken}
    return {
        **said[first],
        "action": action.name.text,
        "rulings": _yaml(rulings, "      "),
        "texts": f"texts:{_yaml(texts, '  ')}\n" if texts else "",
    }


def _yaml(said: Mapping[str, object], indent: str) -> str:
    """Return blocks of YAML, on lines of their own beneath a key."""
    rows = ""
    for key, value in said.items():
        if isinstance(value, dict):
            rows += f"\n{indent}{key}:{_yaml(value, indent + '  ')}"
        else:
            rows += f"\n{indent}{key}: {json.dumps(value, ensure_ascii=False)}"
    return rows


def _declared(ruleset: LoadedRuleset) -> set[str]:
    """Return what a ruleset declares, whichever of its variants are on."""
    names = declared_names(ruleset.units)
    return names.titles | names.things | names.flow | names.slots.keys()


# ---- names and texts


def _check_name(name: str, taken: Mapping[str, str]) -> None:
    """See that a name can be one and is free.

    Args:
        name: what was asked for.
        taken: names that are not free, each with what it is.

    Raises:
        click.BadParameter: it cannot be; the message has a free one that is near.
    """
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "mine"
    plain = plain if plain[0].isalpha() else f"our_{plain}"
    words = keywords().union(BUILT_IN_FUNCTIONS, BUILT_IN_NAMES, {"position"})
    if name != plain:
        why = "is no name: small letters, digits and `_` make one"
    elif name in words:
        why = "is a word of the language"
    elif name in taken:
        why = f"is {taken[name]} already"
    else:
        return
    numbered = (f"{plain}_{number}" for number in count(2))
    near = chain((plain, f"our_{plain}"), numbered)
    free = next(each for each in near if each not in words and each not in taken)
    raise click.BadParameter(f"`{name}` {why}. Free is `{free}`.")


def _check_free(path: Path) -> None:
    if os.path.lexists(path):
        raise click.BadParameter(f"`{path}` is there already; nothing was written.")


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _filled(template: Path, slots: Mapping[str, str]) -> str:
    """Return a template with its slots filled; rules in the usual form."""
    text = Template(own_text(template)).substitute(slots)
    if template.suffix == ".rules":
        text, _ = format_text(Source(template.name, text))
    return text
