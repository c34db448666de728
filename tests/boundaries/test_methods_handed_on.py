"""Methods of pools and executors that are handed to functions and objects: `run(pool.map, items)`."""

from __future__ import annotations

import pytest

from tests.support import marks

RUN = """\
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


def run(apply, items):
    return list(apply(lambda item: item + 1, items))


def outer(apply, items):
    return run(apply, items)


def main():
    with {pool}(2) as pool:
        print({use})


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("pool", "use"),
    [
        ("Pool", "run(pool.map, [1, 2])"),
        ("Pool", "run(apply=pool.imap_unordered, items=[1, 2])"),
        ("Pool", "run(partial(pool.map, chunksize=4), [1, 2])"),
        ("Pool", "run(pool.map if len([1]) else map, [1, 2])"),
        ("Pool", "outer(pool.map, [1, 2])"),
        ("ProcessPoolExecutor", "run(pool.map, [1, 2])"),
    ],
)
def test_given_to_a_function(pool: str, use: str) -> None:
    assert marks(RUN.format(pool=pool, use=use)) == [(8, "LP201")]


@pytest.mark.parametrize(
    ("pool", "use"),
    [
        pytest.param("ThreadPool", "run(pool.map, [1, 2])", id="of threads"),
        pytest.param("ThreadPoolExecutor", "run(pool.map, [1, 2])", id="executor of threads"),
        pytest.param("Pool", "run(map, pool.map(abs, [1, 2]))", id="only its results"),
        pytest.param("Pool", "run(map, [pool.map])", id="as an item"),
        pytest.param("Pool", "[run(map, [1]), print(pool.map)]", id="to another function"),
    ],
)
def test_what_is_no_method_of_processes_where_it_is_called(pool: str, use: str) -> None:
    assert marks(RUN.format(pool=pool, use=use)) == []


JOBS = """\
from multiprocessing import Pool


def call(job):
    return job()


def run(apply, jobs):
    return apply(call, jobs)


def zero():
    return 0


if __name__ == "__main__":
    with Pool(2) as pool:
        print(run(pool.map, [{job}]))
"""


def test_what_is_sent_by_it() -> None:
    assert marks(JOBS.format(job="lambda: 0")) == [(18, "LP102")]


def test_what_can_be_sent_by_it() -> None:
    assert marks(JOBS.format(job="zero")) == []


SAMPLER = """\
from multiprocessing import Pool


def score(x):
    return -x * x


class Sampler:
    def __init__(self, score, pool=None):
        self.score = score
        self.log = print
        if pool is None:
            self._map = map
        else:
            self._map = pool.map

    def sample(self, points):
        return list(self._map({sent}, points))


def main():
    with Pool(2) as pool:
        print(Sampler({score}, {pool}).sample([1, 2]))


if __name__ == "__main__":
    main()
"""


def test_kept_by_an_object() -> None:
    found = marks(SAMPLER.format(score="lambda x: -x * x", pool="pool", sent="self.score"))
    assert found == [(23, "LP201")]


@pytest.mark.parametrize(
    ("score", "pool"),
    [
        pytest.param("score", "pool", id="a function of the module"),
        pytest.param("lambda x: -x * x", "None", id="no pool"),
        pytest.param("lambda x: -x * x", "pool if pool is None else None", id="none of its options"),
    ],
)
def test_kept_by_an_object_that_sends_what_can_be_sent(score: str, pool: str) -> None:
    assert marks(SAMPLER.format(score=score, pool=pool, sent="self.score")) == []


def test_an_object_that_keeps_one_and_sends_itself() -> None:
    """Measured on 3.11: NotImplementedError: pool objects cannot be passed between processes or pickled."""
    code = SAMPLER.format(score="score", pool="pool", sent="self.value").replace(
        "    def sample(", "    def value(self, x):\n        return self.score(x)\n\n    def sample("
    )
    assert [code for _, code in marks(code)] == ["LP111"]


SUBMIT = """\
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def upper(name):
    return name.upper()


def start_all(submit, names):
    futures = [submit({sent}) for name in names]
    return [future.result() for future in futures]


def main():
    with {executor}() as executor:
        print(start_all(executor.submit, ["a", "b"]))


if __name__ == "__main__":
    main()
"""


def test_submit() -> None:
    assert marks(SUBMIT.format(executor="ProcessPoolExecutor", sent="lambda: name.upper()")) == [(9, "LP201")]


@pytest.mark.parametrize(
    ("executor", "sent"), [("ThreadPoolExecutor", "lambda: name.upper()"), ("ProcessPoolExecutor", "upper, name")]
)
def test_submit_of_what_can_be_sent(executor: str, sent: str) -> None:
    assert marks(SUBMIT.format(executor=executor, sent=sent)) == []


MAKER = """\
from multiprocessing import Pool


def get_mapper(workers):
    if workers > 1:
        return Pool(workers).map
    return map


def main():
    mapper = get_mapper({workers})
    print(list(mapper({sent}, [1, 2])))


if __name__ == "__main__":
    main()
"""


def test_returned() -> None:
    assert marks(MAKER.format(workers=2, sent="lambda x: x")) == [(12, "LP201")]


@pytest.mark.parametrize(("workers", "sent"), [(1, "lambda x: x"), (2, "abs")])
def test_returned_but_harmless(workers: int, sent: str) -> None:
    assert marks(MAKER.format(workers=workers, sent=sent)) == []
