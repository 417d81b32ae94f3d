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
    "list": Verb("list_games", "games; a game's variants, options and presets"),
    "show": Verb("show", "the turn of a game as a diagram"),
    "rulebook": Verb("table.rulebook", "the rules of a table as a book to print"),
    "check": Verb("check", "everything that can be wrong with rules and their files"),
    "coverage": Verb("authoring.coverage", "which sentence of a book is which clause"),
    "test": Verb("test", "run the scenarios: worked examples with expected results"),
    "play": Verb("play", "people and bots play a game here"),
    "serve": Verb("serve", "a table in the browser, for people on their own devices"),
    "site": Verb("site", "a page to try house rules, for any web host"),
    "mcp": Verb("mcp", "tools for an assistant that writes house rules"),
    "lsp": Verb("lsp", "a language server: messages and completion in editors"),
    "run": Verb("run", "one game by bots, told as it goes"),
    "replay": Verb("replay", "play a record again and verify every step"),
    "analyse": Verb("analyse", "where a game turned, and the better choices"),
    "why": Verb("why", "why a move is possible or not, how a value comes about"),
    "simulate": Verb("simulate", "many games by bots, and what came of them"),
    "compare": Verb("compare", "what a change of the rules does, on the same luck"),
    "table": Verb("table", "keep a table in a file: write it, change it, show it"),
    "explain": Verb("explain", "what a name, a word or a message means"),
    "new": Verb("writing.new", "a house rule, a game or a package to begin with"),
    "copy": Verb("writing.copy_game", "the folder of a game, to change all of it"),
    "fmt": Verb("writing.fmt", "bring rules files into the usual form"),
    "rename": Verb("writing.rename", "one name, at once in all files of a game"),
    "schema": Verb("authoring.schema", "JSON Schemas of every file and output"),
}
