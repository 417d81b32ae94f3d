"""What every clause of a program says, in whole sentences made of its expressions."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.ir import Program
from houserule.rulebook.exact.clauses import Clauses
from houserule.rulebook.exact.names import Lexicon


class ExactWords:
    """Sentences for the clauses of one program, in one language.

    Args:
        program: the composed rules of a table.
        texts: the ruleset's texts of the language, by `section/name`.
        language: of the sentences; one that is not known is spoken as English.
        first: the language of the captions in the rules files.
    """

    def __init__(
        self,
        program: Program,
        texts: Mapping[str, str],
        language: str,
        first: str = "en",
    ) -> None:
        self._names = Lexicon(program, texts, language, first)
        self._clauses = Clauses(self._names)
        self._said: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def clause(self, address: str) -> tuple[str, ...]:
        """Return the sentences that say everything a clause says.

        Each begins with a capital and ends with a full stop.

        Raises:
            KeyError: the program has no such clause.
        """
        return self._of(address)[0]

    def mentions(self, address: str) -> tuple[str, ...]:
        """Return the addresses of the clauses that these sentences name."""
        return self._of(address)[1]

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The names met so far that have no words in this language, by section.

        A noun without the gender that the language needs is `things`, `NAME:gender`.
        """
        return tuple(sorted(self._names.missing))

    def _of(self, address: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if address not in self._said:
            with self._names.mentions() as mentioned:
                said = tuple(self._clauses.sentences(address))
            others = tuple(each for each in mentioned if each != address)
            self._said[address] = said, others
        return self._said[address]
