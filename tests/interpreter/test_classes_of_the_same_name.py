"""Classes with the name of their base (`class Process(Process)`): the base is what the name stood for before."""

from __future__ import annotations

import pytest

from tests.support import lint

HEAD = """\
from multiprocessing import Process
from threading import Thread


"""
CLASS = """\
class {name}({base}):
    def __init__(self):
        super().__init__()
        self.scale = {scale}

    def run(self):
        print(self.scale(3))


if __name__ == "__main__":
    {name}().start()
"""


def _codes(text: str) -> list[str]:
    return [each.code for each in lint(text).diagnostics]


@pytest.mark.parametrize(
    ("head", "name", "base"),
    [
        pytest.param(HEAD, "Process", "Process", id="an import"),
        pytest.param(HEAD.replace("Process\n", "Process as Task\n"), "Task", "Task", id="by another name"),
        pytest.param("import multiprocessing\n\n\n", "Process", "multiprocessing.Process", id="of a module"),
        pytest.param(f"{HEAD}class Task(Process):\n    pass\n\n\n", "Task", "Task", id="a class above"),
    ],
)
def test_a_process_that_is_called_like_its_base(head: str, name: str, base: str) -> None:
    assert _codes(head + CLASS.format(name=name, base=base, scale="lambda x: 2 * x")) == ["LP102"]


@pytest.mark.parametrize(
    ("head", "name", "base", "scale"),
    [
        pytest.param(HEAD, "Process", "Process", "abs", id="nothing that cannot be sent"),
        pytest.param(HEAD, "Thread", "Thread", "lambda x: 2 * x", id="a thread"),
        pytest.param(
            f"{HEAD}class Task(Thread):\n    pass\n\n\n", "Task", "Task", "lambda x: 2 * x", id="a class above"
        ),
        pytest.param("", "Process", "Process", "lambda x: 2 * x", id="nothing of that name before"),
        pytest.param(f"{HEAD}Process = Thread\n\n\n", "Process", "Process", "lambda x: 2 * x", id="bound anew"),
    ],
)
def test_what_is_no_process_or_can_be_sent(head: str, name: str, base: str, scale: str) -> None:
    assert _codes(head + CLASS.format(name=name, base=base, scale=scale)) == []
