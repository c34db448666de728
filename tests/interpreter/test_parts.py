"""What is done to the items of the containers that an object holds."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import pickle
import threading


class Task:
    def __init__(self):
        self.lock = None

    def start(self):
        self.lock = threading.Lock()


class Engine:
    def __init__(self, first, second, third, fourth):
        self.tasks = [first, second]
        self.named = {{"a": third, 3: fourth}}

    def add(self, task):
        self.tasks.append(task)

    def start(self):
        {do}


def main():
    engine = Engine({given})
    engine.start()
    return pickle.dumps(engine)


main()
"""


def _found(do: str, given: str = "Task(), Task(), Task(), Task()") -> bool:
    return (10, "LP111") in marks(TEXT.format(do=do, given=given))


@pytest.mark.parametrize(
    "do",
    [
        "for task in self.tasks: task.start()",
        "for index, task in enumerate(self.tasks): task.start()",
        "for task in reversed(self.tasks): task.start()",
        "for task in self.tasks[1:]: task.start()",
        "for task in self.named.values(): task.start()",
        "for name, task in self.named.items(): task.start()",
        "[task.start() for task in self.tasks]",
        "self.tasks[0].start()",
        "self.tasks[len(self.named) - 3].start()",
        "self.named['a'].start()",
        "self.add(Task())\n        for task in self.tasks: task.start()",
    ],
)
def test_items_that_are_started(do: str) -> None:
    assert _found(do)


@pytest.mark.parametrize(
    "do",
    [
        "for task in self.others: task.start()",
        "for name in self.named: name.start()",
        "for name, task in self.named.items(): name.start()",
        "for task in self.tasks: task.stop()",
        "self.tasks = []\n        for task in self.tasks: task.start()",
        "self.start = None",
    ],
)
def test_items_that_are_not_started(do: str) -> None:
    assert not _found(do)


def test_one_item_of_two() -> None:
    assert _found("self.tasks[0].start()", "Task(), 2, 3, 4")
    assert not _found("self.tasks[0].start()", "1, Task(), 3, 4")
    assert not _found("self.named['a'].start()", "1, 2, 3, Task()")
    assert _found("self.named[len(self.tasks)].start()", "1, 2, 3, Task()")
