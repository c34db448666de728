"""What functions of workers put into queues and proxies: the call that gives workers the function says which."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import changed, lint_files, marks

WORK = """\
import functools


class Sender:
    def send(self, queue):
        queue.put(lambda: 1)


def emit(queue, value):
    queue.put(value)


def fill(queue):
    queue.put(lambda: 1)


def work(number, queue):
    queue.put(lambda: number)


def answer(end):
    end.send(lambda: 2)


def tell(queue):
    emit(queue, lambda: 3)


def keep(rows):
    rows["a"] = lambda: 4
"""
MAIN = """\
import functools
import multiprocessing as mp
import threading
from concurrent.futures import ProcessPoolExecutor

import torch.multiprocessing as tmp
from joblib import Parallel, delayed

import work as module
from work import Sender, answer, fill, keep, tell, work
from work import fill as renamed


def main():
    queue, (end, other) = mp.Queue(), mp.Pipe()
    manager = mp.Manager()
    shared, rows = manager.Queue(), manager.dict()
    START


if __name__ == "__main__":
    main()
"""
WITH_POOL = "with mp.Pool(2) as pool:\n        "
WITH_EXECUTOR = "with ProcessPoolExecutor(2) as pool:\n        "


def found(start: str, folder: Path, work: str = WORK) -> list[tuple[str, int]]:
    """The lines of the module of workers where lambdas are put."""
    files = {"main.py": changed(MAIN, ("START", start)), "work.py": work}
    return [
        (Path(each.location.path).name, each.location.start.row)
        for each in lint_files(folder, files)
        if each.code == "LP102"
    ]


@pytest.mark.parametrize(
    ("start", "row"),
    [
        ("mp.Process(target=fill, args=(queue,)).start()", 14),
        ("mp.Process(target=module.fill, args=(queue,)).start()", 14),
        ("mp.Process(target=renamed, args=(queue,)).start()", 14),
        ("mp.Process(target=fill, args=[queue]).start()", 14),
        ("mp.Process(target=fill, kwargs={'queue': queue}).start()", 14),
        ("mp.Process(target=work, args=(1,), kwargs=dict(queue=queue)).start()", 18),
        ("mp.Process(None, fill, None, (queue,)).start()", 14),
        ("mp.get_context('spawn').Process(target=fill, args=(queue,)).start()", 14),
        ("for n in range(2):\n        mp.Process(target=work, args=(n, queue)).start()", 18),
        ("mp.Process(target=functools.partial(work, 1), args=(queue,)).start()", 18),
        ("mp.Process(target=functools.partial(work, 1, queue=queue)).start()", 18),
        ("mp.Process(target=Sender().send, args=(queue,)).start()", 6),
        ("mp.Process(target=answer, args=(end,)).start()", 22),
        ("mp.Process(target=tell, args=(queue,)).start()", 26),
        ("tmp.spawn(work, args=(queue,), nprocs=2)", 18),
        (WITH_POOL + "pool.apply(fill, (shared,))", 14),
        (WITH_POOL + "pool.apply_async(work, (3,), {'queue': shared}).get()", 18),
        (WITH_POOL + "pool.map(fill, [shared, shared])", 14),
        (WITH_POOL + "pool.starmap(work, [(n, shared) for n in range(3)])", 18),
        (WITH_POOL + "pool.map(functools.partial(work, queue=shared), range(3))", 18),
        (WITH_EXECUTOR + "pool.submit(work, 3, shared)", 18),
        (WITH_EXECUTOR + "pool.submit(work, 3, queue=shared)", 18),
        (WITH_EXECUTOR + "list(pool.map(work, range(3), [shared] * 3))", 18),
        ("Parallel(n_jobs=2)(delayed(work)(n, shared) for n in range(3))", 18),
    ],
)
def test_queues_that_functions_of_another_module_are_given(start: str, row: int, tmp_path: Path) -> None:
    assert found(start, tmp_path) == [("work.py", row)]


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("print(fill)", id="not given to a worker"),
        pytest.param("threading.Thread(target=print, args=(fill,)).start()", id="a thread"),
        pytest.param("if 0:\n        mp.Process(target=fill, args=(queue,)).start()", id="never run"),
        pytest.param("mp.Process(target=fill, args=([],)).start()", id="no queue"),
        pytest.param("mp.Process(target=work, args=(queue, [])).start()", id="in another place"),
        pytest.param("mp.Process(target=functools.partial(work, queue), args=([],)).start()", id="first by a partial"),
        pytest.param("mp.Process(target=keep, args=({},)).start()", id="a plain dictionary"),
        pytest.param("mp.Process(target=keep, args=(rows,)).start()", id="gap: a manager's dictionary"),
        pytest.param(WITH_POOL + "pool.map(len, [queue])", id="another function"),
        pytest.param(
            "for each in [fill]:\n        mp.Process(target=each, args=(queue,)).start()", id="gap: out of a list"
        ),
    ],
)
def test_what_they_are_not_given(start: str, tmp_path: Path) -> None:
    assert found(start, tmp_path) == []


def test_a_function_of_the_same_name_elsewhere(tmp_path: Path) -> None:
    start = "mp.Process(target=fill, args=(queue,)).start()"
    work = changed(WORK, ("def fill(queue):\n    queue.put(lambda: 1)", "from other import fill\n"))
    assert found(start, tmp_path, work) == []


def test_what_can_be_put(tmp_path: Path) -> None:
    work = changed(WORK, ("queue.put(lambda: 1)", "queue.put(1)"))
    assert found("mp.Process(target=fill, args=(queue,)).start()", tmp_path, work) == []


def test_a_dictionary_of_a_manager_in_one_module() -> None:
    text = """\
import multiprocessing as mp


def keep(rows):
    rows["a"] = lambda: 4


def main():
    rows = mp.Manager().dict()
    START


if __name__ == "__main__":
    main()
"""
    for start in ("mp.Process(target=keep, args=(rows,)).start()", "mp.Pool(2).map(keep, [rows])"):
        assert (5, "LP102") in marks(changed(text, ("START", start)))
    assert marks(changed(text, ("START", "print(keep, rows)"))) == []
