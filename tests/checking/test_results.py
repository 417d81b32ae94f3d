"""Results of earlier checks: never stale, and nothing is done again without need."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from tests.support.equality import same
from tests.support.rulesets import with_units

from houserule.authoring.check import check, results
from houserule.authoring.check.check import check_game
from houserule.authoring.check.checked import Checked
from houserule.authoring.check.results import Results, seen_units
from houserule.authoring.scenarios.files import Trial
from houserule.base.cache import DiskStore
from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import TableChoice
from houserule.compiler.tables.sample import sample_tables
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset

ALL = sorted(
    name
    for name, folder in shipped_rulesets().items()
    if (folder / "variants").is_dir()
)


class Forgetful(DiskStore):
    """A store that keeps nothing."""

    def read(self, key: str) -> None:
        return

    def write(self, key: str, content: bytes) -> None:
        return


@pytest.fixture
def cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("HOUSERULE_CACHE", str(folder))
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Callable[[str], Path]:
    def copied(game: str) -> Path:
        to = tmp_path / game
        shutil.copytree(shipped_rulesets()[game], to)
        shutil.rmtree(to / "playthroughs", ignore_errors=True)
        return to

    return copied


def fresh(folder: Path) -> Checked:
    """Check a game as if it never had been."""
    with pytest.MonkeyPatch.context() as patch:
        forgetful = Forgetful("none", made_by=("base/source.py",), most=1)
        patch.setattr(results, "CHECKS", forgetful)
        return check_game(folder)


def assert_right(folder: Path, about: str = "") -> Checked:
    found, wanted = check_game(folder), fresh(folder)
    assert same(found.diagnostics, wanted.diagnostics), about
    assert same(found, wanted), about
    return found


# ---- never stale


def test_what_takes_too_long_is_told_of_one_table_each_time(
    copy: Callable[[str], Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copy("takeover")
    for variant in (folder / "variants").glob("*.rules"):
        text = variant.read_text("utf-8").rstrip()
        text += f'\nwarn x_{variant.stem} "X": those n in 0..999 where n at least 999\n'
        variant.write_text(text, "utf-8")
    monkeypatch.setenv("HOUSERULE_LIMITS", "work=200")
    for _ in range(3):
        found = check_game(folder)
        # One of the warnings of a table, and one of a game.
        assert [each.code for each in found.diagnostics].count("F11") == 2


def with_other_digit(random: Random, lines: list[str]) -> None:
    """Change one digit somewhere."""
    places = [
        (number, column)
        for number, line in enumerate(lines)
        for column, letter in enumerate(line)
        if letter.isdigit()
    ]
    if places:
        number, column = random.choice(places)
        line, other = lines[number], random.choice("0123456789")
        lines[number] = line[:column] + other + line[column + 1 :]


def without_a_line(random: Random, lines: list[str]) -> None:
    del lines[random.randrange(len(lines))]


def with_other_words(random: Random, lines: list[str]) -> None:
    """Put a word of the file in the place of another one."""
    number = random.randrange(len(lines))
    words = [word for line in lines for word in line.split()]
    own = lines[number].split()
    if own:
        lines[number] = lines[number].replace(
            random.choice(own), random.choice(words), 1
        )


def with_a_remark(random: Random, lines: list[str]) -> None:
    lines.insert(random.randrange(1, len(lines) + 1), "# a remark")


EDITS = (with_other_digit, without_a_line, with_other_words, with_a_remark)


def edit(random: Random, path: Path) -> str:
    """Edit a file somehow; return how."""
    lines = path.read_text().split("\n")
    change = random.choice(EDITS)
    change(random, lines)
    path.write_text("\n".join(lines))
    return f"{change.__name__} {path.name}"


def kinds_of_files(folder: Path) -> list[list[Path]]:
    """Return the files of a ruleset in groups: those of one folder are of a kind."""
    every = sorted([*folder.rglob("*.rules"), *folder.rglob("*.yaml")])
    single = [[path] for path in every if path.parent == folder]
    inside = sorted({path.parent for path in every} - {folder})
    return [*single, *([p for p in every if p.parent == each] for each in inside)]


def assert_right_after_edits(folder: Path, random: Random, most: int) -> int:
    """Edit file after file, each from the last right state; count what was found."""
    assert_right(folder)
    found = 0
    for _ in range(most):
        for files in kinds_of_files(folder):
            path = random.choice(files)
            before = path.read_text()
            about = edit(random, path)
            checked = assert_right(folder, about)
            found += len(checked.diagnostics)
            if checked.diagnostics or random.random() < 0.5:
                path.write_text(before)
    return found


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("pig", 2),
        pytest.param("nim", 2, marks=pytest.mark.slow),
        pytest.param("guild_street", 1, marks=pytest.mark.slow),
    ],
)
def test_any_edit_gives_what_a_first_check_gives(
    game: str, most: int, cache: Path, copy: Callable[[str], Path]
) -> None:
    assert assert_right_after_edits(copy(game), Random(game), most) > most


@pytest.mark.slow
@pytest.mark.parametrize("game", ["nim", "guild_street", "pachisi", "pasha"])
def test_many_edits_give_what_a_first_check_gives(
    game: str, cache: Path, copy: Callable[[str], Path]
) -> None:
    assert assert_right_after_edits(copy(game), Random(f"{game} 2"), 12) > 20


@pytest.mark.parametrize(
    "target", ["authoring.check.results.grammar_key", "base.cache.code_key"]
)
def test_another_program_or_grammar_forgets_all(
    target: str,
    cache: Path,
    copy: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = copy("pig")
    check_game(folder)
    with work() as done:
        check_game(folder)
    assert done == ([], [])
    monkeypatch.setattr(f"houserule.{target}", lambda *parts: "another")
    with work() as done:
        check_game(folder)
    assert done[0]
    assert done[1]


def test_places_and_warnings_come_back_as_they_were(
    cache: Path, copy: Callable[[str], Path]
) -> None:
    folder = copy("takeover")
    first = check_game(folder)
    assert [each.code for each in first.diagnostics] == ["W301"]
    assert same(check_game(folder), first)
    path = folder / "game.rules"
    header, rest = path.read_text().split("\n", 1)
    path.write_text(f"{header}\n# a remark\n{rest}")
    moved = assert_right(folder)
    before, after = first.diagnostics[0].span, moved.diagnostics[0].span
    assert before is not None
    assert after is not None
    assert after.line == before.line + 1


# ---- a table depends on what it sees, and on nothing else


def worked_out(
    ruleset: LoadedRuleset, choice: TableChoice
) -> tuple[results.TableResult, bool]:
    return check._Check(Checked(ruleset.id), ruleset)._worked_out(choice)


def assert_alone_as_in_company(ruleset: LoadedRuleset, choice: TableChoice) -> int:
    """Hold a table without the units it cannot see to the whole one; count these."""
    seen = seen_units(ruleset, choice)
    assert seen is not None
    whole, silent = worked_out(ruleset, choice)
    assert silent
    alone = worked_out(with_units(ruleset, seen), choice)
    assert same(alone, (whole, True)), choice
    return len(ruleset.units) - len(seen)


def choices_of(ruleset: LoadedRuleset) -> list[TableChoice]:
    sampled = map(check.choice_of, sample_tables(ruleset, pairs=False))
    presets = (TableChoice(preset=each.id) for each in ruleset.units_of("preset"))
    return [TableChoice(), *sampled, *presets]


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("nim", 5),
        ("liars_dice", 5),
        ("pasha", 4),
        ("x_pasch", 2),
        *(pytest.param(each, 999, marks=pytest.mark.slow) for each in ALL),
    ],
)
def test_what_a_table_cannot_see_may_as_well_not_be_there(game: str, most: int) -> None:
    ruleset, _ = load_ruleset(shipped_rulesets()[game])
    assert ruleset is not None
    every = choices_of(ruleset)
    some = Random(game).sample(every, min(most, len(every)))
    assert sum(assert_alone_as_in_company(ruleset, each) for each in some) > 0


def test_what_a_table_sees_makes_a_difference(
    cache: Path, copy: Callable[[str], Path]
) -> None:
    folder = copy("pig")
    path = next((folder / "variants").glob("*.rules"))
    choice = TableChoice(with_=(path.stem,))
    before, _ = load_ruleset(folder)
    assert before is not None
    kept = Results(before)
    first = kept.table(choice, lambda: worked_out(before, choice))
    assert not first.diagnostics
    kept.save()
    path.write_text(
        f"{path.read_text()}\nalways nothing_like_this:\n  unheard_of is 1\n"
    )
    after, _ = load_ruleset(folder)
    assert after is not None
    there = Results(after).table(choice, lambda: worked_out(after, choice))
    assert [each.code for each in there.diagnostics] == ["E010"]
    off = Results(after).table(TableChoice(), lambda: worked_out(after, TableChoice()))
    assert not off.diagnostics


# ---- nothing without need


@contextmanager
def work() -> Iterator[tuple[list[TableChoice], list[str]]]:
    """Note which tables are worked out and which examples are read."""
    tables: list[TableChoice] = []
    examples: list[str] = []
    worked_out, read = check._Check._worked_out, check._Check._read

    def noted_table(
        self: check._Check, choice: TableChoice
    ) -> tuple[results.TableResult, bool]:
        tables.append(choice)
        return worked_out(self, choice)

    def noted_example(
        self: check._Check, trial: Trial, key: results.ExampleKey
    ) -> None:
        examples.append(trial.title)
        read(self, trial, key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check._Check, "_worked_out", noted_table)
        patch.setattr(check._Check, "_read", noted_example)
        yield tables, examples


def test_an_edit_of_a_variant_touches_its_tables_alone(
    cache: Path, copy: Callable[[str], Path]
) -> None:
    folder = copy("nim")
    check_game(folder)
    edit_words(folder / "variants" / "few_at_once.rules")
    with work() as (tables, examples):
        check_game(folder)
    assert tables
    assert all("few_at_once" in choice.with_ for choice in tables)
    assert "with few at once nobody takes more than three" in examples
    assert len(examples) == 4  # one of them by a case at its table


def test_an_edit_of_one_example_reads_this_one(
    cache: Path, copy: Callable[[str], Path]
) -> None:
    folder = copy("pig")
    check_game(folder)
    path = folder / "scenarios" / "pig.yaml"
    first, *others = path.read_text().split("  - name: ")
    path.write_text("  - name: ".join([f"# a remark\n{first}", *others]))
    with work() as done:
        check_game(folder)
    assert done == ([], [])
    name, rest = others[1].split("\n", 1)
    others[1] = f"{name} as well\n{rest}"
    path.write_text("  - name: ".join([first, *others]))
    with work() as (tables, examples):
        check_game(folder)
    assert not tables
    assert examples == [f"{name} as well"]


def keys(folder: Path) -> dict[str, str | None]:
    """Return the keys of tables: of the base game, and of each variant alone."""
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    here = Results(ruleset)
    names = [unit.id for unit in ruleset.units_of("variant")]
    choices = {"": TableChoice(), "preset": TableChoice(preset="long_evening")}
    choices |= {name: TableChoice(with_=(name,)) for name in names}
    return {name: here._table_key(choice) for name, choice in choices.items()}


def edit_words(path: Path) -> None:
    """Change the first words that a file quotes."""
    path.write_text(path.read_text().replace('"', '"A ', 1))


TOUCHED = {
    "game.rules": {"", "preset", "taxes", "brewers"},
    "components/cards.yaml": {"", "preset", "taxes", "brewers"},
    "variants/brewers.rules": {"preset", "brewers"},
    "bridges/brewers-dear_agents.rules": set[str](),
    "presets.rules": {"preset"},
    "text/de.yaml": set[str](),
    "ruleset.yaml": set[str](),
    "rulings.yaml": set[str](),
    "scenarios/fire.yaml": set[str](),
}


@pytest.mark.parametrize("file", TOUCHED)
def test_a_table_sees_its_own_texts_alone(
    file: str, cache: Path, copy: Callable[[str], Path]
) -> None:
    folder = copy("guild_street")
    before = keys(folder)
    path = folder / file
    if path.suffix == ".rules":
        edit_words(path)
    else:
        path.write_text(path.read_text() + "\n# a remark\n")
    after = keys(folder)
    changed = {name for name in before if before[name] != after[name]}
    assert changed & {"", "preset", "taxes", "brewers"} == TOUCHED[file]


def test_an_edit_of_what_is_no_rule_touches_no_table(
    cache: Path, copy: Callable[[str], Path]
) -> None:
    folder = copy("pig")
    check_game(folder)
    variant = next((folder / "variants").glob("*.rules")).name
    for file in (
        *("text/de.yaml", "ruleset.yaml", "rulings.yaml"),
        *("game.rules", f"variants/{variant}"),
    ):
        path = folder / file
        path.write_text(f"# a remark\n\n{path.read_text()}\n# a remark\n")
        with work() as done:
            check_game(folder)
        assert done == ([], []), file
