"""The tools of `houserule mcp`.

Each tool is a verb, or one line at a table. Both run in a process of their own, under
the limits that other rules from strangers have: an assistant may write any rule.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

from houserule import __version__
from houserule.base.isolation import Answering, EndedError, isolated

FILE = "yours.rules"
TABLES = 4  # games at once; a further one ends the one that was used longest ago
INSTRUCTIONS = """\
Houserule has tabletop games as rules files, and house rules that edit them. To write a
house rule: read `language` and `names`, write the lines, call `check`, and repair them
until it reports nothing. Then `compare` measures the rule, `print_rulebook` shows
it as players read it, and `play` tries it at a table.
"""

NAMED = "A game's name, as `games` lists it."
Game = Annotated[str, Field(description=NAMED, pattern=r"^\w*$")]  # not a path
Rule = Annotated[str, Field(description="The text of a rules file: variant … for …")]


def server() -> MCPServer:
    """Return the server with its tools."""
    made = MCPServer("houserule", version=__version__, instructions=INSTRUCTIONS)
    tables: OrderedDict[str, Answering] = OrderedDict()
    numbers = count(1)

    def tool(function: Callable[..., str]) -> None:
        made.tool()(function)

    @tool
    def language() -> str:
        """The whole rules language on one page."""
        return _answer("explain", "language")

    @tool
    def games() -> str:
        """List the games."""
        return _answer("list")

    @tool
    def names(game: Game) -> str:
        """List the actions, clauses, values and other names that a rule may edit."""
        return _answer("list", game, "--names")

    @tool
    def explain(name: Annotated[str, Field(pattern="^[^-]")], game: Game = "") -> str:
        """Explain a name of a game, a keyword, a message code, or search the pages."""
        return _answer("explain", name, *(["--game", game] if game else []))

    @tool
    def check(game: Game, rule: Rule) -> str:
        """Check a house rule in every combination with the game's own variants."""
        return _answer("check", game, "--rules", FILE, rule=rule)

    @tool
    def edits(game: Game, rule: Rule) -> str:
        """Check a house rule; return JSON, where `edits` of a message remove it."""
        return _answer("check", game, "--rules", FILE, "--json", rule=rule)

    @tool
    def run_examples(rule: Rule) -> str:
        """Run the examples below the line `---` of a rules file."""
        return _answer("test", FILE, rule=rule)

    @tool
    def compare(game: Game, rule: Rule, games: int = 200) -> str:
        """Compare games with and without a rule, on the same random numbers."""
        number = str(min(games, 2000))
        flags = ("--rules", FILE, "--with", _variants(rule), "--games", number)
        return _answer("compare", game, *flags, rule=rule)

    @tool
    def print_rulebook(game: Game, rule: Rule = "") -> str:
        """Print the rulebook, or with a rule the page of its changes."""
        if not rule:
            return _answer("rulebook", game)
        flags = ("--rules", FILE, "--with", _variants(rule), "--diff", "base")
        return _answer("rulebook", game, *flags, rule=rule)

    @tool
    def play(
        table: Annotated[str, Field(description="Empty for a new table.")] = "",
        line: Annotated[str, Field(description="A number, a move, or `help`.")] = "",
        game: Game = "",
        rule: Rule = "",
        seats: str = "guest,greedy",
    ) -> str:
        """Play: open a table with `game` and `seats`; then answer it line by line."""
        if not table:
            table = f"table-{next(numbers)}"
            said = {"game": game, "rule": rule, "seats": seats.split(",")}
            module = "houserule.ui.assistant.at_table"
            tables[table] = Answering(module, json.dumps(said).encode())
            while len(tables) > TABLES:
                _, oldest = tables.popitem(last=False)
                oldest.end()
        elif table not in tables:
            return f"There is no table `{table}` any more. Open a new one."
        tables.move_to_end(table)
        try:
            found = tables[table].ask(line.encode()).decode()
        except EndedError as error:
            del tables[table]
            return f"{table} has ended. {error}"
        return f"{table}\n{found}"

    return made


def _variants(rule: str) -> str:
    """Return the variants that a text declares, separated by commas."""
    words = (line.split() for line in rule.partition("\n---")[0].splitlines())
    return ",".join(each[1] for each in words if each[:1] == ["variant"] and each[1:])


def _answer(*arguments: str, rule: str = "") -> str:
    """Return the output of a verb in a process of its own, and its messages."""
    done = isolated(*arguments, files={FILE: rule})
    parts = (done.output.strip(), done.errors.strip(), done.message)
    return "\n\n".join(filter(None, parts))
