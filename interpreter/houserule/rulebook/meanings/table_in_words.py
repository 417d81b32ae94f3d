"""The rules of one table, in the words of one language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from houserule.base.resources import Phrases
from houserule.compiler.compose.compose import assemble, drafted
from houserule.compiler.items.content import bare
from houserule.compiler.items.index import family_of
from houserule.compiler.items.items import Placed, own_address
from houserule.compiler.items.mentions import mentions
from houserule.compiler.lower.declarations.clauses import cited
from houserule.compiler.rules import ChosenTable
from houserule.ir import Program
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import parts_of
from houserule.language.syntax.tree.parts import MAIN
from houserule.language.syntax.tree.visitor import names_bound
from houserule.language.syntax.write.expressions import (
    how_many,
    mode,
    print_expr,
)
from houserule.language.syntax.write.items import print_item
from houserule.language.syntax.write.statements import print_block
from houserule.rulebook.meanings.meaning_model import (
    Meaning,
    MeaningLine,
    MeaningSection,
)

# The sections of a text file for names of other things than components.
SECTIONS = {"action": "actions", "option": "titles", "phase": "flow", "step": "flow"}


class Speech:
    """The words of one ruleset in one language."""

    def __init__(self, ruleset: LoadedRuleset, language: str) -> None:
        self.ruleset, self.language = ruleset, language
        self.words = Phrases("meanings", language)

    def caption(
        self, address: str, kind: str, own: str, changed_by: Iterable[str] = ()
    ) -> str:
        """Return the caption of a clause, a thing or a step for players, '' if none.

        Args:
            kind: its kind, as the language calls it.
            changed_by: the units that changed it, in order.
        """
        said = self.ruleset.caption(address, own, changed_by, self.language)
        return said or self._text(SECTIONS.get(kind, "things"), address) or own

    def thing(self, name: str) -> str:
        """Return the name of a thing on the table for players, '' if none.

        A noun takes precedence over a name that is not one; things that no front end
        names may have a name only for rulebooks.
        """
        noun = self._text("things", f"{name}:noun")
        return noun or self._text("things", name) or self._text("names", name)

    def title(self, unit: str) -> str:
        own = (each.title for each in self.ruleset.units if each.id == unit)
        return self._text("titles", unit) or next(own, unit)

    def note(self, words: str) -> str:
        """Return the words of a note or an `assert` of the rules."""
        return self._text("notes", words) or words

    def ruling(self, name: str) -> str:
        """Return a ruling with its name; the name alone if there is none."""
        ruling = self.ruleset.rulings.get(name)
        return f"{name}: {ruling.in_full(self.language)}" if ruling else name

    def _text(self, section: str, name: str) -> str:
        return self.ruleset.text(section, name, self.language) or ""


class TableInWords(Speech):
    """The rules of a table in one language.

    Attributes:
        rules: the composed rules.
        draft: the clauses with the units that changed them, and the removed clauses.
        family: the items of all units; `present` are the numbers of those at the table.
    """

    def __init__(
        self,
        ruleset: LoadedRuleset,
        table: ChosenTable,
        program: Program,
        language: str,
    ) -> None:
        super().__init__(ruleset, language)
        self.table, self.program = table, program
        self.family = family_of(ruleset)
        self.present = self.family.present_at(table.variants)
        self.draft, _ = drafted(ruleset, table.variants)
        self.rules, _ = assemble(self.draft, table, named=False)

    def called(self, name: str) -> str:
        """Return the name of a clause, a thing or a step for players, '' if none."""
        record = self.rules.clauses.get(name)
        if record is None:
            return self.thing(name)
        units = [origin.unit for origin in record.changed_by]
        return self.caption(name, record.kind, record.caption, units)

    # ---- lines and sections

    def line(self, address: str) -> MeaningLine:
        found = self.meaning(address)
        return MeaningLine(
            name=address,
            kind=found.kind,
            caption=found.caption,
            text=found.text,
            origin=found.origin,
            changed_by=found.changed_by,
            cites=found.cites,
            rulings=found.rulings,
        )

    def short(self, address: str, text: str = "") -> MeaningLine:
        """Return an address as a line with only its caption."""
        kind = getattr(self.rules.clauses.get(address), "kind", "")
        caption = self.called(address)
        return MeaningLine(name=address, kind=kind, caption=caption, text=text)

    def meaning(self, address: str) -> Meaning:
        """Return the meaning of an address of the table, without facts and sections."""
        clause = self.program.clauses[address]
        entry = self.draft.entries[address]
        caption = self.called(address)
        if isinstance(entry.node, tree.Remark | tree.Assert) and clause.caption:
            caption = self.note(clause.caption)
        rules, node = self.rules, entry.node
        for each in (rules.values, rules.types, rules.dice, rules.tokens):
            node = each.get(address, node)  # with the insertions of variants
        return Meaning(
            name=address,
            kind=clause.kind,
            caption=caption,
            text=written(node),
            origin=clause.origin,
            changed_by=clause.changed_by,
            cites=clause.cites,
            rulings=tuple(map(self.ruling, clause.rulings)),
            file=clause.span.file,
            line=clause.span.line,
            language=self.language,
        )

    def section(
        self, about: str, lines: Iterable[MeaningLine]
    ) -> Iterator[MeaningSection]:
        """Yield a section, unless it has no lines."""
        if found := tuple(lines):
            title = self.words.say(f"about {about}")
            yield MeaningSection(about=about, title=title, lines=found)

    # ---- uses of a name, and edits by other variants

    def used(self, name: str, *, field: bool = False) -> Iterator[MeaningLine]:
        """Yield the clauses of the table that mention a name, in order of the rules."""
        known, found = self.draft.entries, []
        for address in self._mentioned.get((name, field), ()):
            if address not in self.rules.clauses or (address == name and not field):
                continue
            owner = known.get(address.partition(".")[0])
            if owner is not None and not field:
                beneath = self.draft.inside.get(owner.address, ())
                nodes = [owner.node, *(known[e].node for e in beneath if e in known)]
                if any(name == word.text for e in nodes for word in names_bound(e)):
                    continue  # it is a variable there
            found.append(address)
        found.sort(key=lambda each: known[each].rank)
        yield from map(self.short, found)

    @cached_property
    def _mentioned(self) -> dict[tuple[str, bool], set[str]]:
        """The clauses that mention each name, separately for fields and other names."""
        found: dict[tuple[str, bool], set[str]] = defaultdict(set)
        for placed in self.placed(here=True):
            for each in mentions(placed):
                address = each.clause or own_address(placed)
                found[each.name, each.field].add(address)
        return found

    def reactions(self, address: str) -> Iterator[MeaningLine]:
        """Yield the reactions to an address, or to a clause below it."""
        for placed in self.placed(here=True):
            item = placed.item
            if isinstance(item, tree.Reaction) and under(item.event.text, address):
                yield self.short(item.name.text, written(item))

    def removed(self, address: str) -> Iterator[MeaningLine]:
        """Yield what this table's variants removed at an address or below it."""
        for gone, entry in sorted(self.draft.gone.items()):
            if under(gone, address):
                by = tuple(origin.unit for origin in entry.changed_by)
                caption = self.caption(gone, entry.kind, caption_of(entry.node))
                yield MeaningLine(
                    name=gone, kind=entry.kind, caption=caption, changed_by=by
                )

    def elsewhere(self, address: str) -> Iterator[MeaningLine]:
        """Yield the units that edit this but are not at the table, with their edits."""
        found: dict[str, list[str]] = {}
        for placed in self.placed(here=False):
            if placed.members <= self.table.variants:
                continue  # it is on, but a bridge mutes it
            for edit in placed.edits:
                if under(edit.target, address) and edit.verb not in NO_EDIT:
                    found.setdefault(placed.origin.unit, []).append(edit.target)
        for unit, targets in sorted(found.items()):
            text = ", ".join(dict.fromkeys(targets))
            yield MeaningLine(name=unit, caption=self.title(unit), text=text)

    def placed(self, *, here: bool) -> Iterator[Placed]:
        """Yield the items that are at the table, or those that are not."""
        for number, each in enumerate(self.family.placed):
            if (number in self.present) == here:
                yield each

    def cites(self, notes: tree.Notes) -> tuple[str, ...]:
        """Return the printed places that a node cites."""
        return tuple(cited(note) for note in notes if isinstance(note, tree.Cite))

    def rulings(self, notes: tree.Notes) -> tuple[str, ...]:
        """Return the rulings that the citations of a node name."""
        named = (note.name for note in notes if isinstance(note, tree.Ruling))
        return tuple(map(self.ruling, named))


