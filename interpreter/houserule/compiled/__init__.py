"""The compiled engine: a program becomes a WebAssembly module that plays whole games.

`module.emit` puts the text together, from `runtime.wat` and what the folders write;
`machine` is the only place that knows wasmtime. What a program means is told by the
reference engine alone; a differential test holds both to the same states, options and
draws.
"""
