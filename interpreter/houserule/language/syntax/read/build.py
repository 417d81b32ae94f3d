"""Build the tree from the concrete syntax: by the table of forms, otherwise by hand.

Each rule of the grammar becomes a node. The type of a field decides which value a word
becomes. All citations of a rule go into its `notes`. A citation on the line that opens
a block, or at the end of a one-line block, belongs to the clause with the block, or to
the block of a statement. So line breaks do not change the meaning of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from houserule.base.source import Span
from houserule.language.syntax import tree as t
from houserule.language.syntax.forms import forms
from houserule.language.syntax.read.cst import CstNode, Leaf, Part
from houserule.language.syntax.tree.parts import as_block

# Rules whose parts are treated as parts of the enclosing rule.
_SPREAD = frozenset(("over", "long_expr", "first_value", "definition", "event"))
# Rules that list the values of one field.
_LISTS = frozenset(
    (
        *("names", "dotteds", "slots", "slot_keys", "list_", "notes"),
        *("params", "params_", "binders", "since", "alike"),
    )
)


def build(cst: CstNode) -> Any:  # noqa: ANN401  # as the rule has it
    """Return the node of a rule, or its value for a field."""
    return nodes(cst)[0]


def nodes(cst: CstNode) -> tuple[Any, ...]:
    """Return the nodes of a rule; several if one line names several things."""
    by_hand = _BY_HAND.get(cst.rule)
    if by_hand is not None:
        return (by_hand(cst),)
    form, found = forms()[cst.rule], _fields(cst)
    first = form.places[0] if form.places else ""
    if form.types.get(first) == "Word" and isinstance(found[first], tuple):
        return tuple(form.node(**{**found, first: name}) for name in found[first])
    return (form.node(**found),)


def members(*parts: Part) -> Iterator[Any]:
    """Yield the values of a list; none if it is absent."""
    for part in parts:
        if isinstance(part, Leaf):
            yield word(part)
        elif part is not None and part.rule in _LISTS:
            yield from members(*part.parts)
        elif part is not None:
            yield from nodes(part)


def _fields(cst: CstNode) -> dict[str, Any]:
    """Return the fields of the node, filled from the parts of a rule."""
    form = forms()[cst.rule]
    margins, parts = list[t.Note](), list[Part]()
    for part in _parts(cst):
        if isinstance(part, CstNode) and part.rule == "notes":
            margins += members(part)
        else:
            parts.append(part)
    found: dict[str, Any] = {**form.fixed, "span": cst.span}
    for name, kind in form.types.items():
        if name in found:
            continue
        at = form.places.index(name) if name in form.places else len(parts)
        part = parts[at] if at < len(parts) else None
        if kind.startswith(("tuple", "Params")):
            last = name == form.places[-1]  # it takes all remaining parts
            values = tuple(members(*parts[at : None if last else at + 1]))
            found[name] = values or (None if kind.endswith("None") else ())
        elif kind.startswith("Block") and isinstance(part, CstNode):
            if "notes" in form.types:
                found[name], opening = _body(part)
                margins += opening
            else:
                found[name] = block(part)
        else:
            found[name] = _value(part, kind.removesuffix(" | None"))
    if "notes" in form.types:
        found["notes"] = tuple(margins)
    return found


def _parts(cst: CstNode) -> Iterator[Part]:
    for part in cst.parts:
        if isinstance(part, CstNode) and part.rule in _SPREAD:
            yield from _parts(part)
        else:
            yield part


def _value(part: Part, kind: str = "") -> Any:  # noqa: ANN401  # as `kind` says
    """Return a part's value for a field with this annotation."""
    if part is None:
        return False if kind == "bool" else None
    if isinstance(part, Leaf):
        return _LEAVES.get(kind, word)(part)
    if kind == "int | Word":
        text = part.leaf(0).text
        sign = -1 if part.rule == "minus_int" else 1
        return sign * int(text) if text.isdecimal() else word(part.leaf(0))
    return tuple(members(part)) if part.rule in _LISTS else build(part)


# ---- words


