"""LP225: proxy-outlives-manager."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import changed


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


_KEPT = """\
from multiprocessing import Manager, Pool

def work(shared):
    shared["a"] = 1

class Sweep:
    def __init__(self):
        self.board = {}

    def execute(self):
        with Manager() as manager, Pool(2) as pool:
            self.board = manager.dict()
            pool.map(work, [self.board])
            self.count()
        return self

    def count(self):
        return 1

    def ranking(self):
        return sorted(self.board.items())

    def other(self):
        return self.board

def main(path):
    sweep = Sweep()
    sweep.execute()
    sweep.ranking()

if __name__ == "__main__":
    main("a")
"""
_CALLS = "    sweep = Sweep()\n    sweep.execute()\n    sweep.ranking()\n"


def _kept(**changes: tuple[str, str]) -> list[str]:
    text = changed(_KEPT, *changes.values())
    return [code for code in codes(text) if code == "LP225"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param((_CALLS, _CALLS), id="called behind"),
        pytest.param((_CALLS, "    sweep = Sweep().execute()\n    print(sweep.ranking())\n"), id="itself returned"),
        pytest.param((_CALLS, "    print(Sweep().execute().ranking())\n"), id="in one expression"),
        pytest.param(("        return self\n", "        return self.ranking()\n"), id="by the method itself"),
        pytest.param(("        return self\n", "        return len(self.board)\n"), id="asked by the method itself"),
        pytest.param(
            (
                "    def other(self)",
                "    def run(self):\n        self.execute()\n        self.ranking()\n\n    def other(self)",
            ),
            id="by a third method",
        ),
        pytest.param(("sorted(self.board.items())", "self.board['a']"), id="item"),
    ],
)
def test_what_another_method_asks(change: tuple[str, str]) -> None:
    assert _kept(change=change) == ["LP225"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(("self.count()", "self.board = dict(self.board)"), id="copied in the with"),
        pytest.param(("        return self\n", "        self.board = {}\n        return self\n"), id="replaced behind"),
        pytest.param((_CALLS, "    sweep = Sweep()\n    sweep.ranking()\n    sweep.execute()\n"), id="asked before"),
        pytest.param((_CALLS, "    Sweep().execute()\n    Sweep().ranking()\n"), id="of another object"),
        pytest.param((_CALLS, "    sweep = Sweep()\n    sweep.execute()\n    sweep.count()\n"), id="asks for nothing"),
        pytest.param((_CALLS, "    sweep = Sweep()\n    sweep.execute()\n    sweep.other()\n"), id="hands it on"),
        pytest.param((_CALLS, "    sweep = Sweep()\n    serve(sweep)\n"), id="nobody is seen to call it"),
        pytest.param(
            (
                _CALLS,
                "    sweep = Sweep()\n    if path:\n        sweep.execute()\n    else:\n        sweep.ranking()\n",
            ),
            id="the one or the other",
        ),
        pytest.param(
            ("        return 1\n", "        self.board = dict(self.board)\n"), id="another method may have copied it"
        ),
        pytest.param(
            ("        return sorted(", "        self.board = {}\n        return sorted("), id="made anew by the method"
        ),
        pytest.param(
            (
                "return sorted(self.board.items())",
                "try:\n            return sorted(self.board.items())\n        except OSError:\n            return []",
            ),
            id="expects it",
        ),
        pytest.param(
            ("with Manager() as manager, Pool(2) as pool:", "manager = Manager()\n        if 1:"), id="no with"
        ),
    ],
)
def test_what_another_method_may_ask(change: tuple[str, str]) -> None:
    assert _kept(change=change) == []


def test_a_method_called_by_the_with_asks_a_living_proxy() -> None:
    assert _kept(inside=("self.count()", "self.ranking()"), calls=(_CALLS, "    Sweep().execute()\n")) == []
