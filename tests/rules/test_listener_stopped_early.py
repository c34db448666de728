"""LP246: listener-stopped-early."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP246"


BEGINNING = """\
import contextlib
import logging
import logging.handlers
import multiprocessing as mp
def configure(queue):
    logging.getLogger().addHandler(logging.handlers.QueueHandler(queue))
def work(queue):
    configure(queue)
    logging.warning("done")
def quiet(queue):
    queue.put(1)
class Workers:
    def __init__(self, queue, target=work):
        self.members = [mp.Process(target=work, args=(queue,)) for _ in range(2)]
    def __enter__(self):
        for each in self.members:
            each.start()
        return self
    def __exit__(self, *exc):
        for each in self.members:
            each.join()
class Hub:
    def __init__(self, queue):
        self.listener = logging.handlers.QueueListener(queue, logging.StreamHandler())
    def __enter__(self):
        self.listener.start()
        return self
    def __exit__(self, *exc):
        self.listener.stop()
    def close(self):
        self.listener.stop()
def main():
    queue = mp.Queue()
"""
GUARD = "if __name__ == '__main__':\n    main()\n"
DIRECT = """\
    listener = logging.handlers.QueueListener(queue, logging.StreamHandler())
    listener.start()
    process = mp.Process(target=work, args=(queue,))
    process.start()
"""
LIST = """\
    listener = logging.handlers.QueueListener(queue, logging.StreamHandler())
    listener.start()
    processes = [mp.Process(target=work, args=(queue,)) for _ in range(2)]
    for process in processes:
        process.start()
"""
STACK = "    with contextlib.ExitStack() as stack:\n"
WORKERS, HUB = "        stack.enter_context(Workers(queue))\n", "        stack.enter_context(Hub(queue))\n"


def found(text: str) -> list[str]:
    return [code for _, code in marks(BEGINNING + text + GUARD) if code == "LP246"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DIRECT + "    listener.stop()\n    process.join()\n", id="in a row"),
        pytest.param(LIST + "    listener.stop()\n    for each in processes:\n        each.join()\n", id="of a list"),
        pytest.param(STACK + WORKERS + HUB, id="a stack"),
        pytest.param("    with Workers(queue), Hub(queue):\n        pass\n", id="one statement"),
        pytest.param("    with Workers(queue):\n        with Hub(queue):\n            pass\n", id="one in the other"),
        pytest.param("    hub = Hub(queue)\n    with Workers(queue):\n        hub.close()\n", id="a method of its own"),
    ],
)
def test_records_that_nobody_handles(text: str) -> None:
    assert found(text) == ["LP246"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DIRECT + "    process.join()\n    listener.stop()\n", id="in a row"),
        pytest.param(DIRECT + "    listener.stop()\n", id="never joined"),
        pytest.param(DIRECT + "    process.join()\n    listener.stop()\n    process.join()\n", id="joined before, too"),
        pytest.param(LIST + "    for each in processes:\n        each.join()\n    listener.stop()\n", id="of a list"),
        pytest.param(STACK + HUB + WORKERS, id="a stack"),
        pytest.param("    with Hub(queue), Workers(queue):\n        pass\n", id="one statement"),
        pytest.param("    with Hub(queue):\n        with Workers(queue):\n            pass\n", id="one in the other"),
        pytest.param(
            DIRECT.replace("target=work", "target=quiet") + "    listener.stop()\n    process.join()\n",
            id="a process that logs nothing",
        ),
        pytest.param(
            DIRECT.replace("args=(queue,)", "args=(mp.Queue(),)") + "    listener.stop()\n    process.join()\n",
            id="another queue",
        ),
        pytest.param(
            DIRECT + "    print(results.get())\n    listener.stop()\n    process.join()\n", id="awaited otherwise"
        ),
        pytest.param(DIRECT + "    timer.stop()\n    process.join()\n    listener.stop()\n", id="something else stops"),
    ],
)
def test_records_that_a_handler_gets(text: str) -> None:
    assert found(text) == []
