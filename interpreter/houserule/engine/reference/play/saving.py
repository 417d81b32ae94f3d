"""Saved games: a machine as plain data and back, at any decision, even in an effect."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue, TypeAdapter, ValidationError

from houserule.base.plain import Strict
from houserule.engine.reference.choices import Act, Done, Outcome
from houserule.engine.reference.play.engine import Engine
from houserule.engine.reference.play.flow import Activation
from houserule.engine.reference.play.machine import Firing, Forced, Machine
from houserule.engine.reference.procedures.instructions import CallFrame
from houserule.engine.state.state_model import load_store
from houserule.ir.types import Data


class SavedFrame(Strict):
    """A procedure under way."""

    proc: str
    pc: int
    env: list[JsonValue]


class SavedActivation(Strict):
    """A phase under way."""

    phase: str
    stage: Literal["enter", "begin", "open", "leave", "left"]
    items: list[JsonValue] | None
    index: int
    passes: int
    over: list[str]
    counts: dict[str, int]
    chosen: list[tuple[int, str, list[JsonValue]]]
    resolved: int


class SavedFiring(Strict):
    """A reaction that waits for its turn."""

    reaction: str
    keys: list[JsonValue]
    old: JsonValue
    new: JsonValue
    me: int | None


class SavedGame(Strict):
    """A whole game: the format of saved games, version 1."""

    version: Literal[1] = 1
    game: str
    fingerprint: str
    seed: int
    game_number: int
    store: dict[str, JsonValue]
    stack: list[SavedActivation]
    frames: list[SavedFrame]
    task: list[str] | None
    requests: list[list[str]]
    firings: list[SavedFiring]
    shadows: dict[str, list[JsonValue]]
    settled: bool
    fired: int
    doing: int | None
    phase_items: dict[str, JsonValue]
    taken: dict[str, int]
    outcome: dict[str, JsonValue] | None
    forced: Forced


def plain(value: object) -> JsonValue:
    """Return a run-time value as JSON data: tuples become lists."""
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    assert value is None or isinstance(value, bool | int)
    return value


def value_of(data: JsonValue) -> Data:
    """Return JSON data as a run-time value: lists become tuples."""
    if isinstance(data, list):
        return tuple(value_of(each) for each in data)  # type: ignore[misc]  # nested
    return data  # type: ignore[return-value]  # a scalar


def save(m: Machine) -> dict[str, object]:
    """Return everything needed to go on, as plain data for JSON."""
    saved = SavedGame(
        game=m.engine.program.game,
        fingerprint=m.engine.program.fingerprint,
        seed=m.seed,
        game_number=m.game_number,
        store=m.store.to_data(),
        stack=[
            SavedActivation(
                phase=act.phase,
                stage=act.stage,
                items=None
                if act.items is None
                else [plain(each) for each in act.items],
                index=act.index,
                passes=act.passes,
                over=sorted(act.over),
                counts=dict(sorted(act.counts.items())),
                chosen=[
                    (seat, choice.action, [plain(each) for each in choice.args])
                    if isinstance(choice, Act)
                    else (seat, "", [])
                    for seat, choice in act.chosen
                ],
                resolved=act.resolved,
            )
            for act in m.stack
        ],
        frames=[
            SavedFrame(proc=f.proc, pc=f.pc, env=[plain(each) for each in f.env])
            for f in m.frames
        ],
        task=None if m.task is None else list(m.task),
        requests=[list(each) for each in m.requests],
        firings=[
            SavedFiring(
                reaction=firing.reaction,
                keys=[plain(each) for each in firing.keys],
                old=plain(firing.old),
                new=plain(firing.new),
                me=firing.me,
            )
            for firing in m.firings
        ],
        shadows={
            name: [plain(each) for each in values] for name, values in m.shadows.items()
        },
        settled=m.settled_at == m.store.version,
        fired=m.fired,
        doing=m.doing,
        phase_items={name: plain(item) for name, item in m.phase_items.items()},
        taken=dict(m.taken),
        outcome=None
        if m.outcome is None
        else {
            "kind": m.outcome.kind,
            "winners": plain(m.outcome.winners),
            "stalled_in": m.outcome.stalled_in,
            "drawn_by": list(m.outcome.drawn_by),
        },
        forced=m.forced.copy(),
    )
    return saved.model_dump(mode="json")


_SAVED: TypeAdapter[SavedGame] = TypeAdapter(SavedGame)


def restore(engine: Engine, data: dict[str, object]) -> Machine:
    """Return a machine as it was saved.

    Raises:
        ValueError: the data is not a saved game of this program.
    """
    try:
        saved = _SAVED.validate_python(data, strict=False)
    except ValidationError as error:
        raise ValueError(f"this is not a saved game: {error}") from None
    if saved.fingerprint != engine.program.fingerprint:
        raise ValueError("this game was saved under other rules")
    m = Machine(engine, saved.seed, saved.game_number)
    m.store = load_store(engine.layout, saved.store)
    m.doing = saved.doing
    m.phase_items = {k: value_of(v) for k, v in saved.phase_items.items()}
    m.taken = dict(saved.taken)
    m.stack = [
        Activation(
            act.phase,
            act.stage,
            None if act.items is None else tuple(value_of(item) for item in act.items),
            act.index,
            act.passes,
            set(act.over),
            dict(act.counts),
            [
                (seat, Act(name, tuple(value_of(a) for a in args)) if name else Done())
                for seat, name, args in act.chosen
            ],
            act.resolved,
        )
        for act in saved.stack
    ]
    m.frames = [
        CallFrame(each.proc, each.pc, [value_of(value) for value in each.env])
        for each in saved.frames
    ]
    m.task = tuple(saved.task) if saved.task else None  # type: ignore[assignment]  # as saved
    m.requests = [tuple(each) for each in saved.requests]  # type: ignore[misc]  # as saved
    m.firings = [
        Firing(
            each.reaction,
            tuple(value_of(key) for key in each.keys),
            value_of(each.old),
            value_of(each.new),
            each.me,
        )
        for each in saved.firings
    ]
    m.shadows = {
        name: [value_of(each) for each in values]
        for name, values in saved.shadows.items()
    }
    m.settled_at = m.store.version if saved.settled else -1
    m.fired = saved.fired
    m.forced = saved.forced
    if saved.outcome is not None:
        m.outcome = Outcome(
            saved.outcome["kind"],  # type: ignore[arg-type]  # as saved
            value_of(saved.outcome["winners"]),  # type: ignore[arg-type]  # a set
            str(saved.outcome["stalled_in"]),
            value_of(saved.outcome.get("drawn_by", [])),  # type: ignore[arg-type]  # names
        )
    return m
