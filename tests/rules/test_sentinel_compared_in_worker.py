"""LP216: sentinel-compared-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint

GUARD = "if __name__ == '__main__':\n    main()\n"
GIVEN = "def main():\n    mp.Process(target=g, args=(N,))\n"
TASKED = "def main():\n    mp.Process(target=g, args=(T(),))\n"
NAMED = "def main():\n    mp.Process(target=g, kwargs={'y': N})\n"
TASK = "class T:\n    def __init__(self, v=N):\n        self.v = v\n"


class TestPage(PageTests):
    code = "LP216"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("def g(x):\n    return x is N\n" + GIVEN, id="argument"),
        pytest.param(
            "def g(x, y=1):\n    return y is not N\n" + NAMED,
            id="keyword",
        ),
        pytest.param(f"{TASK}def g(t):\n    return t.v is N\n" + TASKED, id="attr"),
        pytest.param(
            f"{TASK}    def run(self):\n        return self.v is N\ndef main():\n    mp.Process(target=T().run)\n",
            id="attribute of self",
        ),
        pytest.param(
            f"{TASK}def h(a, b):\n    return b if a is N else a\ndef g(t):\n    return h(t.v, 3)\n{TASKED}",
            id="attribute that a function is given",
        ),
        pytest.param(
            f"{TASK}def h(b, a):\n    return b if a is N else a\ndef g(t):\n    return h(3, a=t.v)\n{TASKED}",
            id="attribute that a function is given by name",
        ),
        pytest.param("def g(x):\n    return x is N\ndef main():\n    mp.Pool(1).apply(g, (N,))\n", id="of a pool"),
    ],
)
def test_what_arrives_as_another_object(body: str) -> None:
    assert codes(f"N = object()\n{body}{GUARD}") == ["LP216"]


@pytest.mark.parametrize(
    ("made", "fires"),
    [
        ("N = object()", True),
        ("class C:\n    pass\nN = C()", True),
        ("class C:\n    def __repr__(self):\n        return 'N'\nN = C()", True),
        ("class C:\n    def __reduce__(self):\n        return 'N'\nN = C()", False),
        ("class C:\n    def __eq__(self, other):\n        return True\nN = C()", False),
        ("class C:\n    pass\nN = C", False),
        ("N = None", False),
        ("N = ()", False),
        ("import enum\nclass C(enum.Enum):\n    A = 1\nN = C.A", False),
    ],
)
def test_how_it_is_made(made: str, fires: bool) -> None:
    body = "def g(x):\n    return x is N\n" + GIVEN
    assert codes(f"{made}\n{body}{GUARD}") == ["LP216"] * fires


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("def g(x=N):\n    return x is N\ndef main():\n    mp.Process(target=g)\n", id="not shipped"),
        pytest.param("def g(x):\n    return x\n" + GIVEN, id="not compared"),
        pytest.param("def g(x):\n    return x == N\n" + GIVEN, id="equality"),
        pytest.param(
            "def h(d, key=N):\n    return key is N\ndef g(x):\n    h(x)\n" + GIVEN,
            id="of a function that it calls",
        ),
        pytest.param(
            f"{TASK}        self.w = 1\ndef h(a, b):\n    return a is N\ndef g(t):\n    return h(t.w, t.v)\n{TASKED}",
            id="another attribute that a function is given",
        ),
        pytest.param(
            f"{TASK}        self.w = 1\ndef g(t):\n    return t.w is N\n" + TASKED,
            id="another attribute",
        ),
        pytest.param(
            "def g(x):\n    return x is N\ndef main():\n    mp.get_context('fork').Process(target=g, args=(N,))\n",
            id="forked",
        ),
    ],
)
def test_what_is_not_compared_or_not_pickled(body: str) -> None:
    assert codes(f"N = object()\n{body}{GUARD}") == []


QUEUED = "def main():\n    q = mp.Queue()\n    mp.Process(target=g, args=(q,)).start()\n    q.put(N)\n"


@pytest.mark.parametrize(
    "body",
    [
        "def g(q):\n    while True:\n        x = q.get()\n        if x is N:\n            break\n",
        "def g(q):\n    x = q.get(timeout=3)\n    return x is not N\n",
        "def g(q):\n    x = q.get()\n    return x == N\n",
        "def g(q):\n    while (x := q.get()) is not N:\n        print(x)\n",
        "def g(q):\n    return q.get() is N\n",
        "def g(q):\n    for x in iter(q.get, N):\n        print(x)\n",
        "def g(c):\n    x = c.recv()\n    return x is N\n",
    ],
)
def test_what_a_queue_gives(body: str) -> None:
    assert codes(f"N = object()\n{body}{QUEUED}{GUARD}") == ["LP216"]


def test_forked_processes_get_another_object_from_a_queue_too() -> None:
    body = "def g(q):\n    x = q.get()\n    return x is N\n" + QUEUED.replace(
        "mp.Process", "mp.get_context('fork').Process"
    )
    assert codes(f"N = object()\n{body}{GUARD}") == ["LP216"]


@pytest.mark.parametrize(
    ("made", "body"),
    [
        pytest.param("None", "def g(q):\n    x = q.get()\n    return x is N\n", id="None"),
        pytest.param("'stop'", "def g(q):\n    x = q.get()\n    return x == N\n", id="text"),
        pytest.param("object()", "def g(q, d={}):\n    x = d.get('a', N)\n    return x is N\n", id="dictionary"),
        pytest.param("object()", "def g(q):\n    x = q.get()\n    return x  # x is N\n", id="comment"),
        pytest.param("object()", "def g(q, y=None):\n    y = y or q\n    return y is N\n", id="not from the queue"),
        pytest.param(
            "object()",
            "import queue\ndef g(q):\n    own = queue.Queue()\n    own.put(N)\n    x = own.get()\n    return x is N\n",
            id="a queue of its own",
        ),
    ],
)
def test_what_is_no_sentinel_or_comes_from_elsewhere(made: str, body: str) -> None:
    assert codes(f"N = {made}\n{body}{QUEUED}{GUARD}") == []


def test_what_the_worker_puts_itself() -> None:
    body = "def g(q, own):\n    own.put(N)\n    x = own.get()\n    return x is N\n" + QUEUED.replace(
        "q.put(N)", "q.put(1)"
    )
    assert codes(f"N = object()\n{body}{GUARD}") == []


CARRIED = """\
N = object()
class A:
    def __init__(self, x=N):
        self.x = x
        self.all = dict(x=x)
    def go(self):
{body}
def g(a):
    return a.go()
