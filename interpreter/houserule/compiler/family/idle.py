"""Unused declarations, and edits and presets without effect.

It reads the items of the product line and composes no table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    fault,
    in_reading_order,
)
from houserule.base.diagnostics.wording import sentence
from houserule.compiler.items.content import bare
from houserule.compiler.items.items import origin_of
from houserule.compiler.items.mentions import mentions
from houserule.compiler.merge.changes import caption_of
from houserule.compiler.merge.messages import titled
from houserule.compiler.merge.resolve import resolution_of
from houserule.compiler.tables.choose import choose_table
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

WHAT: dict[type[tree.Node], str] = {
    tree.TypeDecl: "type",
    tree.Component: "component",
    tree.DiceDecl: "kind of dice",
    tree.Tokens: "kind of token",
    tree.Zone: "zone",
    tree.State: "state",
    tree.Value: "value",
    tree.Option: "option",
    tree.Effect: "effect",
}
RELATIONS = (tree.Relates, tree.OneOf, tree.Suggests, tree.NeedsPlayers, tree.Remark)


W038 = MessageCode("W038", "unused declaration")
"""Something is declared, and no other line of the game or of its variants names it.

**Why.** An unused declaration does nothing. Usually a line was forgotten, or another
name was meant. A thing that only a board or the layout in `ruleset.yaml` shows counts
as used. So does a state or a zone that is `seen only by` some seats: its players use
it.

**For example**

```text
state doubled: yes or no starts as no      # and nothing reads or changes it
```

**Fix.** Use it, or delete it.
"""


W409 = MessageCode("W409", "type with one member")
"""A type has a single member, and nothing extends it.

**Why.** `type T = x` makes a list of names with one name, `x`. It does not give another
type a second name.

**For example**

```text
type Worth = Ranks           # a type whose only member is called Ranks
```

**Fix.** Name the other members, `type Worth = low | high`, or use the type that you
mean.
"""


W407 = MessageCode("W407", "edit without effect")
"""An edit leaves everything as it was, or a variant has no rule at all.

**Why.** A table would turn it on and play as before.

**For example**

```text
variant long_game for pig
default target: 100          # it is 100 already
```

A variant without rules is fine if others name it: in `with …:`, in a bridge, or in
`exactly one of`.

**Fix.** Write the intended change, or delete it.
"""


W408 = MessageCode("W408", "preset without a choice")
"""A preset chooses nothing, or the same as another one.

**Why.** Players who pick it get a game that already has another name.

**For example**

```text
preset friday for pig "Friday evening"
```

