"""A real Dask cluster of two processes: the same games, also where one is lost."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from tests.simulate.jobs import job, play_all, play_here
from tests.simulate.test_command import COMPARE, MARKET, said

from houserule.study.simulate.schedule.batch import Played
from houserule.study.simulate.schedule.cluster import (
    LostCluster,
    NoCluster,
    cluster_workers,
)

if TYPE_CHECKING:
    from distributed import LocalCluster as Cluster

# To import it takes a second; every worker reads this file, and one runs its tests.
pytestmark = [
    pytest.mark.skipif(
        find_spec("distributed") is None, reason="the extra `cluster` is not installed"
    ),
    # Dask warns of what the machine is like; that is not ours to fail for.
    pytest.mark.filterwarnings("default"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


def play_there(address: str, games: int) -> Played:
    wanted = job("market", games)
    with cluster_workers(wanted, address, print) as workers:
        return play_all(wanted, workers)[0]


def test_a_cluster_plays_the_same_games(cluster: Cluster) -> None:
    assert play_there(cluster.scheduler_address, 60) == play_here(job("market", 60))


def test_both_verbs_say_the_same_on_a_cluster(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    simulate = ["simulate", MARKET, "--games", "30", "--json"]
    there = ["--cluster", cluster.scheduler_address]
    here = ["--jobs", "1"]
    assert said([*COMPARE, *there], capsys) == said([*COMPARE, *here], capsys)
    games, alone = (
        json.loads(said([*simulate, *where], capsys)) for where in (there, here)
    )
    assert {**games, "seconds": 0} == {**alone, "seconds": 0}


def test_a_lost_worker_loses_no_game(cluster: Cluster) -> None:
    distributed = pytest.importorskip("distributed")
    wanted = job("market", 120)
    done: list[int] = []
    with distributed.Client(cluster, set_as_default=False) as client:
        victim = sorted(client.run(os.getpid).values())[0]

    def kill_early(games: int) -> None:
        if not done:
            os.kill(victim, signal.SIGKILL)
        done.append(games)

    with cluster_workers(wanted, cluster.scheduler_address, print) as workers:
        played, ended = play_all(wanted, workers, tick=kill_early)
    assert ended == "games"
    assert sum(done) == 120
    assert played == play_here(wanted)
    with distributed.Client(cluster, set_as_default=False) as client:
        assert victim not in client.run(os.getpid).values()


def test_a_cluster_that_lost_all_workers_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("houserule.study.simulate.schedule.cluster.WITHOUT_WORKERS", 1)
    wanted = job("market", 20_000)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as deserted:

        def desert(games: int) -> None:
            deserted.scale(0)

        with (
            pytest.raises(LostCluster, match="has no workers any more"),
            cluster_workers(wanted, deserted.scheduler_address, print) as workers,
        ):
            play_all(wanted, workers, tick=desert)


def test_a_comparison_is_the_same_on_a_cluster(
    cluster: Cluster,
) -> None:
    wanted = job("market", 40, tables=2)
    with cluster_workers(wanted, cluster.scheduler_address, print) as workers:
        assert play_all(wanted, workers)[0] == play_here(wanted)


def test_where_no_cluster_is_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houserule.study.simulate.schedule.cluster.PATIENCE", 0.5)
    with (
        pytest.raises(NoCluster, match=r"no cluster at `127\.0\.0\.1:9`"),
        cluster_workers(job("market", 1), "127.0.0.1:9", print),
    ):
        pass


def test_a_wait_for_the_first_worker_is_noted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import distributed

    monkeypatch.setattr("houserule.study.simulate.schedule.cluster.PATIENCE", 0.5)
    with (
        distributed.LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=0, dashboard_address=":0"
        ) as empty,
        pytest.raises(NoCluster, match="has no workers"),
        cluster_workers(job("market", 1), empty.scheduler_address, print),
    ):
        pass
    assert "waiting for its first worker" in capsys.readouterr().out


def test_workers_of_another_version_are_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houserule.study.simulate.schedule.cluster.__version__", "99.0")
    with (
        pytest.raises(NoCluster, match=r"needs Houserule 99\.0"),
        cluster_workers(job("market", 1), cluster.scheduler_address, print),
    ):
        pass
