"""The store on disk: what it keeps, what it refuses to read, when it forgets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from houserule import cache
from houserule.cache import DiskStore, cache_dir, code_key, read_file, write_file


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path / "kept"))


@pytest.fixture
def store() -> DiskStore:
    return DiskStore("things", made_by=("source.py",), most=4)


def only_file() -> Path:
    (path,) = (cache_dir() / "things").iterdir()
    return path


def test_what_was_saved_is_loaded(store: DiskStore) -> None:
    value = {"a": (1, None, ["x", b"y", True])}
    store.save("key", value)
    assert store.load("key") == value
    assert store.load("other") is None


def test_a_key_holds_every_content_and_where_it_ends(store: DiskStore) -> None:
    texts = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("ab", b"d")]
    assert len({store.key(*each) for each in texts}) == len(texts)
    assert store.key("a", b"b") == store.key("a", b"b")


def test_a_key_changes_with_the_code_that_makes_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "one.py").write_text("1")
    (tmp_path / "part" / "two.py").write_text("2")
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path)

    def keys() -> tuple[str, str, str]:
        code_key.cache_clear()
        return code_key("one.py"), code_key("part"), code_key()

    first = keys()
    (tmp_path / "part" / "two.py").write_text("3")
    second = keys()
    (tmp_path / "part" / "new.py").write_text("")
    third = keys()
    code_key.cache_clear()
    assert first[0] == second[0] == third[0]
    for number in (1, 2):
        assert len({first[number], second[number], third[number]}) == 3


@pytest.mark.parametrize("content", [b"", b"x" * 100, None])
def test_a_damaged_file_is_not_read(store: DiskStore, content: bytes | None) -> None:
    store.save("key", 7)
    path = only_file()
    path.write_bytes(path.read_bytes()[:-1] if content is None else content)
    assert store.load("key") is None
    store.save("key", 8)
    assert store.load("key") == 8


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_not_read(store: DiskStore, mode: int) -> None:
    store.save("key", 7)
    only_file().chmod(mode)
    assert store.load("key") is None
    only_file().chmod(0o600)
    assert store.load("key") == 7
    only_file().parent.chmod(mode | 0o100)
    assert store.load("key") is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such owners")
def test_a_file_of_another_user_is_not_read(
    store: DiskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save("key", 7)
    path = only_file()
    for owned in (path, path.parent):
        if os.geteuid() == 0:
            os.chown(owned, 12345, -1)
            assert store.load("key") is None
            os.chown(owned, 0, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert store.load("key") == (7 if path.stat().st_uid == 0 else None)


def test_a_file_that_came_along_is_read_whoever_owns_it(tmp_path: Path) -> None:
    path = tmp_path / "shipped"
    write_file(path, b"content")
    path.chmod(0o666)
    assert read_file(path) is None
    assert read_file(path, came_along=True) == b"content"
    path.write_bytes(b"damaged")
    assert read_file(path, came_along=True) is None


def test_without_a_folder_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: DiskStore
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path / "file" / "beneath"))
    store.save("key", 7)
    assert store.load("key") is None


def test_old_files_make_room(store: DiskStore) -> None:
    for number in range(40):
        store.save(str(number), number)
        assert len(list((cache_dir() / "things").iterdir())) <= 2 * store.most
    assert store.load("39") == 39


def test_the_folder_is_private(store: DiskStore) -> None:
    store.save("key", 7)
    assert only_file().parent.stat().st_mode & 0o077 == 0
    assert only_file().stat().st_mode & 0o077 == 0


def test_the_platform_says_where_if_the_environment_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOUSERULE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert cache_dir() == tmp_path / "houserule"
