"""Workers on other machines: a Dask cluster, by the `concurrent.futures` interface.

This is the one module that knows Dask (`distributed`), which is an extra. A task is a
span of games and depends on nothing but the job and its numbers, so that the
scheduler plays it again elsewhere where a worker is lost.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import Protocol, cast
from weakref import WeakSet

from houserule import __version__
from houserule.study.simulate.schedule.batch import (
    Job,
    Played,
    Workers,
    play_span,
)

PATIENCE = 10  # seconds for a scheduler to answer, and for a first worker to be there
WITHOUT_WORKERS = 60  # seconds after which a cluster that lost all workers is given up


class NoCluster(RuntimeError):
    """The cluster cannot be used; the message says why, in the words of users."""


class _Held(Protocol):
    """Something that the cluster holds; a task is handed the thing itself."""

    def cancel(self) -> None: ...


class _Client(Protocol):
    """What is used of Dask's client, which has no types of its own."""

    def get_executor(self, *, pure: bool) -> Executor: ...

    def wait_for_workers(self, n_workers: int, timeout: float) -> None: ...

    def nthreads(self) -> Mapping[str, int]: ...

    def run(self, function: Callable[[], str]) -> Mapping[str, str]: ...

    def submit(
        self, function: Callable[[bytes], Job], text: bytes, *, pure: bool
    ) -> _Held: ...

    def close(self, timeout: float) -> None: ...


class LostCluster(RuntimeError):
    """The cluster was lost at work; the message says how, in the words of users."""


@contextmanager
def cluster_workers(job: Job, address: str) -> Iterator[Workers]:
    """Give the workers of the cluster whose scheduler is at an address.

    Raises:
        NoCluster: Dask is not installed, no scheduler answers, there is no worker, or
            the workers do not have this version of Houserule.
        LostCluster: it went away, lost its workers again and again, or had none for a
            minute.
    """
    client = _client(address)
    from distributed import KilledWorker

    cluster, over = _Cluster(job, client), Event()
    watch = Thread(target=cluster.watch, args=(over,), daemon=True)
    try:
        watch.start()
        yield cluster
    except KilledWorker:
        raise LostCluster(
            "The cluster lost worker after worker over the same games; is there "
            "memory enough?"
        ) from None
    except CancelledError:
        how = "has no workers any more" if cluster.deserted else "has gone"
        raise LostCluster(f"The cluster at `{address}` {how}.") from None
    finally:
        over.set()
        watch.join()
        client.close(timeout=PATIENCE)


def _client(address: str) -> _Client:
    try:
        import distributed
    except ImportError:
        raise NoCluster(
            "Clusters need Dask, which is not installed. "
            "Install it with: pip install 'houserule[cluster]'"
        ) from None
    # Dask prints its own warnings; `NoCluster` and `LostCluster` say what users need.
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    connect = cast("Callable[..., _Client]", distributed.Client)
    try:
        client = connect(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(f"There is no cluster at `{address}`: {error}") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close(timeout=PATIENCE)
        raise NoCluster(f"The cluster at `{address}` has no workers.") from None
    return client


class _Cluster:
    def __init__(self, job: Job, client: _Client) -> None:
        self._executor = client.get_executor(pure=False)
        threads = sum(client.nthreads().values())
        self.ahead = threads * 3
        self.span = job.span(threads)
        try:
            found = client.run(_version)
        except (ImportError, AttributeError):
            raise NoCluster(_unlike("another or none")) from None
        for version in found.values():
            if version != __version__:
                raise NoCluster(_unlike(version))
        # A task like the others: where the worker that holds it is lost, the
        # scheduler has another one read the job again.
        self._job = client.submit(_read, pickle.dumps(job), pure=False)
        self._client = client
        self._futures: WeakSet[Future[Played]] = WeakSet()
        self.deserted = False

    def watch(self, over: Event) -> None:
        """Cancel all tasks if the cluster has no workers for a minute."""
        seen = monotonic()
        while not over.wait(1):
            try:
                there = bool(self._client.nthreads())
            except (
                OSError,
                TimeoutError,
            ):  # the scheduler has gone: tasks are cancelled
                return
            seen = monotonic() if there else seen
            if monotonic() - seen > WITHOUT_WORKERS:
                self.deserted = True
                for each in tuple(self._futures):
                    each.cancel()
                return

    def play(self, numbers: range) -> Future[Played]:
        future = self._executor.submit(_play, self._job, numbers)
        self._futures.add(future)
        return future

    def cancel(self) -> None:
        self._executor.shutdown(wait=False)

    def restart(self) -> None:
        """Do nothing: the scheduler plays again what was lost."""


def _unlike(version: str) -> str:
    return (
        f"Every worker of the cluster needs Houserule {__version__}; "
        f"there is one with {version}."
    )


def _version() -> str:
    return __version__


def _read(text: bytes) -> Job:
    job: Job = pickle.loads(text)
    return job


# A worker may have several threads; games gain nothing from them.
_one_at_a_time = Lock()


def _play(job: Job | _Held, numbers: range) -> Played:
    assert isinstance(job, Job), "Dask hands over what it holds"
    with _one_at_a_time:
        return play_span(job, numbers)
