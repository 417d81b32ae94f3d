"""A book has each rule in force once, in its place, and no other; a change shows."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.support.rulesets import with_units
from tests.support.sampling import spread
from tests.support.shipped import (
    NAMES,
    ROOT,
    ShippedTable,
    presets,
    ruleset_of,
    sampled,
    tables,
)

import houserule
from houserule import ir
from houserule.authoring.check.check import choice_of
from houserule.compiler.prepare import TableChoice, prepare
from houserule.ir.walk import beneath, bodies
from houserule.language.manifest.declared_names import addressed
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import rebuild, walk
from houserule.play.seat.rules import TableRules
from houserule.rulebook.book.book_model import (
    Book,
    BookRule,
    BookSentence,
    BookTable,
)
from houserule.rulebook.book.build import book_of
from houserule.rulebook.book.chapters import NEVER
from houserule.rulebook.book.differences import sheet_of
from houserule.rulebook.exact.exact_words import ExactWords
from houserule.rulebook.exact.shapes import settled
from houserule.rulebook.nouns.speech import as_sentence
from houserule.ui.cli.main import run

CASES = Path(__file__).parents[1] / "cases" / "rulebook" / "bare_games.yaml"
BARE: list[dict[str, Any]] = YAML(typ="safe").load(CASES)
TOLD = frozenset(
    ["action", "cost", "needs", "limit", "does", "asks", "reaction", "or", "winners"]
)
"""The kinds of clauses that have a sentence in the text, or a neighbour's."""


def book_at(
    ruleset: LoadedRuleset, choice: TableChoice, language: str
) -> tuple[Book, TableRules]:
    found = prepare(ruleset, choice, for_play=True)
    assert found.table is not None
    assert found.program is not None, found.diagnostics
    rules = TableRules(ruleset, found.table, found.program)
    return book_of(rules, language), rules


@cache
def shipped_book(name: str, language: str, place: int) -> tuple[Book, TableRules]:
    """Return the book of a game without house rules (0), or with most of them (-1)."""
    choice = choice_of(presets(name)[place].choice)
    return book_at(ruleset_of(name), choice, language)


def sentences(book: Book) -> Iterator[BookSentence]:
    for section in book.every_section():
        for paragraph in section.paragraphs():
            yield from paragraph.sentences


def languages(name: str) -> list[str]:
    return ruleset_of(name).manifest.languages


@pytest.mark.parametrize("table", tables(sampled, stride=200, first=False))
def test_a_book_has_each_rule_in_force_once(table: ShippedTable) -> None:
    ruleset = ruleset_of(table.game)
    book, rules = book_at(ruleset, choice_of(table.choice), languages(table.game)[-1])
    kept = {a for a in rules.program.clauses if ir.is_kept(a.partition(".")[0])}
    kept |= {a for a, c in rules.program.clauses.items() if c.kind in NEVER}
    inside = {a for a in rules.program.clauses if "#" in a}
    listed = [rule.address for rule in book.rules]
    assert len(set(listed)) == len(listed)
    assert {*listed} == rules.program.clauses.keys() - kept - inside


@pytest.mark.parametrize("name", spread(NAMES, 3, needed="x_pasch".__eq__))
def test_each_rule_is_told_in_its_place(name: str) -> None:
    """In the text every clause has a sentence, unless its prose leaves it to another's.

    Marks are those of the house rules that brought or changed it.
    """
    ruleset = ruleset_of(name)
    for language in languages(name):
        book, rules = shipped_book(name, language, -1)
        said: dict[str, list[BookSentence]] = {}
        for each in sentences(book):
            said.setdefault(each.address, []).append(each)
        words = {each.text for each in sentences(book)}
        for rule in book.rules:
            clause = rules.program.clauses[rule.address]
            if clause.kind in TOLD and (
                rule.says or not _silent(ruleset, rule.address, language)
            ):
                titles = {
                    each.address
                    for section in book.every_section()
                    for each in section.paragraphs()
                }
                known = said.keys() | titles
                told = rule.address in known or bool(_brought(rules, rule) & known)
                met = rule.address in always_met(rules.program)
                assert told or met or as_sentence(rule.says) in words, rule.address
            units = {mark.unit for mark in rule.marks}
            assert units <= {clause.origin, *clause.changed_by}
            assert not clause.origin or clause.origin in units
            for each in said.get(rule.address, ()):
                assert {
                    mark.unit for mark in each.marks
                } == units or clause.kind == "note"


