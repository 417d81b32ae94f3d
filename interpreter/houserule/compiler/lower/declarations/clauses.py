"""Clauses for display: their words, their citations, the units that changed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from houserule import ir
from houserule.compiler.lower.symbols.symbol_table import SymbolTable
from houserule.compiler.rules import ClauseRecord
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import (
    CONSTRUCTS,
    clause_address,
    main_part,
)
from houserule.language.syntax.write.expressions import print_expr
from houserule.language.syntax.write.statements import print_block


def explain(symbols: SymbolTable) -> dict[str, ir.ClauseInfo]:
    """Return the display data of every addressable clause."""
    rules = symbols.rules
    texts: Texts = {n: each.definition for n, each in rules.values.items()}
    texts |= {n: each.starts for n, each in rules.states.items()}
    texts |= {n: each.normally for n, each in rules.options.items()}
    texts |= {n: each.amount for n, each in rules.adjusts.items()}
    for conditions in (rules.always, rules.warns, rules.asserts, rules.draws):
        texts |= {n: each.condition for n, each in conditions.items()}
    for lifts in rules.lifts.values():
        texts |= {each.address: each.condition for each in lifts}
    for only in (rules.winners, rules.striving):
        if only is not None:
            texts[CONSTRUCTS[type(only)].address] = only.who
    for name, step in rules.steps.items():
        if step.node.body is not None:
            texts[name] = step.node.body
    for owner in (rules.actions, rules.effects, rules.reactions):
        for name, holder in owner.items():
            texts |= _inside(name, holder.clauses)
    for name, needs in rules.outer_needs.items():
        texts |= _inside(name, needs)
    return {
        address: _info(record, texts.get(address))
        for address, record in symbols.rules.clauses.items()
    }


def _info(record: ClauseRecord, text: tree.Expr | tree.Block | None) -> ir.ClauseInfo:
    cites = (note for note in record.notes if isinstance(note, tree.Cite))
    rulings = (note.name for note in record.notes if isinstance(note, tree.Ruling))
    words = ""  # the author's text without citations
    if isinstance(text, tree.Block):
        words = print_block(replace(text, notes=()))
    elif text is not None:
        words = print_expr(text)
    return ir.ClauseInfo(
        record.address,
        record.kind,
        record.caption,
        words,
        record.origin.unit,
        tuple(origin.unit for origin in record.changed_by),
        tuple(cited(note) for note in cites),
        tuple(rulings),
        span=record.span,
    )


def cited(note: tree.Cite) -> str:
    """Return a citation as written, without the brackets."""
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


Texts: TypeAlias = dict[str, tree.Expr | tree.Block]


def _inside(owner: str, clauses: Sequence[tree.Clause]) -> Texts:
    return {clause_address(owner, each): main_part(each) for each in clauses}
