"""Mutants of the program itself: for a while, a text of a module reads otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from inspect import signature, unwrap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest


@contextmanager
def mutated(module: str, right: str, instead: str) -> Iterator[None]:
    """Let the functions of a module do something else while the block runs.

    Args:
        module: its name within the package.
        right: a text that stands there once, inside of a function.
        instead: what it reads meanwhile.
    """
    loaded = import_module(f"houserule.{module}")
    assert loaded.__file__ is not None
    text = Path(loaded.__file__).read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{module} has not once: {right}"
    wrong = compile(text.replace(right, instead), loaded.__file__, "exec")
    codes = dict(_codes(wrong))
    right_codes = {
        function: function.__code__
        for function in _functions(loaded, loaded.__name__)
        if function.__code__.co_qualname in codes
    }
    try:
        for function, code in right_codes.items():
            function.__code__ = codes[code.co_qualname]
        _forget(loaded)
        yield
    finally:
        for function, code in right_codes.items():
            function.__code__ = code
        _forget(loaded)


def _forget(module: ModuleType) -> None:
    """Let a module work out anew what it has kept: other code finds other things."""
    for each in vars(module).values():
        if callable(clear := getattr(each, "cache_clear", None)):
            clear()


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner.co_qualname, inner
            yield from _codes(inner)


def _functions(holder: object, module: str) -> Iterator[FunctionType]:
    """Yield the functions of a module, those of its classes included."""
    for each in vars(holder).values():
        match each:
            case type() if each.__module__ == module:
                yield from _functions(each, module)
                continue
            case property(fget=function) | cached_property(func=function):
                found = function
            case classmethod() | staticmethod():
                found = each.__func__
            case _:
                found = unwrap(each) if callable(each) else None
        if isinstance(found, FunctionType) and found.__module__ == module:
            yield found


def fails(test: Callable[..., None], request: pytest.FixtureRequest) -> bool:
    """Say whether a test fails with any of its parameters, as the program is now."""
    try:
        for given in _arguments(test, request):
            test(**given)
    except (Exception, pytest.fail.Exception):  # "did not raise" is no `Exception`
        return True
    return False


def _arguments(
    test: Callable[..., None], request: pytest.FixtureRequest
) -> Iterator[dict[str, object]]:
    """Yield what a test is called with, for each of its parameters."""
    marks = [each for each in getattr(test, "pytestmark", ()) if each.args[1:]]
    names = marks[0].args[0] if marks else ()
    rows = marks[0].args[1] if marks else [()]
    fixtures = {
        name: request.getfixturevalue(name)
        for name in signature(test).parameters
        if name not in names
    }
    for row in rows:
        values = row.values if hasattr(row, "values") else row
        yield {**fixtures, **dict(zip(names, values, strict=True))}
