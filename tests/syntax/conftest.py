"""Keeps what is computed in these tests out of the cache of whoever runs them.

Only in these: all others share one, so that nothing is prepared or compiled twice.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSERULE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
