"""Options: the actual value, from the base, one default, one change or the table.

A table's own choice overrides a default; against a change it is E305. If two defaults
differ, the table must choose (E303). A raise moves the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from houserule.base.diagnostics.characters import advice_on
from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import VALUES_ELSEWHERE, number_word
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.merge.changes import tuned
from houserule.compiler.merge.messages import titled
from houserule.compiler.merge.resolve import Hit
from houserule.compiler.options.scales import (
    Constants,
    NotConstantError,
    NoTypeError,
    OffScaleError,
    fitted,
    shown,
)
from houserule.language.manifest.ruleset import Plain
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import MAIN

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft, Entry


@frozen
class Suggested:
    """A default that one unit suggests for an option."""

    hit: Hit
    value: Plain


@frozen
class SettingPlace:
    """The place of an option in a file: its name, its value, members of a set."""

    name: Span
    value: Span
    members: tuple[Span, ...] = ()


E304 = MessageCode("E304", "option value not allowed")
"""An option is set to a value that it does not allow.

**Why.** Options are declared with a range, and maybe a step.

**For example**

```console
houserule run x_pasch --set winning_score=95
```

**Fix.** Use one of the nearest values in the message.
"""


def settle_defaults(draft: Draft) -> list[Diagnostic]:
    """Set the default of every option; return E304 for invalid ones.

    If defaults differ, that of the base stays; the table must choose.
    """
    for (address, word), hits in draft.hits_of("default", "raise").items():
        entry = draft.entries[address]
        if entry.kind == "option" and word == MAIN:
            fixed = bool(changes_of(draft, address))
            _settle(draft, entry, hits, fixed=fixed)
    constants = Constants(draft, {})
    found = []
    for entry in draft.of_kind("option"):
        node = entry.node
        assert isinstance(node, tree.Option)
        span = node.normally.span if node.normally.span.line else entry.span
        try:
            plain = constants.value(node.normally)
            fitted(plain, constants.scale(node))
        except OffScaleError as error:
            text = f"The default {entry.address} = {shown(plain)} {error}"
            meant = VALUES_ELSEWHERE.get(shown(plain), "")
            flag = isinstance(node.type, tree.FlagType) and meant in {"yes", "no"}
            found.append(fault(E304, text, span, fixes=(meant,) if flag else ()))
        except NoTypeError:
            continue
        except NotConstantError as error:
            text = (
                f"The option {entry.address} has neither a plain value nor a scale: "
                f"{error}."
            )
            found.append(fault(E304, text, error.span if error.span.line else span))
    return found


def _settle(draft: Draft, entry: Entry, hits: list[Hit], *, fixed: bool) -> None:
    node = entry.node
    assert isinstance(node, tree.Option)
    keys = {hit.edit.key for hit in hits if hit.edit.verb == "default"}
    for hit in hits:
        item = hit.placed.item
        if isinstance(item, tree.SetDefault) and not fixed and len(keys) == 1:
            node = replace(node, normally=item.value)
    for hit in hits:
        if isinstance(hit.placed.item, tree.Tune):
            node = replace(node, normally=tuned(node.normally, hit.placed.item))
    for hit in hits:
        notes = (*draft.entries[entry.address].notes, *hit.notes)
        draft.edited(entry.address, hit.origin, node=node, notes=notes)


def changes_of(draft: Draft, option: str) -> list[Hit]:
    return draft.hits_of("change").get((option, MAIN), [])


def suggestions(draft: Draft, option: str) -> list[Suggested]:
    """Return the defaults that variants suggest, by name of the variant."""
    constants = Constants(draft, {})
    found = []
    for hit in draft.hits_of("default").get((option, MAIN), []):
        item = hit.placed.item
        assert isinstance(item, tree.SetDefault)
        try:
            found.append(Suggested(hit, constants.value(item.value)))
        except NotConstantError:
            continue  # settle_defaults reports it
    return found


E303 = MessageCode("E303", "option needs a value")
"""Two variants suggest different values for one option, and the table has not chosen.

**Why.** A `default` is only a suggestion. Two of them cancel each other out.

**For example**

```console
houserule run GAME --with deluxe,long_game
```

**Fix.** Choose: `--set winning_score=150`.
"""


E305 = MessageCode("E305", "option fixed by variant")
"""The table sets an option that a variant fixes at another value.

**Why.** A `change` is a rule, not a suggestion; the table cannot overrule it.

**For example**

```console
houserule run GAME --with short_game --set winning_score=150
```

**Fix.** Turn the variant off, or ask its author to write `default` instead of `change`.
"""


def values_of(
    draft: Draft,
    settings: Mapping[str, Plain],
    places: Mapping[str, SettingPlace] = MappingProxyType({}),
) -> tuple[dict[str, Plain], list[Diagnostic]]:
    """Return the value of every option of a table, and the errors.

    `settings` are the table's own choices, of options in this draft; `places` are their
    places in a file.
    """
    done: dict[str, Plain] = {}
    found: list[Diagnostic] = []
    # A range may depend on another option, so a text in it is parsed first.
    for constants in (Constants(draft, dict(settings)), Constants(draft, done)):
        found = []
        for entry in draft.of_kind("option"):
            done[entry.address] = _value(
                draft, constants, entry, settings, places, found
            )
    return {name: done[name] for name in sorted(done)}, found


def _value(
    draft: Draft,
    constants: Constants,
    entry: Entry,
    settings: Mapping[str, Plain],
    places: Mapping[str, SettingPlace],
    found: list[Diagnostic],
) -> Plain:
    name, node = entry.address, entry.node
    assert isinstance(node, tree.Option)
    try:
        scale = constants.scale(node)
        normal = fitted(Constants(draft, {}).option(name), scale)
    except (NotConstantError, OffScaleError):
        return None  # settle_defaults reports it
    fixing = changes_of(draft, name)
    if name not in settings:
        said = [] if fixing else suggestions(draft, name)
        if len({repr(each.value) for each in said}) > 1:
            pairs = (f"{each.hit.origin.unit}: {shown(each.value)}" for each in said)
            message = (
                f"{name}: {number_word(len(said))} variants suggest different values "
                f"({', '.join(pairs)}) and you have not chosen."
            )
            first = shown(said[0].value).replace(" ", "").strip("{}")
            found.append(fault(E303, message, fixes=(f"--set {name}={first}",)))
        return normal
    place = places.get(name)
    at = place.value if place else None
    try:
        value = fitted(settings[name], scale)
    except OffScaleError as error:
        members, number = place.members if place else (), error.member
        if number is not None and number < len(members):
            at = members[number]
        text = f"{name} = {shown(settings[name])} {error!s}"
        found.append(fault(E304, text, at, advice_on(str(settings[name]))))
        return normal
    if fixing and value != normal:
        by = fixing[0].origin
        who, now = titled(by), shown(normal)
        message = f"You set {name} = {shown(value)}, but {who} fixes it at {now}."
        way = f"Leave {who} off, or ask its author to write  default  there."
        fixes = (way,) if by.unit else ()
        found.append(fault(E305, message, at, fixes=fixes))
    return value
