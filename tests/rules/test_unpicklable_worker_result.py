"""LP206: unpicklable-worker-result."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP206"


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
            "class D(Dataset):\n    def __getitem__(self, i):\n        return {}.items()\n"
            "def f():\n    DataLoader(D(), num_workers=1, collate_fn=list)\n",
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
            "class D(Dataset):\n    def names(self):\n        return {}.items()\n"
            "    def __getitem__(self, i):\n        return sorted(self.names())\n"
            "def f():\n    DataLoader(D(), num_workers=1, batch_size=None)\n",
            id="only a helper returns it",
        ),
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


def test_samples_that_are_counted_or_plain() -> None:
    counted = "class D(Dataset):\n    def __getitem__(self, i):\n        return {}.items()\n"
    assert codes(counted + "def f():\n    DataLoader(D(), num_workers=1, collate_fn=len)\n") == []
    plain = counted.replace("{}.items()", "list({}.items())")
    assert codes(plain + "def f():\n    DataLoader(D(), num_workers=1, collate_fn=list)\n") == []


REGISTERED = """\
import copyreg
from types import MappingProxyType
class A:
    def __init__(self, x):
        self.x = MappingProxyType({{"a": x}})
def g(a):
    return a
{registered}
def main():
    with ProcessPoolExecutor() as e:
        e.submit(g, A(1))
if __name__ == "__main__":
    main()
"""


def test_what_the_program_says_how_to_pickle() -> None:
    registered = "copyreg.pickle(MappingProxyType, lambda each: (dict, (dict(each),)))"
    assert "LP206" in codes(REGISTERED.format(registered=""))
    assert codes(REGISTERED.format(registered=registered)) == []


ITERATED = """\
def read(rows):
    for row in rows:
        yield {sample}

class Rows(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        {giving}

def collate(batch):
    return {collated}

def load(rows):
    return DataLoader(Rows(rows), num_workers=2, batch_size={size}, collate_fn=collate)
"""


@pytest.mark.parametrize(
    ("giving", "sample", "collated", "size", "expected"),
    [
        ("return read(self.rows)", "row", "batch", "None", []),
        ("return read(self.rows)", "row", "batch", "4", []),
        ("return (row for row in self.rows)", "", "batch", "None", []),
        ("return read(self.rows)", "{}.keys()", "batch", "None", ["LP206"]),
        ("return read(self.rows)", "{}.keys()", "batch", "4", ["LP206"]),
        ("return ({}.keys() for row in self.rows)", "row", "batch", "None", ["LP206"]),
        ("yield read(self.rows)", "row", "batch", "None", ["LP206"]),
        ("yield {}.keys()", "row", "list(batch)", "None", []),
        ("yield {}.keys()", "row", "list(batch)", "4", ["LP206"]),
        ("yield [{}.keys()]", "row", "batch[0]", "None", ["LP206"]),
    ],
)
def test_a_worker_goes_through_what_iter_returns(
    giving: str, sample: str, collated: str, size: str, expected: list[str]
) -> None:
    text = ITERATED.format(giving=giving, sample=sample, collated=collated, size=size)
    found = [code for code in codes(text) if code == "LP206"]
    assert found == expected
