"""Texts are kept by their content, as long as a table has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.own.texts import EIGHT_LINES

from houserule.ui.web.games import NotHereError, rules_of
from houserule.ui.web.own import rules_store
from houserule.ui.web.own.rules_store import (
    KEPT_FOR,
    OwnTexts,
    TooManyTextsError,
    UnknownTextError,
    digest_of,
)
from houserule.ui.web.store import Chair, TableStore, now


@pytest.fixture
def texts(tmp_path: Path) -> Iterator[OwnTexts]:
    store = TableStore(f"sqlite:///{tmp_path / 'tables.db'}")
    yield OwnTexts(store)
    store.close()


def test_a_text_is_known_by_its_content(texts: OwnTexts) -> None:
    digest = texts.keep("one")
    assert digest == digest_of("one") != texts.keep("two")
    assert digest == texts.keep("one")
    assert texts.text(digest) == "one"
    with pytest.raises(UnknownTextError):
        texts.text(digest_of("three"))


def test_what_no_table_has_goes_after_thirty_days(
    texts: OwnTexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, unused = texts.keep("used"), texts.keep("unused")
    texts.store.new_table(f"pig?own={used}", "en", [Chair()], [])
    later = now() + KEPT_FOR - 5
    monkeypatch.setattr(rules_store, "now", lambda: later)
    young = texts.keep("young")
    assert texts.text(unused) == "unused"
    later += 10
    texts.keep("another")
    assert texts.text(used) == "used"
    assert texts.text(young) == "young"
    with pytest.raises(UnknownTextError):
        texts.text(unused)


def test_there_is_room_for_so_many(
    texts: OwnTexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_store, "MOST", 2)
    texts.keep("one")
    texts.keep("two")
    with pytest.raises(TooManyTextsError):
        texts.keep("three")
    assert texts.keep("one") == digest_of("one")


def test_the_server_itself_plays_no_rules_of_one_s_own(texts: OwnTexts) -> None:
    digest = texts.keep(EIGHT_LINES)
    with pytest.raises(NotHereError):
        rules_of(f"pig?own={digest}&with=patient", texts)
