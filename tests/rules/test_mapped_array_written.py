"""LP131: mapped-array-written."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, fixed, lint, marks


class TestPage(PageTests):
    code = "LP131"


PROGRAM = """\
import random

import joblib
import numpy as np
from joblib import Parallel, delayed, parallel_backend, parallel_config

SIDE = 2_000
rng = np.random.default_rng(0)


def smooth(image):
    image[1:-1] = 0


def work(x, rows=None, inplace=False):
    x[0] = 1
    return x


def main(count=1_000_000):
    data = np.zeros(1_000_000)
    before = 0
    results = Parallel(n_jobs=2)(delayed(work)(data) for _ in range(4))
    print(results)


if __name__ == "__main__":
    main()
"""
WRITES, MADE, RUN = "x[0] = 1", "np.zeros(1_000_000)", "Parallel(n_jobs=2)"


def confidences(text: str) -> list[str]:
    return [each.confidence.value for each in lint(text, pedantic=True).diagnostics if each.code == "LP131"]


@pytest.mark.parametrize(
    ("writes", "error"),
    [
        ("x[0] = 1", "assignment destination is read-only"),
        ("x[x > 1] = 0", "assignment destination is read-only"),
        ("x[x > 1] += 1", "assignment destination is read-only"),
        ("x[:5] += 1", "output array is read-only"),
        ("x += 1", "output array is read-only"),
        ("x /= 255", "output array is read-only"),
        ("x **= 2", "output array is read-only"),
        ("x.sort()", "sort array is read-only"),
        ("x.partition(5)", "partition array is read-only"),
        ("x.fill(0)", "assignment destination is read-only"),
        ("x.put([0], [1])", "put: output array is read-only"),
        ("np.clip(x, 0, 1, out=x)", "output array is read-only"),
        ("np.copyto(x, 0)", "assignment destination is read-only"),
        ("np.random.shuffle(x)", "array is read-only"),
        ("rng.shuffle(x)", "array is read-only"),
        ("random.shuffle(x)", "assignment destination is read-only"),
        ("y = x[10:20]\n    y[0] = 1", "assignment destination is read-only"),
        ("y = x.reshape(1000, 1000)\n    y[:, 0] = 1", "assignment destination is read-only"),
        ("y = np.asarray(x)\n    y[0] = 1", "assignment destination is read-only"),
        ("y = x[10:]\n    y *= 2", "output array is read-only"),
        ("y = x.reshape(10, -1)\n    y -= 2", "output array is read-only"),
        ("for row in x.reshape(1000, 1000):\n        row[0] = 1", "assignment destination is read-only"),
        ("smooth(x)", "assignment destination is read-only"),
        ("smooth(image=x[:10])", "assignment destination is read-only"),
        ("if inplace:\n        x = x.copy()\n    x[0] = 1", "assignment destination is read-only"),
        ("if not inplace:\n        x += 1", "output array is read-only"),
    ],
)
def test_ways_to_write(writes: str, error: str) -> None:
    found = [each for each in lint(changed(PROGRAM, (WRITES, writes))).diagnostics if each.code == "LP131"]
    assert [each.error for each in found] == [f"ValueError: {error}"]


@pytest.mark.parametrize(
    "writes",
    [
        pytest.param("x = x.copy()\n    x[0] = 1", id="a copy"),
        pytest.param("if not inplace:\n        x = x.copy()\n    x[0] = 1", id="a copy unless it is told otherwise"),
        pytest.param("if len(x) > 9:\n        x = x.copy()\n    x[0] = 1", id="may be a copy"),
        pytest.param("x = x - x.mean()\n    x[0] = 1", id="a result"),
        pytest.param("x = np.array(x)\n    x[0] = 1", id="another array"),
        pytest.param("x = x[rows]\n    x -= 1", id="chosen by an array"),
        pytest.param("y = x.reshape(1000, 1000)[rows, :]\n    y -= 1", id="chosen by an array in one dimension"),
        pytest.param("x[rows].sort()", id="a copy is sorted"),
        pytest.param("y = x.flatten()\n    y[0] = 1", id="flattened"),
        pytest.param("y = np.sort(x)\n    y[0] = 1", id="sorted copy"),
        pytest.param("print(x[0])", id="only read"),
        pytest.param("if inplace:\n        x += 1", id="behind an option that nobody sets"),
        pytest.param("if not x.flags.writeable:\n        x = x.copy()\n    x[0] = 1", id="copied if need be"),
        pytest.param("if x.flags.writeable:\n        x[0] = 1", id="asks"),
        pytest.param("try:\n        x[0] = 1\n    except ValueError:\n        pass", id="ready for it"),
        pytest.param("y = x.T\n    y *= 2", id="gap: what an attribute shows, changed as a whole"),
        pytest.param("y = np.zeros(5)\n    np.add(x[:5], 1, out=y)", id="result elsewhere"),
    ],
)
def test_what_does_not_write_to_it(writes: str) -> None:
    assert confidences(changed(PROGRAM, (WRITES, writes))) == []


@pytest.mark.parametrize(
    "made",
    [
        "np.zeros((1000, 1000))",
        "np.zeros(shape=(SIDE, SIDE), dtype=np.float32)",
        "np.empty((10, 512, 512), dtype='uint8')",
        "np.ones((SIDE, 2 * 10**3), dtype=bool)",
        "np.full((1000, 1000), 1.5, dtype=float)",
        "np.random.rand(1000, 1000)",
        "np.random.randn(SIDE, 100)",
        "np.random.normal(size=(1000, 1000))",
        "rng.random((1000, 1000))",
        "rng.integers(0, 10, 200_000)",
        "np.arange(200_000)",
        "np.linspace(0, 1, 200_000)",
        "np.eye(SIDE)",
        "np.zeros_like(np.empty(200_000))",
        "np.zeros(1_000_000).reshape(1000, 1000)",
        "np.zeros(1_000_000, dtype=int).astype(np.float32)",
        "np.zeros(count)",
        "np.zeros(1_000_000) + 1",
    ],
)
def test_arrays_that_are_large_enough(made: str) -> None:
    assert confidences(changed(PROGRAM, (MADE, made))) == ["likely"]


@pytest.mark.parametrize(
    "made",
    [
        "np.zeros(131_072)",
        "np.zeros(1_000_000, dtype=np.uint8)",
        "np.zeros(200_000, dtype='f4')",
        "np.array([1, 2, 3])",
        "np.zeros(1_000_000, dtype=object)",
        "np.memmap('x.dat', dtype=float, mode='r+', shape=1_000_000)",
        "np.load('x.npy', mmap_mode='c')",
        "[0] * 1_000_000",
        "{}",
    ],
)
def test_what_is_not_mapped(made: str) -> None:
    assert confidences(changed(PROGRAM, (MADE, made))) == []


@pytest.mark.parametrize(
    "made",
    [
        "np.load('x.npy')",
        "np.zeros(len(before))",
        "np.array(before)",
        "np.full(200_000, before)",
        "rng.normal(0, 1, before)",
    ],
)
def test_arrays_of_unknown_size_are_only_possible(made: str) -> None:
    assert confidences(changed(PROGRAM, (MADE, made), ("before = 0", "before = input()"))) == ["possible"]


def test_the_size_that_a_caller_gives() -> None:
    text = changed(PROGRAM, ("def main(count=1_000_000):", "def main(data, count):"), (f"    data = {MADE}\n", ""))
    assert confidences(changed(text, ("    main()", "    main(np.ones(10), 1)"))) == []
    assert confidences(changed(text, ("    main()", "    main(np.ones(1_000_000), 1)"))) == ["likely"]


@pytest.mark.parametrize(
    "run",
    [
        "Parallel(n_jobs=-1)",
        "Parallel(n_jobs=2, backend='multiprocessing')",
        "Parallel(n_jobs=2, backend='loky')",
        "Parallel(n_jobs=2, prefer='processes')",
        "Parallel(n_jobs=2, mmap_mode='r')",
        "Parallel(n_jobs=2, max_nbytes=0)",
        "Parallel(n_jobs=2, max_nbytes='2M')",
        "joblib.Parallel(2)",
    ],
)
def test_what_maps(run: str) -> None:
    assert confidences(changed(PROGRAM, (RUN, run))) == ["likely"]


@pytest.mark.parametrize(
    "run",
    [
        "Parallel(n_jobs=1)",
        "Parallel(n_jobs=2, prefer='threads')",
        "Parallel(n_jobs=2, require='sharedmem')",
        "Parallel(n_jobs=2, backend='threading')",
        "Parallel(n_jobs=2, backend='dask')",
        "Parallel(n_jobs=2, max_nbytes=None)",
        "Parallel(n_jobs=2, max_nbytes='10M')",
        "Parallel(n_jobs=2, max_nbytes=10**7)",
        "Parallel(n_jobs=2, mmap_mode='c')",
        "Parallel(n_jobs=2, mmap_mode='r+')",
        "Parallel(n_jobs=2, mmap_mode=None)",
        "Parallel(n_jobs=2, **before)",
    ],
)
def test_what_does_not_map_read_only(run: str) -> None:
    assert confidences(changed(PROGRAM, (RUN, run))) == []


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("parallel_config(backend='loky')", ["likely"]),
        ("parallel_backend('multiprocessing')", ["likely"]),
        ("parallel_config(max_nbytes=None)", []),
        ("parallel_backend('loky', mmap_mode='c')", []),
        ("parallel_backend('threading')", []),
        ("parallel_config(backend='dask')", []),
    ],
)
def test_contexts_around(context: str, expected: list[str]) -> None:
    run = f"with {context}:\n        results = {RUN}"
    assert confidences(changed(PROGRAM, (f"results = {RUN}", run))) == expected


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("delayed(work)(x=data) for _ in range(4)", 1),
        ("delayed(work)(row) for row in np.zeros((4, 200_000))", 1),
        ("delayed(work)(row) for row in np.zeros((200_000, 4))", 0),
        ("delayed(work)(data[5:]) for _ in range(4)", 0),  # gap: how much a slice leaves is not computed
    ],
)
def test_arguments_of_tasks(task: str, expected: int) -> None:
    assert len(confidences(changed(PROGRAM, ("delayed(work)(data) for _ in range(4)", task)))) == expected


CONTAINERS = {
    "stacks": "[np.zeros((1000, 1000)) for _ in range(3)]",
    "written": "[np.zeros((1000, 1000)), np.zeros((1000, 1000))]",
    "mixed": "(np.zeros(3), np.zeros((1000, 1000)))",
    "small": "[np.zeros(3) for _ in range(3)]",
    "named": "{'a': np.zeros((1000, 1000)), 'b': np.zeros(3)}",
    "pairs": "[(1, np.zeros((1000, 1000)))]",
    "numbers": "[1, 2, 3]",
    "lists": "[[0] * 1_000_000]",
    "unknown": "[np.load('x.npy') for _ in range(3)]",
}


def of_containers(task: str) -> list[str]:
    made = "\n    ".join(f"{name} = {value}" for name, value in CONTAINERS.items())
    text = changed(PROGRAM, ("before = 0", made), ("delayed(work)(data) for _ in range(4)", task))
    helpers = "def give(n):\n    for _ in range(n):\n        yield np.zeros((1000, 1000))\n\n\ndef main("
    return confidences(changed(text, ("def main(", helpers)))


@pytest.mark.parametrize(
    "task",
    [
        "delayed(work)(x) for x in stacks",
        "delayed(work)(x) for x in written",
        "delayed(work)(x) for x in mixed",
        "[delayed(work)(x) for x in stacks]",
        "delayed(work)(rows=n, x=x) for n, x in enumerate(stacks)",
        "delayed(work)(x) for n, x in zip(range(3), stacks)",
        "delayed(work)(stacks[n]) for n in range(3)",
        "delayed(work)(stacks[0]) for n in range(3)",
        "delayed(work)(named['a']) for n in range(3)",
        "delayed(work)(x) for x in named.values()",
        "delayed(work)(x) for n, x in named.items()",
        "delayed(work)(x) for n, x in pairs",
        "delayed(work)(pair[1]) for pair in pairs",
        "delayed(work)(x) for x in give(3)",
        "delayed(work)(x) for x in list(stacks)",
    ],
)
def test_elements_of_containers(task: str) -> None:
    assert of_containers(task) == ["likely"]


@pytest.mark.parametrize(
    "task",
    [
        "delayed(work)(x) for x in small",
        "delayed(work)(x) for x in numbers",
        "delayed(work)(x) for x in lists",
        "delayed(work)(x) for x in named",
        "delayed(work)(named['b']) for n in range(3)",
        "delayed(work)(mixed[0]) for n in range(3)",
        "delayed(work)(pair[0]) for pair in pairs",
        "delayed(work)(stacks[1:]) for n in range(3)",
        "delayed(work)(x.copy()[:3]) for x in stacks",
        "delayed(work)(x) for x in before(stacks)",
    ],
)
def test_elements_that_are_not_mapped(task: str) -> None:
    assert of_containers(task) == []


def test_elements_of_unknown_size_are_only_possible() -> None:
    assert of_containers("delayed(work)(x) for x in unknown") == ["possible"]


def test_lists_that_are_filled_or_given() -> None:
    filled = "data = []\n    for n in range(3):\n        data.append(np.zeros((1000, 1000)))"
    task = ("delayed(work)(data) for _ in range(4)", "delayed(work)(x) for x in data")
    assert confidences(changed(PROGRAM, (f"data = {MADE}", filled), task)) == ["likely"]
    text = changed(PROGRAM, ("def main(count=1_000_000):", "def main(data):"), (f"    data = {MADE}\n", ""), task)
    made = "main([np.ones((1000, 1000)) for _ in range(3)])"
    assert confidences(changed(text, ("    main()", f"    {made}"))) == ["likely"]
    assert confidences(changed(text, ("    main()", f"    {made.replace('1000, 1000', '10')}"))) == []


@pytest.mark.parametrize(
    ("default", "expected"),
    [(", default=1_000_000", ["likely"]), (", default=10", []), ("", ["possible"]), (", default=None", ["possible"])],
)
def test_sizes_that_options_of_the_command_line_tell(default: str, expected: list[str]) -> None:
    parsed = (
        "import argparse\n    parser = argparse.ArgumentParser()\n"
        f"    parser.add_argument('--rows', type=int{default})\n    args = parser.parse_args()"
    )
    text = changed(
        PROGRAM, ("before = 0", "before = 1"), (f"data = {MADE}", f"{parsed}\n    data = np.zeros(args.rows)")
    )
    assert confidences(text) == expected


OBJECTS = """\
import numpy as np
from joblib import Parallel, delayed


