"""The trail says where an error is not seen, because nobody asks for the result of a task."""

from __future__ import annotations

import pytest

from tests.support import lint

TASKS = """\
import concurrent.futures
import threading
from concurrent.futures import ProcessPoolExecutor, wait
from multiprocessing import Pool


class Page:
    def __init__(self, url):
        self.url = url
        self.guard = threading.Lock()


def fetch(page):
    return page.url


def show(futures):
    for count, _ in enumerate(concurrent.futures.as_completed(futures)):
        print(count)


def gather(futures):
    return [each.result() for each in futures]


def main():
    page, results = Page("index"), []
    with Pool(2) as pool, ProcessPoolExecutor(2) as executor:
        {task}
    return results


if __name__ == "__main__":
    main()
"""


_TASKS = "tasks = [executor.submit(fetch, page) for _ in '12']\n        "
_BY_NAME = "tasks = {executor.submit(fetch, page): each for each in '12'}\n        "
_EACH = "        for task in tasks:\n            "


def _is_told(task: str) -> bool:
    found = [each for each in lint(TASKS.format(task=task)).diagnostics if each.code == "LP111"]
    assert len(found) == 1
    return any("its result is dropped" in step.message for step in found[0].trail)


@pytest.mark.parametrize(
    "task",
    [
        "pool.apply_async(fetch, (page,))",
        "pool.map_async(fetch, [page])",
        "pool.apply_async(fetch, (page,), callback=results.append)",
        "pool.imap_unordered(fetch, [page])",
        "executor.submit(fetch, page)",
        "executor.map(fetch, [page])",
        "for _ in range(3):\n            executor.submit(\n                fetch, page\n            )",
        "task = pool.apply_async(fetch, (page,))",
        "task = pool.apply_async(fetch, (page,))\n        task.wait()",
        "task = pool.map_async(fetch, [page])\n        while not task.ready():\n            print('waiting')",
        "tasks = [pool.apply_async(fetch, (page,)) for _ in '12']\n        [task.wait() for task in tasks]",
        "tasks = []\n        tasks.append(pool.apply_async(fetch, (page,)))\n        pool.close()\n        pool.join()",
        "tasks = []\n        for _ in '12':\n            tasks.append(executor.submit(fetch, page))",
        f"tasks = []\n        tasks.append(pool.apply_async(fetch, (page,)))\n{_EACH}task.wait()",
        f"{_TASKS}wait(tasks)",
        f"{_TASKS}concurrent.futures.wait(fs=tasks)",
        f"{_TASKS}done, others = wait(tasks)\n        print(len(done), len(others))",
        f"{_TASKS}while tasks:\n            done, tasks = wait(tasks)",
        f"{_TASKS}for _ in concurrent.futures.as_completed(tasks):\n            print('done')",
        f"{_TASKS}for number, _ in enumerate(tasks):\n            print(number)",
        f"{_TASKS}show(tasks)",
        f"{_BY_NAME}for task in concurrent.futures.as_completed(tasks):\n            print(tasks[task])",
        f"{_BY_NAME}for task, name in tasks.items():\n            wait([task])\n            print(name)",
        "tasks = {}\n        tasks[executor.submit(fetch, page)] = 1\n        wait(tasks)",
        "tasks = {}\n        tasks['a'] = executor.submit(fetch, page)\n        wait(tasks.values())",
        "tasks = []\n        tasks.append(('a', pool.apply_async(fetch, (page,))))\n"
        "        for name, task in tasks:\n            task.wait()\n            print(name)",
        "wait([executor.submit(fetch, page) for _ in '12'])",
        "tasks = pool.imap(fetch, [page])",
    ],
)
def test_a_task_of_which_nobody_hears(task: str) -> None:
    assert _is_told(task)


