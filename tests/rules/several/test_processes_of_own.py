"""Classes of a program that derive from Process: `start()` pickles the object itself (measured with CPython 3.11 and
3.13), under `spawn` and `forkserver`."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence, StartMethod
from tests.support import lint, marks

HEAD = """\
import multiprocessing, queue, threading
import torch.multiprocessing as tmp
from multiprocessing import Process, context


def work(x):
    return x


"""
FAILING = {
    "a lambda": (
        "class P(Process):\n    def __init__(self):\n        super().__init__()\n        self.f = lambda: 1  # LP102"
    ),
    "before its base": (
        "class P(Process):\n    def __init__(self):\n        self.q = queue.Queue()  # LP111\n"
        "        super().__init__()"
    ),
    "of torch": (
        "class P(tmp.Process):\n    def __init__(self):\n        super().__init__()\n"
        "        self.names = {}.keys()  # LP101"
    ),
    "by its module": (
        "class P(multiprocessing.Process):\n    def __init__(self):\n        super().__init__()\n"
        "        self.log = open('log')  # LP110"
    ),
    "derived twice": (
        "class A(Process):\n    pass\n\n\nclass P(A):\n    def __init__(self):\n        super().__init__()\n"
        "        self.lock = threading.Lock()  # LP111"
    ),
    "handed over": (
        "class P(Process):\n    def __init__(self, f):\n        super().__init__()\n        self.f = f\n\n\n"
        "def go():\n    P(lambda: 1).start()  # LP102"
    ),
    "handed on": (
        "class P(Process):\n    def __init__(self, f):\n        super().__init__()\n        self.f = f\n\n\n"
        "def go(f):\n    P(f).start()\n\n\ndef main():\n    go(lambda: 1)  # LP102"
    ),
    "a target": ("class P(Process):\n    def __init__(self):\n        super().__init__(target=lambda: 1)  # LP201"),
    "a target handed over": "class P(Process):\n    pass\n\n\ndef go():\n    P(target=lambda: 1).start()  # LP201",
}
FINE = {
    "made when it runs": "class P(Process):\n    def run(self):\n        self.lock = threading.Lock()",
    "dropped": (
        "class P(Process):\n    def __init__(self):\n        super().__init__()\n"
        "        self.lock = threading.Lock()\n\n"
        "    def __getstate__(self):\n        return {**self.__dict__, 'lock': None}"
    ),
    "shared on purpose": (
        "class P(Process):\n    def __init__(self):\n        super().__init__()\n"
        "        self.lock = multiprocessing.Lock()\n        self.queue = multiprocessing.Queue()"
    ),
    "a function": (
        "class P(Process):\n    def __init__(self, f):\n        super().__init__()\n        self.f = f\n\n\n"
        "P(work).start()"
    ),
    "forked": (
        "class P(context.ForkProcess):\n    def __init__(self):\n        super().__init__()\n        self.f = lambda: 1"
    ),
    "a thread": (
        "class P(threading.Thread):\n    def __init__(self):\n        super().__init__()\n        self.f = lambda: 1"
    ),
    "the program forks": (
        "class P(Process):\n    def __init__(self):\n        super().__init__()\n        self.f = lambda: 1\n\n\n"
        "if __name__ == '__main__':\n    multiprocessing.set_start_method('fork')\n    P().start()"
    ),
}


@pytest.mark.parametrize("body", FAILING.values(), ids=FAILING)
def test_what_a_process_holds_is_pickled_when_it_starts(body: str) -> None:
    text = HEAD + body + "\n"
    expected = [(row, line[-5:]) for row, line in enumerate(text.splitlines(), 1) if "# LP" in line]
    found = lint(text).diagnostics
    assert [(each.location.start.row, each.code) for each in found if each.code != "LP203"] == expected
    assert StartMethod.FORK not in found[0].start_methods


@pytest.mark.parametrize("body", FINE.values(), ids=FINE)
def test_what_is_not_pickled_is_not_reported(body: str) -> None:
    assert [each.code for each in lint(HEAD + body + "\n").diagnostics if each.code != "LP203"] == []


def test_a_process_that_is_made_is_certain() -> None:
    text = HEAD + FAILING["a lambda"] + "\n"
    assert [each.confidence for each in lint(text).diagnostics] == [Confidence.LIKELY]
    assert [each.confidence for each in lint(text + "\n\ndef go():\n    P().start()\n").diagnostics] == [
        Confidence.CERTAIN
    ]


FLAGGED = """\
import threading
from multiprocessing import get_context

def work(stop):
    pass

def run(apart):
    context = get_context("spawn")
    stop = {made}
    if apart:
        worker = context.Process(target=work, args=(stop,))
    else:
        worker = threading.Thread(target=work, args=(stop,))
    worker.start()
"""


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("context.Event() if apart else threading.Event()", []),
        ("threading.Event() if not apart else context.Event()", []),
        ("threading.Event() if apart is False else context.Event()", []),
        ("threading.Event() if apart is None else context.Event()", []),
        ("context.Event() if apart is None else threading.Event()", ["LP111"]),
        ("threading.Event() if apart else context.Event()", ["LP111"]),
        ("threading.Event() if context else None", ["LP111"]),
        ("threading.Event()", ["LP111"]),
    ],
)
def test_an_expression_that_asks_what_the_boundary_asks(made: str, found: list[str]) -> None:
    assert [code for _, code in marks(FLAGGED.format(made=made))] == found
