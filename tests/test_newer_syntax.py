"""Syntax that came with Python 3.14, in a process of our own, where libcst does not validate its nodes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXT = """\
import multiprocessing as mp
from string.templatelib import Template


class Box[T]:
    item: T

    def __init__(self, x: Later):
        self.template = t"hello {x!r:>{5}}"
        self.fn = lambda: x


class Later: ...


type Alias[T] = list[T]


def run(what):
    try:
        what()
    except ValueError, TypeError:
        pass
    finally:
        print(t"{what}" t"{what}", f"{what}" "a")


if __name__ == "__main__":
    mp.Process(target=run, args=(Box(Later()),)).start()
    mp.Process(target=run, args=(t"{(lambda: 1)}", t"{run}", t"{run!s:>{5}}")).start()
    mp.Process(target=run, args=(t"a {run}" t"{(lambda: 2)}",)).start()
"""


def _check(folder: Path) -> list[str]:
    (folder / "a.py").write_text(TEXT, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "lintpickle", "check", "--no-cache", "--isolated", "--output-format", "concise", "a.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1, ran.stderr
    return [" ".join(line.split()[:2]) for line in ran.stdout.splitlines() if line.startswith("a.py")]


def test_it_is_read_whatever_python_runs_this(tmp_path: Path) -> None:
    assert _check(tmp_path) == ["a.py:10:19: LP102", "a.py:30:38: LP102", "a.py:31:49: LP102"]
