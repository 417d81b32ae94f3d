"""The measured effect of each house rule alone, from a file beside the rules.

`tools/write_measured.py` lets greedy bots play every house rule of the built-in games,
and writes the clear differences. Menus and READMEs print them in a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import RootModel, ValidationError

from houserule.base.files import read_source
from houserule.base.plain import Strict
from houserule.base.resources import Phrases
from houserule.language.manifest.ruleset import LoadedRuleset

MEASURED = "measured.json"  # in the folder of a game
SHARES = ("p1 wins", "draws", "won by nobody", "stalled")
TOLD = ("rounds", "choices", *SHARES, "score", "winning margin")
"""The measures that may be printed, the most telling first."""
MOST = 3  # in a line


class MeasuredRule(Strict):
    """The clear differences that a house rule makes, alone in the base game."""

    players: int
    games: int
    """Games at each of the two tables."""
    changes: dict[str, tuple[float, float]]
    """By measure: without it, and with it."""


class MeasuredFile(RootModel[dict[str, MeasuredRule | None]]):
    """The house rules of a game by name; None if the base game cannot have it alone."""


def measured_rules(ruleset: LoadedRuleset) -> Mapping[str, MeasuredRule | None]:
    """Return what is known of house rules; nothing from a damaged file.

    Use `ruleset.derived(measured_rules)`.
    """
    path = ruleset.folder / MEASURED
    if not path.is_file():
        return {}
    try:
        return MeasuredFile.model_validate_json(read_source(path).text).root
    except ValidationError:
        return {}


@cache
def _words(language: str) -> Phrases:
    return Phrases("menu", language)


def measured_line(ruleset: LoadedRuleset, name: str, language: str) -> str:
    """Return the measured effect of a house rule in a line; '' if it is unknown."""
    rule = ruleset.derived(measured_rules).get(name)
    if rule is None:
        return ""
    say = _words(language).say
    return say("measured", parts=differences(rule, language))


def differences(rule: MeasuredRule, language: str) -> str:
    """Return the clear differences in words, the most telling first."""
    say = _words(language).say
    parts: list[str] = []
    for measure in TOLD:
        known = measure in rule.changes and len(parts) < MOST
        if not known or (measure == "choices" and "rounds" in rule.changes):
            continue
        scale = 100 if measure in SHARES else 1
        both = [each * scale for each in rule.changes[measure]]
        digits = 0 if scale == 100 or max(map(abs, both)) >= 20 else 1
        texts = (f"{each:.{digits}f}" for each in both)
        before, after = (each.replace(".", say("decimal mark")) for each in texts)
        parts.append(say(f"measured {measure}", before=before, after=after))
    return "; ".join(parts) or say("measured same")
