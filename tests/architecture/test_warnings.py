"""Our own warnings are errors; those inside other packages are not."""

from __future__ import annotations

import types
import warnings

import pytest


def warn_in(module: str) -> None:
    there = types.ModuleType(module)
    exec(
        'import warnings\ndef f(): warnings.warn("old", DeprecationWarning)',
        vars(there),
    )
    vars(there)["f"]()


@pytest.mark.parametrize(
    "module", ["houserule", "houserule.ui.web.pages", "tests.web.x"]
)
def test_a_warning_of_ours_is_an_error(module: str) -> None:
    with pytest.raises(DeprecationWarning):
        warn_in(module)
    with pytest.raises(UserWarning):
        warnings.warn("here", stacklevel=1)


@pytest.mark.parametrize("module", ["weasyprint.css", "houserules", "mytests.x"])
def test_a_warning_within_another_package_is_none(module: str) -> None:
    with pytest.warns(DeprecationWarning, match="old"):
        warn_in(module)
    warn_in(module)
