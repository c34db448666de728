"""Registries with the name of the module in their keys: a worker that is not forked has the script as `__mp_main__`."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated
from tests.support import changed

_REGISTRY = """\
CHECKS = {}


def dotted(cls):
    return f"{cls.__module__}.{cls.__qualname__}"


def check(cls):
    CHECKS[dotted(cls)] = cls
    return cls


def create(name):
    return CHECKS[name]()
"""
_PROGRAM = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from registry import CHECKS, check, create, dotted


@check
class NullCheck:
    def failures(self):
        return []


def run_check(name):
    return create(name).failures()


def main():
    with ProcessPoolExecutor(2) as pool:
        for name in CHECKS:
            print(pool.submit(run_check, name).result())


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
_DERIVED = """\
class Check:
    known = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Check.known[cls.__module__, cls.__name__] = cls


def create(name):
    return Check.known[name]()
"""
_MAKER = """\
CHECKS = {}


def check(title):
    def put(cls):
        CHECKS[cls.__module__ + "." + title] = cls
        return cls

    return put


def create(name):
    return CHECKS[name]()
"""


def said(folder: Path, program: str, registry: str = _REGISTRY, **others: str) -> Verdict:
    found = migrated(folder, program=program, registry=registry, **others).boundaries
    return next((each.verdict for each in found if each.verdict is not Verdict.READY), Verdict.READY)


@pytest.mark.parametrize(
    ("program", "registry", "verdict"),
    [
        pytest.param(_PROGRAM, _REGISTRY, Verdict.BREAKS, id="a decorator"),
        pytest.param(
            changed(_PROGRAM, ("for name in CHECKS:", "for name in [dotted(NullCheck)]:")),
            _REGISTRY,
            Verdict.BREAKS,
            id="main makes the key",
        ),
        pytest.param(
            _PROGRAM,
            changed(_REGISTRY, ("return CHECKS[name]()", "return CHECKS.get(name, list)()")),
            Verdict.CHANGES,
            id="with a default",
        ),
        pytest.param(
            changed(
                _PROGRAM,
                ("import CHECKS, check, create, dotted", "import Check, create"),
                ("@check\nclass NullCheck:", "class NullCheck(Check):"),
                ("in CHECKS", "in Check.known"),
            ),
            _DERIVED,
            Verdict.BREAKS,
            id="classes that derive",
        ),
        pytest.param(
            changed(
                _PROGRAM,
                ("import CHECKS, check, create, dotted", "import CHECKS, check, create"),
                ("@check", "@check('null')"),
            ),
            _MAKER,
            Verdict.BREAKS,
            id="the maker of a decorator",
        ),
        pytest.param(
            changed(
                _PROGRAM,
                ("from registry import CHECKS, check, create, dotted", "CHECKS = {}"),
                ("@check\n", ""),
                ("def run_check", "CHECKS[f'{__name__}.null'] = NullCheck\n\n\ndef run_check"),
                ("create(name)", "CHECKS[name]()"),
            ),
            _REGISTRY,
            Verdict.BREAKS,
            id="the name of the script itself",
        ),
    ],
)
def test_keys_that_main_names(program: str, registry: str, verdict: Verdict, tmp_path: Path) -> None:
    assert said(tmp_path, program, registry) is verdict


@pytest.mark.parametrize(
    ("program", "registry"),
    [
        pytest.param(_PROGRAM, changed(_REGISTRY, ("{cls.__module__}.", "")), id="keys without the module"),
        pytest.param(
            changed(_PROGRAM, ("for name in CHECKS:", "for name in ['registry.NullCheck']:")),
            _REGISTRY,
            id="keys that are written out",
        ),
    ],
)
def test_nothing_is_said(program: str, registry: str, tmp_path: Path) -> None:
    assert said(tmp_path, program, registry) is Verdict.READY


def test_what_another_module_registers(tmp_path: Path) -> None:
    start = _PROGRAM.index("@check")
    end = _PROGRAM.index("def run_check")
    checks = "from registry import check\n\n\n" + _PROGRAM[start:end]
    program = changed(
        _PROGRAM[:start] + _PROGRAM[end:],
        ("import CHECKS, check, create, dotted", "import CHECKS, create\nimport checks"),
    )
    assert said(tmp_path, program, checks=checks) is Verdict.READY


_TASKS = """\
import functools

TASKS = {}


class Task:
    def __init__(self, fn):
        functools.update_wrapper(self, fn)
        self.fn = fn
        self.title = f"{fn.__module__}.{fn.__qualname__}"
        TASKS[self.title] = self

    def signature(self, *args):
        return {"task": self.title, "args": args}

    def here(self, *args):
        return self.fn(*args)


def task(fn):
    return Task(fn)


def consume(inbox):
    for message in iter(inbox.get, None):
        print(TASKS[message["task"]].fn(*message["args"]))
"""
_SENDING = """\
import multiprocessing

from registry import Task, consume, task


@task
def halve(width):
    return width // 2


def main():
    inbox = multiprocessing.Queue()
    worker = multiprocessing.Process(target=consume, args=(inbox,))
    worker.start()
    inbox.put(halve.signature(640))
    inbox.put(None)
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
_SENT = "halve.signature(640)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(_SENT, _SENT, id="by a method that uses the key"),
        pytest.param(_SENT, '{"task": halve.title, "args": (640,)}', id="the key itself"),
        pytest.param(_SENT, '{"task": "__main__.halve", "args": (640,)}', id="a key that is written out"),
        pytest.param("@task\n", "@Task\n", id="the class as decorator"),
        pytest.param(
            "@task\ndef halve(width):\n    return width // 2\n",
            "def halved(width):\n    return width // 2\n\n\nhalve = Task(halved)\n",
            id="an object that is made",
        ),
    ],
)
def test_objects_that_hold_their_key(old: str, new: str, tmp_path: Path) -> None:
    assert said(tmp_path, changed(_SENDING, (old, new)), _TASKS) is Verdict.BREAKS


def test_a_key_that_is_written_out(tmp_path: Path) -> None:
    program = changed(_PROGRAM, ("for name in CHECKS:", "for name in ['__main__.NullCheck']:"))
    assert said(tmp_path, program) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("program", "registry"),
    [
        pytest.param(
            _SENDING,
            changed(_TASKS, ('f"{fn.__module__}.{fn.__qualname__}"', "fn.__qualname__")),
            id="keys without the module",
        ),
        pytest.param(
            changed(_SENDING, (_SENT, '{"task": "registry.halve", "args": (halve.here(640),)}')),
            _TASKS,
            id="a key of another module",
        ),
        pytest.param(
            changed(_SENDING, (_SENT, '{"task": worker.title, "args": (640,)}')),
            _TASKS,
            id="an attribute of others",
        ),
    ],
)
def test_objects_whose_keys_are_the_same(program: str, registry: str, tmp_path: Path) -> None:
    assert said(tmp_path, program, registry) is Verdict.READY


def test_tasks_of_another_module(tmp_path: Path) -> None:
    start, end = _SENDING.index("@task"), _SENDING.index("def main")
    jobs = "from registry import task\n\n\n" + _SENDING[start:end]
    program = changed(
        _SENDING[:start] + _SENDING[end:], ("import Task, consume, task", "import consume\nfrom jobs import halve")
    )
    assert said(tmp_path, program, _TASKS, jobs=jobs) is Verdict.READY
