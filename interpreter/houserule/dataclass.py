"""Data classes that are quick to make: methods are written when they are first called.

The standard decorator writes and compiles up to six methods of each class at once. The
language has some 400 kinds of nodes, so that was most of a command's start. Here what
has to be written for one class alone is written at its first call; the other methods
are the same for all classes. A class does what the standard decorator makes it do.

Type checkers see the standard decorator. Options that no class here needs are missing
(`order`, `unsafe_hash`, `InitVar`): a class that needs one uses the standard decorator.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeAlias

# Parameters, lines and known names of a method; and what finds them for a class.
Written: TypeAlias = tuple[str, list[str], dict[str, Any]]
Write: TypeAlias = Callable[[Any], Written]
Fields: TypeAlias = tuple[dataclasses.Field[Any], ...]


def _dataclass(
    cls: type | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    kw_only: bool = False,
) -> object:
    """Make a class a data class, as `dataclasses.dataclass` does."""

    def made(cls: type) -> type:
        return _made(cls, frozen, slots, eq, kw_only)

    return made if cls is None else made(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _made(cls: Any, frozen: bool, slots: bool, eq: bool, kw_only: bool) -> type:  # noqa: ANN401
    cls.__doc__ = cls.__doc__ or cls.__name__  # else a signature is worked out for it
    own = dict(vars(cls))
    bare = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
    )
    made: Any = bare(cls)
    fields = dataclasses.fields(made)
    methods: dict[str, Any] = {"__repr__": _repr(fields)}
    methods["__init__"] = _late(made, "__init__", _constructor)
    if eq:
        methods["__eq__"] = _late(made, "__eq__", _equality)
        if own.get("__hash__") is None and ("__eq__" in own or "__hash__" not in own):
            own.pop("__hash__", None)  # Python's own None beside a written `__eq__`
            methods["__hash__"] = _late(made, "__hash__", _hash) if frozen else None
    if frozen:
        methods |= _no_changes(made, fields)
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    result: type = made
    return result


# ---- methods that are written at their first call


def _late(made: Any, name: str, write: Write) -> Callable[..., Any]:  # noqa: ANN401
    """Return a method that puts the right one in its place when it is called."""

    def late(self: object, *values: object, **named: object) -> object:
        parameters, lines, known = write(made)
        body = "\n ".join(lines)
        exec(f"def {name}({parameters}):\n {body}", known)
        written = known[name]
        written.__qualname__ = f"{made.__qualname__}.{name}"
        setattr(made, name, written)
        return written(self, *values, **named)

    return late


def _constructor(made: Any) -> Written:  # noqa: ANN401
    known: dict[str, Any] = {
        "_set": object.__setattr__,
        "_MISSING": dataclasses.MISSING,
    }
    frozen = "__setattr__" in vars(made)
    usual, by_name, lines = ["self"], ["*"], []
    for each in dataclasses.fields(made):
        name, value = each.name, each.name
        known[f"_default_{name}"] = each.default
        if each.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = each.default_factory
            value = f"_make_{name}()"
            if each.init:
                value += f" if {name} is _MISSING else {name}"
        elif not each.init:
            value = f"_default_{name}"
        required = value == name and each.default is dataclasses.MISSING
        if each.init:
            parameter = name if required else f"{name}=_default_{name}"
            (by_name if each.kw_only else usual).append(parameter)
        lines.append(
            f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}"
        )
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = usual + by_name if len(by_name) > 1 else usual
    return ", ".join(parameters), lines or ["pass"], known


def _equality(made: Any) -> Written:  # noqa: ANN401
    names = [each.name for each in dataclasses.fields(made) if each.compare]
    compared = f"{_tuple('self', names)} == {_tuple('other', names)}"
    same_kind = f"if other.__class__ is self.__class__: return {compared}"
    return "self, other", [same_kind, "return NotImplemented"], {}


def _hash(made: Any) -> Written:  # noqa: ANN401
    names = [
        each.name
        for each in dataclasses.fields(made)
        if (each.compare if each.hash is None else each.hash)
    ]
    return "self", [f"return hash({_tuple('self', names)})"], {}


def _tuple(of: str, names: list[str]) -> str:
    return "(" + "".join(f"{of}.{name}, " for name in names) + ")"


# ---- methods that are the same for all classes


def _repr(fields: Fields) -> Callable[[object], str]:
    names = [each.name for each in fields if each.repr]

    @recursive_repr()
    def __repr__(self: object) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({said})"

    return __repr__


def _no_changes(made: Any, fields: Fields) -> dict[str, Any]:  # noqa: ANN401
    names = frozenset(each.name for each in fields)

    def __setattr__(self: object, name: str, value: object) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def __delattr__(self: object, name: str) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _state(self: Any) -> list[object]:  # noqa: ANN401
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _set_state(self: Any, state: list[object]) -> None:  # noqa: ANN401
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
