"""The language reference says all that the grammar says, and nothing else."""

from __future__ import annotations

import re
from functools import cache
from textwrap import indent

import pytest
from tests.docs.fences import ROOT, Fence, fences_of
from tests.docs.test_examples import whole
from tests.support.rulesets import ruleset_from_texts
from tools.write_constructs import (
    LANGUAGE,
    PAGE,
    constructs,
    names_in,
    parser,
    reference,
    used_names,
    written,
)

from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.diagnostics.render import Renderer
from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.syntax.forms import PLACE, forms
from houserule.language.syntax.vocabulary import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    EDITS,
    FREE,
    HEADERS,
    keywords,
    reserved,
)

# Rules of the grammar that only join others, or are a name, a list, a line.
PLUMBING = frozenset(
    re.findall(
        r"\w+",
        """
        start unit item decl call dice_names slots slot_keys slot_key first_value
        type_def definition event short_payload payload line_body block_body inline stmt
        stmt_line simple params params_ param type base_type int minus_int word
        long_expr expr or_open and_open not_open or_test and_test not_test comparison
        sum side range_ arith term factor atom bracketed list_ over binders
        names dotted dotteds not_a_call one_member given_ contribution new_op limit_
        limit_once
        clause named_clause
        """,
    )
)
# Words of pieces of the grammar that hold several, and names; no keywords.
PHRASE = {
    "on",
    "a",
    "tie",
    "possible",
    "everyone",
    "nobody",
    "stop",
    "itself",
    "deep",
} | {
    "who",
    "claims",
}
_WORD = re.compile(r"[a-z]+")
_QUOTED = re.compile(r'"[^"\n]*"')
GAME = (ROOT / "tests" / "cases" / "reference.rules").read_text(encoding="utf-8")


@cache
def documented() -> frozenset[str]:
    return frozenset(name for _, name, _ in constructs())


@cache
def examples() -> tuple[Fence, ...]:
    fences = (fence for page in reference() for fence in fences_of(page))
    found = tuple(fence for fence in fences if fence.language == "rules")
    assert found
    return found


@cache
def words_of_forms() -> frozenset[str]:
    forms = " ".join(_QUOTED.sub("", form) for _, _, form in constructs())
    return frozenset(_WORD.findall(forms))


def test_every_rule_of_the_grammar_has_a_form() -> None:
    names = {str(rule.alias or rule.origin.name) for rule in parser().rules}
    wanted = {name for name in names if not name.startswith("__")} - PLUMBING
    assert not wanted - documented(), "the reference says nothing of these"
    assert not documented() - wanted, "the grammar has no such rules"


def test_every_keyword_stands_in_a_form() -> None:
    assert not keywords() - words_of_forms()


def test_every_word_of_a_form_is_a_keyword() -> None:
    assert not words_of_forms() - keywords() - PHRASE


def test_every_construct_has_an_example() -> None:
    shown: set[str] = set()
    for fence in examples():
        shown |= names_in(whole(fence))
    # The headers of `whole` are no examples, but the page has those of its own.
    assert not documented() - shown


def test_the_keywords_are_listed() -> None:
    page = (LANGUAGE / "keywords.md").read_text(encoding="utf-8")
    lists = [each.removeprefix("text").split() for each in page.split("```")[1:4:2]]
    assert lists == [sorted(reserved()), sorted(FREE)]


def test_every_keyword_stands_in_an_example() -> None:
    words: set[str] = set()
    for fence in examples():
        words |= set(_WORD.findall(_QUOTED.sub("", fence.text)))
    assert not keywords() - words


# ---- examples that are of no shipped game are right in a small one


@cache
def loose() -> tuple[Fence, ...]:
    return tuple(each for each in examples() if "from" not in each.settings)


@pytest.mark.parametrize("fence", loose(), ids=lambda each: each.place)
def test_an_example_is_right_in_a_game(fence: Fence) -> None:
    texts = in_a_game(fence)
    ruleset = ruleset_from_texts(texts, TABLES)
    named = re.findall(r"^variant (\w+)", texts["example.rules"], re.MULTILINE)
    prepared = prepare(ruleset, TableChoice(with_=tuple(named)))
    sources = {name: Source(name, text) for name, text in texts.items()}
    found = [each for each in prepared.diagnostics if has_errors([each])]
    assert not found, Renderer(sources).all(found)


TABLES: dict[str, list[dict[str, str | int]]] = {
    "components/cards.yaml": [{"id": "one"}],
    "components/more_cards.yaml": [{"id": "two", "price": 3}],
}
# What may be written in an example without being declared in it.
VARIABLES = {
    "partner": "partner in players but me",
    "q": "q in players but me",
    "p": "p in players",
    "c": "c in table",
    "origin": "origin in table",
    "target": "target in table",
    "x": "x in Cell",
    "d": "d in tray",
    "use": "use part of tray",
    "given": "given part of hand(me)",
    "n": "n in 1..3",
    "lap": "lap in 1..3",
}
_BOUND = re.compile(r"((?:\w+, )*\w+)(?<!\bis)(?<!\bnot) (?:in|part of) ")


