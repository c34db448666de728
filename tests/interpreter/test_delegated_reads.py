"""Attributes that an object does not have itself, and asks another object for in its `__getattr__`."""

from __future__ import annotations

import pytest

from tests.support import marks

PLAIN = "return getattr(self.worker, name)"
LOOKUPS = [
    PLAIN,
    'if name == "worker":\n            raise AttributeError(name)\n        return getattr(self.worker, name)',
    'worker = self.__dict__["worker"]\n        return getattr(worker, name)',
    "worker = self.worker\n        found = getattr(worker, name)\n        return found",
    'if name.startswith("_"):\n            raise AttributeError(name)\n        return getattr(self.worker, name)',
]
GLOBALS = """\
import multiprocessing as mp

STATE = None


class Worker:
    def init_device(self):
        global STATE
        STATE = 5

    def step(self):
        return STATE + 1


class Wrapper({bases}):
    def __init__(self):
        self.worker = Worker()

    def __getattr__(self, name):
        {lookup}


def target():
    wrapper = Wrapper()
    {body}


def main():
    Worker().init_device()
    process = mp.get_context("spawn").Process(target=target)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""
LOCK = """\
import multiprocessing as mp
import threading


class Worker:
    def __init__(self):
        self.lock = threading.Lock()


class Wrapper:
    {own}

    def __init__(self):
        self.worker = Worker()
        {init}

    def __getattr__(self, name):
        {lookup}


def target(lock):
    print(lock)


def main():
    process = mp.get_context("spawn").Process(target=target, args=(Wrapper().lock,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("lookup", LOOKUPS)
@pytest.mark.parametrize("bases", ["", "abc.ABC"])
def test_a_method_that_the_worker_calls_sets_the_global(lookup: str, bases: str) -> None:
    text = GLOBALS.format(lookup=lookup, bases=bases, body="wrapper.init_device()\n    print(STATE + 1)")
    assert marks(f"import abc\n{text}") == []


@pytest.mark.parametrize("lookup", LOOKUPS)
def test_a_method_that_the_worker_calls_reads_the_global(lookup: str) -> None:
    text = GLOBALS.format(lookup=lookup, bases="", body="print(wrapper.step())")
    assert marks(text) == [(12, "LP208")]


@pytest.mark.parametrize(
    ("lookup", "bases"),
    [
        ("return getattr(self.other, name)", ""),
        ("return getattr(self.worker, 'init_' + name)", ""),
        ("raise AttributeError(name)", ""),
        pytest.param(PLAIN, "ctypes.Structure", id="a base that is not read may have it"),
    ],
)
def test_no_such_method(lookup: str, bases: str) -> None:
    text = GLOBALS.format(lookup=lookup, bases=bases, body="wrapper.init_device()\n    print(STATE + 1)")
    assert marks(f"import ctypes\n{text}") == [(27, "LP208")]


@pytest.mark.parametrize("lookup", LOOKUPS)
def test_an_attribute_that_cannot_be_pickled(lookup: str) -> None:
    assert (7, "LP111") in marks(LOCK.format(lookup=lookup, own="", init=""))


@pytest.mark.parametrize(
    ("own", "init", "lookup"),
    [
        ("lock = None", "", PLAIN),
        ("", "self.lock = 1", PLAIN),
        ("@property\n    def lock(self):\n        return 1", "", PLAIN),
        ("", "", 'return getattr(self.worker, "name")'),
        (
            "",
            "",
            'if name == "lock":\n            raise AttributeError(name)\n        return getattr(self.worker, name)',
        ),
    ],
)
def test_an_attribute_of_its_own(own: str, init: str, lookup: str) -> None:
    assert marks(LOCK.format(own=own, init=init, lookup=lookup)) == []


def test_objects_within_objects() -> None:
    outer = (
        "class Outer:\n"
        "    def __init__(self):\n        self.wrapper = Wrapper()\n\n"
        f"    def __getattr__(self, name):\n        {PLAIN.replace('worker', 'wrapper')}\n\n\ndef target"
    )
    text = (
        LOCK.format(own="", init="", lookup=PLAIN)
        .replace("def target", outer)
        .replace("Wrapper().lock", "Outer().lock")
    )
    assert marks(text) == [(7, "LP111")]


def test_objects_that_ask_each_other() -> None:
    lookup = PLAIN.replace("worker", "me")
    assert marks(LOCK.format(own="", init="self.me = self", lookup=lookup)) == []
