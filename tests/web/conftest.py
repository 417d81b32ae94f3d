"""A browser for the tests of one module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.web.browsing import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of this system."""
    with chromium() as found:
        yield found
