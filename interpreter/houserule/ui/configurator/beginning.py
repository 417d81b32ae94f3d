"""A starter house rule: complete, and ready to edit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from string import Template

from houserule.base.resources import LANGUAGES, Phrases, own_text
from houserule.base.source import Source
from houserule.language.manifest.declared_names import declared_names
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk
from houserule.language.syntax.write.format import format_text

PARTS = ["option", "state", "value", "advice", "ruling", "example", "yes", "no"]
TEMPLATE = Path(__file__).parent / "templates" / "variant.rules"


def rule_to_begin_with(ruleset: LoadedRuleset, name: str, head: str = "") -> str:
    """Return the text of a working house rule to start with.

    It counts how often the first action was chosen, and then advises against it.

    Args:
        name: the name of the house rule; unused in the game.

    Raises:
        LookupError: the game has no suitable action.
    """
    # The file's captions in the languages of the game
    action = first_action(ruleset)
    first, *others = ruleset.manifest.languages
    spoken = [first, *(each for each in others if each in LANGUAGES)]
    said = {}
    for language in spoken:
        words, caption = Phrases("menu", language), action.caption
        own = caption.text if caption else action.name.text
        done = ruleset.caption(action.name.text, own, (), language) or own
        said[language] = {
            part: words.say(f"new {part}", action=done, p="{p}") for part in PARTS
        }
    texts: dict[str, dict[str, object]] = {}
    for language, own_texts in said.items():
        # The captions of the file itself are in the first language.
        translated = {
            "titles": {name: title_of(name), f"{name}_most": own_texts["option"]},
            "captions": {
                f"{name}_count": own_texts["state"],
                f"{name}_enough": own_texts["value"],
                f"{action.name.text}.{name}_advice": own_texts["advice"],
            },
        }
        readings = {f"{name}_enough": {key: own_texts[key] for key in ("yes", "no")}}
        more = {} if language == first else translated
        texts[language] = {**more, "readings": readings}
    rulings = {language: said[language]["ruling"] for language in spoken}
    slots = {
        "name": name,
        "title": title_of(name),
        "game": ruleset.id,
        **{
            **said[first],
            "action": action.name.text,
            "rulings": _yaml(rulings, "      "),
            "texts": f"texts:{_yaml(texts, '  ')}\n",
        },
    }
    text = head + Template(own_text(TEMPLATE)).substitute(slots)
    return format_text(Source(TEMPLATE.name, text))[0]


def first_action(ruleset: LoadedRuleset) -> tree.Action:
    """Return the first action of a game that is not sealed or removed by a variant.

    Raises:
        LookupError: nothing is suitable.
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
    raise LookupError(f"{ruleset.id} has no action that a rule could begin with.")


def _yaml(said: Mapping[str, object], indent: str) -> str:
    """Return blocks of YAML, on separate lines below a key."""
    rows = ""
    for key, value in said.items():
        if isinstance(value, dict):
            rows += f"\n{indent}{key}:{_yaml(value, indent + '  ')}"
        else:
            rows += f"\n{indent}{key}: {json.dumps(value, ensure_ascii=False)}"
    return rows


def names_in(ruleset: LoadedRuleset) -> set[str]:
    """Return all names that a ruleset and all its variants declare."""
    names = declared_names(ruleset.units)
    return names.titles | names.things | names.flow | names.slots.keys()


def title_of(name: str) -> str:
    return name.replace("_", " ").capitalize()
