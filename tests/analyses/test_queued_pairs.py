"""LP232: results that several processes put into one queue. The bad ones were run with CPython 3.11."""

from __future__ import annotations

import pytest

from tests.support import lint

_PROGRAM = """\
import multiprocessing as mp


def embed(shard):
    return sum(shard)


def keyed(shard):
    return shard, sum(shard)


def worker(tasks, results, slot=0):
    for shard in iter(tasks.get, None):
        PUT


def one(shard, results):
    results.put(embed(shard))


class Embedder:
    def __init__(self, jobs):
        self.tasks = mp.Queue()
        self.results = mp.Queue()
        self.processes = [mp.Process(target=worker, args=(self.tasks, self.results)) for _ in range(jobs)]
        for process in self.processes:
            process.start()

    def run(self, shards):
        for shard in shards:
            self.tasks.put(shard)
        return [self.results.get() for _ in shards]


def main(shards, jobs=2):
    tasks, results = mp.Queue(), mp.Queue()
    MAIN


if __name__ == "__main__":
    main([[1], [2, 3]])
"""
_PUT = "results.put(embed(shard))"
_START = """\
processes = [mp.Process(target=worker, args=(tasks, results)) for _ in range(jobs)]
for process in processes:
    process.start()
for shard in shards:
    tasks.put(shard)
"""
_TAKE = "sums = [results.get() for _ in shards]\n"
_ZIP = "for shard, found in zip(shards, sums):\n    print(shard, found)"


def _found(main: str, put: str = _PUT) -> list[str]:
    text = _PROGRAM.replace("PUT", put.replace("\n", "\n        ")).replace("MAIN", main.replace("\n", "\n    "))
    return [each.message for each in lint(text).diagnostics if each.code == "LP232"]


@pytest.mark.parametrize(
    ("main", "put"),
    [
        pytest.param(f"{_START}{_TAKE}{_ZIP}", _PUT, id="a comprehension"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "found = embed(shard)\nresults.put(found)", id="a variable"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "results.put(len(shard) * 2)", id="a number"),
        pytest.param(
            f"{_START}sums = []\nfor _ in shards:\n    sums.append(results.get())\n{_ZIP}", _PUT, id="a list that grows"
        ),
        pytest.param(
            f"{_START}sums = []\nfor _ in shards:\n    found = results.get()\n    sums.append(found)\n"
            "for number, shard in enumerate(shards):\n    print(shard, sums[number])",
            _PUT,
            id="by number",
        ),
        pytest.param(
            f"{_START}sums = [results.get() for _ in range(len(shards))]\nprint(dict(zip(shards, sums)))",
            _PUT,
            id="as many as there are",
        ),
        pytest.param("sums = Embedder(jobs).run(shards)\n" + _ZIP, _PUT, id="by way of an object"),
        pytest.param(
            "ready = Embedder(jobs)\nfor shard, found in zip(shards, ready.run(shards)):\n    print(shard, found)",
            _PUT,
            id="in the pair itself",
        ),
        pytest.param(
            "processes = [mp.Process(target=one, args=(shard, results)) for shard in shards]\n"
            "for process in processes:\n    process.start()\nsums = [results.get() for _ in processes]\n" + _ZIP,
            _PUT,
            id="a process for each",
        ),
    ],
)
def test_results_in_order_of_arrival(main: str, put: str) -> None:
    [message] = _found(main, put)
    assert "which has the results in the order in which workers complete them" in message


@pytest.mark.parametrize(
    ("main", "put"),
    [
        pytest.param(f"{_START}{_TAKE}print(sum(sums), len(shards))", _PUT, id="not paired"),
        pytest.param(f"{_START}{_TAKE}print(sorted(sums), shards)", _PUT, id="sorted"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "results.put((shard, embed(shard)))", id="a pair"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "results.put(keyed(shard))", id="a function that gives the key, too"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "found = keyed(shard)\nresults.put(found)", id="the same by a variable"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "results.put({'shard': shard, 'sum': embed(shard)})", id="a dict"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "results.put(shard)", id="what was sent comes back"),
        pytest.param(f"{_START}{_TAKE}{_ZIP}", "results.put(model(shard))", id="a function that is not known"),
        pytest.param(
            f"{_START}{_TAKE}for name, found in zip(['a', 'b'], sums):\n    print(name, found)", _PUT, id="others"
        ),
        pytest.param(
            f"{_START}{_TAKE}sums.sort()\n{_ZIP}".replace("embed(shard)", "keyed(shard)"),
            _PUT,
            id="sorted by what it is",
        ),
        pytest.param(
            "process = mp.Process(target=worker, args=(tasks, results))\nprocess.start()\n"
            "for shard in shards:\n    tasks.put(shard)\n" + _TAKE + _ZIP,
            _PUT,
            id="one process",
        ),
        pytest.param(
            "queues = [mp.Queue() for _ in shards]\n"
            "for shard, queue in zip(shards, queues):\n    mp.Process(target=one, args=(shard, queue)).start()\n"
            "sums = [queue.get() for queue in queues]\n" + _ZIP,
            _PUT,
            id="a queue for each process",
        ),
        pytest.param(
            "for shard in shards:\n    process = mp.Process(target=one, args=(shard, results))\n    process.start()\n"
            "    print(shard, results.get())",
            _PUT,
            id="one after the other",
        ),
        pytest.param("embedder = Embedder(jobs)\nprint(sum(embedder.run(shards)), len(shards))", _PUT, id="a sum"),
    ],
)
def test_results_whose_order_does_not_matter(main: str, put: str) -> None:
    assert _found(main, put) == []
