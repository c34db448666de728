"""LP232: unordered-results-zipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import lint, lint_files


class TestPage(PageTests):
    code = "LP232"


_PROGRAM = """\
import copy
import functools
import itertools
import random
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm


class Job:
    pass


def score(text):
    return len(text)


def keyed(text):
    return text, len(text)


def numbered(job):
    number, text = job
    return number, len(text)


def in_order(pool, texts):
    return list(pool.imap(score, texts))


def as_done(pool, texts):
    return list(tqdm(pool.imap_unordered(score, texts), total=len(texts)))


def streamed(pool, texts):
    for value in pool.imap_unordered(score, texts):
        yield value + 1


def marked(executor, texts):
    futures = {executor.submit(score, text): text for text in texts}
    for future in as_completed(futures):
        yield futures[future], future.result()


def show(names, values):
    for name, value in zip(names, values):
        print(name, value)


def total(names, values):
    print(len(names), sum(values))


def main(names: list, pages: dict, others: list):
    pool = mp.Pool(CPUS)
    executor = ProcessPoolExecutor(CPUS)
BODY


if __name__ == "__main__":
    main(["a", "b"], {"a": "b"}, [])
"""


def _found(body: str, processes: str = "2") -> int:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    text = _PROGRAM.replace("CPUS", processes).replace("BODY", lines)
    return len([each for each in lint(text).diagnostics if each.code == "LP232"])


_PAIRED = {
    "zip": "print(dict(zip(names, pool.imap_unordered(score, names))))",
    "zip of a dict and its values": "print(dict(zip(pages, pool.imap_unordered(score, pages.values()))))",
    "the other way round": "print(sorted(zip(pool.imap_unordered(score, names), names)))",
    "a list first": "values = list(pool.imap_unordered(score, names))\nprint(dict(zip(names, values)))",
    "a progress bar": "for name, value in zip(names, tqdm(pool.imap_unordered(score, names))):\n    print(name, value)",
    "a bar around": "for name, value in tqdm(zip(names, pool.imap_unordered(score, names))):\n    print(name, value)",
    "a comprehension": "print({n: v for n, v in zip(names, [x + 1 for x in pool.imap_unordered(score, names)])})",
    "what is made of it": "jobs = [n + '!' for n in names]\nprint(dict(zip(names, pool.imap_unordered(score, jobs))))",
    "an alias of the method": "apply = pool.imap_unordered\nprint(dict(zip(names, apply(score, names))))",
    "a partial": "print(dict(zip(names, pool.imap_unordered(functools.partial(score), names))))",
    "a library's function": "print(dict(zip(names, pool.imap_unordered(len, names))))",
    "a filled list": (
        "out = []\nfor value in pool.imap_unordered(score, names):\n    out.append(value * 2)\n"
        "print(dict(zip(names, out)))"
    ),
    "enumerate": "for i, value in enumerate(pool.imap_unordered(score, names)):\n    print(names[i], value)",
    "enumerate, a list": (
        "out = [0] * len(names)\nfor i, value in enumerate(pool.imap_unordered(score, names)):\n    out[i] = value\n"
        "print(list(zip(names, out)))"
    ),
    "by number": (
        "out = list(pool.imap_unordered(score, names))\nfor i, name in enumerate(names):\n    print(name, out[i])"
    ),
    "by range": (
        "out = list(pool.imap_unordered(score, names))\nfor i in range(len(names)):\n    print(names[i], out[i])"
    ),
    "futures": (
        "futures = [executor.submit(score, name) for name in names]\n"
        "print({n: f.result() for n, f in zip(names, as_completed(futures))})"
    ),
    "lists filled together": (
        "futures, kept = [], []\nfor name in names:\n    futures.append(executor.submit(score, name))\n"
        "    kept.append(name)\nfor future, name in tqdm(zip(as_completed(futures), kept)):\n"
        "    print(name, future.result())"
    ),
    "results of futures": (
        "futures = [executor.submit(score, name) for name in names]\n"
        "out = [each.result() for each in as_completed(futures)]\nprint(dict(zip(names, out)))"
    ),
    "joblib": (
        "out = Parallel(n_jobs=2, return_as='generator_unordered')(delayed(score)(name) for name in names)\n"
        "print(dict(zip(names, out)))"
    ),
    "what a bar tells": (
        "with tqdm(total=9) as bar:\n    for i, value in enumerate(pool.imap_unordered(score, names)):\n"
        "        bar.update(1)\n        bar.set_description(names[i])\n        print(value)"
    ),
    "another update": (
        "found = {}\nfor i, value in enumerate(pool.imap_unordered(score, names)):\n"
        "    found.update({names[i]: value})\nprint(found)"
    ),
    "a bar beside it": (
        "bar = tqdm(total=9)\nfor name, value in zip(names, pool.imap_unordered(score, names)):\n"
        "    bar.update(len(name))\n    print(name, value)"
    ),
    "handed out": "print(dict(zip(names, as_done(pool, names))))",
    "yielded": "for name, value in zip(names, streamed(pool, names)):\n    print(name, value)",
    "handed on": "show(names, pool.imap_unordered(score, names))",
    "one way of two": (
        "if mp.cpu_count() > 1:\n    out = pool.imap_unordered(score, names)\nelse:\n    out = map(score, names)\n"
        "print(dict(zip(names, out)))"
    ),
    "taken from the front": (
        "out = {}\nleft = list(names)\nfor value in pool.imap_unordered(score, names):\n"
        "    name = left.pop(0)\n    out[name] = value\nprint(out)"
    ),
    "taken from the front of a copy": (
        "out = {}\nleft = names[:]\nfor value in tqdm(pool.imap_unordered(score, names)):\n"
        "    out[left.pop(0)] = value\nprint(out)"
    ),
    "the next of an iterator": (
        "rest = iter(names)\nfor value in pool.imap_unordered(score, names):\n    print(next(rest), value)"
    ),
    "the next, counted": (
        "rest = copy.deepcopy(names)\n"
        "for i, value in enumerate(pool.imap_unordered(score, [(name, 1) for name in names])):\n"
        "    shown = value + 1\n    name = rest.pop(0)\n    print(i, name, shown)"
    ),
    "the next, in a comprehension": (
        "rest = iter(names)\nprint({next(rest): value for value in pool.imap_unordered(score, names)})"
    ),
    "the next result": (
        "out = pool.imap_unordered(score, names)\nfor name in names:\n    value = next(out)\n    print(name, value)"
    ),
    "the next, of futures": (
        "futures = [executor.submit(score, name) for name in names]\nrest = iter(names)\n"
        "for future in as_completed(futures):\n    print(next(rest), future.result())"
    ),
    "the largest": "out = list(pool.imap_unordered(score, names))\nprint(names[out.index(max(out))])",
    "the largest, of an array": (
        "out = np.array(list(pool.imap_unordered(score, names)))\nbest = int(np.argmax(out * 2))\nprint(names[best])"
    ),
    "the largest ones": (
        "out = np.array(list(pool.imap_unordered(score, names)))\ntop = np.argsort(out)[::-1]\n"
        "print([names[i] for i in top[:3]])"
    ),
    "the result of one": (
        "out = list(pool.imap_unordered(score, names))\nfor name in others:\n    print(out[names.index(name)])"
    ),
    "by chosen numbers": (
        "out = list(pool.imap_unordered(score, names))\nfor i in random.sample(range(3), 2):\n"
        "    print(names[i], out[i])"
    ),
    "kept in attributes": (
        "job = Job()\njob.out = list(pool.imap_unordered(score, names))\nprint(dict(zip(names, job.out)))"
    ),
}


@pytest.mark.parametrize("body", _PAIRED.values(), ids=_PAIRED)
def test_paired_by_position(body: str) -> None:
    assert _found(body) == 1


_APART = {
    "in order": "print(dict(zip(names, pool.imap(score, names))))",
    "only for a bar": (
        "out = []\nwith tqdm(total=9) as bar:\n"
        "    for i, value in enumerate(pool.imap_unordered(score, names)):\n"
        "        bar.update(len(names[i]))\n        out.append(value)"
    ),
    "only for a bar of that name": (
        "bar = tqdm(total=9)\nfor name, value in zip(names, pool.imap_unordered(score, names)):\n"
        "    bar.update(len(name))\n    print(value)"
    ),
    "map": "print(dict(zip(names, pool.map(score, names))))",
    "map of an executor": "print(dict(zip(names, executor.map(score, names))))",
    "in order, handed out": "print(dict(zip(names, in_order(pool, names))))",
    "keys come back": "print(dict(pool.imap_unordered(keyed, names)))",
    "keys come back, and a bar": (
        "for _, (name, value) in zip(names, pool.imap_unordered(keyed, names)):\n    print(name)"
    ),
    "keys come back, counted": (
        "for i, (name, v) in enumerate(pool.imap_unordered(keyed, names)):\n    print(name, names[i])"
    ),
    "numbers come back": (
        "out = [None] * len(names)\nfor i, value in pool.imap_unordered(numbered, enumerate(names)):\n"
        "    out[i] = value\n"
        "print(dict(zip(names, out)))"
    ),
    "sorted by the number": (
        "out = sorted(pool.imap_unordered(numbered, enumerate(names)))\nprint(dict(zip(names, out)))"
    ),
    "sorted in place": (
        "out = list(pool.imap_unordered(numbered, enumerate(names)))\nout.sort()\nprint(dict(zip(names, out)))"
    ),
    "a sum": "print(sum(pool.imap_unordered(score, names)), len(names))",
    "a set": "print(set(pool.imap_unordered(score, names)))",
    "a sum, handed on": "total(names, pool.imap_unordered(score, names))",
    "progress": "for i, _ in enumerate(pool.imap_unordered(score, names), 1):\n    print(i, len(names))",
    "progress and values": (
        "out = []\nfor i, value in enumerate(pool.imap_unordered(score, names)):\n    out.append(value)\n    print(i)"
    ),
    "the name is not used": "for _, value in zip(names, pool.imap_unordered(score, names)):\n    print(value)",
    "the value is not used": "for name, _ in zip(tqdm(names), pool.imap_unordered(score, names)):\n    pass",
    "numbering by count": (
        "for i, value in zip(itertools.count(), pool.imap_unordered(score, names)):\n    print(i, value)"
    ),
    "numbering by range": (
        "for i, value in zip(range(len(names)), pool.imap_unordered(score, names)):\n    print(i, value)"
    ),
    "something else": "for colour, value in zip(others, pool.imap_unordered(score, names)):\n    print(colour, value)",
    "what is left": (
        "for name, value in zip(names, map(score, names)):\n    print(name, value)\n"
        "print(max(pool.imap_unordered(score, names)))"
    ),
    "looked up by future": (
        "futures = {executor.submit(score, name): name for name in names}\n"
        "for i, future in enumerate(as_completed(futures)):\n    print(i, futures[future], future.result())"
    ),
    "pairs by future": "out = dict(marked(executor, names))\nprint([out[name] for name in names])",
    "futures in order": (
        "futures = [executor.submit(score, name) for name in names]\nfor done in as_completed(futures):\n"
        "    print(done)\n"
        "print({n: f.result() for n, f in zip(names, futures)})"
    ),
    "threads": (
        "with ThreadPoolExecutor() as threads:\n    futures = [threads.submit(score, name) for name in names]\n"
        "    print(dict(zip(names, as_completed(futures))))"
    ),
    "joblib in order": (
        "out = Parallel(n_jobs=2, return_as='generator')(delayed(score)(name) for name in names)\n"
        "print(dict(zip(names, out)))"
    ),
    "taken anew": (
        "out = list(pool.imap_unordered(score, names))\nprint(max(out))\nout = list(pool.imap(score, names))\n"
        "print(dict(zip(names, out)))"
    ),
    "the next of another list": (
        "rest = iter(others)\nfor value in pool.imap_unordered(score, names):\n    print(next(rest), value)"
    ),
    "the next, in order": "rest = iter(names)\nfor value in pool.imap(score, names):\n    print(next(rest), value)",
    "counted down": (
        "left = list(names)\nfor value in pool.imap_unordered(score, names):\n    left.pop(0)\n"
        "    print(value, len(left))"
    ),
    "the next task": (
        "jobs = iter(names)\nfutures = {executor.submit(score, job) for job in itertools.islice(jobs, 3)}\n"
        "for future in as_completed(futures):\n    print(future.result())\n"
        "    futures.add(executor.submit(score, next(jobs)))"
    ),
    "the next task, by a name": (
        "jobs = iter(names)\nfutures = {executor.submit(score, job) for job in jobs}\n"
        "for future in as_completed(futures):\n    print(future.result())\n"
        "    job = next(jobs)\n    futures.add(executor.submit(score, job))"
    ),
    "the largest itself": "out = list(pool.imap_unordered(score, names))\nprint(out[out.index(max(out))])",
    "the largest, in order": "out = list(pool.imap(score, names))\nprint(names[out.index(max(out))])",
    "the largest of others": (
        "out = list(pool.imap_unordered(score, names))\nprint(others[names.index(max(names))], max(out))"
    ),
    "put into order": (
        "out = np.array(list(pool.imap_unordered(score, names)))\nout = out[np.argsort(others)]\n"
        "print(names[int(np.argmax(out))])"
    ),
    "numbers that come back": ("for found in pool.imap_unordered(score, names):\n    print(names[found])"),
    "another number": (
        "out = list(pool.imap_unordered(score, names))\nfor i in others:\n    print(names[i])\n"
        "for i in range(2):\n    print(out[i])"
    ),
    "the last": ("left = list(names)\nfor value in pool.imap_unordered(score, names):\n    print(value, left[-1])"),
}


@pytest.mark.parametrize("body", _APART.values(), ids=_APART)
def test_order_makes_no_difference(body: str) -> None:
    assert _found(body) == 0


@pytest.mark.parametrize("body", ["print(dict(zip(names, pool.imap_unordered(score, names))))", _PAIRED["futures"]])
def test_one_worker_keeps_the_order(body: str) -> None:
    assert _found(body, processes="1") == 0


def test_a_method_that_is_given_as_a_parameter() -> None:
    body = "def rank(apply):\n    return dict(zip(names, apply(score, names)))\nprint(rank(pool.imap_unordered))"
    assert _found(body) == 0  # gap: the call is not seen to be a boundary


@pytest.mark.parametrize("default", ["1", "None"])
def test_a_number_of_workers_that_callers_may_give(default: str) -> None:
    text = _PROGRAM.replace("CPUS", "jobs").replace("others: list)", f"others: list, jobs: int | None = {default})")
    body = "    print(dict(zip(names, pool.imap_unordered(score, names))))"
    found = lint(text.replace("BODY", body)).diagnostics
    assert [each.code for each in found if each.code == "LP232"] == ["LP232"]


def test_the_message_says_which_two_are_paired() -> None:
    text = _PROGRAM.replace("CPUS", "2").replace("BODY", "    show(names, as_done(pool, names))")
    (found,) = [each for each in lint(text).diagnostics if each.code == "LP232"]
    assert "`names` is paired by position with `values`, which" in found.message
    assert "results come as they are completed" in [each.message for each in found.trail]


_SENT = """\
from concurrent.futures import ProcessPoolExecutor