def always_met(program: ir.Program) -> set[str]:
    return {
        test.address
        for action in program.actions.values()
        for test in action.conditions
        if settled(test.test)
    }


def _brought(rules: TableRules, rule: BookRule) -> set[str]:
    """Return the effects that a clause brings about, and their clauses."""
    blocks = (b.block for b in bodies(rules.program) if b.address == rule.address)
    calls = [
        n.effect for b in blocks for n in beneath(*b) if isinstance(n, ir.CallEffect)
    ]
    clauses = rules.program.clauses
    return {a for a in clauses for name in calls if a.partition(".")[0] == name}


def _silent(ruleset: LoadedRuleset, address: str, language: str) -> bool:
    """Say whether prose leaves a clause to the sentence of another one."""
    texts = ruleset.texts.get(language, {})
    own = f"prose/{address}"
    changed = (
        k for k in texts if k.startswith("changed_prose/") and k.endswith(f"/{address}")
    )
    return any(texts.get(key) == "" for key in (own, *changed))


@pytest.mark.parametrize("name", spread(NAMES, 3, needed="x_pasch".__eq__))
def test_all_links_of_a_book_lead_somewhere(name: str) -> None:
    book, _ = shipped_book(name, languages(name)[0], -1)
    keys = [section.key for section in book.every_section()]
    assert len(set(keys)) == len(keys)
    for section in book.every_section():
        assert section.blocks or section.sections, section.key
    for rule in book.rules:
        assert rule.section in keys, rule
        assert {*rule.rulings} <= {*book.rulings}


# ---- which words hold


def said_of(address: str, choice: TableChoice) -> str:
    book, _ = book_at(ruleset_of("x_pasch"), choice, "en")
    return " ".join(each.text for each in sentences(book) if each.address == address)


def test_house_rules_that_extend_a_clause_each_add_their_prose() -> None:
    texts = ruleset_of("x_pasch").texts["en"]
    both = TableChoice(with_=("deluxe", "academy", "takeover_cards"))
    said = said_of("marker", both)
    assert said.startswith("34 markers")
    assert texts["changed_prose/academy/marker"] in said
    assert texts["changed_prose/takeover_cards/marker"] in said


def test_an_option_of_yes_or_no_chooses_words() -> None:
    yes, no = (
        said_of("place.open", TableChoice(settings={"place_on_founded": value}))
        for value in (True, False)
    )
    assert yes == "It may be a company that was founded this very turn."
    assert no == "It must not be a company that was founded this turn."


def test_house_rules_that_say_the_same_of_a_clause_are_one_sentence() -> None:
    choice = TableChoice(with_=("jack_of_diamonds", "shooter_chooses"))
    book, _ = book_at(ruleset_of("hearts"), choice, "en")
    assert [each.text for each in sentences(book) if each.address == "score"] == [
        "Points count against you. Everyone begins with 0, and may come below."
    ]


def test_a_field_has_a_column_if_players_need_it() -> None:
    """A value may have the field's name; a field that only bots read has none."""
    book, _ = book_at(ruleset_of("workshop"), TableChoice(), "en")
    heads = [e for s in book.sections for b in s.blocks for e in getattr(b, "head", ())]
    assert "Points" in heads
    assert "Quality for bots" not in heads


