"""No test uses the cache of whoever runs the tests, none fails because the machine is busy, and none passes where
lintpickle itself has failed."""

from __future__ import annotations

import atexit
import compileall
import gc
import os
import shutil
import tempfile
import zlib
from contextlib import suppress

import pytest

import lintpickle
from lintpickle.defects import Defects

os.environ["LINTPICKLE_NO_CACHE"] = "1"
if not os.environ.get("LINTPICKLE_TESTS_DATA"):  # the workers of a parallel run share one
    os.environ["LINTPICKLE_TESTS_DATA"] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="lintpickle-tests-")
    atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)
    # In a fresh checkout, an import makes a folder `__pycache__`, which changes the one around it: what the cache
    # keeps rests on that, and a test would see it go because another one imports a package at the same time.
    compileall.compile_dir(os.path.dirname(lintpickle.__file__), quiet=2)

with suppress(ImportError):  # The proofs do without Hypothesis.
    from hypothesis import settings

    settings.register_profile("any machine", deadline=None)
    settings.load_profile("any machine")


QUICK = (
    "tests/fixes/",
    "tests/report/test_full.py",
    "tests/rules/test_dict_view_attribute.py",
    "tests/rules/test_lambda_attribute.py",
    "tests/rules/test_lambda_worker_function.py",
    "tests/rules/test_lock_attribute.py",
    "tests/rules/test_unguarded_getattr.py",
    "tests/test_catalog_files.py",
    "tests/test_escaping.py",
    "tests/test_pythons.py",
    "tests/test_selection.py",
    "tests/test_terminal.py",
    "tests/test_toml_text.py",
)
"""What `pytest -m quick` runs: a cross-section, in less than a minute on one processor."""

IN_EVERY_PART = ("browser", "client", "integration")
"""Marks of the tests that run in one environment only, so that `--part` never leaves them out."""

_NOTE = Defects.note


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", help="run one of N parts of the tests: 0/4, 1/4, 2/4 and 3/4 together run all")


def pytest_configure(config: pytest.Config) -> None:
    """In a parallel run, let the tests of one `xdist_group` run in one process: what they share is found out once."""
    if config.getoption("dist", "no") == "load":
        config.option.dist = "loadgroup"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(QUICK):
            item.add_marker(pytest.mark.quick)
    if config.getoption("part"):
        part, parts = map(int, config.getoption("part").split("/"))
        left_out = [item for item in items if not _is_in(part, parts, item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _is_in(part, parts, item)]


def _is_in(part: int, parts: int, item: pytest.Item) -> bool:
    is_in_all = any(item.get_closest_marker(mark) for mark in IN_EVERY_PART)
    return is_in_all or zlib.crc32(item.nodeid.encode()) % parts == part


def pytest_collection_finish() -> None:
    """Search for cycles seldom, and never among the tests themselves: the command line does not search at all."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 5, 5)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let what fails in lintpickle fail the test, but for tests marked with `defects`."""
    Defects.note = _NOTE if item.get_closest_marker("defects") else _raise  # type: ignore[method-assign]


def _raise(self: Defects, error: Exception, path: str, task: str) -> None:
    raise error
