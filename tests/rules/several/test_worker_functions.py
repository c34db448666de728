"""LP201 to LP208: forms that the rule pages and the fixture projects do not show."""

from __future__ import annotations

import pytest

from tests.rules.worker_functions import codes


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
            "def f(x):\n    def g(y):\n        pass\n    with mp.Pool() as p:\n"
            "        p.apply_async(g, (x,))\n        p.close()\n        p.join()\n",
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
            "def f(x):\n    with mp.Pool() as p:\n        return p.map_async(len, x, callback=lambda r: r).get()\n",
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