def test_the_end_includes_the_ends_that_a_house_rule_adds() -> None:
    choice = TableChoice(with_=("empty_piles",), settings={"piles": 4})
    book, _ = book_at(ruleset_of("workshop"), choice, "en")
    (end,) = (each for each in book.sections if each.key == "chapter-winning")
    said = [text.text for each in end.paragraphs() for text in each.sentences]
    assert any("has run out of 4 kinds" in each for each in said)


def test_the_object_says_who_wins_if_a_house_rule_changes_that() -> None:
    for variant, changed in (("own_stock", False), ("anti_reversi", True)):
        choice = TableChoice(with_=(variant,))
        book, _ = book_at(ruleset_of("reversi"), choice, "en")
        said = [each.text for each in next(book.sections[0].paragraphs()).sentences]
        assert said[0].startswith("Two players place discs")
        assert any("the fewest discs wins" in each for each in said) == changed


def test_usual_choices_are_printed_unless_their_prose_is_empty() -> None:
    for game, there in (("holdem", True), ("skat", False)):
        book, _ = book_at(ruleset_of(game), TableChoice(), "en")
        said = [each.text for each in sentences(book)]
        assert any(each.startswith("Often chosen: ") for each in said) == there


def test_a_word_is_in_the_only_section_that_uses_it_or_in_the_glossary() -> None:
    book, _ = book_at(ruleset_of("skat"), TableChoice(), "en")
    where = {e.address: s.key for s in book.every_section() for e in s.sentences()}
    assert where["multiplier"] == where["tops"] == where["counting"] == "counting"
    assert where["passed"] == where["null_worth"] == "chapter-meanings"
    assert "best_game" not in where  # only bots use it


def test_words_to_know_first_are_those_of_three_sections() -> None:
    book, _ = book_at(ruleset_of("takeover"), TableChoice(), "en")
    (first,) = (each for each in book.sections if each.key == "chapter-first")
    assert "Top tile" in {each.lead for each in first.paragraphs()}
    book, _ = book_at(ruleset_of("hearts"), TableChoice(), "en")
    assert "chapter-first" not in {each.key for each in book.sections}


def test_a_table_of_options_omits_those_with_empty_prose() -> None:
    book, _ = book_at(ruleset_of("pachisi"), TableChoice(), "en")
    (table,) = (
        block
        for each in book.sections
        if each.key == "chapter-table"
        for block in each.blocks
        if isinstance(block, BookTable)
    )
    named = {row[0] for row in table.rows}
    assert "Squares along an arm" in named
    assert not any("at most" in each for each in named)  # a bound of the program


def test_coordinates_of_places_are_no_table() -> None:
    for game, wanted in (("minichess", False), ("guild_street", True)):
        book, _ = book_at(ruleset_of(game), TableChoice(), "en")
        heads = {
            b.head[0] for s in book.sections for b in s.blocks if hasattr(b, "head")
        }
        assert bool(heads & {"Square", "House"}) == wanted


def bare_book(tmp_path: Path, rules: str) -> Book:
    (tmp_path / "ruleset.yaml").write_text(
        "id: bare\nversion: 1.0.0\ntitle: {en: Bare}\nsummary: {en: A game.}\n"
        "languages: [en]\nusual_players: 2\nrules: [game.rules]\n",
        "utf-8",
    )
    (tmp_path / "game.rules").write_text(
        "game bare\nplayers 2..3\nstate kept: yes or no starts as no\n"
        "phase turn until kept, at most 3 times\n"
        f"  step counting{rules}\nwinners: players\n",
        "utf-8",
    )
    ruleset, faults = load_ruleset(tmp_path)
    assert ruleset is not None, faults
    return book_at(ruleset, TableChoice(), "en")[0]


def test_a_game_without_anything_to_say_has_a_book(tmp_path: Path) -> None:
    book = bare_book(tmp_path, ": kept becomes yes")
    assert "chapter-object" in {each.key for each in book.sections}


