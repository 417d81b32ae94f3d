"""Workers on other machines: a Dask cluster, through `concurrent.futures`.

Only this module uses Dask (`distributed`), which is an extra. A task is a span of games
and depends only on the job and the games' numbers, so that the scheduler can repeat it
elsewhere if a worker is lost.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from threading import Event, Lock, Thread, Timer
from time import monotonic
from typing import Protocol, cast
from weakref import WeakSet

from houserule import __version__
from houserule.study.simulate.schedule.batch import Job, Played, Workers, play_span

SLOW = 0.5  # seconds after which a wait is noted
PATIENCE = 10  # seconds to wait for a scheduler, and for a first worker
WITHOUT_WORKERS = 60  # seconds until a cluster without workers is given up


class NoCluster(RuntimeError):
    """The cluster cannot be used; the message tells users why."""


class _Held(Protocol):
    """An object stored on the cluster; tasks receive the object itself."""

    def cancel(self) -> None: ...


class _Client(Protocol):
    """The part of Dask's client that we use; Dask has no types of its own."""

    def get_executor(self, *, pure: bool) -> Executor: ...

    def wait_for_workers(self, n_workers: int, timeout: float) -> None: ...

    def nthreads(self) -> Mapping[str, int]: ...

    def run(self, function: Callable[[], str]) -> Mapping[str, str]: ...

    def submit(
        self, function: Callable[[bytes], Job], text: bytes, *, pure: bool
    ) -> _Held: ...

    def close(self, timeout: float) -> None: ...


class LostCluster(RuntimeError):
    """The cluster was lost during the run; the message tells users how."""


@contextmanager
def cluster_workers(
    job: Job, address: str, note: Callable[[str], None]
) -> Iterator[Workers]:
    """Provide the workers of the cluster whose scheduler is at an address.

    `note` is given a remark about a wait.

    Raises:
        NoCluster: Dask is not installed, no scheduler answers, there is no worker, or
            the workers do not have this version of Houserule.
        LostCluster: the cluster disconnected, lost its workers repeatedly, or had none
            for a minute.
    """
    client = _client(address, note)
    from distributed import KilledWorker

    cluster, over = _Cluster(job, client), Event()
    watch = Thread(target=cluster.watch, args=(over,), daemon=True)
    try:
        watch.start()
        yield cluster
    except KilledWorker:
        raise LostCluster(
            "The cluster lost several workers on the same games; do they have "
            "enough memory?"
        ) from None
    except CancelledError:
        how = "has no workers any more" if cluster.deserted else "has gone"
        raise LostCluster(f"The cluster at `{address}` {how}.") from None
    finally:
        over.set()
        watch.join()
        client.close(timeout=PATIENCE)


def _client(address: str, note: Callable[[str], None]) -> _Client:
    try:
        import distributed
    except ImportError:
        raise NoCluster(
            "Clusters need Dask, which is not installed. "
            "Install it with: pip install 'houserule[cluster]'"
        ) from None
    # Silence Dask's own warnings: `NoCluster` and `LostCluster` explain the problem.
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    connect = cast("Callable[..., _Client]", distributed.Client)
    waiting = f"waiting for `{address}`, for at most {PATIENCE:g} seconds"
    slow = Timer(SLOW, note, (waiting,))
    slow.start()
    try:
        client = connect(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(f"There is no cluster at `{address}`: {error}") from None
    finally:
        slow.cancel()
    try:
        if not client.nthreads():
            note(f"waiting for its first worker, for at most {PATIENCE:g} seconds")
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
        # A task like the others: if the worker that holds it is lost, the scheduler
        # lets another one read the job.
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
            ):  # the scheduler is gone: tasks are cancelled
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
        """Do nothing: the scheduler repeats lost tasks."""


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


# A worker may have several threads, but games do not run faster on them.
_one_at_a_time = Lock()


def _play(job: Job | _Held, numbers: range) -> Played:
    assert isinstance(job, Job), "Dask hands over what it holds"
    with _one_at_a_time:
        return play_span(job, numbers)
