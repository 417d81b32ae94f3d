"""What of a book is a rule, and what shows it: each kind of hole, shipped books."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from tests.support.shipped import NAMES, ROOT, ruleset_of

import houserule
from houserule.authoring.coverage import collect
from houserule.authoring.coverage.collect import coverage_of
from houserule.authoring.coverage.coverage_model import Coverage, CoveredBooks
from houserule.authoring.coverage.report import lines_of, numbers_of, page_of, state_of
from houserule.language.manifest.load import load_ruleset
from houserule.ui.cli.main import run

CASE = Path(__file__).parents[1] / "cases" / "coverage"
BOOK = (CASE / "book.txt").read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of a game that is written from a book, and covers it."""
    shutil.copytree(CASE / "pig", tmp_path / "pig")
    return tmp_path / "pig"


def covered(folder: Path, texts: dict[str, str] | None = None) -> Coverage:
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None, faults
    return coverage_of(ruleset, texts)


def kinds(coverage: Coverage) -> set[str]:
    return {hole.kind for hole in coverage.holes}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_covered_book_has_no_holes(folder: Path) -> None:
    found = covered(folder, {"book": BOOK})
    assert kinds(found) == set()
    (source,) = found.sources
    assert [*numbers_of(source)] == [
        "4 rules: 4 said by a clause; 4 shown by an example",
        "1 example: 1 given",
    ]
    assert [*lines_of(found)][-1] == "Nothing is missing."


REGISTER, RULES = "sources/book.yaml", "game.rules"
EXAMPLES, RULINGS = "scenarios/pig.yaml", "rulings.yaml"
RASH = '  rash: {opt: target, says: "It is rash."}\n'
BOLD = '  bold: {opt: target, says: "It is bold."}\n'
HOLES: dict[str, list[tuple[str, str, str]]] = {
    "unread": [(REGISTER, ", status: flavour}", "}")],
    "unreached": [(REGISTER, "status: flavour}", "status: rule}")],
    "unshown": [(EXAMPLES, "    cites:", "    # cites:")],
    "claimed": [
        (REGISTER, "status: flavour}", "status: rule}"),
        (RULES, "players 2..6", 'note "The box"  ["The end" 2]\nplayers 2..6'),
    ],
    "doubtful": [(EXAMPLES, "words: Ann throws a", "words: Bob throws a")],
    "unkept": [
        (RULES, "pot at least 1", "pot at least 1 and no"),
        (EXAMPLES, "    do: [hold]\n", ""),
    ],
    "unbroken": [
        (RULES, "pot at least 1", "pot at least 0"),
        (EXAMPLES, "expect: {refused: hold.something}", "expect: {legal: yes}"),
    ],
    "idle_ruling": [(RULINGS, "rulings:\n", f"rulings:\n{RASH}")],
    "contrary_rulings": [(RULINGS, "rulings:\n", f"rulings:\n{RASH}{BOLD}")],
    "uncited": [(RULES, "[ruling throw_first]", "")],
}


BESIDES = {
    "doubtful": {"unshown"},
    "contrary_rulings": {"idle_ruling"},
    "uncited": {"idle_ruling"},
}
"""What comes along: other kinds of holes that the same edit makes."""


@pytest.mark.parametrize("kind", HOLES)
def test_each_hole_is_found(kind: str, folder: Path) -> None:
    for file, old, new in HOLES[kind]:
        edit(folder / file, old, new)
    found = kinds(covered(folder))
    assert kind in found
    assert found <= {kind, *BESIDES.get(kind, ())}


def test_a_rule_that_no_clause_says_ends_with_status_1(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["coverage", str(folder)]) == 0
    edit(folder / REGISTER, "status: flavour}", "status: rule}")
    assert run(["coverage", str(folder)]) == 1
    assert 'book "The end" 2' in capsys.readouterr().out


def changed(*pairs: tuple[str, str]) -> str:
    text = BOOK
    for old, new in pairs:
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            changed(("A one loses", "A six loses")),
            [('book "The throw" 2', "reads differently in the book: throw.bust")],
        ),
        (
            changed(("Whoever is in turn", "Dice are fair. Whoever is in turn")),
            [
                ('book "The throw" 1', "is new in the book"),
                ('book "The throw" 1', "is sentence 2 now: throw, throw.roll"),
                ('book "The throw" 2', "is sentence 3 now: throw.bust"),
                ('book "The throw" 3', "is sentence 4 now: throw.keep"),
                ('book "The throw" 4', "is sentence 5 now"),
            ],
        ),
        (
            changed((" The box is red.", "")),
            [('book "The end" 2', "is no longer in the book")],
        ),
        (
            changed(
                ("Whoever is in turn throws <the die>. A one", "A one"),
                (
                    "in the pot. Any",
                    "in the pot. Whoever is in turn throws <the die>. Any",
                ),
            ),
            [
                ('book "The throw" 1', "is sentence 2 now: throw, throw.roll"),
                ('book "The throw" 2', "is sentence 1 now: throw.bust"),
            ],
        ),
        (BOOK + "\n# More\n\nNew.\n", [('book "More" 1', "is a new part of the book")]),
    ],
    ids=["other_words", "one_more", "one_less", "other_order", "new_part"],
)
def test_another_edition_makes_clauses_suspect(
    text: str, wanted: list[tuple[str, str]], folder: Path
) -> None:
    found = covered(folder, {"book": text})
    suspect = [(hole.name, hole.says) for hole in found.holes if hole.kind == "suspect"]
    assert suspect == wanted


