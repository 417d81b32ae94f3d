"""Tables by the parameters of a game string, as OpenSpiel has them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from houserule.api.ruleset import load, open_table
from houserule.environments.actions import action_space
from houserule.environments.tree import GameTree
from houserule.language.manifest.ruleset import Plain

NAME = "python_houserule"
PARAMETERS: Mapping[str, str | int] = {
    "ruleset": "",
    "preset": "",
    "with": "",
    "without": "",
    "set": "",
    "players": 0,
    "rules": "",
    "table": "",
    "actions": "listed",
    "cut": 0,
    "reward": "win",
    "chance": "explicit",
    "recall": 0,
    "decisions": 0,
}
"""What a game string may say, with what holds where it does not."""


def game_string(ruleset: str | Path, **parameters: str | int) -> str:
    """Return the string that makes OpenSpiel load a table.

    Args:
        ruleset: a shipped game by name, or the path of a ruleset's folder.
        parameters: as `PARAMETERS` has them; `with_` stands for `with`.

    Raises:
        ValueError: there is no such parameter.

    Example:
        >>> from houserule.environments import openspiel
        >>> openspiel.game_string("pig", players=3, set="target:50")
        'python_houserule(ruleset=pig,players=3,set=target:50)'
    """
    said = {"ruleset": str(ruleset)}
    for name, value in parameters.items():
        said[name.removesuffix("_")] = str(value)
    for name, text in said.items():
        if name not in PARAMETERS:
            raise ValueError(
                f"There is no parameter `{name}`. Parameters: {', '.join(PARAMETERS)}."
            )
        if any(sign in text for sign in ",()="):
            raise ValueError(f"{name}: a game string cannot hold `{text}`")
    return f"{NAME}({','.join(f'{name}={text}' for name, text in said.items())})"


@lru_cache(maxsize=32)
def tree_of(*values: str | int) -> GameTree:
    """Return the tree of a table by the values of `PARAMETERS`, in their order."""
    said = dict(zip(PARAMETERS, values, strict=True))
    if bool(said["ruleset"]) == bool(said["table"]):
        raise ValueError(
            f"Name a ruleset, as in {NAME}(ruleset=GAME), or a table file: "
            f"{NAME}(table=FILE)."
        )
    if said["table"] and said["rules"]:
        raise ValueError("A table file names its rules: leave out `rules`.")
    settings: dict[str, Plain] = {}
    for each in _words(said["set"]):
        name, colon, value = each.partition(":")
        if not colon:
            raise ValueError(f"set={each}: say an option as NAME:VALUE")
        settings[name] = value.replace("/", ",")
    choose = (
        open_table(str(said["table"])).change
        if said["table"]
        else load(str(said["ruleset"]), rules=_words(said["rules"])).table
    )
    table = choose(
        preset=str(said["preset"]) or None,
        with_=_words(said["with"]),
        without=_words(said["without"]),
        settings=settings or None,
        players=int(said["players"]) or None,
    )
    actions = action_space(
        table.program, cast("Any", said["actions"]), int(said["cut"]) or None
    )
    return GameTree(table, actions, cast("Any", said["chance"]), (tree_of, values))


def _words(said: str | int) -> list[str]:
    return [word for word in str(said).split("+") if word]
