"""Minichess in plain Python, on a string of letters, not made from the ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

Move = tuple[str, str, str]
"""From where, to where, and as what the piece arrives there."""

FILES = "abcde"
NAMES = {
    "k": "king",
    "q": "queen",
    "r": "rook",
    "b": "bishop",
    "n": "knight",
    "p": "pawn",
}
UPRIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
WAYS = {
    "k": UPRIGHT + SLANTED,
    "q": UPRIGHT + SLANTED,
    "r": UPRIGHT,
    "b": SLANTED,
    "n": LEAPS,
}
START = "RNBQKPPPPP.....ppppprnbqk"
"""The board from a1 to e5; capitals are white."""


@dataclass(frozen=True)
class HouseRules:
    """What a table may play otherwise."""

    start: str = START
    check: bool = True
    crowns: str = "qrbn"
    stalemate_loses: bool = False
    quiet: int = 50


def name(place: int) -> str:
    return f"{FILES[place % 5]}{place // 5 + 1}"


def owner(letter: str) -> int | None:
    """Return 0 for white, 1 for black, none for a free square."""
    return None if letter == "." else int(letter.islower())


def targets(board: str, place: int) -> Iterator[int]:
    """Yield where the piece on a square can go, if nobody cared about check."""
    letter, seat = board[place].lower(), owner(board[place])
    rank, file = divmod(place, 5)
    if letter == "p":
        rank += -1 if seat else 1
        for side in (-1, 0, 1):
            if 0 <= file + side < 5 and 0 <= rank < 5:
                there = owner(board[rank * 5 + file + side])
                if there == (1 - seat if side else None):  # type: ignore[operator]
                    yield rank * 5 + file + side
        return
    for up, right in WAYS[letter]:
        at, along = rank + up, file + right
        while 0 <= at < 5 and 0 <= along < 5:
            there = owner(board[at * 5 + along])
            if there != seat:
                yield at * 5 + along
            if there is not None or letter in "kn":
                break
            at, along = at + up, along + right


def moved(board: str, origin: int, target: int, letter: str) -> str:
    squares = list(board)
    squares[target] = letter if board[origin].islower() else letter.upper()
    squares[origin] = "."
    return "".join(squares)


def in_check(board: str, seat: int) -> bool:
    king = board.find("Kk"[seat])
    return any(
        king in targets(board, place)
        for place, letter in enumerate(board)
        if owner(letter) == 1 - seat
    )


def moves(board: str, seat: int, rules: HouseRules) -> dict[Move, str]:
    """Return every legal move, and the board behind it."""
    found = {}
    for place, letter in enumerate(board):
        if owner(letter) != seat:
            continue
        for target in targets(board, place):
            last = letter.lower() == "p" and target // 5 in (0, 4)
            for become in rules.crowns if last else letter.lower():
                after = moved(board, place, target, become)
                if not rules.check or not in_check(after, seat):
                    found[name(place), name(target), NAMES[become]] = after
    return found


def leaves(board: str, seat: int, depth: int, rules: HouseRules) -> int:
    """Count the games of so many moves that can be played from here."""
    boards = moves(board, seat, rules).values()
    if depth == 1:
        return len(boards)
    return sum(leaves(each, 1 - seat, depth - 1, rules) for each in boards)


class Minichess:
    """A game that goes on."""

    def __init__(self, rules: HouseRules) -> None:
        """Put up the pieces."""
        self.rules, self.board, self.mover, self.still = rules, rules.start, 0, 0
        self.winners: tuple[int, ...] = ()
        self.drawn = ""
        self.stood = Counter([(self.board, 0)])

    def moves(self) -> dict[Move, str]:
        return moves(self.board, self.mover, self.rules)

    def go(self, move: Move) -> None:
        """Make a legal move, and whatever follows of itself."""
        after = self.moves()[move]
        taken = sum(map(str.isalpha, after)) < sum(map(str.isalpha, self.board))
        pawn = after.lower().count("p") != self.board.lower().count("p")
        self.still = 0 if taken or pawn or move[2] == "pawn" else self.still + 1
        self.board, self.mover = after, 1 - self.mover
        self.stood[after, self.mover] += 1
        if "Kk"[self.mover] not in after:
            self.winners = (1 - self.mover,)
        elif self._bare():
            self.drawn = "bare_kings"
        elif not self.moves():
            if self.rules.stalemate_loses or in_check(after, self.mover):
                self.winners = (1 - self.mover,)
            else:
                self.drawn = "stalemate"
        elif self.still >= self.rules.quiet:
            self.drawn = "standstill"
        elif self.stood[after, self.mover] == 3:
            self.drawn = "repetition"

    def _bare(self) -> bool:
        left = sorted(self.board.replace(".", "").lower())
        return left in (["k", "k"], ["b", "k", "k"], ["k", "k", "n"])