def word(leaf: Leaf) -> t.Word:
    return t.Word(leaf.text, span=leaf.span)


def dotted(cst: CstNode) -> t.Word:
    """Return an address such as `slide.downhill`."""
    return t.Word(".".join(leaf.text for leaf in cst.leaves()), span=cst.span)


def _quoted(leaf: Leaf) -> t.Text:
    """Return a quoted text without its quotation marks."""
    return t.Text(leaf.text[1:-1], span=leaf.span)


_LEAVES: Mapping[str, Callable[[Leaf], Any]] = {
    "str": lambda leaf: leaf.text,
    "int": lambda leaf: int(leaf.text),
    "Text": _quoted,
}


def _phrase(cst: CstNode) -> str:
    """Return the words of a fixed phrase, such as `at most once`."""
    return " ".join(leaf.text for leaf in cst.leaves())


def _mode(cst: CstNode) -> str:
    """`any number`, `must act once, if possible`, `the first who claims`."""
    words = " ".join(_phrase(cst).split())
    return "exactly once" if cst.leaf(0).text == "must" else words


def _relation(cst: CstNode) -> str:
    """`is`, `is not`, `at least`; `is at least` is `at least`."""
    words = _phrase(cst)
    bound = words.removeprefix("is ")
    return words if bound == "not" else bound


def _cite(cst: CstNode) -> t.Cite:
    """`book "Heading" 1..6`, `"Heading" "up to four words"`."""
    source, place = cst.leaf_option(0), cst.option(2)
    texts = [leaf.text for leaf in place.leaves()] if place else []
    quote = texts.pop()[1:-1] if texts and texts[0].startswith('"') else None
    first, last, *_ = [*map(int, texts), None, None]
    book = source.text if source else None
    return t.Cite(book, cst.leaf(1).text[1:-1], first, last, quote, span=cst.span)


# ---- expressions


def _after(cst: CstNode) -> t.After:
    """`after run(n, k) by p: E`."""
    (name, *args), (_, by, body) = cst.node(0).parts, cst.parts
    found = tuple(members(*args))
    return t.After(_value(name), found, _value(by), _value(body), span=cst.span)


def _some_how(cst: CstNode) -> t.HowMany:
    """`1..2 of tray`; the parser checks that the ends are numbers or names."""
    many, source = cst.nodes()
    ends = many.nodes() if many.rule == "range_set" else [many]
    bounds = (_value(end, "int | Word") for end in ends)
    return t.HowMany("some", build(source), *bounds, span=cst.span)


def _seen(cst: CstNode) -> t.Payload:
    """`seen only by p`, `seen by nobody`."""
    return _nobody_as_set(build(cst.node(0)))


def _nobody_as_set(who: t.Payload) -> t.Payload:
    """Return the empty set for `nobody`, and anything else as it is."""
    return t.SetOf((), span=who.span) if who == t.Name("nobody") else who


# ---- types and things


def _type_decl(cst: CstNode) -> t.TypeDecl:
    """`type Face = 1..6`, `type Suit = red | black`, `type Box = ones(1) | rest`.

    A single bare name is an enumeration of one member.
    """
    name, caption, _, margins, *beneath = cst.parts
    kind = cst.node(2)
    enumeration = kind.rule in ("members", "named_type")
    return t.TypeDecl(
        _value(name),
        tuple(members(*kind.parts)) if enumeration else (),
        None if enumeration else build(kind),
        _value(margins),
        _value(caption),
        tuple(members(*beneath)),
        span=cst.span,
    )


def _member(cst: CstNode) -> t.ValuedMember:
    """`ones(1)`, a member of an enumeration."""
    name, values = cst.leaf(0), tuple(members(*cst.parts[1:]))
    return t.ValuedMember(name.text, values, span=name.span)


def _component(cst: CstNode) -> t.Component:
    """`component Card from "x.yaml"`, `component Cell for each row: 1..4`."""
    name, _, margins, *beneath = cst.parts
    each, where, called = _product(cst.option(1))
    lines = tuple(members(*beneath))
    return t.Component(
        _value(name),
        next((_quoted(e.leaf(0)) for e in cst.nodes() if e.rule == "rows_from"), None),
        each,
        tuple(line for line in lines if isinstance(line, t.Field)),
        _value(margins),
        where,
        called,
        next((line for line in lines if isinstance(line, t.AlikeLine)), None),
        span=cst.span,
    )


