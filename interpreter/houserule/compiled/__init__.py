"""The compiled engine: a program becomes a WebAssembly module that plays whole games.

`module.emit` makes the module: in a `context` of facts about one program it constructs
the writers of expressions, clauses, options, flow and bots, in this order, and puts
what they write behind `runtime.wat`, which all programs share. `machine` runs it.

What a program means is defined by the reference engine alone; differential tests hold
both engines to the same states, options and draws.
"""
