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


_SHUT_DOWN = """\
import atexit
import multiprocessing as mp
import pytest

def work(shared):
    shared["a"] = 1

def make(path):
    m = mp.Manager()
    d = m.dict()
    mp.Process(target=work, args=(d,)).start()
{body}
"""


def _shut_down(body: str) -> list[str]:
    return [code for code in codes(_SHUT_DOWN.format(body=indent(body, "    "))) if code == "LP225"]


@pytest.mark.parametrize(
    "body",
    [
        "m.shutdown()\nprint(len(d))",
        "m.shutdown()\nreturn d",
        "m.shutdown()\nreturn {'rows': d}",
        "m.__exit__(None, None, None)\nprint(d['a'])",
        "try:\n    work(d)\nfinally:\n    m.shutdown()\nprint(len(d))",
        "try:\n    return d\nfinally:\n    m.shutdown()",
        "if path:\n    m.shutdown()\n    print(len(d))",
        "m.shutdown()\nif path:\n    print(len(d))",
        "m.shutdown()\nfor each in d:\n    print(each)",
    ],
)
def test_what_is_used_behind_a_shutdown(body: str) -> None:
    assert _shut_down(body) == ["LP225"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("print(len(d))\nm.shutdown()", id="before"),
        pytest.param("d = dict(d)\nm.shutdown()\nprint(len(d))", id="a copy"),
        pytest.param("rows = dict(d)\nm.shutdown()\nreturn rows", id="a copy under another name"),
        pytest.param("try:\n    return dict(d)\nfinally:\n    m.shutdown()", id="a copy that is returned"),
        pytest.param("if path:\n    m.shutdown()\nprint(len(d))", id="perhaps"),
        pytest.param("if path:\n    m.shutdown()\n    return None\nprint(len(d))", id="never both"),
        pytest.param("if path:\n    m.shutdown()\nelse:\n    print(len(d))", id="the one or the other"),
        pytest.param("m.shutdown()\nprint(d)", id="printed only"),
        pytest.param("m.shutdown()\nwith pytest.raises(OSError):\n    len(d)", id="expects it"),
        pytest.param("atexit.register(m.shutdown)\nprint(len(d))", id="at exit"),
        pytest.param("def stop():\n    m.shutdown()\nprint(len(d))", id="later"),
        pytest.param("m.join()\nprint(len(d))", id="another method"),
        pytest.param("other = mp.Manager()\nother.shutdown()\nprint(len(d))", id="another manager"),
        pytest.param("m.shutdown()\nm = mp.Manager()\nd = m.dict()\nprint(len(d))", id="a new one"),
        pytest.param("yield d\nm.shutdown()\nprint(len(d))", id="gap: a generator"),
    ],
)
def test_what_may_be_used_around_a_shutdown(body: str) -> None:
    assert _shut_down(body) == []


_CLOSED = """\
import functools
import multiprocessing as mp
from multiprocessing import Manager

def work(shared):
    shared["a"] = 1

class Board:
    def __init__(self):
        self._manager = None
        self.scores = {}

    def open(self):
        self._manager = Manager()
        self.scores = self._manager.dict()
        return self

    def __enter__(self):
        self._manager = Manager()
        self.scores = self._manager.dict()
        return self

    def close(self):
        self._manager.shutdown()

    def __exit__(self, *error):
        self._manager.shutdown()

    def ranking(self):
        return sorted(self.scores.items())

    def other(self):
        return self.scores

def play():
    with Board() as board:
        work(board.scores)
    return board, 1

def main(path):
    with Board() as board:
        mp.Process(target=work, args=(board.scores,)).start()
    board.ranking()

if __name__ == "__main__":
    main("a")
"""
_OPEN = _CLOSED[_CLOSED.index("    def open") : _CLOSED.index("    def __enter__")]
_ENTER = _CLOSED[_CLOSED.index("    def __enter__") : _CLOSED.index("    def close")]
_MAIN = _CLOSED[_CLOSED.index("    with Board() as board:\n        mp") : _CLOSED.index("\nif __name__")]
_IN_WITH = _MAIN.replace("    board.ranking()\n", "")


def _closed(main: str = _MAIN, *changes: tuple[str, str], opened: bool = False) -> list[str]:
    """With one of the two methods that open the object."""
    text = changed(_CLOSED, (_ENTER, "") if opened else (_OPEN, ""), (_MAIN, main), *changes)
    return [code for code in codes(text) if code == "LP225"]