CONDITIONS = (
    tree.Clause | tree.Assert | tree.Lift | tree.Winners | tree.DrawnBy | tree.Striving
)
NO_EDIT = frozenset({"order", "release", "mute"})


def caption_of(node: tree.Node) -> str:
    """Return the caption of a node in the rules files, '' if it has none."""
    own = getattr(node, "caption", None)
    return own.text if isinstance(own, tree.Text) else ""


def under(address: str, above: str) -> bool:
    """Return whether an address equals another one or is below it."""
    return address == above or address.startswith(f"{above}.")


def written(node: tree.Node) -> str:
    """Return a declaration as written, without captions, citations and its clauses.

    For a clause, its condition or its statements; for a note, nothing.
    """
    match node:
        case tree.Action() | tree.Effect() | tree.Reaction():
            return _printed(replace(node, clauses=()))
        case tree.Phase():
            return _printed(replace(node, items=()))
        case tree.Component() | tree.TypeDecl():
            return _printed(replace(node, fields=()))
        case tree.Field():
            return _printed(node)
        case tree.TableCell(value=value):
            return payload_text(value)
        case tree.ValueLayer(op=op, name=name):
            return f"then {op} {name.text}, if any"
        case tree.ValuedMember(values=values):
            return ", ".join(map(print_expr, values))
        case tree.Remark() | tree.Word() | tree.Slot():
            return ""
        case tree.Cost(params=(_, *_)) | tree.Limit():
            return _printed(node)
        case _ if isinstance(node, CONDITIONS) and (main := parts_of(node).get(MAIN)):
            return payload_text(main)
        case _:
            return _printed(node)


def edited(item: tree.Item) -> str:
    """Return an item of a house rule as written, without captions and citations."""
    return _printed(item)


def payload_text(payload: tree.Payload) -> str:
    """Return the part of a clause that `change` may replace, as written."""
    match bare(payload) if isinstance(payload, tree.Node) else payload:
        case str() as word:
            return mode(word)
        case tree.Block() as block:
            return print_block(block)
        case tree.HowMany() as many:
            return how_many(many)
        case said:
            return print_expr(said)


def _printed(node: tree.Node) -> str:
    said = bare(node)
    if isinstance(getattr(said, "caption", None), tree.Text):
        said = replace(said, caption=None)  # type: ignore[call-arg]
    return print_item(said)  # type: ignore[arg-type]
