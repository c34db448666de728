"""No test uses the cache of whoever runs the tests, none fails because the machine is busy, and none passes where
lintpickle itself has failed."""

from __future__ import annotations

import atexit
import compileall
import gc
import os
import re
import shutil
import tempfile
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path

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

COMPARING = (
    "tests/engine/test_moves.py::test_after_comments_everything_is_told_at_its_new_place",
    "tests/engine/test_snapshots.py::test_a_program_that_is_worked_on",
    "tests/test_judged.py",
    "tests/test_rules_alone.py",
    "tests/test_same_results.py::test_whatever_is_let_go_of_on_the_way",
    "tests/test_screen.py::test_without",
)
"""What `pytest -m 'not comparing'` leaves out: two ways of lintpickle to one result, compared many times over for the
fixture projects whose turn it is. A Python on which one of the ways differs fails other tests: of the results
themselves, of what is kept, and of other processes."""

_BY_TEST = re.compile(rf"\bEACH(?:_IN_TURN)?\b|\bSOURCES\b|\bmark\.(?:{'|'.join(IN_EVERY_PART)})\b")
"""What is in files whose tests `--part` shares out one by one. It takes or leaves other files whole, and what it leaves
is not even imported."""

_NOTE = Defects.note


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", help="run one of N parts of the tests: 0/4, 1/4, 2/4 and 3/4 together run all")


def pytest_configure(config: pytest.Config) -> None:
    """In a parallel run, let the tests of one `xdist_group` run in one process: what they share is found out once."""
    if config.getoption("dist", "no") == "load":
        config.option.dist = "loadgroup"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_left_out = config.getoption("part") and _is_whole(collection_path) and not _is_in(config, _name(collection_path))
    return True if is_left_out else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(QUICK):
            item.add_marker(pytest.mark.quick)
        if item.nodeid.startswith(COMPARING):
            item.add_marker(pytest.mark.comparing)
    if config.getoption("part"):
        left_out = [item for item in items if _is_left_out(config, item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not _is_left_out(config, item)]


def _is_left_out(config: pytest.Config, item: pytest.Item) -> bool:
    if _is_whole(item.path) or any(item.get_closest_marker(mark) for mark in IN_EVERY_PART):
        return False
    return not _is_in(config, item.nodeid)


def _is_in(config: pytest.Config, name: str) -> bool:
    part, parts = map(int, config.getoption("part").split("/"))
    return zlib.crc32(name.encode()) % parts == part


@cache
def _is_whole(path: Path) -> bool:
    """Whether all tests of a file are in one part."""
    is_file_of_tests = path.name.startswith("test_") and path.suffix == ".py"
    return is_file_of_tests and _BY_TEST.search(path.read_text(encoding="utf-8")) is None


def _name(path: Path) -> str:
    return path.relative_to(Path(__file__).parent).as_posix()


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
