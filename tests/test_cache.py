"""The store on disk: what it keeps, what it refuses to read, when it forgets."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

import platformdirs
import pytest

from houserule.base import cache, resources
from houserule.base.cache import DiskStore, cache_dir, code_key, read_file, write_file


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path / "kept"))


@pytest.fixture
def store() -> DiskStore:
    return DiskStore("things", made_by=("base/source.py",), most=4)


def folder() -> Path:
    found = cache_dir()
    assert found is not None
    return found / "things"


def only_file() -> Path:
    (path,) = folder().iterdir()
    return path


def anything(value: object) -> object:
    return value


def test_what_was_saved_is_loaded(store: DiskStore) -> None:
    value = {"a": (1, None, ["x", b"y", True])}
    store.save("key", value)
    assert store.load("key", anything) == value
    assert store.load("other", anything) is None


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
    assert store.load("key", anything) is None
    store.save("key", 8)
    assert store.load("key", anything) == 8


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_not_read(store: DiskStore, mode: int) -> None:
    store.save("key", 7)
    only_file().chmod(mode)
    assert store.load("key", anything) is None
    only_file().chmod(0o600)
    assert store.load("key", anything) == 7
    only_file().parent.chmod(mode | 0o100)
    assert store.load("key", anything) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such owners")
def test_a_file_of_another_user_is_not_read(
    store: DiskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save("key", 7)
    path = only_file()
    for owned in (path, path.parent):
        if os.geteuid() == 0:
            os.chown(owned, 12345, -1)
            assert store.load("key", anything) is None
            os.chown(owned, 0, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert store.load("key", anything) == (7 if path.stat().st_uid == 0 else None)


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
    assert store.load("key", anything) is None


def test_old_files_make_room(store: DiskStore) -> None:
    for number in range(40):
        store.save(str(number), number)
        assert len(list(folder().iterdir())) <= 2 * store.most
    assert store.load("39", anything) == 39


def test_the_folder_is_private(store: DiskStore) -> None:
    store.save("key", 7)
    assert only_file().parent.stat().st_mode & 0o077 == 0
    assert only_file().stat().st_mode & 0o077 == 0


def test_a_file_under_the_name_of_another_is_not_read(store: DiskStore) -> None:
    store.save("key", 7)
    only_file().rename(folder() / "other")
    assert store.load("other", anything) is None


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps("seven")])
def test_what_is_whole_and_of_another_form_is_not_read(
    store: DiskStore, content: bytes
) -> None:
    store.write("key", content)
    assert store.read("key") == content
    assert store.load("key", int) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_links_and_pipes_are_not_read(store: DiskStore, tmp_path: Path) -> None:
    store.save("key", 7)
    path, elsewhere = only_file(), tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert store.load("key", anything) is None
    path.unlink()
    os.mkfifo(path, 0o600)
    assert store.load("key", anything) is None
    path.unlink()
    elsewhere.rename(path)
    assert store.load("key", anything) == 7
    folder().rename(elsewhere)
    folder().symlink_to(elsewhere)
    assert store.load("key", anything) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize(("mode", "read"), [(0o777, False), (0o1777, True)])
def test_a_folder_above_that_others_may_change_must_be_sticky(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, read: bool
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    monkeypatch.setenv("HOUSERULE_CACHE", str(shared / "kept"))
    store = DiskStore("things", made_by=("base/source.py",), most=4)
    store.save("key", 7)
    assert only_file().exists()
    assert store.load("key", anything) == (7 if read else None)


@pytest.mark.parametrize("place", ["kept", "~/kept", "./kept"])
@pytest.mark.parametrize("said_by", ["the environment", "the platform"])
def test_no_place_is_below_the_working_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    store: DiskStore,
    said_by: str,
    place: str,
) -> None:
    said = place if said_by == "the environment" else ""
    monkeypatch.setenv("HOUSERULE_CACHE", said)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: Path(place))
    monkeypatch.chdir(tmp_path)
    assert cache_dir() is None
    store.save("key", 7)
    assert store.load("key", anything) is None
    assert list(tmp_path.iterdir()) == []


def test_without_a_home_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, store: DiskStore
) -> None:
    def homeless(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("HOUSERULE_CACHE")
    monkeypatch.setattr(platformdirs, "user_cache_path", homeless)
    store.save("key", 7)
    assert store.load("key", anything) is None


def test_large_files_make_room_by_their_bytes(
    store: DiskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_ROOM", 4000)
    monkeypatch.setattr(cache, "_LARGEST", 2000)
    store.most = 1000
    for number in range(40):
        store.write(str(number), bytes(1900))
        assert sum(path.stat().st_size for path in folder().iterdir()) <= 8000
    store.write("large", bytes(2001))
    assert store.read("large") is None
    assert store.read("39") == bytes(1900)


def test_the_platform_says_where_if_the_environment_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOUSERULE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert cache_dir() == tmp_path / "houserule"


def test_hidden_files_beside_the_code_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor leaves a link to nothing beside a file that it has open."""
    (tmp_path / "a.py").write_text("x = 1\n")
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path)
    code_key.cache_clear()
    before = code_key()
    (tmp_path / ".#a.py").symlink_to("someone@host.1")
    code_key.cache_clear()
    assert code_key() == before
    code_key.cache_clear()


def test_a_hidden_folder_is_no_built_in_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pig", ".pig"):
        (tmp_path / "rulesets" / name).mkdir(parents=True)
        (tmp_path / "rulesets" / name / "ruleset.yaml").touch()
    monkeypatch.setattr(resources, "data_root", lambda: tmp_path)
    assert [*resources.shipped_rulesets()] == ["pig"]
