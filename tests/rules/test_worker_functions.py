"""LP201 to LP208: forms that the rule pages and the fixture projects do not show."""

from __future__ import annotations

import pytest

from ..support import fixed, lint, marks

IMPORTS = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from torch.utils.data import DataLoader, Dataset, IterableDataset
"""


def codes(body: str) -> list[str]:
    return [code for _, code in marks(IMPORTS + body) if code.startswith("LP2")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def f(d, n):\n    return DataLoader(d, num_workers=n, collate_fn=lambda b: b)\n", ["LP201"]),
        ("def f(d):\n    g = lambda i: i\n    return DataLoader(d, num_workers=1, worker_init_fn=g)\n", ["LP201"]),
        ("def f():\n    return mp.Process(target=lambda: 1)\n", ["LP201"]),
        ("def f(x):\n    with ProcessPoolExecutor() as e:\n        return e.submit(lambda: x)\n", ["LP201"]),
        ("same = lambda b: b\ndef f(d):\n    return DataLoader(d, num_workers=1, collate_fn=same)\n", ["LP201"]),
        ("def f():\n    def g():\n        pass\n    return mp.get_context('spawn').Process(target=g)\n", ["LP202"]),
        (
            "def f(x):\n    def g(y):\n        pass\n    with mp.Pool() as p:\n        p.apply_async(g, (x,))\n",
            ["LP202"],
        ),
    ],
)
def test_functions_without_an_importable_name(body: str, expected: list[str]) -> None:
    assert codes(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "def f(x):\n    with ThreadPoolExecutor() as e:\n        return e.submit(lambda: x)\n", id="threads"
        ),
        pytest.param("def f(d):\n    return DataLoader(d, collate_fn=lambda b: b)\n", id="no workers by default"),
        pytest.param("def f(d):\n    return DataLoader(d, num_workers=1, collate_fn=list)\n", id="a builtin"),
        pytest.param(
            "def f(d):\n    fork = 'fork'\n"
            "    return DataLoader(d, num_workers=1, multiprocessing_context=fork, collate_fn=lambda b: b)\n",
            id="its own context forks",
        ),
        pytest.param(
            "def f(x):\n    with mp.Pool() as p:\n        return p.map_async(len, x, callback=lambda r: r)\n",
            id="callbacks run in the parent",
        ),
        pytest.param(
            "def keep(g):\n    return g\n@keep\ndef h(b):\n    return b\n"
            "def f(d):\n    return DataLoader(d, num_workers=1, collate_fn=h)\n",
            id="a decorator that returns what it is given",
        ),
    ],
)
def test_functions_that_need_no_name(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "p = mp.Process(target=print)\np.start()\n",
        "class Job(mp.Process):\n    def run(self):\n        pass\n\nJob().start()\n",
        "with ProcessPoolExecutor() as e:\n    print(list(e.map(len, ['a'])))\n",
        "first = next(iter(DataLoader([1], num_workers=1)))\n",
        "batches = [b for b in DataLoader([1], num_workers=1)]\n",
        "loader = DataLoader([1], num_workers=1)\nfor i, b in enumerate(loader):\n    pass\n",
        "def main():\n    mp.Pool(2)\n\nif True:\n    main()\n",
        "class App:\n    def __init__(self):\n        self.pool = mp.Pool(2)\n\napp = App()\n",
    ],
)
def test_workers_that_start_at_import(body: str) -> None:
    assert codes(body) == ["LP203"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("p = mp.Process(target=print)\n", id="not started"),
        pytest.param("e = ProcessPoolExecutor()\n", id="starts when something is submitted"),
        pytest.param("with ThreadPoolExecutor() as e:\n    e.submit(print)\n", id="threads"),
        pytest.param("def main():\n    mp.Pool(2)\n", id="not called"),
        pytest.param("def main():\n    mp.Pool(2)\nif __name__ == '__main__':\n    main()\n", id="guarded"),
        pytest.param(
            "def main():\n    mp.Pool(2)\nif '__main__' == __name__ and main:\n    main()\n", id="guarded too"
        ),
        pytest.param("def main():\n    mp.Pool(2)\nmains = [main, lambda: main()]\n", id="only named"),
        pytest.param(
            "loaders = [DataLoader([1], num_workers=1)]\nfor x in loaders:\n    print(x)\n", id="a list of them"
        ),
        pytest.param("for b in DataLoader([1]):\n    pass\n", id="no workers by default"),
        pytest.param("mp.get_context('fork').Pool(2)\n", id="forked"),
        pytest.param("if mp.parent_process() is None:\n    mp.Pool(2)\n", id="another guard"),
    ],
)
def test_workers_that_do_not_start_at_import(body: str) -> None:
    assert "LP203" not in codes(body)


def test_a_known_number_of_workers_is_certain_and_an_unknown_one_likely() -> None:
    script = IMPORTS + "import sys\nfor b in DataLoader([1], num_workers={}):\n    pass\n"
    found = [lint(script.format(workers)).diagnostics[0] for workers in ("4", "int(sys.argv[1])")]
    assert [each.confidence.value for each in found] == ["certain", "likely"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def g(b):\n    return {}.keys()\ndef f(d):\n    DataLoader(d, num_workers=1, collate_fn=g)\n", ["LP206"]),
        ("def g(n):\n    yield n\ndef f(p):\n    with mp.Pool() as p:\n        p.map(g, [1])\n", ["LP206"]),
        (
            "def g(n):\n    return open(n)\ndef f(x):\n    with ProcessPoolExecutor() as e:\n        e.map(g, x)\n",
            ["LP206"],
        ),
        (
            "class D(Dataset):\n    def __getitem__(self, i):\n        return i, {}.items()\n"
            "def same(b):\n    return b\ndef f():\n    DataLoader(D(), num_workers=1, collate_fn=same)\n",
            ["LP206"],
        ),
        (
            "class D(IterableDataset):\n    def __iter__(self):\n        yield {}.items()\n"
            "def f():\n    DataLoader(D(), num_workers=1, batch_size=None)\n",
            ["LP206"],
        ),
    ],
)
def test_results_that_cannot_be_sent(body: str, expected: list[str]) -> None:
    assert codes(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("def g(n):\n    return list({}.keys())\ndef f(x):\n    mp.Pool().map(g, x)\n", id="a list"),
        pytest.param("def g(n):\n    return {}.keys()\ndef f(x):\n    mp.Process(target=g)\n", id="not sent back"),
        pytest.param("def g(n):\n    return {}.keys()\ndef f(x):\n    mp.Pool(initializer=g)\n", id="nor this"),
        pytest.param(
            "def g(i):\n    return lambda: i\ndef f(d):\n    DataLoader(d, num_workers=1, worker_init_fn=g)\n",
            id="or this",
        ),
        pytest.param("def g(b):\n    return {}.keys()\ndef f(d):\n    DataLoader(d, collate_fn=g)\n", id="no workers"),
        pytest.param(
            "class D(Dataset):\n    def __getitem__(self, i):\n        return i, {}.items()\n"
            "def f():\n    DataLoader(D(), num_workers=1)\n",
            id="torch refuses it, with or without workers",
        ),
        pytest.param(
            "class D(Dataset):\n    def __getitem__(self, i):\n        return i, {}.items()\n"
            "def first(b):\n    return [s[0] for s in b]\n"
            "def f():\n    DataLoader(D(), num_workers=1, collate_fn=first)\n",
            id="the collate function leaves it out",
        ),
    ],
)
def test_results_that_can_be_sent(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "def g():\n    return N\nif __name__ == '__main__':\n    N = 2\nelse:\n    N = 1\nmp.Process(target=g)\n",
            id="in both",
        ),
        pytest.param("def g():\n    return N\nif __name__ == '__main__':\n    N = 2\n    g()\n", id="no worker"),
        pytest.param(
            "N = None\ndef s():\n    global N\n    N = 1\ns()\n"
            "def g():\n    return N\ndef f():\n    mp.Process(target=g)\n",
            id="set at import by a function",
        ),
        pytest.param(
            "def g():\n    return N\n"
            "if __name__ == '__main__':\n    N = 2\n    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
    ],
)
def test_globals_that_workers_have(body: str) -> None:
    assert codes(body) == []


def test_what_a_lambda_captures_is_bound_only_when_asked() -> None:
    text = IMPORTS + "def f(d, n):\n    return DataLoader(d, num_workers=1, collate_fn=lambda b: b[:n])\n"
    assert fixed(text, unsafe=False) == text
    after = fixed(text, unsafe=True)
    assert "collate_fn=partial(_collate_fn, n=n)" in after
    assert codes(after.removeprefix(IMPORTS)) == []
