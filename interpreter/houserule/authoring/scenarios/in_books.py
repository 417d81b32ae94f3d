"""Examples of play in a rulebook: scenarios that fit its table, narrated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from houserule.authoring.scenarios.files import (
    Trial,
    example_files,
    read_examples,
    trials,
)
from houserule.authoring.scenarios.moves import choice_of, read_move
from houserule.authoring.scenarios.run import ask_trial, run_trial
from houserule.base.resources import Phrases
from houserule.compiler.prepare import Programs, TableChoice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir.types import Data, Kind, Set
from houserule.play.narration.visibility import EVERYBODY, Viewer, foggy
from houserule.play.positions.words import ScenarioWords
from houserule.play.seat.drawings import drawings
from houserule.play.seat.looks import LookPlans
from houserule.play.seat.position import position
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import SeenBoard
from houserule.rulebook.book.book_model import (
    Book,
    BookBlock,
    BookExample,
    BookParagraph,
    BookSection,
    every_section,
)
from houserule.rulebook.book.pictures import Figure, board_picture, component, row
from houserule.rulebook.meanings.table_in_words import under
from houserule.rulebook.nouns.speech import as_sentence

FEW, MOST = 3, 4  # examples in a book with few actions, and at most
LEAST = 2  # lines of the narration, dice and changed boards of one that shows something
MOVES = 4  # of an example, at most
ARROW = re.compile(r"(?:: ([^:]+))? → (.+)")
CARDS, BOARD = 36.0, 112.0  # heights of pictures


def with_examples(book: Book, rules: TableRules) -> Book:
    """Return a book with examples of its actions."""
    actions = [
        block.address
        for section in every_section(book.sections)
        for block in section.blocks
        if isinstance(block, BookParagraph) and block.address in rules.program.actions
    ]
    # Actions with many clauses need an example most.
    clauses = rules.program.clauses
    size = {name: sum(under(each, name) for each in clauses) for name in actions}
    actions = sorted(size, key=lambda name: -size[name])[:MOST]
    each = -(-FEW // max(1, len(actions)))
    trials_of, many = _trials(rules, actions, book.players), max(FEW, len(actions))
    found: dict[str, list[BookExample]] = {name: [] for name in actions}
    shown: dict[str, set[str]] = {name: set() for name in actions}
    programs, texts, ended = Programs(rules.ruleset), set[str](), False
    # Each shows something new; if these are few, any others.
    for fresh, most, wanted in (
        (True, each, many),
        (False, each, many),
        (False, FEW, FEW),
    ):
        for name, some in trials_of.items():
            for trial in [*some]:
                covers = {*trial.scenario.covers}
                if len(found[name]) >= most or len(texts) >= wanted:
                    break
                if fresh and covers <= shown[name]:
                    continue
                some.remove(trial)
                if not run_trial(trial, programs).passed:
                    continue
                example, over = _example(trial, programs, rules, book.language)
                if example is None or (over and ended) or example.text in texts:
                    continue
                texts.add(example.text)
                shown[name] |= covers
                ended = ended or over
                found[name].append(example)
    sections = tuple(_with(each, found) for each in book.sections)
    return book.model_copy(update={"sections": sections})


def _with(section: BookSection, found: dict[str, list[BookExample]]) -> BookSection:
    blocks: list[BookBlock] = []
    for block in section.blocks:
        blocks.append(block)
        if isinstance(block, BookParagraph):
            blocks += found.pop(block.address, ())
    inner = tuple(_with(each, found) for each in section.sections)
    return section.model_copy(update={"blocks": tuple(blocks), "sections": inner})


def _trials(
    rules: TableRules, actions: Sequence[str], players: int
) -> dict[str, list[Trial]]:
    """Return the scenarios that end with a move of each action, the best first."""
    chosen = rules.chosen
    at = TableChoice(
        with_=tuple(sorted(chosen.variants)), settings=dict(chosen.options)
    )
    found: dict[str, list[Trial]] = {name: [] for name in actions}
    # A table keeps the text of rules beside the game, whose file may be gone.
    for path in filter(Path.exists, example_files(rules.ruleset)):
        for trial in trials(read_examples(path, rules.ruleset), at):
            scenario, form = trial.scenario, trial.examples.form
            own = scenario.table or (form.table if form else None)
            if (
                trial.number
                or own is None
                or not {*own.with_} <= chosen.variants
                or own.without
                or own.settings
                or own.preset
                or (trial.choice.players or players) > players
                or not 0 < len(scenario.do) <= MOVES
                or scenario.try_ is not None
                or scenario.expect.get("legal") is False
                or not {"refused", "unwise"}.isdisjoint(scenario.expect)
            ):
                continue
            said = scenario.do[-1]
            for name in actions:
                if said == name or (isinstance(said, dict) and name in said):
                    found[name].append(trial)
    for name, some in found.items():
        # Those that show most of its clauses; a further move counts as two less.
        some.sort(
            key=lambda each: (
                2 * len(each.scenario.do)
                - sum(under(a, name) for a in each.scenario.covers)
            )
        )
    return found


def _example(
    trial: Trial, programs: Programs, rules: TableRules, language: str
) -> tuple[BookExample | None, bool]:
    """Return a scenario as an example, and whether it ends the game.

    It shows the cards and dice of the move, and what happens; None if that is nothing.
    """
    prepared = programs.prepare(trial.choice)
    if prepared.program is None or prepared.table is None:
        return None, False
    game = ask_trial(trial, prepared.program, programs).start
    if game is None:
        return None, False
    words = ScenarioWords(prepared.program, trial.examples.document, trial.seats)
    said, path = trial.said("do")
    assert isinstance(said, list)
    moves = [read_move(words, each, (*path, n)) for n, each in enumerate(said)]
    if any(move.kind != "act" for move in moves):
        return None, False
    say = Phrases("rulebook", language).say
    seats = trial.seats or [
        say("player", number=seat + 1) for seat in range(prepared.program.seats)
    ]
    names = [each[:1].upper() + each[1:] for each in seats]
    table = TableRules(rules.ruleset, prepared.table, prepared.program)
    wording = table.wording(language, names)
    plan = rules.ruleset.derived(LookPlans).of(prepared.program)
    # If what is on a board decides who sees it: as the player sees it who moves.
    viewer: Viewer = EVERYBODY
    if foggy(prepared.program) and game.decision is not None:
        viewer = game.decision.seat

    def in_words(arrow: re.Match[str]) -> str:
        """Return the places of a line of the log without texts, in words."""
        source, to = arrow.groups()
        if source is None:
            return f": {say('moved to', to=to)}"
        return f": {say('moved from', source=source, to=to)}"

    def boards() -> dict[str, tuple[SeenBoard, Figure]]:
        seen = position(table, game, wording, viewer)
        drawn = rules.ruleset.derived(drawings)
        return {
            area.key: (
                area,
                board_picture(area, seen.seats, drawn.get(int(area.key.split()[-1]))),
            )
            for area in seen.areas
            if isinstance(area, SeenBoard) and any(map(len, area.cells))
        }

    narrator = table.narrator(language, names, boards=False, viewer=viewer)
    narrator.go_on(game)
    before, told = boards(), list[str]()
    for move in moves:
        if game.decision is None:
            return None, False
        choice, dice, figures = choice_of(words, move, game.decision), [], []
        for kind, item, face in _things(game, move.name, move.args):
            look = plan.of(kind, item, wording)
            if look is not None:
                figures.append(component(look, face))
            if face is not None:
                dice.append(f"{wording.thing(kind, item)} {face}")
        game.machine.forced = move.luck.forced()
        game.choose(choice)
        over = game.outcome is not None
        # The lines about the move, without the headings that follow; and the end.
        lines = [each for each in narrator.news(game) if each.strip()]
        deep = [len(line) - len(line.lstrip()) for line in lines]
        after = (n for n, each in enumerate(deep) if each < deep[0])
        own = lines[: next(after, len(lines))]
        own += lines[-1:] if over and deep[-1] < deep[0] else []
        # A book gives no advice.
        advice = wording.say("unwise", why="").strip()
        news = (each.strip() for each in own)
        news = (ARROW.sub(in_words, each) for each in news)
        some = [as_sentence(each) for each in news if not each.startswith(advice)]
        if dice and some:
            some[0] = f"{as_sentence(str(wording.several(dice)))[:-1]}: {some[0]}"
        told += some
    changed = [
        picture
        for key, (area, after) in boards().items()
        if key in before and before[key][0] != area
        for picture in (before[key][1], after)
    ]
    if len(told) + len(dice) + len(changed) < LEAST:
        return None, False
    shown, high = (changed, BOARD) if changed else (figures, CARDS)
    gap = 6.0 if not changed else 24.0
    picture = row(shown, gap)
    svg = picture.scaled(high).svg(say("example")) if shown else ""
    return BookExample(text=" ".join(told), svg=svg), over


def _things(
    game: ReferenceGame, action: str, args: Mapping[str, Data]
) -> Iterator[tuple[str, int, int | None]]:
    """Yield the cards and dice of a move, dice first, each with its face."""
    declared, store = game.program.actions[action], game.machine.store
    binds = [*declared.params, *(each for c in declared.costs for each in c.binds)]
    found: list[tuple[str, int, int | None]] = []
    for bind in binds:
        type_ = bind.type.member if isinstance(bind.type, Set) else bind.type
        if not isinstance(type_, Kind):
            continue
        for value in (args.get(name) for name in bind.names):
            items = value if isinstance(value, tuple) else (value,)
            faces = store.faces.get(type_.name)
            found += (
                (type_.name, item, faces[item] if faces else None)
                for item in items
                if isinstance(item, int)
            )
    yield from sorted(found, key=lambda each: each[2] is None)
