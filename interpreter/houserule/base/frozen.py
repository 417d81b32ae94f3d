"""Lazily compiled data classes, for a fast import.

`dataclasses` writes and compiles six methods for every class at import. With hundreds
of classes this is a third of the time of a short command, which uses only a third of
these methods. Here `__init__`, `==` and `hash` are compiled at first use, with the same
result as in `dataclasses`; the other methods are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

MADE = TypeVar("MADE")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[MADE]) -> type[MADE]:
    """Make a class a `dataclass(frozen=True, slots=True)`.

    Fields, `fields`, `replace`, `match`, copying and pickling work as in `dataclasses`.
    Methods that the class defines are kept. A base with fields must use `frozen` as
    well. Ordering and `__post_init__` are not supported, and a field outside `__init__`
    needs a factory; use `dataclass` for more.

    Raises:
        TypeError: the class needs an unsupported feature, a base is frozen by
            `dataclass`, or a field without a default follows one that has one.
    """
    return _made(cls, _FROZEN)


@dataclass_transform(field_specifiers=(field,))
def slotted(cls: type[MADE]) -> type[MADE]:
    """Make a class a `dataclass(slots=True)`, like `frozen`.

    Raises:
        TypeError: the class needs an unsupported feature, a base is frozen by
            `dataclass`, or a field without a default follows one that has one.
    """
    return _made(cls, _CHANGING)


def _made(cls: type[MADE], shared: Mapping[str, object]) -> type[MADE]:
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    if hasattr(made, "__post_init__"):
        raise TypeError(f"{made.__name__} has a __post_init__")
    optional = False
    for each in fields(made):  # type: ignore[arg-type]  # a data class
        has_factory = each.default_factory is not MISSING
        if not (each.init or has_factory):
            raise TypeError(f"{made.__name__}.{each.name} is filled by nobody")
        if each.init and not each.kw_only:
            if optional and not has_factory and each.default is MISSING:
                raise TypeError(f"{made.__name__}.{each.name} needs a default")
            optional = has_factory or each.default is not MISSING
    methods = {
        "__init__": _at_first_use(made, "__init__", _initialiser),
        "__signature__": _Signature(),
        "__eq__": _at_first_use(made, "__eq__", _equality),
        "__repr__": _shown,
        **shared,
    }
    if shared is _FROZEN:
        methods["__hash__"] = _at_first_use(made, "__hash__", _hashing)
    for name, method in methods.items():
        if made.__dict__.get(name) is None:  # a class with `__eq__` has hash None
            setattr(made, name, method)
    return made


# ---- compiled methods


_ABSENT: Any = object()  # placeholder for a `default_factory`


def _initialiser(cls: Any) -> object:  # noqa: ANN401  # a data class
    """Return `__init__`. It fills frozen classes through their slots."""
    refuses = cls.__setattr__ is _refused
    names: dict[str, Any] = {"_ABSENT": _ABSENT}
    by_place, by_name, lines = ["self"], ["*"], []
    for each in fields(cls):
        name = value = each.name
        parameter = name
        if each.default is not MISSING:
            parameter, names[f"_of_{name}"] = f"{name}=_of_{name}", each.default
        elif each.default_factory is not MISSING:
            parameter, names[f"_of_{name}"] = f"{name}=_ABSENT", each.default_factory
            value = f"_of_{name}() if {name} is _ABSENT else {name}"
        if each.init:
            (by_name if each.kw_only else by_place).append(parameter)
        else:
            value = f"_of_{name}()"
        fill = f"self.{name} = {value}"
        if refuses:
            names[f"_set_{name}"] = getattr(cls, name).__set__
            fill = f"_set_{name}(self, {value})"
        lines.append(fill)
    head = ", ".join(by_place + (by_name if by_name[1:] else []))
    made = _compiled(cls, f"__init__({head})", lines or ["pass"], names)
    made.__annotations__ = {each.name: each.type for each in fields(cls) if each.init}
    return made


def _equality(cls: Any) -> object:  # noqa: ANN401  # a data class
    compared = [each.name for each in fields(cls) if each.compare]
    mine, others = _row("self", compared), _row("other", compared)
    lines = [
        f"if other.__class__ is self.__class__: return {mine} == {others}",
        "return NotImplemented",
    ]
    return _compiled(cls, "__eq__(self, other)", lines, {})


def _hashing(cls: Any) -> object:  # noqa: ANN401  # a data class
    hashed = [
        each.name
        for each in fields(cls)
        if (each.compare if each.hash is None else each.hash)
    ]
    line = f"return hash({_row('self', hashed)})"
    return _compiled(cls, "__hash__(self)", [line], {})


def _row(of: str, names: Iterable[str]) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _compiled(cls: type, head: str, lines: Iterable[str], names: dict[str, Any]) -> Any:  # noqa: ANN401  # a function
    body = "".join(f"\n {line}" for line in lines)
    exec(f"def {head}:{body}", names)  # names of fields, which Python has parsed
    made = names[head.partition("(")[0]]
    made.__module__, made.__qualname__ = (
        cls.__module__,
        f"{cls.__qualname__}.{made.__name__}",
    )
    return made


def _at_first_use(cls: type, name: str, write: Callable[[type], Any]) -> object:
    """Return a method that compiles the real one and replaces itself."""

    def first(self: object, *others: object, **named: object) -> object:
        return written()(self, *others, **named)

    def written() -> Any:  # noqa: ANN401  # a function
        method = write(cls)
        setattr(cls, name, method)
        return method

    first.__name__ = name
    first.written = written  # type: ignore[attr-defined]  # of a function
    return first


class _Signature:
    """The signature of a class, even before `__init__` is compiled."""

    def __get__(self, value: object, cls: Any) -> object:  # noqa: ANN401  # a class
        from inspect import signature  # slow to import and seldom needed

        found = cls.__init__
        found = signature(found.written() if hasattr(found, "written") else found)
        return found.replace(parameters=[*found.parameters.values()][1:])


# ---- shared methods


@recursive_repr()
def _shown(self: Any) -> str:  # noqa: ANN401  # of a data class
    shown = (f"{e.name}={getattr(self, e.name)!r}" for e in fields(self) if e.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refused(self: object, name: str, *value: object) -> None:
    raise FrozenInstanceError(f"{type(self).__name__}.{name} does not change")


def _state(self: Any) -> list[Any]:  # noqa: ANN401  # of a data class
    return [getattr(self, each.name) for each in fields(self)]


def _restored(self: Any, state: list[Any]) -> None:  # noqa: ANN401  # of a data class
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


_CHANGING: Mapping[str, object] = {"__hash__": None}
_FROZEN: Mapping[str, object] = {
    "__setattr__": _refused,
    "__delattr__": _refused,
    "__getstate__": _state,
    "__setstate__": _restored,
}