def test_the_words_of_a_book_are_shown_and_never_kept(folder: Path) -> None:
    page = page_of(covered(folder, {"book": BOOK}))
    assert "Whoever is in turn throws &lt;the die&gt;." in page
    assert "<the die>" not in page
    assert "Whoever is in turn" not in page_of(covered(folder))
    assert "Whoever is in turn" not in (folder / REGISTER).read_text()


def test_the_page_leads_to_every_clause_and_example_that_it_names(folder: Path) -> None:
    page = page_of(covered(folder))
    anchors = {part.split('"')[0] for part in page.split('id="')[1:]}
    links = {part.split('"')[0] for part in page.split('href="#')[1:]}
    assert links
    assert links <= anchors


def test_what_is_told_as_json_has_its_schema(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["coverage", str(folder), "--json"])
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, houserule.schema("coverage"))
    assert told["sources"][0]["said"] == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nim", "--source", "book.txt"], "nim names no book"),
        (
            ["pasha", "--source", "book.txt"],
            "say --source psh=FILE or --source psi=FILE",
        ),
        (
            ["pasha", "--source", "x=book.txt"],
            "pasha has no book `x`. There is: psh, psi.",
        ),
        (["takeover", "--source", "none.txt"], "There is no file `none.txt`."),
        (["takeover", "--source", "empty.txt", "--register"], "is under a heading"),
    ],
)
def test_what_is_asked_wrongly_is_said(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book.txt").write_text(BOOK)
    Path("empty.txt").write_text("")
    assert run(["coverage", *words]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


# ---- as a part of `check`


@pytest.mark.parametrize(
    ("file", "old", "new", "status"),
    [
        (REGISTER, "splitter", "splitter", 0),
        (REGISTER, "status: flavour}", "status: rule}", 1),
        (REGISTER, ", status: flavour}", "}", 0),
        (EXAMPLES, "    cites:", "    # cites:", 0),
        (REGISTER, "e14a668bdd9b8438", "e14a668bdd9b8439", 0),
        (RULES, '"goes into the pot"', '"goes in the pot"', 1),
    ],
    ids=["whole", "unreached", "unread", "unshown", "suspect", "doubtful"],
)
def test_check_holds_margins_against_the_book_as_coverage_does(
    file: str,
    old: str,
    new: str,
    status: int,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    edit(folder / file, old, new)
    book = f"book={CASE / 'book.txt'}"
    assert run(["check", str(folder), "--source", book]) == status
    first, *told = capsys.readouterr().out.splitlines()
    assert first.startswith("pig: ")
    if file == RULES:  # of rules with an error `coverage` tells nothing
        assert told[-1].startswith(
            '  "The throw" "goes in the pot": 0 sentences say so'
        )
        return
    run(["coverage", str(folder), "--source", book])
    assert told == capsys.readouterr().out.splitlines()
    run(["check", str(folder), "--source", book, "--json"])
    books = json.loads(capsys.readouterr().out)["books"]
    assert [*lines_of(CoveredBooks.model_validate(books, strict=False))] == told


def test_a_book_without_a_register_is_told_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / REGISTER).unlink()
    assert run(["check", str(folder), "--source", str(CASE / "book.txt")]) == 1
    told = capsys.readouterr()
    assert "`book` has no register yet" in told.err
    assert "Nothing is missing" not in told.out
    assert run(["check", "pig", "nim", "--source", str(CASE / "book.txt")]) == 2
    assert "one game at a time" in capsys.readouterr().err


# ---- the shipped books

WITH_BOOKS = [name for name in NAMES if (ROOT / name / "sources").is_dir()]


@pytest.fixture(scope="module", params=WITH_BOOKS)
def shipped(request: pytest.FixtureRequest) -> Coverage:
    """Hold a book against its rules; for its sentences no example need be played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collect, "_conditions", lambda *_: ())
        return coverage_of(ruleset_of(request.param))


def test_every_sentence_of_a_shipped_book_is_accounted_for(shipped: Coverage) -> None:
    states = {
        state_of(sentence)
        for source in shipped.sources
        for heading in source.headings
        for sentence in heading.sentences
    }
    assert states <= {"whole", "claimed", "unseen"}
    assert shipped.complete
    wrong = {"unread", "unshown", "doubtful", "idle_ruling", "unreached"}
    assert not [hole for hole in shipped.holes if hole.kind in wrong]


def test_the_readme_says_how_far_its_book_is_covered(shipped: Coverage) -> None:
    text = " ".join((ROOT / shipped.game / "README.md").read_text("utf-8").split())
    for source in shipped.sources:
        for line in numbers_of(source):
            assert line in text