class Model:
    def __init__(self, size):
        self.weights = np.zeros((1000, 1000))
        self.bias = np.zeros(10)

    def step(self, number):
        self.weights[number] = 1
        return self.bias

    def run(self):
        return Parallel(n_jobs=2)(delayed(self.step)(number) for number in range(2))


def step(model, number):
    model.bias[number] = 2


def run():
    model = Model(2)
    Parallel(n_jobs=2)(delayed(step)(model, number) for number in range(2))


def closure():
    table = np.zeros(1_000_000)

    def row(number):
        print(table[number])

    Parallel(n_jobs=2)(delayed(row)(number) for number in range(2))


if __name__ == "__main__":
    Model(3).run()
    run()
    closure()
"""


def test_what_objects_keep() -> None:
    assert marks(OBJECTS) == [(11, "LP131")]
    assert marks(changed(OBJECTS, ("model.bias[number]", "model.weights[number]"))) == [(11, "LP131"), (19, "LP131")]
    kept = ("self.weights[number] = 1", "self.weights = self.weights.copy()\n        self.weights[number] = 1")
    assert marks(changed(OBJECTS, kept)) == []


CALLED = """\
from dataclasses import dataclass, field

import numpy as np
from joblib import Parallel, delayed


class Standardise:
    def __init__(self, copy=False):
        self.copy = copy

    def __call__(self, x):
        if self.copy:
            x = x.copy()
        x -= x.mean(axis=0)
        return x


