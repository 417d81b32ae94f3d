"""An editor empties a file while it is read, as it does before it saves.

What was read is one content, whichever: the other one is not kept as sound.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import houserule.language.manifest.folder as of_folder
from houserule.base.diagnostics.render import RulesetError
from houserule.base.files import read_bytes
from houserule.base.resources import shipped_rulesets
from houserule.language.manifest.load import load_ruleset, open_ruleset

FILES = ("game.rules", "ruleset.yaml", "text/de.yaml")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path / "cache"))
    return Path(shutil.copytree(shipped_rulesets()["pig"], tmp_path / "pig"))


def changes_when_read(
    file: Path, contents: Iterator[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let a file have another content after each time that it is read."""

    def read(path: Path, *more: object, **named: object) -> bytes:
        found = read_bytes(path, *more, **named)  # type: ignore[arg-type]
        if path == file:
            file.write_bytes(next(contents, found))
        return found

    monkeypatch.setattr(of_folder, "read_bytes", read)


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_empty_for_a_moment(
    game: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game / file
    whole = path.read_bytes()
    path.write_bytes(b"")
    with monkeypatch.context() as patch:
        changes_when_read(path, iter([whole]), patch)
        load_ruleset(game)
    path.write_bytes(b"")
    with pytest.raises(RulesetError):
        open_ruleset(game)
    path.write_bytes(whole)
    assert open_ruleset(game).base.id == "pig"


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_emptied_after_it_was_sound(
    game: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game / file
    before = open_ruleset(game)
    assert not load_ruleset(game)[1]
    changes_when_read(path, iter([b""]), monkeypatch)
    meanwhile = open_ruleset(game)
    assert meanwhile.base.id == "pig"
    assert meanwhile.fingerprint == before.fingerprint
