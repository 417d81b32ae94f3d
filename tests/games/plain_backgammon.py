"""Complete turns of backgammon in plain Python, not made from the ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

BAR = 25
Side = tuple[int, ...]
"""Men by point, as their owner counts: 0 is off the board, 25 the bar."""


class Board(NamedTuple):
    """The men of who is to move, and those of the other player."""

    mine: Side
    theirs: Side


class Play(NamedTuple):
    """Numbers that were played, and the resulting positions."""

    numbers: tuple[int, ...]
    board: Board


def changed(side: Side, *changes: tuple[int, int]) -> Side:
    men = list(side)
    for point, more in changes:
        men[point] += more
    return tuple(men)


def steps(board: Board, number: int) -> Iterator[tuple[int, Board]]:
    """Yield the point that a man leaves, and what comes of it, for one number."""
    mine, theirs = board
    last = max((point for point in range(1, 26) if mine[point]), default=0)
    for point in [BAR] if mine[BAR] else range(1, 25):
        if not mine[point]:
            continue
        target = point - number
        if target <= 0:
            if last <= 6 and (target == 0 or point == last):
                yield point, Board(changed(mine, (point, -1), (0, 1)), theirs)
        elif theirs[25 - target] < 2:
            hit = theirs[25 - target]
            after = changed(theirs, (25 - target, -hit), (BAR, hit))
            yield point, Board(changed(mine, (point, -1), (target, 1)), after)


def runs(board: Board, numbers: tuple[int, ...]) -> set[Play]:
    """Return all ways to play numbers in this order until one cannot be played."""
    found = {Play((), board)}
    if numbers:
        for _, after in steps(board, numbers[0]):
            for played in runs(after, numbers[1:]):
                found.add(Play((numbers[0], *played.numbers), played.board))
    return found


def turns(board: Board, throw: tuple[int, int]) -> tuple[set[Board], bool]:
    """Return what whole turns lead to, and whether the two numbers forbade any."""
    one, other = throw
    if one == other:
        found = runs(board, (one,) * 4)
    else:
        found = runs(board, (one, other)) | runs(board, (other, one))
    most = max(len(each.numbers) for each in found)
    legal = {each for each in found if len(each.numbers) == most}
    if most == 1 and any(each.numbers == (max(throw),) for each in legal):
        legal = {each for each in legal if each.numbers == (max(throw),)}
    ends = {each.board for each in legal | {each for each in found if won(each.board)}}
    loose = {each.board for each in found if stuck(each, throw)}
    return ends, loose != ends


def won(board: Board) -> bool:
    return board.mine[0] == sum(board.mine)


def stuck(play: Play, throw: tuple[int, int]) -> bool:
    """Whether somebody who looks no further than a move would be done."""
    left = list(throw) * (2 if throw[0] == throw[1] else 1)
    for number in play.numbers:
        left.remove(number)
    return won(play.board) or not any(
        list(steps(play.board, number)) for number in left
    )


START: Side = tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(point, 0) for point in range(26))


def strewn(luck: Random, points: Sequence[int], men: int, home: bool) -> Side:
    """Return men on some of these points, often in pairs."""
    side, left = [0] * 26, men
    side[0] = 15 - left
    while left:
        together = min(left, luck.choice((1, 2, 2, 2)))
        allowed = [point for point in points if not home or point <= 6]
        point = luck.choice(allowed or list(points))
        side[point] += together
        left -= together
    return tuple(side)


def boards(seed: int, many: int) -> Iterator[tuple[Board, tuple[int, int]]]:
    """Yield positions that play seldom sees, with walls, bars and men near home."""
    luck = Random(seed)
    for _ in range(many):
        points = luck.sample(range(1, 25), 24)
        mine, near = points[:10], luck.random() < 0.3
        if luck.random() < 0.3:
            mine.append(BAR)
        theirs = [25 - point for point in points[10:]]
        board = Board(
            strewn(luck, mine, luck.randint(1, 4), near),
            strewn(luck, theirs, 15, home=False),
        )
        yield board, (luck.randint(1, 6), luck.randint(1, 6))
