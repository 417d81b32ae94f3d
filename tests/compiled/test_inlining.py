"""Calls that are written out: the module does the same as before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import wasmtime
from ruamel.yaml import YAML

from houserule.engine.compiled import inlining
from houserule.engine.compiled.inlining import written_out

FILE = Path(__file__).parents[1] / "cases" / "written_out" / "functions.yaml"
CASES: dict[str, str] = {
    case["name"]: case["functions"]
    for case in YAML(typ="safe").load(FILE.read_text("utf-8"))
}


def results(text: str) -> list[int]:
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, text)
    found = []
    for number in range(9):
        run = wasmtime.Instance(store, module, []).exports(store)["run"]
        assert isinstance(run, wasmtime.Func)
        found.append(run(store, number))
    return found


@pytest.mark.parametrize("bounds", [{}, {"GROWTH": 0}, {"WHOLE": 300}, {"TOTAL": 300}])
@pytest.mark.parametrize("name", CASES)
def test_it_does_the_same(
    name: str, bounds: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for bound, value in bounds.items():
        monkeypatch.setattr(inlining, bound, value)
    text = f"(module\n{CASES[name]})\n"
    assert results(written_out(text)) == results(text)


def test_what_is_written_out_everywhere_is_left_out() -> None:
    text = f"(module\n{CASES['names that meet']})\n"
    assert re.findall(r"\(func (\S+)", written_out(text)) == ["$run"]


def test_what_calls_itself_stays() -> None:
    text = f"(module\n{CASES['a function that calls itself']})\n"
    assert "(func $sum " in written_out(text)


def test_comments_and_data_stay_out_of_it() -> None:
    rest = '\n(memory 1)\n(func $run (export "run"))\n(data (i32.const 0) "\\28"))\n'
    assert written_out(f"(module ;; (func $no{rest}") == f"(module {rest}"


def chain(length: int) -> str:
    """Return functions each of which calls the next one twice."""
    kind, given = "(param $n i32) (result i32)", "(local.get $n)"
    made = [
        f"(func $f{n} {kind}"
        f" (i32.add (call $f{n + 1} {given}) (call $f{n + 1} {given})))"
        for n in range(length)
    ]
    made.append(f"(func $f{length} {kind} (i32.add {given} (i32.const 1)))")
    made.append(f'(func $run (export "run") {kind} (call $f0 {given}))')
    return "\n".join(["(module", *made, ")\n"])


def test_growth_has_an_end() -> None:
    assert len(written_out(chain(30))) < 10 * inlining.GROWTH
    short = chain(9)
    assert results(written_out(short)) == results(short)


def test_a_module_grows_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    text = chain(40)
    large = len(written_out(text))
    monkeypatch.setattr(inlining, "TOTAL", 5000)
    assert len(text) < len(written_out(text)) < min(large, len(text) + 10_000)
