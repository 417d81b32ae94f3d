"""`change`, `raise` and `lower`: one value for each clause, or E201.

Equal changes merge; raises and lowers are summed; a change and a raise conflict. A
caption can be changed alone and is a separate value. A change whose `from` does not
match the clause is out of date (E102) and has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import sentence
from houserule.base.source import Span
from houserule.compiler.conditions.formulas import both
from houserule.compiler.items.content import agrees
from houserule.compiler.merge.fault import Fault, Party, Tell
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
from houserule.compiler.rules import Origin
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import (
    CONSTRUCTS,
    has_caption,
    kind_of,
    parts_of,
    with_part,
)
from houserule.language.syntax.tree.parts import MAIN
from houserule.language.syntax.write.expressions import how_many

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft

Variants: TypeAlias = frozenset[str]


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield errors in single changes, and all pairs of conflicting changes."""
    for hits in resolution.grouped("change", "raise", "caption").values():
        for hit in hits:
            yield from _alone(resolution, hit)
        for one, other in combinations(hits, 2):
            yield from _between(resolution, one, other)


# ---- one change: E102, E103, W211


def _alone(resolution: Resolution, hit: Hit) -> Iterator[Fault]:
    there = resolution.family.there[hit.item]
    item, key = hit.placed.item, (hit.address, hit.word)

    def when_it_stays(found: Tell, *more: str) -> Fault:
        stays = resolution.stays(hit)
        return Fault(stays, found, (hit,), (*more, *key) if more else None, usual=there)

    if isinstance(item, tree.Tune) and _raised(hit, item) is None:
        yield when_it_stays(_misfit("the sum cannot stand there"))
    if not isinstance(item, tree.Change):
        return
    if is_stale(hit):
        ruleset = resolution.ruleset
        yield when_it_stays(lambda _, table: _out_of_date(ruleset, hit, table))
        return
    old = caption_of(hit.node)
    says_it = CONSTRUCTS[type(hit.node)].captioned and hit.word == MAIN
    unchanged = hit.edit.key == hit.edit.expects  # which is W407
    if says_it and old is not None and item.caption is None and not unchanged:
        yield when_it_stays(lambda _, table: caption_left_behind(hit, table))
    if with_part(hit.node, hit.word, item.after) is None:
        reason = "what stands after `to` cannot stand there"
        yield when_it_stays(_misfit(reason))


def _misfit(reason: str) -> Tell:
    def tell(parties: tuple[Party, ...], _table: object) -> Diagnostic:
        hit = hits_among(parties)[0]
        return does_not_fit(hit.origin, hit.edit, reason)

    return tell


def is_stale(hit: Hit) -> bool:
    """Return whether the text after `from` differs from the clause."""
    said = hit.aims[0].one.payload
    return hit.edit.verb == "change" and not agrees(said, hit.edit.expects)


def caption_of(node: tree.Node) -> tree.Text | None:
    """Return the caption of a declaration, if any."""
    caption: tree.Text | None = getattr(node, "caption", None)
    return caption


def _out_of_date(ruleset: LoadedRuleset, hit: Hit, table: Variants) -> Diagnostic:
    item, now = hit.placed.item, parts_of(hit.aim_at(table).one.node)[hit.word]
    assert isinstance(item, tree.Change)
    expected = item.before
    return out_of_date(
        hit.origin,
        hit.target,
        hit.span if isinstance(expected, str) else expected.span,
        _base_label(hit, table),
        expected=_as_written(ruleset, expected),
        now=_as_written(ruleset, now),
    )


def _as_written(ruleset: LoadedRuleset, payload: tree.Payload) -> str:
    """Return a payload as its author wrote it, or '' if it is not one short line."""
    if isinstance(payload, str):
        return payload
    if isinstance(payload, tree.HowMany):
        return how_many(payload)
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


