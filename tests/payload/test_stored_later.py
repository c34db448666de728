"""Order counts: what crosses is what is stored before a process starts, and its arguments as it was made."""

from __future__ import annotations

import pytest

from tests.support import marks

LOADER = """\
import multiprocessing
import queue


def work(data):
    data.put(1)


class Loader:
    def __init__(self, pin):
{body}

    def get(self):
        return self.data.get()


if __name__ == "__main__":
    print(Loader(True))
"""
SHARED = "self.data = multiprocessing.SimpleQueue()"
LATER = "if pin:\n    self.data = queue.Queue()"
ONE = "worker = multiprocessing.Process(target=work, args=(self.data,))\nworker.start()"
LIST = (
    "self.workers = [multiprocessing.Process(target=work, args=(self.data,)) for _ in range(2)]\n"
    "for each in self.workers:\n    each.start()"
)
LOOP = "for _ in range(2):\n    worker = multiprocessing.Process(target=work, args=(self.data,))\n    worker.start()\n"


@pytest.mark.parametrize(
    ("statements", "fires"),
    [
        ([SHARED, ONE, LATER], False),
        ([SHARED, ONE, "self.data = queue.Queue()"], False),
        ([SHARED, LIST, LATER], False),
        ([SHARED, LATER, ONE], True),
        ([SHARED, LATER, LIST], True),
        ([SHARED, LOOP + "    self.data = queue.Queue()"], True),
        (["self.data = queue.Queue()", ONE, SHARED], True),
    ],
)
def test_what_an_attribute_holds_that_is_passed(statements: list[str], fires: bool) -> None:
    body = "\n".join(" " * 8 + line for statement in statements for line in statement.split("\n"))
    assert ("LP111" in [code for _, code in marks(LOADER.format(body=body))]) == fires


SETTINGS = """\
from argparse import ArgumentParser
from multiprocessing import Process


def work(args):
    print(args)


def build(args):
    workers = []
    for _ in range(3):
        worker = Process(target=work, args=(args,))
        worker.start()
        workers.append(worker)
    return workers


def train(args):
    {first}
    args.metadata = open("metadata.yaml", "w")
    {last}


def main():
    parser = ArgumentParser()
    args = parser.parse_args()
    {call}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("first", "last", "call", "fires"),
    [
        ("build(args)", "", "train(args)", False),
        ("if args.valid:\n        build(args)", "", "train(args)", False),
        ("build(args)", "build(args)", "train(args)", True),
        ("", "build(args)", "train(args)", True),
        ("build(args)", "", "train(args)\n    train(args)", True),
        ("build(args)", "", "for _ in range(2):\n        train(args)", True),
        ("build(args)", "", "for _ in range(2):\n        args = parser.parse_args()\n        train(args)", False),
    ],
)
def test_what_is_stored_on_settings(first: str, last: str, call: str, fires: bool) -> None:
    text = SETTINGS.format(first=first, last=last, call=call)
    assert ("LP110" in [code for _, code in marks(text)]) == fires


RUNNER = """\
from multiprocessing import Process


class Runner:
    def __init__(self):
        self.process = {first}
        {other}

    def start(self):
{body}

    def run(self):
        print(1)

    def watch(self):
        print(2)


def main():
    runner = Runner()
    runner.start()
    runner.process.join()
    runner.start()


if __name__ == "__main__":
    main()
"""
MADE = "self.process = Process(target=self.run)\nself.process.start()"


@pytest.mark.parametrize(
    ("first", "body", "fires"),
    [
        ("None", MADE, False),
        ("Process(target=self.run)", MADE, False),
        ("None", "process = self.process = Process(target=self.run)\nprocess.start()", False),
        ("None", "process = Process(target=self.run)\nself.process = process\nprocess.start()", False),
        ("None", "process = Process(target=self.run)\nprocess.start()\nself.process = process", True),
        ("Process(target=self.run)", MADE + "\nself.other.start()", True),
    ],
)
def test_the_process_that_an_attribute_holds(first: str, body: str, fires: bool) -> None:
    other = "self.other = Process(target=self.watch)" if "other" in body else ""
    text = RUNNER.format(first=first, other=other, body="\n".join(" " * 8 + line for line in body.split("\n")))
    assert ("LP111" in [code for _, code in marks(text)]) == fires
