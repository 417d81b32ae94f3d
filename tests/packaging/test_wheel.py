"""A wheel holds the package and its data, and works from there."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = {
    "grammar": {".lark", ".yaml", ".pickle"},
    "rulesets": {".rules", ".yaml", ".md", ".txt", ".json", ".jsonl"},
    "schemas": {".json"},
    "docs": {".md", ".rules", ".yaml"},
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "tools" / "hatch_build.py").is_file(),
        reason="wheels are built from a checkout",
    ),
]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*command, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    target = folder / "installed"
    zipfile.ZipFile(wheel).extractall(target)
    return target


def test_all_data_is_inside(unpacked: Path) -> None:
    data = unpacked / "houserule" / "_data"
    for folder, suffixes in DATA.items():
        ours = {
            path.relative_to(ROOT)
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and path.suffix in suffixes
        }
        shipped = {
            path.relative_to(data)
            for path in (data / folder).rglob("*")
            if path.is_file()
        }
        assert ours or not (ROOT / folder).exists()
        assert shipped == ours


def test_no_data_file_has_an_unknown_suffix() -> None:
    for folder, suffixes in DATA.items():
        for path in (ROOT / folder).rglob("*"):
            known = path.suffix in suffixes or path.name == "README.md"
            assert path.is_dir() or known, path


def test_the_package_is_whole(unpacked: Path) -> None:
    package = ROOT / "interpreter" / "houserule"
    files = {
        path.relative_to(package)
        for path in package.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    }
    inside = {
        path.relative_to(unpacked / "houserule")
        for path in (unpacked / "houserule").rglob("*")
        if path.is_file()
    }
    assert files == {path for path in inside if path.parts[0] != "_data"}


def run_in(unpacked: Path, script: str, cache: Path) -> str:
    """Run a script with what was unpacked; return what it prints."""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=cache,
        env={"PYTHONPATH": str(unpacked), "HOUSERULE_CACHE": str(cache)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_it_reads_its_own_rulesets(unpacked: Path, tmp_path: Path) -> None:
    script = (
        "from houserule.language.manifest.load import load_ruleset\n"
        "from houserule.base.resources import shipped_rulesets\n"
        "for folder in shipped_rulesets().values():\n"
        "    ruleset, faults = load_ruleset(folder)\n"
        "    assert '_data' in folder.parts, folder\n"
        "    print(ruleset.id)\n"
    )
    ours = (ROOT / "rulesets").glob("*/ruleset.yaml")
    told = run_in(unpacked, script, tmp_path).split()
    assert told == sorted(path.parent.name for path in ours)


def test_the_parser_need_not_make_its_tables(unpacked: Path, tmp_path: Path) -> None:
    script = (
        "from houserule.language.syntax.read import parser\n"
        "parser.make_parser = None\n"
        "from houserule.base.source import Source\n"
        "units, faults = parser.parse_afresh(Source('g', 'game t \"T\"\\n'))\n"
        "print(len(units), len(faults))\n"
    )
    assert run_in(unpacked, script, tmp_path) == "1 0\n"
