"""The compiled engine: a program becomes a WebAssembly module that plays whole games.

`module.emit` makes the module: in a `context` of facts about one program it constructs
the writers of expressions, clauses, options, flow and bots, in this order, and puts
what they write behind `runtime.wat`, which all programs share. `machine` runs it.

The reference engine alone defines the meaning of a program; differential tests check
that both engines have the same states, options and draws.
"""
