"""LP111 and LP110 with `--pedantic`: what objects hold that stay in their process because they derive from a thread."""

from __future__ import annotations

import pytest

from tests.support import lint_library, marks

_PROGRAM = """\
import logging
import multiprocessing
import threading


class Part:
    pass


class Writer(BASE):
    def __init__(self, results):
        super().__init__()
        self.results = results
        self.lock = threading.Lock()

    def run(self):
        with self.lock:
            print(self.results.get())
MORE

def work(results):
    results.put(1)


def main():
    results = multiprocessing.Queue()
    process = multiprocessing.Process(target=work, args=(results,))
    process.start()
    writer = Writer(results)
    USE
    process.join()


if __name__ == "__main__":
    main()
"""
_HOOK = """
    def __getstate__(self):
        return {"lock": self.lock}
"""


def _program(base: str, use: str = "writer.run()", more: str = "") -> str:
    return _PROGRAM.replace("BASE", base).replace("USE", use).replace("MORE", more)


@pytest.mark.parametrize(
    "base", ["threading.Thread", "threading.Timer", "Part, threading.Thread", "logging.Handler", "logging.FileHandler"]
)
def test_objects_that_stay_in_their_process(base: str) -> None:
    assert marks(_program(base), pedantic=True) == []


def test_public_threads_of_a_library() -> None:
    assert not lint_library(_program("threading.Thread")).diagnostics


@pytest.mark.parametrize(
    ("base", "use", "more"),
    [
        ("Part", "writer.run()", ""),
        ("multiprocessing.Process", "writer.start()", ""),
        ("threading.Thread", "writer.run()", _HOOK),
        ("threading.Thread", "multiprocessing.Process(target=work, args=(writer,)).start()", ""),
        ("threading.Thread", "multiprocessing.Process(target=writer.run).start()", ""),
    ],
)
def test_objects_that_may_be_sent(base: str, use: str, more: str) -> None:
    assert "LP111" in {code for _, code in marks(_program(base, use, more), pedantic=True)}