def _dice(cst: CstNode) -> t.DiceDecl:
    """`dice Die: red, green showing 1..6 read by pips`, `dice Die for each …`."""
    name, _, faces, read_by, seen, margins, alike = cst.parts
    made = cst.node(1)
    each, where, called = _product(made)
    return t.DiceDecl(
        _value(name),
        _value(made) if made.rule == "names" else (),
        each,
        _value(faces),
        _value(read_by),
        _value(seen),
        _value(margins),
        where,
        called,
        _value(alike),
        span=cst.span,
    )


def _product(made: CstNode | None) -> tuple[t.Params, t.Expr | None, t.Text | None]:
    """Return the fields of a product of things, its condition, and its names."""
    if made is None or made.rule != "rows_each":
        return (), None, None
    each, where, called = made.parts
    return tuple(members(each)), _value(where), _value(called, "Text")


# ---- statements


def is_statement(cst: CstNode) -> bool:
    """Return whether this is a single statement, not an expression."""
    form = forms().get(cst.rule)
    return form is not None and issubclass(form.node, t.Statement)


def block(cst: CstNode) -> t.Block:
    """Return a block, including the citations of the line that opens it."""
    inner, margins = _body(cst)
    return replace(inner, notes=margins + inner.notes)


def _body(cst: CstNode) -> tuple[t.Block, t.Notes]:
    """Return a block and the citations of the line that opens it.

    Of nested blocks on one line, the outermost has the citations.
    """
    if cst.rule == "block_body":
        head, *lines = cst.nodes()
        span = lines[0].span.to(lines[-1].span)
        return lines_of(lines, span), tuple(members(head))
    line = cst.node(0) if cst.rule == "line_body" else cst
    last = line
    while last.rule != "stmt_line":
        last = last.nodes()[-1]
    margins = tuple(members(last.nodes()[-1])) if line is not cst else ()
    built = map(build, line.nodes()[:-1] if line is last else [line])
    return t.Block(tuple(built), span=line.span), margins


def lines_of(csts: list[CstNode], span: Span) -> t.Block:
    """Return the block of some lines of statements, or of statements of one line."""
    inside = [
        part
        for cst in csts
        for part in (cst.nodes() if cst.rule == "stmt_line" else [cst])
    ]
    found = [build(each) for each in inside if each.rule != "notes"]
    margins = members(*(each for each in inside if each.rule == "notes"))
    return t.Block(tuple(found), tuple(margins), span=span)


def _branching(cst: CstNode) -> t.Statement:
    """`if`, `must choose` and `let …, if any`, with their `else if` and `else`."""
    form = forms()[cst.rule]
    built = form.node(**_fields(cst))
    *between, end = cst.parts[len(form.places) :] or (None,)
    others: tuple[t.ElseIf, ...] = tuple(members(*between))
    last = block(end) if isinstance(end, CstNode) else None
    if isinstance(built, t.If):
        only = last.statements[0] if last and len(last.statements) == 1 else None
        if last is None or last.notes or not isinstance(only, t.If):
            return replace(built, others=others, otherwise=last)
        first = t.ElseIf(only.condition, only.body, span=only.span)
        others = (*others, first, *only.others)
        return replace(built, others=others, otherwise=only.otherwise)
    assert isinstance(built, t.Choose | t.LetIfAny)
    if others:
        first, *rest = others
        whole = first.span.to(others[-1].span if last is None else last.span)
        inner = t.If(first.condition, first.body, tuple(rest), last, span=whole)
        last = t.Block((inner,), span=whole)
    return replace(built, otherwise=last)


def _call(cst: CstNode) -> t.Call:
    """`pay(me, c)`: an effect as a statement."""
    name, *args = cst.node(0).parts
    return t.Call(_value(name, "str"), tuple(members(*args)), span=cst.span)


# ---- edits


