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
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed

from joblib import Parallel, delayed
from tqdm import tqdm


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
