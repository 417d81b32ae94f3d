"""Citations: the sentences cited by clauses, edits and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from houserule.authoring.scenarios.files import Examples, example_files, read_examples
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.items.items import Placed, placed_items
from houserule.language.manifest.citations import default_source, find_heading, plain
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import Register
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk


@frozen
class SentencePlace:
    """A sentence of a rulebook: source, printed heading, number from 1."""

    source: str
    heading: str
    number: int


@frozen
class Margined:
    """A clause, a declaration, an edit or a remark, with its citations.

    Attributes:
        address: of the clause; for an edit, the operation and its target's address.
        unit: the variant or bridge, '' in the base game.
        notes: its own citations, or else those of the enclosing node.
        remark: whether it is a remark, which claims that no rule is needed.
    """

    address: str
    unit: str
    span: Span
    notes: tree.Notes
    remark: bool = False
    edit: bool = False


class Margins:
    """The citations of a ruleset and of its examples, as places in its rulebooks."""

    def __init__(self, ruleset: LoadedRuleset) -> None:
        self.registers: Mapping[str, Register] = ruleset.registers
        self._first = default_source(ruleset.units)
        self.everything = tuple(
            each for placed in placed_items(ruleset) for each in _margined(placed)
        )
        self.examples: tuple[Examples, ...] = tuple(
            read_examples(path) for path in example_files(ruleset)
        )

    def cites(self, source: str) -> Iterator[tree.Cite]:
        """Yield every citation of a source, in rules and examples."""
        every: list[tree.Cite] = [
            note
            for each in self.everything
            for note in each.notes
            if isinstance(note, tree.Cite)
        ]
        every += (cite for _, cite in self.of_examples())
        seen: set[int] = set()
        for cite in every:
            if (cite.source or self._first) == source and id(cite) not in seen:
                seen.add(id(cite))
                yield cite

    def of_examples(self) -> Iterator[tuple[str, tree.Cite]]:
        """Yield the citations of worked examples, each with the example's name."""
        for examples in self.examples:
            for index, scenario in enumerate(
                examples.form.scenarios if examples.form else ()
            ):
                for number, cite in enumerate(scenario.cites):
                    path = ("scenarios", index, "cites", number)
                    said = (cite.heading, cite.sentence, cite.last, cite.words)
                    span = examples.document.span(*path)
                    yield scenario.name, tree.Cite(cite.source, *said, span=span)

    def places(self, cite: tree.Cite) -> Iterator[SentencePlace]:
        """Yield the sentences of a citation; none if it is wrong."""
        source = cite.source or self._first
        register = self.registers.get(source or "")
        headings = find_heading(register, cite.heading) if register else []
        if source is None or len(headings) != 1:
            return
        (heading,) = headings
        if cite.words is not None:
            quoted = {plain(said): number for said, number in heading.cited.items()}
            number = quoted.get(plain(cite.words))
            numbers: Iterable[int] = [number] if number else []
        elif cite.first is None:
            numbers = range(1, len(heading.sentences) + 1)
        else:
            numbers = range(cite.first, (cite.last or cite.first) + 1)
        for number in numbers:
            if number <= len(heading.sentences):
                yield SentencePlace(source, heading.heading, number)

    def named_by(self, each: Margined) -> Iterator[SentencePlace]:
        """Yield the sentences that a clause cites."""
        for note in each.notes:
            if isinstance(note, tree.Cite):
                yield from self.places(note)


def _margined(placed: Placed) -> Iterator[Margined]:
    """Yield the declaration and the clauses of an item, each with its citations.

    A citation inside a clause, such as on a row, belongs to the clause.
    """
    unit, item = placed.origin.unit, placed.item
    if isinstance(item, tree.Remark):
        name = f'note "{item.caption.text}"'
        yield Margined(name, unit, item.span, placed.notes, remark=True)
        return
    known: dict[int, tuple[str, Span]] = {}
    for clause in placed.clauses:  # an action, then its clauses
        for node in walk(clause.node):
            if isinstance(node, tree.Cite | tree.Ruling):
                known[id(node)] = clause.address, clause.span
    margins: dict[tuple[str, Span], list[tree.Note]] = {
        (clause.address, clause.span): [] for clause in placed.clauses
    }
    for edit in placed.edits if not placed.clauses else ():
        margins[f"{edit.verb} {edit.target}", edit.span] = []
    home = next(iter(margins), (type(item).__name__.lower(), item.span))
    for node in walk(item):
        if isinstance(node, tree.Cite | tree.Ruling):
            margins.setdefault(known.get(id(node), home), []).append(node)
    edits = not placed.clauses
    for (address, span), notes in margins.items():
        yield Margined(address, unit, span, tuple(notes) or placed.notes, edit=edits)
