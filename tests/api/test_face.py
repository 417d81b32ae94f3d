"""The public face: complete, documented, lazy, and the only import that is needed."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_type_hints

import pytest
from pydantic import BaseModel
from tests.docs.fences import ROOT, fences_of, page_name, pages

import houserule

PACKAGE = ROOT / "interpreter" / "houserule"
NAMES = [name for name in houserule.__all__ if name != "__version__"]
# Tools that work on the inside of the package; each says why in its first lines.
INSIDE_TOOLS = {
    "bench/clicks.py",
    "bench/growth.py",
    "bench/house_rules.py",
    "bench/instructions.py",
    "bench/keys.py",
    "bench/reach.py",
    "bench/rivals.py",
    "bench/solved.py",
    "bench/strength.py",
    "bench/thinking.py",
    "bench/threads.py",
    "editor/write_highlighter.py",
    "hatch_build.py",
    "screenshots.py",
    "try_it.py",
    "write_constructs.py",
    "write_pictures.py",
    "write_reference.py",
}


def public_members() -> Iterator[tuple[str, object]]:
    """Yield each public name, and what stands in the classes of the face itself."""
    for name in NAMES:
        thing = getattr(houserule, name)
        yield name, thing
        if inspect.isclass(thing) and thing.__module__.startswith("houserule.api"):
            for base in reversed(thing.__mro__):
                if base.__module__.startswith("houserule.api"):
                    for member in vars(base):
                        if not member.startswith("_"):
                            yield (
                                f"{name}.{member}",
                                inspect.getattr_static(thing, member),
                            )


def functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for name, thing in dict(public_members()).items():
        if inspect.isfunction(thing):
            yield name, thing


def classes() -> Iterator[tuple[str, type]]:
    for name in NAMES:
        thing = getattr(houserule, name)
        if inspect.isclass(thing):
            yield name, thing


FUNCTIONS, CLASSES = dict(functions()), dict(classes())


def test_type_checkers_see_the_names_that_are_loaded() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    guard = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in guard.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {
        name: f"houserule.{module}" for name, module in houserule._HOMES.items()
    }


def test_the_list_of_names_is_complete() -> None:
    public = {name for name in dir(houserule) if not name.startswith("_")}
    assert public == set(NAMES)
    with pytest.raises(AttributeError):
        houserule.nobody_knows_it  # type: ignore[attr-defined]  # noqa: B018


def test_no_name_is_that_of_a_part_of_the_package() -> None:
    parts = {path.stem for path in PACKAGE.iterdir()}
    assert not parts & set(NAMES)


def test_importing_loads_nothing() -> None:
    code = "import houserule, sys; print([m for m in sys.modules if 'houserule.' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT / "interpreter"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", dict(public_members()))
def test_is_documented(name: str) -> None:
    thing = dict(public_members())[name]
    if (
        inspect.isfunction(thing)
        or inspect.isclass(thing)
        or isinstance(thing, property)
    ):
        own = thing.__dict__.get("__doc__") if inspect.isclass(thing) else thing.__doc__
        assert own
        assert not own.startswith(f"{name}(")  # what a dataclass writes itself


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_its_arguments_and_types(name: str) -> None:
    function = FUNCTIONS[name]
    doc, signature = inspect.getdoc(function) or "", inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        assert parameter.annotation is not inspect.Parameter.empty, parameter
        assert re.search(rf"^    {parameter.name}: ", doc, re.M), parameter
    if "raise " in inspect.getsource(function):
        assert "Raises:" in doc


# What an output's model says of itself stands in its schema: `Table` shows these.
OUTPUTS = {name for name, thing in CLASSES.items() if issubclass(thing, BaseModel)}


@pytest.mark.parametrize("name", sorted({*CLASSES, *FUNCTIONS} - OUTPUTS))
def test_an_example_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    thing = CLASSES.get(name) or FUNCTIONS[name]
    doc = inspect.cleandoc(thing.__doc__ or "")
    examples = doctest.DocTestParser().get_doctest(
        doc, {"houserule": houserule}, name, None, 0
    )
    assert examples.examples, "there is no example"
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert not said, "".join(said)


# ---- the only import


def imports_of(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


ENVIRONMENTS = "houserule.environments"


def inside(source: str) -> list[str]:
    """Return the imports of a program that reach into the package.

    Environments are imported by what they are for: each needs a library of its own.
    """
    return [
        name
        for name in imports_of(source)
        if name.startswith("houserule.") and not name.startswith(ENVIRONMENTS)
    ]


PROGRAMS = [
    (page, fence)
    for page in (*pages(), *sorted(ROOT.glob("rulesets/*/*.md")))
    for fence in fences_of(page)
    if fence.language == "python"
]


def test_pages_import_nothing_but_the_face() -> None:
    assert PROGRAMS
    found = {page_name(page): inside(fence.text) for page, fence in PROGRAMS}
    assert not any(found.values()), found


def test_tools_import_nothing_but_the_face() -> None:
    tools = ROOT / "tools"
    found = {
        path.relative_to(tools).as_posix(): path.read_text(encoding="utf-8")
        for path in tools.rglob("*.py")
    }
    assert {name for name, text in found.items() if inside(text)} == INSIDE_TOOLS
    for name in INSIDE_TOOLS:
        assert "# Inside: " in found[name], f"{name} does not say why it looks inside"


def test_no_tool_changes_where_python_looks() -> None:
    found = [
        path.name
        for path in (ROOT / "tools").rglob("*.py")
        if "sys.path" in path.read_text("utf-8") and path.name != "hatch_build.py"
    ]
    assert not found


def test_type_hints_can_be_read() -> None:
    assert get_type_hints(houserule.explain)["name"] is str
