"""`change`, `raise` and `lower`: one value for each clause, or E201.

Equal changes merge; raises and lowers are summed; a change and a raise conflict. A
caption can be changed alone and is a separate value. A change whose `from` does not
match the clause is out of date (E102) and has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import sentence
from houserule.compiler.conditions.formulas import both
from houserule.compiler.items.content import agrees
from houserule.compiler.merge.fault import Fault, Party, Tell, plainly
from houserule.compiler.merge.messages import (
    NO_ORDER,
    Speaker,
    all_on,
    labels_of,
    switched,
    titled,
    ways_to_settle,
)
from houserule.compiler.merge.resolve import Hit, Resolution, does_not_fit, hits_among
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import (
    CONSTRUCTS,
    has_caption,
    kind_of,
    parts_of,
    with_part,
)
from houserule.language.syntax.tree.parts import MAIN, numbers_of
from houserule.language.syntax.write.expressions import how_many
from houserule.language.syntax.write.items import short_payload

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft

Variants: TypeAlias = frozenset[str]


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield errors in single changes, and all pairs of conflicting changes."""
    for hits in resolution.grouped("change", "raise", "caption").values():
        for hit in hits:
            yield from _alone(resolution, hit)
        for one, other in combinations(hits, 2):
            verbs = {one.edit.verb, other.edit.verb}
            parties = [hit for hit in (one, other) if not is_stale(hit)]
            captions = False
            if verbs != {"change", "raise"}:  # there even a stale change conflicts
                if len(parties) < 2:
                    continue
                if verbs != {"change"} or one.edit.key == other.edit.key:
                    first, second = new_caption(one), new_caption(other)
                    if not first or not second or first.text == second.text:
                        continue
                    captions = True
            yield Fault(
                both([resolution.stays(one), resolution.family.there[other.item]]),
                partial(_two_values, resolution.ruleset.id, captions),
                tuple(parties),
                ("E201", one.address, one.word, captions),
                behind=("E201", one.address, one.word, False) if captions else None,
                disputed=one.address,
            )


# ---- one change: E102, E103, W211


E102 = MessageCode("E102", "edit out of date")
"""A `change` states what it replaces, and the clause is now different.

**Why.** If the base has changed, the edit may mean something else now. Nothing is
applied.

**For example**

```rules
change draw.room from size(hand(me)) at most 9 to size(hand(me)) at most 5
# the game says: at most 7
```

**Fix.** Write the present text after `from`. If the variant has become part of the
base, delete the line.
"""


W211 = MessageCode("W211", "outdated caption")
"""A `change` gives a clause a new rule, but keeps the old caption.

**Why.** The caption is what players read. It would still state the old rule.

**For example**

```rules
change draw.room from size(hand(me)) at most 7 to size(hand(me)) at most 5
```

**Fix.** Write the new caption after the address:
`change hold.enough "Not below twenty" from …`.
"""


def _alone(resolution: Resolution, hit: Hit) -> Iterator[Fault]:
    there, ruleset = resolution.family.there[hit.item], resolution.ruleset
    item = hit.placed.item

    def when_it_stays(tell: Tell) -> Fault:
        return Fault(resolution.stays(hit), tell, (hit,), usual=there)

    is_default = kind_of(hit.node) == "option" and hit.word == MAIN
    if isinstance(item, tree.Tune) and not is_default:
        value = cast("tree.Expr", parts_of(hit.node)[hit.word])
        if with_part(hit.node, hit.word, tuned(value, item)) is None:
            yield when_it_stays(_misfit(hit, "the sum is not possible there"))
    if not isinstance(item, tree.Change):
        return
    if is_stale(hit):
        yield when_it_stays(partial(_out_of_date, ruleset, hit, item))
        return
    says_it = CONSTRUCTS[type(hit.node)].captioned and hit.word == MAIN
    unchanged = hit.edit.key == hit.edit.expects  # which is W407
    old = caption_of(hit.node)
    if says_it and old is not None and item.caption is None and not unchanged:
        yield when_it_stays(partial(_caption_left_behind, hit))
    if with_part(hit.node, hit.word, item.after) is None:
        yield when_it_stays(_misfit(hit, "the text after `to` is not possible there"))


def _misfit(hit: Hit, reason: str) -> Tell:
    return plainly(does_not_fit(hit.origin, hit.edit, reason))


