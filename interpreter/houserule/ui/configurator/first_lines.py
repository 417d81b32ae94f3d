"""The lines of a new house rule of one kind: a step, a condition, a cost and so on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from string import Template

from houserule.base.source import Source
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.write.format import format_text
from houserule.ui.configurator.beginning import title_of

LINES = {
    "step": """\
step $phase.$name "$title": at most once
order $at then $name
state ${name}_times(p: Player) "How often a player has done it": 0..1000 starts as 0
action ${name}_do during $name "$title"
  # Replace this effect; `houserule explain effects` lists others.
  does now: ${name}_times(me) becomes min(1000, ${name}_times(me) + 1)
""",
    "condition": """\
# Replace `yes` by your condition; `houserule explain expressions` has examples.
needs $at.$name "$title": yes
""",
    "cost": 'cost $at.$name "$title": $number(me) loses 1\n',
    "number": "default $at: $value\n",
    "card": "change $at from $old to $new\n",
}
NUMBER = re.compile(
    r"^option (\w+).*?: (-?\d+)\.\.(-?\d+)(?: step (\d+))? normally (-?\d+)", re.M
)
COMPONENT = re.compile(r'^component (\w+).*?from "(.+?)"', re.M)


def places(ruleset: LoadedRuleset, kind: str) -> Mapping[str, Mapping[str, object]]:
    """Return the names that a house rule of a kind can edit, with words for its lines.

    Only names of the base game count, and none that is sealed or that a house rule
    removes.
    """
    from houserule.rulebook.meanings.game_names import game_names

    groups = game_names(ruleset, "", ruleset.manifest.languages[0]).groups
    names = [each for group in groups for each in group.names]
    names = [each for each in names if not each.unit and not each.sealed]
    variants = chain.from_iterable(unit.items for unit in ruleset.units)
    removed = {each.target.text for each in variants if isinstance(each, tree.Remove)}
    above = {each.name: each.above for each in names}
    items = ruleset.base.items
    actions = [each for each in items if isinstance(each, tree.Action)]
    texts = "\n".join(each.text for each in ruleset.sources.values())
    match kind:
        case "step":
            steps = dict.fromkeys(each.at.text for each in actions)
            phases = [each for each in items if isinstance(each, tree.Phase)]
            full = {each.name.text for each in phases if each.together}  # has one step
            inside = {each: above.get(each) for each in steps}
            return {
                step: {"phase": phase}
                for step, phase in inside.items()
                if phase and phase not in full and not {step, phase} & removed
            }
        case "condition":
            names_ = [each.name.text for each in actions]
            at = (*names_, *(each.at.text for each in actions))
            return {each: {} for each in at if each not in removed}
        case "cost":
            states = [each for each in items if isinstance(each, tree.State)]
            own = re.findall(r"^state (\w+)\(\w+: Player\).*?: -?\d+\.\.", texts, re.M)
            number = next((s.name.text for s in states if s.name.text in own), None)
            if number is None:
                return {}
            names_ = [each.name.text for each in actions]
            return {each: {"number": number} for each in names_ if each not in removed}
        case "number":
            found = {}
            for name, *range_ in NUMBER.findall(texts):
                low, high, step, normal = (int(each or 1) for each in range_)
                value = normal + step if normal + step <= high else normal - step
                if name in above and low <= value:
                    found[name] = {"value": value}
            return found
        case _:
            cells = {}
            for component, path in COMPONENT.findall(texts):
                rows = ruleset.tables.get(path, ()) if component in above else ()
                for row in rows:
                    for column, cell in row.cells.items():
                        others = [each.cells.get(column) for each in rows]
                        values = [each.value for each in others if each is not None]
                        new = next((v for v in values if v != cell.value), None)
                        if type(cell.value) is type(new) is int:
                            place = f"{component}.{row.id}.{column}"
                            cells[place] = {"old": cell.value, "new": new}
            return cells


def lines_of(ruleset: LoadedRuleset, name: str, kind: str, at: str) -> str:
    """Return the text of a house rule of a kind, at a name that `places` returns."""
    slots = {"name": name, "title": title_of(name), "at": at}
    slots |= {key: str(each) for key, each in places(ruleset, kind)[at].items()}
    head = f'variant {name} for {ruleset.id} "{title_of(name)}"\n\n'
    text = head + Template(LINES[kind]).substitute(slots)
    return format_text(Source(f"{name}.rules", text))[0]
