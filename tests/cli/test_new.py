"""What `new` writes is sound at once; nothing is overwritten, no name taken twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ROOT

import houserule
from houserule import __version__
from houserule.ui.cli.main import run
from houserule.ui.configurator.first_lines import LINES, places


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def follow(*asked: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Ask for something new, and do all that the answer says is next."""
    assert run([*asked, "--json"]) == 0
    after: list[str] = json.loads(capsys.readouterr().out)["next"]
    for line in after:
        words = line.split()[1:]
        words += {"check": ["--strict"], "run": ["--quiet"]}.get(words[0], [])
        if words[0] != "play":
            assert run(words) == 0, capsys.readouterr()
    return after


@pytest.mark.parametrize(
    "game",
    # What is checked with the largest one takes as long as with all others together.
    [
        *spread([name for name in NAMES if name != "x_pasch"], 9),
        pytest.param("x_pasch", marks=pytest.mark.slow),
    ],
)
def test_a_new_house_rule_checks_tests_and_runs(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    follow("new", "variant", "x", "--for", game, capsys=capsys)
    assert run(["fmt", "--check", "x.rules"]) == 0
    told = capsys.readouterr().out
    assert "x.rules: nothing to report" in told
    assert "3 passed, 0 failed" in told


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize(
    "game",
    [
        *("pig", "hearts"),
        pytest.param("guild_street", marks=pytest.mark.slow),
        pytest.param("x_pasch", marks=pytest.mark.slow),
    ],
)
def test_the_lines_of_each_kind_check_at_their_first_place(
    game: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    known = [*places(houserule.load(game).loaded, kind)]
    asked = ["new", "variant", "x", "--for", game, "--kind", kind]
    assert run([*asked, "--at", "nowhere"]) == 2
    message = "has no place `nowhere`" if known else f"has nothing for a {kind}"
    assert message in capsys.readouterr().err
    if known:
        assert run([*asked, "--at", known[0]]) == 0
        assert len(Path("x.rules").read_text("utf-8").splitlines()) <= 9
        assert run(["check", "--short", "x.rules"]) == 0, capsys.readouterr()


@pytest.mark.parametrize(
    ("place", "following"),
    [
        (".", "houserule check my-pig --rules x.rules"),
        ("my-pig/variants", "houserule check my-pig/variants/x.rules"),
    ],
)
def test_a_house_rule_for_a_game_of_ones_own(
    place: str, following: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["copy", "pig", "my-pig"]) == 0
    capsys.readouterr()
    asked = ("new", "variant", "x", "--for", "my-pig", "--in", place)
    assert follow(*asked, capsys=capsys)[0] == following
    assert "17 passed, 0 failed" in capsys.readouterr().out or place != "."


def test_a_game_in_a_language_that_the_program_does_not_speak(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["new", "game", "tlhingan"]) == 0
    manifest = Path("tlhingan/ruleset.yaml")
    said = manifest.read_text("utf-8").replace("[en]", "[tlh, de, sv]")
    manifest.write_text(said, "utf-8")
    Path("tlhingan/text/en.yaml").unlink()
    for other in ("de", "sv"):
        Path(f"tlhingan/text/{other}.yaml").write_text(f"language: {other}\n", "utf-8")
    assert run(["new", "variant", "x", "--for", "tlhingan"]) == 0
    assert run(["test", "tlhingan", "--rules", "x.rules"]) == 0
    capsys.readouterr()
    assert run(["check", "tlhingan", "--rules", "x.rules"]) == 0
    assert "x.rules:" not in capsys.readouterr().err
    text = Path("x.rules").read_text("utf-8")
    assert "sv:" not in text
    assert "Times after which it is enough" in text
    assert "Wie oft genug ist" in text


def test_a_new_game_checks_tests_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    follow("new", "game", "dash", "--in", "games", capsys=capsys)
    told = capsys.readouterr().out
    assert "dash: nothing to report" in told
    assert "5 passed, 0 failed" in told
    assert run(["simulate", "games/dash", "--games", "20", "--jobs", "1"]) == 0
    assert "nobody 0, stalled 0" in capsys.readouterr().out
    assert run(["fmt", "--check", "games/dash"]) == 0
    follow("new", "variant", "x", "--for", "games/dash", capsys=capsys)


@pytest.mark.parametrize(
    ("asked", "free"),
    [
        (["variant", "throw", "--for", "pig"], "our_throw"),
        (["variant", "target", "--for", "pig"], "our_target"),
        (["variant", "no_early_hold", "--for", "pig"], "our_no_early_hold"),
        (["variant", "order", "--for", "pig"], "our_order"),
        (["variant", "size", "--for", "pig"], "our_size"),
        (["variant", "Late-Hold", "--for", "pig"], "late_hold"),
        (["variant", "3 rolls", "--for", "pig"], "our_3_rolls"),
        (["variant", "Throw!", "--for", "pig"], "our_throw"),
        (["game", "pig"], "our_pig"),
        (["game", "state"], "our_state"),
    ],
)
def test_a_name_that_cannot_be_is_answered_with_a_free_one(
    asked: list[str], free: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", *asked]) == 2
    assert f"Free is `{free}`." in capsys.readouterr().err
    assert not list(Path().iterdir())


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.rules").write_text("mine", "utf-8")
    Path("x").mkdir()
    for asked in (
        ["new", "variant", "x", "--for", "pig"],
        ["new", "game", "x"],
        ["copy", "pig", "x"],
    ):
        assert run(asked) == 2
        assert "is there already; nothing was" in capsys.readouterr().err
    assert Path("x.rules").read_text("utf-8") == "mine"
    assert not list(Path("x").iterdir())


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["new", "variant", "x"], "Name it with --for GAME"),
        (["new", "game", "x", "--for", "pig"], "goes with a variant"),
        (["new", "variant", "x", "--for", "pigg"], "Did you mean `pig`?"),
        (["copy", "pigg", "x"], "Did you mean `pig`?"),
        (["copy", "pig", "file/x"], "cannot be written"),
        (["new", "variant", "x", "--for", "pig", "--in", "file/x"], "cannot be writ"),
    ],
)
def test_wrong_usage_is_said(
    asked: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").write_text("", "utf-8")
    assert run(asked) == 2
    assert why in capsys.readouterr().err


SMALL = ("hex_board", "nim", "pig")


@pytest.mark.parametrize("game", spread(NAMES, 9, needed=SMALL.__contains__))
def test_a_copy_has_everything_and_says_where_it_came_from(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["copy", game, "copies/ours", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["game"], said["folder"]) == (game, "copies/ours")
    files = {path.relative_to(ROOT / game) for path in (ROOT / game).rglob("*.*")}
    copied = {path.relative_to("copies/ours") for path in Path().rglob("*.*")}
    assert copied == files
    for path in Path("copies/ours").rglob("*.yaml"):
        assert "$schema" not in path.read_text("utf-8")
    readme = Path("copies/ours/README.md").read_text("utf-8")
    origin = f"`{game}` {said['version']}, as it came with houserule {__version__}."
    assert readme.endswith(f"\n\nCopied from {origin}\n")
    if game in SMALL:
        assert run(["check", "copies/ours"]) == 0
