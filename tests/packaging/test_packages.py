"""Rulesets that packages of Python bring: found, listed, taken by name."""

from __future__ import annotations

import importlib
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

import houserule
from houserule.base.resources import installed, rulesets_called
from houserule.ui.cli.main import run

ROOT = Path(__file__).parents[2]
OURS = Path(__file__).with_name("our_games")
DASH = OURS / "our_games" / "rulesets" / "dash"
MISSING = "The package bad-games 1.0 promises rulesets in `{}`, but {}."


@pytest.fixture(autouse=True)
def found_afresh() -> Iterator[None]:
    installed.cache_clear()
    yield
    installed.cache_clear()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which packages are installed."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def install(site: Path, package: str, module: str) -> None:
    """Write what an installer notes of a package, version 1.0."""
    notes = site / f"{package.replace('-', '_')}-1.0.dist-info"
    notes.mkdir()
    (notes / "METADATA").write_text(f"Name: {package}\nVersion: 1.0\n", "utf-8")
    points = f"[houserule.rulesets]\nours = {module}\n"
    (notes / "entry_points.txt").write_text(points, "utf-8")
    importlib.invalidate_caches()


def install_ours(site: Path) -> None:
    copytree(OURS / "our_games", site / "ours")
    install(site, "our-games", "ours.rulesets")


def test_a_game_of_a_package_is_taken_by_name(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install_ours(site)
    assert [game.package for game in houserule.installed()] == ["our-games 1.0"]
    assert houserule.load("dash").table().players == 2
    assert run(["list"]) == 0
    assert "over the line has won. (our-games 1.0)\n" in capsys.readouterr().out
    assert run(["run", "dash", "--quiet"]) == 0
    assert "ours" not in sys.modules


def test_a_package_may_be_one_ruleset(site: Path) -> None:
    copytree(DASH, site / "any_name")
    install(site, "our-games", "any_name")
    assert [each.name for each in installed().rulesets] == ["dash"]


@pytest.mark.parametrize("game", [DASH, ROOT / "rulesets" / "pig"])
def test_two_of_one_name_are_an_error_that_names_both(
    game: Path, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install_ours(site)
    name = game.name
    copytree(game, site / "again" / name)
    install(site, "same-games", "again")
    first, second = rulesets_called(name)
    with pytest.raises(houserule.RulesetError) as error:
        houserule.load(name)
    homes = [f"{e.package or 'houserule'} ({e.folder})" for e in (first, second)]
    assert str(error.value) == (
        f"Two games are called `{name}`: from {' and '.join(homes)}. "
        "Give the path of one."
    )
    assert run(["check", name]) == 2
    assert run(["list"]) == 0
    assert f"note: {error.value}" in capsys.readouterr().err
    assert houserule.load(second.folder).id == name


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("nowhere.rulesets", "there is no such package"),
        ("ours", "no folder there has a ruleset.yaml"),
        ("ours.rulesets.dash.game", "there is no such package"),
        ("ours:rulesets", "that is not the name of a package"),
    ],
)
def test_a_package_without_its_rulesets_is_told_and_hurts_nothing(
    module: str, why: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install_ours(site)
    install(site, "bad-games", module)
    assert run(["list"]) == 0
    wrote = capsys.readouterr()
    assert wrote.err == f"note: {MISSING.format(module, why)}\n"
    assert "dash  " in wrote.out
    assert run(["list", "dahs"]) == 2
    told = capsys.readouterr().err
    assert "Did you mean `dash`?" in told
    assert MISSING.format(module, why) in " ".join(told.split())


def test_a_manifest_that_cannot_be_read_is_told(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install_ours(site)
    folder = site / "ours" / "rulesets" / "dash"
    (folder / "ruleset.yaml").write_text("id: dash\n", "utf-8")
    assert run(["list"]) == 0
    assert f"`houserule check {folder}` says why" in capsys.readouterr().err


def test_a_game_that_is_named_by_its_path_looks_for_no_package() -> None:
    assert houserule.load(ROOT / "rulesets" / "pig").id == "pig"
    assert not installed.cache_info().misses


@pytest.mark.slow
def test_a_package_is_installed_for_real(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    pytest.importorskip("pip")
    assert run(["new", "package", "our_games", "--in", str(tmp_path)]) == 0
    source = tmp_path / "our_games"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*build, tmp_path], cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    builder = venv.EnvBuilder(symlinks=sys.platform != "win32")
    builder.create(tmp_path / "venv")
    python = builder.ensure_directories(tmp_path / "venv").env_exe
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(ask, check=True, capture_output=True, text=True).stdout
    here = [path for path in sys.path if path.endswith("site-packages")]
    paths = "\n".join([str(ROOT / "interpreter"), *here])
    Path(site.strip(), "here.pth").write_text(paths, "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-index"]
    subprocess.run([*pip, "--no-deps", wheel], check=True, capture_output=True)

    def told(*words: str) -> str:
        command = [python, "-m", "houserule", *words]
        env = {"HOUSERULE_CACHE": str(tmp_path / "cache")}
        done = subprocess.run(
            command, cwd=tmp_path, env=env, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "(our-games 0.1)\n" in told("list")
    assert "our_games: nothing to report" in told("check", "our_games")
    assert " wins." in told("run", "our_games", "--seed", "1")
    assert "0 failed" in told("test", "our_games")
    # The steps of its workflow
    rules = source / "our_games" / "rulesets" / "our_games"
    told("fmt", "--check", str(source / "our_games"))
    told("check", "--format", "github", str(rules))
    told("rulebook", str(rules), "--output", str(tmp_path / "book.html"))
