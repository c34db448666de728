"""The trail says where an error is not seen, because nobody asks for the result of a task."""

from __future__ import annotations

import pytest

from tests.support import lint

TASKS = """\
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool


class Page:
    def __init__(self, url):
        self.url = url
        self.guard = threading.Lock()


def fetch(page):
    return page.url


def main():
    page, results = Page("index"), []
    with Pool(2) as pool, ProcessPoolExecutor(2) as executor:
        {task}
    return results


if __name__ == "__main__":
    main()
"""


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
        "results = [\n            executor.submit(fetch, page)\n            for _ in range(3)\n        ]",
    ],
)
def test_a_task_whose_error_is_raised(task: str) -> None:
    assert not _is_told(task)
