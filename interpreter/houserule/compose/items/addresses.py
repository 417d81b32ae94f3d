"""Addresses of clauses: what each kind of declaration is called, and where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.source import Span

THINGS = (
    tree.TypeDecl,
    tree.Component,
    tree.DiceDecl,
    tree.Tokens,
    tree.Zone,
    tree.State,
    tree.Value,
    tree.Option,
)

KINDS: dict[type[tree.Node], str] = {
    tree.TypeDecl: "type",
    tree.Component: "component",
    tree.DiceDecl: "dice",
    tree.Tokens: "tokens",
    tree.Zone: "zone",
    tree.State: "state",
    tree.Value: "value",
    tree.Option: "option",
    tree.Layer: "layer",
    tree.ValueLayer: "layer",
    tree.Adjust: "adjust",
    tree.Always: "always",
    tree.Warn: "warn",
    tree.Winners: "winners",
    tree.Effect: "effect",
    tree.Phase: "phase",
    tree.Step: "step",
    tree.Action: "action",
    tree.Reaction: "reaction",
    tree.Needs: "needs",
    tree.Unwise: "unwise",
    tree.Cost: "cost",
    tree.Limit: "limit",
    tree.Does: "does",
    tree.Asks: "asks",
    tree.UsesUp: "uses up",
    tree.Lift: "lift",
    tree.Assert: "assert",
    tree.Remark: "note",
    tree.Field: "field",
    tree.Slot: "slot",
    tree.Word: "member",
}


def kind_of(node: tree.Node) -> str:
    """Return the word of the language for a declaration."""
    return KINDS[type(node)]


def clause_address(owner: str, clause: tree.Clause) -> str:
    """Return the full address of a clause written inside its owner."""
    if isinstance(clause, tree.UsesUp):
        return f"{owner}.uses_up"
    return f"{owner}.{clause.name.text.removeprefix(owner + '.')}"


def name_span(node: tree.Node) -> Span:
    """Return the place of a declaration's name, or of all of it."""
    word = getattr(node, "name", None) or getattr(node, "target", None)
    return word.span if isinstance(word, tree.Word) and word.span.line else node.span


def owner_of(word: tree.Word) -> str:
    """Return what stands before the last dot of an address, '' if there is none."""
    return word.text.rpartition(".")[0]
