"""Audit hooks that only the main process has."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst

PROGRAM = """\
import multiprocessing as mp
import os
import pathlib
import socket
import subprocess
import sys


def hook(event, args):
    {hook}

{top}

def work(path):
    return {does}


def main():
    {sets}
    with mp.Pool(2) as pool:
        print(pool.map(work, ["a", "b"]))


if __name__ == "__main__":
    main()
"""
REFUSES = "if event == 'open':\n        raise PermissionError"
SET = "sys.addaudithook(hook)"


@pytest.mark.parametrize(
    ("hook", "does"),
    [
        (REFUSES, "open(path).read()"),
        (REFUSES, "path.read_text()"),
        ("if event.startswith('subprocess.'):\n        raise PermissionError", "subprocess.run(path)"),
        ("if event in ('socket.connect', 'os.remove'):\n        raise PermissionError", "os.remove(path)"),
        ("if event == 'socket.connect':\n        raise PermissionError", "socket.create_connection((path, 1))"),
        ("print(event)", "subprocess.run(path)"),
    ],
)
def test_what_only_the_hook_of_main_hears_of(hook: str, does: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, PROGRAM.format(hook=hook, top="", does=does, sets=SET))
    assert worst(found) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("top", "does", "sets"),
    [
        pytest.param("", "len(path)", SET, id="nothing that it hears of"),
        pytest.param("", "subprocess.run(path)", SET, id="another event"),
        pytest.param(SET, "open(path).read()", "pass", id="added at import"),
        pytest.param("", "(sys.addaudithook(hook), open(path).read())[1]", SET, id="workers add it, too"),
    ],
)
def test_what_workers_do_as_well_without_it(top: str, does: str, sets: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, PROGRAM.format(hook=REFUSES, top=top, does=does, sets=sets))
    assert worst(found) is Verdict.READY
