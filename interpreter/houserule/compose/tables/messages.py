"""The texts of messages about a chosen table. Players read them: no files first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge.messages import titled
from houserule.compose.options.scales import shown
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.suggest import nearest_few
from houserule.diagnostics.words import listed, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from houserule.compose.rules import Origin
    from houserule.manifest.ruleset import Plain
    from houserule.source import Span

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def counted(number: int) -> str:
    """Return a small number as a word."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def quoted(titles: Iterable[str]) -> str:
    """Return titles in quotes: `"A" and "B"`."""
    return listed(f'"{title}"' for title in titles)


def is_missing(
    origin: Origin, name: str, title: str, *, left_out: bool = False
) -> Diagnostic:
    """Return E301: a variant needs another, which is off."""
    which = "which you left out" if left_out else "which is off"
    message = f'{sentence(titled(origin))} needs "{title}", {which}.'
    add = f"Add it:  --with {name}"
    off = f"or leave {origin.unit} off."
    ways = (f"{add:30} {off}",) if origin.unit else (add,)
    return Diagnostic("E301", message, fixes=ways)


def comes_along(origin: Origin, name: str, title: str) -> Diagnostic:
    """Return E301: a variant was left out that another brings along."""
    message = f'{sentence(titled(origin))} brings "{title}" along, which you left out.'
    return Diagnostic("E301", message, fixes=(f"--without {name},{origin.unit}",))


def pick_one(
    group: str, titles: Mapping[str, str], on: Sequence[str], *, or_none: bool = False
) -> Diagnostic:
    """Return E302: several of a group are on, or none.

    Args:
        group: the name of the group.
        titles: the titles of all its variants, by name.
        on: those that are on.
        or_none: a table may have none of them.
    """
    word = group.replace("_", " ")
    if on:
        some = quoted(titles[name] for name in on)
        are = f"are {counted(len(on))} {word}s"
        how = "at most" if or_none else "exactly"
        return Diagnostic("E302", f"{some} {are}; pick {how} one.")
    every = " or ".join(f'"{title}"' for title in titles.values())
    message = f"This game is played with one {word}: {every}; pick exactly one."
    return Diagnostic("E302", message, fixes=tuple(f"--with {n}" for n in titles))


def exclude_each_other(one: Origin, name: str, title: str) -> Diagnostic:
    """Return E302: two variants that cannot be on together."""
    both = f'{sentence(titled(one))} and "{title}"'
    message = f"{both} cannot be played together; pick one."
    return Diagnostic("E302", message, fixes=(f"--without {one.unit or name}",))


def no_value_chosen(name: str, said: Sequence[tuple[Origin, Plain]]) -> Diagnostic:
    """Return E303: defaults differ, and the table has not chosen."""
    values = ", ".join(f"{origin.unit}: {shown(value)}" for origin, value in said)
    message = (
        f"{name}: {counted(len(said))} variants suggest different values ({values}) "
        "and you have not chosen."
    )
    fix = f"--set {name}={_argument(said[0][1])}"
    return Diagnostic("E303", message, fixes=(fix,))


def off_the_scale(
    name: str, value: Plain, reason: str, span: Span | None = None
) -> Diagnostic:
    """Return E304: a value that the option does not have."""
    return fault("E304", f"{name} = {shown(value)} {reason}", span)


def author_fault(code: str, message: str, span: Span) -> Diagnostic:
    """Return a fault of an option that its author has to mend."""
    return fault(code, message, span)


def fixed_by(
    name: str, value: Plain, now: Plain, origin: Origin, span: Span | None = None
) -> Diagnostic:
    """Return E305: a choice against a `change`."""
    who = titled(origin)
    message = f"You set {name} = {shown(value)}, but {who} fixes it at {shown(now)}."
    way = f"Leave {who} off, or ask its author to write  default  there."
    return fault("E305", message, span, fixes=(way,) if origin.unit else ())


def nobody_has_ruled(target: str, origins: Sequence[Origin], game: str) -> Diagnostic:
    """Return E306: variants of this table clash, told to players."""
    who = quoted(origin.title for origin in origins)
    names = ", ".join(sorted({n for o in origins for n in o.unit.split("+")}))
    message = f"{who} disagree about {target}, and nobody has ruled on it yet."
    way = f"Play with one of them, or write a bridge:  bridge {names} for {game}"
    return Diagnostic("E306", message, fixes=(way,))


def unknown(
    kind: str, name: str, candidates: Iterable[str], span: Span | None = None
) -> Diagnostic:
    """Return E307: no variant, option or preset of that name."""
    known = sorted(candidates)
    near = nearest_few(name, known)
    message = f"There is no {kind} called {name}."
    if near:
        message += f" Did you mean {' or '.join(near)}?"
    elif known and len(known) <= 12:
        message += f" There are: {', '.join(known)}."
    return fault("E307", message, span)


def option_is_off(
    name: str, titles: Mapping[str, str], span: Span | None = None
) -> Diagnostic:
    """Return E307: an option of variants that are not on."""
    belongs = f"The option {name} belongs to {quoted(titles.values())}"
    message = f"{belongs}, which {'is' if len(titles) == 1 else 'are'} off."
    fixes = (f"Add it:  --with {','.join(titles)}",)
    return fault("E307", message, span, fixes=fixes)


def with_and_without(name: str, title: str) -> Diagnostic:
    """Return E302: a variant asked for and left out at once."""
    message = f'You asked for "{title}" and left it out; pick one.'
    fixes = (f"--with {name}", f"--without {name}")
    return Diagnostic("E302", message, fixes=fixes)


def wrong_players(who: str, low: int, high: int, asked: int) -> Diagnostic:
    """Return E308: too few or too many players; `who` is the title that says so."""
    message = f'"{who}" is for {_seats(low, high)} players; you asked for {asked}.'
    fix = f"--players {min(max(asked, low), high)}"
    return Diagnostic("E308", message, fixes=(fix,))


def no_players_suit(limits: Sequence[tuple[str, int, int]]) -> Diagnostic:
    """Return E308: what was chosen leaves no number of players at all."""
    parts = [f'"{who}" is for {_seats(low, high)}' for who, low, high in limits]
    message = f"No number of players suits everything you chose: {', '.join(parts)}."
    return Diagnostic("E308", message)


def _seats(low: int, high: int) -> str:
    return f"{low} to {high}" if low < high else str(low)


def preset_in_a_circle(names: Sequence[str], span: Span) -> Diagnostic:
    """Return E309: presets that extend one another."""
    way = " extends ".join(names)
    return fault("E309", f"Presets go in a circle: {way}.", span)


def _argument(value: Plain) -> str:
    """Return a value as it stands on a command line."""
    return shown(value).replace(" ", "").strip("{}")
