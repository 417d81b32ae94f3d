"""`houserule mcp`, asked by the client of the official SDK over pipes."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Awaitable, Callable

import pytest

Ask = Callable[..., Awaitable[str]]
RULE = """\
variant bold for pig "Bold"
needs hold.bold "At least five": pot at least 5               [ruling bold]
---
rulings:
  bold:
    says: {en: You hold at least five points., de: Du sicherst mindestens fünf Punkte.}
scenarios:
  - name: four points are too few
    given: {turn: p1, at: deciding, pot: 4}
    try: hold
    expect: {refused: hold.bold}
"""
ENDLESS = """\
variant endless for pig "Endless"
does throw.more: for a in 1..9999 and b in 1..9999: pot gains 0
"""


def with_tools(ask_all: Callable[[Ask], Awaitable[None]]) -> None:
    """Start the server and let a client ask; to import the client takes long."""
    mcp = pytest.importorskip("mcp")

    async def talk() -> None:
        command = [sys.executable, "-m", "houserule", "--limit", "seconds=20", "mcp"]
        program = mcp.StdioServerParameters(
            command=command[0], args=command[1:], env={**os.environ}
        )
        async with mcp.Client(program) as client:

            async def ask(tool: str, **said: object) -> str:
                answer = await client.call_tool(tool, said)
                assert not answer.is_error, answer
                return "\n".join(getattr(part, "text", "") for part in answer.content)

            await ask_all(ask)

    asyncio.run(talk())


def test_a_rule_is_written_checked_measured_printed_and_played() -> None:
    async def ask_all(ask: Ask) -> None:
        assert "one line" in await ask("language")
        assert "pig" in await ask("games")
        assert "hold.something" in await ask("names", game="pig")
        wrong = await ask("check", game="pig", rule=RULE.replace("needs", "need"))
        assert "Write `needs` instead of `need`." in wrong
        wrong = RULE.replace("needs", "need")
        (found,) = json.loads(await ask("edits", game="pig", rule=wrong))["diagnostics"]
        assert found["edits"][0]["text"] == "needs"
        assert "nothing to report" in await ask("check", game="pig", rule=RULE)
        assert "conflicting variants" in await ask("explain", name="E201")
        assert "1 passed" in await ask("run_examples", rule=RULE)
        effect = await ask("compare", game="pig", rule=RULE, games=20)
        assert "with bold" in effect
        book = await ask("print_rulebook", game="pig", rule=RULE)
        assert "**Hold.** ◊ At least five." in book
        opened = await ask("play", game="pig", rule=RULE)
        table = opened.partition("\n")[0]
        assert "Throw the die" in opened
        assert "At least five" in await ask("play", table=table, line="why hold")
        assert "The table is closed." in await ask("play", table=table, line="quit")

    with_tools(ask_all)


def test_rules_end_at_their_limits_and_tables_are_few() -> None:
    async def ask_all(ask: Ask) -> None:
        opened = await ask("play", game="pig", rule=ENDLESS, seats="ann,bob")
        table = opened.partition("\n")[0]
        assert re.search("limit|work|longer", await ask("play", table=table, line="1"))
        assert "There is no game `pigg`" in await ask("play", game="pigg")
        others = [await ask("play", game="pig") for _ in range(4)]
        assert len({each.partition("\n")[0] for each in others}) == 4
        gone = await ask("play", table=table, line="1")
        assert gone == f"There is no table `{table}` any more. Open a new one."
        for path in ("--help", "../pig", "/etc"):  # neither a path nor an option
            with pytest.raises(AssertionError, match="pattern"):
                await ask("names", game=path)
        with pytest.raises(AssertionError, match="pattern"):
            await ask("explain", name="--output=x.html")

    with_tools(ask_all)
