"""Settings that only the main process makes: what workers meet, measured with CPython 3.11."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst

PROGRAM = """\
import json
import logging
import multiprocessing as mp
import os
import socket
import sys
import threading
import tracemalloc
import traceback
import urllib.request
import yaml

log = logging.getLogger("steps")


def work(job):
    return {does}


def main(given):
    {sets}
    with mp.Pool(2) as pool:
        print(pool.map(work, ["a", "b"]))


if __name__ == "__main__":
    main(sys.argv[1])
"""
CASES = [
    ("tracemalloc.take_snapshot()", "tracemalloc.start()", Verdict.BREAKS),
    ("tracemalloc.get_traced_memory()", "tracemalloc.start()", Verdict.CHANGES),
    ("tracemalloc.is_tracing() and tracemalloc.take_snapshot()", "tracemalloc.start()", Verdict.CHANGES),
    ("tracemalloc.start() or tracemalloc.take_snapshot()", "tracemalloc.start()", Verdict.READY),
    ("log.setLevel('TRACE')", "logging.addLevelName(5, 'TRACE')", Verdict.BREAKS),
    ("json.dumps(job)", "json.JSONEncoder.default = given", Verdict.BREAKS),
    ("json.dumps(job, default=str)", "json.JSONEncoder.default = given", Verdict.READY),
    ("yaml.safe_load(job)", "yaml.SafeLoader.add_constructor('!at', given)", Verdict.BREAKS),
    ("yaml.dump(job)", "yaml.add_representer(set, given)", Verdict.CHANGES),
    ("yaml.safe_load(job)", "yaml.add_representer(set, given)", Verdict.READY),
    ("urllib.request.urlopen(job).read()", "socket.socket = given", Verdict.CHANGES),
    ("threading.Thread(target=print).start()", "threading.excepthook = given", Verdict.CHANGES),
    ("threading.Thread(target=print).start()", "threading.settrace(given)", Verdict.CHANGES),
    ("sys.gettrace() is None", "sys.settrace(given)", Verdict.CHANGES),
    ("traceback.format_exc()", "sys.tracebacklimit = 0", Verdict.CHANGES),
    ("job.upper()", "sys.settrace(given)", Verdict.READY),
    ("os.environ.get('COLUMNS')", "os.putenv('COLUMNS', given)", Verdict.CHANGES),
    ("dict(os.environ)", "os.unsetenv('COLUMNS')", Verdict.CHANGES),
    ("os.getenv('COLUMNS')", "os.putenv(given, '80')", Verdict.CHANGES),
    ("os.getenv('LINES')", "os.putenv('COLUMNS', given)", Verdict.READY),
    ("job.upper()", "os.putenv('COLUMNS', given)", Verdict.READY),
]


@pytest.mark.parametrize(("does", "sets", "verdict"), CASES)
def test_settings_that_workers_lack(does: str, sets: str, verdict: Verdict, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, PROGRAM.format(does=does, sets=sets))) is verdict


SAID_FIRST = """\
import multiprocessing as mp
import warnings


def work(job):
    warnings.warn(job)


def prepared(jobs):
    warnings.simplefilter("error")
    return jobs


def run(jobs):
    with mp.Pool(2) as pool:
        pool.map(work, jobs)


def main(jobs):
    {runs}


if __name__ == "__main__":
    main(["a"])
"""


def test_arguments_are_worked_out_before_the_call(tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, SAID_FIRST.format(runs="run(prepared(jobs))"))) is Verdict.CHANGES
    assert worst(migrated(tmp_path, SAID_FIRST.format(runs="run(jobs), prepared(jobs)"))) is Verdict.READY
