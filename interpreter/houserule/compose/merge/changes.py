"""`change`, `raise` and `lower`: one value for each clause, or E201.

Equal changes merge; raises and lowers are summed; a change and a raise do not mix.
A caption, which may be changed alone, is a value of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from houserule.compose.items.fields import (
    MAIN,
    comparable,
    has_caption,
    with_part,
)
from houserule.compose.merge import messages
from houserule.compose.merge.warning_messages import caption_left_behind
from houserule.diagnostics.diagnostic import Label
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.compose.items.items import Placed
    from houserule.compose.merge.draft import Draft, Entry, Hit
    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.source import Span

CAPTIONED = (
    tree.Needs,
    tree.Unwise,
    tree.Cost,
    tree.Limit,
    tree.Does,
    tree.Asks,
    tree.UsesUp,
    tree.Value,
    tree.Adjust,
    tree.Always,
    tree.Warn,
    tree.Winners,
    tree.Step,
    tree.Lift,
)


def change_clauses(draft: Draft) -> None:
    """Apply every change, raise and lower to the clause as it was declared."""
    for (address, word), hits in draft.hits_of("change", "raise", "caption").items():
        changes = [hit for hit in hits if isinstance(hit.placed.item, tree.Change)]
        tunes = [hit for hit in hits if isinstance(hit.placed.item, tree.Tune)]
        fresh = [hit for hit in changes if not _stale(draft, hit)]
        for hit in fresh:
            _check_caption(draft, hit)
        values = {hit.edit.key for hit in fresh}
        if len(values) > 1 or (changes and tunes):
            draft.found.append(_clash(draft, [*fresh, *tunes], tuned=bool(tunes)))
            continue
        if fresh:
            _apply(draft, address, word, fresh)
        elif tunes:
            _tune(draft, address, word, tunes)
        alone = [hit for hit in hits if hit.edit.verb == "caption"]
        _recaption(draft, address, [*fresh, *alone])


def _stale(draft: Draft, hit: Hit) -> bool:
    """Report E102 if what stands after `from` is not what is there."""
    entry = draft.entries[hit.address]
    now = entry.parts[hit.word]
    if comparable(now) == hit.edit.expects:
        return False
    item = hit.placed.item
    assert isinstance(item, tree.Change)
    expected = item.before
    draft.found.append(
        messages.out_of_date(
            hit.origin,
            hit.target,
            hit.edit.span if isinstance(expected, str) else expected.span,
            _base_label(entry, hit.word),
            expected=_words(draft, expected),
            now=_words(draft, now),
        )
    )
    return True


def _words(draft: Draft, payload: tree.Payload) -> str:
    """Return a payload as its author wrote it, or '' if that is not one short line."""
    if isinstance(payload, str):
        return payload
    span = payload.span
    source = draft.ruleset.sources.get(span.file)
    if source is None or span.line != span.end_line:
        return ""
    text = source.line(span.line)[span.column - 1 : span.end_column - 1].strip()
    return text if len(text) <= 60 else ""


def _base_label(entry: Entry, word: str, captions: bool = False) -> Label:
    payload = entry.parts.get(word)
    if captions:
        payload = getattr(entry.node, "caption", None)
    own = payload.span if isinstance(payload, tree.Node) else entry.span
    lead = "base rule:" if not entry.origins[0].unit else "rule:"
    return Label(own if own.line else entry.span, lead=lead)


def _clash(
    draft: Draft, hits: Iterable[Hit], *, tuned: bool = False, captions: bool = False
) -> Diagnostic:
    every = list(hits)
    first = every[0]
    draft.disputed(first.address, (hit.origin for hit in every))
    return messages.two_values(
        min(hit.target for hit in every),
        [messages.Party(hit.origin, _said_at(hit, captions)) for hit in every],
        draft.ruleset.id,
        base=_base_label(draft.entries[first.address], first.word, captions),
        tuned=tuned,
        captions=captions,
    )


def _said_at(hit: Hit, captions: bool) -> Span:
    """Return the place of the new value, or of the target where it has none."""
    match hit.placed.item:
        case tree.Change(caption=tree.Text() as said) if captions:
            return said.span
        case tree.Recaption(caption=said):
            return said.span
        case tree.Change(after=tree.Node() as said) | tree.Tune(amount=said):
            return said.span if said.span.line else hit.edit.span
        case _:
            return hit.edit.span


def _check_caption(draft: Draft, hit: Hit) -> None:
    """Warn with W211 where the old caption would stand over a new rule."""
    item, node = hit.placed.item, draft.entries[hit.address].node
    if hit.word != MAIN or not isinstance(node, CAPTIONED) or node.caption is None:
        return
    if isinstance(item, tree.Change) and item.caption is None:
        found = caption_left_behind(hit.origin, hit.edit, node.caption)
        draft.found.append(found)


def _apply(draft: Draft, address: str, word: str, hits: list[Hit]) -> None:
    """Put the new value in."""
    item = hits[0].placed.item
    assert isinstance(item, tree.Change)
    node = with_part(draft.entries[address].node, word, item.after)
    if node is None:
        reason = "what stands after `to` cannot stand there"
        draft.found.append(messages.does_not_fit(hits[0].origin, hits[0].edit, reason))
        return
    for hit in hits:
        notes = (*draft.entries[address].notes, *hit.notes)
        draft.edited(address, hit.origin, node=node, notes=notes)


def _recaption(draft: Draft, address: str, hits: list[Hit]) -> None:
    """Put the new caption in; different ones are E201."""
    said = [(hit, new) for hit in hits if (new := new_caption(hit.placed, hit.word))]
    node = draft.entries[address].node
    if not said or not has_caption(node):
        return
    if len({new.text for _, new in said}) > 1:
        found = _clash(draft, [hit for hit, _ in said], captions=True)
        draft.found.append(found)
        return
    fields: dict[str, Any] = {"caption": said[0][1]}
    node = replace(node, **fields)
    for hit, _ in said:
        alone = hit.edit.verb == "caption"
        notes = (*draft.entries[address].notes, *hit.notes) if alone else None
        draft.edited(address, hit.origin, node=node, notes=notes)


def new_caption(placed: Placed, word: str) -> tree.Text | None:
    """Return the caption that a change gives to a clause; its parts have none."""
    match placed.item:
        case tree.Change(caption=said) | tree.Recaption(caption=said) if word == MAIN:
            return said
        case _:
            return None


def _tune(draft: Draft, address: str, word: str, hits: list[Hit]) -> None:
    """Add the sum of all raises and lowers; an option takes it from its default."""
    entry = draft.entries[address]
    if entry.kind == "option" and word == MAIN:
        return
    value = cast("tree.Expr", entry.parts[word])  # targets.misfit saw to it
    for hit in hits:
        if isinstance(hit.placed.item, tree.Tune):
            value = tuned(value, hit.placed.item)
    node = with_part(entry.node, word, value)
    if node is None:
        reason = "the sum cannot stand there"
        draft.found.append(messages.does_not_fit(hits[0].origin, hits[0].edit, reason))
        return
    for hit in hits:
        notes = (*draft.entries[address].notes, *hit.notes)
        draft.edited(address, hit.origin, node=node, notes=notes)


def tuned(value: tree.Expr, tune: tree.Tune) -> tree.Expr:
    """Return a value raised or lowered; two numbers are added at once."""
    amount = tune.amount
    match value, amount:
        case tree.Int(now), tree.Int(more) if now + tune.sign * more >= 0:
            return tree.Int(now + tune.sign * more, span=value.span)
        case _:
            op: Literal["+", "-"] = "+" if tune.sign == 1 else "-"
            return tree.Arith(op, value, amount, span=value.span)