def is_stale(hit: Hit) -> bool:
    """Return whether the text after `from` differs from the clause."""
    said = hit.aims[0].one.payload
    return hit.edit.verb == "change" and not agrees(said, hit.edit.expects)


def caption_of(node: tree.Node) -> tree.Text | None:
    caption: tree.Text | None = getattr(node, "caption", None)
    return caption


def _out_of_date(
    ruleset: LoadedRuleset,
    hit: Hit,
    change: tree.Change,
    _: tuple[Party, ...],
    table: Variants,
) -> Diagnostic:
    """Return E102: the text after `from` differs from the clause."""
    before, after = change.before, short_payload(change.after)
    parts = parts_of(hit.aim_at(table).one.node)
    now = _as_written(ruleset, parts[hit.word])
    expected = _as_written(ruleset, before)
    said = f"expects other words in {hit.target} than it has now."
    label = ""
    if expected and now:
        said = f"expects {hit.target} to be {expected}, but it is now {now}."
        label = f"now it is `{now}`"
    help_ = (
        "Nothing was applied. If the variant is now part of the base, delete this "
        'line; otherwise write the new starting value after "from".'
    )
    fix = f"from {now}" if label else ""
    # Another part of the declaration may be meant: an option's range, not its default.
    meant = [word for word, part in parts.items() if agrees(part, before)]
    if hit.word == MAIN and after and kind_of(hit.node) == "option":
        fix = f"default {hit.target}: {after}"
    if len(meant) == 1 and hit.word == MAIN and after:
        part = f"{hit.target}.{meant[0]}"
        fix = f"change {part} from {expected} to {after}"
        help_ = f"`{expected}` is {part}, not {hit.target}."
    return fault(
        E102,
        f"{sentence(titled(hit.origin))} {said}",
        hit.span if isinstance(before, str) else before.span,
        label,
        others=[_base_label(hit, table)],
        details=[help_],
        fixes=(fix,) if fix else (),
    )


def _caption_left_behind(hit: Hit, _: tuple[Party, ...], table: Variants) -> Diagnostic:
    """Return W211: a change without a caption, of a clause that has one."""
    target, caption = hit.target, caption_of(hit.aim_at(table).one.node)
    assert caption is not None
    return fault(
        W211,
        f"{sentence(titled(hit.origin))} changes {target}, which says "
        f'"{caption.text}", and gives it no new caption.',
        hit.span,
        others=[Label(caption.span, lead="the caption:")],
        details=["Players would read the old words over the new rule."],
        fixes=[f'change {target} "..." from ... to ...'],
    )


def _as_written(ruleset: LoadedRuleset, payload: tree.Payload) -> str:
    """Return a payload as its author wrote it, or '' if it is not one short line."""
    if isinstance(payload, str):
        return payload
    if isinstance(payload, tree.HowMany):
        return how_many(payload)
    if isinstance(payload, tree.RangeSet) and (numbers := numbers_of(payload)):
        return "..".join(map(str, numbers))  # those of players have no place
    span = payload.span
    source = ruleset.sources.get(span.file)
    if source is None or span.line != span.end_line:
        return ""
    text = source.line(span.line)[span.column - 1 : span.end_column - 1].strip()
    return text if len(text) <= 60 else ""


def _base_label(hit: Hit, table: Variants, captions: bool = False) -> Label:
    """Return the place of the edit's target: the part, or the caption, or its name."""
    aim = hit.aim_at(table)
    payload: object = parts_of(aim.one.node).get(hit.word)
    if captions:
        payload = caption_of(aim.one.node)
    clauses = {each.address: each.span for each in aim.placed.clauses}
    name = clauses.get(hit.address, aim.span)
    own = payload.span if isinstance(payload, tree.Node) else name
    lead = "base rule:" if not aim.origin.unit else "rule:"
    return Label(own if own.line else name, lead=lead)


# ---- two edits: E201


E201 = MessageCode("E201", "conflicting variants")
"""Two variants that may be on together give one clause two different texts, or two
different captions.

**Why.** Neither file is "later": order never decides. Equal values merge; different
ones are an error, and neither wins.

**For example**

```text
change draw.usable from next_turn to at_once         # in one variant
change draw.usable from next_turn to after_roll      # in another
```

**Fix.** Write a bridge that states which one applies (`mute VARIANT at ADDRESS`),
forbid the pair (`excludes`), or give both the same value. `houserule explain E306`
describes the same conflict from the table's side.
"""


