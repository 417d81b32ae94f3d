"""No text makes the readers of YAML raise, and every fault has a place in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houserule.authoring.coverage.registers import split_source
from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.plain import Strict
from houserule.base.source import Source
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset_models import (
    ComponentTable,
    Manifest,
    Register,
    RulingsFile,
    TableFile,
    TextFile,
)
from houserule.language.manifest.yaml.parser import parse_yaml
from houserule.language.manifest.yaml.read import read_model

BASE = Path(__file__).parents[1] / "cases" / "manifest" / "base"
FILES = sorted(path.relative_to(BASE).as_posix() for path in BASE.rglob("*.yaml"))
MODELS: list[type[Strict]] = [
    ComponentTable,
    Manifest,
    Register,
    RulingsFile,
    TableFile,
    TextFile,
]
WORDS = [
    *("id", "rows", "says", "title", "game", "with", "set", "de", "rulings", "hash"),
    *(": ", ":", "- ", "\n", "\n  ", "\n    ", "\t", "[", "]", "{", "}", ", ", "#"),
    *("'", '"', "&a ", "*a", "!x ", "|\n", ">", "---\n", "...", "%", "@", "? ", "~"),
    *("\\", "yes", "none", "12", "-", "<<", "\u2028", "\ufeff", "\x85", "ä", "🎲"),
]
soup = st.lists(st.sampled_from(WORDS), max_size=40).map("".join)
texts = st.one_of(st.text(max_size=80), soup)
data = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS[:10]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(text=texts, model=st.sampled_from(MODELS))
def test_any_text_is_read_or_faulted(text: str, model: type[Strict]) -> None:
    source = Source("x.yaml", text)
    found, _, faults = read_model(source, model)
    assert found is not None or faults
    for each in faults:
        assert each.span is not None
        assert each.span.file == "x.yaml"
        assert 1 <= each.span.line <= len(source.lines)
        assert each.span.column >= 1


@settings(max_examples=100)
@given(whole=data, model=st.sampled_from(MODELS))
def test_any_data_fits_or_is_faulted(whole: object, model: type[Strict]) -> None:
    found, _, faults = read_model(Source("x.yaml", _flow(whole)), model)
    assert (found is None) == bool(faults)


@settings(max_examples=100)
@given(text=texts)
def test_every_value_has_a_place(text: str) -> None:
    document, _ = parse_yaml(Source("x.yaml", text))
    for path, span in document.spans.items():
        assert span.line <= len(document.source.lines)
        assert (span.line, span.column) <= (span.end_line, span.end_column), path


@given(text=texts, cited=st.lists(texts, max_size=3))
def test_any_source_can_be_split(text: str, cited: list[str]) -> None:
    for part in split_source(text, cited):
        assert part.sentences
        assert all(part.sentences)


def _flow(value: object) -> str:
    """Write data in one line, as JSON would."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case list():
            return f"[{', '.join(map(_flow, value))}]"
        case dict():
            entries = (f"{key}: {_flow(each)}" for key, each in value.items())
            return "{" + ", ".join(entries) + "}"
        case _:
            return "'" + str(value).replace("'", "''").replace("\n", " ") + "'"


@settings(max_examples=60)
@given(
    file=st.sampled_from(FILES),
    start=st.integers(0, 400),
    length=st.integers(0, 30),
    scrap=soup,
)
def test_a_torn_file_never_stops_the_loader(
    tmp_path_factory: pytest.TempPathFactory,
    file: str,
    start: int,
    length: int,
    scrap: str,
) -> None:
    folder = tmp_path_factory.mktemp("torn", numbered=True)
    shutil.copytree(BASE, folder, dirs_exist_ok=True)
    text = (BASE / file).read_text(encoding="utf-8")
    torn = text[:start] + scrap + text[start + length :]
    (folder / file).write_text(torn, encoding="utf-8")
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None or has_errors(faults)
    assert all(each.span is not None for each in faults)
    shutil.rmtree(folder)
