"""Items back to text: declarations, edits, and whole phases."""

from __future__ import annotations

from houserule.syntax import tree as t
from houserule.syntax.write import declarations as show
from houserule.syntax.write.expressions import (
    caption,
    closed,
    how_many,
    names,
    notes,
    params,
    print_expr,
)
from houserule.syntax.write.statements import (
    INDENT,
    LONGEST,
    beside,
    block_lines,
    one_line,
)


def print_item(node: t.Item) -> str:
    """Return one item as its author would write it."""
    return "\n".join(item_lines(node, 0))


def item_lines(node: t.Item, indent: int) -> list[str]:
    """Return the lines of one item."""
    if isinstance(node, t.Clause):
        return show.clause(node, indent)
    match node:
        case t.Component():
            return show.component(node, indent)
        case t.DiceDecl():
            lines = beside(" " * indent + show.dice(node), notes(node.notes))
            return lines + show.alike(node.alike, indent + INDENT)
        case t.State():
            return show.state(node, indent)
        case t.Value():
            return show.value(node, indent)
        case t.Adjust():
            return show.adjust(node, indent)
        case t.Always() | t.Warn() | t.DrawnBy() | t.Lift() | t.Assert():
            head = _before_caption(node)
            return _named(head, node.caption, node.condition, node.notes, indent)
        case t.Winners() | t.Striving():
            head = "winners" if isinstance(node, t.Winners) else "bots strive for"
            return _named(head, node.caption, node.who, node.notes, indent)
        case t.Effect():
            return show.effect(node, indent)
        case t.Action():
            return show.action(node, indent)
        case t.Reaction():
            return show.reaction(node, indent)
        case t.Step():
            return show.step(node, indent)
        case t.Phase():
            return _phase(node, indent)
        case t.WithGuard():
            head = f"with {names(node.names)}:"
            return _items(head, node.notes, node.items, indent)
        case t.Change():
            return _change(node, indent)
        case t.TypeDecl():
            return show.type_decl(node, indent)
        case t.ExtendFields():
            head = f"{' ' * indent}extend {node.target.text}"
            beneath = show.fields(node.fields, indent + INDENT)
            return beside(head, notes(node.notes)) + beneath
        case _:
            margin = () if isinstance(node, _BARE) else node.notes
            return beside(" " * indent + _short(node), notes(margin))


def _before_caption(node: t.Always | t.Warn | t.DrawnBy | t.Lift | t.Assert) -> str:
    """Return the words of a condition's line before its caption."""
    match node:
        case t.Always():
            return f"always {node.name.text}{params(node.params)}"
        case t.Warn():
            return f"warn {node.name.text}"
        case t.DrawnBy():
            return f"drawn by {node.name.text}"
        case t.Lift():
            return f"or {node.target.text}"
        case t.Assert():
            return "assert"


_BARE = t.SourceText | t.Extends | t.PresetWith | t.PresetSet
_Short = (
    t.About
    | t.Tokens
    | t.Zone
    | t.Layer
    | t.Option
    | t.Order
    | t.Recaption
    | t.SetDefault
    | t.Tune
    | t.Remove
    | t.Release
    | t.ExtendMembers
    | t.ExtendTokens
    | t.ExtendRows
    | t.Mute
)


def _short(node: _Short) -> str:
    """Return an item that always stands on one line."""
    match node:
        case t.Tokens():
            return show.tokens(node)
        case t.Zone():
            return show.zone(node)
        case t.Layer():
            return show.layer(node)
        case t.Option():
            return show.option(node)
        case t.Order():
            return f"order {' then '.join(each.text for each in node.names)}"
        case t.Recaption():
            return f"change {node.target.text}{caption(node.caption)}"
        case t.SetDefault():
            return f"default {node.target.text}: {print_expr(node.value)}"
        case t.Tune():
            word = "raise" if node.sign == 1 else "lower"
            return f"{word} {node.target.text} by {print_expr(node.amount)}"
        case t.Remove():
            return f"remove {node.target.text}"
        case t.Release(among=True):
            return f"release order among {names(node.names)}"
        case t.Release():
            return f"release {' then '.join(each.text for each in node.names)}"
        case t.ExtendMembers():
            return f"extend {node.target.text} with {names(node.names)}"
        case t.ExtendTokens():
            return f"extend {node.target.text} with {show.slot(node.slot)}"
        case t.ExtendRows():
            return f"extend {node.target.text} with rows{caption(node.rows)}"
        case t.Mute():
            return f"mute {node.variant.text} at {node.target.text}"
        case _:
            return show.about(node)


def _named(
    head: str, said: t.Text | None, node: t.Expr, margin: t.Notes, indent: int
) -> list[str]:
    return show.with_expression(f"{head}{caption(said)}:", node, margin, indent)


def _phase(node: t.Phase, indent: int) -> list[str]:
    return _items(show.phase_head(node), node.notes, node.items, indent)


def _items(
    head: str, margin: t.Notes, found: tuple[t.Item, ...], indent: int
) -> list[str]:
    lines = beside(" " * indent + head, notes(margin))
    for each in found:
        lines += item_lines(each, indent + INDENT)
    return lines


def _change(node: t.Change, indent: int) -> list[str]:
    head = f"{' ' * indent}change {node.target.text}{caption(node.caption)}"
    before, after = _short_payload(node.before), _short_payload(node.after)
    if before is not None and after is not None:
        line = f"{head} from {before} to {after}"
        if len(line) <= LONGEST:
            return beside(line, notes(node.notes))
    return [
        *beside(head, notes(node.notes)),
        *_payload("from", node.before, indent + INDENT),
        *_payload("to", node.after, indent + INDENT),
    ]


def _short_payload(found: t.Payload) -> str | None:
    """Return a payload that may stand on the line of its `change`."""
    if isinstance(found, str):
        return show.mode(found)
    if isinstance(found, t.HowMany):
        return how_many(found)
    return None if isinstance(found, t.Block | t.Rows) else closed(found)


def _payload(word: str, found: t.Payload, indent: int) -> list[str]:
    lead = " " * indent
    if isinstance(found, t.Rows):
        return [lead + word, *show.rows(found, indent + INDENT)]
    if isinstance(found, t.Block):
        line = one_line(found)
        if line is not None and len(lead) + len(word) + len(line) < LONGEST:
            return [f"{lead}{word} {line}"]
        return [lead + word, *block_lines(found, indent + INDENT)]
    if isinstance(found, t.HowMany):
        return [f"{lead}{word} {how_many(found)}"]
    text = show.mode(found) if isinstance(found, str) else print_expr(found)
    return [f"{lead}{word} {text}"]