@pytest.mark.parametrize(
    "main",
    [
        pytest.param(_MAIN, id="by a method"),
        pytest.param(_IN_WITH + "    print(len(board.scores))\n", id="by the function"),
        pytest.param(_IN_WITH + "    if path:\n        print(board.ranking())\n", id="perhaps"),
        pytest.param("    board = Board()\n" + _IN_WITH.replace("Board() as board", "board") + "    board.ranking()\n"),
        pytest.param("    board, number = play()\n    board.ranking()\n", id="given back"),
        pytest.param("    board, number = play()\n    print(len(board.scores))\n", id="given back and asked"),
        pytest.param("    print(play()[0].ranking())\n", id="in one expression"),
    ],
)
def test_what_is_asked_behind_the_with_of_an_object(main: str) -> None:
    assert _closed(main) == ["LP225"]


@pytest.mark.parametrize(
    ("main", "changes"),
    [
        pytest.param(_IN_WITH, (), id="in the with only"),
        pytest.param(_IN_WITH.replace("mp.Pro", "board.ranking()\n        mp.Pro"), (), id="a method in the with"),
        pytest.param(_IN_WITH + "    print(board.other())\n", (), id="handed on"),
        pytest.param(_IN_WITH + "    print(Board().ranking())\n", (), id="of another object"),
        pytest.param(_IN_WITH + "    with board:\n        board.ranking()\n", (), id="opened again"),
        pytest.param(
            _IN_WITH + "    try:\n        board.ranking()\n    except OSError:\n        pass\n", (), id="expects it"
        ),
        pytest.param("    board = play\n    print(board)\n", (), id="not called"),
        pytest.param(
            _MAIN, (("error):\n        self._m", "error):\n        self.scores = {}\n        self._m"),), id="copied"
        ),
        pytest.param(
            _MAIN, (("def other(self):", "def other(self):\n        self.scores = {}"),), id="may be replaced"
        ),
        pytest.param(
            _MAIN, (("self.scores = self._manager.dict()", "self.scores = dict(self._manager.dict())"),), id="plain"
        ),
        pytest.param(
            _MAIN, (("*error):\n        self", "*error):\n        if error[0]:\n            self"),), id="on errors"
        ),
        pytest.param(_MAIN, (("= Manager()", "= mp.Pool()"),), id="no manager"),
        pytest.param(_MAIN, (("return sorted(", "self.__enter__()\n        return sorted("),), id="opens itself"),
    ],
)
def test_what_may_be_asked_around_the_with_of_an_object(main: str, changes: tuple[tuple[str, str], ...]) -> None:
    assert _closed(main, *changes) == []


_OPENED = "    board = Board()\n    board.open()\n    work(board.scores)\n"


@pytest.mark.parametrize(
    ("main", "changes"),
    [
        (_OPENED + "    board.close()\n    board.ranking()\n", ()),
        (_OPENED + "    board.close()\n    print(len(board.scores))\n", ()),
        (
            _OPENED
            + "    try:\n        work(board.scores)\n    finally:\n        board.close()\n    board.ranking()\n",
            (),
        ),
        ("    board = Board().open()\n    board.close()\n    board.ranking()\n", ()),
        (
            _OPENED + "    board.close()\n",
            (
                (
                    "def close(self):\n        self",
                    "def close(self):\n        self._manager.shutdown()\n        len(self.scores)\n        self",
                ),
            ),
        ),
        (
            _OPENED + "    board.close()\n    board.ranking()\n",
            (("self._manager.shutdown()", "if self._manager is not None:\n            self._manager.shutdown()"),),
        ),
        (
            _OPENED + "    board.close()\n    board.ranking()\n",
            (
                (
                    "self._manager.shutdown()",
                    "if self._manager is None:\n            return\n        self._manager.shutdown()",
                ),
            ),
        ),
    ],
)
def test_what_is_asked_when_an_object_is_closed(main: str, changes: tuple[tuple[str, str], ...]) -> None:
    assert _closed(main, *changes, opened=True) == ["LP225"]


@pytest.mark.parametrize(
    "main",
    [
        pytest.param(_OPENED + "    board.ranking()\n    board.close()\n", id="before"),
        pytest.param(_OPENED + "    if path:\n        board.close()\n    board.ranking()\n", id="perhaps"),
        pytest.param(_OPENED + "    board.close()\n    board.open()\n    board.ranking()\n", id="opened again"),
        pytest.param(_OPENED + "    board.close()\n    Board().open().ranking()\n", id="another object"),
        pytest.param(_OPENED + "    for n in range(3):\n        board.ranking()\n    board.close()\n", id="in a loop"),
    ],
)
def test_what_may_be_asked_of_an_object_that_is_closed(main: str) -> None:
    assert _closed(main, opened=True) == []
