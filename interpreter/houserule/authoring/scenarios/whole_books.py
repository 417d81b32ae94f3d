"""Rulebooks with their examples, from the cache if nothing changed."""

from __future__ import annotations

from houserule.base.cache import DiskStore
from houserule.base.files import find, read_source
from houserule.language.manifest.load import EXAMPLES
from houserule.play.seat.rules import TableRules
from houserule.rulebook.book.book_model import Book

BOOKS = DiskStore("books", made_by=(), most=200)
LATER = (EXAMPLES, "text/*.json")  # files that are read when they are needed


def whole_book(rules: TableRules, language: str) -> Book:
    """Return the rules of a table as a book with examples."""
    ruleset, chosen = rules.ruleset, rules.chosen
    later = [ruleset.folder / n for each in LATER for n in find(ruleset.folder, each)]
    options = sorted((name, repr(value)) for name, value in chosen.options.items())
    key = BOOKS.key(
        ruleset.fingerprint,
        *(source.text for _, source in sorted(ruleset.files.items())),
        *(read_source(each).text for each in later if each.is_file()),
        f"{rules.program.fingerprint} {chosen.players} {language}",
        f"{sorted(chosen.variants)} {options}",
    )
    kept = BOOKS.load(key, Book.model_validate_json)
    if kept is not None:
        return kept
    # Imported late: what makes a book takes longer to load than a kept one.
    from houserule.authoring.scenarios.in_books import with_examples
    from houserule.rulebook.book.build import book_of

    book = with_examples(book_of(rules, language), rules)
    BOOKS.save(key, book.model_dump_json())
    return book
