"""The verbs of the command line: each one's module and its summary line."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.base.frozen import frozen


@frozen
class Verb:
    """A verb: the module in this folder with its `command`, and its summary line."""

    module: str
    says: str


VERBS: Mapping[str, Verb] = {
    "list": Verb("list_games", "list games; a game's house rules, options, names"),
    "show": Verb("show", "draw the turn of a game"),
    "rulebook": Verb(
        "table.rulebook", "print a table's rules, as Markdown, HTML or PDF"
    ),
    "check": Verb("check", "check rules in every combination of house rules"),
    "coverage": Verb(
        "authoring.coverage", "match the sentences of a rulebook to clauses"
    ),
    "test": Verb("test", "run the worked examples"),
    "play": Verb("play", "play a game in the terminal, with people and bots"),
    "serve": Verb("serve", "host tables in the browser, for players' own devices"),
    "site": Verb("site", "write a web page on which anyone can try a house rule"),
    "mcp": Verb("mcp", "give an assistant tools to write, check and play rules"),
    "lsp": Verb("lsp", "show messages and completion in an editor"),
    "run": Verb("run", "let bots play one game, and narrate it"),
    "replay": Verb("replay", "replay a recorded game, and verify every step"),
    "analyse": Verb("analyse", "find the turning points of a game, and better choices"),
    "why": Verb("why", "explain why a move is legal or not"),
    "simulate": Verb("simulate", "let bots play many games, and collect statistics"),
    "compare": Verb("compare", "measure how a house rule changes a game"),
    "table": Verb("table", "write, change and show a table file"),
    "explain": Verb("explain", "explain a name, a word or a message; search the pages"),
    "new": Verb("writing.new", "write a house rule, a game or a package to start from"),
    "copy": Verb("writing.copy_game", "copy a game's folder, to change all of it"),
    "fmt": Verb("writing.fmt", "format rules files"),
    "rename": Verb("writing.rename", "rename something in all files of a game"),
    "schema": Verb("authoring.schema", "print the JSON Schema of each file and output"),
}