def main():
    mp.Pool(2).map(g, [A()])
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("        v = self.x\n        return v is N\n", True),
        ("        return self.all['x'] is N\n", True),
        ("        v = self.all['x']\n        return v is not N\n", True),
        ("        v = self.all.get('x')\n        return v is N\n", True),
        ("        v = self.all.get('y', N)\n        return v is N\n", False),
        ("        for key in vars(self):\n            v = getattr(self, key)\n            return v is N\n", True),
        ("        v = getattr(self, 'x', None)\n        return v is N\n", True),
        ("        v = getattr(self, 'y', None)\n        return v is N\n", False),
        ("        v = 1\n        return v is N\n", False),
        ("        v = self.all['x']\n        return v is None\n", False),
    ],
)
def test_what_a_variable_or_a_dict_holds(body: str, found: bool) -> None:
    assert codes(CARRIED.format(body=body) + GUARD) == (["LP216"] if found else [])


def test_the_trail_begins_where_the_object_is_made() -> None:
    parts = "import multiprocessing as mp\n\nN = object()\n\ndef g(x):\n    return x is N\n"
    (found,) = lint(f"{parts}{GIVEN}{GUARD}", also="LP216").diagnostics
    assert found.trail[0].location.start.row == 3
    queue = "def g(q):\n    while q.get() is not N:\n        pass\n"
    main = "def main():\n    q = mp.Queue()\n    mp.Process(target=g, args=(q,)).start()\n    q.put(N)\n"
    (found,) = lint(f"import multiprocessing as mp\n\n\nN = object()\n{queue}{main}{GUARD}").diagnostics
    assert (found.code, found.trail[0].location.start.row) == ("LP216", 4)