def _change(cst: CstNode) -> t.Change:
    """`change X from … to …`, on one line or with both sides in a block.

    If one side is a number of chosen things, a bare set on the other side means one.
    """
    target = dotted(cst.node(0))
    rest = [part for part in cst.parts[2:] if isinstance(part, CstNode)]
    sides = [
        part.nodes() if part.rule == "payload" else [part]
        for part in rest
        if part.rule != "notes"
    ]
    margins = [each for part in (rest, *sides) for each in part if each.rule == "notes"]
    before, after = (
        _payload([each for each in side if each.rule != "notes"]) for side in sides
    )
    if target.parts[-1] == "seen":
        before, after = _nobody_as_set(before), _nobody_as_set(after)
    if isinstance(before, t.HowMany) or isinstance(after, t.HowMany):
        before, after = _one_of(before), _one_of(after)
    found = tuple(members(*margins))
    return t.Change(target, _value(cst.parts[1]), before, after, found, span=cst.span)


def _payload(csts: list[CstNode]) -> t.Payload:
    first, span = csts[0], csts[0].span.to(csts[-1].span)
    if first.rule == "stmt_line" or is_statement(first):
        return lines_of(csts, span)
    found: t.Payload = build(first)
    if len(csts) == 1:
        return found
    call = as_block(found)  # the parser checks that the first of several is a call
    assert call is not None
    rest = lines_of(csts[1:], span)
    return replace(rest, statements=(*call.statements, *rest.statements))


def _one_of(payload: t.Payload) -> t.Payload:
    if isinstance(payload, str | t.Block | t.HowMany):
        return payload
    return t.HowMany("in", payload, span=payload.span)


def _extend_layers(cst: CstNode) -> t.Layer:
    """`extend income with plus joined, if any, after printed, before doubled`."""
    value, name = cst.leaf(0), cst.leaf(2)
    address = t.Word(f"{value.text}.{name.text}", span=value.span.to(name.span))
    op, _, after, before, margins = map(_value, cst.parts[1:])
    return t.Layer(address, op, after, before, margins, span=cst.span)


def _extend_with(cst: CstNode) -> t.ExtendMembers | t.ExtendTokens:
    """`extend Suit with stars, moons`, `extend Box with sevens(7)`.

    One name with plain names in brackets is parsed as a place of tokens, `prison(p)`.
    Whether it is a member of an enumeration is only known after all files (`settled`).
    """
    target, *more, margins = cst.parts
    only = more[0] if len(more) == 1 else None
    if not isinstance(only, CstNode) or any(
        each.rule not in ("name", "typed_key") for each in only.nodes()
    ):
        names = tuple(members(*more))
        return t.ExtendMembers(_value(target), names, _value(margins), span=cst.span)
    keys = tuple(
        t.SlotKey(*[*map(_value, each.parts), None][:2], span=each.span)
        for each in only.nodes()
    )
    place = t.Slot(word(only.leaf(0)), keys, span=only.span)
    return t.ExtendTokens(_value(target), place, _value(margins), span=cst.span)


_BY_HAND: Mapping[str, Callable[[CstNode], Any]] = {
    "dotted": dotted,
    "caption": lambda cst: _quoted(cst.leaf(0)),
    **dict.fromkeys(("zone_kind", "layer_op", "new_op"), _phrase),
    **dict.fromkeys(("direction", "rounding"), _phrase),
    "relation": _relation,
    "mode": _mode,
    "choose_word": lambda cst: _phrase(cst) == "must",
    "together": lambda _: True,
    "then_stop": lambda _: True,
    "guard": lambda cst: build(cst.node(0)),
    "seen": _seen,
    "seen_by": _seen,
    "cite": _cite,
    "position_after": _after,
    "some_how": _some_how,
    "type_decl": _type_decl,
    "given": _member,
    "component": _component,
    "dice": _dice,
    "choose": _branching,
    "if_": _branching,
    "let_if_any": _branching,
    "do": _call,
    "change": _change,
    "change_line": _change,
    "extend_layers": _extend_layers,
    "extend_with": _extend_with,
}