def test_a_captioned_step_has_the_captions_of_what_it_calls(tmp_path: Path) -> None:
    rules = ' "All is counted": count_up()\neffect count_up "The count"\n'
    book = bare_book(
        tmp_path, rules + '  does keep "Then it is kept": kept becomes yes'
    )
    said = [each.text for each in sentences(book)]
    place = said.index("Then it is kept.")
    assert said[place - 1] == "All is counted."


@pytest.mark.parametrize("case", BARE, ids=lambda case: case["game"])
def test_a_game_without_texts_has_a_whole_book(
    case: dict[str, Any], tmp_path: Path
) -> None:
    texts = {"game.rules": case["rules"], "own.rules": case.get("variant", "")}
    for name, text in {**texts, **case.get("tables", {})}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        if text:
            (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "ruleset.yaml").write_text(
        f"id: {case['game']}\nversion: 1.0.0\ntitle: Bare\nsummary: A game.\n"
        'languages: [en]\nusual_players: 2\nrules: ["*.rules"]\n',
        "utf-8",
    )
    ruleset, faults = load_ruleset(tmp_path)
    assert ruleset is not None
    assert not faults
    on = tuple(unit.id for unit in ruleset.units_of("variant"))
    text = book_at(ruleset, TableChoice(with_=on), "en")[0].markdown()
    assert [each for each in case["has"] if each not in text] == []
    assert [each for each in case["lacks"] if each in text] == []


def test_an_example_without_texts_has_words_for_arrows(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(
        'game dark "Dark"\nplayers 2..2\n'
        "component Lamp for each copy: 1..4\n"
        "zone box: pile of Lamp starts as Lamp\nzone table: set of Lamp\n"
        "phase round until size(box) is 0, at most 9 times\n"
        "  phase turn for me in players if size(box) at least 1\n"
        "    step acting: must act once, if possible\n"
        "action light during acting\n  does light: move 2 from box to table\n"
        "winners: players\n",
        "utf-8",
    )
    (tmp_path / "ruleset.yaml").write_text(
        "id: dark\nversion: 1.0.0\ntitle: Dark\nsummary: A game.\n"
        "languages: [en]\nrules: [game.rules]\n",
        "utf-8",
    )
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "dark.yaml").write_text(
        "game: dark\ntable: {players: [ann, bob]}\n"
        "scenarios: [{name: two, covers: [light], do: [light], "
        "expect: {decides: bob}}]\n",
        "utf-8",
    )
    text = houserule.load(tmp_path).table().rulebook().markdown()
    assert "from box to table." in text
    assert "→" not in text


def test_a_remark_is_left_out_if_a_question_answers_it() -> None:
    book, _ = book_at(ruleset_of("takeover"), TableChoice(), "en")
    said = [each.text for each in sentences(book)]
    assert any(each.startswith("No. A deal between passes") for each in said)
    assert not any("A deal is no turn" in each for each in said)


def test_a_ruling_is_left_out_if_a_house_rule_decides_otherwise() -> None:
    for variants, number in (((), 1), (("walled",), 0)):
        book, _ = book_at(ruleset_of("trails"), TableChoice(with_=variants), "en")
        said = [each.text for each in sentences(book)]
        assert len([e for e in said if "does not keep a trail open" in e]) == number


def test_a_ruling_is_left_out_if_an_option_decides_otherwise() -> None:
    for points, there in ((1, True), (5, False)):
        choice = TableChoice(settings={"match_length": points})
        book, _ = book_at(ruleset_of("backgammon"), choice, "en")
        asked = {each.lead for part in book.sections for each in part.paragraphs()}
        assert ("How many games do we play?" in asked) == there


def test_a_book_is_kept_until_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(*_: object) -> None:
        raise AssertionError("it is made again")

    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path))
    book = houserule.load("pig").table().rulebook()
    monkeypatch.setattr("houserule.rulebook.book.build.book_of", again)
    assert houserule.load("pig").table().rulebook() == book
    for other in ({"players": 3}, {"settings": {"target": 50}}):
        with pytest.raises(AssertionError):
            houserule.load("pig").table(**other).rulebook()


