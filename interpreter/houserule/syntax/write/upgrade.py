"""Older forms in the words of today: words are put in, taken out and replaced.

Nothing else of a text is touched; `format_text` then lays it out as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from houserule.diagnostics.diagnostic import Diagnostic, Label
from houserule.frozen import frozen
from houserule.source import Source, parts_of
from houserule.syntax import tree
from houserule.syntax.older import VERBS
from houserule.syntax.read.parser import parse_unit_file
from houserule.syntax.read.scan import CLOSERS, OPENERS, LogicalLine, Token, scan
from houserule.syntax.write.format import without_tabs

Operations: TypeAlias = Mapping[str, tree.LayerOp | None]
"""What the layer of each address does; None where it is declared in two ways."""


@frozen
class Put:
    """Words that stand in the place of others; without `end` they are put in."""

    line: int
    column: int
    end: int
    text: str


def layers_in(units: Iterable[tree.Unit]) -> Operations:
    """Return what every layer does that some units declare, by its address."""
    found: dict[str, tree.LayerOp | None] = {}
    for unit in units:
        for address, op in _layers(unit.items):
            known = found.setdefault(address, op)
            found[address] = op if known == op else None
    return found


def _layers(items: Iterable[tree.Item]) -> Iterator[tuple[str, tree.LayerOp]]:
    for item in items:
        match item:
            case tree.Value(name=name, layers=layers):
                yield from (
                    (f"{name.text}.{each.name.text}", each.op) for each in layers
                )
            case tree.Layer(name=name, op=op):
                yield name.text, op
            case tree.Phase(items=inside) | tree.WithGuard(items=inside):
                yield from _layers(inside)
            case _:
                pass


def upgraded(source: Source, layers: Operations) -> tuple[Source, list[Diagnostic]]:
    """Return a rules file in the words of today, and what of it stays as it is.

    What a contribution does says the layer that it is for: where that is not known the
    line stays, which is a warning (W005). A text with faults comes back as it is.

    Args:
        source: the text.
        layers: those that other files declare.
    """
    whole = without_tabs(source)
    rules, _ = parts_of(whole)
    units, faults = parse_unit_file(rules)
    if faults:
        return source, []
    known = {**layers_in(units), **layers}
    lines = scan(rules).lines
    changes: list[Put] = []
    kept: list[Diagnostic] = []
    for each in (older for unit in units for older in unit.older):
        tokens = _tokens(lines, each)
        if each.form != "old_adjust":
            changes += _FORMS[each.form](tokens)
        elif op := known.get(_address(tokens)):
            changes += _contribution(tokens, op)
        else:
            kept.append(_no_verb(each, _address(tokens), _address(tokens) in known))
    text = _with(rules.text, changes) + whole.text[len(rules.text) :]
    return Source(source.name, text), kept


def _tokens(lines: Sequence[LogicalLine], older: tree.Older) -> list[Token]:
    """Return the words of a form, and what follows them on its line."""
    start = older.span.line, older.span.column
    line = next(each for each in reversed(lines) if each.first <= older.span.line)
    return [each for each in line.tokens if (each.line, each.column) >= start]


def _with(text: str, changes: Iterable[Put]) -> str:
    rows = text.split("\n")
    ordered = sorted(changes, key=lambda put: (put.line, put.column), reverse=True)
    for put in ordered:
        row = rows[put.line - 1]
        before = row[: put.column - 1]
        before = before if put.text else before.rstrip(" ")
        rows[put.line - 1] = f"{before}{put.text}{row[put.end - 1 :]}"
    return "\n".join(rows)


def _no_verb(older: tree.Older, address: str, declared: bool) -> Diagnostic:
    why = "in several ways" if declared else "in none of these files"
    return Diagnostic(
        "W005",
        f"The layer {address} is declared {why}, so what is done to it is not known.",
        (Label(older.span, "this line stays as it is"),),
        ("Write `multiply`, `add to` or `keep` for `adjust`, and `called` for `as`.",),
    )


# ---- one form


def _instead(token: Token, text: str) -> Put:
    return Put(token.line, token.column, token.end, text)


def _behind(token: Token, text: str) -> Put:
    return Put(token.line, token.end, token.end, text)


def _first(tokens: Sequence[Token], word: str) -> int:
    """Return where a word stands outside of all brackets."""
    depth = 0
    for index, token in enumerate(tokens):
        if not depth and token.text == word:
            return index
        depth += (token.text in OPENERS) - (token.text in CLOSERS)
    raise ValueError(f"no {word} in {tokens}")


def _address(tokens: Sequence[Token]) -> str:
    """Return the address that stands behind the first word."""
    found = [tokens[1].text]
    for dot, name in zip(tokens[2::2], tokens[3::2], strict=False):
        if dot.text != ".":
            break
        found.append(name.text)
    return ".".join(found)


def _op(tokens: Sequence[Token]) -> int:
    """Return how many words an operation has."""
    return 2 if tokens[0].text == "at" else 1


def _value_layer(tokens: list[Token]) -> list[Put]:
    return [_behind(tokens[1 + _op(tokens[1:])], ", if any")]


def _layer(tokens: list[Token]) -> list[Put]:
    colon = _first(tokens, ":")
    dot, name = tokens[colon - 2], tokens[colon - 1]
    rest = tokens[colon + 1 :]
    last = rest[_op(rest) - 1]
    return [
        _instead(tokens[0], "extend"),
        *(_instead(each, "") for each in (dot, name)),
        _instead(tokens[colon], " with"),
        _behind(last, f" {name.text}, if any"),
        *(
            _instead(each, f", {each.text}")
            for each in (rest[_op(rest) :: 2][:2])
            if each.text in ("after", "before")
        ),
    ]


def _contribution(tokens: list[Token], op: tree.LayerOp) -> list[Put]:
    found = [
        _instead(tokens[0], VERBS[op]),
        _instead(tokens[_first(tokens, "as")], "called"),
    ]
    if VERBS[op] == "keep":
        found.append(_behind(tokens[_first(tokens, ":")], f" {op}"))
    return found


def _lift(tokens: list[Token]) -> list[Put]:
    return [_instead(tokens[0], "or")]


def _uses_up(tokens: list[Token]) -> list[Put]:
    return [_instead(tokens[0], "ends as this"), _instead(tokens[1], "shrinks")]


def _reaction(tokens: list[Token]) -> list[Put]:
    as_ = _first(tokens, "as")
    name = tokens[as_ + 1]
    return [
        _instead(tokens[0], f"reaction {name.text} {tokens[0].text}"),
        *(_instead(each, "") for each in (tokens[as_], name)),
    ]


def _action(tokens: list[Token]) -> list[Put]:
    return [_instead(tokens[_first(tokens, "at")], "during")]


def _seen(tokens: list[Token]) -> list[Put]:
    by = tokens[1]
    if [each.text for each in tokens[2:4]] != ["{", "}"]:
        return [_instead(by, "only by")]
    return [_instead(tokens[2], "nobody"), _instead(tokens[3], "")]


def _limit(tokens: list[Token]) -> list[Put]:
    colon, each = _first(tokens, ":"), _first(tokens, "each")
    if [token.text for token in tokens[colon + 1 : each]] == ["1"]:
        return [_instead(tokens[colon + 1], "at most once")]
    return [_behind(tokens[colon], " at most"), _behind(tokens[each - 1], " times")]


def _mode(tokens: list[Token]) -> list[Put]:
    return [_instead(tokens[0], "must act"), _behind(tokens[1], ", if possible")]


_FORMS: Mapping[str, Callable[[list[Token]], list[Put]]] = {
    "old_value_layer": _value_layer,
    "old_layer": _layer,
    "old_lift": _lift,
    "old_uses_up": _uses_up,
    **dict.fromkeys(("old_when", "old_before", "old_after", "old_instead"), _reaction),
    "old_action": _action,
    "seen_by": _seen,
    "old_limit": _limit,
    "old_mode": _mode,
}
