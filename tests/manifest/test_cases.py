"""Bad and good folders: what is found is exactly what the case expects."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import load_ruleset

CASES = Path(__file__).parents[1] / "cases" / "manifest"
BAD = sorted((CASES / "bad").glob("*.txt"))
GOOD = sorted((CASES / "good").glob("*.txt"))
EXPECTED = re.compile(r"# (?:error|warning): ([EW]\d{3})(?: (.*))?$")
AT = re.compile(r"at (\S+):(\d+) ([EW]\d{3})(?: (.*))?$")
ERRORS = range(30, 39), range(41, 46)
CODES = [f"E{number:03}" for numbers in ERRORS for number in numbers]
CODES += ["W035", "W037", "W041"]

Place = tuple[str, int, str]


@dataclass
class Case:
    """Files to lay over the base, files to take away, and what is expected."""

    files: dict[str, list[str]] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    expected: dict[Place, str] = field(default_factory=dict)


def read_case(path: Path) -> Case:
    case = Case()
    lines: list[str] = []
    file = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := AT.match(line):
            place = (found[1], int(found[2]), found[3])
            case.expected[place] = found[4] or ""
        elif line.startswith("=== delete "):
            case.deleted.append(line.removeprefix("=== delete "))
        elif line.startswith("=== "):
            file = line.removeprefix("=== ")
            lines = case.files.setdefault(file, [])
        else:
            lines.append(line)
            if found := EXPECTED.search(line):
                case.expected[file, len(lines), found[1]] = found[2] or ""
    return case


def laid_out(case: Case, place: Path) -> Path:
    """Return the folder of a case; files in `beside/` lie beside it, not in it."""
    folder = place / "tea"
    shutil.copytree(CASES / "base", folder)
    (folder / "beside").symlink_to(place / "beside", target_is_directory=True)
    (place / "beside").mkdir()
    for file in case.deleted:
        (folder / file).unlink()
    for file, lines in case.files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "beside").unlink()
    return folder


def found_in(case: Case, place: Path) -> dict[Place, Diagnostic]:
    """Load the folder of a case."""
    folder = laid_out(case, place)
    asked = sorted((place / "beside").glob("asked*.rules"))
    _, diagnostics = load_ruleset(folder, rules_beside([*asked, place / "beside"]))
    places: dict[Place, Diagnostic] = {}
    for each in diagnostics:
        assert each.span is not None
        path = Path(each.span.file)
        around = folder if path.is_relative_to(folder) else place
        file = path.relative_to(around).as_posix()
        places[file, each.span.line, each.code] = each
    return places


def all_words(diagnostic: Diagnostic) -> str:
    labels = (label.text for label in diagnostic.labels)
    every = (diagnostic.message, *labels, *diagnostic.details, *diagnostic.fixes)
    return "\n".join(every)


@pytest.mark.parametrize("path", [*BAD, *GOOD], ids=lambda path: path.stem)
def test_case(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    found = found_in(case, tmp_path)
    assert set(found) == set(case.expected), "\n".join(map(all_words, found.values()))
    for place, words in case.expected.items():
        assert words in all_words(found[place])


def test_good_cases_expect_nothing_and_bad_ones_something() -> None:
    assert GOOD
    assert not any(read_case(path).expected for path in GOOD)
    assert all(read_case(path).expected for path in BAD)


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_two_bad_cases(code: str) -> None:
    with_it = [
        path
        for path in BAD
        if any(place[2] == code for place in read_case(path).expected)
    ]
    assert len(with_it) >= 2
