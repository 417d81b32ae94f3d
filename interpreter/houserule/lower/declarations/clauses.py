"""Clauses as they are shown: their words, their citations, who changed them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from houserule import ir
from houserule.compose.rules import ClauseRecord, Rules
from houserule.lower.symbols.symbol_table import SymbolTable
from houserule.syntax import tree
from houserule.syntax.tree.constructs import CONSTRUCTS, clause_address, main_part
from houserule.syntax.write.expressions import print_expr
from houserule.syntax.write.statements import print_block


def explain(symbols: SymbolTable) -> dict[str, ir.ClauseInfo]:
    """Return what there is to say of every addressable clause."""
    texts = _texts(symbols.rules)
    known = symbols.memo.clauses if symbols.memo else {}
    found = {}
    for address, record in symbols.rules.clauses.items():
        text = texts.get(address)
        # Nothing is looked up for it, and most clauses are the very same objects.
        same = known.get((id(record), id(text)))
        if same is None:
            make = partial(_info, record, text)
            info = symbols.recall("clause", address, (record, text), make)
            same = known[id(record), id(text)] = (record, text, info)
        found[address] = same[-1]
    return found


def _info(record: ClauseRecord, text: tree.Expr | tree.Block | None) -> ir.ClauseInfo:
    cites = (note for note in record.notes if isinstance(note, tree.Cite))
    rulings = (note.name for note in record.notes if isinstance(note, tree.Ruling))
    return ir.ClauseInfo(
        record.address,
        record.kind,
        record.caption,
        _printed(text),
        record.origin.unit,
        tuple(origin.unit for origin in record.changed_by),
        tuple(cited(note) for note in cites),
        tuple(rulings),
        span=record.span,
    )


def _printed(text: tree.Expr | tree.Block | None) -> str:
    """Return what the author wrote, without its margin."""
    match text:
        case None:
            return ""
        case tree.Block():
            return print_block(replace(text, notes=()))
        case _:
            return print_expr(text)


def cited(note: tree.Cite) -> str:
    """Return a citation as it stands in the margin, without the brackets."""
    source = f"{note.source} " if note.source else ""
    if note.words is not None:
        place = f' "{note.words}"'
    elif note.first is None:
        place = ""
    elif note.last is None or note.last == note.first:
        place = f" {note.first}"
    else:
        place = f" {note.first}..{note.last}"
    return f'{source}"{note.heading}"{place}'


# ---- the text of each address


def _texts(rules: Rules) -> dict[str, tree.Expr | tree.Block]:
    found: dict[str, tree.Expr | tree.Block] = {}
    for name, value in rules.values.items():
        found[name] = value.definition
    for name, state in rules.states.items():
        found[name] = state.starts
    for name, option in rules.options.items():
        found[name] = option.normally
    for name, adjust in rules.adjusts.items():
        found[name] = adjust.amount
    for name, always in rules.always.items():
        found[name] = always.condition
    for name, warn in rules.warns.items():
        found[name] = warn.condition
    for address, each in rules.asserts.items():
        found[address] = each.condition
    for lifts in rules.lifts.values():
        found.update({lifted.address: lifted.condition for lifted in lifts})
    for name, drawn in rules.draws.items():
        found[name] = drawn.condition
    for only in (rules.winners, rules.striving):
        if only is not None:
            found[CONSTRUCTS[type(only)].address] = only.who
    for name, step in rules.steps.items():
        if step.node.body is not None:
            found[name] = step.node.body
    _add_clauses(rules, found)
    return found


def _add_clauses(rules: Rules, found: dict[str, tree.Expr | tree.Block]) -> None:
    for owner in (rules.actions, rules.effects, rules.reactions):
        for name, each in owner.items():
            for clause in each.clauses:
                found[clause_address(name, clause)] = main_part(clause)
    for name, needs in rules.step_needs.items():
        for clause in needs:
            found[clause_address(name, clause)] = main_part(clause)