**Fix.** Choose a variant or a value in it, or delete it. If it should be the unchanged
game, state this in its source note, with a ruling or a place in the rulebook.
"""


def idle_parts(ruleset: LoadedRuleset) -> list[Diagnostic]:
    """Return W038, W407, W408 and W409: parts without use or effect.

    The ruleset must have no errors.
    """
    resolution = resolution_of(ruleset)
    family = resolution.family
    found: list[Diagnostic] = []
    fixes: tuple[str, ...]

    # Declarations that no other item mentions.
    users: dict[str, set[int]] = defaultdict(set)
    for number, placed in enumerate(family.placed):
        for mention in mentions(placed):
            users[mention.name].add(number)
        if isinstance(placed.item, tree.Reaction) and placed.item.moment == "when":
            users[placed.item.event.text].add(number)
    manifest = ruleset.manifest
    drawn = set(_words([manifest.position, *manifest.boards]))
    for number, placed in enumerate(family.placed):
        what = WHAT.get(type(placed.item))
        names = {each.name for each in placed.declares if each.name}
        seen = (
            placed.item.seen
            if isinstance(placed.item, tree.State | tree.Zone)
            else None
        )
        secret = seen not in (None, tree.SetOf(()), tree.Name("everyone"))
        used = names & drawn or any(users[name] - {number} for name in names)
        if what and not used and not secret:
            first = placed.clauses[0]
            message = f"Nothing uses the {what} {first.name}."
            fixes = ("Use it, or delete it.",)
            found.append(fault(W038, message, first.span, fixes=fixes))

    # Types with one member that nothing extends.
    extended = {edit.target for _, edit in family.edits if edit.verb == "extend"}
    for placed in family.placed:
        match placed.item:
            case tree.TypeDecl(name, (only,)) if name.text not in extended:
                message = f"{name.text} is a type with one member, {only.text}."
                details = ("A list of names makes them; it names no other type.",)
                fixes = (f"name the others:  type {name.text} = {only.text} | …",)
                span = only.span
                found.append(fault(W409, message, span, details=details, fixes=fixes))
            case _:
                pass

    # Edits that change nothing.
    for hit in resolution.hits:
        node = hit.node
        match hit.placed.item:
            case tree.Change(caption=None) if hit.edit.key == hit.edit.expects:
                said = "changes {} to the value that it already has"
            case tree.Recaption(caption=words) if words == caption_of(node):
                said = "gives {} the caption that it has"
            case tree.Tune(amount=tree.Int(0)):
                said = "raises {} by nothing"
            case tree.SetDefault(value=value) if isinstance(node, tree.Option) and bare(
                value
            ) == bare(node.normally):
                said = "sets {} to what it normally is"
            case _:
                continue
        message = f"{sentence(titled(hit.origin))} {said.format(hit.edit.target)}."
        base = Label(hit.aims[0].span, "", "it is here:")
        fixes = ("Delete the line, or write the difference.",)
        found.append(fault(W407, message, hit.span, others=[base], fixes=fixes))

    # Variants without rules. If others name a variant, it is a switch.
    named = {
        name.text
        for unit in ruleset.units
        for each in (unit, *unit.items)
        if isinstance(each, tree.OneOf | tree.WithGuard | tree.Relates)
        or (each is unit and unit.kind == "bridge")
        for name in each.names
    }
    for unit in ruleset.units_of("variant"):
        switches = any(
            isinstance(each, tree.Relates) and each.kind == "implies"
            for each in unit.items
        )
        about = all(isinstance(each, RELATIONS) for each in unit.items)
        if about and not switches and unit.id not in named:
            message = f"{sentence(titled(origin_of(unit)))} changes nothing."
            fixes = ("Write what it changes, or delete it.",)
            found.append(fault(W407, message, unit.names[0].span, fixes=fixes))

    # Presets without choices, or with the choices of another one. A preset with a
    # citation is the game as sold, on purpose.
    known: dict[object, str] = {}
    for unit in ruleset.units_of("preset"):
        if all(isinstance(each, tree.Remark) for each in unit.items):
            if not unit.notes:
                message = f'The preset "{unit.title}" chooses nothing.'
                details = ("It is the game as it comes.",)
                fixes = (
                    "Choose something in it:  with VARIANT  or  set OPTION: VALUE",
                    "Say in its margin that it is meant so:  [ruling NAME]",
                )
                span = unit.names[0].span
                found.append(fault(W408, message, span, details=details, fixes=fixes))
            continue
        table, _ = choose_table(ruleset, preset=unit.id)
        assert table is not None, "the presets have no errors"
        options = tuple(sorted((k, repr(v)) for k, v in table.options.items()))
        chosen = table.variants, options
        if chosen in known:
            same = f'chooses the same as "{known[chosen]}"'
            message = f'The preset "{unit.title}" {same}.'
            fixes = ("Choose something else in it, or delete it.",)
            found.append(fault(W408, message, unit.names[0].span, fixes=fixes))
        known.setdefault(chosen, unit.title)
    return in_reading_order(found)


def _words(part: Any) -> Iterator[str]:  # noqa: ANN401  # models and their contents
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from _words([*part, *part.values()])
    elif isinstance(part, Iterable):
        for each in part:
            yield from _words(each)
