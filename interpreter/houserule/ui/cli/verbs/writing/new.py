"""`houserule new`: a complete house rule, game or package of games to start with."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import chain, count
from pathlib import Path
from string import Template
from typing import Literal

import click

from houserule.base.diagnostics.wording import nearest_few
from houserule.base.files import new_folder, write_whole
from houserule.base.limits import is_isolated
from houserule.base.resources import (
    installed,
    own_text,
    ruleset_around,
    ruleset_called,
    shipped_rulesets,
)
from houserule.base.source import Source
from houserule.language.syntax.vocabulary import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    reserved,
)
from houserule.language.syntax.write.format import format_text
from houserule.ui.cli.arguments import GAME, open_ruleset
from houserule.ui.cli.output import say, say_json, writable, write_file
from houserule.ui.configurator.beginning import (
    first_action,
    names_in,
    rule_to_begin_with,
    title_of,
)
from houserule.ui.configurator.first_lines import LINES, lines_of, places

TEMPLATES = Path(__file__).parent / "templates"
VARIANT_HEAD = TEMPLATES / "variant_head.rules"
GAME_TEMPLATE = TEMPLATES / "game"
PACKAGE_TEMPLATE = TEMPLATES / "package"  # its folder PACKAGE gets the package's name
EXAMPLE = "example"
EPILOG = """\b
Examples:
  houserule new variant late_hold --for pig
  houserule new variant late_hold --for pig --kind condition --at hold
  houserule new variant late_hold --for pig --in our-rules
  houserule new variant late_hold --for ./my-game --in my-game/variants
  houserule new game dash                     the folder dash, with a game
  houserule new package our_games             a Python package with a game
"""


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(("variant", "game", "package")))
@click.argument("name")
@click.option("--for", "game", metavar="GAME", help="The game of the house rule.")
@click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="FOLDER",
    help="The folder to write to; normally this one.",
)
@click.option(
    "--kind",
    type=click.Choice((*LINES, EXAMPLE)),
    help=(
        "Write only the lines of a new step, condition, cost, number or card; normally "
        "a complete example."
    ),
)
@click.option(
    "--at",
    metavar="NAME",
    help="The step before a new step; the action, option or card that it is about.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    what: Literal["variant", "game", "package"],
    name: str,
    game: str | None,
    folder: Path,
    kind: str | None,
    at: str | None,
    as_json: bool,
) -> None:
    """Write a working house rule, game or package of games as a starting point.

    Comments in the file explain what to do next. Nothing is overwritten. At a terminal,
    it asks for the kind of house rule and its place.
    """
    target = folder / name
    if what != "variant":
        if given := [
            flag
            for flag, value in (("--for", game), ("--kind", kind), ("--at", at))
            if value is not None
        ]:
            message = f"`{given[0]}` goes with a variant; a {what} is new."
            raise click.UsageError(message)
        # The files of a new game or package, and the commands to try next
        known = [*shipped_rulesets(), *(each.name for each in installed().rulesets)]
        taken = dict.fromkeys(known, "the name of a game")
        if what == "package" and name.isidentifier() and find_spec(name):
            taken[name] = "a Python package"
        _check_name(name, taken)
        _check_free(target)
        said = shlex.quote(str(target))
        slots = {"name": name, "title": title_of(name), "folder": said}
        parts = {target: GAME_TEMPLATE}
        following = [f"houserule {verb} {said}" for verb in ("check", "test", "play")]
        if what == "package":
            rules = target / name / "rulesets" / name
            slots["project"] = name.replace("_", "-")
            slots["folder"] = shlex.quote(str(rules))
            parts = {target: PACKAGE_TEMPLATE, rules: GAME_TEMPLATE}
            following = [
                f"pip install -e {said}",
                f"houserule check {name}",
                f"houserule play {name}",
            ]
        written: dict[Path, str] = {}
        for place, template in parts.items():
            for path in sorted(template.rglob("*.*")):
                if path.is_file():
                    text = Template(own_text(path)).substitute(slots)
                    if path.suffix == ".rules":
                        text, _ = format_text(Source(path.name, text))
                    file = path.relative_to(template).as_posix()
                    written[place / file.replace("PACKAGE", name)] = text
    else:
        if game is None:
            raise click.UsageError("For which game? Name it with --for GAME.")
        # The file of a new house rule, and the commands to try next
        lies = GAME.convert(game, None, None)
        ruleset = open_ruleset(lies)
        _check_name(name, dict.fromkeys(names_in(ruleset), f"a name in {ruleset.id}"))
        path = folder / f"{name}.rules"
        _check_free(path)
        around = ruleset_around(path)
        within = around is not None and around.samefile(lies)
        by_name = ruleset_called(ruleset.id) == lies
        asked, file = shlex.quote(game), shlex.quote(str(path))
        beside = f"{asked} --rules {file}"
        try:
            action = first_action(ruleset)
        except LookupError as error:
            raise click.UsageError(str(error)) from None
        slots = {
            "game_title": ruleset.base.title,
            "asked": asked,
            "action": action.name.text,
            "check": file if within or by_name else beside,
            "run": f"{asked if within else beside} --with {name}",
        }
        following = [
            f"houserule check {slots['check']}",
            f"houserule test {slots['check']}",
            f"houserule run {slots['run']}",
        ]
        asks = sys.stdin.isatty() and not as_json and not is_isolated()
        if kind is None and asks:
            kind = click.prompt("Kind", EXAMPLE, type=click.Choice((*LINES, EXAMPLE)))
        if kind is None or kind == EXAMPLE:
            if at is not None:
                raise click.UsageError("`--at` needs `--kind`.")
            head = Template(own_text(VARIANT_HEAD)).substitute(slots)
            written = {path: rule_to_begin_with(ruleset, name, head)}
        else:
            spots = places(ruleset, kind)
            if not spots:
                raise click.UsageError(f"{ruleset.id} has nothing for a {kind}.")
            if at is None and asks:
                at = click.prompt("At", next(iter(spots)), type=click.Choice(spots))
            if at is None or at not in spots:
                near = nearest_few(at or "", spots) or [*spots][:20]
                wrong = f"has no place `{at}`" if at else "has several places"
                offers = f"Use --at with one of: {', '.join(near)}."
                raise click.UsageError(f"{ruleset.id} {wrong} for a {kind}. {offers}")
            written = {path: lines_of(ruleset, name, kind, at)}
            del following[1]  # it has no examples yet
    with writable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if what != "variant":  # the whole folder or nothing
        with writable(target), new_folder(target) as new:
            for path, text in written.items():
                into = new / path.relative_to(target)
                into.parent.mkdir(parents=True, exist_ok=True)
                write_whole(into, text)
    else:
        for path, text in written.items():
            write_file(path, text)
    if as_json:
        say_json({"written": [str(path) for path in written], "next": following})
        return
    for path in written:
        say(f"written: {path}")
    say("\nNext:")
    for line in following:
        say(f"  {line}")


def _check_name(name: str, taken: Mapping[str, str]) -> None:
    """Check that a name is valid and free.

    Args:
        name: the requested name.
        taken: reserved names, each with its kind.

    Raises:
        click.BadParameter: it is not; the message suggests a similar free name.
    """
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "mine"
    plain = plain if plain[0].isalpha() else f"our_{plain}"
    words = reserved().union(BUILT_IN_FUNCTIONS, BUILT_IN_NAMES, {"position"})
    if name != plain:
        why = "is not a name; use small letters, digits and `_`"
    elif name in words:
        why = "is a reserved word"
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
