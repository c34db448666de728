"""What kills the process that works costs one file of a run, and signals reach whom they are for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="on Linux only")

HEAD = f"""\
import os, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup` has it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)  # and a shell, in what it starts in the background
sys.path.insert(0, {str(ROOT)!r})
from lintpickle.marker import note
from lintpickle.standby import MOST_LOST, lost, stand_by

code = stand_by()
if code is not None:
    print("ended with", code)
    sys.exit(code)
"""
AT_BAD = f"""\
import os, signal, sys
sys.path.insert(0, {str(ROOT)!r})
from lintpickle.cli import main
from lintpickle.facts.of_file import FileFacts
from lintpickle.marker import noted

read = FileFacts._read_block


def killing(self, block):
    with noted(self._path):
        if self._path.endswith("bad.py"):
            os.kill(os.getpid(), signal.SIGSEGV)
    return read(self, block)


FileFacts._read_block = killing
sys.exit(main())
"""


def _start(script: str, *arguments: str, cwd: Path | None = None) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments], cwd=cwd, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def _run(script: str, *arguments: str, cwd: Path | None = None) -> tuple[int, str, str]:
    process = _start(script, *arguments, cwd=cwd)
    out, error = process.communicate(timeout=60)
    return process.returncode, out, error


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_exit_code_is_that_of_the_work(code: int) -> None:
    assert _run(HEAD + f"sys.exit({code})") == (code, f"ended with {code}\n", "")


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_the_work_is_done_again_without_what_killed_it(name: str) -> None:
    die = f"note(name)\n        os.kill(os.getpid(), {name})\n"
    work = f"for name in ('a', 'b'):\n    if name not in lost():\n        {die}"
    report = "print(sorted(lost().items()), flush=True)\n"
    said = f"a process that worked at it was killed ({name})"
    found = _run(HEAD + f"from signal import {name}\n" + work + report)
    assert found == (0, f"{[('a', said), ('b', said)]}\nended with 0\n", "")


def test_who_is_killed_without_end_gives_up() -> None:
    work = "print(len(lost()), flush=True)\nnote(f'file {len(lost())}')\nos.abort()\n"
    code, out, error = _run(HEAD + work)
    assert code == 2
    assert out.split("\n")[-3:] == ["20", "ended with 2", ""]
    assert error == "error: the process that checks was killed (SIGABRT) while it worked at 'file 20'\n"


def test_who_is_killed_at_no_file_says_so() -> None:
    assert _run(HEAD + "os.kill(os.getpid(), signal.SIGKILL)") == (
        2,
        "ended with 2\n",
        "error: the process that checks was killed (SIGKILL)\n",
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_the_work(number: signal.Signals) -> None:
    ending = "signal.signal(signal.SIGINT, signal.SIG_DFL)\n" if number == signal.SIGINT else ""
    with _start(HEAD + ending + "print('here', flush=True)\ntime.sleep(60)") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(number)
        assert process.wait(timeout=20) == -number


def test_an_interrupt_from_a_keyboard_comes_once() -> None:
    work = """
times = []
signal.signal(signal.SIGINT, lambda *_: times.append(1))
print('here', flush=True)
while not times:
    time.sleep(0.01)
time.sleep(0.2)
print(len(times), flush=True)
"""
    with _start(HEAD + work) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout.read() == "1\nended with 0\n"


def test_the_work_does_not_outlive_who_stands_by() -> None:
    with _start(HEAD + "print(os.getpid(), flush=True)\nwhile True:\n    pass\n") as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.kill()
        ends = time.monotonic() + 20
        while _is_alive(worker):
            assert time.monotonic() < ends
            time.sleep(0.01)


def _is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("caching", [["--no-cache"], ["--cache-dir", "cache"]], ids=["without cache", "with cache"])
def test_a_crash_costs_a_run_the_file_alone(caching: list[str], tmp_path: Path) -> None:
    for name in ("bad", "good"):
        (tmp_path / f"{name}.py").write_text("import pickle\n\npickle.dumps(lambda: 0)\n", encoding="utf-8")
    arguments = ("check", "--isolated", "--output-format=concise", "--quiet", *caching, "bad.py", "good.py")
    code, out, error = _run(AT_BAD, *arguments, cwd=tmp_path)
    assert (code, error) == (1, "")
    bad, good = sorted(out.splitlines())
    assert bad == "bad.py:1:1: LP904 not analysed: a process that worked at it was killed (SIGSEGV)"
    assert good.startswith("good.py:3:14: LP102 ")
