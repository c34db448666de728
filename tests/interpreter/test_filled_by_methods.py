"""Containers of an object that its methods fill: what they hold where they are read and shipped by themselves."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import multiprocessing


class Task:
    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments


class Jobs:
    def __init__(self):
        self.waiting = {container}

    def add(self, function):
        {put}

    def run(self):
        with multiprocessing.Pool(1) as pool:
            return pool.map(work, self.waiting)


def work(task):
    return task


def main():
    jobs = Jobs()
    jobs.add(lambda row: row)
    {ships}


if __name__ == "__main__":
    main()
"""
POOL = "with multiprocessing.Pool(1) as pool:\n        print(pool.{0})"
BY_METHOD = "jobs.run()"


@pytest.mark.parametrize(
    ("container", "put", "ships"),
    [
        ("[]", "self.waiting.append(function)", BY_METHOD),
        ("[]", "self.waiting.append(Task(function, 1))", BY_METHOD),
        ("[]", "self.waiting.extend([1, function])", BY_METHOD),
        ("[]", "self.waiting.append(function)", POOL.format("map(work, jobs.waiting)")),
        ("[]", "self.waiting.append(Task(function))", POOL.format("apply(work, (jobs.waiting,))")),
    ],
)
def test_what_was_put_in_is_shipped(container: str, put: str, ships: str) -> None:
    assert (27, "LP102") in marks(TEXT.format(container=container, put=put, ships=ships))


@pytest.mark.parametrize(
    ("container", "put", "ships"),
    [
        ("{}", "self.waiting[1] = function", BY_METHOD),  # A mapping gives its keys.
        ("[]", "self.waiting.append(function(1))", BY_METHOD),
        ("[]", "print(function)", BY_METHOD),
    ],
)
def test_what_is_not_shipped(container: str, put: str, ships: str) -> None:
    assert marks(TEXT.format(container=container, put=put, ships=ships)) == []


TAKEN_OUT = """\
import multiprocessing
import threading


class Job:
    def __init__(self):
        self.lock = threading.Lock()
        self.size = 4

    def loop(self):
        print(self.size)


def main():
    job = Job()
    {steps}
    process = multiprocessing.Process(target=job.loop)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "steps",
    [
        "job.__dict__.pop('lock')",
        "lock = vars(job).pop('lock', None)",
        "for name in ('lock', 'cache'):\n        setattr(job, name, None)",
        "for name in ('lock', 'cache'):\n        if hasattr(job, name):\n            setattr(job, name, None)",
    ],
)
def test_what_is_taken_out_first(steps: str) -> None:
    assert marks(TAKEN_OUT.format(steps=steps)) == []


@pytest.mark.parametrize(
    "steps",
    [
        "job.__dict__.pop('size')",
        "job.__dict__.get('lock')",
        "for name in ('size', 'cache'):\n        setattr(job, name, None)",
        "for name in ('lock', 'cache'):\n        if job.size:\n            setattr(job, name, None)",
        "if job.size:\n        job.__dict__.pop('lock')",
    ],
)
def test_what_stays(steps: str) -> None:
    assert [code for _, code in marks(TAKEN_OUT.format(steps=steps))] == ["LP111"]


IN_A_LOOP = """\
import multiprocessing


class Handler:
    def __init__(self, name):
        self.name = name
        self.connect = lambda: name

    def run(self):
        print(self.connect())


def announce(name):
    print(name)


class Runner:
    def __init__(self):
        self.handlers = {start}

    def load(self):
        {load}

    def create_handlers(self):
        handlers = {{}}
        for name in ("sql", "zmq"):
            handlers[name] = Handler(name)
        return handlers

    def run(self):
        {loop}
            process = multiprocessing.Process({given})
            process.start()


def main():
    runner = Runner()
    runner.load()
    runner.run()


if __name__ == "__main__":
    main()
"""
OVER_ITEMS = "for name, handler in self.handlers.items():"
RUNS = "target=handler.run"


@pytest.mark.parametrize("start", ["{}", "dict()", "None"])
@pytest.mark.parametrize(
    "load",
    [
        "self.handlers = self.create_handlers()",
        "handlers = self.create_handlers()\n        self.handlers = handlers",
        "self.handlers = {'sql': Handler('sql')}",
        "self.handlers['sql'] = Handler('sql')",
    ],
)
@pytest.mark.parametrize(
    "loop",
    [
        OVER_ITEMS,
        "for handler in self.handlers.values():",
        "for number, (name, handler) in enumerate(self.handlers.items()):",
    ],
)
def test_what_a_method_takes_out_that_another_has_put_in(start: str, load: str, loop: str) -> None:
    if start != "None" or "['sql'] =" not in load:
        assert (7, "LP102") in marks(IN_A_LOOP.format(start=start, load=load, loop=loop, given=RUNS))


@pytest.mark.parametrize(
    ("load", "loop", "given"),
    [
        ("self.handlers = self.create_handlers()", OVER_ITEMS, "target=announce, args=(name,)"),
        ("self.handlers = self.create_handlers()", "for name in self.handlers:", "target=announce, args=(name,)"),
        ("self.others = self.create_handlers()", OVER_ITEMS, RUNS),
        ("self.handlers = {}", OVER_ITEMS, RUNS),
        ("print(self.create_handlers())", OVER_ITEMS, RUNS),
    ],
)
def test_what_stays_in_the_container(load: str, loop: str, given: str) -> None:
    assert marks(IN_A_LOOP.format(start="{}", load=load, loop=loop, given=given)) == []
