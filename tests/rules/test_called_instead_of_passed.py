"""LP248: called-instead-of-passed."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP248"


PROGRAM = """\
import multiprocessing as mp
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial

import numpy as np
import psutil
from torch.utils.data import DataLoader


def work(*rows):
    {work}


class Job:
    def __init__(self, rows):
        self.rows = rows

    def run(self):
        print(self.rows)

    def begin(self):
        mp.Process(target=self.{run}).start()


class Logged(mp.Process):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.log = []


class Named(mp.Process):
    def __init__(self, *args, **kwargs):
        super().__init__(name="named", **kwargs)
        self.log = args


class Task(mp.Process):
    def run(self):
        print(self)


class Plain(mp.Process):
    pass


class Base:
    def run(self):
        pass

    def begin(self):
        mp.Process(target=self.run()).start()


def main(rows):
    Job(rows).begin()
    {main}


if __name__ == "__main__":
    main([1, 2])
"""


def found(work: str = "print(rows)", main: str = "pass", run: str = "run") -> list[str]:
    text = PROGRAM.format(work=work, main=main, run=run)
    return [each.message for each in lint(text).diagnostics if each.code == "LP248"]


@pytest.mark.parametrize(
    ("main", "outcome"),
    [
        ("mp.Process(target=work(rows)).start()", "does nothing"),
        ("process = mp.Process(None, work(rows))\n    process.start()", "does nothing"),
        ("mp.Process(work(rows)).start()", "None, as `group` of `Process`: the new process does nothing"),
        ("mp.Process(group=work(rows)).start()", "as `group` of `Process`"),
        ("mp.get_context('spawn').Process(work(rows)).start()", "as `group` of `Process`"),
        ("Logged(target=work(rows)).start()", "as `target` of `Process`: the new process does nothing"),
        ("Logged(None, work(rows)).start()", "as `target` of `Process`"),
        ("Plain(target=work(rows)).start()", "as `target` of `Process`"),
        ("Plain(work(rows)).start()", "as `group` of `Process`"),
        ("mp.Pool(2, work()).map(abs, rows)", "no worker runs it"),
        ("mp.Pool(2, initializer=work(*rows)).map(abs, rows)", "no worker runs it"),
        ("ProcessPoolExecutor(initializer=work()).submit(abs, rows)", "no worker runs it"),
        ("list(DataLoader(rows, num_workers=2, worker_init_fn=work()))", "no worker runs it"),
        ("list(DataLoader(rows, num_workers=2, collate_fn=work()))", "the default one is used"),
        ("mp.Process(target=print(rows)).start()", "does nothing"),
        ("mp.Pool(2, print('Initializing')).map(abs, rows)", "no worker runs it"),
        ("mp.Pool(2, initializer=print('Initializing')).map(abs, rows)", "no worker runs it"),
        ("mp.get_context('spawn').Pool(2, print(rows)).map(abs, rows)", "no worker runs it"),
        ("ProcessPoolExecutor(initializer=time.sleep(1)).submit(abs, rows)", "no worker runs it"),
        ("list(DataLoader(rows, num_workers=2, worker_init_fn=np.random.seed(3)))", "no worker runs it"),
        ("mp.Pool(2).map(print(rows), rows)", "TypeError: 'NoneType' object is not callable"),
        ("mp.Pool(2).map(work(), rows)", "TypeError: 'NoneType' object is not callable"),
        ("mp.Pool(2).apply_async(work(rows))", "TypeError: 'NoneType' object is not callable"),
        ("ProcessPoolExecutor().submit(work(rows))", "TypeError: 'NoneType' object is not callable"),
    ],
)
def test_a_function_that_is_called_where_it_should_be_passed(main: str, outcome: str) -> None:
    assert [outcome in each for each in found(main=main)] == [True]


@pytest.mark.parametrize(
    ("work", "type_"),
    [
        ("return [each * 2 for each in rows]", "list"),
        ("return {'rows': rows}", "dict"),
        ("total = sum(rows)\n    return total, rows", "tuple"),
        ("print(rows)\n    return 0", "int"),
        ("return f'{rows}'", "str"),
        ("if rows:\n        return 'some'\n    return 'none'", "str"),
        ("return Job(rows)", "Job"),
    ],
)
def test_a_function_that_returns_something_else(work: str, type_: str) -> None:
    (message,) = found(work, "ProcessPoolExecutor().submit(work(rows))")
    assert f"a `{type_}`" in message
    assert f"TypeError: '{type_}' object is not callable" in message
    assert len(found(work, "mp.Process(target=work(rows)).start()")) == 1


def test_what_no_process_takes_as_its_group() -> None:
    (message,) = found("return [rows]", "mp.Process(work(rows)).start()")
    assert "a `list`, as `group`" in message
    assert "AssertionError: group argument must be None for now" in message


@pytest.mark.parametrize("main", ["mp.Process(work(rows)).start()", "mp.Process(target=work(rows)).start()"])
@pytest.mark.parametrize("loop", ["while True:\n        print(rows)", "print(rows)\n    while 1:\n        input()"])
def test_a_function_that_never_returns(main: str, loop: str) -> None:
    (message,) = found(loop, main)
    assert "returns, nothing ever, as" in message
    assert message.endswith("the call does not end, and the program gets no further")


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n        if rows:\n            return print",
        "while True:\n        if input():\n            break\n    return print",
        "while rows:\n        rows.pop()\n    raise ValueError",
    ],
)
def test_a_loop_that_is_left(loop: str) -> None:
    assert found(loop, "mp.Process(target=work(rows)).start()") == []


def test_a_method() -> None:
    assert ["self.run()" in each for each in found(run="run()")] == [True]


@pytest.mark.parametrize("work", ["print(rows)\n    return", "if not rows:\n        return None\n    print(rows)"])
def test_a_function_that_returns_none(work: str) -> None:
    assert found(work, "mp.Process(target=work(rows)).start()") != []


@pytest.mark.parametrize(
    "work",
    [
        "return print",
        "return rows",
        "return [rows] if input() else print",
        "return sum(rows) * 2",  # gap: what is computed
        "if rows:\n        return [rows]",
        "class Task:\n        def __call__(self):\n            print(rows)\n    return Task()",
        "from tasks import Unknown\n    class Task(Unknown):\n        pass\n    return Task()",
        "if rows:\n        return None\n    return partial(print, rows)",
        "yield rows",
        "raise ValueError(rows)",
        "pass",
    ],
)
def test_a_function_that_may_return_one(work: str) -> None:
    assert found(work, "mp.Process(target=work(rows)).start()") == []


@pytest.mark.parametrize(
    "main",
    [
        "mp.Process(target=work, args=(work(rows),)).start()",
        "mp.Process(target=partial(work, rows)).start()",
        "mp.Process(target=cache(work)(rows)).start()",
        "mp.Process(target=unknown(rows)).start()",
        "mp.Process(target=work, args=(print(rows),)).start()",
        "mp.Pool(2, max(rows)).map(abs, rows)",
        "mp.Pool(2, initializer=rows.append(print)).map(abs, rows)",  # gap: methods of what is not known
        "mp.Pool(2).map(work, [work(rows)])",
        "mp.Process(work(rows), target=work).start()",
        "mp.Process(work(rows), work).start()",
        "mp.Process(unknown(rows)).start()",
        "Task(work(rows)).start()",
        "Named(work(rows)).start()",
        "Logged(work(rows), work).start()",
        "threading.Thread(work(rows)).start()",
        "psutil.Process(work(rows)).start()",
    ],
)
def test_what_is_passed_or_not_known(main: str) -> None:
    assert found(main=main) == []


def test_a_decorated_function() -> None:
    text = PROGRAM.format(work="print(rows)", main="mp.Process(target=work(rows)).start()", run="run")
    text = text.replace("def work", "@cache\ndef work")
    assert not [each for each in lint(text).diagnostics if each.code == "LP248"]


def test_a_function_of_the_program_called_print() -> None:
    text = PROGRAM.format(work="pass", main="mp.Pool(2, print(rows)).map(abs, rows)", run="run")
    text = text.replace("def work", "from shown import print\n\n\ndef work")
    assert not [each for each in lint(text).diagnostics if each.code == "LP248"]
