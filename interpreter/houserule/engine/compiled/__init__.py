"""The compiled engine: a program becomes a WebAssembly module that plays whole games.

`module.emit` makes the module. In a `context` of facts about one program it constructs
the writers of expressions, clauses, options, flow and bots, in this order. Their text
comes after `runtime.wat`, which all programs share. `machine` runs the module.

The reference engine alone defines the meaning of a program; differential tests check
that both engines have the same states, options and draws.
"""
