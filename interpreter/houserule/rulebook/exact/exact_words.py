"""Sentences for the clauses of a program: formal wording, and plain sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from houserule import ir
from houserule.ir import Program
from houserule.rulebook.exact.clauses import Clauses
from houserule.rulebook.exact.expressions import ExpressionWords
from houserule.rulebook.exact.plain import PlainClauses, Unsayable
from houserule.rulebook.exact.program_nouns import Lexicon
from houserule.rulebook.nouns.speech import NoVerbError, as_sentence


class ExactWords:
    """Sentences for the clauses of one program, in one language.

    Args:
        program: the composed rules of a table.
        texts: the ruleset's texts of the language, by `section/name`.
        language: of the sentences; English grammar if it is not supported.
        first: the language of the captions in the rules files.
        cited: the sentence of an effect about itself, for plain sentences.
    """

    def __init__(
        self,
        program: Program,
        texts: Mapping[str, str],
        language: str,
        first: str = "en",
        cited: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self._names = Lexicon(program, texts, language, first)
        self._formal = Clauses(self._names)
        self._plain = PlainClauses(self._names, cited)
        self._said: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def clause(self, address: str) -> tuple[str, ...]:
        """Return the sentences that express a clause completely.

        Each begins with a capital and ends with a full stop.

        Raises:
            KeyError: the program has no such clause.
        """
        return self._of(address)[0]

    def plain(self, address: str) -> tuple[str, ...] | None:
        """Return a clause in plain sentences, none if there is nothing to say.

        None if it can only be worded formally.
        """
        return self._plain.sentences(address)

    def condition(self, address: str, test: ir.Expr, *, captioned: bool) -> str:
        """Return a condition of a clause as it follows "if" or "until".

        It is in formal wording if it has no plain sentence. A clause with a caption
        needs only conditions that have a name: '' for another one.
        """
        names, inner, name = self._names, test, ""
        while isinstance(inner, ir.Unary) and inner.op == "not":
            inner = inner.operand
        match inner:
            case ir.CallValue(value=own) | ir.ReadCell(state=own):
                name = ir.declared_as(own)
            case _:
                pass
        has_words = any(key.startswith(f"readings/{name}/") for key in names.texts)
        by_caption = not has_words and names.caption(name) is not None
        if captioned and not has_words and not by_caption:
            return ""
        said = None if by_caption else self._plain.subordinate(address, test)
        if said is None:
            said = ExpressionWords(names, address, (), test).sentence(test)
            with suppress(NoVerbError, Unsayable):
                said = self._plain.as_subordinate(said)
        return said

    def phrase(self, address: str, expr: ir.Expr) -> str:
        """Return an expression of a clause as a noun phrase."""
        return ExpressionWords(self._names, address, (), expr).whole(expr)

    def below_zero(self, address: str) -> tuple[str, ...]:
        """Return the sentence that a state may fall below 0, none if it may not."""
        return self._plain.below_zero(address)

    def is_met(self, address: str) -> bool:
        """Return whether a clause is a condition that is always met at the table."""
        return address in self._plain.met

    @property
    def named(self) -> frozenset[str]:
        """The values without a text that plain sentences so far name."""
        return frozenset(self._plain.names.named)

    def mentions(self, address: str) -> tuple[str, ...]:
        """Return the addresses of the clauses that these sentences mention."""
        return self._of(address)[1]

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The names used so far that have no words in this language, by section.

        If a noun only lacks a gender that the language needs, the entry is `things` and
        `NAME:gender`.
        """
        return tuple(sorted(self._names.missing))

    def _of(self, address: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if address not in self._said:
            clause, names = self._names.program.clauses[address], self._names
            parts = self._formal.parts.get(address, ())
            with names.mentions() as mentioned:
                with names.listening():
                    for part in parts:
                        tuple(self._formal.of(part))
                found = [each for part in parts for each in self._formal.of(part)]
                found = found or [self._formal.of_table(clause)]
            said = tuple(as_sentence(each) for each in dict.fromkeys(found))
            others = tuple(each for each in mentioned if each != address)
            self._said[address] = said, others
        return self._said[address]
