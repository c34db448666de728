"""Attributes that methods, or the constructor, set on the class: what reading them through an object gives. Each was
run."""

from __future__ import annotations

import pytest

from tests.support import marks

SERVICE = """\
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


class Service:
    {pool}

    def __init__(self, pool):
        {stores}
        self.lock = threading.Lock()

    def score(self, item):
        return item * 2

    def rank(self, items):
        return [self.pool.submit(self.score, each) for each in items]


def main():
    with {made} as pool:
        service = Service(pool)
        print([each.result() for each in service.rank([1, 2])])


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("pool", ["pool = None", '"""Ranks."""'])
@pytest.mark.parametrize("stores", ["Service.pool = pool", "type(self).pool = pool", "self.__class__.pool = pool"])
@pytest.mark.parametrize(("made", "fires"), [("ProcessPoolExecutor(2)", True), ("ThreadPoolExecutor(2)", False)])
def test_a_pool_of_the_class(pool: str, stores: str, made: str, fires: bool) -> None:
    found = marks(SERVICE.format(pool=pool, stores=stores, made=made))
    assert found == ([(10, "LP111")] if fires else [])


def test_the_class_is_not_in_the_state() -> None:
    text = """\
import pickle
import threading


class Counter:
    def __init__(self):
        Counter.lock = threading.Lock()

    def locked(self):
        return self.lock


pickle.dumps(Counter())
"""
    assert marks(text) == []