def test_markdown_names_the_files_of_its_pictures(tmp_path: Path) -> None:
    path = tmp_path / "our rules.md"
    assert run(["rulebook", "ludo", "-o", str(path)]) == 0
    named = re.findall(r"!\[.+\]\((.+)\)", path.read_text("utf-8"))
    files = sorted(each.name for each in tmp_path.glob("*.svg"))
    assert named == files
    assert len(files) >= 3
    book, _ = book_at(ruleset_of("ludo"), TableChoice(players=2), "en")
    assert ".svg" not in book.markdown()
    assert ">4</text>" in book.drawings()[1]  # the number on a piece


def test_a_table_with_empty_prose_is_not_for_players() -> None:
    book, _ = book_at(ruleset_of("reversi"), TableChoice(), "en")
    assert "Rows down" not in book.markdown()
    book, _ = book_at(ruleset_of("gin_rummy"), TableChoice(), "en")
    assert "| king | 13 | 10 |" in book.markdown()


def test_an_example_in_the_dark_is_what_its_player_sees() -> None:
    table = houserule.load("chess").table(with_=["dark_chess"])
    assert "**Example.** Ann moves the knight from g1 to f3." in (
        table.rulebook().markdown()
    )


def test_a_ruling_is_left_out_if_its_only_rule_is_removed() -> None:
    for on, there in (((), True), (("king_of_the_hill",), False)):
        book, _ = book_at(ruleset_of("chess"), TableChoice(with_=on), "en")
        assert ("two_knights" in book.rulings) == there


def test_a_sheet_lists_removed_rules_in_words_only() -> None:
    base, _ = book_at(ruleset_of("gin_rummy"), TableChoice(), "en")
    choice = TableChoice(with_=("no_laying_off",))
    book, _ = book_at(ruleset_of("gin_rummy"), choice, "en")
    said = [
        e.text for s in sheet_of(book, base, "base").sections for e in s.sentences()
    ]
    assert any(each.startswith("After a knock the other player may") for each in said)
    assert not any("This must hold" in each for each in said)


def test_a_ruling_stays_if_the_house_rule_names_it_itself() -> None:
    rules = ruleset_of("ludo")
    assert rules.rulings["three_sixes"].option == "three_sixes"
    book, _ = book_at(rules, TableChoice(with_=("three_sixes",)), "en")
    said = {each.text for each in sentences(book)}
    assert as_sentence(rules.rulings["three_sixes"].says["en"]) in said


def test_what_two_house_rules_change_differently_is_said_by_its_expression(
    tmp_path: Path,
) -> None:
    """Neither has words for the clause as both leave it."""
    folder = tmp_path / "pig"
    shutil.copytree(ROOT / "pig", folder)
    changes = {
        "sooner": "round.times\n  from 1000\n  to 500",
        "later": "round.until\n  from some p in players has score(p) at least target\n"
        "  to every p in players has score(p) at least target",
    }
    for name, change in changes.items():
        words = f"texts: {{en: {{changed_prose: {{{name}: {{round: Play {name}.}}}}}}}}"
        text = f'variant {name} for pig "{name}"\n\nchange {change}\n---\n{words}\n'
        (folder / "variants" / f"{name}.rules").write_text(text, "utf-8")
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    one, _ = book_at(ruleset, TableChoice(with_=("sooner",)), "en")
    both, _ = book_at(ruleset, TableChoice(with_=("later", "sooner")), "en")
    assert {e.text for e in sentences(one) if e.address == "round"} == {"Play sooner."}
    (said,) = {each for each in sentences(both) if each.address == "round"}
    assert said.made
    assert said.text == "Repeat this until every player has at least 100 points."


def test_a_step_beside_an_order_may_be_taken_at_any_time() -> None:
    book, _ = book_at(ruleset_of("x_pasch"), TableChoice(preset="official"), "en")
    said = [each.text for each in sentences(book)]
    assert (
        "In this order: Founding, Placing, Earning bonus markers, Sliding, Placing "
        "bonus markers and Drawing."
    ) in said
    assert "Eliminating: at any time before “Exchanging”." in said


