"""Check the number of players: missing, given twice, empty, or too large."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, fault, too_large
from houserule.base.limits import limit
from houserule.base.source import Source, Span
from houserule.language.manifest.messages import E020, E025, E205
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import numbers_of
from houserule.language.syntax.tree.visitor import walk


def check_seats(
    units: Iterable[tree.Unit], sources: Iterable[Source], *, whole: bool
) -> Iterator[Diagnostic]:
    """Yield errors in the numbers of players.

    E020 if `players` allows no number, E050 if it is too large, E025 if a game does not
    give it, E205 if it gives it twice. If some files could not be read (`whole` is
    false), nothing is reported as missing.
    """
    units = tuple(units)
    for unit in units:
        if unit.kind == "game":
            yield from _said_once(unit, whole=whole)
    texts = {source.name: source for source in sources}
    for node in (node for unit in units for node in walk(unit)):
        seats = _seats(node)
        if seats is None:
            continue
        low, high = seats
        place = _place_of(f"{low}..{high}", node.span, texts[node.span.file])
        if not 1 <= low <= high:
            message = f"Nobody can play: {low}..{high} is no number of players."
            fix = f"{max(1, min(low, high))}..{max(1, low, high)}"
            yield fault(E020, message, place, fixes=(fix,))
        elif high > limit("players"):
            message = f"{low}..{high} players are more than can be seated."
            yield too_large("players", message, place)


def _seats(node: tree.Node) -> tuple[int, int] | None:
    match node:
        case tree.Players(low, high) | tree.NeedsPlayers(low, high):
            return low, high
        case tree.Change(tree.Word("players"), _, _, after):
            return numbers_of(after)
        case _:
            return None


def _said_once(game: tree.Unit, *, whole: bool) -> Iterator[Diagnostic]:
    said = [item for item in game.items if isinstance(item, tree.Players)]
    if not said and whole:
        message = "Nothing says how many may play."
        yield fault(E025, message, game.names[0].span, fixes=("players 2..4",))
    for more in said[1:]:
        message = "The base game says twice how many may play."
        yield fault(E205, message, more.span, others=(Label(said[0].span),))


def _place_of(words: str, span: Span, source: Source) -> Span:
    """Return the place of words in a line of the rules, or else of the line."""
    found = source.line(span.line).find(words, span.column - 1)
    if found < 0:
        return span
    return Span.at(span.file, span.line, found + 1, len(words))
