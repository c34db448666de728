"""Workers' functions are followed with what they are given, and what they send back is judged."""

from __future__ import annotations

import pytest

from tests.support import marks

GUARD = 'if __name__ == "__main__":\n    main()\n'
LEVEL = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor
from functools import partial
class T:
    level = None
    def get(self):
        return self.level
    def __call__(self):
        return self.level
def use(t, n=0, other=None):
    return {used}
def main():
    T.level = 3
    {started}
"""


def found(text: str) -> set[str]:
    return {code for _, code in marks(text)}


@pytest.mark.parametrize("used", ["t.get()", "t()"])
@pytest.mark.parametrize(
    "started",
    [
        "mp.Process(target=use, args=(T(), 1)).start()",
        "mp.Process(target=use, kwargs={'t': T()}).start()",
        "mp.Pool(2).apply_async(use, (T(),))",
        "mp.Pool(2).map(use, [T() for _ in range(3)])",
        "ProcessPoolExecutor().submit(use, T(), n=1)",
        "ProcessPoolExecutor().submit(use, t=T())",
        "mp.Pool(2).map(partial(use, T()), range(3))",
        "mp.Pool(2).map(partial(use, other=1, t=T()), range(3))",
        "mp.Process(target=partial(use, T(), other=2)).start()",
    ],
)
def test_a_method_of_an_argument_runs_in_the_worker(used: str, started: str) -> None:
    assert found(LEVEL.format(used=used, started=started) + GUARD) == {"LP208"}


@pytest.mark.parametrize(
    "started",
    [
        "mp.Process(target=use, args=(T(), 1)).start()",
        "mp.Pool(2).map(partial(use, n=1, other=T()), range(3))",
    ],
)
def test_a_method_of_another_object_does_not(started: str) -> None:
    used = "n" if "other" not in started else "n.get()"
    assert found(LEVEL.format(used=used, started=started) + GUARD) == set()


TABLE = """\
import multiprocessing as mp
class T:
    table = {{}}
    @classmethod
    def configure(cls, words):
        {set_}
    def look(self, word):
        return self.table[word]
def use(t):
    return t.look("a")
def main():
    T.configure(["a"])
    mp.Process(target=use, args=(T(),)).start()
"""


@pytest.mark.parametrize(
    ("set_", "expected"),
    [
        ("cls.table = {word: 1 for word in words}", {"LP210"}),
        ("cls.table[words[0]] = 1", {"LP210"}),
        ("print(cls.table, words)", set()),
    ],
)
def test_a_container_of_a_class_that_a_class_method_gives_it(set_: str, expected: set[str]) -> None:
    assert found(TABLE.format(set_=set_) + GUARD) == expected


RESULT = """\
import multiprocessing as mp
from collections import OrderedDict
class B(OrderedDict):
    def __init__(self, limit{default}):
        super().__init__()
        self.limit = limit
def make(n):
    return {made}
def main():
    with mp.Pool(2) as pool:
        pool.map(make, [3])
"""


@pytest.mark.parametrize(
    ("default", "made", "expected"),
    [
        ("", "B(n)", {"LP606"}),
        ("", "(n, [B(n)])", {"LP606"}),
        ("=1", "B(n)", set()),
        ("", "len(B(n))", set()),
    ],
)
def test_a_result_that_cannot_be_rebuilt(default: str, made: str, expected: set[str]) -> None:
    assert found(RESULT.format(default=default, made=made) + GUARD) == expected


CONFIG = """\
import multiprocessing as mp
def normalize(mean, std):
    def apply(x):
        return (x - mean) / std
    return apply
class Scale:
    def __init__(self, by):
        self.by = by
MAKERS = {"normalize": normalize, "scale": Scale}
CONFIG = {"scale": {"by": 2}, "normalize": {"mean": 1, "std": 2}}
class Job:
    def __init__(self, steps):
        self.steps = list(steps)
def use(job):
    return 1
def main():
    job = Job(MAKERS[name](**options) for name, options in CONFIG.items())
    mp.Process(target=use, args=(job,)).start()
"""


def test_each_of_several_mappings_fits_its_own_function() -> None:
    assert found(CONFIG + GUARD) == {"LP103"}
