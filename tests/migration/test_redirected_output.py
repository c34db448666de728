"""Standard output that main redirects while processes start which print. Measured with CPython 3.11: what a forked
worker prints is lost with its copy of the buffer, and a spawned one prints to where main did before."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import contextlib
import io
import multiprocessing as mp
import sys


def step(number):
    {step}


def batch():
    process = mp.Process(target=step, args=(3,))
    {start}
    process.join()


def captured():
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        batch()
    return buffer.getvalue()


class Capture:
    def run(self, work):
        buffer = io.StringIO()
        with contextlib.redirect_stdout(buffer):
            work()
        return buffer.getvalue()


def swapped():
    sys.stdout = io.StringIO()
    batch()
    sys.stdout = sys.__stdout__


def main():
    {main}


if __name__ == "__main__":
    main()
"""
FORM = {"step": "print(number, flush=True)", "start": "process.start()", "main": "batch()"}
IN_CONTEXT = "with contextlib.redirect_stdout(io.StringIO()):\n        "


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"main": "print(captured())"}, id="around what starts them"),
        pytest.param({"start": f"{IN_CONTEXT}process.start()"}, id="around the start"),
        pytest.param({"main": f"{IN_CONTEXT}batch()"}, id="around the call"),
        pytest.param({"main": "swapped()"}, id="swapped"),
        pytest.param({"main": "print(captured())", "step": "sys.stdout.write(str(number))"}, id="written"),
        pytest.param({"main": "print(Capture().run(batch))"}, id="around the call of what is handed on"),
        pytest.param({"main": "capture = Capture()\n    capture.run(work=batch)"}, id="by its keyword"),
    ],
)
def test_what_goes_to_a_buffer_where_workers_are_forked(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CODE.format(**{**FORM, **changed}))) is Verdict.CHANGES


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="nobody does it"),
        pytest.param({"main": "print(captured())", "step": "return number"}, id="nothing is printed"),
        pytest.param({"main": f"batch()\n    {IN_CONTEXT}print(3)"}, id="after the workers"),
        pytest.param({"main": f"{IN_CONTEXT}print(3)\n    batch()"}, id="left before"),
        pytest.param({"main": "print(captured())", "step": f"{IN_CONTEXT}print(number)"}, id="workers do it, too"),
        pytest.param(
            {"main": "sys.stdout = io.StringIO()\n    sys.stdout = sys.__stdout__\n    batch()"}, id="put back before"
        ),
        pytest.param({"main": "batch()\n    print(Capture().run(int))"}, id="handed something else"),
    ],
)
def test_what_workers_print_to_the_same_place(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CODE.format(**{**FORM, **changed}))) is Verdict.READY