@pytest.mark.parametrize(
    "task",
    [
        "results = pool.apply_async(fetch, (page,))",
        "results.append(\n            pool.apply_async(fetch, (page,))\n        )",
        "pool.apply_async(fetch, (page,)).get()",
        "pool.apply_async(fetch, (page,), error_callback=print)",
        "pool.map(fetch, [page])",
        "pool.apply(fetch, (page,))",
        "return executor.submit(fetch, page)",
        "task = pool.apply_async(fetch, (page,))\n        task.wait()\n        task.get()",
        "task = pool.apply_async(fetch, (page,))\n        print(task.successful())",
        "task = executor.submit(fetch, page)\n        task.add_done_callback(print)",
        "task = pool.apply_async(fetch, (page,))\n        ask = task.get",
        "global tasks\n        tasks = [executor.submit(fetch, page)]",
        "tasks = [executor.submit(fetch, page) for _ in '12']\n        print([task.result() for task in tasks])",
        "tasks = [executor.submit(fetch, page) for _ in '12']\n        results += tasks",
        "tasks = [executor.submit(fetch, page) for _ in '12']\n        print(tasks[0].result())",
        f"tasks = [pool.apply_async(fetch, (page,)) for _ in '12']\n{_EACH}task.wait()\n            task.get()",
        "results += executor.map(fetch, [page])",
        f"{_TASKS}for task in wait(tasks).done:\n            task.result()",
        f"{_TASKS}done, others = wait(tasks)\n        print([each.exception() for each in done])",
        f"{_TASKS}results = [each.result() for each in concurrent.futures.as_completed(tasks)]",
        f"{_TASKS}print(tasks)",
        f"{_TASKS}wait(tasks)\n        gather(tasks)",
        f"{_BY_NAME}for task, name in tasks.items():\n            print(name, task.result())",
        "tasks = {}\n        tasks['a'] = executor.submit(fetch, page)\n        print(tasks['a'].result())",
        "tasks = []\n        tasks.append(('a', pool.apply_async(fetch, (page,))))\n"
        "        for name, task in tasks:\n            print(name, task.get())",
        "tasks = pool.imap(fetch, [page])\n        for _ in tasks:\n            print('one more')",
        "tasks = pool.imap(fetch, [page])\n        list(tasks)",
        "results = [\n            executor.submit(fetch, page)\n            for _ in range(3)\n        ]",
    ],
)
def test_a_task_whose_error_is_raised(task: str) -> None:
    assert not _is_told(task)


IN_AN_OBJECT = """\
import threading
from concurrent.futures import ProcessPoolExecutor, wait


def fetch(guard):
    return 1


class Fetcher:
    def __init__(self):
        self.executor = ProcessPoolExecutor(2)
        self.futures = []

    def add(self):
        self.futures.append(self.executor.submit(fetch, threading.Lock()))

    def finish(self):
        {ask}


def main():
    fetcher = Fetcher()
    fetcher.add()
    fetcher.finish()
{after}

if __name__ == "__main__":
    main()
"""


def _is_told_in(ask: str, after: str = "") -> bool:
    found = [each for each in lint(IN_AN_OBJECT.format(ask=ask, after=after)).diagnostics if each.code == "LP111"]
    assert len(found) == 1
    return any("its result is dropped" in step.message for step in found[0].trail)


def test_results_that_an_object_keeps_are_followed_in_its_class() -> None:
    assert _is_told_in("wait(self.futures)")
    assert _is_told_in("for each in self.futures:\n            each.done()")
    assert not _is_told_in("for each in wait(self.futures).done:\n            each.result()")
    assert not _is_told_in("return self.futures")
    assert not _is_told_in("wait(self.futures)", "    fetcher.futures[0].result()\n")


SCRIPT = """\
import threading
from concurrent.futures import ProcessPoolExecutor, wait


def fetch(guard):
    return 1


{guard}
    executor = ProcessPoolExecutor(2)
    futures = [executor.submit(fetch, threading.Lock())]
    wait(futures)
"""


@pytest.mark.parametrize(("guard", "is_told"), [("if __name__ == '__main__':", True), ("if True:", False)])
def test_a_variable_of_a_module_may_be_asked_by_others_unless_it_is_a_script(guard: str, is_told: bool) -> None:
    found = [each for each in lint(SCRIPT.format(guard=guard)).diagnostics if each.code == "LP111"]
    assert any("its result is dropped" in step.message for each in found for step in each.trail) == is_told
