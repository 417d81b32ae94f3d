"""The picture of a game for a list of games: its board, or some of its things.

It shows what the box of the game would: nothing of it depends on a game in progress.
"""

from __future__ import annotations

from houserule.base.frozen import frozen
from houserule.play.seat.drawings import drawings
from houserule.play.seat.looks import LookPlans
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import (
    ComponentLook,
    SeenBoard,
    SeenFacts,
    SeenPosition,
)
from houserule.play.seat.session import Sitting
from houserule.ui.web.drawing.areas import SeatLook, ShownArea
from houserule.ui.web.templating import render, static_file

MOST = 3  # things side by side
DICE = 5
MOVES = 6  # on a board that is empty at the start, by each player
STYLES = ("base.css", "looks.css", "picture.css")
STYLE = "".join(static_file(name).decode() for name in STYLES)
"""The styles of a picture. A picture in a page cannot load a file."""


@frozen
class DrawnThing:
    """A card or a die in a picture.

    Attributes:
        face: the side that a die shows.
    """

    look: ComponentLook
    face: int | None = None


def game_picture(rules: TableRules, language: str) -> str:
    """Return the picture of a game as SVG.

    It is what `looks.picture` names, else the board at the start of a game, else the
    first dice or cards. If no piece is on the board at the start, it is the board some
    choices later, as everybody sees it.
    """
    words = rules.wording(language)
    plan = rules.ruleset.derived(LookPlans).of(rules.program)
    program = rules.program
    things: list[DrawnThing] = []
    for number, name in enumerate(rules.ruleset.manifest.looks.picture):
        for kind, labels in program.labels.items():
            if name in labels and kind in program.components:
                drawn = plan.of(kind, labels.index(name), words)
                if drawn is not None:
                    things.append(DrawnThing(drawn, _face(rules, kind, number)))
                    break
    sitting = Sitting.begin(rules, ["random"] * rules.program.seats)
    position = sitting.moment(None, language, choice=False).position
    board = None if things else _board(position)
    if board is not None and not _has_pieces(board):
        sitting.advance(MOVES * rules.program.seats)
        position = sitting.moment(None, language, choice=False).position
        board = _board(position) or board
    if board is None and not things:
        # some dice, or cards from all parts of the first kind that has a look
        components = program.components
        for kind in sorted(components, key=lambda k: not components[k].faces):
            labels = program.labels[kind]
            most = min(DICE if components[kind].faces else MOST, len(labels))
            items = [at * len(labels) // most for at in range(most)]
            looks = [plan.of(kind, item, words) for item in items]
            found = [each for each in looks if each is not None]
            for number, drawn in enumerate(found):
                things.append(DrawnThing(drawn, _face(rules, kind, number)))
            if things:
                break
    # Without either, numbers of the position are drawn as rows of counters.
    facts = [a for a in position.areas if isinstance(a, SeenFacts)]
    texts = [each.value.text for area in facts for each in area.facts]
    numbers = [int(text) for text in texts if text.isdecimal()]
    heaps = [] if board or things else [each for each in numbers if 0 < each < 10][:5]
    look = SeatLook(position)
    return render(
        "picture.svg",
        language,
        look=look,
        style=STYLE,
        board=board,
        drawing=rules.ruleset.derived(drawings).get(int(board.key.split()[-1]))
        if board is not None
        else None,
        shown=None if board is None else ShownArea(board, look, opened=True),
        things=things,
        heaps=heaps,
        title=str(rules.ruleset.manifest.title),
    )


# ---- boards


def _board(position: SeenPosition) -> SeenBoard | None:
    boards = [each for each in position.areas if isinstance(each, SeenBoard)]
    return next((each for each in boards if len(each.cells[0]) > 1), None)


def _has_pieces(board: SeenBoard) -> bool:
    every = [each for row in board.cells for cell in row for each in cell]
    return any(
        each.seat is not None or len(each.text) > 1
        if each.look is None
        else each.look.kind in {"piece", "seeds", "tile"}
        for each in every
    )


# ---- things


def _face(rules: TableRules, kind: str, number: int) -> int | None:
    faces = rules.program.components[kind].faces
    return faces[(5 * number + 4) % len(faces)] if faces else None