def _two_values(
    game: str, captions: bool, parties: tuple[Party, ...], table: Variants
) -> Diagnostic:
    """Return E201: the parties give one clause several values, or only captions."""
    hits = hits_among(parties)
    target = min(hit.target for hit in hits)
    speakers: list[Speaker] = []
    for hit in hits:
        span = hit.span  # of the new value, or of the target if there is none
        match hit.placed.item:
            case tree.Change(caption=tree.Text() as said) if captions:
                span = said.span
            case tree.Recaption(caption=said):
                span = said.span
            case tree.Change(after=tree.Node() as said) | tree.Tune(amount=said):
                span = said.span if said.span.line else span
            case _:
                pass
        speakers.append(Speaker(hit.origin, span))
    tunes = any(hit.edit.verb == "raise" for hit in hits)
    what = "change it, and raise or lower it" if tunes else "change it differently"
    lost, value = f"what {target} is", "value"
    if captions:
        what, value = "give it different captions", "caption"
        lost = f"how to word {target}"
    message = f"{all_on(speakers)}, I cannot tell {lost}: they {what}."
    if len(switched(speakers)) < 2:
        message = f"{all_on(speakers)}, {target} is given several {value}s."
    fixes = ways_to_settle([target], speakers, game)
    if not tunes:
        fixes.append(f"If they mean the same, give both the same {value}.")
    return fault(
        E201,
        message,
        others=(*labels_of(speakers), _base_label(hits[0], table, captions)),
        details=(NO_ORDER,),
        fixes=fixes,
    )


# ---- at one table


def change(draft: Draft) -> None:
    """Apply every change, raise and lower of a draft to the declared clauses.

    A conflict is an error, so the result there does not matter.
    """
    for (address, word), hits in draft.hits_of("change", "raise", "caption").items():
        _change(draft, address, word, hits)


def _change(draft: Draft, address: str, word: str, hits: list[Hit]) -> None:
    fresh = [h for h in hits if h.edit.verb == "change" and not is_stale(h)]
    tunes = [hit for hit in hits if hit.edit.verb == "raise"]
    entry = draft.entries[address]
    if fresh:
        item = fresh[0].placed.item
        assert isinstance(item, tree.Change)
        _put(draft, address, with_part(entry.node, word, item.after), fresh)
    elif tunes and (entry.kind != "option" or word != MAIN):
        # An option takes the sum of all raises and lowers from its default.
        value = cast("tree.Expr", entry.parts[word])  # a misfit was rejected before
        for hit in tunes:
            if isinstance(hit.placed.item, tree.Tune):
                value = tuned(value, hit.placed.item)
        _put(draft, address, with_part(entry.node, word, value), tunes)
    # The new caption, if any.
    alone = [hit for hit in hits if hit.edit.verb == "caption"]
    said = [(hit, new) for hit in (*fresh, *alone) if (new := new_caption(hit))]
    node = draft.entries[address].node
    if not said or not has_caption(node):
        return
    fields: dict[str, Any] = {"caption": said[0][1]}
    node = replace(node, **fields)
    for hit, _ in said:
        notes = None
        if hit.edit.verb == "caption":
            notes = (*draft.entries[address].notes, *hit.notes)
        draft.edited(address, hit.origin, node=node, notes=notes)


def _put(draft: Draft, address: str, node: tree.Node | None, hits: list[Hit]) -> None:
    for hit in hits if node is not None else ():
        notes = (*draft.entries[address].notes, *hit.notes)
        draft.edited(address, hit.origin, node=node, notes=notes)


def new_caption(hit: Hit) -> tree.Text | None:
    """Return the caption that an edit gives to a clause; its parts have none."""
    match hit.placed.item:
        case tree.Change(caption=said) | tree.Recaption(caption=said):
            return said if hit.word == MAIN else None
        case _:
            return None


def tuned(value: tree.Expr, tune: tree.Tune) -> tree.Expr:
    """Return a value raised or lowered; two numbers are added at once."""
    amount = tune.amount
    match value, amount:
        case tree.Int(now), tree.Int(more) if now + tune.sign * more >= 0:
            return tree.Int(now + tune.sign * more, span=value.span)
        case _:
            op: Literal["+", "-"] = "+" if tune.sign == 1 else "-"
            return tree.Arith(op, value, amount, span=value.span)
