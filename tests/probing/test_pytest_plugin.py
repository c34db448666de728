"""`pytest --lintpickle-probe`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = """\
import multiprocessing
import threading

CONTEXT = multiprocessing.get_context("fork")


class Job:
    def __init__(self):
        self.guard = threading.Lock()


def work(job):
    pass


def run(job):
    process = CONTEXT.Process(target=work, args=(job,))
    process.start()
    process.join()


def test_bad():
    run(Job())


def test_good():
    run([1])


def test_pool():
    with CONTEXT.Pool(1) as pool:
        assert pool.map(abs, [-1]) == [1]
"""


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_suite.py").write_text(SUITE)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "lintpickle.integrations.pytest_plugin", *options]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, "-p", "no:cacheprovider"], cwd=folder, capture_output=True, text=True, check=False, env=environ
    )


def test_without_the_option_nothing_is_watched(tmp_path: Path) -> None:
    ran = run(tmp_path)
    assert ran.returncode == 0
    assert "lintpickle:" not in ran.stdout


def test_a_test_that_starts_what_cannot_cross_fails(tmp_path: Path) -> None:
    ran = run(tmp_path, "--lintpickle-probe")
    assert ran.returncode == 1
    assert "1 failed, 2 passed" in ran.stdout
    assert "error[LP111] lock-attribute: job.guard: _thread.lock" in ran.stdout
    assert "under spawn: TypeError: cannot pickle '_thread.lock' object" in ran.stdout
    assert "test_suite.py:9" in ran.stdout
    assert "lintpickle: 3 processes started here; in 1 test something did not cross" in ran.stdout


def test_in_parallel(tmp_path: Path) -> None:
    ran = run(tmp_path, "--lintpickle-probe", "-p", "xdist", "-n", "2")
    assert "1 failed, 2 passed" in ran.stdout
    assert "error[LP111] lock-attribute: job.guard: _thread.lock" in ran.stdout
