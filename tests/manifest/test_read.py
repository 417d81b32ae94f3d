"""YAML files are read once; what is kept on disk says the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.small_games import PLAY

from houserule.base.files import read_source
from houserule.base.source import Source
from houserule.language.manifest.yaml import read
from houserule.language.manifest.yaml.read import read_document


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path))


def test_the_second_reading_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    source = read_source(PLAY / "market" / "scenarios" / "turns.yaml", "a.yaml")
    first, _ = read_document(source)
    monkeypatch.setattr(read, "parse_yaml", None)
    second, faults = read_document(source)
    assert not faults
    assert second == first
    assert second.span("scenarios", 0, "name") == first.span("scenarios", 0, "name")
    part, again = (each.inside("scenarios", 1) for each in (first, second))
    assert again == part
    assert list(part.spans)[:2] == [(), ("name",)]
    assert len(part.spans) == sum(at[:2] == ("scenarios", 1) for at in first.spans)
    assert again.span("name") == first.span("scenarios", 1, "name")


def test_places_are_named_after_the_file_that_is_read() -> None:
    read_document(Source("one.yaml", "a: 1\n"))
    again, _ = read_document(Source("other.yaml", "a: 1\n"))
    assert again.span("a").file == "other.yaml"


def test_faults_are_not_kept(tmp_path: Path) -> None:
    source = Source("a.yaml", "a: 1\na: 2\n")
    for _ in range(2):
        _, faults = read_document(source)
        assert [each.code for each in faults] == ["E030"]
    assert not list((tmp_path / "yaml").glob("*"))


def test_a_damaged_file_is_read_anew(tmp_path: Path) -> None:
    source = Source("a.yaml", "a: 1\n")
    read_document(source)
    (path,) = (tmp_path / "yaml").glob("*")
    path.write_bytes(b"nonsense")
    document, _ = read_document(source)
    assert document.data == {"a": 1}