def in_a_game(fence: Fence) -> dict[str, str]:
    """Return the small game without what the example declares, and the example."""
    declared = {
        key: part for key, part in _items(fence.text).items() if key[0] != "game"
    }
    rest = [text for key, text in _items(GAME).items() if key not in declared]
    kinds = {"clauses", "statements", "expressions"} & {*fence.words}
    if kinds:
        parts = [fence.text]
        if kinds == {"expressions"}:
            parts = [f"let it = {line}\n" for line in fence.text.splitlines()]
        actions = "".join(
            _action(f"sample_{number}", part, kinds != {"clauses"})
            for number, part in enumerate(parts)
        )
        return {"example.rules": "".join([rest[0], actions, *rest[1:]])}
    text = fence.text
    opening = {key[0] for key in declared}
    if opening & {*HEADERS}:
        text = "".join(declared.values())
    elif opening & {*EDITS}:
        text = f"variant example for dash\n{text}"
    else:
        return {"example.rules": "".join([rest[0], text, *rest[1:]])}
    return {"example.rules": text, "game.rules": "".join(rest)}


def _items(text: str) -> dict[tuple[str, str], str]:
    """Return the lines of a text that stand at the left, with those beneath."""
    found: dict[tuple[str, str], str] = {}
    for part in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        first, _, rest = part.partition(" ")
        name = re.match(r"[\w.]*", rest)
        found[first, name[0] if name else ""] = part
    found.pop(("", ""), None)
    return found


def _action(name: str, part: str, wrapped: bool) -> str:
    """Return an action with the lines, and with the variables that they lack."""
    bound = {each for names in _BOUND.findall(part) for each in names.split(", ")}
    bound |= set(re.findall(r"\blet (\w+)", part))
    words = {*_WORD.findall(_QUOTED.sub("", part))} - bound
    wanted = ", ".join(text for word, text in VARIABLES.items() if word in words)
    head = f"action {name}({wanted})" if wanted else f"action {name}"
    inside = "  does it:\n" + indent(part, "    ") if wrapped else indent(part, "  ")
    return f"{head} during deciding\n{inside}"


@pytest.mark.parametrize("name", ["Player", *BUILT_IN_FUNCTIONS, *BUILT_IN_NAMES])
def test_every_built_in_name_is_in_the_table(name: str) -> None:
    page = (LANGUAGE / "built-in-names.md").read_text(encoding="utf-8")
    table = page.partition("\n```")[0]
    rows = [line.split("|")[1] for line in table.split("\n") if line.startswith("| ")]
    assert any(re.search(rf"`{name}\b", row) for row in rows)


def test_the_table_of_rulesets_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page, used_names()), "python tools/write_constructs.py"


def test_the_table_of_precedence_is_that_of_the_grammar() -> None:
    page = (LANGUAGE / "expressions.md").read_text(encoding="utf-8")
    rows = page.partition("## Precedence")[2].split("\n")
    alike = [
        pair for row in rows for pair in re.findall(r"`([^`]+)` is `([^`]+)`", row)
    ]
    assert len(alike) == 9
    for short, bracketed in alike:
        texts = (f"value v: number = {each}\n" for each in (short, bracketed))
        one, other = (parser().parse(text, start="item") for text in texts)
        assert one == other, short


# ---- messages

OF_FILES = {
    "Manifests, tables and texts",
    "Scenarios",
    "Records",
    "The chosen table",
    "All tables",
    "Warnings",
    "Notes",
}


def test_a_page_lists_every_message_about_rules_with_its_title() -> None:
    """Messages about other files, tables and records need no construct."""
    row = re.compile(
        r"^\| \[([A-Z]\d+)\]\((?:\.\./diagnostics/)?\1\.md\) \| (.+) \|$", re.M
    )
    index = (ROOT / "docs/diagnostics/index.md").read_text(encoding="utf-8")
    _, *sections = index.split("\n## ")
    every = {title.partition("\n")[0]: dict(row.findall(title)) for title in sections}
    titles = {code: title for each in every.values() for code, title in each.items()}
    wanted = {
        *(code for name, each in every.items() if name not in OF_FILES for code in each)
    }
    listed: dict[str, str] = {}
    for page in reference():
        listed |= dict(row.findall(page.read_text(encoding="utf-8")))
    assert listed.items() <= titles.items()
    assert not wanted - listed.keys() - {"E108", "F11"}  # `rename`, and a limit


# Words of a form that are in no row: they belong to a part, which has a row of its own.
OF_A_PART = {
    "phase": "together",
    "state": "as",
    "limit": "times",
    "striving": "those with most or least then",
}


@pytest.mark.parametrize("rule", sorted(forms()))
def test_a_form_has_the_words_of_its_row(rule: str) -> None:
    row = forms()[rule].text
    between = " ".join(after or "" for _, after in PLACE.findall(row) if " " in after)
    wanted = _WORD.findall(PLACE.sub("", row))
    known = {*wanted, *_WORD.findall(between), *OF_A_PART.get(rule, "").split()}
    shown = [form for _, name, form in constructs() if name == rule]
    assert shown or rule in PLUMBING
    for form in shown:
        plain = _QUOTED.sub("", form).replace("[IF]", "if")
        words = _WORD.findall(plain)
        assert [word for word in words if word in wanted] == wanted, row
        assert known >= {*words}, row