def out_of_date(
    origin: Origin,
    target: str,
    edited: Span,
    base: Label,
    *,
    expected: str = "",
    now: str = "",
) -> Diagnostic:
    """Return E102: the text after `from` differs from the clause.

    `expected` and `now` are the author's words, or '' if they are long.
    """
    if expected and now:
        said = f"expects {target} to be {expected}, but it is now {now}."
    else:
        said = f"expects other words in {target} than stand there now."
    help_ = (
        "Nothing was applied. If the variant is now part of the base, delete this "
        'line; otherwise write the new starting value after "from".'
    )
    return fault(
        E102,
        f"{sentence(titled(origin))} {said}",
        edited,
        f"now it is `{now}`" if expected and now else "",
        others=[base],
        details=[help_],
    )


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


def caption_left_behind(hit: Hit, table: Variants) -> Diagnostic:
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


# ---- two edits: E201


def _between(resolution: Resolution, one: Hit, other: Hit) -> Iterator[Fault]:
    verbs = {one.edit.verb, other.edit.verb}
    stale = [is_stale(each) for each in (one, other)]
    if verbs == {"change", "raise"}:  # even an out-of-date change conflicts
        parties = [hit for hit, old in zip((one, other), stale, strict=True) if not old]
        yield _disagreement(resolution, one, other, parties)
    elif any(stale):
        return
    elif verbs == {"change"} and one.edit.key != other.edit.key:
        yield _disagreement(resolution, one, other, [one, other])
    else:
        first, second = new_caption(one), new_caption(other)
        if first and second and first.text != second.text:
            yield _disagreement(resolution, one, other, [one, other], captions=True)


def _disagreement(
    resolution: Resolution,
    one: Hit,
    other: Hit,
    parties: list[Hit],
    *,
    captions: bool = False,
) -> Fault:
    game, there = resolution.ruleset.id, resolution.family.there
    return Fault(
        both([resolution.stays(one), there[other.item]]),
        lambda every, table: _two_values(hits_among(every), game, table, captions),
        tuple(parties),
        ("E201", one.address, one.word, captions),
        behind=("E201", one.address, one.word, False) if captions else None,
        disputed=one.address,
    )


def _two_values(
    hits: list[Hit], game: str, table: Variants, captions: bool
) -> Diagnostic:
    return two_values(
        min(hit.target for hit in hits),
        [Speaker(hit.origin, _said_at(hit, captions)) for hit in hits],
        game,
        base=_base_label(hits[0], table, captions),
        tuned=any(hit.edit.verb == "raise" for hit in hits),
        captions=captions,
    )


def _said_at(hit: Hit, captions: bool) -> Span:
    """Return the place of the new value, or of the target if there is none."""
    match hit.placed.item:
        case tree.Change(caption=tree.Text() as said) if captions:
            return said.span
        case tree.Recaption(caption=said):
            return said.span
        case tree.Change(after=tree.Node() as said) | tree.Tune(amount=said):
            return said.span if said.span.line else hit.span
        case _:
            return hit.span


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


def two_values(
    target: str,
    parties: Sequence[Speaker],
    game: str,
    *,
    base: Label | None = None,
    tuned: bool = False,
    captions: bool = False,
) -> Diagnostic:
    """Return E201: two variants give one clause two values, or two captions.

    Args:
        target: the clause.
        parties: the units that set it.
        game: the name of the game, for the bridge to paste.
        base: the place of the base rule.
        tuned: whether some raise or lower what others change.
        captions: whether they disagree on its caption only.
    """
    what = "change it, and raise or lower it" if tuned else "say different things"
    lost, value = f"what {target} is", "value"
    if captions:
        what, value = "give it different captions", "caption"
        lost = f"how to word {target}"
    if len(switched(parties)) < 2:
        message = f"{all_on(parties)}, {target} is given several {value}s."
    else:
        message = f"{all_on(parties)}, I cannot tell {lost}: they {what}."
    fixes = ways_to_settle(target, parties, game)
    same = f"If they do not really disagree, give them the same {value}."
    same = "" if tuned else same
    return fault(
        E201,
        message,
        others=(*labels_of(parties), *([base] if base else [])),
        details=(NO_ORDER,),
        fixes=(*fixes, *([same] if same else [])),
    )


