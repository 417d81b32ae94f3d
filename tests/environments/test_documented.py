"""What the pages say to import is documented, its examples run, and so do programs."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import houserule

LEARNING = Path(__file__).parents[2] / "docs" / "examples" / "learning"
PUBLIC = {
    "gymnasium": ("SeatEnv",),
    "openspiel": ("NamedBot", "game_string", "resampler"),
    "pettingzoo": ("env", "parallel_env"),
}
NEEDS = {"gymnasium": "gymnasium", "openspiel": "pyspiel", "pettingzoo": "pettingzoo"}


def module(name: str) -> ModuleType:
    pytest.importorskip(NEEDS[name], reason=f"the extra `{name}` is not installed")
    return importlib.import_module(f"houserule.environments.{name}")


@pytest.mark.parametrize(
    ("part", "name"), [(part, name) for part in PUBLIC for name in PUBLIC[part]]
)
def test_is_documented_and_its_example_runs(part: str, name: str) -> None:
    thing = getattr(module(part), name)
    doc = inspect.cleandoc(thing.__doc__ or "")
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.kind is not parameter.VAR_KEYWORD:
            assert re.search(rf"^    {parameter.name}: ", doc, re.M), parameter
    examples = doctest.DocTestParser().get_doctest(
        doc, {"houserule": houserule}, name, None, 0
    )
    assert examples.examples
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("part", NEEDS)
def test_a_library_that_is_missing_is_named_with_its_extra(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"houserule.environments.{part}", raising=False)
    monkeypatch.setitem(sys.modules, NEEDS[part], None)
    with pytest.raises(ModuleNotFoundError) as found:
        importlib.import_module(f"houserule.environments.{part}")
    assert f"need {NEEDS[part]}, which is not installed" in str(found.value)
    assert f"houserule[{part}]" in str(found.value)


# ---- the programs of the page


def program(name: str) -> Any:  # noqa: ANN401
    part = name.partition("_")[0]
    module(part)
    spec = importlib.util.spec_from_file_location(name, LEARNING / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


# Short runs learn something, whole ones what the page says.
SHORT = {
    "pettingzoo_table": (200, 40, 0.1),
    "gymnasium_network": (300, 60, 0.05),
    "openspiel_regret": (4, 30, -0.5),
}
WHOLE = {"pettingzoo_table": 0.95, "gymnasium_network": 0.8, "openspiel_regret": 0.6}


ELSEWHERE = {"vectorised_network"}  # tried beside the environment that it learns in


def test_every_program_is_tried() -> None:
    programs = {path.stem for path in LEARNING.glob("*.py")}
    assert programs - ELSEWHERE == set(SHORT) == set(WHOLE)


@pytest.mark.parametrize("name", SHORT)
def test_a_program_learns(name: str) -> None:
    rounds, tried, more = SHORT[name]
    before, after = program(name).main(rounds, tried)
    assert after > before + more


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_a_program_learns_what_the_page_says(name: str) -> None:
    before, after = program(name).main()
    assert after > WHOLE[name] > before
