"""The rules of a table: explanations, rulebook, diagrams, compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from houserule.engine.reference.play.warnings import table_warnings
from houserule.ir import Program

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules
    from houserule.rulebook.book.book_model import Book
    from houserule.rulebook.meanings.meaning_model import Meaning

DiagramForm: TypeAlias = Literal["text", "svg", "mermaid", "markdown", "json"]


class ComposedRules:
    """Queries about a table's rules that need no game."""

    def __init__(self, rules: TableRules) -> None:
        self._rules = rules

    @property
    def rules(self) -> TableRules:
        """The composed rules; internal, may change."""
        return self._rules

    @property
    def program(self) -> Program:
        """The rules as engines use them; internal, may change."""
        return self._rules.program

    def explain(self, name: str, language: str = "en") -> Meaning:
        """Return the first meaning of a name at this table.

        Args:
            name: of a clause, such as "throw.short", an action, a value, a card, a
                variant, an option, a ruling or anything else with a name.
            language: of captions and texts, if the ruleset is translated into it.

        Raises:
            NoNameError: nothing in the game has this name.

        Example:
            >>> print(houserule.load("pig").table().explain("throw.short").caption)
            Points and pot must fall short of the target
        """
        return self.meanings(name, language)[0]

    def meanings(self, name: str, language: str = "en") -> tuple[Meaning, ...]:
        """Return everything with this name; declarations of the rules come first.

        If this table lacks a meaning, the nearest table that has it explains it.

        Args:
            name: as `explain` takes it.
            language: of captions and texts.

        Raises:
            NoNameError: nothing in the game has this name.

        Example:
            >>> nim = houserule.load("nim").table()
            >>> [meaning.kind for meaning in nim.meanings("ring")]
            ['variant', 'ruling']
        """
        from houserule.rulebook.meanings.explain import meanings_of
        from houserule.rulebook.meanings.table_in_words import TableInWords

        rules = self._rules
        view = TableInWords(rules.ruleset, rules.chosen, self.program, language)
        return meanings_of(view, name)

    def rulebook(self, language: str = "en") -> Book:
        """Return the rulebook of this table, to read, print and search.

        Args:
            language: one of those that the ruleset has texts in.

        Example:
            >>> book = houserule.load("pig").table().rulebook()
            >>> [section.title for section in book.sections][:2]
            ['Object of the game', 'What you need']
        """
        from houserule.authoring.scenarios.whole_books import whole_book

        return whole_book(self._rules, language)

    def warnings(self, language: str = "en") -> tuple[str, ...]:
        """Return the warnings that the rules give players of this table.

        Args:
            language: of the warnings, if the ruleset is translated into it.

        Raises:
            RuleFault: a warning has no value at this table.

        Example:
            >>> houserule.load("pig").table().warnings()
            ()
        """
        texts = self._rules.ruleset.texts.get(language, {})
        return tuple(
            each.text(
                texts.get(each.address) or self.program.clauses[each.address].caption
            )
            for each in table_warnings(self.program)
        )

    def diagram(
        self,
        form: DiagramForm = "text",
        *,
        language: str = "en",
        phase: str | None = None,
        width: int = 80,
    ) -> str:
        """Return a diagram of a turn.

        Args:
            form: "text", "svg", "mermaid", "markdown" (with Mermaid in it) or "json".
            language: of the words.
            phase: draw only this phase.
            width: columns of a text.

        Raises:
            ValueError: unknown form or phase.

        Example:
            >>> print(houserule.load("pig").table().diagram("mermaid").splitlines()[0])
            flowchart TD
        """
        from houserule.compiler.compose.compose import compose
        from houserule.rulebook.diagram.build import draw
        from houserule.rulebook.diagram.forms import FORMS

        if form not in FORMS:
            raise ValueError(f"there is no form `{form}`; forms: {', '.join(FORMS)}")
        rules = compose(self._rules.ruleset, self._rules.chosen)[0]
        assert rules is not None, "the table was composed before"
        if phase is not None and phase not in rules.phases:
            known = ", ".join(rules.phases)
            raise ValueError(f"there is no phase `{phase}`; phases: {known}")
        drawn = draw(self._rules.ruleset, rules, self.program, language, phase)
        return FORMS[form](drawn, width)

    def compiled_text(self) -> str:
        """Return these rules as compiled: WebAssembly text.

        Raises:
            Unsupported: the compiler does not support these rules yet.

        Example:
            >>> "$action.throw" in houserule.load("pig").table().compiled_text()
            True
        """
        from houserule.engine.compiled.module import emit

        return emit(self.program).text