# ---- a changed rule is another sentence


Change = Callable[[tree.Node], tree.Node | None]
TURNED = {
    "at least": "more than",
    "at most": "less than",
    "more than": "at most",
    "less than": "at least",
    "is": "is not",
    "is not": "is",
}


def more(node: tree.Node) -> tree.Node | None:
    return (
        tree.Int(node.value + 1, span=node.span) if isinstance(node, tree.Int) else None
    )


def turned(node: tree.Node) -> tree.Node | None:
    if isinstance(node, tree.Compare):
        other = TURNED[node.op]
        return tree.Compare(other, node.left, node.right, span=node.span)  # type: ignore[arg-type]
    return None


def swapped(node: tree.Node) -> tree.Node | None:
    if isinstance(node, tree.Logic):
        other = "or" if node.op == "and" else "and"
        return tree.Logic(other, node.left, node.right, span=node.span)  # type: ignore[arg-type]
    return None


@cache
def mutants(name: str) -> list[tuple[str, str, Change]]:
    """Return the clauses of a game with what can be changed in each."""
    found: list[tuple[str, str, Change]] = []
    for address, node in addressed(ruleset_of(name).base):
        if not isinstance(
            node, tree.Needs | tree.Cost | tree.Does | tree.Limit | tree.Value
        ):
            continue
        for kind, change in (("more", more), ("turned", turned), ("swapped", swapped)):
            if any(change(each) is not None for each in walk(node)):
                found.append((address, kind, change))
    return found


def changed(node: tree.Node, change: Change) -> tree.Node:
    """Return a node with all that can be changed beneath it changed."""
    inner = rebuild(node, lambda each: changed(each, change))
    return change(inner) or inner


def with_clause(ruleset: LoadedRuleset, address: str, change: Change) -> LoadedRuleset:
    base = ruleset.base
    wanted = next(node for known, node in addressed(base) if known == address)

    def put(node: tree.Node) -> tree.Node:
        return changed(node, change) if node is wanted else rebuild(node, put)

    other = rebuild(base, put)
    return with_units(ruleset, [other if u is base else u for u in ruleset.units])


def params() -> list[object]:
    return [
        each
        for name in NAMES
        for each in spread(
            [(name, *mutant) for mutant in mutants(name)],
            40,
            name=lambda each: "-".join(map(str, each[:3])),
        )
    ]


@pytest.mark.parametrize(("name", "address", "kind", "change"), params())
def test_another_rule_is_another_sentence(
    name: str, address: str, kind: str, change: Change
) -> None:
    """What is said of a clause is more than its caption: with another it differs."""
    ruleset = ruleset_of(name)
    other = with_clause(ruleset, address, change)
    most = TableChoice(players=presets(name)[0].choice.players)
    found = prepare(other, most)  # for play it would be found as it was kept
    before = usual(name)
    if found.program is None or found.table is None:
        pytest.skip("no rules any more")
    if parts_of(found.program) == parts_of(before):
        pytest.skip("for so many players the same rule")
    texts, language = ruleset.texts, languages(name)[-1]
    said = [
        ExactWords(program, texts[language], language).clause(address)
        for program in (before, found.program)
    ]
    assert said[0] != said[1], kind


@cache
def usual(name: str) -> ir.Program:
    most = TableChoice(players=presets(name)[0].choice.players)
    found = prepare(ruleset_of(name), most, for_play=True)
    assert found.program is not None
    return found.program


def parts_of(program: ir.Program) -> tuple[object, ...]:
    return program.actions, program.effects, program.values, program.steps


def test_a_sheet_compares_with_the_nearest_table_that_a_preset_allows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Four play Cribbage only as partners."""
    assert run(["rulebook", "cribbage", "--with", "partners", "--diff", "base"]) == 0
    assert "# What differs from Cribbage" in capsys.readouterr().out
