"""Values of options as people write them, held against the scale they must be on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, assert_never

from houserule.compose.options.constants import (
    NameScale,
    NumberScale,
    OptionalScale,
    SetScale,
    YesNoScale,
)
from houserule.diagnostics.wording import nearest_few

if TYPE_CHECKING:
    from houserule.compose.options.constants import Scale
    from houserule.manifest.ruleset import Plain

BRACKETS = {("{", "}"), ("[", "]")}


class OffScaleError(Exception):
    """A value is not on its scale; the text is the rest of a sentence about it.

    `member` is the number of the member that is at fault, from 0; None where it is
    the value as a whole.
    """

    def __init__(self, message: str, member: int | None = None) -> None:
        super().__init__(message)
        self.member = member


def fitted(value: Plain, scale: Scale) -> Plain:
    """Return a value as a plain value of this scale.

    Texts are read as people write them: `150`, `yes`, `red`, `{1, 4, 6}`, `none`.

    Raises:
        OffScaleError: it is no value of this scale. The text goes on after "x = 3 ".
    """
    match scale:
        case OptionalScale(inner):
            return None if value is None or value == "none" else fitted(value, inner)
        case YesNoScale():
            return _flag(value)
        case NumberScale():
            return _number(value, scale)
        case NameScale(names):
            return _word(value, names)
        case SetScale(of, some):
            return _set(value, of, some)
        case _:
            assert_never(scale)


def shown(value: Plain) -> str:
    """Return a plain value as people write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return "{" + ", ".join(shown(each) for each in value) + "}"
        case _:
            return str(value)


def _flag(value: Plain) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in {"yes", "no"}:
        return value.strip().lower() == "yes"
    message = "is neither yes nor no."
    raise OffScaleError(message)


def _number(value: Plain, scale: NumberScale) -> int:
    number = _as_number(value)
    values = range(scale.low, scale.high + 1, scale.step)
    if not values:
        message = f"has an empty scale, {scale.low}..{scale.high}."
        raise OffScaleError(message)
    if number is None:
        message = f"is not a number on the scale {_scale_words(values)}."
        raise OffScaleError(message)
    if number in values:
        return number
    near = ", ".join(str(each) for each in _nearest(number, values))
    message = f"is not on the scale {_scale_words(values)}. Nearest: {near}."
    raise OffScaleError(message)


def _as_number(value: Plain) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    try:
        return int(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _scale_words(values: range) -> str:
    if len(values) <= 4:
        return ", ".join(map(str, values))
    return f"{values[0]}, {values[1]}, ... {values[-1]}"


def _nearest(number: int, values: range) -> list[int]:
    """Return the neighbours on the scale, the lower one first."""
    if number <= values[0]:
        return [values[0]]
    if number >= values[-1]:
        return [values[-1]]
    below = values[(number - values[0]) // values.step]
    return [below, below + values.step]


def _word(value: Plain, names: tuple[str, ...]) -> str:
    if isinstance(value, str) and value.strip() in names:
        return value.strip()
    near = nearest_few(str(value), names)
    tail = f" Nearest: {', '.join(near)}." if near else ""
    shown_names = ", ".join(names) if len(names) <= 8 else f"{len(names)} names"
    message = f"is none of {shown_names}.{tail}"
    raise OffScaleError(message)


def _set(value: Plain, of: NumberScale | NameScale, some: bool) -> list[Plain]:
    if isinstance(value, str):
        value = [*several(value)]
    if not isinstance(value, list):
        value = [value]
    members: dict[int, Plain] = {}
    for number, each in enumerate(value):
        member = _member(each, number, of)
        members[_position(member, of)] = member
    if some and not members:
        message = "must have a member."
        raise OffScaleError(message)
    return [members[place] for place in sorted(members)]


def several(text: str) -> list[str]:
    """Return the members of a set that stands in a text: `{1, 3}`, `[1, 3]`, `1, 3`."""
    inner = text.strip()
    if (inner[:1], inner[-1:]) in BRACKETS:
        inner = inner[1:-1]
    return [each for each in re.split(r"[,\s]+", inner) if each]


def _member(value: Plain, number: int, of: NumberScale | NameScale) -> Plain:
    try:
        return fitted(value, of)
    except OffScaleError as error:
        message = f"cannot be: {shown(value)} {error}"
        raise OffScaleError(message, number) from None


def _position(value: Plain, of: NumberScale | NameScale) -> int:
    if isinstance(of, NameScale):
        return of.names.index(str(value))
    return value if isinstance(value, int) else 0