class Shifted:
    def __call__(self, x):
        return x - x.mean(axis=0)

    def apply(self, x):
        x -= 1


def work(x, prepare):
    return prepare(x)


@dataclass
class Search:
    prepare: Standardise = field(default_factory=Standardise)

    def run(self):
        x = np.zeros((20_000, 16))
        return Parallel(n_jobs=2)(delayed(work)(x, self.prepare) for _ in range(3))


if __name__ == "__main__":
    Search().run()
"""
IN_CALL = [(14, "LP131")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("prepare(x)", "prepare(x)", id="kept by an object"),
        pytest.param("prepare(x)", "Standardise()(x)", id="made where it is called"),
        pytest.param("self.prepare) for", "Standardise()) for", id="given to the task"),
        pytest.param("self.prepare) for", "Standardise(copy=False)) for", id="told not to copy"),
        pytest.param(
            "        if self.copy:\n            x = x.copy()\n", "        y = x\n        x = y\n", id="never copied"
        ),
    ],
)
def test_objects_that_are_called(old: str, new: str) -> None:
    assert marks(changed(CALLED, (old, new))) == IN_CALL


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("copy=False):", "copy=True):", id="copies"),
        pytest.param("self.prepare) for", "Standardise(copy=True)) for", id="told to copy"),
        pytest.param("prepare(x)", "Standardise(copy=x.size > 3)(x)", id="may copy"),
        pytest.param("prepare(x)", "Shifted()(x)", id="another class"),
        pytest.param("prepare(x)", "prepare(x + 1)", id="given something else"),
        pytest.param("prepare(x)", "prepare.copy", id="not called"),
    ],
)
def test_objects_that_write_to_a_copy(old: str, new: str) -> None:
    assert marks(changed(CALLED, (old, new)), pedantic=True) == []


def test_variables_of_the_function_around() -> None:
    assert marks(changed(OBJECTS, ("print(table[number])", "table[number] = 1"))) == [(11, "LP131"), (31, "LP131")]


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("Parallel(n_jobs=2)", 'Parallel(n_jobs=2, mmap_mode="c")'),
        ("Parallel(\n        n_jobs=2,\n    )", 'Parallel(\n        n_jobs=2, mmap_mode="c"\n    )'),
        ("Parallel(n_jobs=2, mmap_mode='r')", "Parallel(n_jobs=2, mmap_mode='r')"),
    ],
)
def test_the_fix(run: str, expected: str) -> None:
    text = changed(PROGRAM, (RUN, run))
    assert fixed(text, unsafe=True) == changed(PROGRAM, (RUN, expected))
    assert fixed(text, unsafe=False) == text
