"""`houserule list`: the games, or what a game lets a table choose."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli.arguments import GAME
from houserule.cli.loading import open_ruleset
from houserule.cli.output import say, say_json
from houserule.manifest.load import load_manifest
from houserule.manifest.model import in_language
from houserule.resources import shipped_rulesets
from houserule.syntax import tree
from houserule.syntax.format import print_expr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.manifest.ruleset import Ruleset

EPILOG = """\b
Examples:
  houserule list                 every game that came with houserule
  houserule list pig             its variants, options and presets
  houserule list ./my-game --json
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A variant, option or preset: what it is called, and a line about it."""

    id: str
    title: str
    about: str


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@click.option("--lang", default="en", show_default=True, help="Language of titles.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(game: Path | None, lang: str, as_json: bool) -> None:
    """List the games, or a game's variants, options and presets."""
    if game is None:
        _games(lang, as_json)
    else:
        _game(open_ruleset(game), lang, as_json)


def _games(lang: str, as_json: bool) -> None:
    entries: list[dict[str, str]] = []
    for name, folder in shipped_rulesets().items():
        manifest, _ = load_manifest(folder)
        if manifest is not None:
            entries.append(
                {
                    "game": name,
                    "title": in_language(manifest.title, lang),
                    "summary": " ".join(in_language(manifest.summary, lang).split()),
                }
            )
    if as_json:
        say_json({"games": entries})
        return
    width = max((len(each["game"]) for each in entries), default=0)
    for each in entries:
        say(f"{each['game'].ljust(width)}  {each['title']}: {each['summary']}")


def _game(ruleset: Ruleset, lang: str, as_json: bool) -> None:
    names = ruleset.texts.get(lang, {})
    variants = [_unit(unit, names) for unit in ruleset.units_of("variant")]
    presets = [_unit(unit, names) for unit in ruleset.units_of("preset")]
    options = list(_options(ruleset, names))
    low, high = _players(ruleset)
    if as_json:
        say_json(
            {
                "game": ruleset.id,
                "title": in_language(ruleset.manifest.title, lang),
                "players": [low, high],
                "variants": [asdict(each) for each in variants],
                "options": [asdict(each) for each in options],
                "presets": [asdict(each) for each in presets],
            }
        )
        return
    title = in_language(ruleset.manifest.title, lang)
    say(f"{ruleset.id}: {title}, for {low} to {high} players")
    _section("Variants (--with)", variants)
    _section("Options (--set)", options)
    _section("Presets (--preset)", presets)


def _section(heading: str, entries: list[Entry]) -> None:
    if not entries:
        return
    say(f"\n{heading}")
    width = max(len(each.id) for each in entries)
    for each in entries:
        about = "; ".join(part for part in (each.title, each.about) if part)
        say(f"  {each.id.ljust(width)}  {about}".rstrip())


def _players(ruleset: Ruleset) -> tuple[int, int]:
    for item in ruleset.base.items:
        if isinstance(item, tree.Players):
            return item.low, item.high
    return 1, 1


def _unit(unit: tree.Unit, names: dict[str, str] | object) -> Entry:
    title = _title(unit.id, names) or (unit.caption.text if unit.caption else "")
    return Entry(unit.id, title, "; ".join(_relations(unit)))


def _title(name: str, names: object) -> str:
    return names.get(f"titles/{name}", "") if isinstance(names, dict) else ""


def _relations(unit: tree.Unit) -> Iterator[str]:
    for item in unit.items:
        match item:
            case tree.Relates(kind=kind, names=words):
                yield f"{kind} {_listed(words)}"
            case tree.Suggests(names=words):
                yield f"suggests {_listed(words)}"
            case tree.NeedsPlayers(low=low, high=high):
                yield f"needs {low} to {high} players"
            case tree.Extends(name=word):
                yield f"extends {word.text}"
            case tree.PresetWith(names=words):
                yield f"with {_listed(words)}"
            case tree.PresetSet(name=word, value=value):
                yield f"{word.text} = {print_expr(value)}"
            case _:
                continue


def _listed(words: Iterable[tree.Word]) -> str:
    return ", ".join(word.text for word in words)


def _options(ruleset: Ruleset, names: object) -> Iterator[Entry]:
    for unit in ruleset.units:
        for item in unit.items:
            if isinstance(item, tree.Option):
                name = item.name.text
                caption = item.caption.text if item.caption else ""
                about = f"normally {print_expr(item.normally)}"
                scale = _scale(item)
                only = f"with {unit.id}" if unit.kind != "game" else ""
                parts = [part for part in (scale, about, only) if part]
                yield Entry(name, _title(name, names) or caption, ", ".join(parts))


def _scale(option: tree.Option) -> str:
    step = f" step {option.step}" if option.step else ""
    match option.type:
        case tree.RangeType(low=int(low), high=int(high)):
            return f"{low}..{high}{step}"
        case tree.NamedType(name=name):
            return name
        case tree.FlagType():
            return "yes or no"
        case _:
            return ""