from taking import TAKE


def score(name):
    return len(name)


if __name__ == "__main__":
    names = ["a", "bb", "ccc"]
    with ProcessPoolExecutor(4) as executor:
        futures = [executor.submit(score, name) for name in names]
        print({name: future.result() for name, future in zip(names, taken(futures))})
"""


@pytest.mark.parametrize(("name", "is_found"), [("as_completed", True), ("wait", False)])
def test_what_takes_them_as_they_are_done_is_named_in_another_file(tmp_path: Path, name: str, is_found: bool) -> None:
    taking = f"from concurrent.futures import {name} as taken\n"
    found = lint_files(tmp_path, {"taking.py": taking, "main.py": _SENT.replace("TAKE", "taken")})
    assert ("LP232" in [each.code for each in found]) is is_found


_GATHERED = """\
from concurrent.futures import ProcessPoolExecutor, as_completed


def gathered(names):
    with ProcessPoolExecutor() as pool:
        futures = {pool.submit(len, name): name for name in names}
        results = []
        for future in as_completed(futures):
            results.append(future.result())
    return results


def show(names):
    found = gathered(CALL)
    for name, size in zip(names, found):
        print(name, size)
"""


@pytest.mark.parametrize("call", ["names", "names=names"])
def test_a_function_that_gathers_them_is_called_by_position_or_by_keyword(call: str) -> None:
    found = lint(_GATHERED.replace("CALL", call))
    assert not found.defects
    assert [each.code for each in found.diagnostics] == ["LP232"]


_KEPT = """\
import multiprocessing as mp

