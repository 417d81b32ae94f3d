"""OpenSpiel: every table of every ruleset as one of its Python games.

Only this module imports pyspiel, whose package is in the extra `openspiel`. Importing
it registers the game `python_houserule`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from houserule.api.ruleset import load, open_table
from houserule.base.limits import limit
from houserule.engine.bots.bot import bot_names
from houserule.engine.compiled.bots.compiled_bots import quick_bots
from houserule.engine.reference.random_numbers import Stream
from houserule.environments.actions import action_space
from houserule.environments.encoding import encoding_of
from houserule.environments.payoff import Payoff
from houserule.environments.tree import PART, GameTree, TreeNode
from houserule.ir.walk import stream_tags
from houserule.language.manifest.ruleset import Plain
from houserule.play.narration.visibility import EVERYBODY, ViewerVisibility
from houserule.play.records.choice_words import words_of

NAME = "python_houserule"
PARAMETERS: Mapping[str, str | int] = {
    "ruleset": "",
    "preset": "",
    "with": "",
    "without": "",
    "set": "",
    "players": 0,
    "rules": "",
    "table": "",
    "actions": "listed",
    "cut": 0,
    "reward": "win",
    "chance": "explicit",
    "recall": 0,
    "decisions": 0,
}
"""The parameters of a game string, with their defaults."""


def game_string(ruleset: str | Path, **parameters: str | int) -> str:
    """Return the game string that makes OpenSpiel load a table.

    Args:
        ruleset: the name of a built-in game, or the path of a ruleset's folder.
        parameters: as in `PARAMETERS`; write `with_` for `with`.

    Raises:
        ValueError: an unknown parameter.

    Example:
        >>> from houserule.environments import openspiel
        >>> openspiel.game_string("pig", players=3, set="target:50")
        'python_houserule(ruleset=pig,players=3,set=target:50)'
    """
    said = {"ruleset": str(ruleset)}
    for name, value in parameters.items():
        said[name.removesuffix("_")] = str(value)
    for name, text in said.items():
        if name not in PARAMETERS:
            raise ValueError(
                f"There is no parameter `{name}`. Parameters: {', '.join(PARAMETERS)}."
            )
        if any(sign in text for sign in ",()="):
            raise ValueError(f"{name}: a game string cannot hold `{text}`")
    return f"{NAME}({','.join(f'{name}={text}' for name, text in said.items())})"


@lru_cache(maxsize=32)
def tree_of(*values: str | int) -> GameTree:
    """Return the tree of a table by the values of `PARAMETERS`, in their order."""
    said = dict(zip(PARAMETERS, values, strict=True))
    if bool(said["ruleset"]) == bool(said["table"]):
        raise ValueError(
            f"Name a ruleset, as in {NAME}(ruleset=GAME), or a table file: "
            f"{NAME}(table=FILE)."
        )
    if said["table"] and said["rules"]:
        raise ValueError("A table file names its rules: omit `rules`.")
    settings: dict[str, Plain] = {}
    for each in _words(said["set"]):
        name, colon, value = each.partition(":")
        if not colon:
            raise ValueError(f"set={each}: say an option as NAME:VALUE")
        settings[name] = value.replace("/", ",")
    choose = (
        open_table(str(said["table"])).change
        if said["table"]
        else load(str(said["ruleset"]), rules=_words(said["rules"])).table
    )
    table = choose(
        preset=str(said["preset"]) or None,
        with_=_words(said["with"]),
        without=_words(said["without"]),
        settings=settings or None,
        players=int(said["players"]) or None,
    )
    actions = action_space(
        table.program, cast("Any", said["actions"]), int(said["cut"]) or None
    )
    return GameTree(table, actions, cast("Any", said["chance"]), (tree_of, values))


def _words(said: str | int) -> list[str]:
    return [word for word in str(said).split("+") if word]


# ---- games, states, bots

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"OpenSpiel's games need {error.name}, which is not installed. "
        "Install it with: pip install 'houserule[openspiel]'",
        name=error.name,
    ) from None


class HouseruleGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A table as a game of OpenSpiel; `pyspiel.load_game` makes it.

    Attributes:
        tree: its game tree.
        program: its rules.
        actions: its action space.
        payoff: the returns of each seat.
        decisions: the number of decisions after which it ends with returns of 0.
        recall: the number of decisions in the tensor of an information state.
    """

    def __init__(self, params: Mapping[str, str | int] | None = None) -> None:
        """Make the game of some parameters.

        Raises:
            ValueError: a parameter has an invalid value.
            RulesetError: an unknown ruleset.
            TableError: an unknown table.
        """
        said = {**PARAMETERS, **(params or {})}
        for name in ("players", "cut", "recall", "decisions"):
            if int(said[name]) < 0:
                raise ValueError(f"{name}={said[name]}: use a number from 0.")
        self.tree = tree_of(*(said[name] for name in PARAMETERS))
        self.program = program = self.tree.program
        self.payoff = Payoff(program, cast("Any", said["reward"]))
        self.actions = self.tree.actions
        self.encoding = encoding_of(program)
        self.decisions = int(said["decisions"]) or limit("decisions")
        self.recall = int(said["recall"])
        kept = {name: each for name, each in said.items() if each != PARAMETERS[name]}
        seats = self.program.seats
        super().__init__(
            _type(self.tree, self.recall),
            pyspiel.GameInfo(
                num_distinct_actions=self.actions.size,
                max_chance_outcomes=PART if stream_tags(self.program) else 0,
                num_players=seats,
                min_utility=self.payoff.least,
                max_utility=self.payoff.most,
                utility_sum=0.0 if seats > 1 else None,
                max_game_length=self.decisions,
            ),
            kept,
        )

    def new_initial_state(self, _: object = None) -> HouseruleState:
        """Return the initial state of every game."""
        return HouseruleState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound of the draws of one game."""
        if not stream_tags(self.program):
            return 0
        return (self.decisions + 1) * 1_000

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401
        params: Any = None,  # noqa: ANN401
    ) -> SeatObserver:
        """Return an observer for seats.

        Raises:
            ValueError: an unsupported type of observation.
        """
        if params:
            raise ValueError(f"Observations have no parameters, not {params}.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SeatObserver(self, kind)


class HouseruleState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A node of a game. A copy shares the node, which is immutable."""

    def __init__(self, game: HouseruleGame) -> None:
        super().__init__(game)
        self.node = game.tree.root

    @property
    def _game(self) -> HouseruleGame:
        return cast("HouseruleGame", self.get_game())

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's id for chance or the end."""
        if self.node.draw is not None:
            return cast("int", pyspiel.PlayerId.CHANCE)
        decision = self.node.decision
        if decision is None or self.is_terminal():
            return cast("int", pyspiel.PlayerId.TERMINAL)
        return decision.seat

    def is_terminal(self) -> bool:
        """Return whether the game is over or was truncated."""
        node = self.node
        if node.draw is not None:
            return False
        return node.decision is None or node.depth >= self._game.decisions

    def _legal_actions(self, player: int) -> list[int]:
        decision = self.node.decision
        if decision is None or decision.seat != player:
            return []
        return sorted(self.node.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the pending draw, with equal probabilities."""
        assert self.node.draw is not None, "no draw is due"
        many = self.node.draw.many
        return [(outcome, 1 / many) for outcome in range(many)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.next(action)

    def _action_to_string(self, player: int, action: int) -> str:
        node = self.node
        if node.draw is not None:
            return node.draw.words(action)
        decision = node.decision
        if decision is None:
            return str(action)
        choice = node.option(action)
        words = words_of(choice, decision.site, self._game.program)
        if isinstance(words, str):
            return words
        text = json.dumps(words, ensure_ascii=False)
        return text.replace('"', "").removeprefix("{").removesuffix("}")

    def returns(self) -> list[float]:
        """Return the returns of each seat; 0 before the end."""
        game = self.node.game
        if game is None:
            return [0.0] * self._game.program.seats
        return self._game.payoff.of(game)

    def __str__(self) -> str:
        """Return the view of all seats, and the draws since the last decision."""
        node = self.node
        seats = range(1 if _is_open(self._game.tree) else self._game.program.seats)
        drawn = ",".join(map(str, node.luck)) if node.draw is not None else ""
        due = [f"{node.draw.tag} after [{drawn}]"] if node.draw is not None else []
        return "\n".join([*due, *(node.sees(seat) for seat in seats)])

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float]
    ) -> HouseruleState:
        """Return a determinization: a state that is equal in this seat's view.

        Args:
            player: the seat.
            sampler: returns numbers from 0 to 1; called once.

        Raises:
            ValueError: not a decision.
        """
        number = int(sampler() * (1 << 53))
        other = self._game.new_initial_state()
        stream = Stream.seeded(number, 0, "resample")
        other.node = self.node.imagined(player, stream)
        return other


def resampler(seed: int) -> Callable[[HouseruleState, int], HouseruleState]:
    """Return a resampler for `ISMCTSBot.set_resampler`, determined by a seed.

    The bot's own resampling takes no seed.

    Args:
        seed: the seed.

    Example:
        >>> import pyspiel
        >>> from houserule.environments import openspiel
        >>> string = openspiel.game_string("liars_dice", chance="sampled")
        >>> state = pyspiel.load_game(string).new_initial_state()
        >>> while state.is_chance_node():
        ...     state.apply_action(7)
        >>> player = state.current_player()
        >>> world = openspiel.resampler(1)(state, player)
        >>> world.observation_string(player) == state.observation_string(player)
        True
    """
    stream = Stream.seeded(seed, 0, "resampler")

    def resample(state: HouseruleState, player: int) -> HouseruleState:
        return state.resample_from_infostate(player, lambda: stream.word() / (1 << 32))

    return resample


class NamedBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """One of the bots by name, such as "greedy", as a bot of OpenSpiel.

    It sees only what its seat may see. Its random choices depend on its seed alone.

    Args:
        game: the game.
        name: the name of the bot.
        player: its seat.
        seed: its random seed.

    Example:
        >>> import pyspiel
        >>> from houserule.environments import openspiel
        >>> game = pyspiel.load_game(openspiel.game_string("nim"))
        >>> bot = openspiel.NamedBot(game, "strong", player=0)
        >>> state = game.new_initial_state()
        >>> state.action_to_string(bot.step(state))
        'take: {h: 1, n: 2}'
    """

    def __init__(
        self, game: HouseruleGame, name: str, player: int, seed: int = 1
    ) -> None:
        """Make the bot.

        Raises:
            ValueError: an unknown bot.
        """
        super().__init__()
        names = bot_names(name) * game.program.seats
        self._bot = quick_bots(names, game.program, seed, 0)[player]
        self._player = player

    def player_id(self) -> int:
        """Return the seat."""
        return self._player

    def restart_at(self, state: HouseruleState) -> None:
        """Do nothing: the bot has no memory."""

    def inform_action(self, state: HouseruleState, player: int, action: int) -> None:
        """Do nothing: the bot reads the state when it decides."""

    def step(self, state: HouseruleState) -> int:
        """Return the number of the chosen action.

        Raises:
            ValueError: the choice is beyond the cut and has no number.
        """
        return state.node.number(self._bot.choose(state.node.apart()))


class SeatObserver:
    """Observes states as a seat, as text and as a tensor.

    Attributes:
        tensor: the last observation, a flat array that is filled in place.
        dict: the same, part by part.
    """

    def __init__(self, game: HouseruleGame, kind: Any) -> None:  # noqa: ANN401
        self._game, self._recalls = game, kind.perfect_recall
        own = pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._whole = kind.public_info and kind.private_info == own
        size, rows = game.encoding.size, int(self._whole)
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._whole and self._recalls:
            rows = game.recall
            size += game.actions.size
        if rows:
            self.tensor = np.zeros(rows * size, np.float32)
            name = "recalled" if self._recalls else "observation"
            shape = (rows, size) if self._recalls else (size,)
            self.dict = {name: self.tensor.reshape(shape)}

    def set_from(self, state: HouseruleState, player: int) -> None:
        """Fill the tensor with a seat's observation.

        Raises:
            ValueError: more decisions of a seat than the tensor can hold.
        """
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if not self._recalls:
            node: TreeNode | None = state.node
            while node is not None and node.game is None:
                node = node.before  # at a draw, the decision before it
            if node is not None and node.game is not None:
                self.tensor[:] = self._game.encoding.observe(node.game, player)
            return
        rows = state.node.rows(player)
        if len(rows) >= self._game.recall:
            raise ValueError(
                f"A seat has decided {len(rows)} times, and `recall` is "
                f"{self._game.recall}: use a larger one, at least one more than there "
                "may be decisions of a seat."
            )
        here, size = self.dict["recalled"], self._game.encoding.size
        for number, (seen, action) in enumerate(rows):
            here[number, :size] = seen
            here[number, size + action] = 1
        if state.node.game is not None:
            last = self._game.encoding.observe(state.node.game, player)
            here[len(rows), :size] = last

    def string_from(self, state: HouseruleState, player: int) -> str | None:
        """Return a seat's view, or its whole memory, as text.

        Public and private information are not separated: for either alone, return None.
        """
        if not self._whole:
            return None
        if self._recalls:
            return state.node.remembers(player)
        return state.node.sees(player)


@lru_cache(maxsize=32)
def _is_open(tree: GameTree) -> bool:
    """Return whether the rules have perfect information."""
    together = any(phase.together for phase in tree.program.phases.values())
    node = tree.root
    while node.game is None:
        node = node.next(0)
    return ViewerVisibility(node.game, EVERYBODY).open and not together


def _type(tree: GameTree | None, recall: int) -> Any:  # noqa: ANN401
    kind = pyspiel.GameType
    chance, information = "EXPLICIT_STOCHASTIC", "IMPERFECT_INFORMATION"
    utility, seats, most = "ZERO_SUM", 1, limit("players")
    if tree is not None:
        seats = most = tree.program.seats
        if not stream_tags(tree.program):
            chance = "DETERMINISTIC"
        if _is_open(tree):
            information = "PERFECT_INFORMATION"
        if seats == 1:
            utility = "GENERAL_SUM"
    return kind(
        short_name=NAME,
        long_name="Houserule",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=getattr(kind.ChanceMode, chance),
        information=getattr(kind.Information, information),
        utility=getattr(kind.Utility, utility),
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=recall > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=dict(PARAMETERS),
        default_loadable=False,
    )


pyspiel.register_game(_type(None, 1), HouseruleGame)
