"""LP225: proxy-outlives-manager."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP225"


_CODE = """
from multiprocessing import Manager
import pytest

class Board:
    def __init__(self, scores, names=()):
        self.scores = scores
        self.names = list(names)

class Copies:
    def __init__(self, scores):
        self.scores = dict(scores)

def work(shared):
    shared["a"] = 1

def make(path):
"""


def _found(body: str, head: str = "with Manager() as m:") -> list[str]:
    text = _CODE + indent(f"{head}\n{body}", "    ") + "\n"
    return [code for code in codes(text) if code == "LP225"]


@pytest.mark.parametrize("head", ["with Manager() as m:", "with mp.Manager() as m, open(path) as file:"])
@pytest.mark.parametrize(
    "body",
    [
        "    return m.dict()",
        "    shared = m.dict(a=1)\n    return shared",
        "    shared, lock = m.dict(), m.Lock()\n    return shared, lock",
        "    return {'rows': m.list()}",
        "    return Board(m.dict())",
        "    board = Board({}, ())\n    board.scores = m.dict()\n    return board",
        "    shared = m.list()\n    if path:\n        return shared\n    return list(shared)",
        "    queue = m.Queue()\n    with open(path) as other:\n        return queue",
    ],
)
def test_what_is_returned_out_of_the_with(body: str, head: str) -> None:
    assert _found(body, head) == ["LP225"]


@pytest.mark.parametrize(
    "use",
    [
        *("print(len(d))", "return dict(d)", "d['a'] = 1", "print(d['a'])", "return d.copy()", "print('a' in d)"),
        *("for each in d:\n    print(each)", "return [d[n] for n in range(3)]", "work(d['a'])", "x = sorted(d)"),
    ],
)
def test_what_is_used_behind_the_with(use: str) -> None:
    body = "    d = m.dict()\n    mp.Process(target=work, args=(d,)).start()"
    assert _found(f"{body}\n{use}") == ["LP225"]


def test_a_with_in_a_branch() -> None:
    assert _found("    d = m.dict()\nprint(len(d))", "with mp.Manager() as m:") == ["LP225"]
    assert _found("        d = m.dict()\nprint(len(d))", "if path:\n    with Manager() as m:") == ["LP225"]
    assert _found("        d = m.dict()\nelse:\n    print(len(d))", "if path:\n    with Manager() as m:") == []


@pytest.mark.parametrize(
    "body",
    [
        "    return dict(m.dict())",
        "    d = m.dict()\n    return dict(d)",
        "    d = m.list()\n    return d[:]",
        "    d = m.list()\n    return d + [1]",
        "    d = m.dict()\n    return d.copy()",
        "    d = m.dict()\n    return sorted(d.items()), len(d), d['a']",
        "    d = m.dict()\n    return {k: d[k] for k in d.keys()}",
        "    d = m.dict()\n    return Copies(d)",
        "    d = m.dict()\n    return Board(dict(d))",
        "    d = m.dict()\n    yield d",
        "    d = m.dict()\n    print(d)\nprint(path)",
        "    d = m.dict()\n    d = dict(d)\nprint(len(d))",
        "    d = m.dict()\n    rows = list(d)\nprint(len(rows))",
        "    d = m.dict()\n    print(len(d))\nd = {}\nprint(len(d))",
        "    d = m.dict()\nwith pytest.raises(OSError):\n    print(len(d))",
        "    d = m.dict()\ntry:\n    print(len(d))\nexcept OSError:\n    pass",
        "    d = m.dict()\ndef later():\n    return len(d)",
        "    d = m.dict()\nprint(d)",
    ],
)
def test_what_is_fine(body: str) -> None:
    assert _found(body) == []


@pytest.mark.parametrize(
    "head",
    ["m = Manager()\nif path:", "m = Manager()\nfor _ in range(3):", "with open(path) as m:", "with mp.Pool() as m:"],
)
def test_what_enters_no_manager(head: str) -> None:
    assert _found("    d = m.dict()\n    return d", head) == []
    assert _found("    d = m.dict()\nprint(len(d))", head) == []
