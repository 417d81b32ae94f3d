"""What a ruleset says in its first language, and does not say in another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import sentence
from houserule.compiler.items.items import origin_of, placed_items
from houserule.compiler.merge.messages import titled
from houserule.language.manifest.declared_names import addressed
from houserule.language.manifest.load import BESIDE
from houserule.language.manifest.ruleset import LoadedRuleset

MOST_NAMED = 6
# A unit's own words; what a player may type besides, and which variables need names,
# differs with the language.
NOT_WANTED = ("also", "names", "notes")


W039 = MessageCode("W039", "not in every language")
"""A caption, a title or another word is missing in a language that `ruleset.yaml`
declares.

**Why.** Who plays in that language sees the words of another one in the midst of his
own. Wanted is what has words in the rules or in the file of the first language. A rule
that lies beside the game may do without a language altogether.

**For example**

```text
captions:
  hold.bank: Der Topf gehört dir
  # and nothing for hold.win
```

**Way out.** Add the words to the file of the language, or take the language out of
`languages` and delete its file, as in a [copy](../commands.md#copy) of a game that is
only played in one.
"""


def untranslated(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield W039 for each unit whose words a declared language lacks.

    Wanted is a caption or title for each in the rules, and whatever the file of the
    first language has. Of a unit that lies beside the game nothing is wanted in a
    language in which it has no words at all.
    """
    first, *others = ruleset.manifest.languages
    said = _said(ruleset, first)
    beside = {ruleset.files[f"{BESIDE}{each.name}"].name for each in ruleset.beside}
    for language in others:
        words = {_entry(key) for key in ruleset.texts.get(language, ())}
        for unit in ruleset.units:
            missing = [
                key
                for key in said[unit.id]
                if not (key in words or ("/" not in key and f"titles/{key}" in words))
            ]
            unasked = unit.span.file in beside and len(missing) == len(said[unit.id])
            if missing and not unasked:
                who = sentence(titled(origin_of(unit)))
                yield fault(
                    W039,
                    f"{who} has no words in {language} for {_listed(missing)}.",
                    unit.names[0].span,
                    fixes=(
                        f"Write them into text/{language}.yaml, or under `texts` "
                        "beneath the rule.",
                        f"Do without {language}: take it out of `languages` in "
                        f"ruleset.yaml, and delete text/{language}.yaml.",
                    ),
                )


def _listed(keys: list[str]) -> str:
    """Return the first of some entries by their sections, and how many more."""
    sections: dict[str, list[str]] = defaultdict(list)
    for key in keys[:MOST_NAMED]:
        section, _, address = key.rpartition("/")
        sections[section.partition("/")[0] or "captions"].append(address)
    parts = [f"{name}: {', '.join(each)}" for name, each in sections.items()]
    more = len(keys) - MOST_NAMED
    return "; ".join(parts) + (f" and {more} more" if more > 0 else "")


def _entry(key: str) -> str:
    """Return the entry of a text file: without the forms of a name, or its values."""
    section, _, rest = key.partition("/")
    if section == "readings":
        return f"{section}/{rest.partition('/')[0]}"
    return key.partition(":")[0]


def _said(ruleset: LoadedRuleset, first: str) -> dict[str, list[str]]:
    """Return what has words in the rules or in the first language's file, by unit."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    home = {unit.id: unit.id for unit in ruleset.units}
    for placed in reversed(placed_items(ruleset)):  # the game's own come last, and win
        unit = placed.origin.unit or ruleset.base.id
        home.update((each.address, unit) for each in placed.declares)
    for one in ruleset.units:
        if one.caption is not None:
            found[one.id][f"titles/{one.id}"] = None
        for address, node in addressed(one):
            if getattr(node, "caption", None) is not None:
                found[one.id][address] = None
    for key in map(_entry, ruleset.texts.get(first, ())):
        section, _, address = key.rpartition("/")
        if section.partition("/")[0] in {"changed", "changed_prose"}:
            found[section.partition("/")[2]][key] = None
        elif section not in NOT_WANTED:
            while address not in home and "." in address:
                address = address.rpartition(".")[0]
            found[home.get(address, ruleset.base.id)][key] = None
    return {unit.id: list(found[unit.id]) for unit in ruleset.units}
