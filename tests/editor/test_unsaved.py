"""Texts that an editor has not saved, in place of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.base.files import UnreadableError, read_source, unsaved


def test_an_unsaved_text_takes_the_place_of_its_file_in_the_block(pig: Path) -> None:
    game = pig / "game.rules"
    with unsaved({game: "game x\n"}):
        assert read_source(game).text == "game x\n"
        with unsaved({pig / "ruleset.yaml": "id: y\n"}):
            assert read_source(game).text == "game x\n"
    assert read_source(game).text.startswith("game pig")


def test_limits_and_links_count_for_unsaved_texts(pig: Path, tmp_path: Path) -> None:
    game = pig / "game.rules"
    with unsaved({game: "#" * 5_000_000}), pytest.raises(UnreadableError) as error:
        read_source(game)
    assert error.value.diagnostics[0].code == "E050"
    outside = tmp_path / "outside.rules"
    outside.write_text("")
    (pig / "link.rules").symlink_to(outside)
    with unsaved({outside: "game x\n"}), pytest.raises(UnreadableError):
        read_source(pig / "link.rules")
