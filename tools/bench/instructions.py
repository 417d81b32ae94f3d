"""Instructions a choice: how much work the compiled engine does in random games.

Usage: `python -m tools.bench.instructions [GAME …] [--json] [--before FILE]
[--write PAGE]`, from the root of the checkout.

`FILE` is the output of `--json` from another version: the table compares the two.

wasmtime counts the executed WebAssembly instructions as fuel. So the numbers do not
depend on the machine or its load, and a small change shows after a second. Calls are
not inlined here. An instruction is not a unit of time: use `compare` for speed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import wasmtime
from tools.bench.contestants import SEED
from tools.bench.pages import tell
from tools.bench.tables import tables

# Inside: a module is run by an engine that counts.
from houserule import Table
from houserule.base.limits import limit
from houserule.engine.compiled.module import emit
from houserule.engine.compiled.results import read_results

CHOICES = 2000  # games of a table are played until they have that many
FUEL = 1 << 62


def counted(table: Table) -> tuple[int, int]:
    """Play random games; return the number of choices, and of instructions."""
    config = wasmtime.Config()
    config.wasm_threads = config.consume_fuel = True
    engine = wasmtime.Engine(config)
    module = emit(table.program)
    code = wasmtime.Module(engine, bytes(wasmtime.wat2wasm(module.text)))
    with wasmtime.Store(engine) as store:
        store.set_fuel(FUEL)
        exports = wasmtime.Instance(store, code, []).exports(store)
        batch, memory = exports["batch"], exports["memory"]
        assert isinstance(batch, wasmtime.Func)
        assert isinstance(memory, wasmtime.Memory)
        game, choices = 0, 0
        while choices < CHOICES:
            batch(store, SEED, game, 1, limit("decisions"), 0, 0)
            row = memory.read(store, module.results, module.results + module.width)
            (played,) = read_results(row, table.program)
            choices += played.decisions
            game += 1
        return choices, FUEL - store.get_fuel()


def main(words: list[str]) -> None:
    """Count, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--before", type=Path, metavar="FILE", help="compare with it")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    before = json.loads(chosen.before.read_text()) if chosen.before else {}
    found, rows = dict[str, float](), list[list[str]]()
    for game, table in tables(chosen.games):
        choices, instructions = counted(table)
        name = f"{game}, {table.players} players"
        now = found[name] = instructions / choices
        row = [game, str(table.players), f"{now:,.0f}"]
        if name in before:
            row += [f"{before[name]:,.0f}", f"{before[name] / now:.2f}"]
        rows.append(row)
    head = ["game", "players", "instructions a choice", "before", "times as many"]
    tell("instructions", head if before else head[:3], rows, found, chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