# ---- at one table


def change(draft: Draft) -> None:
    """Apply every change, raise and lower of a draft to the declared clauses.

    A conflict is an error, so the result there does not matter.
    """
    for (address, word), hits in draft.hits_of("change", "raise", "caption").items():
        draft.edit_once(
            address, word, hits, partial(_change, draft, address, word, hits)
        )


def _change(draft: Draft, address: str, word: str, hits: list[Hit]) -> None:
    fresh = [h for h in hits if h.edit.verb == "change" and not is_stale(h)]
    tunes = [hit for hit in hits if hit.edit.verb == "raise"]
    if fresh:
        item = fresh[0].placed.item
        assert isinstance(item, tree.Change)
        _put(
            draft,
            address,
            with_part(draft.entries[address].node, word, item.after),
            fresh,
        )
    elif tunes:
        _tune(draft, address, word, tunes)
    alone = [hit for hit in hits if hit.edit.verb == "caption"]
    _recaption(draft, address, [*fresh, *alone])


def _put(draft: Draft, address: str, node: tree.Node | None, hits: list[Hit]) -> None:
    """Insert a new node, if it fits."""
    for hit in hits if node is not None else ():
        notes = (*draft.entries[address].notes, *hit.notes)
        draft.edited(address, hit.origin, node=node, notes=notes)


def _recaption(draft: Draft, address: str, hits: list[Hit]) -> None:
    """Insert the new caption, if any."""
    said = [(hit, new) for hit in hits if (new := new_caption(hit))]
    node = draft.entries[address].node
    if not said or not has_caption(node):
        return
    fields: dict[str, Any] = {"caption": said[0][1]}
    node = replace(node, **fields)
    for hit, _ in said:
        alone = hit.edit.verb == "caption"
        notes = (*draft.entries[address].notes, *hit.notes) if alone else None
        draft.edited(address, hit.origin, node=node, notes=notes)


def new_caption(hit: Hit) -> tree.Text | None:
    """Return the caption that an edit gives to a clause; its parts have none."""
    match hit.placed.item:
        case tree.Change(caption=said) | tree.Recaption(caption=said):
            return said if hit.word == MAIN else None
        case _:
            return None


def _tune(draft: Draft, address: str, word: str, hits: list[Hit]) -> None:
    """Add the sum of all raises and lowers; an option takes it from its default."""
    entry = draft.entries[address]
    if entry.kind == "option" and word == MAIN:
        return
    value = cast("tree.Expr", entry.parts[word])  # a misfit was rejected before
    for hit in hits:
        if isinstance(hit.placed.item, tree.Tune):
            value = tuned(value, hit.placed.item)
    _put(draft, address, with_part(entry.node, word, value), hits)


def _raised(hit: Hit, item: tree.Tune) -> tree.Node | None:
    """Return the clause after one raise alone; None if the result does not fit."""
    if kind_of(hit.node) == "option" and hit.word == MAIN:
        return hit.node
    value = cast("tree.Expr", parts_of(hit.node)[hit.word])
    return with_part(hit.node, hit.word, tuned(value, item))


def tuned(value: tree.Expr, tune: tree.Tune) -> tree.Expr:
    """Return a value raised or lowered; two numbers are added at once."""
    amount = tune.amount
    match value, amount:
        case tree.Int(now), tree.Int(more) if now + tune.sign * more >= 0:
            return tree.Int(now + tune.sign * more, span=value.span)
        case _:
            op: Literal["+", "-"] = "+" if tune.sign == 1 else "-"
            return tree.Arith(op, value, amount, span=value.span)
