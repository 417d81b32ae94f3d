"""The reference engine: it plays the rules of one program, decision by decision.

From a statement of the core to a changed state: `procedures.procedures` lowers every
body of the program to a flat list of instructions, once, with `procedures.changes` for
those that change the state. `play.turns` decides by the flow of the game which
procedure is called next. `play.machine` runs the instructions of its topmost call
frame. An instruction evaluates its operands, which are functions that `evaluate` makes
of expressions. Then it calls a primitive of the machine (`move`, `write`, `throw`,
`shuffle` …), which writes into the `Store` and notes an event. An instruction that
needs a decision stops the machine; `options` counts and numbers what may be chosen, and
says which clauses refuse a choice. Other rooms call `play.game`. `play.engine` is what
all games of one program share.
"""
