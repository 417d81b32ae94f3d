"""Texts of a ruleset that describe a clause as it is at a table.

A text is used if it describes the clause with all changes. Prose and captions of the
base apply to clauses that no house rule changed. Texts of a house rule apply if only it
changed the clause, or if the others have the same text. If a clause is only extended,
the prose of the extensions follows its own. Numbers are filled in from the clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from houserule.base.inflection import Inflected, fill, slots_of
from houserule.compiler.table_files.description import value_words
from houserule.language.manifest.declared_names import numbers_in
from houserule.language.syntax import tree
from houserule.rulebook.book.book_model import BookMark, BookSentence
from houserule.rulebook.book.stamps import outdated
from houserule.rulebook.exact.exact_words import ExactWords
from houserule.rulebook.meanings.table_in_words import TableInWords, caption_of
from houserule.rulebook.nouns.speech import as_sentence


class Prose:
    """The sentences of clauses at one table, in one language.

    Args:
        view: the rules of the table, with captions, citations and units.
    """

    def __init__(self, view: TableInWords, exact: ExactWords) -> None:
        self.view, self.exact = view, exact
        self.unsaid: set[str] = set()
        old = view.ruleset.derived(outdated)
        texts = view.ruleset.texts.get(view.language, {})
        self._texts = {key: said for key, said in texts.items() if key not in old}

    def sentences(self, address: str) -> tuple[BookSentence, ...]:
        """Return a clause's sentences; none if its text leaves it to other clauses.

        Without a text, they are made from the expression; a clause for which no plain
        sentence can be made is `unsaid`.
        """
        marks, said = self.marks(address), self.text(address)
        if said is not None:
            chosen = "|" in self._texts.get(f"prose/{address}", "")
            if not said or (self.exact.is_met(address) and not chosen):
                return ()
            found = BookSentence(text=as_sentence(said), address=address, marks=marks)
            kind, more = self.view.program.clauses[address].kind, list[str]()
            if kind in HEADED and self.written(address) is None:
                effects = map(self.caption, self.view.program.effects)
                cited = {as_sentence(each) for each in effects if each}
                more = [e for e in self.exact.plain(address) or () if e not in cited]
            also = (found.model_copy(update={"text": e, "made": True}) for e in more)
            return (found, *also, *self._below_zero(address))
        made = self.exact.plain(address)
        lifted = self.view.program.clauses[address].kind == "or"
        if made is None or (lifted and address.rpartition(".")[0] in self.unsaid):
            self.unsaid.add(address)
            return ()
        text = " ".join(made)
        sentence = BookSentence(text=text, address=address, marks=marks, made=True)
        return (sentence,) if text else ()

    def _below_zero(self, address: str) -> Iterator[BookSentence]:
        """Yield that house rules let a number fall below 0."""
        units = {
            placed.origin.unit
            for placed in self.view.placed(here=True)
            if any(edit.target == address + RANGE for edit in placed.edits)
        }
        marks = tuple(BookMark(unit=unit, did="changed") for unit in sorted(units))
        is_state = address in self.view.program.states
        if is_state and marks and not any(self._of(unit, address) for unit in units):
            for said in self.exact.below_zero(address):
                yield BookSentence(text=said, address=address, marks=marks)

    def text(self, address: str) -> str | None:
        """Return the text of a clause, None if none applies."""
        prose = self.written(address)
        return prose if prose is not None else self.caption(address)

    def about(self, address: str) -> str | None:
        """Return the text of a clause; of an effect also the prose of its clauses."""
        effect = self.view.program.effects.get(address)
        if effect is None:
            return self.text(address)
        does = [self.written(each.address) for each in effect.does]
        said = " ".join(as_sentence(each) for each in does if each)
        return said or self.text(address) or None

    def written(self, address: str) -> str | None:
        """Return the prose for a clause as it is at the table; '' for none needed."""
        verbs = self._edits.get(address, {})
        changed = [unit for unit, own in verbs.items() if own != {"extend"}]
        origin = self.view.program.clauses[address].origin
        firsts = {self._of(unit, address) for unit in changed or [origin]}
        if firsts == {None} and not changed:
            firsts = {self._texts.get(f"prose/{address}")}
        extending = (self._of(unit, address) for unit in verbs if unit not in changed)
        said = (*firsts, *extending)
        words = [each for each in said if each is not None]
        if len(words) < len(said) or len(firsts) > 1:
            return None
        return filled(" ".join(filter(None, words)), self.slots(address))

    def _of(self, unit: str, address: str) -> str | None:
        """Return a house rule's text for a clause, None if it has none."""
        return self._texts.get(f"changed_prose/{unit}/{address}")

    def caption(self, address: str) -> str | None:
        """Return the caption of a clause, if it describes the clause as it is."""
        clause, language = self.view.program.clauses[address], self.view.language
        if clause.kind == "note":
            return self.view.note(clause.caption) or None
        changed = self.changed_by(address)
        if len(changed) > 1:
            return None
        for unit in changed:  # it needs a caption for this change
            known = self.view.family.declared.get(address, ())
            first = caption_of(known[0].one.node) if known else ""
            recaptioned = clause.caption != first
            if language != self.view.ruleset.manifest.languages[0]:
                recaptioned = f"changed/{unit}/{address}" in self._texts
            if not recaptioned:
                return None
        said = self.view.ruleset.caption(address, clause.caption, changed, language)
        return said or None

    # ---- house rules

    def changed_by(self, address: str) -> tuple[str, ...]:
        """Return the house rules that changed the meaning of a clause."""
        return tuple(self._edits.get(address, ()))

    @cached_property
    def _edits(self) -> Mapping[str, Mapping[str, Set[str]]]:
        """By address, the units whose edits change a clause itself, and their verbs."""
        found: dict[str, dict[str, set[str]]] = {}
        for placed in self.view.placed(here=True):
            for edit in placed.edits:
                if edit.verb in CHANGING:
                    # The address may be that of a part of a clause.
                    clause = edit.target
                    if clause not in self.view.program.clauses:
                        parts = self.view.family.declared.get(clause, ())
                        clause = parts[0].one.clause if parts else clause
                    known = self.view.program.clauses.get(clause)
                    if edit.target.endswith(RANGE):
                        # Texts still say it, unless there is one for this range.
                        known = known if self._of(placed.origin.unit, clause) else None
                    if known and placed.origin.unit in known.changed_by:
                        verbs = found.setdefault(clause, {})
                        verbs.setdefault(placed.origin.unit, set()).add(edit.verb)
        return found

    def marks(self, address: str) -> tuple[BookMark, ...]:
        """Return the marks of house rules on a clause."""
        clause = self.view.program.clauses[address]
        marks: list[BookMark] = []
        if clause.origin:
            marks.append(BookMark(unit=clause.origin, did="added"))
        was = self.before(address)
        changers = self.changed_by(address)
        now = self.text(address)
        marks += (
            BookMark(unit=unit, did="changed", was="" if was == now else was)
            for unit in changers
            if unit != clause.origin
        )
        return tuple(marks)

    def before(self, address: str) -> str:
        """Return the original text of a clause, '' if it had none or only a label."""
        for declaration in self.view.family.declared.get(address, ()):
            one = declaration.one
            prose = self._texts.get(f"prose/{address}")
            said = filled(prose, self._slots(one.node)) if prose else None
            if self.view.program.clauses[address].kind in LABELLED:
                return said or ""
            return said or self.view.ruleset.caption(
                address, caption_of(one.node), (), self.view.language
            )
        return ""

    # ---- slots

    def slots(self, address: str) -> dict[str, str | int]:
        """Return the values for slots in prose: options, and the clause's numbers."""
        return self._slots(self.view.draft.entries[address].node)

    def _slots(self, node: tree.Node) -> dict[str, str | int]:
        found: dict[str, str | int] = dict(self.options)
        numbers = enumerate(numbers_in(node), 1)
        found.update((f"n{place}", number) for place, number in numbers)
        return found

    @cached_property
    def options(self) -> Mapping[str, str | int]:
        """The table's options in words; yes counts as one in a yes-or-no option."""
        set_to = self.view.table.options.items()
        return {name: self._setting(value) for name, value in set_to}

    def _setting(self, value: object) -> str | int:
        if isinstance(value, bool):
            said = str(value_words(value, self.view.language))
            return Inflected(said, number=int(value))
        if isinstance(value, list):
            several = [str(self._setting(each)) for each in value]
            return Inflected(", ".join(several), number=len(several))
        if isinstance(value, int):
            return value
        return self.view.thing(str(value)) or str(value).replace("_", " ")


def filled(prose: str, known: Mapping[str, str | int]) -> str | None:
    """Return a text with its slots filled, None if it has one for an absent number."""
    absent = any(slot.name not in known for slot in slots_of(prose))
    return None if absent else fill(prose, known)


RANGE = ".range"
LABELLED = frozenset({"value", "state", "zone", "slot"})
"""Kinds of clauses whose captions are labels, not sentences."""
HEADED = frozenset({"phase", "step", "drawn by"})
"""Kinds of clauses whose captions only name what happens."""
CHANGING = frozenset({"change", "caption", "default", "raise", "extend"})
