"""Types: compatibility, joins, and names for people."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from houserule.base.diagnostics.wording import with_article
from houserule.ir.types import Flag, Kind, Maybe, Position, Set, Type, Whole, core

BROKEN: Final = Kind("?", 0, "broken")
"""The type of an expression with an error: it fits everywhere, which avoids follow-up
errors."""

FLAG: Final = Flag()
SEATS: Final = "Player"
ACTIONS: Final = "Action"

Fit: TypeAlias = Literal["yes", "no", "none", "range", "empty"]


def may_be_none(type_: Type) -> bool:
    """Return whether a value of the type may be none."""
    return isinstance(type_, Maybe)


def optional(type_: Type) -> Type:
    """Return the type with `or none`."""
    return type_ if isinstance(type_, Maybe) or is_broken(type_) else Maybe(type_)


def is_broken(type_: Type) -> bool:
    """Return whether this is the type of an error that was already reported."""
    inner = core(type_)
    return inner is BROKEN or (isinstance(inner, Set) and inner.member is BROKEN)


def member_of(type_: Type) -> Whole | Kind:
    """Return the type of a set's members; `BROKEN` for anything else."""
    inner = core(type_)
    return inner.member if isinstance(inner, Set) else BROKEN


def capacity(member: Whole | Kind) -> int:
    """Return how many members a set of these can have."""
    if isinstance(member, Whole):
        return max(0, member.high - member.low + 1)
    return member.size


def places(type_: Type) -> int:
    """Return the number of values of a key type; 1 for any other type."""
    match type_:
        case Set(member):
            return int(2 ** capacity(member))
        case Whole() | Kind():
            return capacity(type_)
        case Flag():
            return 2
        case _:
            return 1


def hull(left: Whole, right: Whole) -> Whole:
    """Return the smallest range that holds both."""
    return Whole(min(left.low, right.low), max(left.high, right.high))


def same_members(left: Whole | Kind, right: Whole | Kind) -> bool:
    """Return whether two kinds of members can be in one set."""
    if left is BROKEN or right is BROKEN:
        return True
    if isinstance(left, Kind) and isinstance(right, Kind):
        return left.name == right.name
    return isinstance(left, Whole) and isinstance(right, Whole)


def join_members(left: Whole | Kind, right: Whole | Kind) -> Whole | Kind | None:
    """Return the member type of a set of both, or None if they are incompatible."""
    if not same_members(left, right):
        return None
    if isinstance(left, Whole) and isinstance(right, Whole):
        return hull(left, right)
    return right if left is BROKEN else left


def join(left: Type, right: Type) -> Type | None:
    """Return the type of something that is one or the other, or None."""
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        joined = join(core(left), core(right))
        return None if joined is None else optional(joined)
    match left, right:
        case _ if is_broken(left) or is_broken(right):
            return BROKEN
        case Whole(), Whole():
            return hull(left, right)
        case Set(), Set():
            member = join_members(left.member, right.member)
            return member and Set(member, left.part and right.part)
        case Position(), Position():
            return left if same_members(left.member, right.member) else None
        case _:
            return left if comparable(left, right) else None


def comparable(left: Type, right: Type) -> bool:
    """Return whether comparing the two by `is` can make sense."""
    match core(left), core(right):
        case (Kind() as a, _) | (_, Kind() as a) if a is BROKEN:
            return True
        case (Whole(), Whole()) | (Flag(), Flag()) | (Position(), Position()):
            return True
        case Kind() as a, Kind() as b:
            return a.name == b.name
        case Set() as a, Set() as b:
            return same_members(a.member, b.member)
        case _:
            return False


def fit(found: Type, wanted: Type) -> Fit:
    """Return whether a value of one type fits where another is expected.

    "none": it fits, but may be none; "range": the ranges do not overlap; "empty": the
    set may be empty, but must not be. A range that only overlaps fits: a value out of
    the expected range is a rule fault in play.
    """
    if is_broken(found) or is_broken(wanted):
        return "yes"
    if isinstance(wanted, Maybe):
        return fit(core(found), wanted.inner)
    if isinstance(found, Maybe):
        return "none" if fit(found.inner, wanted) != "no" else "no"
    match found, wanted:
        case Whole(), Whole():
            apart = found.high < wanted.low or found.low > wanted.high
            return "range" if apart else "yes"
        case Set(), Set():
            if not same_members(found.member, wanted.member):
                return "no"
            return "empty" if wanted.part and not found.part else "yes"
        case _:
            return "yes" if comparable(found, wanted) else "no"


def in_words(type_: Type) -> str:
    """Return a type as people say it: "a number from 0 to 9", "a set of Die"."""
    match type_:
        case Maybe(inner):
            return f"{in_words(inner)} or none"
        case Whole(low, high):
            return f"the number {low}" if low == high else f"a number {low}..{high}"
        case Flag():
            return "yes or no"
        case Position():
            return "a place to move things to"
        case Set(member, part):
            members = str(member) if isinstance(member, Kind) else "numbers"
            return f"a part of {members}" if part else f"a set of {members}"
        case Kind(name, _, "action"):
            return "an action"
        case Kind(name):
            return with_article(name)
