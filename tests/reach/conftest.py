"""The playground, written once for all tests of a run."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from houserule.base.resources import shipped_rulesets
from houserule.ui.site.write import NOT_FOUND, page_server, write_site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that has the playground of Pig as `site`."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        if os.environ.get("HOUSERULE_PAGE") == "required":
            pytest.fail("no node or npm")
        pytest.skip("no node or npm")
    folder = tmp_path_factory.mktemp("host")
    write_site(folder / "site", [shipped_rulesets()["pig"]])
    shutil.copy(folder / "site" / NOT_FOUND, folder)  # as the docs say
    return folder


@pytest.fixture
def host(site: Path) -> Iterator[tuple[ThreadingHTTPServer, str]]:
    """A server of the playground, below a path, and its address."""
    with page_server(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server, f"http://localhost:{server.server_port}/site/"
        server.shutdown()
