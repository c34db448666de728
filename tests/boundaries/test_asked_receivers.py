"""Methods called only on what has an attribute that a pool lacks are those of another library's pool."""

from __future__ import annotations

import pytest

from tests.support import marks

CODE = """\
import ipyparallel
from multiprocessing import Pool


class Jobs:
    def __init__(self, ipython=False):
        self.pool = None
        self.results = []
        if ipython:
            self.pool = ipyparallel.Client().load_balanced_view()
        else:
            self.pool = Pool(4)

    @property
    def is_cluster(self):
        \"\"\"Whether the pool is one of ipyparallel.\"\"\"
        {returned}

    def add(self, items):
        def test(item):
            return item + 1

        for item in items:
            if {asked}:
                self.results.append(self.pool.apply_async(test, (item,)))
            {otherwise}


if __name__ == "__main__":
    Jobs().add([1, 2])
"""
HAS = 'return hasattr(self.pool, "client")'


@pytest.mark.parametrize(
    ("returned", "asked"),
    [
        (HAS, "self.is_cluster"),
        (HAS, 'hasattr(self.pool, "client")'),
        (HAS, "self.results is not None and self.is_cluster"),
        ('return hasattr(self.pool, "client")', "len(items) > 1 and self.is_cluster"),
    ],
)
def test_only_on_a_pool_of_another_library(returned: str, asked: str) -> None:
    assert not marks(CODE.format(returned=returned, asked=asked, otherwise=""))


@pytest.mark.parametrize(
    ("returned", "asked", "otherwise"),
    [
        (HAS, "not self.is_cluster", ""),
        (HAS, 'hasattr(self.pool, "apply_async")', ""),
        (HAS, 'hasattr(self.pool, "_pool")', ""),
        (HAS, 'hasattr(ipyparallel, "client")', ""),
        (HAS, 'len(items) > 1 or hasattr(self.pool, "client")', ""),
        ('return hasattr(self.pool, "apply_async")', "self.is_cluster", ""),
        ('return not hasattr(self.pool, "client")', "self.is_cluster", ""),
        (HAS, "self.is_cluster", "else:\n                self.pool.apply_async(test, (item,))"),
    ],
)
def test_on_a_pool_of_processes(returned: str, asked: str, otherwise: str) -> None:
    assert [code for _, code in marks(CODE.format(returned=returned, asked=asked, otherwise=otherwise))] == ["LP202"]
