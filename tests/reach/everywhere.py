"""Plays in Pyodide: prints one line of JSON with what came of it."""

import json
import sys

import houserule

GAMES, SEED = 20, 1


def digests() -> dict[str, list[str]]:
    """Return engine and digest of a few games of every shipped ruleset."""
    found = {}
    for name in (each.id for each in houserule.shipped()):
        result = houserule.load(name).table().simulate(games=GAMES, seed=SEED)
        found[name] = [result.engine, result.digest]
    return found


def a_little_of_everything() -> dict[str, object]:
    """Return what check, play, bots, compare and the rulebook say of Pig."""
    pig = houserule.load("pig")
    table = pig.table()
    game = table.start(seed=SEED)
    for _ in game.turns("greedy"):
        pass
    assert game.outcome is not None
    compared = table.compare({"b": table.change(settings={"target": 50})}, games=50)
    searching = table.simulate(games=3, seed=SEED, bots=["search:200", "random"])
    return {
        "checked": [str(each) for each in pig.check().diagnostics],
        "winners": list(game.outcome.winners),
        "compared": [each.verdict for each in compared.changes[0].differences],
        "searching": searching.digest,
    }


if __name__ == "__main__":
    print(json.dumps([a_little_of_everything(), digests()]))
    sys.stdout.flush()