import numpy as np
from index import Index


class Embedder:
    def __init__(self, workers=2):
        self.pool = mp.get_context("spawn").Pool(workers)

    def stream(self, texts):
        {stream}


def build(docs: dict):
    return {build}


if __name__ == "__main__":
    print(build({{"a": "b", "c": "d"}}).nearest(1))
"""
_INDEX = """\
import numpy as np


class Index:
    def __init__(self, ids, sizes):
        self.ids = list(ids)
        {keep}
        if len(self.ids) != len(self.sizes):
            raise ValueError

    def nearest(self, wanted):
        {nearest}
"""
_STREAM = "yield from self.pool.imap_unordered(len, texts)"
_BUILD = "Index(docs.keys(), Embedder().stream(docs.values()))"
_KEEP = "self.sizes = np.stack(list(sizes))"
_NEAREST = "return self.ids[int(np.argmax(self.sizes * wanted))]"


def _of_objects(
    folder: Path, stream: str = _STREAM, build: str = _BUILD, keep: str = _KEEP, nearest: str = _NEAREST
) -> list[str]:
    index = _INDEX.format(keep=keep.replace("\n", "\n        "), nearest=nearest.replace("\n", "\n        "))
    main = _KEPT.format(stream=stream.replace("\n", "\n        "), build=build)
    found = [each for each in lint_files(folder, {"index.py": index, "main.py": main}) if each.code == "LP232"]
    return [Path(each.location.path).name for each in found]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"stream": "for size in self.pool.imap_unordered(len, texts):\n    yield size"},
        {"stream": "return self.pool.imap_unordered(len, texts)"},
        {"build": "Index(ids=docs, sizes=list(Embedder().stream(texts=docs.values())))"},
        {"build": "Index(list(docs), Embedder().stream(docs.values()))"},
        {"keep": "self.sizes = []\nfor size in sizes:\n    self.sizes.append(size + 1)"},
        {"nearest": "return dict(zip(self.ids, self.sizes))[wanted]"},
        {"nearest": "scores = self.sizes * wanted\nbest = scores.argmax()\nreturn self.ids[best]"},
        {"nearest": "top = np.argsort(self.sizes)[:wanted]\nreturn [self.ids[i] for i in top]"},
        {"nearest": "return self.sizes[self.ids.index(wanted)]"},
        {"nearest": "name = self.ids[wanted]\nsize = self.sizes[wanted]\nreturn name, size"},
        {"nearest": "return [i for i, size in zip(self.ids, self.sizes) if size < wanted]"},
        {"nearest": "for i, name in enumerate(self.ids):\n    print(name, self.sizes[i])"},
    ],
)
def test_an_object_that_is_given_both_pairs_them(tmp_path: Path, changed: dict[str, str]) -> None:
    assert _of_objects(tmp_path, **changed) == ["index.py"]


@pytest.mark.parametrize(
    "changed",
    [
        {"stream": "yield from self.pool.imap(len, texts)"},
        {"stream": "yield from sorted(self.pool.imap_unordered(len, texts))"},
        {"build": "Index(['x', 'y'], Embedder().stream(docs.values()))"},
        {"keep": "self.sizes = sorted(sizes)"},
        {"keep": "self.sizes = list(sizes)\nself.sizes.sort()"},
        {"nearest": "return sum(self.sizes) / len(self.ids)"},
        {"nearest": "return self.ids[wanted], max(self.sizes)"},
        {"nearest": "self.sizes.sort()\nreturn self.ids[int(np.argmax(self.sizes))]"},
        {"nearest": "self.sizes = np.ones(9)\nreturn self.ids[int(np.argmax(self.sizes))]"},
        {"nearest": "return self.sizes[int(np.argmax(self.sizes))], self.ids"},
    ],
)
def test_an_object_that_is_given_both_and_does_not_pair_them(tmp_path: Path, changed: dict[str, str]) -> None:
    assert _of_objects(tmp_path, **changed) == []


_OWN = """\
import multiprocessing as mp


class Report:
    def __init__(self, names):
        self.names = names
        self.sizes = []

    def run(self):
        with mp.Pool(2) as pool:
            {run}

    def show(self):
        for name, size in zip(self.names, self.sizes):
            print(name, size)


if __name__ == "__main__":
    report = Report(["a", "bb"])
    report.run()
    report.show()
"""


@pytest.mark.parametrize(
    ("run", "number"),
    [
        ("self.sizes = list(pool.imap_unordered(len, self.names))", 1),
        ("for size in pool.imap_unordered(len, self.names):\n                self.sizes.append(size)", 1),
        ("self.sizes = list(pool.imap(len, self.names))", 0),
        ("self.sizes = sorted(pool.imap_unordered(len, self.names))", 0),
        ("self.other = list(pool.imap_unordered(len, self.names))", 0),
    ],
)
def test_a_method_pairs_what_another_one_keeps(run: str, number: int) -> None:
    found = lint(_OWN.format(run=run)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP232"] == [14 + run.count("\n")] * number
