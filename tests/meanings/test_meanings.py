"""What a name means: everything that has one, in the words of a language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support import shipped

import houserule
from houserule.compiler.prepare import TableChoice, playable, prepare
from houserule.rulebook.meanings.explain import games_with, meanings_of, names_of
from houserule.rulebook.meanings.table_in_words import TableInWords

FILES = {
    "ruleset.yaml": (
        'id: t\nversion: "1.0"\ntitle: T\nsummary: A game.\nlanguages: [en]\n'
        "rules: [game.rules, dear.rules]\n"
    ),
    "game.rules": (
        "game t\nplayers 2..2\nwinners: players\n"
        "phase turn for me in players\n  step go: must act once, if possible\n"
        "action a during go\n  needs any: price(me) at least 0\n"
        "  does it: got gains 1\n"
        "state got: 0..99 starts as 0\n"
        "value price(p: Player): 0..99 = got\n"
        "extend price with times twice, if any\n"
        "extend price with plus more, if any, after twice\n"
    ),
    "dear.rules": (
        "variant dear for t\nadd to price.more(p) called upkeep: 2 + seat(p)\n"
        "or a.any.never: got is 0\n"
        "reaction nothing after a.it\n  does it: got gains 0\n"
        "variant more for t\n"
        "with dear:\n  change a.any from price(me) at least 0 to price(me) at least 1\n"
        "step turn.rest: got becomes 0\norder go then rest\n"
    ),
}


@pytest.fixture
def game(tmp_path: Path) -> houserule.Ruleset:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return houserule.load(tmp_path)


def told(meaning: houserule.Meaning, about: str) -> list[str]:
    return [f"{line.name} {line.caption} {line.text}" for line in meaning.lines(about)]


def test_layers_are_told_in_their_order(game: houserule.Ruleset) -> None:
    assert told(game.table().explain("price"), "layers") == [
        "twice times nothing at this table",
        "more plus nothing at this table",
    ]
    said = game.table(with_="dear").explain("price")
    assert told(said, "layers")[1:] == ["more plus ", "upkeep  2 + seat(p)"]
    assert said.lines("layers")[2].origin == "dear"


def test_an_action_has_its_lifts_and_reactions(game: houserule.Ruleset) -> None:
    said = game.table(with_="dear").explain("a")
    assert told(said, "or") == ["a.any.never  got is 0"]
    assert told(said, "reactions") == ["nothing  reaction nothing after a.it"]
    assert told(game.table().explain("a"), "elsewhere") == [
        "dear dear a.any, a.it",
        "more more a.any",
    ]


def test_a_variant_has_its_edits_and_what_it_adds(game: houserule.Ruleset) -> None:
    table = game.table()
    assert told(table.explain("dear"), "edits") == [
        "a.any.never  or a.any.never: got is 0"
    ]
    assert told(table.explain("more"), "edits") == [
        "a.any  with dear:\n"
        "  change a.any from price(me) at least 0 to price(me) at least 1",
        " In this order: go; rest order go then rest",
    ]
    assert told(table.explain("more"), "declares") == ["rest  step rest: got becomes 0"]
    assert not table.explain("go").lines("elsewhere")  # an order is no edit of a step


# ---- shipped games: name, language, flags, and lines of the answer in their order

TOLD = {
    "an action, with who changed it": (
        ("x_pasch", "slide", "en", {"preset": "goldsmith"}),
        """
        slide   (action, ...
          Slide a marker
            action slide(origin, target in table) during sliding
          Taken by the player in turn
          At the step sliding (Slide markers), any number of times
          Conditions
            slide.downhill  Only to a smaller income
                slide_income(target) less than slide_income(origin)
                changed by: harder_sliding
                printed in: "Homebrewed optional rules" "strictly lower incomes"
          Costs
            slide.die  A slide costs a die
                cost die(d in tray): spend({d})
        """,
    ),
    "a card in German": (
        ("x_pasch", "six_green", "de", {}),
        """
        six_green   (Karte oder Stück, ...
          6 (grün)
          Gehört zu Company (Firma)
          Zum Teil belegt: X Pasch Deluxe, ...
            (Zahl, Farbfelder)
          Angaben
            any_pasch   X Pasch: nein
            squares     Farbfelder: grüner Würfel
          Verwendet in
            makes...Die Summe ist die Zahl der Karte, oder die Würfel sind ihr Pasch
          aus: dem Grundspiel
        """,
    ),
    "a thing that is made, not written": (
        ("hex_board", "2-3", "de", {}),
        """
        2-3   (Karte oder Stück, ...
          Gehört zu Cell ...
          Angaben
            row...2
            column...3
        """,
    ),
    "a card of a variant": (
        ("x_pasch", "hunter_one", "en", {"preset": "official"}),
        """
        hunter_one   (card or piece, ...
          Not at this table; with deluxe, hunter, manager_cards:
          One of Green (green card)
          from: hunter
        """,
    ),
    "a variant with words before and after": (
        ("x_pasch", "harder_sliding", "de", {}),
        """
        harder_sliding   (Variante, ...
          Strengeres Verschieben
          Ändert
            slide.downhill  Nur zu kleinerem Einkommen (bisher: Nur zu gleichem ...
                change slide.downhill
                  from slide_income(target) at most slide_income(origin)
                  to slide_income(target) less than slide_income(origin)
          In den Zusammenstellungen
        """,
    ),
    "a bridge, its variants in any order": (
        ("x_pasch", "hostile_takeover, flexible_order", "en", {}),
        """
        flexible_order+hostile_takeover   (bridge, ...
          Holds when all of these are on: flexible_order (Flexible turn order), ...
            earning  Bonus markers are earned
                remove earning
          Adds
            earning_now  A company taken over earns its bonus marker at once
                reaction earning_now after noticing.settle
        """,
    ),
    "what was taken out": (
        ("x_pasch", "exchange", "en", {"with_": "free_exchange"}),
        """
          Taken out
            exchange.die  An exchange costs a die  (free_exchange)
        """,
    ),
    "a preset": (
        ("x_pasch", "ludorium", "en", {}),
        """
        ludorium   (preset, ...
          extends official
          Selects bankruptcy_roll (Bankruptcy roll), ...
        """,
    ),
    "an option and who sets it": (
        ("x_pasch", "bankruptcy_from", "en", {"preset": "ludorium"}),
        """
        bankruptcy_from   (option, ...
          At this table: 60
          Set by
            ludorium  ...: 60
          Used in
            announce.late_enough...
        """,
    ),
    "a value in words": (
        ("x_pasch", "place_on_founded", "de", {}),
        """
        place_on_founded   (Einstellung, ...
          ja oder nein, sonst ja
          An diesem Tisch: ja
        """,
    ),
    "who acts together": (
        ("guild_street", "sort", "de", {}),
        """
        sort   (Aktion, ...
          Möglich für alle zugleich
          Im Schritt choosing ..., muss einmal handeln, wenn möglich
        """,
    ),
    "who acts in turn inside laps": (
        ("takeover", "pick", "en", {}),
        """
          Taken by the player in turn
          At the step picking (Take a coin), must act once, if possible
        """,
    ),
    "a variable that is called like a phase": (
        ("x_pasch", "use", "en", {}),
        """
        use   (phase, ...
          Steps and phases inside
          Variants and bridges that would change it
        """,
    ),
    "a group": (
        ("pachisi", "edition", "en", {}),
        """
        edition   (group of variants)
          exactly one of ...
        """,
    ),
    "a source": (
        ("x_pasch", "xpd", "de", {}),
        """
        xpd   (Quelle, ...
          X Pasch Deluxe, Valentin Herman, ...
          Klauseln dieses Tisches, die dort gedruckt sind: ...
        """,
    ),
    "a ruling": (
        ("x_pasch", "tie_pays_nobody", "de", {}),
        """
        tie_pays_nobody   (Festlegung, ...
          Niemand. Bei Gleichstand, oder wenn dort kein Stein liegt, gehört ...
          Verwendet in
            controller  Wer in einer Firma die meisten Steine hat
        """,
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_what_is_told(case: str) -> None:
    (game, name, language, flags), wanted = TOLD[case]
    table = houserule.load(game).table(**flags)  # type: ignore[arg-type]
    rows = iter(str(table.explain(name, language)).split("\n"))
    for line in wanted.strip().split("\n"):
        pattern = re.escape(line.strip()).replace(r"\.\.\.", ".*")
        assert any(re.fullmatch(pattern, row.strip()) for row in rows), line


def test_the_variables_of_an_action_are_no_use_of_a_phase() -> None:
    table = houserule.load("x_pasch").table(preset="goldsmith_deluxe")
    assert [line.name for line in table.explain("use").lines("used")] == ["helped"]


def test_what_is_at_another_table_is_told_besides() -> None:
    field, action = houserule.load("x_pasch").table().meanings("bonus")
    assert (field.kind, field.table) == ("field", ())
    assert (action.kind, action.table) == ("action", ("hostile_takeover",))


def test_everything_of_one_name_is_told() -> None:
    table = houserule.load("x_pasch").table(preset="official_deluxe")
    kinds = {
        name: [each.kind for each in table.meanings(name)]
        for name in ("hunter", "income", "high_roll", "spades")
    }
    assert kinds == {
        "hunter": ["member", "variant"],
        "income": ["value", "field"],
        "high_roll": ["phase", "ruling"],
        "spades": ["member"],
    }


@pytest.mark.parametrize("game", shipped.NAMES)
def test_every_name_has_a_meaning_in_every_language(game: str) -> None:
    ruleset = shipped.ruleset_of(game)
    presets = [unit.id for unit in ruleset.units_of("preset")]
    choice = TableChoice(preset=presets[-1] if presets else None)
    table, program = playable(prepare(ruleset, choice), ruleset, choice)
    units = {unit.id for unit in ruleset.units}
    at_table = set(program.clauses) | units | set(ruleset.rulings)
    for language in ruleset.manifest.languages:
        view = TableInWords(ruleset, table, program, language)
        for name in at_table:
            assert all(str(each) for each in meanings_of(view, name))
    assert at_table - names_of(ruleset) == set()


def test_a_near_name_may_be_that_of_a_variant() -> None:
    with pytest.raises(houserule.NoNameError) as unknown:
        houserule.load("pig").table().explain("hold.enogh")
    assert unknown.value.near[0] == "hold.enough"


def test_words_of_a_caption_lead_to_names() -> None:
    with pytest.raises(houserule.NoNameError) as unknown:
        houserule.load("pig").table().explain("Enough points", "en")
    assert unknown.value.near == ("hold.enough",)


def test_a_game_is_found_by_a_name() -> None:
    assert [game.id for game in games_with("eight_plain")] == ["x_pasch"]
    assert [game.id for game in games_with("flexible_order,hostile_takeover")] == [
        "x_pasch"
    ]
    assert not [*games_with("eight_plainn")]
