"""No test uses the cache of whoever runs the tests, none fails because the machine is busy, and none passes where
lintpickle itself has failed."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import suppress

import pytest

from lintpickle.defects import Defects

os.environ["LINTPICKLE_NO_CACHE"] = "1"
if not os.environ.get("LINTPICKLE_TESTS_DATA"):  # the workers of a parallel run share one
    os.environ["LINTPICKLE_TESTS_DATA"] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="lintpickle-tests-")
    atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)

with suppress(ImportError):  # The proofs do without Hypothesis.
    from hypothesis import settings

    settings.register_profile("any machine", deadline=None)
    settings.load_profile("any machine")


_NOTE = Defects.note


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let what fails in lintpickle fail the test, but for tests marked with `defects`."""
    Defects.note = _NOTE if item.get_closest_marker("defects") else _raise  # type: ignore[method-assign]


def _raise(self: Defects, error: Exception, path: str, task: str) -> None:
    raise error
