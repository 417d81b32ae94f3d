"""Users' own rules, stored by their content.

A link names a text by its digest, so the text that is played is exactly the uploaded
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import delete, exists, func, insert, select, update

from houserule.ui.web.database.schema import own_texts, tables
from houserule.ui.web.store import TableStore, now

LARGEST = 64_000  # bytes of one text
MOST = 5_000  # texts
KEPT_FOR = 30 * 24 * 3600  # seconds for which an unused text is stored


class UnknownTextError(KeyError):
    """A link names rules that are not stored here, or no longer."""


class TooManyTextsError(Exception):
    """The store of texts is full."""


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class OwnTexts:
    """Users' own rules in a database; two objects with the same store are equal."""

    store: TableStore

    def keep(self, text: str) -> str:
        """Store a text and return its digest; delete expired texts.

        Raises:
            TooManyTextsError: the store is full.
        """
        digest = digest_of(text)
        here = own_texts.c.digest == digest
        used = exists().where(tables.c.choice.contains(own_texts.c.digest))
        old = own_texts.c.brought < now() - KEPT_FOR
        with self.store.writing() as db:
            db.execute(delete(own_texts).where(old, ~used))
            renewed = update(own_texts).where(here).values(brought=now())
            if db.execute(renewed).rowcount:
                return digest
            number = db.execute(select(func.count()).select_from(own_texts))
            if number.scalar_one() >= MOST:
                raise TooManyTextsError
            row = {"digest": digest, "text": text, "brought": now()}
            db.execute(insert(own_texts).values(row))
        return digest

    def text(self, digest: str) -> str:
        """Return a text.

        Raises:
            UnknownTextError: it is not stored here.
        """
        with self.store.reading() as db:
            wanted = select(own_texts.c.text).where(own_texts.c.digest == digest)
            found: str | None = db.execute(wanted).scalar_one_or_none()
        if found is None:
            raise UnknownTextError(digest)
        return found
